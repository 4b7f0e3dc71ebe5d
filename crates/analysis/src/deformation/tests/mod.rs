//! Hand-made meshes for the tests, with functions that skin and measure them.

mod model_tests;
mod pose_tests;
mod surface_tests;

use std::f64::consts::{PI, TAU};

use glam::{DMat4, DQuat, DVec3};

use super::*;
use sinew_model::{
    Deltas, Influences, Instance, LocalTransform, Mesh, Model, Morphs, Primitive, Rig, Skin, Span, Topology,
    builtin, gltf,
};
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::posed::{SkinnedPrimitive, reference_model};

/// Makes a mesh drawn once: without joints, or with a chain of joints at these heights above the origin.
pub(crate) fn model(primitives: Vec<Primitive>, joints: &[f64]) -> Model {
    let mut rig = Rig::default();
    let mut add = |parent: Option<u32>, y: f64| {
        let translation = DVec3::new(0.0, y, 0.0);
        rig.names.push(String::new());
        rig.parents.push(parent);
        rig.rest.push(LocalTransform::Trs { translation, rotation: DQuat::IDENTITY, scale: DVec3::ONE });
        rig.file_index.push(rig.file_index.len() as u32);
    };
    add(None, 0.0);
    for (number, y) in joints.iter().enumerate() {
        let below = number.checked_sub(1);
        add(below.map(|below| below as u32 + 1), y - below.map_or(0.0, |below| joints[below]));
    }
    let inverse = |y: &f64| DMat4::from_translation(DVec3::new(0.0, -y, 0.0));
    let skin = Skin {
        joints: (1..=joints.len()).collect(),
        joint_from_bind: joints.iter().map(inverse).collect(),
        ..Skin::default()
    };
    Model {
        rig,
        meshes: vec![Mesh { primitives, ..Mesh::default() }],
        skins: vec![skin],
        instances: vec![Instance { node: 0, mesh: 0, skin: (!joints.is_empty()).then_some(0) }],
        ..Model::default()
    }
}

fn primitive(positions: Vec<[f32; 3]>, indices: &[u32]) -> Primitive {
    Primitive { positions, indices: indices.to_vec(), ..Primitive::default() }
}

pub(crate) fn with_joints(
    mut primitive: Primitive,
    of: impl Fn([f32; 3]) -> ([i32; 4], [f32; 4]),
) -> Primitive {
    let (joints, weights) = primitive.positions.iter().map(|&position| of(position)).unzip();
    primitive.influences = Some(Influences { spans: vec![Span { joints, weights }] });
    primitive
}

/// The sides of the unit cube, two triangles each, outside out.
pub(crate) const SIDES: [[usize; 4]; 6] =
    [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];

/// Makes some sides of a cube, each with four separate vertices.
pub(crate) fn cube(sides: &[[usize; 4]]) -> Primitive {
    let corner = |&number: &usize| [number & 1, number >> 1 & 1, number >> 2 & 1].map(|bit| bit as f32);
    let positions = sides.iter().flatten().map(corner).collect();
    let indices: Vec<u32> =
        (0..sides.len() as u32).flat_map(|side| [0, 1, 2, 0, 2, 3].map(|corner| 4 * side + corner)).collect();
    primitive(positions, &indices)
}

/// Makes a square of cells in the plane z = 0, each cut by the diagonal that avoids its corner nearest to the origin.
pub(crate) fn grid(cells: u32) -> Primitive {
    let row = cells + 1;
    let positions =
        (0..row * row).map(|number| [(number % row) as f32, (number / row) as f32, 0.0]).collect();
    let cell = |number: u32| {
        let a = number / cells * row + number % cells;
        [a, a + 1, a + row, a + 1, a + row + 1, a + row]
    };
    primitive(positions, &(0..cells * cells).flat_map(cell).collect::<Vec<_>>())
}

/// Makes an open tube around the y axis from −1 to 2, with rings a quarter apart.
pub(crate) fn tube(radius: f32) -> Primitive {
    let (rings, around) = (13, 24);
    let position = |number: u32| {
        let angle = f64::from(number % around) / f64::from(around) * TAU;
        let y = (number / around) as f32 / 4.0 - 1.0;
        [radius * angle.cos() as f32, y, radius * angle.sin() as f32]
    };
    let quad = |number: u32| {
        let (ring, at, next) = (number / around * around, number % around, (number + 1) % around);
        let [a, b] = [ring + at, ring + next];
        [a, a + around, b, b, a + around, b + around]
    };
    let indices: Vec<u32> = (0..(rings - 1) * around).flat_map(quad).collect();
    primitive((0..rings * around).map(position).collect(), &indices)
}

/// Returns weights that go from joint 0 to joint 1 around y = 1, where they are equal.
pub(crate) fn twisting([_, y, _]: [f32; 3]) -> ([i32; 4], [f32; 4]) {
    let upper = y.clamp(0.5, 1.5) - 0.5;
    if upper > 0.5 {
        ([1, 0, 0, 0], [upper, 1.0 - upper, 0.0, 0.0])
    } else {
        ([0, 1, 1, 1], [1.0 - upper, upper, 0.0, 0.0])
    }
}

/// Returns the rest pose with rotations of some nodes.
fn turned_by(model: &Model, turns: &[(usize, DQuat)]) -> Pose {
    let mut pose = Pose::rest(&model.rig);
    for &(node, turn) in turns {
        if let LocalTransform::Trs { rotation, .. } = &mut pose.locals[node] {
            *rotation = turn;
        }
    }
    pose.update_world(&model.rig);
    pose
}

pub(crate) fn skin(model: &Model, mode: SkinningMode, pose: &Pose) -> Vec<SkinnedPrimitive<f64>> {
    reference_model(model, mode, pose).into_iter().map(|truth| truth.skinned).collect()
}

/// Measures a model whose stored positions are moved by hand.
fn moved(model: &Model, by: impl Fn(DVec3) -> DVec3) -> Frame {
    let pose = Pose::rest(&model.rig);
    let mut skinned = skin(model, SkinningMode::Rigid, &pose);
    for position in skinned.iter_mut().flat_map(|skinned| &mut skinned.positions) {
        *position = by(DVec3::from_array(*position)).to_array();
    }
    measure(&Shape::new(model).unwrap(), model, &pose, 0.0, &skinned, &mut Scratch::default())
}

/// Measures two poses, one after the other, and returns the second frame.
fn after(model: &Model, mode: SkinningMode, poses: [&Pose; 2]) -> Frame {
    let shape = Shape::new(model).unwrap();
    let mut scratch = Scratch::default();
    let [first, second] =
        poses.map(|pose| measure(&shape, model, pose, 0.0, &skin(model, mode, pose), &mut scratch));
    assert_eq!(first.jump, None);
    second
}

#[track_caller]
fn close(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-9, "{a} is not {b}");
}
