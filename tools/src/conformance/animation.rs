//! Rigs about clips: interpolation, and times around keys.

use serde_json::json;

use super::assembly::{add_channel, add_clip, animate};
use super::gltf::{Gltf, I16};
use super::tube::{JOINT, TIMES, Tube, turn};
use super::{CASE, EXTENSION, File, Recipe};

const STEP: (&str, &str) = ("v_t = v_k", "glTF 2.0, Appendix C, Step Interpolation");
const LINEAR: (&str, &str) =
    ("v_t = (1 - t) * v_k + t * v_{k+1}", "glTF 2.0, Appendix C, Linear Interpolation");
const SLERP: (&str, &str) = (
    "Using the dot product's absolute value for computing a and multiplying v_{k+1} by the dot product's sign ensure that the \
     spherical interpolation follows the short path along the great circle defined by the two quaternions.",
    "glTF 2.0, Appendix C, Spherical Linear Interpolation",
);
const APPROXIMATE: (&str, &str) = (
    "Implementations MAY approximate these equations to reach application-specific accuracy and/or performance targets.",
    "glTF 2.0, Appendix C, Spherical Linear Interpolation",
);
const CUBIC: (&str, &str) = (
    "For each timestamp stored in the animation sampler, there are three associated keyframe values: in-tangent, property \
     value, and out-tangent.",
    "glTF 2.0, Appendix C, Cubic Spline Interpolation",
);
const CUBIC_TURN: (&str, &str) = (
    "When the animation sampler targets a node's rotation property, the interpolated quaternion MUST be normalized before \
     applying the result to the node's rotation.",
    "glTF 2.0, Appendix C, Cubic Spline Interpolation",
);
const CLAMPED: (&str, &str) = (
    "Before and after the provided input range, output MUST be clamped to the nearest end of the input range.",
    "glTF 2.0, 3.11",
);
const INPUTS: (&str, &str) =
    ("Samplers within a given animation MAY have different inputs.", "glTF 2.0, 3.11");
const DECODED: (&str, &str) = (
    "Implementations MUST use following equations to decode real floating-point value f from a normalized integer c and \
     vise-versa",
    "glTF 2.0, 3.11",
);
const KEPT: (&str, &str) =
    ("Non-animated properties MUST keep their values during animation.", "glTF 2.0, 3.11");

/// In-tangent, value and out-tangent of each key.
const SPLINE: [[f32; 3]; 9] = [
    [0.0; 3],
    [0.0, 0.5, 0.0],
    [1.0, 0.5, 0.0],
    [0.0, 1.0, 0.5],
    [0.25, 0.75, 0.0],
    [-0.5, 0.0, 1.0],
    [0.25, 0.5, -1.0],
    [0.0, 0.5, 0.5],
    [0.0; 3],
];

/// Rotations by about 0°, 40° and 80°. Their squares sum to 32767², since engines need not normalise keys.
const UNIT_KEYS: [[i16; 4]; 3] = [[0, 0, 0, 32767], [2428, 4886, 9770, 30797], [4582, 9190, 18392, 25099]];

/// Times on no key of most clips.
const BETWEEN: &[f64] = &[0.125, 0.375, 0.75];

pub fn all() -> Vec<Recipe> {
    [ways(), turns(), splines(), keys(), stored()].into_iter().flatten().collect()
}

