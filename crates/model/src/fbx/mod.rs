//! Reads FBX and OBJ files into the same [`Model`] as glTF, by the `ufbx` crate. What a file's author sees is what poses
//! and skins here: pivots, inherited scales and geometric offsets become nodes that say the same.
//!
//! The root node turns the file's axes to y up and its units to metres; everything below it is in the file's own.

#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

mod cameras;
mod clips;
mod curves;
mod facts;
mod lights;
mod materials;
mod matrices;
mod meshes;
mod morphs;
mod nodes;
mod pictures;
mod skins;

use std::path::Path;

use self::nodes::Nodes;
use self::pictures::Pictures;
use crate::gltf::{Inspection, StoredSet, StoredVertex};
use crate::load::Loaded;
use crate::reading::budget::{self, Budget};
use crate::reading::digest::sha256_of_files;
use crate::reading::message::one_line;
use crate::reading::source::Sources;
use crate::reading::warnings::{Report, Warnings};
use crate::reading::{LoadError, ModelFile, Options};
use crate::unknown::Unknown;
use crate::{Instance, Model, SceneRoots};

/// The deepest tree of nodes that is read.
const DEEPEST: u32 = 512;

/// Loads a file's bytes. Textures beside it are looked for in `base` and below; without it, only those in the file are
/// shown.
///
/// # Errors
/// If the file is broken, or asks for more memory than a file of its size may take.
pub fn load_bytes(bytes: &[u8], base: Option<&Path>, options: &Options) -> Result<Model, LoadError> {
    Ok(load_with(bytes, base, options, false)?.model)
}

pub(crate) fn load_with(
    bytes: &[u8],
    base: Option<&Path>,
    options: &Options,
    digest: bool,
) -> Result<Loaded, LoadError> {
    let scene = parse(bytes)?;
    let mut sources = sources(bytes, base, options);
    sources.digests = digest.then(Vec::new);
    let mut warnings = Warnings::default();
    let (mut model, files) = model_of(&scene, options, &mut sources, &mut warnings)?;
    let report = warnings.into_report();
    (model.warnings, model.faults) = (report.warnings, report.faults);
    Ok(Loaded { model, files, digest: sha256_of_files(sources.digests.unwrap_or_default()) })
}

pub(crate) fn inspect_bytes(
    bytes: &[u8],
    base: Option<&Path>,
    options: &Options,
) -> Result<Inspection, LoadError> {
    let scene = parse(bytes)?;
    let mut warnings = Warnings::inspecting();
    let (mut model, files) = model_of(&scene, options, &mut sources(bytes, base, options), &mut warnings)?;
    let Report { warnings, faults, notes, influences } = warnings.into_report();
    (model.warnings, model.faults) = (warnings, faults);
    Ok(Inspection { model, notes, influences, facts: facts::of(&scene), files })
}

pub(crate) fn files_of(bytes: &[u8], base: Option<&Path>, options: &Options) -> Vec<ModelFile> {
    let Ok(scene) = parse(bytes) else { return Vec::new() };
    let mut sources = sources(bytes, base, options);
    Pictures::new(&scene, &mut sources).files()
}

/// A vertex's weights as clusters give them, largest first as `ufbx` sorts them.
pub(crate) fn stored_influences(bytes: &[u8], vertex: StoredVertex) -> Result<Vec<StoredSet>, LoadError> {
    let scene = parse(bytes)?;
    let count = scene.meshes.len();
    let mesh = scene.meshes.get(vertex.mesh);
    let mesh = mesh.ok_or_else(|| LoadError::no_such("meshes", "mesh", vertex.mesh, count))?;
    let path = format!("meshes[{}].primitives", vertex.mesh);
    let read = meshes::read(mesh, &[], false, &mut |_, _| ());
    let primitive = read.primitives.iter().find(|primitive| primitive.file_index == vertex.primitive);
    let primitive = primitive
        .ok_or_else(|| LoadError::no_such(&path, "primitive", vertex.primitive, mesh.material_parts.len()))?;
    let points = primitive.control_points.as_deref().unwrap_or_default();
    let point = points.get(vertex.vertex).ok_or_else(|| {
        LoadError::no_such(&format!("{path}[{}]", vertex.primitive), "vertex", vertex.vertex, points.len())
    })?;
    Ok(skins::stored(mesh, *point as usize))
}

