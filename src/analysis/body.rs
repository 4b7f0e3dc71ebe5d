//! Joints by the words that people use: `elbow` is `forearm.R`, `mixamorig:LeftForeArm`, `lowerarm_l`, and the second
//! joint of an arm whose joints are numbered. It must not know what the joints are asked for.

use std::collections::HashSet;

use sinew_model::unknown::nearest;
use sinew_model::{Model, Rig};
use sinew_skinning::pose::{NameError, Names};

use super::weights::{Side, side};

/// A place of the body.
struct Part {
    /// Its names: the first is that of the place, the others are names that rigs give to the joint there.
    words: &'static [&'static str],
}

/// The places, from top to bottom.
const PARTS: [Part; 21] = [
    Part { words: &["head", "skull"] },
    Part { words: &["jaw", "chin"] },
    Part { words: &["neck"] },
    Part { words: &["clavicle", "collarbone", "collar", "shoulder"] },
    Part { words: &["shoulder", "upperarm", "uparm", "armupper", "humerus", "arm"] },
    Part { words: &["elbow", "forearm", "lowerarm", "lowarm", "loarm", "armlower", "ulna"] },
    Part { words: &["wrist", "hand", "palm"] },
    Part { words: &["finger", "thumb", "index", "middle", "ring", "pinky", "little"] },
    Part { words: &["thumb"] },
    Part { words: &["index", "indexfinger"] },
    Part { words: &["middle", "middlefinger"] },
    Part { words: &["ring", "ringfinger"] },
    Part { words: &["pinky", "little", "littlefinger"] },
    Part { words: &["chest", "thorax", "upperchest"] },
    Part { words: &["waist", "abdomen", "belly", "spine"] },
    Part { words: &["pelvis", "hips", "hip"] },
    Part { words: &["hip", "thigh", "upperleg", "upleg", "legupper", "femur"] },
    Part {
        words: &["knee", "shin", "calf", "lowerleg", "lowleg", "loleg", "leglower", "tibia", "shank", "leg"],
    },
    Part { words: &["ankle", "foot"] },
    Part { words: &["toe", "toes", "toebase", "ball"] },
    Part { words: &["spine", "back", "torso"] },
];

/// Limbs whose joints have one name and numbers, with the places of these from the body outwards.
const LIMBS: [(&str, &[&str]); 2] =
    [("arm", &["shoulder", "elbow", "wrist"]), ("leg", &["hip", "knee", "ankle", "toe"])];

/// Words of names that say nothing about the place.
const EMPTY: [&str; 24] = [
    "armature",
    "b",
    "base",
    "bip",
    "biped",
    "bn",
    "bone",
    "cc",
    "character",
    "def",
    "deform",
    "j",
    "jnt",
    "joint",
    "jt",
    "mch",
    "mixamorig",
    "org",
    "rig",
    "root",
    "sk",
    "skel",
    "skeleton",
    "valvebiped",
];

/// Joints that spread a twist over a bone, and are not at its end.
const TWISTS: [&str; 4] = ["twist", "roll", "helper", "corrective"];

/// The joints that a word means, in the rig's order: the node of that name, else all joints at that place of the body,
/// else all whose name has the word in it, or nearly so. A side in the word counts.
///
/// # Errors
/// If there is none.
pub fn joints_called(model: &Model, asked: &str) -> Result<Vec<usize>, NameError> {
    let error = match Names::new(model).node(asked) {
        Ok(node) => return Ok(vec![node]),
        Err(error) => error,
    };
    let wanted = Name::of(asked);
    let joints = joints(model);
    let found = at_part(&model.rig, &joints, &wanted.word);
    let found = if found.is_empty() { like(&model.rig, &joints, &wanted.word) } else { found };
    let of_side: Vec<usize> = found
        .iter()
        .filter(|joint| wanted.side.is_none() || joint.name.side == wanted.side)
        .map(|joint| joint.node)
        .collect();
    let found = match of_side.is_empty() {
        // A rig without sides has one of each.
        true => found.iter().filter(|joint| joint.name.side.is_none()).map(|joint| joint.node).collect(),
        false => of_side,
    };
    if found.is_empty() { Err(error) } else { Ok(found) }
}

/// Side and word of a joint's name.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Name {
    side: Option<Side>,
    /// Its letters without the side, numbers and words that say nothing.
    word: String,
}

impl Name {
    fn of(name: &str) -> Self {
        let own = name.rsplit([':', '|']).next().filter(|own| !own.is_empty()).unwrap_or(name);
        let (side, rest) = side(own).map_or((None, own.to_lowercase()), |(side, rest)| (Some(side), rest));
        let words = rest.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
        let telling: String = words.clone().filter(|word| !EMPTY.contains(word)).collect();
        let word = if telling.is_empty() { words.collect() } else { telling };
        Self { side, word }
    }
}