/// Interpolation.
fn ways() -> Vec<Recipe> {
    let case = Recipe { times: BETWEEN, ..CASE };
    vec![
        Recipe {
            name: "keys-step",
            tests: "STEP, between keys and on one",
            why: "A value holds until the next key, and changes on it.",
            source: STEP,
            times: &[0.25, 0.5, 0.75],
            file: File::Glb(|| {
                let mut file = Tube::new(3, 2).file();
                for sampler in file.json["animations"][0]["samplers"].as_array_mut().into_iter().flatten() {
                    sampler["interpolation"] = json!("STEP");
                }
                file
            }),
            ..case
        },
        Recipe {
            name: "keys-linear",
            tests: "LINEAR translations and scales, between keys",
            why: "Each property goes along a line.",
            source: LINEAR,
            made_for: &[("lbs", &["step-for-linear"])],
            file: File::Glb(|| {
                let (mut file, clip) = still();
                let places = [[0.0, 0.5, 0.0], [0.25, 0.75, 0.0], [0.0, 0.5, 0.5]];
                animate(&mut file, clip, (JOINT + 1, "translation"), &TIMES, places.as_flattened(), "LINEAR");
                let scales = [[1.0; 3], [1.5, 1.0, 0.75], [0.5, 1.25, 1.0]];
                animate(&mut file, clip, (JOINT + 2, "scale"), &TIMES, scales.as_flattened(), "LINEAR");
                file
            }),
            ..case
        },
    ]
}

/// Interpolation of rotations.
fn turns() -> Vec<Recipe> {
    let case = Recipe { times: BETWEEN, ..CASE };
    vec![
        Recipe {
            name: "keys-slerp",
            tests: "LINEAR rotations by 150° between keys",
            why: "Rotations follow the great circle at constant speed. Approximations are allowed; this shows which.",
            source: APPROXIMATE,
            modes: EXTENSION,
            made_for: &[("lbs", &["nlerp", "matrix-lerp", "step-for-linear"])],
            file: File::Glb(|| Tube::new(3, 2).turning(1, [0.25, 0.5, 1.0], [0.0, 150.0, 20.0]).file()),
            ..case
        },
        Recipe {
            name: "keys-opposite-sign",
            times: &[0.25, 0.5, 0.75],
            tests: "neighbouring keys whose quaternions have opposite signs",
            why: "q and −q are the same turn. The short way between keys needs the sign of their dot product.",
            source: SLERP,
            made_for: &[("lbs", &["component-lerp"])],
            file: File::Glb(|| {
                let mut tube = Tube::new(3, 2);
                for joint in &mut tube.joints {
                    joint.turns = joint.turns.map(|[a, b, c]| [a, b.map(|value| -value), c]);
                }
                tube.file()
            }),
            ..case
        },
    ]
}

/// Splines.
fn splines() -> Vec<Recipe> {
    let case = Recipe { times: BETWEEN, ..CASE };
    vec![
        Recipe {
            name: "keys-cubic",
            tests: "CUBICSPLINE translations, with tangents that overshoot",
            why: "Tangents are scaled by the distance of keys, and lie before and behind each value.",
            source: CUBIC,
            file: File::Glb(|| {
                let (mut file, clip) = still();
                let times = [0.0, 0.25, 1.0];
                animate(
                    &mut file,
                    clip,
                    (JOINT + 1, "translation"),
                    &times,
                    SPLINE.as_flattened(),
                    "CUBICSPLINE",
                );
                file
            }),
            ..case
        },
        Recipe {
            name: "keys-cubic-rotation",
            tests: "CUBICSPLINE rotations",
            why: "The spline leaves the unit sphere, so its quaternion must be normalised.",
            source: CUBIC_TURN,
            file: File::Glb(|| {
                let (mut file, clip) = still();
                let [a, b, c] = [0.0, 80.0, 30.0].map(|degrees| turn([0.25, 0.5, 1.0], degrees));
                let values = [
                    [0.0; 4],
                    a,
                    [0.0, 0.25, 1.0, 0.0],
                    [0.5, 0.0, 0.25, -0.5],
                    b,
                    [0.0, 0.5, -1.0, 0.25],
                    [0.0; 4],
                    c,
                    [0.0; 4],
                ];
                animate(
                    &mut file,
                    clip,
                    (JOINT + 1, "rotation"),
                    &TIMES,
                    values.as_flattened(),
                    "CUBICSPLINE",
                );
                file
            }),
            ..case
        },
    ]
}

