//! Opens the model that the user named, and finds viewpoint, view and materials in it.

#![allow(clippy::disallowed_methods, reason = "adds each file that it reads to the inputs")]

use std::ffi::OsStr;
use std::path::Path;

use crate::camera::{NAMED, NoViewpoint, Orbit, Viewpoint};
use crate::model::gltf::{self, Inspection, StoredSet, StoredVertex, StoredWeights};
use crate::model::unknown::{Unknown, nearest};
use crate::model::{self, LoadError, Loaded, Model, ModelFile, Options, Reader};
use crate::output::{Inputs, Late, Role};
use crate::scene::Retouch;
use crate::skinning::pose::{Names, Pose, PoseChoice};
use crate::skinning::posed::count_vertices;
use crate::skinning::{Drawn, SkinningMode, diagonal};
use crate::view::View;
use clap::CommandFactory;
use glam::DVec3;

use crate::cli::args::{CameraArgs, CameraChoice, Cli, LoadArgs, LookAt, NamedFactors, PictureArgs};
use crate::cli::subject::clips;
use crate::cli::subject::file;
use crate::cli::subject::names::{joint, taught};
use crate::cli::terminal::failure::Failure;

use crate::cli::subject::file::note_files;
pub use crate::cli::subject::file::{BUILTIN, files, heed, is_builtin, shown, warn};

/// Loads a file or a built-in model and prints its warnings; with `--strict` they are failures.
pub fn model(given: &OsStr, load: &LoadArgs, inputs: &mut Inputs) -> Result<Model, Failure> {
    let loaded = read(given, load, inputs, model::load_bytes)?;
    ready(given, loaded, load, inputs)
}

/// Like [`model()`], with the weights as the file stores them.
pub fn model_and_weights(
    given: &OsStr,
    load: &LoadArgs,
    inputs: &mut Inputs,
) -> Result<(Model, StoredWeights), Failure> {
    let (loaded, stored) = loaded_and_stored(given, load, inputs)?;
    Ok((ready(given, loaded, load, inputs)?, stored))
}

/// Like [`model_and_weights`], without warnings and without the clips of other files.
pub fn loaded_and_stored(
    given: &OsStr,
    load: &LoadArgs,
    inputs: &mut Inputs,
) -> Result<(Loaded, StoredWeights), Failure> {
    read(given, load, inputs, |bytes, base, options| {
        let loaded = model::load_bytes(bytes, base, options)?;
        // Loading leaves out faulty parts.
        let stored = model::stored_weights(bytes, base, options).unwrap_or_default();
        Ok((loaded, stored))
    })
}

/// Prints the warnings of a model, and adds the clips of other files.
fn ready(given: &OsStr, loaded: Loaded, load: &LoadArgs, inputs: &mut Inputs) -> Result<Model, Failure> {
    let Loaded { mut model, files, .. } = loaded;
    note_files(&files, inputs)?;
    heed(given, &model, load)?;
    warn(given, &model);
    clips::add(given, &mut model, load, inputs)?;
    set_ddm(given, &model, load)?;
    Ok(model)
}

/// Sets what direct delta mush keeps of a model's surroundings.
pub fn set_ddm(given: &OsStr, model: &Model, load: &LoadArgs) -> Result<(), Failure> {
    let mut settings = load.ddm_settings.unwrap_or_default();
    if let Some(limit) = load.ddm_within {
        if model.clips.is_empty() {
            let given = shown(given);
            return Err(Failure::Usage(format!(
                "--ddm-within measures the clips of a model, and {given} has none"
            )));
        }
        settings.within = Some(limit.metres(diagonal(model, &Drawn::new(model))));
    }
    model.ddm.set(settings);
    Ok(())
}

/// Digests of the files that a model was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digests {
    /// The mode that the file names as its author's.
    pub authored: Option<SkinningMode>,
    /// SHA-256 of the model's file, or of the bytes of a built-in model.
    pub model: String,
    /// One digest of all files that it names, if any.
    pub files: Option<String>,
    /// One digest of the files that clips came from and of the joint map, if any.
    pub clips: Option<String>,
}

/// A model with the digests and paths of its files.
pub struct Read {
    pub model: Model,
    pub digests: Digests,
    /// The files that the model names.
    pub files: Vec<ModelFile>,
}

/// Like [`model`], with digests of the files.
pub fn model_and_digests(given: &OsStr, load: &LoadArgs, inputs: &mut Inputs) -> Result<Read, Failure> {
    let read = read_model(given, load, inputs)?;
    warn(given, &read.model);
    Ok(read)
}

