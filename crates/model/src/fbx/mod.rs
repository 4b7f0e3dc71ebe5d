//! Reads FBX and OBJ files into the same [`Model`] as glTF, with the `ufbx` crate. The result matches the authoring
//! program: pivots, inherited scales and geometric offsets become equivalent nodes.
//!
//! The root node converts the file's axes to y up and its units to metres. All nodes below it use the file's own.

#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

mod cameras;
mod clips;
mod curves;
mod facts;
mod lights;
mod limits;
mod materials;
mod matrices;
mod meshes;
mod morphs;
mod nodes;
mod pictures;
mod places;
mod reduce;
mod skins;
mod times;

use std::ops::Range;
use std::path::Path;

use self::nodes::Nodes;
use self::pictures::Pictures;
use crate::gltf::{Inspection, StoredSet, StoredVertex};
use crate::loaded::Loaded;
use crate::reading::budget::{self, Budget};
use crate::reading::digest::sha256_of_files;
use crate::reading::message::{counted, one_line};
use crate::reading::source::Sources;
use crate::reading::warnings::{Report, Warnings};
use crate::reading::{LoadError, ModelFile, Options, Watch};
use crate::unknown::Unknown;
use crate::{Instance, Model, SceneRoots};

/// The deepest tree of nodes that is read.
const MAX_DEPTH: u32 = 512;

/// Progress ranges of the steps: parsing with `ufbx`, meshes, and clips.
const PARSE: Range<f64> = 0.0..0.4;
const MESHES: Range<f64> = 0.4..0.7;
const CLIPS: Range<f64> = 0.7..1.0;

/// State of converting a scene to a model.
struct Work<'a> {
    budget: &'a mut Budget,
    warnings: &'a mut Warnings,
    watch: &'a Watch,
}

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
    let scene = parse(bytes, &options.watch)?;
    let mut sources = sources(bytes, base, options);
    sources.digests = digest.then(Vec::new);
    let mut warnings = Warnings::default();
    let (mut model, files) = model_of(&scene, bytes.len(), options, &mut sources, &mut warnings)?;
    let report = warnings.into_report();
    (model.warnings, model.faults) = (report.warnings, report.faults);
    Ok(Loaded { model, files, digest: sha256_of_files(sources.digests.unwrap_or_default()) })
}

pub(crate) fn inspect_bytes(
    bytes: &[u8],
    base: Option<&Path>,
    options: &Options,
) -> Result<Inspection, LoadError> {
    let scene = parse(bytes, &options.watch)?;
    let mut warnings = Warnings::inspecting();
    let (mut model, files) =
        model_of(&scene, bytes.len(), options, &mut sources(bytes, base, options), &mut warnings)?;
    let Report { warnings, faults, notes, influences } = warnings.into_report();
    (model.warnings, model.faults) = (warnings, faults);
    Ok(Inspection { model, notes, influences, facts: facts::of(&scene), files })
}

pub(crate) fn files_of(bytes: &[u8], base: Option<&Path>, options: &Options) -> Vec<ModelFile> {
    let Ok(scene) = parse(bytes, &options.watch) else { return Vec::new() };
    let mut sources = sources(bytes, base, options);
    Pictures::new(&scene, &mut sources).files()
}

/// A vertex's weights as clusters give them, largest first as `ufbx` sorts them.
pub(crate) fn stored_influences(bytes: &[u8], vertex: StoredVertex) -> Result<Vec<StoredSet>, LoadError> {
    let watch = Watch::default();
    let scene = parse(bytes, &watch)?;
    let count = scene.meshes.len();
    let mesh = scene.meshes.get(vertex.mesh);
    let mesh = mesh.ok_or_else(|| LoadError::no_such("meshes", "mesh", vertex.mesh, count))?;
    let path = format!("meshes[{}].primitives", vertex.mesh);
    let mut budget = Budget::default();
    budget.add(bytes.len());
    let mut work = Work { budget: &mut budget, warnings: &mut Warnings::default(), watch: &watch };
    let read = meshes::read(mesh, vertex.mesh, &[], false, &mut work)?;
    let primitive = read.primitives.iter().find(|primitive| primitive.file_index == vertex.primitive);
    let primitive = primitive
        .ok_or_else(|| LoadError::no_such(&path, "primitive", vertex.primitive, mesh.material_parts.len()))?;
    let points = primitive.control_points.as_deref().unwrap_or_default();
    let point = points.get(vertex.vertex).ok_or_else(|| {
        LoadError::no_such(&format!("{path}[{}]", vertex.primitive), "vertex", vertex.vertex, points.len())
    })?;
    Ok(skins::stored(mesh, *point as usize))
}

