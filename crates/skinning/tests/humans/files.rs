//! Rigs from files: those that Blender writes, and those of the corpus, on the built-in character.

#![allow(clippy::disallowed_methods, reason = "runs another program")]

use std::path::Path;
use std::process::Command;

use sinew_model::{Model, Options, builtin, load_bytes};
use sinew_skinning::retarget::{JointMap, Match};

/// Bones of Mixamo, Rigify and the character.
const BONES: [(&str, &str, &str); 12] = [
    ("Hips", "spine", "hips"),
    ("Spine", "spine.001", "spine_01"),
    ("Spine2", "spine.003", "spine_03"),
    ("Neck", "spine.004", "neck"),
    ("Head", "spine.006", "head"),
    ("LeftShoulder", "shoulder.L", "clavicle.L"),
    ("LeftArm", "upper_arm.L", "upper_arm.L"),
    ("LeftForeArm", "forearm.L", "forearm.L"),
    ("LeftHand", "hand.L", "hand.L"),
    ("LeftUpLeg", "thigh.L", "thigh.L"),
    ("LeftLeg", "shin.L", "shin.L"),
    ("LeftFoot", "foot.L", "foot.L"),
];

fn load(path: &Path) -> Model {
    let bytes = std::fs::read(path).unwrap();
    load_bytes(&bytes, path.parent(), &Options::default()).unwrap().model
}

fn character() -> Model {
    load_bytes(&builtin::glb("character").unwrap(), None, &Options::default()).unwrap().model
}

/// Returns a row for each pair.
fn pairs(target: &Model, source: &Model) -> Vec<(String, String, &'static str)> {
    let found = Match::new(target, source, &JointMap::default()).unwrap();
    let name = |model: &Model, node: usize| model.rig.names[node].clone();
    found
        .pairs
        .iter()
        .map(|pair| (name(target, pair.target), name(source, pair.source), pair.by.name()))
        .collect()
}

fn mirrored(name: &str) -> String {
    let name = name.replace("Left", "Right");
    name.strip_suffix(".L").map_or(name.clone(), |own| format!("{own}.R"))
}

#[test]
fn rigs_of_blender_match_without_help() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let python = root.join("../../.deps/peers/python/bin/python");
    if !python.exists() {
        println!("NOT RUN: rigs of Blender, because make peers has not installed it");
        return;
    }
    let folder = std::env::temp_dir().join(format!("sinew-humans-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let script = root.join("tests/humans/write.py");
    let output = Command::new(python).arg(script).arg(&folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let [mixamo, rigify] = ["mixamo.glb", "rigify.glb"].map(|file| load(&folder.join(file)));
    std::fs::remove_dir_all(&folder).unwrap();
    let character = character();
    type Bone = fn(&(&'static str, &'static str, &'static str)) -> String;
    let names: [(&str, &Model, Bone); 3] = [
        ("Mixamo", &mixamo, |bone| format!("mixamorig:{}", bone.0)),
        ("Rigify", &rigify, |bone| bone.1.to_owned()),
        ("character", &character, |bone| bone.2.to_owned()),
    ];
    for (there, target, to) in names {
        for (here, source, from) in names.into_iter().filter(|(here, ..)| *here != there) {
            let found = pairs(target, source);
            let follows = |target: &str, source: &str| {
                found.iter().any(|(to, from, _)| (to.as_str(), from.as_str()) == (target, source))
            };
            for bone in &BONES {
                let (to, from) = (to(bone), from(bone));
                assert!(follows(&to, &from), "{here} on {there}: {to} = {from}: {found:?}");
                let (to, from) = (mirrored(&to), mirrored(&from));
                assert!(follows(&to, &from), "{here} on {there}: {to} = {from}: {found:?}");
            }
            println!("{here} on {there}: {} pairs", found.len());
        }
    }
}

/// Rigs of the corpus that name their joints after no scheme, and an animal.
#[test]
fn rigs_of_the_corpus_match_by_shape() {
    let Some(corpus) = std::env::var_os("SINEW_CORPUS").filter(|corpus| !corpus.is_empty()) else {
        println!("NOT RUN: rigs of the corpus, because SINEW_CORPUS names no folder");
        return;
    };
    let character = character();
    let model = |name: &str| load(&Path::new(&corpus).join(format!("models/{name}/{name}.glb")));
    for (name, neck) in [("CesiumMan", "Skeleton_neck_joint_"), ("RiggedFigure", "neck_joint_")] {
        let found = pairs(&character, &model(name));
        assert!(found.iter().all(|(.., by)| *by == "shape"), "{name}: {found:?}");
        let source = |joint: &str| {
            let pair = found.iter().find(|(to, ..)| to == joint);
            pair.map_or("nothing", |(_, from, _)| from.as_str())
        };
        assert!(source("hips").ends_with("torso_joint_1"), "{name}: {found:?}");
        assert_eq!(source("neck"), format!("{neck}1"), "{name}: {found:?}");
        assert_eq!(source("head"), format!("{neck}2"), "{name}: {found:?}");
        for side in ["L", "R"] {
            for (joint, limb) in [("upper_arm", "arm"), ("forearm", "arm"), ("hand", "arm")] {
                assert!(
                    source(&format!("{joint}.{side}")).contains(&format!("{limb}_joint_{side}")),
                    "{found:?}"
                );
            }
            let legs = ["thigh", "shin", "foot", "toe"].into_iter().zip(["1", "2", "3", "5"]);
            for (joint, number) in legs {
                assert_eq!(
                    source(&format!("{joint}.{side}")),
                    format!("leg_joint_{side}_{number}"),
                    "{name}"
                );
            }
        }
    }
    // A fox is no human; joints whose names have the same words match.
    let found = pairs(&character, &model("Fox"));
    assert!(found.len() == 10 && found.iter().all(|(.., by)| *by == "words"), "{found:?}");
}