/// Like [`model_and_digests`], without printing warnings.
pub fn read_model(given: &OsStr, load: &LoadArgs, inputs: &mut Inputs) -> Result<Read, Failure> {
    let mut read = read(given, load, inputs, |bytes, base, options| {
        // Hashing and loading each read the bytes once, in parallel.
        let (digest, loaded) =
            rayon::join(|| gltf::sha256(bytes), || model::load_bytes_and_digest(bytes, base, options));
        let Loaded { model, files, digest: others } = loaded?;
        let authored = SkinningMode::authored(&model);
        Ok(Read { model, digests: Digests { authored, model: digest, files: others, clips: None }, files })
    })?;
    note_files(&read.files, inputs)?;
    heed(given, &read.model, load)?;
    read.digests.clips = clips::add(given, &mut read.model, load, inputs)?;
    set_ddm(given, &read.model, load)?;
    Ok(read)
}

/// Loads and inspects a file or a built-in model.
pub fn inspection(given: &OsStr, load: &LoadArgs, inputs: &mut Inputs) -> Result<Inspection, Failure> {
    let inspection = read(given, load, inputs, model::inspect_bytes)?;
    note_files(&inspection.files, inputs)?;
    Ok(inspection)
}

/// Loads a file or a built-in model by both readers. The error of the crate `gltf` is a result.
pub fn read_twice(
    given: &OsStr,
    load: &LoadArgs,
    inputs: &mut Inputs,
) -> Result<(Model, Result<Model, LoadError>), Failure> {
    let (own, crates) = read(given, load, inputs, |bytes, base, options| {
        let options = Options { reader: Reader::Gltf, ..options.clone() };
        let crates = model::load_bytes(bytes, base, &options);
        Ok((model::load_bytes(bytes, base, &Options { reader: Reader::Own, ..options })?, crates))
    })?;
    note_files(&own.files, inputs)?;
    Ok((own.model, crates.map(|crates| crates.model)))
}

/// The joints and weights of a vertex as the file stores them.
pub fn stored_influences(
    given: &OsStr,
    load: &LoadArgs,
    vertex: StoredVertex,
    inputs: &mut Inputs,
) -> Result<Vec<StoredSet>, Failure> {
    read(given, load, inputs, |bytes, base, options| model::stored_influences(bytes, base, options, vertex))
}

/// Adds the files of a model that will be read later to the inputs, if they are found.
pub fn note(given: &OsStr, load: &LoadArgs, inputs: &mut Inputs) -> Result<(), Late> {
    note_files(&files(given, load), inputs)?;
    if let Some(path) = file::path(given) {
        inputs.add(path, Role::Model)?;
    }
    clips::note(load, inputs)
}

fn read<T>(
    given: &OsStr,
    args: &LoadArgs,
    inputs: &mut Inputs,
    load: impl FnOnce(&[u8], Option<&Path>, &Options) -> Result<T, LoadError>,
) -> Result<T, Failure> {
    check_command(given)?;
    file::read(given, Role::Model, args.options(), inputs, load)
}

/// Refuses a model's name that is really a command, read as a file name because other words come before it, or that is like
/// one.
pub fn check_command(given: &OsStr) -> Result<(), Failure> {
    let Some(command) = command(given) else { return Ok(()) };
    let shown = shown(given);
    Err(Failure::Usage(match command == shown {
        true => format!("no such file '{shown}'; if you mean the command, put it first: sinew {shown} …"),
        false => format!("no such file '{shown}'; did you mean the command '{command}'?"),
    }))
}

/// The command that a model's name is, or is like.
fn command(given: &OsStr) -> Option<String> {
    // A file has an ending, or a folder in front.
    let word = given.to_str().filter(|word| word.chars().all(|c| c.is_ascii_alphabetic()))?;
    if Path::new(given).exists() {
        return None;
    }
    let cli = Cli::command();
    let names = || cli.get_subcommands().map(clap::Command::get_name);
    let same = names().find(|name| *name == word);
    same.or_else(|| nearest(word, names())).map(str::to_owned)
}

/// The viewpoint that the flags ask for. An unknown name is an error of the command line if the file has no cameras,
/// and an error of the input otherwise.
pub fn viewpoint(
    args: &CameraArgs,
    given: &OsStr,
    model: &Model,
    pose: &PoseChoice,
) -> Result<Viewpoint, Failure> {
    let asked = match &args.camera {
        CameraChoice::Orbit(orbit) => {
            let target = args.target.as_ref().map(|target| place(given, target, model, pose)).transpose()?;
            return Ok(Orbit { target, lens: args.lens(), ..*orbit }.into());
        }
        CameraChoice::Named(asked) => asked,
    };
    if let Some(camera) = model.find_camera(asked) {
        if let Some(flag) = args.unheeded_by_cameras() {
            return Err(Failure::Usage(format!("{flag} cannot be used with camera '{asked}' of the file")));
        }
        return Ok(Viewpoint::InFile { camera, given: asked.clone() });
    }
    let file = shown(given);
    if model.cameras.is_empty() {
        let near = nearest(asked, NAMED.iter().map(|(name, ..)| *name));
        let near = near.map_or_else(String::new, |near| format!("; did you mean '{near}'?"));
        return Err(Failure::Usage(format!(
            "--camera '{asked}': {NoViewpoint}; {file} has no cameras{near}"
        )));
    }
    let known = model.cameras.iter().map(|camera| {
        let node = model.rig.names.get(camera.node).map_or("", String::as_str);
        (camera.file_index, if camera.name.is_empty() { node } else { &camera.name })
    });
    Err(Failure::Input { file, cause: Unknown::numbered("camera", asked, known).to_string() })
}

