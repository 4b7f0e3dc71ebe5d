//! Reads USD files into the same [`Model`] as glTF, with the crate `openusd`. It composes layers, references and variants;
//! skinning, blend shapes and motion become what `UsdSkel` makes of them.
//!
//! The root node converts the file's axes to y up and its units to metres. All nodes below it use the file's own.

#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

mod arcs;
mod bake;
mod binary;
mod bindings;
mod bytes;
mod cameras;
mod clips;
mod ears;
mod facts;
mod fence;
mod instancers;
mod layers;
mod lights;
mod looks;
mod mended;
mod meshes;
mod network;
mod nodes;
mod package;
mod packed;
mod pictures;
mod places;
mod primvars;
mod samples;
mod scene;
mod shapes;
mod skeletons;
mod skins;
mod sound;
mod stage;
mod stored;
mod surface;
mod text;
mod textures;
mod values;
mod variants;
mod writer;

use std::path::Path;

pub use self::writer::{Form, Frames, Part, Points, Written, write_points, write_usd};

use self::fence::fenced;
use self::layers::Layers;
use self::pictures::Pictures;
use self::scene::Scene;
use self::stage::Stage;
use crate::Model;
use crate::gltf::{Inspection, StoredSet, StoredVertex};
use crate::loaded::Loaded;
use crate::reading::budget::Budget;
use crate::reading::digest::sha256_of_files;
use crate::reading::warnings::{Report, Warnings};
use crate::reading::{LoadError, ModelFile, Options, Watch};
use crate::unknown::Unknown;

/// State of converting a scene to a model.
struct Work<'a> {
    budget: &'a mut Budget,
    warnings: &'a mut Warnings,
    watch: &'a Watch,
    /// True if only the clip of a chosen variant is read.
    clip_is_chosen: bool,
}

/// Loads a file's bytes. Layers beside it are looked for in `base` and below; without it, only those in the file are read.
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
    fenced(|| {
        let mut warnings = Warnings::default();
        let (layers, stage) = open(bytes, base, options, digest)?;
        let mut model = read(&stage, &layers, options, &mut warnings)?.model;
        let report = warnings.into_report();
        (model.warnings, model.faults) = (report.warnings, report.faults);
        Ok(Loaded { model, files: layers.files(), digest: sha256_of_files(layers.digests()) })
    })
}

pub(crate) fn inspect_bytes(
    bytes: &[u8],
    base: Option<&Path>,
    options: &Options,
) -> Result<Inspection, LoadError> {
    fenced(|| {
        let mut warnings = Warnings::inspecting();
        let (layers, stage) = open(bytes, base, options, false)?;
        let mut model = read(&stage, &layers, options, &mut warnings)?.model;
        let mut facts = facts::of(&stage, bytes, model.scenes.iter().map(|scene| scene.roots.len()).sum());
        let mut budget = Budget::default();
        budget.add(layers.size());
        facts.variants = variants::sets(&stage, &stage.prims(&mut budget)?, &mut budget)?;
        let Report { warnings, faults, notes, influences } = warnings.into_report();
        (model.warnings, model.faults) = (warnings, faults);
        Ok(Inspection { model, notes, influences, facts, files: layers.files() })
    })
}

pub(crate) fn files_of(bytes: &[u8], base: Option<&Path>, options: &Options) -> Vec<ModelFile> {
    let files = fenced(|| {
        let (layers, stage) = open(bytes, base, options, false)?;
        // References are followed where prims are.
        if let Ok(prims) = stage.prims(&mut Budget::default()) {
            Pictures::of(&stage, &prims, &layers);
        }
        Ok(layers.files())
    });
    files.unwrap_or_default()
}

/// A vertex's weights as the file has them.
pub(crate) fn stored_influences(
    bytes: &[u8],
    base: Option<&Path>,
    options: &Options,
    vertex: StoredVertex,
) -> Result<Vec<StoredSet>, LoadError> {
    fenced(|| {
        let (layers, stage) = open(bytes, base, options, false)?;
        let scene = read(&stage, &layers, options, &mut Warnings::default())?;
        let meshes = &scene.model.meshes;
        let mesh = meshes.get(vertex.mesh);
        let mesh = mesh.ok_or_else(|| LoadError::no_such("meshes", "mesh", vertex.mesh, meshes.len()))?;
        let path = format!("meshes[{}].primitives", vertex.mesh);
        let primitive = mesh.primitives.iter().find(|primitive| primitive.file_index == vertex.primitive);
        let none = || LoadError::no_such(&path, "primitive", vertex.primitive, mesh.primitives.len());
        let points = primitive.ok_or_else(none)?.control_points.as_deref().unwrap_or_default();
        let place = format!("{path}[{}]", vertex.primitive);
        let none = || LoadError::no_such(&place, "vertex", vertex.vertex, points.len());
        let point = *points.get(vertex.vertex).ok_or_else(none)? as usize;
        let skinned = scene.skinned.get(vertex.mesh).and_then(Option::as_ref);
        Ok(skinned.map(|skinned| skinned.stored(point)).unwrap_or_default())
    })
}

fn open(
    bytes: &[u8],
    base: Option<&Path>,
    options: &Options,
    digest: bool,
) -> Result<(Layers, Stage), LoadError> {
    let (layers, name) = Layers::of(bytes, base, options, digest)?;
    let mut stage = Stage::open(layers.clone(), &name, None);
    if !options.variants.is_empty() {
        stage = stage.and_then(|stage| variants::select(stage, &layers, &name, &options.variants));
    }
    match layers.take_fault() {
        Some(fault) => Err(fault),
        None => Ok((layers, stage?)),
    }
}

fn read(
    stage: &Stage,
    layers: &Layers,
    options: &Options,
    warnings: &mut Warnings,
) -> Result<Scene, LoadError> {
    if let Some(asked) = options.scene.as_deref().filter(|asked| *asked != "0") {
        return Err(LoadError::NoScene(Unknown::numbered("scene", asked, [(0, "")].into_iter())));
    }
    let mut budget = Budget::default();
    budget.add(layers.size());
    let clip_is_chosen = options.variants.iter().any(|(set, _)| set == stage::CLIPS);
    let mut work = Work { budget: &mut budget, warnings, watch: &options.watch, clip_is_chosen };
    let scene = Scene::read(stage, layers, &mut work);
    if let Some(fault) = layers.take_fault().or_else(|| stage.fault()) {
        return Err(fault);
    }
    for name in layers.missing() {
        work.warnings.add("IO_ERROR", "layers", format!("no such file: {name}"));
    }
    for oddity in stage.oddities() {
        work.warnings.add("COMPOSITION", "layers", oddity);
    }
    scene
}
