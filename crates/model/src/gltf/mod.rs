//! Reads glTF files into a [`Model`]: the only place that knows the format.
//! It must not know how models are posed, skinned or drawn.
//!
//! A file is text and bytes from somebody else. Nothing in it may make the loader panic, run for
//! ever or take more memory than its size accounts for: what cannot be used is a [`LoadError`],
//! what can be repaired is a [`Warning`].

#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

mod accessor;
mod animation;
mod approximation;
mod attribute;
mod budget;
mod buffer;
mod camera;
mod component;
mod container;
mod digest;
mod draco;
mod error;
mod files;
mod inspection;
mod instancing;
mod joints;
mod json;
mod light;
mod material;
mod material_extensions;
mod mesh;
mod meshopt;
mod morph;
mod node;
mod picture;
mod pointer;
mod range;
mod report;
mod rules;
mod sampler;
mod scene;
mod skin;
mod source;
mod specular_glossiness;
pub mod support;
mod texture;
mod topology;
mod transform;
pub mod write;

use std::collections::BTreeMap;
use std::path::Path;

pub use container::{ContainerError, Foreign};
pub use digest::sha256;
pub use error::LoadError;
pub use files::{FilePart, ModelFile, files_of};
pub use inspection::{ExtensionUse, FileFacts, Inspection};
pub use report::one_line;
pub use source::SourceError;
pub use support::Support;

use self::accessor::Accessors;
use self::approximation::Drawn;
use self::budget::Budget;
use self::container::Container;
use self::json::Document;
use self::picture::Pictures;
use self::report::{Parts, Warnings};
use self::source::Sources;
use self::texture::Textures;
use super::statistics::InfluenceStatistics;
use super::{Model, Warning};

/// How to read a file.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Which scene to draw, by name or number; `None` is the file's own choice.
    pub scene: Option<String>,
    /// Whether URIs may lead out of the file's folder.
    pub allow_outside: bool,
}

/// Loads a `.gltf` or `.glb` file; which of the two it is, its first bytes say.
pub fn load(path: &Path) -> Result<Model, LoadError> {
    load_with(path, &Options::default())
}

/// Loads a file in another way than usual.
pub fn load_with(path: &Path, options: &Options) -> Result<Model, LoadError> {
    let bytes = source::read_file(path, source::MAX_FILE_BYTES).map_err(LoadError::File)?;
    load_bytes_with(&bytes, path.parent(), options)
}

/// The bytes of a model's file, for [`load_bytes_with`].
pub fn read_file(path: &Path) -> Result<Vec<u8>, LoadError> {
    read_file_of(path, source::MAX_FILE_BYTES)
}

/// The bytes of a file that goes with a model and is at most so long.
pub fn read_file_of(path: &Path, most_bytes: u64) -> Result<Vec<u8>, LoadError> {
    source::read_file(path, most_bytes).map_err(LoadError::File)
}

/// Loads a file's bytes and says which external files they name.
pub fn load_bytes_and_files(
    bytes: &[u8],
    base: Option<&Path>,
    options: &Options,
) -> Result<(Model, Vec<ModelFile>), LoadError> {
    let (model, aside) = read(bytes, base, options, Warnings::default(), false)?;
    Ok((model, aside.files))
}

/// The same, and what those files hold: the SHA-256 of what `sha256sum` prints about the external
/// files in order of their names, which are relative to `base`. `None` where there are none.
pub fn load_bytes_and_digest(
    bytes: &[u8],
    base: Option<&Path>,
    options: &Options,
) -> Result<(Model, Vec<ModelFile>, Option<String>), LoadError> {
    let (model, aside) = read(bytes, base, options, Warnings::default(), true)?;
    Ok((model, aside.files, digest::sha256_of_files(aside.digests)))
}

/// Loads a file's bytes. External files are looked for in `base` and below; without it a file that
/// has any is an error.
pub fn load_bytes(bytes: &[u8], base: Option<&Path>) -> Result<Model, LoadError> {
    load_bytes_with(bytes, base, &Options::default())
}

/// Loads a file's bytes in another way than usual.
pub fn load_bytes_with(bytes: &[u8], base: Option<&Path>, options: &Options) -> Result<Model, LoadError> {
    let (model, _) = read(bytes, base, options, Warnings::default(), false)?;
    Ok(model)
}

