//! The arrangement of a picture: modes side by side, a wipe, or a storyboard whose panes have separate flags.

use std::ffi::OsString;

use crate::model::Model;
use crate::output::Inputs;
use crate::scene::{Arrangement, Change, MAX_PANES, Scene, names_of_two};
use crate::view::OTHER;

use crate::cli::args::split::{PaneFlags, Part, Split, WipeFlag, pane_flags};
use crate::cli::args::{Cli, PictureArgs, PoseArgs, one_line};
use crate::cli::subject::open;
use crate::cli::terminal::failure::Failure;

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
        (panes, _) if panes.len() > MAX_PANES => {
            Err(usage(&format!("a storyboard has at most {MAX_PANES} panes")))
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

/// The poses that the panes of a storyboard ask for.
pub fn poses(args: &PictureArgs) -> impl Iterator<Item = Result<PoseArgs, Failure>> + '_ {
    args.look.split.iter().filter_map(|split| match split {
        Split::Pane(flags) => Some(pane_args(args, flags).map(|own| own.subject.posed)),
        Split::Modes(_) => None,
    })
}

/// Returns the changes that a pane makes to the scene.
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
        clip_pairs,
        inject,
        camera,
        look,
        view,
        overlays,
        materials,
        onion,
        explained,
        marked,
        legend,
        ..
    } = scene(&own, model, inputs)?;
    let is_other = flags.changes(Part::File);
    // Of two files the caption says which one it is.
    let names = args.look.other.as_ref();
    let names = names.map(|other| names_of_two(&open::shown(&args.subject.model), &open::shown(other)));
    let file = names.map(|[first, other]| if is_other { other } else { first });
    let caption: Vec<String> =
        file.into_iter().chain([flags.caption()]).filter(|word| !word.is_empty()).collect();
    Ok(Change {
        flags: flags.text.clone(),
        caption: caption.join(" "),
        other: is_other,
        mode: flags.changes(Part::Mode).then_some(mode),
        skin: flags.changes(Part::Skin).then_some(skin),
        palette: flags.changes(Part::Palette).then_some(palette),
        // A view of joint space changes the pose, too.
        pose: (flags.changes(Part::Pose) || flags.changes(Part::View)).then_some(pose),
        clip_pairs: flags.changes(Part::Pose).then_some(clip_pairs),
        inject: flags.changes(Part::Inject).then_some(inject),
        camera: flags.changes(Part::Camera).then_some(camera),
        look: flags.changes(Part::Look).then_some(look),
        view: flags.changes(Part::View).then_some(view),
        overlays: flags.changes(Part::Overlays).then_some(overlays),
        materials: flags.changes(Part::Materials).then_some(materials),
        onion: flags.changes(Part::Onion).then_some(onion),
        explained: flags.changes(Part::Explained).then_some(explained),
        marked: flags.changes(Part::Marked).then_some(marked),
        legend: flags.changes(Part::Legend).then_some(legend),
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
    let from_whole = |key: &str| !flags.has(key);
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
    if from_whole("exposure") {
        own.look.exposure = args.look.exposure;
    }
    own.look.flat |= args.look.flat;
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
    let PoseArgs { time, frame, .. } = *if own.has_time() { &own } else { whole };
    PoseArgs {
        pose: whole.pose.clone().filter(|_| !has_clips),
        clip: either(own.clip, &whole.clip),
        blend_clip: if own.blend_clip.is_empty() { whole.blend_clip.clone() } else { own.blend_clip },
        time,
        frame,
        joint: whole.joint.iter().cloned().chain(own.joint).collect(),
        joint_move: whole.joint_move.iter().cloned().chain(own.joint_move).collect(),
        joint_scale: whole.joint_scale.iter().cloned().chain(own.joint_scale).collect(),
        morph: whole.morph.iter().cloned().chain(own.morph).collect(),
        blend: whole.blend.iter().cloned().chain(own.blend).collect(),
        only_joint: own.only_joint.or_else(|| whole.only_joint.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::split::KEYS;
    use crate::cli::commands::picture;

    /// Values of the keys, for the character.
    fn word(key: &str) -> String {
        let value = match key {
            "mode" => "dqs",
            "skin" => "gpu",
            "palette" => "ssbo",
            "pose" => "bind",
            "clip" => "walk",
            "blend-clip" => "idle@0.3",
            "time" => "0.5",
            "frame" => "12.5",
            "joint" => "forearm.R=0,0,30",
            "joint-move" => "forearm.R=0,0.1,0",
            "joint-scale" => "forearm.R=1,2,1",
            "morph" => "blink=0.5",
            "blend" => "0.25",
            "only-joint" => "forearm.R",
            "inject" => "transposed",
            "camera" => "30,10",
            "fov" => "30",
            "target" => "0,0.5,0",
            "view" => "normals",
            "overlay" => "skeleton",
            "material" => "#0:roughness=0.25",
            "onion" => "2@0.25",
            "explain" | "vertex" => "node0:0:3",
            "quality" => "draft",
            "msaa" => "1",
            "background" => "#102030",
            "exposure" => "1.5",
            "ortho" | "no-legend" | "flat" => return key.to_owned(),
            _ => panic!("{key} needs a value here"),
        };
        format!("{key}={value}")
    }

    /// Returns the scene that flags show; `None` if they conflict.
    fn shown(model: &Model, words: &[&str]) -> Option<Scene> {
        let words = [&["sinew", "builtin:character"], words].concat();
        let args = Cli::read(words.iter().map(OsString::from)).ok()?.picture;
        picture::scene(&args, model, &mut Inputs::none()).ok()
    }

    /// A flag in a pane does what it does for a picture, whatever the other flags of the whole are.
    #[test]
    fn flags_of_panes_do_what_they_do_elsewhere() {
        let glb = crate::model::builtin::glb("character").unwrap();
        let mut model = crate::model::gltf::load_bytes(&glb, None).unwrap();
        model.meshes[0].target_names = vec!["blink".to_owned()];
        let node = model.instances[0].node;
        model.rig.rest_weights = vec![0.0];
        model.rig.weight_ends = (0..model.rig.len()).map(|at| u32::from(at >= node)).collect();
        let words: Vec<String> =
            KEYS.iter().filter(|(key, _)| *key != OTHER).map(|(key, _)| word(key)).collect();
        let plain = shown(&model, &[]).unwrap();
        let mut pairs = 0;
        for own in &words {
            let flag = format!("--{own}");
            let alone = shown(&model, &[&flag]).unwrap_or_else(|| panic!("{own} alone"));
            assert!(alone != plain, "{own} changes nothing");
            for whole in words.iter().filter(|whole| *whole != own) {
                let whole = format!("--{whole}");
                let Some(expected) = shown(&model, &[&whole, &flag]) else { continue };
                let board = shown(&model, &[&whole, "--split", own]).unwrap();
                let pane = board.panes().swap_remove(0).scene;
                let expected = Scene { size: pane.size, ..expected };
                assert_eq!(pane, expected, "{whole} --split {own}");
                pairs += 1;
            }
        }
        assert!(pairs > 700, "{pairs} pairs");
    }
}
