//! The scene that the flags of a picture ask for.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

use crate::environment::Environment;
use crate::model::{Model, NotDrawn};
use crate::output::{Inputs, Role};
use crate::overlay::Overlays;
use crate::pairing::ClipPairs;
#[cfg(feature = "window")]
use crate::scene::Framing;
use crate::scene::{Arrangement, Files, Mush, Scene, visible_view};
use crate::skinning::pose::PoseChoice;
use crate::skinning::posed::fault_shows;
use crate::skinning::{Fault, Normals, SkinningMode};
use crate::view::View;

use crate::cli::args::{AskedMode, GhostFlag, PictureArgs, PictureSkinner, PoseSource};
use crate::cli::subject::file;
use crate::cli::subject::names;
use crate::cli::subject::open;
use crate::cli::subject::pose;
use crate::cli::subject::second::{CacheMotion, Second, second};
use crate::cli::subject::storyboard;
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::say;

/// The scene that the flags ask for.
pub fn scene(args: &PictureArgs, model: &Model, inputs: &mut Inputs) -> Result<Scene, Failure> {
    let whole = single(args, model, inputs)?;
    let arrangement = storyboard::arrangement(args, &whole, |pane| single(pane, model, inputs))?;
    let scene = Scene { arrangement, ..whole };
    match (&args.look.other, scene.needs_other()) {
        (None, true) => {
            return Err(Failure::Usage("'other' stands for a second file; name it with --other".to_owned()));
        }
        (Some(_), false) => {
            return Err(Failure::Usage(
                "--other needs --split other, --wipe other or --view difference:other".to_owned(),
            ));
        }
        (Some(_), true) | (None, false) => {}
    }
    note_hidden_faults(&scene, model);
    // lbs is what there would be without a word, and in every printed command line.
    if matches!(args.subject.mode, AskedMode::Mode(mode) if mode != SkinningMode::Linear)
        && model.skins.is_empty()
        && !model.instances.is_empty()
    {
        say(&format!("note: {}: it has no skin, so every mode draws the same", scene.files.model));
    }
    Ok(scene)
}

/// The scene of a window, which plays its clips and marks the vertex of its panel itself.
#[cfg(feature = "window")]
pub fn scene_of_window(args: &PictureArgs, model: &Model, inputs: &mut Inputs) -> Result<Scene, Failure> {
    let framing = args.framing.unwrap_or(Framing::Clip);
    let scene = Scene { framing, marked: None, ..scene(args, model, inputs)? };
    match scene.draws_mush() {
        true => Err(Failure::Usage(
            "--mode mush needs --screenshot: delta mush is computed on the CPU and is not real time; the window has --mode ddm"
                .to_owned(),
        )),
        false => Ok(scene),
    }
}

/// Says which faults no pane shows.
fn note_hidden_faults(scene: &Scene, model: &Model) {
    let panes: Vec<Scene> = match scene.panes() {
        panes if panes.is_empty() => vec![scene.clone()],
        panes => panes.into_iter().filter(|pane| !pane.is_other).map(|pane| pane.scene).collect(),
    };
    for fault in Fault::ALL {
        let with: Vec<&Scene> = panes.iter().filter(|pane| pane.inject == Some(fault)).collect();
        if with.is_empty() || with.iter().any(|pane| fault_shows(model, pane.mode, &pane.pose, fault)) {
            continue;
        }
        let because = match fault.only_in().filter(|mode| with.iter().all(|pane| pane.mode != *mode)) {
            Some(mode) => format!("; it is a fault of {mode} alone"),
            None => String::new(),
        };
        say(&format!(
            "note: --inject {fault} changes nothing in this pose of {}{because}",
            scene.files.model
        ));
    }
}

