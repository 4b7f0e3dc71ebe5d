//! Loads and inspects files of every supported format, told apart by their first bytes. The module must not depend on
//! the formats' content.

use std::path::Path;

use crate::bvh;
#[cfg(feature = "fbx")]
use crate::fbx;
use crate::gltf::{self, Inspection, StoredSet, StoredVertex, StoredWeights};
use crate::loaded::Loaded;
use crate::reading::foreign::is_bvh;
#[cfg(feature = "fbx")]
use crate::reading::foreign::is_fbx_or_obj;
#[cfg(feature = "usd")]
#[cfg(feature = "usd")]
use crate::reading::foreign::is_usd;
use crate::reading::{LoadError, ModelFile, Options, Reader};
#[cfg(feature = "usd")]
use crate::usd;

/// Endings of the names of files with models.
pub const ENDINGS: &[&str] = match (cfg!(feature = "fbx"), cfg!(feature = "usd")) {
    (false, false) => &["glb", "gltf"],
    (true, false) => &["glb", "gltf", "fbx", "obj"],
    (false, true) => &["glb", "gltf", "usd", "usda", "usdc", "usdz"],
    (true, true) => &["glb", "gltf", "fbx", "obj", "usd", "usda", "usdc", "usdz"],
};

/// Loads a file's bytes. Other files are looked for in `base` and below; without it, none are read.
///
/// # Errors
/// If the file is broken, of no format that is read, or asks for more memory than a file of its size may take.
pub fn load_bytes(bytes: &[u8], base: Option<&Path>, options: &Options) -> Result<Loaded, LoadError> {
    #[cfg(feature = "fbx")]
    if is_foreign(bytes, options)? {
        return fbx::load_with(bytes, base, options, false);
    }
    #[cfg(feature = "usd")]
    if is_scene(bytes, options)? {
        return usd::load_with(bytes, base, options, false);
    }
    if is_motion(bytes, options)? {
        return bvh::load(bytes, options);
    }
    let (model, files) = gltf::load_bytes_and_files(bytes, base, options)?;
    Ok(Loaded { model, files, digest: None })
}

/// [`load_bytes`] with the digest of the files that the model names.
///
/// # Errors
/// As [`load_bytes`].
pub fn load_bytes_and_digest(
    bytes: &[u8],
    base: Option<&Path>,
    options: &Options,
) -> Result<Loaded, LoadError> {
    #[cfg(feature = "fbx")]
    if is_foreign(bytes, options)? {
        return fbx::load_with(bytes, base, options, true);
    }
    #[cfg(feature = "usd")]
    if is_scene(bytes, options)? {
        return usd::load_with(bytes, base, options, true);
    }
    if is_motion(bytes, options)? {
        return bvh::load(bytes, options);
    }
    let (model, files, digest) = gltf::load_bytes_and_digest(bytes, base, options)?;
    Ok(Loaded { model, files, digest })
}

/// Loads a file's bytes and inspects them.
///
/// # Errors
/// As [`load_bytes`].
pub fn inspect_bytes(bytes: &[u8], base: Option<&Path>, options: &Options) -> Result<Inspection, LoadError> {
    #[cfg(feature = "fbx")]
    if is_foreign(bytes, options)? {
        return fbx::inspect_bytes(bytes, base, options);
    }
    #[cfg(feature = "usd")]
    if is_scene(bytes, options)? {
        return usd::inspect_bytes(bytes, base, options);
    }
    if is_motion(bytes, options)? {
        return bvh::inspect(bytes, options);
    }
    gltf::inspect_bytes(bytes, base, options)
}

/// Lists the files that a model's bytes refer to, even if the model is invalid. The list is empty if the bytes cannot
/// be parsed.
pub fn files_of(bytes: &[u8], base: Option<&Path>, options: &Options) -> Vec<ModelFile> {
    #[cfg(feature = "fbx")]
    if is_fbx_or_obj(bytes) {
        return fbx::files_of(bytes, base, options);
    }
    #[cfg(feature = "usd")]
    if is_usd(bytes) {
        return usd::files_of(bytes, base, options);
    }
    gltf::files_of(bytes, base, options)
}

/// The joints and weights of one vertex as a file's bytes store them, before loading prepares them; empty where the
/// primitive has none.
///
/// # Errors
/// If the file lacks the vertex, or its joints and weights cannot be read.
pub fn stored_influences(
    bytes: &[u8],
    base: Option<&Path>,
    options: &Options,
    vertex: StoredVertex,
) -> Result<Vec<StoredSet>, LoadError> {
    #[cfg(feature = "fbx")]
    if is_foreign(bytes, options)? {
        return fbx::stored_influences(bytes, vertex);
    }
    #[cfg(feature = "usd")]
    if is_scene(bytes, options)? {
        return usd::stored_influences(bytes, base, options, vertex);
    }
    gltf::stored_influences(bytes, base, options, vertex)
}

/// The joints and weights of all vertices as a glTF file's bytes store them; none for other files.
///
/// # Errors
/// If they cannot be read.
pub fn stored_weights(
    bytes: &[u8],
    base: Option<&Path>,
    options: &Options,
) -> Result<StoredWeights, LoadError> {
    #[cfg(feature = "fbx")]
    if is_foreign(bytes, options)? {
        return Ok(StoredWeights::default());
    }
    #[cfg(feature = "usd")]
    if is_scene(bytes, options)? {
        return Ok(StoredWeights::default());
    }
    match is_motion(bytes, options)? {
        true => Ok(StoredWeights::default()),
        false => gltf::stored_weights(bytes, base, options),
    }
}

/// Returns true for FBX and OBJ.
///
/// # Errors
/// If the second reader is to read them, or a variant is asked for.
#[cfg(feature = "fbx")]
fn is_foreign(bytes: &[u8], options: &Options) -> Result<bool, LoadError> {
    let found = is_of(is_fbx_or_obj(bytes), options, "the crate gltf reads glTF alone, neither FBX nor OBJ")?;
    check_variants(found, options)?;
    Ok(found)
}

/// Returns true for USD.
///
/// # Errors
/// If the second reader is to read it.
#[cfg(feature = "usd")]
fn is_scene(bytes: &[u8], options: &Options) -> Result<bool, LoadError> {
    is_of(is_usd(bytes), options, "the crate gltf reads glTF alone, no USD")
}

/// Returns true for BVH.
///
/// # Errors
/// If the second reader is to read it, or a variant is asked for.
fn is_motion(bytes: &[u8], options: &Options) -> Result<bool, LoadError> {
    let found = is_of(is_bvh(bytes), options, "the crate gltf reads glTF alone, no BVH")?;
    check_variants(found, options)?;
    Ok(found)
}

/// Refuses variants of a file whose format has none.
fn check_variants(has_none: bool, options: &Options) -> Result<(), LoadError> {
    if !has_none || options.variants.is_empty() {
        return Ok(());
    }
    let message = "only USD and glTF files have variants to select";
    Err(LoadError::Unsupported { path: String::new(), message: message.to_owned() })
}

fn is_of(is_other: bool, options: &Options, message: &str) -> Result<bool, LoadError> {
    match (is_other, options.reader) {
        (true, Reader::Gltf) => {
            Err(LoadError::Unsupported { path: String::new(), message: message.to_owned() })
        }
        (is_other, _) => Ok(is_other),
    }
}
