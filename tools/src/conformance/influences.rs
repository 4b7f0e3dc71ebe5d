//! Rigs about the number of influences, and about how joints and weights are stored.

use super::gltf::{U8, U16};
use super::tube::Tube;
use super::{CASE, File, Recipe};

const SETS: (&str, &str) = (
    "The number of joints that influence one vertex is limited to 4 per set, so the referenced accessors MUST have VEC4 type \
     and following component types",
    "glTF 2.0, 3.7.3.3",
);
const MORE_SETS: (&str, &str) = (
    "When any of the vertices are influenced by more than four joints, the additional joint and weight information are \
     stored in subsequent sets.",
    "glTF 2.0, 3.7.3.3",
);
const SUMS: (&str, &str) = (
    "The per-vertex transformation matrices are computed as weighted linear sums of the joint transformation matrices.",
    "glTF 2.0, 3.7.3.3",
);

pub fn all() -> Vec<Recipe> {
    vec![
        Recipe {
            name: "influences-01",
            tests: "one joint a vertex",
            why: "Every skinning mode moves such a vertex by its joint's matrix.",
            source: SUMS,
            made_for: &[("lbs", &["skip-inverse-bind", "transposed", "swapped-order", "short-palette"])],
            file: File::Glb(|| Tube::new(3, 1).file()),
            ..CASE
        },
        Recipe {
            name: "influences-02",
            tests: "two joints a vertex",
            why: "Weights blend matrices.",
            source: SUMS,
            made_for: &[("lbs", &["cut-1-renormalised", "weights-u8-alone"])],
            file: File::Glb(|| Tube::new(3, 2).file()),
            ..CASE
        },
        Recipe {
            name: "influences-04",
            tests: "four influences a vertex, in one set",
            why: "All four slots count.",
            source: SETS,
            made_for: &[("lbs", &["cut-3-renormalised", "cut-3-unnormalised"])],
            file: File::Glb(|| Tube::new(5, 4).file()),
            ..CASE
        },
        Recipe {
            name: "influences-08",
            tests: "eight influences a vertex, in two sets",
            why: "Engines with one set lose half of the influences.",
            source: MORE_SETS,
            made_for: &[("lbs", &["cut-4-renormalised", "cut-4-unnormalised"])],
            file: File::Glb(|| Tube::new(8, 8).file()),
            ..CASE
        },
        Recipe {
            name: "joints-u16",
            tests: "joint numbers in 16 bits",
            why: "A reader that takes them for bytes finds joint 0 in every second slot.",
            source: SETS,
            file: File::Glb(|| Tube { joint_type: U16, ..Tube::new(3, 2) }.file()),
            ..CASE
        },
        Recipe {
            name: "weights-u8",
            tests: "weights in 8 bits, normalized",
            why: "They count 255ths, and sum to 255.",
            source: SETS,
            file: File::Glb(|| Tube { weight_type: U8, ..Tube::new(3, 2) }.file()),
            ..CASE
        },
    ]
}