/// Adds the files of a picture that will be read later to the inputs, besides its models.
pub fn note(args: &PictureArgs, inputs: &mut Inputs) -> Result<(), Failure> {
    if let Some(file) = &args.look.environment {
        inputs.add(Path::new(file), Role::Environment)?;
    }
    for picture in std::iter::once(args).chain(args.panes.iter().map(|pane| &pane.picture)) {
        if let Some(PoseSource::File(path)) = &picture.subject.posed.pose {
            inputs.add(path, Role::Pose)?;
        }
        if let Some(path) = picture.look.ghost.as_ref().and_then(GhostFlag::file) {
            inputs.add(path, Role::Pose)?;
        }
    }
    Ok(())
}

/// The other of two files.
pub struct Other {
    pub model: Arc<Model>,
    pub digests: open::Digests,
}

/// Reads the other of two files, in which the scene's pose must exist.
pub fn other(
    args: &PictureArgs,
    scene: &Scene,
    model: &Model,
    inputs: &mut Inputs,
) -> Result<Option<Other>, Failure> {
    let Some(given) = &args.look.other else { return Ok(None) };
    let Second { read: open::Read { model: other, digests, files: _ }, cache: _ } =
        second(given, (model, CacheMotion::Given(&scene.pose)), &args.subject.load, inputs)?;
    for scene in [scene.clone()].into_iter().chain(scene.panes().into_iter().map(|pane| pane.scene)) {
        ClipPairs::new(model, &other, &scene.clip_pairs)
            .and_then(|pairs| pairs.carried(&scene.pose, model, &other))
            .map_err(|cause| Failure::Input { file: open::shown(given), cause })?;
    }
    Ok(Some(Other { model: Arc::new(other), digests }))
}

/// Refuses flags for one figure if there is a crowd.
fn fits_crowd(args: &PictureArgs, view: &View, overlays: Overlays) -> Result<(), Failure> {
    let grid_alone = Overlays { grid: overlays.grid, ..Overlays::default() };
    let look = &args.look;
    let of_one = [
        (view.is_of_one_figure(), format!("--view {view}")),
        (overlays != grid_alone, "this --overlay".to_owned()),
        (look.onion.is_some(), "--onion".to_owned()),
        (look.ghost.is_some(), "--ghost".to_owned()),
        (look.explain.is_some(), "--explain".to_owned()),
        (look.vertex.is_some(), "--vertex".to_owned()),
    ];
    match of_one.into_iter().find(|(is_asked, _)| *is_asked) {
        Some((_, what)) => {
            Err(Failure::Usage(format!("--crowd cannot be used with {what}: that shows one figure")))
        }
        None => Ok(()),
    }
}

/// Refuses flags that delta mush does not go with.
fn fits_mush(args: &PictureArgs, view: &View) -> Result<(), Failure> {
    let look = &args.look;
    let without = [
        (args.crowd.is_some(), "--crowd".to_owned()),
        (look.explain.is_some(), "--explain".to_owned()),
        (look.vertex.is_some(), "--vertex".to_owned()),
        (view.has_own_pose(), format!("--view {view}")),
        (matches!(args.skin, PictureSkinner::Gpu), "--skin gpu".to_owned()),
        (matches!(args.skin, PictureSkinner::Compute), "--skin compute".to_owned()),
    ];
    match without.into_iter().find(|(is_asked, _)| *is_asked) {
        Some((_, what)) => Err(Failure::Usage(format!(
            "--mode mush cannot be used with {what}: delta mush is computed on the CPU, for a figure in its pose"
        ))),
        None => Ok(()),
    }
}

/// Refuses processors that do not see all triangles.
fn fits_recomputed(args: &PictureArgs) -> Result<(), Failure> {
    let skin = match args.skin {
        PictureSkinner::Gpu => "gpu",
        PictureSkinner::Compute => "compute",
        PictureSkinner::Auto | PictureSkinner::Cpu => return Ok(()),
    };
    Err(Failure::Usage(format!(
        "--normals recomputed cannot be used with --skin {skin}: the CPU computes normals from the deformed triangles"
    )))
}

/// The light all around that the flags ask for.
fn environment(args: &PictureArgs, inputs: &mut Inputs) -> Result<Option<Arc<Environment>>, Failure> {
    let Some(file) = &args.look.environment else { return Ok(None) };
    file::environment(file, inputs).map(|environment| Some(Arc::new(environment)))
}