/// What a file may take.
fn sources<'a>(bytes: &[u8], base: Option<&'a Path>, options: &Options) -> Sources<'a> {
    let mut budget = Budget::default();
    budget.add(bytes.len());
    Sources::new(base, options.allow_outside, budget)
}

fn parse(bytes: &[u8]) -> Result<ufbx::SceneRoot, LoadError> {
    let most = usize::try_from(budget::of_file(bytes.len())).unwrap_or(usize::MAX);
    let limited = || ufbx::AllocatorOpts { memory_limit: most, ..Default::default() };
    let how = ufbx::LoadOpts {
        temp_allocator: limited(),
        result_allocator: limited(),
        node_depth_limit: DEEPEST,
        clean_skin_weights: true,
        generate_missing_normals: true,
        normalize_normals: true,
        target_axes: ufbx::CoordinateAxes::right_handed_y_up(),
        target_unit_meters: 1.0,
        // The root has the conversion, so that nothing else changes.
        space_conversion: ufbx::SpaceConversion::TransformRoot,
        geometry_transform_handling: ufbx::GeometryTransformHandling::HelperNodes,
        inherit_mode_handling: ufbx::InheritModeHandling::HelperNodes,
        ..Default::default()
    };
    ufbx::load_memory(bytes, how).map_err(|error| broken(&error.description))
}

fn broken(message: &str) -> LoadError {
    LoadError::broken("BROKEN_FILE", "", format!("cannot be read as FBX or OBJ: {}", one_line(message)))
}

fn model_of(
    scene: &ufbx::Scene,
    options: &Options,
    sources: &mut Sources<'_>,
    warnings: &mut Warnings,
) -> Result<(Model, Vec<ModelFile>), LoadError> {
    if let Some(asked) = options.scene.as_deref().filter(|asked| *asked != "0") {
        return Err(LoadError::NoScene(Unknown::numbered("scene", asked, [(0, "")].into_iter())));
    }
    let mut nodes = Nodes::of(scene);
    let targets: Vec<_> = scene.meshes.iter().map(|mesh| morphs::targets_of(mesh)).collect();
    let has_shares = skins::blends(scene);
    let read = |(number, (mesh, targets)): (usize, (&ufbx::Ref<ufbx::Mesh>, &Vec<_>))| {
        skins::check(mesh, number, warnings);
        meshes::read(mesh, targets, has_shares, &mut |primitive, points| {
            let path = format!("meshes[{number}].primitives[{primitive}]");
            warnings.influences(&path, || skins::statistics(mesh, points));
        })
    };
    let meshes = scene.meshes.iter().zip(&targets).enumerate().map(read).collect();
    let hidden = nodes::hidden(scene);
    let (mut instances, mut skins) = (Vec::new(), Vec::new());
    for ((number, node), is_hidden) in scene.nodes.iter().enumerate().zip(hidden) {
        let Some(mesh) = node.mesh.as_ref().filter(|_| !is_hidden) else { continue };
        let bones = nodes.bones_in(scene, number, mesh);
        let skin = skins::skin_of(scene, mesh, number, &bones).map(|skin| {
            skins.push(skin);
            skins.len().saturating_sub(1)
        });
        instances.push(Instance { node: number, mesh: mesh.element.typed_id as usize, skin });
    }
    let clips = clips::clips_of(scene, &targets, &nodes.copies, options.fbx_rate);
    let cameras = cameras::read(scene, &mut nodes);
    let lights = lights::read(scene, &mut nodes);
    morphs::set_rest(scene, &targets, &mut nodes.rig);
    let mut pictures = Pictures::new(scene, sources);
    let materials = materials::read(scene, &mut pictures, warnings);
    let files = pictures.files();
    let model = Model {
        rig: nodes.rig,
        meshes,
        skins,
        scenes: vec![SceneRoots { name: String::new(), roots: vec![0] }],
        scene: Some(0),
        instances,
        clips,
        materials,
        pictures: pictures.into_pictures(),
        cameras,
        lights,
        ..Model::default()
    };
    Ok((model, files))
}
