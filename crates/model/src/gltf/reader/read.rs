//! Reads a parsed file into a model, part by part.

use super::accessor::Accessors;
use super::approximation::{self, Drawn};
use super::picture::Pictures;
use super::texture::Textures;
use super::{
    animation, avatar, camera, constraint, draco, driver, instancing, light, material, mesh, meshopt, morph,
    node, scene, skin,
};
use crate::Model;
use crate::gltf::buffer::{self, Buffers};
use crate::gltf::json::Document;
use crate::gltf::support;
use crate::gltf::variants;
use crate::reading::Options;
use crate::reading::error::LoadError;
use crate::reading::source::Sources;
use crate::reading::warnings::Warnings;

/// The bytes that are already read.
pub enum Given<'a> {
    /// The binary chunk, if any; the document names the rest.
    Binary(Option<&'a [u8]>),
    /// Every buffer.
    #[cfg(feature = "gltf")]
    Buffers(Buffers<'a>),
}

/// The model, without warnings, and the bytes of the document's buffers. Compressed parts of the document
/// then refer to the decoded data.
pub fn read<'a>(
    document: &mut Document,
    given: Given<'a>,
    options: &Options,
    sources: &mut Sources<'_>,
    warnings: &mut Warnings,
) -> Result<(Model, Buffers<'a>), LoadError> {
    support::check(document)?;
    scene::check_references(document)?;
    let scene = scene::choose(document, options.scene.as_deref())?;

    let mut nodes = node::read(document, warnings)?;
    constraint::read(document, &mut nodes, warnings)?;
    let scenes = scene::read(document, scene, &nodes, warnings)?;
    let shown = scene::shown(document, scene, warnings)?;
    let instances = scene::instances(document, &shown, &nodes)?;
    let cameras = camera::read(document, &nodes, &shown, warnings);
    let lights = light::read(document, &nodes, &shown, warnings);

    let buffers = buffers(document, given, sources, warnings)?;
    let document = &*document;
    let mut accessors =
        Accessors::new(document, &buffers, std::mem::take(&mut sources.budget), &options.watch);
    morph::read_weights(document, &mut nodes.rig, accessors.budget(), warnings)?;
    driver::read(document, &mut nodes, warnings);
    let instances = instancing::expand(document, &mut nodes, instances, &mut accessors, warnings)?;
    let skins = skin::read(document, &nodes, &mut accessors, warnings)?;
    let mut meshes = mesh::read(document, &mut accessors, warnings)?;
    variants::select(document, &options.variants, &mut meshes)?;
    let avatar = avatar::read(document, &nodes, &instances, warnings);
    let clips = animation::read(document, &nodes, &mut accessors, warnings)?;
    sources.budget = accessors.into_budget();
    let mut textures = Textures::new(document, Pictures::new(document, &buffers, sources));
    let materials = material::read(document, &mut textures, warnings)?;
    material::check_texcoords(&meshes, &materials, warnings);
    let pictures = textures.into_pictures();
    let drawn = Drawn { instances: &instances, meshes: &meshes, materials: &materials, lights: &lights };
    approximation::check(document, &drawn, warnings);

    let rig = nodes.rig;
    let model = Model {
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
        avatar,
        ..Model::default()
    };
    Ok((model, buffers))
}

/// The bytes of the document's buffers, decompressed.
pub fn buffers<'a>(
    document: &mut Document,
    given: Given<'a>,
    sources: &mut Sources<'_>,
    warnings: &mut Warnings,
) -> Result<Buffers<'a>, LoadError> {
    let mut buffers = match given {
        Given::Binary(binary) => buffer::read_all(document, binary, sources, warnings)?,
        #[cfg(feature = "gltf")]
        Given::Buffers(buffers) => buffers,
    };
    meshopt::decode_views(document, &mut buffers, &mut sources.budget)?;
    draco::decode_primitives(document, &mut buffers, &mut sources.budget, warnings)?;
    Ok(buffers)
}
