//! Tests of many programs' rigs, and of users' words for joints.

use super::*;
use sinew_model::{LocalTransform, Skin, builtin, gltf};

/// Makes a model whose rig has these names, each below the node with its number.
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
        for asked in ["elbow", "Elbow", "left elbow", "elbow.L", "l_elbow", "LeftElbow", "forearm", "elbwo"] {
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
    let alone = model(&[("Hips", None), ("LeftUpLeg", Some(0)), ("LeftLeg", Some(1)), ("LeftFoot", Some(2))]);
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
    let nothing = joints_called(&model, "zzzz").unwrap_err();
    assert_eq!(
        nothing.to_string(),
        "the model has no joint 'zzzz'; 'sinew inspect MODEL --joints' lists them"
    );
}

/// Names of a rig's joints, each limb from the body outwards.
struct Names {
    rig: &'static str,
    arm: [[&'static str; 3]; 2],
    leg: [[&'static str; 3]; 2],
}

/// Makes a rig with all of them, the left ones first.
fn body(names: &Names) -> Model {
    let mut nodes =
        vec![("Hips_of_mine", None), ("Skeleton_neck_joint_1", Some(0)), ("Skeleton_neck_joint_2", Some(1))];
    for limb in [names.arm, names.leg].iter().flatten() {
        let first = nodes.len() as u32;
        let above = [Some(0), Some(first), Some(first + 1)];
        nodes.extend(limb.iter().copied().zip(above));
    }
    model(&nodes)
}

#[rustfmt::skip]
const RIGS: [Names; 14] = [
    Names {
        rig: "Daz",
        arm: [["lShldrBend", "lForearmBend", "lHand"], ["rShldrBend", "rForearmBend", "rHand"]],
        leg: [["lThighBend", "lShin", "lFoot"], ["rThighBend", "rShin", "rFoot"]],
    },
    Names {
        rig: "HumanIK",
        arm: [["Character1_LeftArm", "Character1_LeftForeArm", "Character1_LeftHand"],
            ["Character1_RightArm", "Character1_RightForeArm", "Character1_RightHand"]],
        leg: [["Character1_LeftUpLeg", "Character1_LeftLeg", "Character1_LeftFoot"],
            ["Character1_RightUpLeg", "Character1_RightLeg", "Character1_RightFoot"]],
    },
    Names {
        rig: "MikuMikuDance",
        arm: [["左腕", "左ひじ", "左手首"], ["右腕", "右ひじ", "右手首"]],
        leg: [["左足", "左ひざ", "左足首"], ["右足", "右ひざ", "右足首"]],
    },
    Names {
        rig: "MikuMikuDance in Blender",
        arm: [["腕.L", "ひじ.L", "手首.L"], ["腕.R", "ひじ.R", "手首.R"]],
        leg: [["足.L", "ひざ.L", "足首.L"], ["足.R", "ひざ.R", "足首.R"]],
    },
    Names {
        rig: "3ds Max",
        arm: [["Bip01 L UpperArm", "Bip01 L Forearm", "Bip01 L Hand"],
            ["Bip01 R UpperArm", "Bip01 R Forearm", "Bip01 R Hand"]],
        leg: [["Bip01 L Thigh", "Bip01 L Calf", "Bip01 L Foot"], ["Bip01 R Thigh", "Bip01 R Calf", "Bip01 R Foot"]],
    },
    Names {
        rig: "Maya, lf and rt",
        arm: [["lf_shoulder_jnt", "lf_elbow_jnt", "lf_wrist_jnt"], ["rt_shoulder_jnt", "rt_elbow_jnt", "rt_wrist_jnt"]],
        leg: [["lf_hip_jnt", "lf_knee_jnt", "lf_ankle_jnt"], ["rt_hip_jnt", "rt_knee_jnt", "rt_ankle_jnt"]],
    },
    Names {
        rig: "Maya, Lft and Rgt",
        arm: [["ShoulderLft", "ElbowLft", "WristLft"], ["ShoulderRgt", "ElbowRgt", "WristRgt"]],
        leg: [["hip_lft", "knee_lft", "ankle_lft"], ["hip_rgt", "knee_rgt", "ankle_rgt"]],
    },
    Names {
        rig: "capital in front",
        arm: [["LUpperArm", "LForearm", "LHand"], ["RUpperArm", "RForearm", "RHand"]],
        leg: [["LThigh", "LShin", "LFoot"], ["RThigh", "RShin", "RFoot"]],
    },
    Names {
        rig: "Mixamo",
        arm: [["mixamorig:LeftArm", "mixamorig:LeftForeArm", "mixamorig:LeftHand"],
            ["mixamorig:RightArm", "mixamorig:RightForeArm", "mixamorig:RightHand"]],
        leg: [["mixamorig:LeftUpLeg", "mixamorig:LeftLeg", "mixamorig:LeftFoot"],
            ["mixamorig:RightUpLeg", "mixamorig:RightLeg", "mixamorig:RightFoot"]],
    },
    Names {
        rig: "Rigify",
        arm: [["DEF-upper_arm.L", "DEF-forearm.L", "DEF-hand.L"], ["DEF-upper_arm.R", "DEF-forearm.R", "DEF-hand.R"]],
        leg: [["DEF-thigh.L", "DEF-shin.L", "DEF-foot.L"], ["DEF-thigh.R", "DEF-shin.R", "DEF-foot.R"]],
    },
    Names {
        rig: "Unreal Engine",
        arm: [["upperarm_l", "lowerarm_l", "hand_l"], ["upperarm_r", "lowerarm_r", "hand_r"]],
        leg: [["thigh_l", "calf_l", "foot_l"], ["thigh_r", "calf_r", "foot_r"]],
    },
    Names {
        rig: "VRM",
        arm: [["J_Bip_L_UpperArm", "J_Bip_L_LowerArm", "J_Bip_L_Hand"],
            ["J_Bip_R_UpperArm", "J_Bip_R_LowerArm", "J_Bip_R_Hand"]],
        leg: [["J_Bip_L_UpperLeg", "J_Bip_L_LowerLeg", "J_Bip_L_Foot"],
            ["J_Bip_R_UpperLeg", "J_Bip_R_LowerLeg", "J_Bip_R_Foot"]],
    },
    Names {
        rig: "joints by their places",
        arm: [["LeftArm", "LeftElbow", "LeftWrist"], ["RightArm", "RightElbow", "RightWrist"]],
        leg: [["LeftThigh", "LeftKnee", "LeftAnkle"], ["RightThigh", "RightKnee", "RightAnkle"]],
    },
    Names {
        rig: "Advanced Skeleton",
        arm: [["Shoulder_L", "Elbow_L", "Wrist_L"], ["Shoulder_R", "Elbow_R", "Wrist_R"]],
        leg: [["Hip_L", "Knee_L", "Ankle_L"], ["Hip_R", "Knee_R", "Ankle_R"]],
    },
];

#[test]
fn every_place_of_many_rigs_is_found_on_the_side_that_is_asked_for() {
    for names in &RIGS {
        let model = body(names);
        let places = ["shoulder", "elbow", "wrist"]
            .into_iter()
            .zip(0..3)
            .map(|(place, at)| (place, names.arm.map(|arm| arm[at])));
        let legs = ["hip", "knee", "ankle"]
            .into_iter()
            .zip(0..3)
            .map(|(place, at)| (place, names.leg.map(|leg| leg[at])));
        for (place, both) in places.chain(legs) {
            assert_eq!(called(&model, place), both, "{}: {place}", names.rig);
            for (joint, sides) in both.into_iter().zip([["left ", "l_", "Lft"], ["right_", "rt ", "R"]]) {
                for side in sides {
                    let mut asked = format!("{side}{place}");
                    if side.ends_with(char::is_alphabetic) {
                        asked = format!("{side}{}{}", place[..1].to_uppercase(), &place[1..]);
                    }
                    assert_eq!(called(&model, &asked), [joint], "{}: {asked}", names.rig);
                }
            }
        }
        assert_eq!(called(&model, "neck"), ["Skeleton_neck_joint_1", "Skeleton_neck_joint_2"]);
    }
}

#[test]
fn a_side_that_is_asked_for_is_never_dropped() {
    let error = |model: &Model, asked: &str| joints_called(model, asked).unwrap_err().to_string();
    let spanish = model(&[("root", None), ("elbow_izq", Some(0)), ("elbow_der", Some(0))]);
    assert_eq!(called(&spanish, "elbow"), ["elbow_izq", "elbow_der"]);
    assert_eq!(
        error(&spanish, "left_elbow"),
        "the model has no joint 'left_elbow'; the nearest are 'elbow_izq' and 'elbow_der'"
    );
    let right = model(&[("root", None), ("forearm.R", Some(0)), ("forearm_roll.R", Some(1))]);
    assert_eq!(
        error(&right, "left elbow"),
        "the model has no joint 'left elbow'; the nearest are 'forearm.R' and 'forearm_roll.R'"
    );
    let half = model(&[("root", None), ("forearm", Some(0)), ("forearm.R", Some(0))]);
    assert!(called(&half, "left elbow").is_empty());
    // A misspelt side is not a side.
    let both = model(&[("root", None), ("forearm.L", Some(0)), ("forearm.R", Some(0))]);
    assert_eq!(
        error(&both, "rigth elbow"),
        "the model has no joint 'rigth elbow'; the nearest are 'forearm.L' and 'forearm.R'"
    );
    // A rig with one elbow is unambiguous.
    let one = model(&[("root", None), ("forearm", Some(0)), ("hand", Some(1))]);
    assert_eq!(called(&one, "left elbow"), ["forearm"]);
}

#[test]
fn short_words_are_whole_and_spelled_as_they_are() {
    let model = model(&[
        ("root", None),
        ("ball_l", Some(0)),
        ("protoend", Some(0)),
        ("BackLeg.L", Some(0)),
        ("waist", Some(0)),
        ("LeftEyeLid", Some(0)),
        ("Bone_011", Some(0)),
        ("Bone_012", Some(0)),
    ]);
    assert_eq!(called(&model, "toe"), ["ball_l"]);
    for nothing in ["tail", "end", "bal", "wist", "Bone_12", "wrist", "knee"] {
        assert!(called(&model, nothing).is_empty(), "{nothing}: {:?}", called(&model, nothing));
    }
    assert_eq!(called(&model, "leg"), ["BackLeg.L"]);
    assert_eq!(called(&model, "eye"), ["LeftEyeLid"]);
    assert_eq!(called(&model, "proto"), ["protoend"]);
    assert_eq!(called(&model, "wiast"), ["waist"], "a longer word may be misspelt");
    let error = joints_called(&model, "Bone_12").unwrap_err().to_string();
    assert_eq!(error, "the model has no joint 'Bone_12'; the nearest are 'Bone_012' and 'Bone_011'");
}

#[test]
fn a_leg_counts_where_its_side_has_nothing_better() {
    let model = model(&[
        ("Hips", None),
        ("LeftUpLeg", Some(0)),
        ("LeftLeg", Some(1)),
        ("LeftFoot", Some(2)),
        ("leg_joint_L_5", Some(3)),
        ("calf_r", Some(0)),
        ("leg_joint_R_5", Some(5)),
    ]);
    assert_eq!(called(&model, "left knee"), ["LeftLeg"]);
    assert_eq!(called(&model, "right knee"), ["calf_r"]);
}