/// Returns the sources of a file, with its limits.
fn sources<'a>(bytes: &[u8], base: Option<&'a Path>, options: &Options) -> Sources<'a> {
    let mut budget = Budget::default();
    budget.add(bytes.len());
    Sources::new(base, options.allow_outside, budget, bytes.len())
}

fn parse(bytes: &[u8], watch: &Watch) -> Result<ufbx::SceneRoot, LoadError> {
    let most = usize::try_from(budget::of_file(bytes.len())).unwrap_or(usize::MAX);
    let limited = || ufbx::AllocatorOpts { memory_limit: most, ..Default::default() };
    let tell = |progress: &ufbx::Progress| {
        let [read, all] = [progress.bytes_read, progress.bytes_total].map(|bytes| bytes as usize);
        match watch.part(PARSE, read, all) {
            Ok(()) => ufbx::ProgressResult::Continue,
            Err(_) => ufbx::ProgressResult::Cancel,
        }
    };
    let how = ufbx::LoadOpts {
        progress_cb: ufbx::ProgressCb::Ref(&tell),
        temp_allocator: limited(),
        result_allocator: limited(),
        node_depth_limit: MAX_DEPTH,
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
    let scene = ufbx::load_memory(bytes, how).map_err(|error| match error.type_ {
        ufbx::ErrorType::Cancelled => LoadError::Stopped,
        // The library has no word for most of what can be wrong.
        _ if &*error.description == "Failed to load" => broken("it is broken or cut off"),
        _ => broken(&error.description),
    })?;
    let is_text = scene.metadata.ascii && scene.metadata.file_format == ufbx::FileFormat::Fbx;
    match if is_text { open_blocks(bytes) } else { 0 } {
        0 => Ok(scene),
        open => Err(broken(&format!("it is cut off within {}", counted(open, "block", "blocks")))),
    }
}

/// Counts the blocks of an ASCII file that are not closed at its end. `ufbx` takes that end as the end of them all.
fn open_blocks(text: &[u8]) -> usize {
    let (mut open, mut in_string, mut in_comment) = (0usize, false, false);
    for byte in text {
        match byte {
            b'\n' => in_comment = false,
            _ if in_comment => {}
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b';' => in_comment = true,
            b'{' => open = open.saturating_add(1),
            b'}' => open = open.saturating_sub(1),
            _ => {}
        }
    }
    open.saturating_add(usize::from(in_string))
}

fn broken(message: &str) -> LoadError {
    LoadError::broken("BROKEN_FILE", "", format!("cannot be read as FBX or OBJ: {}", one_line(message)))
}

fn model_of(
    scene: &ufbx::Scene,
    bytes: usize,
    options: &Options,
    sources: &mut Sources<'_>,
    warnings: &mut Warnings,
) -> Result<(Model, Vec<ModelFile>), LoadError> {
    if let Some(asked) = options.scene.as_deref().filter(|asked| *asked != "0") {
        return Err(LoadError::NoScene(Unknown::numbered("scene", asked, [(0, "")].into_iter())));
    }
    let work = &mut Work { budget: &mut sources.budget, warnings, watch: &options.watch };
    let mut nodes = Nodes::of(scene)?;
    let targets: Vec<_> = scene.meshes.iter().map(|mesh| morphs::targets_of(mesh)).collect();
    let has_shares = skins::blends(scene);
    let mut meshes = Vec::new();
    for ((number, mesh), targets) in scene.meshes.iter().enumerate().zip(&targets) {
        work.watch.part(MESHES, number, scene.meshes.len())?;
        meshes.push(meshes::read(mesh, number, targets, has_shares, work)?);
    }
    let hidden = nodes::hidden(scene);
    let (mut instances, mut skins) = (Vec::new(), Vec::new());
    for ((number, node), is_hidden) in scene.nodes.iter().enumerate().zip(hidden) {
        let Some(mesh) = node.mesh.as_ref().filter(|_| !is_hidden) else { continue };
        let bones = nodes.bones_in(scene, number, mesh, work.budget)?;
        let skin = skins::skin_of(scene, mesh, number, &bones, work.budget)?.map(|skin| {
            skins.push(skin);
            skins.len().saturating_sub(1)
        });
        instances.push(Instance { node: number, mesh: mesh.element.typed_id as usize, skin });
    }
    let clips = clips::clips_of(scene, &targets, &nodes.copies, bytes, options.fbx_rate, work)?;
    morphs::set_rest(scene, &targets, &mut nodes.rig, work)?;
    let cameras = cameras::read(scene, &mut nodes);
    let lights = lights::read(scene, &mut nodes);
    morphs::pad_rest(&mut nodes.rig);
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
        frames_per_second: facts::frame_rate(scene),
        materials,
        pictures: pictures.into_pictures(),
        cameras,
        lights,
        ..Model::default()
    };
    Ok((model, files))
}
