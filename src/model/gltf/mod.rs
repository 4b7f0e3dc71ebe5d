//! Reads glTF files into a [`Model`]: the only place that knows the format.
//! It must not know how models are posed, skinned or drawn.
//!
//! A file is text and bytes from somebody else. Nothing in it may make the loader panic, run for
//! ever or take more memory than its size accounts for: what cannot be used is a [`LoadError`],
//! what can be repaired is a [`Warning`](super::Warning).

#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

mod accessor;
mod animation;
mod attribute;
mod budget;
mod buffer;
mod camera;
mod component;
mod container;
mod draco;
mod error;
mod instancing;
mod joints;
mod json;
mod light;
mod material;
mod mesh;
mod meshopt;
mod node;
mod picture;
mod report;
mod scene;
mod skin;
mod source;
mod support;
mod topology;
mod transform;
pub mod write;

use std::path::Path;

pub use container::ContainerError;
pub use error::LoadError;
pub use source::SourceError;

use self::accessor::Accessors;
use self::budget::Budget;
use self::picture::Pictures;
use self::report::Warnings;
use self::source::Sources;
use super::Model;

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

/// Loads a file's bytes. External files are looked for in `base` and below; without it a file that
/// has any is an error.
pub fn load_bytes(bytes: &[u8], base: Option<&Path>) -> Result<Model, LoadError> {
    load_bytes_with(bytes, base, &Options::default())
}

/// Loads a file's bytes in another way than usual.
pub fn load_bytes_with(bytes: &[u8], base: Option<&Path>, options: &Options) -> Result<Model, LoadError> {
    let container = container::split(bytes).map_err(LoadError::Container)?;
    let mut document = json::parse(container.json)?;
    support::check(&document)?;
    scene::check_references(&document)?;
    let scene = scene::choose(&document, options.scene.as_deref())?;

    let mut warnings = Warnings::default();
    let mut nodes = node::read(&document, &mut warnings)?;
    let scenes = scene::read(&document, scene, &nodes, &mut warnings)?;
    let shown = scene::shown(&document, scene, &mut warnings)?;
    let instances = scene::instances(&document, &shown, &nodes)?;
    let cameras = camera::read(&document, &nodes, &shown, &mut warnings);
    let lights = light::read(&document, &nodes, &shown, &mut warnings);

    let mut sources = Sources::new(base, options.allow_outside);
    let mut buffers = buffer::read_all(&document, container.binary, &mut sources, &mut warnings)?;
    let mut budget = Budget::new(&buffers, container.json.len());
    meshopt::decode_views(&mut document, &mut buffers, &mut budget)?;
    draco::decode_primitives(&mut document, &mut buffers, &mut budget)?;
    let mut accessors = Accessors::new(&document, &buffers, budget);
    let instances = instancing::expand(&document, &mut nodes, instances, &mut accessors, &mut warnings)?;
    let skins = skin::read(&document, &nodes, &mut accessors, &mut warnings)?;
    let meshes = mesh::read(&document, &mut accessors, &mut warnings)?;
    let clips = animation::read(&document, &nodes, &mut accessors, &mut warnings)?;
    let mut pictures = Pictures::new(&document, &buffers, &mut sources);
    let (materials, pictures) = material::read(&document, &mut pictures, &mut warnings)?;

    let rig = nodes.rig;
    let warnings = warnings.into_vec();
    Ok(Model {
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
    })
}
