//! The arrangement of a picture: modes side by side, a wipe, or a storyboard whose panes have flags of their own.

use std::ffi::OsString;

use crate::model::Model;
use crate::output::Inputs;
use crate::scene::{Arrangement, Change, MOST_PANES, Scene, names_of_two};
use crate::view::OTHER;

use super::args::split::{PaneFlags, Split, WipeFlag, pane_flags};
use super::args::{Cli, PictureArgs, PoseArgs, one_line};
use super::failure::Failure;
use super::open;

/// Makes the scene that flags ask for.
type MakeScene<'a> = &'a dyn Fn(&PictureArgs, &Model, &mut Inputs) -> Result<Scene, Failure>;

/// The arrangement that the flags ask for; `scene` makes a single picture's scene.
pub fn arrangement(
    args: &PictureArgs,
    model: &Model,
    inputs: &mut Inputs,
    scene: MakeScene,
) -> Result<Arrangement, Failure> {
    let usage = |cause: &str| Failure::Usage(format!("--split: {cause}"));
    match (args.look.split.as_slice(), args.look.wipe) {
        ([], None) => Ok(Arrangement::Single),
        ([], Some(WipeFlag::Mode(wipe))) => Ok(Arrangement::Wipe(wipe)),
        ([], Some(WipeFlag::Other(at))) => Ok(Arrangement::WipeOther(at)),
        ([Split::Pane(pane)], _) if pane.text == OTHER => {
            let mode = args.subject.mode.of(model);
            let words = [format!("mode={mode}"), format!("mode={mode} {OTHER}")];
            let panes = words.map(|words| pane_flags(&words).map_err(|cause| usage(&cause)));
            let change = |pane: Result<PaneFlags, Failure>| change(args, &pane?, model, inputs, scene);
            Ok(Arrangement::Storyboard(panes.into_iter().map(change).collect::<Result<_, _>>()?))
        }
        ([Split::Modes(others)], _) => Ok(Arrangement::Split(others.clone())),
        (panes, _) if panes.len() > MOST_PANES => {
            Err(usage(&format!("a storyboard has at most {MOST_PANES} panes")))
        }
        (panes, _) => {
            let change = |split: &Split| match split {
                Split::Pane(flags) => change(args, flags, model, inputs, scene),
                Split::Modes(_) => Err(usage("give modes once, or mode=MODE for each pane")),
            };
            Ok(Arrangement::Storyboard(panes.iter().map(change).collect::<Result<_, _>>()?))
        }
    }
}

/// What a pane changes.
fn change(
    args: &PictureArgs,
    flags: &PaneFlags,
    model: &Model,
    inputs: &mut Inputs,
    scene: MakeScene,
) -> Result<Change, Failure> {
    let own = pane_args(args, flags)?;
    let Scene {
        mode,
        skin,
        palette,
        pose,
        inject,
        camera,
        look,
        view,
        overlays,
        materials,
        onion,
        explained,
        legend,
        ..
    } = scene(&own, model, inputs)?;
    let is_other = flags.has(&[OTHER]);
    // Of two files the caption says which one it is.
    let names = args.look.other.as_ref();
    let names = names.map(|other| names_of_two(&open::shown(&args.subject.model), &open::shown(other)));
    let file = names.map(|[first, other]| if is_other { other } else { first });
    let caption: Vec<String> =
        file.into_iter().chain([flags.caption()]).filter(|word| !word.is_empty()).collect();
    // A view of joint space changes the pose, too.
    let poses = [
        "pose",
        "clip",
        "blend-clip",
        "time",
        "joint",
        "joint-move",
        "joint-scale",
        "morph",
        "blend",
        "only-joint",
        "view",
    ];
    Ok(Change {
        flags: flags.text.clone(),
        caption: caption.join(" "),
        other: is_other,
        mode: flags.has(&["mode"]).then_some(mode),
        skin: flags.has(&["skin"]).then_some(skin),
        palette: flags.has(&["palette"]).then_some(palette),
        pose: flags.has(&poses).then_some(pose),
        inject: flags.has(&["inject"]).then_some(inject),
        camera: flags.has(&["camera", "fov", "ortho", "target"]).then_some(camera),
        look: flags.has(&["quality", "msaa", "background"]).then_some(look),
        view: flags.has(&["view"]).then_some(view),
        overlays: flags.has(&["overlay"]).then_some(overlays),
        materials: flags.has(&["material"]).then_some(materials),
        onion: flags.has(&["onion"]).then_some(onion),
        explained: flags.has(&["explain"]).then_some(explained),
        legend: flags.has(&["no-legend"]).then_some(legend),
    })
}

/// The pane's flags over those of the whole picture.
fn pane_args(args: &PictureArgs, flags: &PaneFlags) -> Result<PictureArgs, Failure> {
    let words = std::iter::once(OsString::from("sinew")).chain(flags.arguments().map(OsString::from));
    let read = Cli::read(words.chain([OsString::from("--"), args.subject.model.clone()]));
    let usage = |error: clap::Error| {
        Failure::Usage(format!("--split '{}': {}", flags.text, one_line(&error.to_string())))
    };
    let Cli { picture: mut own, .. } = read.map_err(usage)?;
    let from_whole = |key: &str| !flags.has(&[key]);
    own.subject.load = args.subject.load.clone();
    own.subject.posed = posed(&args.subject.posed, own.subject.posed);
    own.size = args.size;
    own.look.other = args.look.other.clone();
    own.look.inject = own.look.inject.or(args.look.inject);
    if from_whole("mode") {
        own.subject.mode = args.subject.mode;
    }
    if from_whole("camera") {
        own.camera.camera = args.camera.camera.clone();
    }
    own.camera.fov = own.camera.fov.or(args.camera.fov);
    own.camera.ortho |= args.camera.ortho;
    own.camera.target = own.camera.target.or_else(|| args.camera.target.clone());
    if from_whole("quality") {
        own.look.quality = args.look.quality;
    }
    own.look.msaa = own.look.msaa.or(args.look.msaa);
    if from_whole("background") {
        own.look.background = args.look.background;
    }
    own.look.material = args.look.material.iter().chain(&own.look.material).cloned().collect();
    Ok(own)
}

/// A pane's pose over that of the whole picture: a new pose replaces it, clips replace clips, edits add to edits.
fn posed(whole: &PoseArgs, own: PoseArgs) -> PoseArgs {
    if own.pose.is_some() {
        return own;
    }
    let either = |own: Vec<String>, whole: &Vec<String>| if own.is_empty() { whole.clone() } else { own };
    let has_clips = !own.clip.is_empty();
    PoseArgs {
        pose: whole.pose.clone().filter(|_| !has_clips),
        clip: either(own.clip, &whole.clip),
        blend_clip: if own.blend_clip.is_empty() { whole.blend_clip.clone() } else { own.blend_clip },
        time: own.time.or(whole.time),
        joint: whole.joint.iter().cloned().chain(own.joint).collect(),
        joint_move: whole.joint_move.iter().cloned().chain(own.joint_move).collect(),
        joint_scale: whole.joint_scale.iter().cloned().chain(own.joint_scale).collect(),
        morph: whole.morph.iter().cloned().chain(own.morph).collect(),
        blend: whole.blend.iter().cloned().chain(own.blend).collect(),
        only_joint: own.only_joint.or_else(|| whole.only_joint.clone()),
    }
}