struct Joint {
    node: usize,
    name: Name,
}

/// The joints of all skins, without copies.
fn joints(model: &Model) -> Vec<Joint> {
    let named: HashSet<usize> = model.skins.iter().flat_map(|skin| skin.joints.iter().copied()).collect();
    let rig = &model.rig;
    let own = (0..rig.len().saturating_sub(rig.copies.len())).filter(|node| named.contains(node));
    own.map(|node| Joint { node, name: Name::of(rig.names.get(node).map_or("", String::as_str)) }).collect()
}

/// The joints at a place.
fn at_part<'a>(rig: &Rig, joints: &'a [Joint], word: &str) -> Vec<&'a Joint> {
    let parts = parts_of(word);
    let is_there = |joint: &&Joint| match place_in_limb(rig, joints, joint) {
        Some(place) => parts.iter().any(|part| part.words[0] == place),
        None => parts.iter().any(|part| part.words.contains(&joint.name.word.as_str())),
    };
    let there: Vec<&Joint> = joints.iter().filter(is_there).collect();
    if !there.is_empty() {
        return there;
    }
    // `ForearmBend`, `spine_lower`.
    let begins = |joint: &&Joint| {
        let words = parts.iter().flat_map(|part| part.words);
        let mut words = words.filter(|word| word.len() > 3);
        words.any(|word| joint.name.word.starts_with(word) || joint.name.word.ends_with(word))
    };
    without_twists(joints.iter().filter(begins).collect())
}

/// The places that a word means.
fn parts_of(word: &str) -> Vec<&'static Part> {
    let first: Vec<&Part> = PARTS.iter().filter(|part| part.words[0] == word).collect();
    match first.is_empty() {
        true => PARTS.iter().filter(|part| part.words.contains(&word)).collect(),
        false => first,
    }
}

/// The place of a joint in a limb whose joints have one name: `arm_1`, `arm_2`, `arm_3`.
fn place_in_limb(rig: &Rig, joints: &[Joint], joint: &Joint) -> Option<&'static str> {
    let (_, places) = LIMBS.iter().find(|(limb, _)| *limb == joint.name.word)?;
    let parent = |node: usize| rig.parents.get(node).copied().flatten().map(|parent| parent as usize);
    let alike =
        |node: usize| joints.iter().any(|other| other.node == node && other.name.word == joint.name.word);
    let above = std::iter::successors(parent(joint.node), |node| parent(*node))
        .take_while(|node| alike(*node))
        .count();
    let has_below = || {
        joints
            .iter()
            .any(|other| parent(other.node) == Some(joint.node) && other.name.word == joint.name.word)
    };
    if above == 0 && !has_below() {
        return None;
    }
    places.get(above).copied()
}

/// The joints whose names have a word in them; else those of the nearest spelling, of a place or of a joint.
fn like<'a>(rig: &Rig, joints: &'a [Joint], word: &str) -> Vec<&'a Joint> {
    if word.is_empty() {
        return Vec::new();
    }
    let having =
        |word: &str| joints.iter().filter(|joint| joint.name.word.contains(word)).collect::<Vec<_>>();
    let found = without_twists(having(word));
    if !found.is_empty() {
        return found;
    }
    let known = PARTS.iter().flat_map(|part| part.words.iter().copied());
    let known = known.chain(joints.iter().map(|joint| joint.name.word.as_str()));
    let Some(near) = nearest(word, known) else { return Vec::new() };
    let found = at_part(rig, joints, near);
    let same = |joint: &&Joint| joint.name.word == near;
    if found.is_empty() { joints.iter().filter(same).collect() } else { found }
}

