//! Rigs about the number of influences and about joint numbers.

use super::gltf::U16;
use super::tube::{Joint, Tube, turn};
use super::{ALL_MODES, BLENDING, CASE, File, LBS, OPEN, Recipe};

const BLEND: (&str, &str) = (
    "Then, the per-vertex transformation matrices are computed as weighted linear sums of the joint transformation matrices.",
    "glTF 2.0, 3.7.3.3",
);
const FOUR: (&str, &str) =
    ("The number of joints that influence one vertex is limited to 4 per set", "glTF 2.0, 3.7.3.3");
const MORE: (&str, &str) = (
    "When any of the vertices are influenced by more than four joints, the additional joint and weight information are \
     stored in subsequent sets.",
    "glTF 2.0, 3.7.3.3",
);
const FEWER: (&str, &str) = (
    "Client implementations MAY support only a single set of up to four weights and joints, however not supporting all \
     weight and joint sets present in the file may have an impact on the asset's animation.",
    "glTF 2.0, 3.7.3.3",
);
const UNUSED: (&str, &str) =
    ("Unused joint values (i.e., joints with a weight of zero) SHOULD be set to zero.", "glTF 2.0, 3.7.3.3");
const ONCE: (&str, &str) =
    ("Joints MUST NOT contain more than one non-zero weight for a given vertex.", "glTF 2.0, 3.7.3.3");
const TYPES: (&str, &str) = ("JOINTS_n: unsigned byte or unsigned short", "glTF 2.0, 3.7.3.3");

pub fn all() -> Vec<Recipe> {
    [numbers(), more(), slots(), unused(), joints()].into_iter().flatten().collect()
}

/// Up to four influences a vertex.
fn numbers() -> Vec<Recipe> {
    vec![
        Recipe {
            name: "influences-01",
            tests: "one influence a vertex",
            why: "All modes move such a vertex by its joint's matrix alone, so a failure lies in the pose or the palette.",
            source: BLEND,
            modes: ALL_MODES,
            made_for: &[("lbs", &["skip-inverse-bind", "transposed", "swapped-order", "short-palette"])],
            file: File::Glb(|| Tube::new(3, 1).file()),
            ..CASE
        },
        Recipe {
            name: "influences-02",
            tests: "two influences a vertex",
            why: "The simplest blend.",
            source: BLEND,
            modes: BLENDING,
            made_for: &[
                ("lbs", &["cut-1-renormalised", "weights-u8-alone", "half-palette", "plain-normals"]),
                ("dqs", &["no-normalise", "cut-1-renormalised"]),
            ],
            file: File::Glb(|| Tube::new(3, 2).file()),
            ..CASE
        },
        Recipe {
            name: "influences-03",
            tests: "three influences a vertex",
            why: "One slot of four is empty.",
            source: FOUR,
            made_for: &[("lbs", &["cut-2-renormalised", "cut-2-unnormalised"])],
            file: File::Glb(|| Tube::new(4, 3).file()),
            ..CASE
        },
        Recipe {
            name: "influences-04",
            tests: "four influences a vertex, in one set",
            why: "All four slots count.",
            source: FOUR,
            modes: BLENDING,
            made_for: &[("lbs", &["cut-3-renormalised", "cut-3-unnormalised"])],
            file: File::Glb(|| Tube::new(5, 4).file()),
            ..CASE
        },
    ]
}

/// More than one set. Engines may read the first alone.
fn more() -> Vec<Recipe> {
    let case = Recipe { source: MORE, modes: super::EXTENSION, ..CASE };
    vec![
        Recipe {
            name: "influences-05",
            tests: "five influences a vertex, in two sets",
            why: "An engine that reads one set loses a single influence, and may or may not divide by the sum of the rest.",
            source: FEWER,
            made_for: &[("lbs", &["cut-4-renormalised", "cut-4-unnormalised"])],
            file: File::Glb(|| Tube::new(5, 5).file()),
            ..case
        },
        Recipe {
            name: "influences-08",
            tests: "eight influences a vertex, in two sets",
            why: "Two full sets: characters of games have them in the face.",
            made_for: &[("lbs", &["cut-4-renormalised", "cut-4-unnormalised", "cut-7-renormalised"])],
            file: File::Glb(|| Tube::new(8, 8).file()),
            ..case
        },
        Recipe {
            name: "influences-12",
            tests: "twelve influences a vertex, in three sets",
            why: "An engine that reads two sets loses the rest.",
            made_for: &[("lbs", &["cut-4-renormalised", "cut-8-renormalised", "cut-8-unnormalised"])],
            file: File::Glb(|| Tube::new(12, 12).file()),
            ..case
        },
        Recipe {
            name: "influences-16",
            tests: "sixteen influences a vertex, in four sets",
            why: "The format does not limit the number of sets.",
            made_for: &[("lbs", &["cut-4-renormalised", "cut-8-renormalised", "cut-8-unnormalised"])],
            file: File::Glb(|| Tube::new(16, 16).file()),
            ..case
        },
    ]
}