/// The scene without other panes.
fn single(args: &PictureArgs, model: &Model, inputs: &mut Inputs) -> Result<Scene, Failure> {
    let overlays = args.look.overlay.unwrap_or_default();
    // The CPU computes the bounds, skins a figure for each outline of the onion skin, and finds whether faults show.
    let check: fn(&Model, &OsStr) -> Result<(), Failure> = match args.skin {
        PictureSkinner::Gpu | PictureSkinner::Compute | PictureSkinner::Auto
            if !overlays.bounds
                && args.look.onion.is_none()
                && args.look.ghost.is_none()
                && args.look.inject.is_none()
                && args.subject.mode != AskedMode::Mush
                && args.normals.normals == Normals::Moved =>
        {
            open::check_drawn
        }
        PictureSkinner::Gpu | PictureSkinner::Compute | PictureSkinner::Auto | PictureSkinner::Cpu => {
            open::check_kept
        }
    };
    check(model, &args.subject.model)?;
    let asked = open::view(args, model)?;
    if args.crowd.is_some() {
        fits_crowd(args, &asked, overlays)?;
    }
    if args.subject.mode == AskedMode::Mush {
        fits_mush(args, &asked)?;
    }
    if args.normals.normals == Normals::Recomputed {
        fits_recomputed(args)?;
    }
    let view = visible_view(asked.clone(), model);
    if view != asked {
        let shown = match model.rig.is_empty() {
            false => "it has no mesh; showing its skeleton",
            true => "it has neither meshes nor nodes; there is nothing to show",
        };
        say(&format!("warning: {}: {shown}", open::shown(&args.subject.model)));
    }
    for (flag, name) in [("--explain", &args.look.explain), ("--vertex", &args.look.vertex)] {
        let Some(name) = name else { continue };
        let fault = |error: NotDrawn| Failure::Input {
            file: open::shown(&args.subject.model),
            cause: format!("{flag}: {error}"),
        };
        name.find(model).map_err(fault)?;
    }
    let (posed, clip_pairs) = match args.look.other {
        Some(_) => pose::of_two(&args.subject.posed, model),
        None => (args.subject.posed.clone(), Vec::new()),
    };
    // Always parse the pose: names in it must exist even if the view replaces it.
    let pose = match (&view, pose::pose(&posed, &args.subject.model, model, inputs)?) {
        (View::SpaceOf(joint), _) => {
            let only = names::joint(joint, model).map_err(|error| Failure::Input {
                file: open::shown(&args.subject.model),
                cause: format!("--view: {}", names::taught(&error)),
            })?;
            PoseChoice::SkinSpace(Some(only))
        }
        (view, _) if view.has_own_pose() => PoseChoice::SkinSpace(None),
        (_, pose) => pose,
    };
    let ghost = args.look.ghost.as_ref().map(|asked| pose::ghost(asked, &pose, model, inputs)).transpose()?;
    let other = args.look.other.as_ref().map(|other| open::shown(other));
    let files = Files { other, ..args.subject.load.files(open::shown(&args.subject.model)) };
    // Without `..`, so that the compiler asks for a new field.
    Ok(Scene {
        files,
        clip_pairs,
        mode: args.subject.mode.of(model),
        normals: args.normals.normals,
        mush: Mush { is_drawn: args.subject.mode == AskedMode::Mush, settings: args.mush.settings() },
        skin: args.skin.into(),
        palette: args.palette,
        crowd: args.crowd(),
        camera: open::viewpoint(&args.camera, &args.subject.model, model, &pose)?,
        pose,
        inject: args.look.inject,
        size: args.size,
        look: (&args.look).into(),
        view,
        overlays,
        materials: open::materials(args, model)?,
        onion: args.look.onion,
        ghost,
        explained: args.look.explain,
        marked: args.look.vertex,
        framing: args.framing.unwrap_or_default(),
        arrangement: Arrangement::Single,
        legend: !args.look.no_legend,
        environment: environment(args, inputs)?,
    })
}
