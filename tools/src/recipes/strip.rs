//! The strip of the glTF tutorial's chapter on skins, number by number as its table had it in 2017. Do not
//! improve it: people compare it with the tutorial.

use glam::{DMat4, DQuat, DVec3};
use sinew_model::{
    Channel, Clip, Influences, Instance, Interpolation, LocalTransform, Mesh, Model, Primitive, Property,
    Rig, Skin, Span,
};

/// Five rungs of two vertices, the upper joint's share growing from rung to rung.
const UPPER_SHARE: [f32; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Sine and cosine of half the angle, as the tutorial rounds them, key by key.
const ROTATION_Z: [(f32, f32); 12] = [
    (0.0, 1.0),
    (0.383, 0.924),
    (0.707, 0.707),
    (0.707, 0.707),
    (0.383, 0.924),
    (0.0, 1.0),
    (0.0, 1.0),
    (-0.383, 0.924),
    (-0.707, 0.707),
    (-0.707, 0.707),
    (-0.383, 0.924),
    (0.0, 1.0),
];

/// Ten vertices, eight triangles, two joints. All vertices name the same two joints, and the weights say which
/// of them is the heavier.
pub fn strip() -> Model {
    let mut strip = Primitive::default();
    let mut span = Span::default();
    for (rung, &upper) in UPPER_SHARE.iter().enumerate() {
        for x in [0.0, 1.0] {
            strip.positions.push([x, 0.5 * rung as f32, 0.0]);
            span.joints.push([0, 1, 0, 0]);
            span.weights.push([1.0 - upper, upper, 0.0, 0.0]);
        }
    }
    for rung in 0..4 {
        let a = 2 * rung;
        strip.indices.extend([a, a + 1, a + 3, a, a + 3, a + 2]);
    }
    strip.influences = Some(Influences { spans: vec![span] });

    // Both joints stand at the same place: the lower one moves there, the upper one is its child.
    let joints_at = DVec3::Y;
    let moved = LocalTransform::Trs { translation: joints_at, rotation: DQuat::IDENTITY, scale: DVec3::ONE };
    Model {
        rig: Rig {
            names: ["strip", "lower", "upper"].map(String::from).to_vec(),
            parents: vec![None, None, Some(1)],
            rest: vec![LocalTransform::IDENTITY, moved, LocalTransform::IDENTITY],
            file_index: vec![0, 1, 2],
            ..Rig::default()
        },
        meshes: vec![Mesh { name: "strip".into(), primitives: vec![strip], ..Mesh::default() }],
        skins: vec![Skin {
            name: "strip".into(),
            joints: vec![1, 2],
            joint_from_bind: [DMat4::from_translation(-joints_at); 2].into(),
            method: None,
        }],
        instances: vec![Instance { node: 0, mesh: 0, skin: Some(0) }],
        clips: vec![Clip {
            name: "swing".into(),
            duration_secs: 5.5,
            channels: vec![Channel {
                node: 2,
                property: Property::Rotation,
                interpolation: Interpolation::Linear,
                times: (0..12).map(|k| 0.5 * k as f32).collect(),
                values: ROTATION_Z.iter().flat_map(|&(sin, cos)| [0.0, 0.0, sin, cos]).collect(),
            }],
        }],
        ..Model::default()
    }
}

/// Overwrites the file's joints with the table's: the table names both joints in every vertex, the writer only
/// those that have weight (as the format demands and its validator checks).
pub fn name_both_joints(glb: &mut [u8]) {
    let written = [[[0, 0, 0, 0]; 2].concat(), [[0, 1, 0, 0]; 8].concat()].concat();
    let places: Vec<usize> = glb
        .windows(written.len())
        .enumerate()
        .filter(|(_, bytes)| *bytes == written)
        .map(|(at, _)| at)
        .collect();
    assert_eq!(places.len(), 1, "the joints of the strip are somewhere else than they were");
    glb[places[0]..][..written.len()].copy_from_slice(&[[0, 1, 0, 0]; 10].concat());
}
