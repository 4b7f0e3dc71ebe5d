//! The arrangement of a picture: modes side by side, a wipe, or a storyboard whose panes have separate flags.

use crate::scene::{Arrangement, Change, Scene, names_of_two};
use crate::view::OTHER;

use crate::cli::args::PictureArgs;
use crate::cli::args::split::{PaneArgs, Split, WipeFlag, caption};
use crate::cli::terminal::failure::Failure;

/// The arrangement of the flags, around the scene of the whole; `scene` makes a single picture's scene.
pub fn arrangement(
    args: &PictureArgs,
    whole: &Scene,
    mut scene: impl FnMut(&PictureArgs) -> Result<Scene, Failure>,
) -> Result<Arrangement, Failure> {
    match (args.look.split.as_slice(), args.look.wipe) {
        ([], None) => Ok(Arrangement::Single),
        ([], Some(WipeFlag::Mode(wipe))) => Ok(Arrangement::Wipe(wipe)),
        ([], Some(WipeFlag::Other(at))) => Ok(Arrangement::WipeOther(at)),
        ([Split::Pane(pane)], _) if pane.text == OTHER => Ok(Arrangement::Storyboard(both(whole))),
        ([Split::Modes(others)], _) => Ok(Arrangement::Split(others.clone())),
        _ => {
            let change = |pane: &PaneArgs| change(pane, whole, &scene(&pane.picture)?);
            Ok(Arrangement::Storyboard(args.panes.iter().map(change).collect::<Result<_, _>>()?))
        }
    }
}

/// Returns the panes of two files in the mode of the whole.
fn both(whole: &Scene) -> Vec<Change> {
    let mode = whole.drawn().name();
    let pane = |(flags, other)| Change {
        flags,
        caption: captioned(whole, other, &caption([("mode", mode)])),
        other,
        mode: Some(whole.mode),
        ..Change::default()
    };
    [(format!("mode={mode}"), false), (format!("mode={mode} {OTHER}"), true)].map(pane).into()
}

/// Returns the changes that a pane makes to the scene of the whole.
fn change(PaneArgs { flags, .. }: &PaneArgs, whole: &Scene, scene: &Scene) -> Result<Change, Failure> {
    let change = whole.change_to(scene, &flags.fields()).map_err(|field| {
        Failure::Usage(format!(
            "--split '{}': all panes share one --{field}; give it outside of --split",
            flags.text
        ))
    })?;
    let other = flags.has(OTHER);
    let caption = captioned(whole, other, &flags.caption());
    Ok(Change { flags: flags.text.clone(), caption, other, ..change })
}

/// Returns a pane's caption. If there are two files, it names the pane's.
fn captioned(whole: &Scene, is_other: bool, words: &str) -> String {
    let names = whole.files.other.as_ref().map(|other| names_of_two(&whole.files.model, other));
    let file = names.map_or_else(String::new, |[first, other]| if is_other { other } else { first });
    [file.as_str(), words].into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsString;

    use crate::cli::args::Cli;
    use crate::cli::args::split::keys;
    use crate::cli::commands::picture;
    use crate::model::Model;
    use crate::output::Inputs;

    /// Values of the keys, for the character.
    fn word(key: &str) -> String {
        let value = match key {
            "mode" => "dqs",
            "mush-settings" => "iterations=3",
            "normals" => "recomputed",
            "skin" => "gpu",
            "palette" => "ssbo",
            "pose" => "bind",
            "clip" => "walk",
            "blend-clip" => "idle@0.3",
            "time" => "0.5",
            "frame" => "12.5",
            "joint" => "forearm.R=0,0,30",
            "turn" => "forearm.R=0,0,30",
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
            "ghost" => "bind",
            "onion" => "2@0.25",
            "explain" | "vertex" => "node0:0:3",
            "quality" => "draft",
            "msaa" => "1",
            "background" => "#102030",
            "exposure" => "1.5",
            "ortho" | "no-legend" | "flat" => return key.to_owned(),
            "crowd" | "seed" => "2",
            "framing" => "clip",
            "environment" => "none.hdr",
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

    /// A flag in a pane has the same effect as for a picture, with any other flags of the whole.
    #[test]
    fn flags_of_panes_do_what_they_do_elsewhere() {
        let glb = crate::model::builtin::glb("character").unwrap();
        let mut model = crate::model::gltf::load_bytes(&glb, None).unwrap();
        model.meshes[0].target_names = vec!["blink".to_owned()];
        let node = model.instances[0].node;
        model.rig.rest_weights = vec![0.0];
        model.rig.weight_ends = (0..model.rig.len()).map(|at| u32::from(at >= node)).collect();
        let is_shared = |key: &&str| ["crowd", "seed", "framing", "environment"].contains(key);
        let (shared, own): (Vec<&str>, Vec<&str>) = keys().partition(is_shared);
        for key in shared {
            assert_eq!(shown(&model, &["--split", &word(key)]), None, "{key} is not refused");
        }
        let words: Vec<String> = own.into_iter().map(word).collect();
        let plain = shown(&model, &[]).unwrap();
        let mut pairs = 0;
        for own in &words {
            let flag = format!("--{own}");
            let alone = shown(&model, &[&flag]).unwrap_or_else(|| panic!("{own} alone"));
            assert!(alone != plain, "{own} changes nothing");
            let Arrangement::Storyboard(same) = shown(&model, &[&flag, "--split", own]).unwrap().arrangement
            else {
                panic!("{own} makes no pane")
            };
            let [Change { flags: _, caption: _, other: false, .. }] = same.as_slice() else {
                panic!("{own}")
            };
            let stated = Change { flags: String::new(), caption: String::new(), ..same[0].clone() };
            assert!(stated != Change::default(), "{own}: the pane would follow changes of the whole");
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
