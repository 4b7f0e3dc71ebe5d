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
mod component;
mod container;
mod error;
mod joints;
mod json;
mod material;
mod mesh;
mod node;
mod picture;
mod pointer;
mod report;
mod sampler;
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
pub fn load_bytes_with(bytes: &[u8], base: Option<&Path>, _options: &Options) -> Result<Model, LoadError> {
    let container = container::split(bytes).map_err(LoadError::Container)?;
    let mut budget = Budget::beside(container.json).ok_or(LoadError::TooManyObjects)?;
    budget.add(container.binary.map_or(0, <[u8]>::len));
    let document = json::parse(container.json)?;
    support::check(&document)?;
    scene::check_references(&document)?;

    let mut warnings = Warnings::default();
    let nodes = node::read(&document, &mut warnings)?;
    let instances = scene::instances(&document, &nodes, &mut warnings)?;

    let mut sources = Sources::new(base);
    sources.budget = budget;
    let buffers = buffer::read_all(&document, container.binary, &mut sources, &mut warnings)?;
    let mut accessors = Accessors::new(&document, &buffers, std::mem::take(&mut sources.budget));
    let skins = skin::read(&document, &nodes, &mut accessors, &mut warnings)?;
    let meshes = mesh::read(&document, &mut accessors, &mut warnings)?;
    let clips = animation::read(&document, &nodes, &mut accessors, &mut warnings)?;
    sources.budget = accessors.into_budget();
    let mut pictures = Pictures::new(&document, &buffers, &mut sources);
    let (materials, pictures) = material::read(&document, &mut pictures, &mut warnings)?;

    let rig = nodes.rig;
    let warnings = warnings.into_vec();
    Ok(Model { rig, meshes, skins, instances, clips, materials, pictures, warnings })
}