fn without_twists(found: Vec<&Joint>) -> Vec<&Joint> {
    let is_plain = |joint: &&&Joint| !TWISTS.iter().any(|twist| joint.name.word.contains(twist));
    let plain: Vec<&Joint> = found.iter().filter(is_plain).copied().collect();
    if plain.is_empty() { found } else { plain }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_model::{LocalTransform, Skin, builtin, gltf};

    /// A model whose rig has these names, each below the one that its number names.
    fn model(nodes: &[(&str, Option<u32>)]) -> Model {
        let rig = Rig {
            names: nodes.iter().map(|(name, _)| (*name).to_owned()).collect(),
            parents: nodes.iter().map(|(_, parent)| *parent).collect(),
            rest: vec![LocalTransform::IDENTITY; nodes.len()],
            file_index: (0..nodes.len() as u32).collect(),
            ..Rig::default()
        };
        let skin = Skin { joints: (0..nodes.len()).collect(), ..Skin::default() };
        Model { rig, skins: vec![skin], ..Model::default() }
    }

    fn called(model: &Model, asked: &str) -> Vec<String> {
        let nodes = joints_called(model, asked).unwrap_or_default();
        nodes.into_iter().map(|node| model.rig.names[node].clone()).collect()
    }

    #[test]
    fn rigs_of_many_programs_have_elbows() {
        for (upper, fore, hand) in [
            ("mixamorig:LeftArm", "mixamorig:LeftForeArm", "mixamorig:LeftHand"),
            ("upperarm_l", "lowerarm_l", "hand_l"),
            ("upper_arm.L", "forearm.L", "hand.L"),
            ("Bip01 L UpperArm", "Bip01 L Forearm", "Bip01 L Hand"),
            ("J_Bip_L_UpperArm", "J_Bip_L_LowerArm", "J_Bip_L_Hand"),
            ("lShldrBend", "lForearmBend", "lHand"),
            ("b_LeftUpperArm_09", "b_LeftForeArm_010", "b_LeftHand_011"),
            ("Skeleton_arm_joint_L__4_", "Skeleton_arm_joint_L__3_", "Skeleton_arm_joint_L__2_"),
            ("DEF-upper_arm.L", "DEF-forearm.L", "DEF-hand.L"),
            ("CC_Base_L_Upperarm", "CC_Base_L_Forearm", "CC_Base_L_Hand"),
            ("leftShoulder_jnt", "leftElbow_jnt", "leftWrist_jnt"),
        ] {
            let model = model(&[("root", None), (upper, Some(0)), (fore, Some(1)), (hand, Some(2))]);
            for asked in
                ["elbow", "Elbow", "left elbow", "elbow.L", "l_elbow", "LeftElbow", "forearm", "elbwo"]
            {
                assert_eq!(called(&model, asked), [fore], "{asked}");
            }
            assert_eq!(called(&model, "wrist"), [hand]);
            assert!(called(&model, "knee").is_empty() && called(&model, "quux").is_empty());
        }
    }

    #[test]
    fn sides_and_twist_joints_are_told_apart() {
        let model = model(&[
            ("pelvis", None),
            ("upperarm_l", Some(0)),
            ("lowerarm_l", Some(1)),
            ("lowerarm_twist_01_l", Some(2)),
            ("upperarm_r", Some(0)),
            ("lowerarm_r", Some(4)),
            ("thigh_l", Some(0)),
            ("calf_l", Some(6)),
        ]);
        assert_eq!(called(&model, "elbow"), ["lowerarm_l", "lowerarm_r"]);
        assert_eq!(called(&model, "right elbow"), ["lowerarm_r"]);
        assert_eq!(called(&model, "R_elbow"), ["lowerarm_r"]);
        assert_eq!(called(&model, "knee"), ["calf_l"]);
        assert!(called(&model, "right knee").is_empty());
        assert_eq!(called(&model, "hip"), ["thigh_l"]);
        assert_eq!(called(&model, "hips"), ["pelvis"]);
        assert_eq!(called(&model, "lowerarm_twist_01_l"), ["lowerarm_twist_01_l"]);
        assert_eq!(called(&model, "twist"), ["lowerarm_twist_01_l"]);
    }

    #[test]
    fn legs_are_shins_alone_and_numbered_in_a_row() {
        let alone =
            model(&[("Hips", None), ("LeftUpLeg", Some(0)), ("LeftLeg", Some(1)), ("LeftFoot", Some(2))]);
        assert_eq!(
            (called(&alone, "knee"), called(&alone, "hip")),
            (vec!["LeftLeg".to_owned()], vec!["LeftUpLeg".to_owned()])
        );
        let row = model(&[
            ("torso_joint_1", None),
            ("leg_joint_L_1", Some(0)),
            ("leg_joint_L_2", Some(1)),
            ("leg_joint_L_3", Some(2)),
            ("leg_joint_L_5", Some(3)),
        ]);
        for (asked, node) in [("hip", 1), ("knee", 2), ("ankle", 3), ("toe", 4)] {
            assert_eq!(joints_called(&row, asked).unwrap(), [node], "{asked}");
        }
    }

    #[test]
    fn a_name_of_the_file_is_that_node_alone() {
        let model = gltf::load_bytes(&builtin::glb("character").unwrap(), None).unwrap();
        assert_eq!(called(&model, "forearm.R"), ["forearm.R"]);
        assert_eq!(called(&model, "elbow"), ["forearm.L", "forearm.R"]);
        assert_eq!(called(&model, "knee"), ["shin.L", "shin.R"]);
        assert_eq!(called(&model, "finger").len(), 30);
        assert!(matches!(joints_called(&model, "zzzz"), Err(NameError::Unknown { .. })));
    }
}