/// The order and the content of slots.
fn slots() -> Vec<Recipe> {
    vec![
        Recipe {
            name: "influences-unsorted",
            tests: "the heaviest influence is not the first",
            why: "Files need not sort influences; an engine that cuts them must look for the heaviest.",
            source: FOUR,
            modes: BLENDING,
            made_for: &[("lbs", &["cut-3-renormalised"])],
            file: File::Glb(|| {
                let mut tube = Tube::new(5, 4);
                tube.influences.iter_mut().for_each(|of| of.reverse());
                tube.file()
            }),
            ..CASE
        },
        Recipe {
            name: "influences-second-set-heavier",
            tests: "the second set has the heavier influences",
            why: "An engine that keeps the first set keeps the wrong ones.",
            source: MORE,
            modes: super::EXTENSION,
            made_for: &[("lbs", &["cut-4-renormalised"])],
            file: File::Glb(|| {
                let mut tube = Tube::new(8, 8);
                tube.influences.iter_mut().for_each(|of| of.reverse());
                tube.file()
            }),
            ..CASE
        },
    ]
}

/// Slots that should not count, and slots that name a joint twice.
fn unused() -> Vec<Recipe> {
    vec![
        Recipe {
            name: "slots-unused",
            tests: "unused slots name joints that are not the vertex's",
            why: "A weight of zero must silence a slot; an engine that divides by a number of slots, or takes the first joint \
                  for the heaviest, moves vertices by such joints.",
            source: UNUSED,
            file: File::Glb(|| {
                let mut tube = Tube::new(4, 2);
                for of in &mut tube.influences {
                    let others = (0..4).filter(|joint| of.iter().all(|(known, _)| known != joint));
                    let others: Vec<(u16, f32)> = others.map(|joint| (joint, 0.0)).collect();
                    *of = vec![others[0], of[0], others[1], of[1]];
                }
                tube.file()
            }),
            ..CASE
        },
        Recipe {
            name: "slots-same-joint",
            tests: "two slots of a vertex name the same joint",
            why: "The weights of a joint add up, if a file breaks the rule.",
            source: ONCE,
            is_valid: false,
            modes: OPEN,
            file: File::Glb(|| {
                let mut tube = Tube::new(3, 2);
                for of in &mut tube.influences {
                    let (joint, weight) = of[0];
                    *of = vec![(joint, weight / 2.0), of[1], (joint, weight / 2.0)];
                }
                tube.file()
            }),
            ..CASE
        },
    ]
}

/// The numbers of joints.
fn joints() -> Vec<Recipe> {
    vec![
        Recipe {
            name: "joints-u16",
            tests: "joint numbers in 16 bits",
            why: "A reader that takes them for bytes finds joint 0 in every second slot.",
            source: TYPES,
            file: File::Glb(|| Tube { joint_type: U16, ..Tube::new(3, 2) }.file()),
            ..CASE
        },
        Recipe {
            name: "joints-over-255",
            tests: "a skin with 300 joints, of which the last move vertices",
            why: "Their numbers do not fit into 8 bits, and their matrices not into 16 KiB of uniforms.",
            source: TYPES,
            modes: LBS,
            made_for: &[("lbs", &["8-bit-joints", "short-palette"])],
            file: File::Glb(|| crowd(300).file()),
            ..CASE
        },
        Recipe {
            name: "joints-over-512",
            tests: "a skin with 520 joints, of which the last move vertices",
            why: "Engines with a fixed palette of 256 or 512 matrices lose the last.",
            source: TYPES,
            made_for: &[("lbs", &["8-bit-joints", "short-palette"])],
            file: File::Glb(|| crowd(520).file()),
            ..CASE
        },
    ]
}

/// A tube on the last joints of a long list. The others hang on the root beside them, each at another place.
fn crowd(joints: usize) -> Tube {
    let mut tube = Tube { joint_type: U16, ..Tube::new(3, 2) };
    let used = std::mem::take(&mut tube.joints);
    let first = joints - used.len();
    for number in 0..first {
        let place =
            [0.125 * (number % 8) as f32, 0.125 * (number / 8 % 8) as f32, -0.125 * (number / 64) as f32];
        let parent = (number > 0).then_some(0);
        tube.joints.push(Joint { name: format!("j{number}"), parent, translation: place, turns: None });
    }
    tube.joints[0].turns = Some([0.0, 20.0, 40.0].map(|degrees| turn([0.0, 0.0, 1.0], degrees)));
    for (number, joint) in used.into_iter().enumerate() {
        let parent = Some(joint.parent.map_or(0, |_| first + number - 1));
        tube.joints.push(Joint { name: format!("j{}", first + number), parent, ..joint });
    }
    tube.skin_order = (0..joints).collect();
    tube.influences.iter_mut().flatten().for_each(|(joint, _)| *joint += first as u16);
    tube
}