/// Loads a file and says what it is like.
pub fn inspect(path: &Path, options: &Options) -> Result<Inspection, LoadError> {
    let bytes = source::read_file(path, source::MAX_FILE_BYTES).map_err(LoadError::File)?;
    inspect_bytes(&bytes, path.parent(), options)
}

/// Loads a file's bytes and says what they are like.
pub fn inspect_bytes(bytes: &[u8], base: Option<&Path>, options: &Options) -> Result<Inspection, LoadError> {
    let (model, aside) = read(bytes, base, options, Warnings::inspecting(), false)?;
    let Aside { facts, notes, influences, files, digests: _ } = aside;
    Ok(Inspection { model, notes, influences, facts, files })
}

/// What is read besides the model.
struct Aside {
    facts: FileFacts,
    notes: Vec<Warning>,
    influences: BTreeMap<String, InfluenceStatistics>,
    files: Vec<ModelFile>,
    digests: Vec<(String, String)>,
}

/// A file's two parts, what it may unfold to, and its JSON as it is written.
fn parse(bytes: &[u8]) -> Result<(Container<'_>, Budget, Document), LoadError> {
    let container = container::split(bytes).map_err(LoadError::Container)?;
    let mut budget = Budget::beside(container.json).ok_or(LoadError::TooManyObjects)?;
    budget.add(container.binary.map_or(0, <[u8]>::len));
    let document = json::parse(container.json)?;
    Ok((container, budget, document))
}

fn read(
    bytes: &[u8],
    base: Option<&Path>,
    options: &Options,
    mut warnings: Warnings,
    digest: bool,
) -> Result<(Model, Aside), LoadError> {
    let (container, budget, mut document) = parse(bytes)?;
    for fault in &container.faults {
        warnings.fault(fault.code, ".", &fault.message);
    }
    support::check(&document)?;
    scene::check_references(&document)?;
    let scene = scene::choose(&document, options.scene.as_deref())?;

    let mut nodes = node::read(&document, &mut warnings)?;
    let scenes = scene::read(&document, scene, &nodes, &mut warnings)?;
    let shown = scene::shown(&document, scene, &mut warnings)?;
    let instances = scene::instances(&document, &shown, &nodes)?;
    let cameras = camera::read(&document, &nodes, &shown, &mut warnings);
    let lights = light::read(&document, &nodes, &shown, &mut warnings);

    let mut sources = Sources::new(base, options.allow_outside, budget);
    sources.digests = digest.then(Vec::new);
    let files = files::named(&document, &sources);
    let mut buffers = buffer::read_all(&document, container.binary, &mut sources, &mut warnings)?;
    meshopt::decode_views(&mut document, &mut buffers, &mut sources.budget)?;
    draco::decode_primitives(&mut document, &mut buffers, &mut sources.budget, &mut warnings)?;
    let mut accessors = Accessors::new(&document, &buffers, std::mem::take(&mut sources.budget));
    morph::read_weights(&document, &mut nodes.rig, &mut accessors, &mut warnings)?;
    let instances = instancing::expand(&document, &mut nodes, instances, &mut accessors, &mut warnings)?;
    let skins = skin::read(&document, &nodes, &mut accessors, &mut warnings)?;
    let meshes = mesh::read(&document, &mut accessors, &mut warnings)?;
    let clips = animation::read(&document, &nodes, &mut accessors, &mut warnings)?;
    sources.budget = accessors.into_budget();
    let decoder = Pictures::new(&document, &buffers, &mut sources);
    let mut textures = Textures::new(&document, decoder);
    let materials = material::read(&document, &mut textures, &mut warnings)?;
    material::check_texcoords(&meshes, &materials, &mut warnings);
    let pictures = textures.into_pictures();
    let drawn = Drawn { instances: &instances, meshes: &meshes, materials: &materials, lights: &lights };
    approximation::check(&document, &drawn, &mut warnings);

    rules::check(&container, &document, &buffers, &mut sources, &mut warnings);

    let digests = sources.digests.take().unwrap_or_default();
    let rig = nodes.rig;
    let Parts { warnings, faults, notes, influences } = warnings.into_parts();
    let model = Model {
        rig,
        meshes,
        skins,
        scenes,
        scene,
        instances,
        clips,
        materials,
        pictures,
        cameras,
        lights,
        warnings,
        faults,
    };
    Ok((model, Aside { facts: inspection::facts(&document), notes, influences, files, digests }))
}
