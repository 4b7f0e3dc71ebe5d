//! `builtin:strip` is the strip of the glTF tutorial's chapter on skins, and moves as its table says: vertices
//! at 45° and between keys, worked out by hand without sinew's arithmetic.

use std::f64::consts::FRAC_1_SQRT_2;

use sinew_model::builtin;
use sinew_model::gltf::load_bytes;
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::posed::skin_model;

/// The vertices of the strip in its clip.
fn at(mode: SkinningMode, time_secs: f64) -> Vec<[f64; 2]> {
    let model = load_bytes(&builtin::glb("strip").unwrap(), None).unwrap();
    let mut pose = Pose::default();
    pose.set(&model, &PoseChoice::clip(0, time_secs));
    let skinned = skin_model(&model, mode, &pose);
    skinned[0].positions.iter().map(|p| [f64::from(p[0]), f64::from(p[1])]).collect()
}

/// The first key after the start turns by nearly 45° about (0, 1): the tutorial rounds sine and cosine of half
/// the angle to 0.383 and 0.924, which are those of 45.0282°. For the whole angle they are 2 · 0.383 · 0.924 /
/// 1.000465 = 0.707455 and (0.924² − 0.383²) / 1.000465 = 0.706758.
const SIN: f64 = 0.707455033;
const COS: f64 = 0.706758357;

/// The vertices of all rows, each row turned about (0, 1) by its own angle: (x, 1 + up) becomes
/// (x cos − up sin, 1 + x sin + up cos).
fn rows(turns: [(f64, f64); 5]) -> Vec<[f64; 2]> {
    let row = |(number, (sin, cos)): (usize, (f64, f64))| {
        let up = 0.5 * number as f64 - 1.0;
        [[-up * sin, 1.0 + up * cos], [cos - up * sin, 1.0 + sin + up * cos]]
    };
    turns.into_iter().enumerate().flat_map(row).collect()
}

/// Matrices blend sines and cosines by weight: (sin, cos) of a row is share · (SIN, COS) + (1 − share) · (0, 1).
fn blended(sin: f64, cos: f64) -> Vec<[f64; 2]> {
    rows([0.0, 0.25, 0.5, 0.75, 1.0].map(|share| (share * sin, share * cos + 1.0 - share)))
}

fn assert_near(got: &[[f64; 2]], want: &[[f64; 2]]) {
    assert_eq!(got.len(), want.len());
    for (vertex, (got, want)) in got.iter().zip(want).enumerate() {
        let apart = (got[0] - want[0]).abs().max((got[1] - want[1]).abs());
        assert!(apart < 1e-6, "vertex {vertex}: {got:?} instead of {want:?}");
    }
}

#[test]
fn at_45_degrees() {
    let lbs = at(SkinningMode::Linear, 0.5);
    assert_near(&lbs, &blended(SIN, COS));
    // Two of them as numbers, to check with a pencil: the middle of the right edge, and its top.
    assert_near(&lbs[5..6], &[[0.5 + 0.5 * 0.706758357, 1.0 + 0.5 * 0.707455033]]);
    assert_near(&lbs[9..], &[[-0.000696676, 2.414213391]]);
    // Each vertex follows its heavier joint; at half and half the lower one.
    let (still, turned) = ((0.0, 1.0), (SIN, COS));
    assert_near(&at(SkinningMode::Rigid, 0.5), &rows([still, still, still, turned, turned]));
    // Half way up everything turns by half the angle, for which the key has its own numbers: 0.383 and 0.924
    // over the square root of 1.000465.
    assert_near(&at(SkinningMode::DualQuat, 0.5)[4..6], &[[0.0, 1.0], [0.923785245, 1.382910984]]);
}

/// At 0.25 s, half way between the first two keys, the strip turns by half of the angle.
#[test]
fn half_way_between_keys() {
    assert_near(&at(SkinningMode::Linear, 0.25), &blended(0.382910984, 0.923785245));
}