/// Keys and times.
fn keys() -> Vec<Recipe> {
    vec![
        Recipe {
            name: "keys-unequal",
            tests: "channels of one clip with different numbers of keys at different times",
            why: "Each channel has its own interval at a time.",
            source: INPUTS,
            times: &[0.2, 0.5, 0.9],
            made_for: &[("lbs", &["step-for-linear"])],
            file: File::Glb(|| {
                let (mut file, clip) = still();
                let root = [[0.0; 3], [0.5, 0.0, 0.25]];
                animate(&mut file, clip, (JOINT, "translation"), &[0.0, 1.0], root.as_flattened(), "LINEAR");
                let middle = [[0.0, 0.5, 0.0], [0.25, 0.5, 0.0], [0.0, 0.75, 0.0], [0.0, 0.5, 0.25]];
                let times = [0.1, 0.3, 0.7, 0.8];
                animate(&mut file, clip, (JOINT + 1, "translation"), &times, middle.as_flattened(), "LINEAR");
                animate(&mut file, clip, (JOINT + 2, "translation"), &[0.4], &[0.25, 0.75, 0.0], "LINEAR");
                file
            }),
            ..CASE
        },
        Recipe {
            name: "keys-before-and-after",
            tests: "times before the first key and after the last",
            why: "The nearest key's value holds. Engines extrapolate, wrap around, or fall back to the rest pose.",
            source: CLAMPED,
            times: &[0.0, 0.75, 2.0],
            file: File::Glb(|| {
                let (mut file, clip) = still();
                let times = [0.5, 0.75, 1.0];
                let turns = [30.0, 60.0, 90.0].map(|degrees| turn([0.25, 0.25, 1.0], degrees));
                animate(&mut file, clip, (JOINT + 1, "rotation"), &times, turns.as_flattened(), "LINEAR");
                // A channel that lasts longer keeps the clip going.
                let last = [[0.0, 0.5, 0.0], [0.25, 0.5, 0.0]];
                animate(
                    &mut file,
                    clip,
                    (JOINT + 2, "translation"),
                    &[0.0, 2.0],
                    last.as_flattened(),
                    "LINEAR",
                );
                file
            }),
            ..CASE
        },
    ]
}

/// Keys as integers, and several clips.
fn stored() -> Vec<Recipe> {
    vec![
        Recipe {
            name: "keys-i16",
            tests: "rotations stored in 16 bits",
            why: "Keys may be normalised integers, which must be divided by 32767.",
            source: DECODED,
            file: File::Glb(|| {
                let (mut file, clip) = still();
                let input = file.bounded("SCALAR", &TIMES);
                let stored = UNIT_KEYS.as_flattened().iter().copied();
                let output =
                    file.accessor("VEC4", I16, &stored.flat_map(i16::to_le_bytes).collect::<Vec<u8>>());
                file.json["accessors"][output]["normalized"] = json!(true);
                add_channel(
                    &mut file,
                    clip,
                    (JOINT + 1, "rotation"),
                    json!({"input": input, "output": output}),
                );
                file
            }),
            ..CASE
        },
        Recipe {
            name: "clip-second",
            tests: "the second of two clips, which moves another joint than the first",
            why: "What a clip does not move stays as the nodes say, whatever another clip does to it.",
            source: KEPT,
            clip: Some(1),
            file: File::Glb(|| {
                let mut file = Tube::new(3, 2).turning(2, [1.0, 0.0, 0.5], [10.0, 50.0, 90.0]).file();
                file.node(JOINT)["rotation"] = json!(turn([0.0, 0.0, 1.0], 20.0));
                let clip = add_clip(&mut file, "other");
                let turns = [0.0, 45.0, 90.0].map(|degrees| turn([0.25, 0.25, 1.0], degrees));
                animate(&mut file, clip, (JOINT + 1, "rotation"), &TIMES, turns.as_flattened(), "LINEAR");
                file
            }),
            ..CASE
        },
    ]
}

/// A tube with a clip that does not move yet.
fn still() -> (Gltf, usize) {
    let mut file = Tube::new(3, 2).still().file();
    let clip = add_clip(&mut file, "keys");
    (file, clip)
}
