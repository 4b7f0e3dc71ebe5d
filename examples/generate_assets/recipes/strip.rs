//! The strip of the glTF tutorial's chapter on skins, number by number.
//! It must not be improved: people compare what they see with the tutorial.

use glam::{DMat4, DQuat, DVec3};
use sinew::model::{
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

/// Ten vertices, eight triangles, two joints; influence slots are not sorted.
pub fn strip() -> Model {
    let mut strip = Primitive::default();
    let mut span = Span::default();
    for (rung, &upper) in UPPER_SHARE.iter().enumerate() {
        for x in [-0.5, 0.5] {
            strip.positions.push([x, 0.5 * rung as f32, 0.0]);
            span.joints.push([0, i32::from(upper > 0.0), 0, 0]);
            span.weights.push([1.0 - upper, upper, 0.0, 0.0]);
        }
    }
    for rung in 0..4 {
        let a = 2 * rung;
        strip.indices.extend([a, a + 1, a + 3, a, a + 3, a + 2]);
    }
    strip.influences = Some(Influences { spans: vec![span] });

    let upper = DVec3::Y;
    Model {
        rig: Rig {
            names: ["strip", "lower", "upper"].map(String::from).to_vec(),
            parents: vec![None, None, Some(1)],
            rest: vec![
                LocalTransform::IDENTITY,
                LocalTransform::IDENTITY,
                LocalTransform::Trs { translation: upper, rotation: DQuat::IDENTITY, scale: DVec3::ONE },
            ],
            file_index: vec![0, 1, 2],
            ..Rig::default()
        },
        meshes: vec![Mesh { name: "strip".into(), primitives: vec![strip], ..Mesh::default() }],
        skins: vec![Skin {
            name: "strip".into(),
            joints: vec![1, 2],
            joint_from_bind: vec![DMat4::IDENTITY, DMat4::from_translation(-upper)],
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