/// At 3.75 s, half way from −45.03° to −90°: the cosine between their half angles is (0.924 · 0.707 + 0.383 ·
/// 0.707) / (1.000232 · 0.999849) = 0.924004, and half way is the sum of both, divided by its length.
#[test]
fn half_way_between_other_keys() {
    let (first, second) = ([-0.382910984, 0.923785245], [-FRAC_1_SQRT_2, FRAC_1_SQRT_2]);
    let sum = [first[0] + second[0], first[1] + second[1]];
    let length_squared: f64 = sum[0] * sum[0] + sum[1] * sum[1];
    let (sin, cos) =
        (2.0 * sum[0] * sum[1] / length_squared, (sum[1] * sum[1] - sum[0] * sum[0]) / length_squared);
    assert_near(&at(SkinningMode::Linear, 3.75), &blended(sin, cos));
}

/// The file holds the tutorial's table of 2017, number by number.
#[test]
fn the_file_is_the_tutorials_table() {
    let bytes = builtin::glb("strip").unwrap();
    let chunk = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let json: serde_json::Value = serde_json::from_slice(&bytes[20..20 + chunk(12)]).unwrap();
    let binary = &bytes[28 + chunk(12)..];
    let start = |accessor: usize| {
        let view = json["accessors"][accessor]["bufferView"].as_u64().unwrap() as usize;
        json["bufferViews"][view]["byteOffset"].as_u64().unwrap_or(0) as usize
    };
    let number = |value: &serde_json::Value| value.as_u64().unwrap() as usize;
    let floats = |accessor: &serde_json::Value, count: usize| -> Vec<f32> {
        let at = start(number(accessor));
        (0..count)
            .map(|i| f32::from_le_bytes(binary[at + 4 * i..at + 4 * i + 4].try_into().unwrap()))
            .collect()
    };
    let primitive = &json["meshes"][0]["primitives"][0];

    let positions: Vec<f32> =
        [0.0, 0.5, 1.0, 1.5, 2.0].into_iter().flat_map(|y| [0.0, y, 0.0, 1.0, y, 0.0]).collect();
    assert_eq!(floats(&primitive["attributes"]["POSITION"], 30), positions);
    let triangles = [0, 1, 3, 0, 3, 2, 2, 3, 5, 2, 5, 4, 4, 5, 7, 4, 7, 6, 6, 7, 9, 6, 9, 8];
    let at = start(number(&primitive["indices"]));
    let indices: Vec<u16> =
        (0..24).map(|i| u16::from_le_bytes([binary[at + 2 * i], binary[at + 2 * i + 1]])).collect();
    assert_eq!(indices, triangles);
    // The writer stores joints in bytes if they fit.
    let joints = number(&primitive["attributes"]["JOINTS_0"]);
    assert_eq!(json["accessors"][joints]["componentType"], 5121);
    assert_eq!(&binary[start(joints)..start(joints) + 40], &[0, 1, 0, 0].repeat(10));
    let weights: Vec<f32> = [1.0, 0.75, 0.5, 0.25, 0.0]
        .into_iter()
        .flat_map(|first: f32| [first, 1.0 - first, 0.0, 0.0].repeat(2))
        .collect();
    assert_eq!(floats(&primitive["attributes"]["WEIGHTS_0"], 40), weights);

    let nodes = &json["nodes"];
    assert_eq!(json["skins"][0]["joints"], serde_json::json!([1, 2]));
    assert_eq!(
        nodes[1]["translation"].as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect::<Vec<_>>(),
        [0.0, 1.0, 0.0]
    );
    assert_eq!(nodes[1]["children"], serde_json::json!([2]));
    assert!(nodes[2]["translation"].is_null() && nodes[0]["children"].is_null());
    let down = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, -1.0, 0.0, 1.0];
    assert_eq!(floats(&json["skins"][0]["inverseBindMatrices"], 32), down.repeat(2));
}
