//! Rigs about how weights are stored, and about weights that do not sum to 1.

use super::gltf::{U8, U16};
use super::tube::Tube;
use super::{CASE, File, OPEN, Recipe};

const WHOLE: (&str, &str) = (
    "When the weights are stored using normalized unsigned byte, or normalized unsigned short component types, their linear \
     sum before normalization MUST be 255 or 65535 respectively.",
    "glTF 2.0, 3.7.3.3",
);
const SUM: (&str, &str) = (
    "When the weights are stored using float component type, their linear sum SHOULD be as close as reasonably possible to \
     1.0 for a given vertex.",
    "glTF 2.0, 3.7.3.3",
);
const FINITE: (&str, &str) =
    ("Values of NaN, +Infinity, and -Infinity MUST NOT be present.", "glTF 2.0, 3.6.2.2");

pub fn all() -> Vec<Recipe> {
    [stored(), sums()].into_iter().flatten().collect()
}

/// Formats.
fn stored() -> Vec<Recipe> {
    vec![
        Recipe {
            name: "weights-u8",
            tests: "weights in 8 bits",
            why: "They count 255ths.",
            source: WHOLE,
            made_for: &[("lbs", &["cut-3-renormalised"])],
            file: File::Glb(|| Tube { weight_type: U8, ..Tube::new(5, 4) }.file()),
            ..CASE
        },
        Recipe {
            name: "weights-u16",
            tests: "weights in 16 bits",
            why: "They count 65535ths; an engine that keeps 8 bits of them moves vertices by up to a millimetre a metre.",
            source: WHOLE,
            made_for: &[("lbs", &["weights-u8-alone", "weights-u8-heaviest", "weights-half-alone"])],
            file: File::Glb(|| Tube { weight_type: U16, ..Tube::new(5, 4) }.file()),
            ..CASE
        },
    ]
}

/// Weights that do not sum to 1, which break a rule.
fn sums() -> Vec<Recipe> {
    let case = Recipe { modes: OPEN, is_valid: false, ..CASE };
    vec![
        Recipe {
            name: "weights-u8-short-sum",
            tests: "weights in 8 bits that sum to 254",
            why: "Exporters that round each weight alone write them. Undivided, such a vertex shrinks towards the origin.",
            source: WHOLE,
            made_for: &[("lbs", &["stored-sums"])],
            file: File::Glb(short),
            ..case
        },
        Recipe {
            name: "weights-unequal-sums",
            tests: "float weights that sum to between 0.5 and 2",
            why: "An engine divides by the sum, or moves the vertex by a matrix that is not affine.",
            source: SUM,
            made_for: &[("lbs", &["stored-sums"])],
            file: File::Glb(|| {
                let mut tube = Tube::new(3, 2);
                for (vertex, of) in tube.influences.iter_mut().enumerate() {
                    let sum = [0.5, 1.0, 1.25, 2.0][vertex % 4];
                    of.iter_mut().for_each(|(_, weight)| *weight *= sum);
                }
                tube.file()
            }),
            ..case
        },
        Recipe {
            name: "weights-zero",
            tests: "vertices whose weights are all 0",
            why: "The sum cannot be divided by. Engines leave such vertices in the bind pose, throw them to the origin, or give \
                  them to joint 0.",
            source: SUM,
            made_for: &[("lbs", &["weightless-at-origin", "weightless-to-joint-0"])],
            file: File::Glb(|| {
                let mut tube = Tube::new(3, 2);
                tube.influences.iter_mut().step_by(5).flatten().for_each(|(_, weight)| *weight = 0.0);
                tube.file()
            }),
            ..case
        },
        Recipe {
            name: "weights-nan",
            tests: "weights that are not numbers",
            why: "One of them makes a whole vertex, and often a whole picture, not a number.",
            source: FINITE,
            file: File::Glb(|| {
                let mut tube = Tube::new(3, 2);
                tube.influences.iter_mut().step_by(5).for_each(|of| of[1].1 = f32::NAN);
                tube.file()
            }),
            ..case
        },
    ]
}

/// A file in which the first weight of every third vertex lacks one 255th.
fn short() -> super::gltf::Gltf {
    let tube = Tube { weight_type: U8, ..Tube::new(5, 4) };
    let mut file = tube.file();
    let accessor = file.primitive()["attributes"]["WEIGHTS_0"].as_u64().unwrap_or(0) as usize;
    let view = file.json["accessors"][accessor]["bufferView"].as_u64().unwrap_or(0) as usize;
    let at = file.json["bufferViews"][view]["byteOffset"].as_u64().unwrap_or(0) as usize;
    for vertex in (0..tube.positions.len()).step_by(3) {
        file.bytes[at + 4 * vertex] -= 1;
    }
    file
}
