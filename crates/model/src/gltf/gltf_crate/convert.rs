//! Puts a model together from a document and its buffers.

use std::borrow::Cow;

use super::numbers::Numbers;
use super::{clips, materials, meshes, references, skins, structure};
use crate::gltf::buffer::Buffers;
use crate::gltf::reader::picture::Pictures;
use crate::gltf::reader::texture::Textures;
use crate::gltf::reader::{camera, light, material, morph, node, scene};
use crate::gltf::support;
use crate::reading::error::LoadError;
use crate::reading::source::Sources;
use crate::reading::warnings::Warnings;
use crate::{Centers, Model};

/// Converts a document and the bytes of its buffers, in the document's order, to a model. The result equals that of
/// [`load`](crate::gltf::load) for the same file. It serves programs that read files with the `gltf` crate.
///
/// The scene is the document's default scene, or its first. Repairs are listed in the model's warnings.
///
/// # Omissions
/// The `gltf` crate does not read:
/// - compression (`KHR_draco_mesh_compression`, `EXT_meshopt_compression`), `KHR_mesh_quantization`,
///   `EXT_mesh_gpu_instancing` and `KHR_animation_pointer`;
/// - moves of texture coordinates and colours by morph targets, and the names of morph targets;
/// - accessors without any bytes, whose values are zeros.
///
/// Pictures are decoded from buffers and `data:` URIs. Pictures in files are missing, because the document has only
/// their names; their materials are shown without them, with a warning.
///
/// The rules of the format are not checked ([`Model::faults`] is empty).
///
/// # Errors
/// Unusable data, with its JSON path: a dangling reference, an accessor that does not fit its buffer or its use,
/// indices and joints out of range, numbers that are not finite. No document causes a panic, whether or not the `gltf`
/// crate has validated it.
///
/// # Example
/// ```
/// use sinew_model::{builtin, gltf};
///
/// let file = ::gltf::Gltf::from_slice(&builtin::glb("bend")?)?;
/// let buffers = [file.blob.as_deref().unwrap_or_default()];
/// let model = gltf::from_gltf(&file.document, &buffers)?;
/// assert_eq!(model.skins.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn from_gltf(document: &::gltf::Document, buffers: &[impl AsRef<[u8]>]) -> Result<Model, LoadError> {
    references::check(document.as_json())?;
    let slices: Vec<&[u8]> = buffers.iter().map(AsRef::as_ref).collect();
    let mut numbers = Numbers::new(&slices);
    let mut warnings = Warnings::default();
    let structure = structure::of(document.as_json());
    support::check(&structure)?;

    let scene = scene::choose(&structure, None)?;
    let mut nodes = node::read(&structure, &mut warnings)?;
    let scenes = scene::read(&structure, scene, &nodes, &mut warnings)?;
    let shown = scene::shown(&structure, scene, &mut warnings)?;
    let instances = scene::instances(&structure, &shown, &nodes)?;
    let cameras = camera::read(&structure, &nodes, &shown, &mut warnings);
    let lights = light::read(&structure, &nodes, &shown, &mut warnings);
    morph::read_weights(&structure, &mut nodes.rig, &mut numbers.budget, &mut warnings)?;

    let skins = skins::read(document, &nodes, &mut numbers, &mut warnings)?;
    let meshes = meshes::read(document, &structure, &mut numbers, &mut warnings)?;
    let clips = clips::read(document, &structure, &nodes, &mut numbers, &mut warnings)?;

    let bytes: Buffers<'_> = slices.iter().map(|bytes| Some(Cow::Borrowed(*bytes))).collect();
    let mut sources = Sources::new(None, false, numbers.budget, 0);
    let mut textures = Textures::new(&structure, Pictures::new(&structure, &bytes, &mut sources));
    let materials = materials::read(document, &mut textures, &mut warnings)?;
    material::check_texcoords(&meshes, &materials, &mut warnings);
    let pictures = textures.into_pictures();
    let warnings = warnings.into_report().warnings;
    let rig = nodes.rig;
    let faults = Vec::new();
    Ok(Model {
        rig,
        meshes,
        skins,
        scenes,
        scene,
        instances,
        clips,
        frames_per_second: None,
        materials,
        pictures,
        cameras,
        lights,
        warnings,
        faults,
        centers: Centers::default(),
    })
}