/// The view of the flags; its joint must exist.
pub fn view(args: &PictureArgs, model: &Model) -> Result<View, Failure> {
    let named = |asked: &str| {
        joint(asked, model).map(|joint| joint.name).map_err(|error| Failure::Input {
            file: shown(&args.subject.model),
            cause: format!("--view: {}", taught(&error)),
        })
    };
    Ok(match &args.look.view {
        View::Joint(asked) => View::Joint(named(asked)?),
        View::Part(asked) => View::Part(named(asked)?),
        view => view.clone(),
    })
}

/// The material factors of the flags; the materials must exist.
pub fn materials(args: &PictureArgs, model: &Model) -> Result<Vec<Retouch>, Failure> {
    let retouch = |asked: &NamedFactors| {
        let by_name = |name: &str| model.materials.iter().position(|material| material.name == name);
        let number = |text: &str| text.parse().ok().filter(|&number: &usize| number < model.materials.len());
        let name = asked.material.as_str();
        let found = match name.strip_prefix('#').and_then(number) {
            Some(number) => Some(number),
            None => by_name(name).or_else(|| number(name)),
        };
        let material = found.ok_or_else(|| {
            let known = model.materials.iter().map(|material| material.name.as_str()).enumerate();
            let unknown = Unknown::numbered("material", &asked.material, known);
            Failure::Input { file: shown(&args.subject.model), cause: format!("--material: {unknown}") }
        })?;
        Ok(Retouch { material, factors: asked.factors.clone() })
    };
    args.look.material.iter().map(retouch).collect()
}

/// The position of a target in the current pose.
fn place(given: &OsStr, target: &LookAt, model: &Model, choice: &PoseChoice) -> Result<DVec3, Failure> {
    let name = match target {
        LookAt::Place(place) => return Ok(*place),
        LookAt::Node(name) => name,
    };
    let mut pose = Pose::default();
    pose.set(model, choice);
    let fault = |cause: String| Failure::Input { file: shown(given), cause: format!("--target: {cause}") };
    let node = Names::new(model).node(name).map_err(|error| fault(taught(&error)))?;
    let world_from_node = pose.world_from_node.get(node);
    let place = world_from_node.map(|world_from_node| world_from_node.w_axis.truncate());
    place.filter(|place| place.is_finite()).ok_or_else(|| fault(format!("node '{name}' has no finite place")))
}

/// The maximum number of vertices that are kept after skinning: 32 million, a few gigabytes.
const MAX_KEPT: u64 = 1 << 25;

/// The most where a model draws the same ones again and again: 4 million, a gigabyte. A small file may draw very many.
const MAX_KEPT_AGAIN: u64 = 1 << 22;

/// The maximum number of vertices that are drawn: a billion, which takes a while on any device.
const MAX_DRAWN: u64 = 1 << 30;

/// Reads a model that a window can show.
#[cfg(feature = "window")]
pub fn read_to_keep(given: &OsStr, load: &LoadArgs, inputs: &mut Inputs) -> Result<Read, Failure> {
    let read = read_model(given, load, inputs)?;
    check_kept(&read.model, given)?;
    Ok(read)
}

/// Refuses a model that draws more vertices than are kept after skinning.
pub fn check_kept(model: &Model, given: &OsStr) -> Result<(), Failure> {
    let primitives = model.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let own: u64 = primitives.map(|primitive| primitive.positions.len() as u64).sum();
    check_size(model, given, own.clamp(MAX_KEPT_AGAIN, MAX_KEPT))
}

/// Refuses a model that draws more vertices than any picture.
pub fn check_drawn(model: &Model, given: &OsStr) -> Result<(), Failure> {
    check_size(model, given, MAX_DRAWN)
}

fn check_size(model: &Model, given: &OsStr, most: u64) -> Result<(), Failure> {
    let count = count_vertices(model);
    if count <= most {
        return Ok(());
    }
    let cause = format!("it draws {count} vertices in all its instances; the limit is {most}");
    Err(Failure::Input { file: shown(given), cause })
}
