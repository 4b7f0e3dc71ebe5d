//! Random rigs, palettes and primitives, and comparisons of their skinned vertices.

use glam::{DMat3, DMat4, DQuat, DVec3, DVec4};
use proptest::prelude::*;
use sinew_model::{Influences, LocalTransform, Primitive, Rig, Skin, Span};
use sinew_skinning::pose::Pose;
use sinew_skinning::reference::{self, Reference};
use sinew_skinning::{SkinningMode, Slot, polar, twin, world_from_bind};

/// A palette and the primitive it moves.
#[derive(Clone, Debug)]
pub struct Case {
    pub world_from_bind: Vec<DMat4>,
    pub primitive: Primitive,
}

/// Positions, normals and tangents after skinning.
#[derive(Clone, Debug, PartialEq)]
pub struct Moved {
    pub positions: Vec<[f32; 3]>,
    pub normals: Vec<[f32; 3]>,
    pub tangents: Vec<[f32; 4]>,
}

/// What *blend* and *cor* read of each vertex; here it follows from the position.
pub struct Own {
    shares: Vec<f32>,
    centers: Vec<[f32; 3]>,
}

impl Own {
    pub fn of(primitive: &Primitive) -> Self {
        let share = |position: &[f32; 3]| (position[0] * 7.3).abs().fract();
        let center = |&[x, y, z]: &[f32; 3]| [y * 0.7, z * 0.7, x * 0.7];
        Self {
            shares: primitive.positions.iter().map(share).collect(),
            centers: primitive.positions.iter().map(center).collect(),
        }
    }

    pub fn vertices<'a>(&'a self, primitive: &'a Primitive) -> twin::Vertices<'a> {
        let Self { shares, centers } = self;
        twin::Vertices { shares: Some(shares), centers: Some(centers), ..twin::Vertices::of(primitive) }
    }
}

pub fn skin_with(mode: SkinningMode, slots: &[Slot], primitive: &Primitive) -> Moved {
    skin_vertices(mode, slots, &Own::of(primitive).vertices(primitive))
}

pub fn skin_vertices(mode: SkinningMode, slots: &[Slot], vertices: &twin::Vertices) -> Moved {
    let count = vertices.positions.len();
    let mut moved = Moved {
        positions: vec![[0.0; 3]; count],
        normals: vec![[0.0; 3]; count],
        tangents: vec![[0.0; 4]; count],
    };
    let out = twin::Skinned {
        positions: &mut moved.positions,
        normals: Some(&mut moved.normals),
        tangents: Some(&mut moved.tangents),
    };
    twin::skin(mode, slots, vertices, out);
    moved
}

pub fn slots(mode: SkinningMode, world_from_bind: &[DMat4]) -> Vec<Slot> {
    world_from_bind.iter().map(|matrix| mode.slot(matrix)).collect()
}

pub fn twin(mode: SkinningMode, case: &Case) -> Moved {
    skin_with(mode, &slots(mode, &case.world_from_bind), &case.primitive)
}

pub fn reference(mode: SkinningMode, case: &Case) -> Reference {
    reference::skin(mode, &case.world_from_bind, &Own::of(&case.primitive).vertices(&case.primitive))
}

/// The case as the joints of a mode move: without their scale if the mode drops it.
pub fn moving(mode: SkinningMode, case: &Case) -> Case {
    let mut case = case.clone();
    if mode.facts().drops_scale {
        for matrix in &mut case.world_from_bind {
            let turn = polar::decompose(DMat3::from_mat4(*matrix)).rotation;
            *matrix = DMat4::from_rotation_translation(turn, matrix.w_axis.truncate());
        }
    }
    case
}

/// The bound for hostile random input, in units of the largest coordinate.
pub fn hostile(mode: SkinningMode) -> f64 {
    2.5 * mode.facts().bound
}

/// An error that names the position if positions differ by more than `bound` times the largest coordinate of
/// either.
pub fn compare_positions(got: &[[f32; 3]], want: &[DVec3], bound: f64) -> Result<(), String> {
    if got.len() != want.len() {
        return Err(format!("{} vertices instead of {}", got.len(), want.len()));
    }
    let largest = want.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
    for (vertex, (got, want)) in got.iter().zip(want).enumerate() {
        let difference = (DVec3::from_array(got.map(f64::from)) - want).abs().max_element();
        // Not `>` and an error: a NaN must not pass.
        if difference <= bound * largest {
            continue;
        }
        return Err(format!(
            "vertex {vertex}: {got:?} instead of {want}, {:.1e} of {largest}",
            difference / largest
        ));
    }
    Ok(())
}

pub fn to_f64(positions: &[[f32; 3]]) -> Vec<DVec3> {
    positions.iter().map(|p| DVec3::from_array(p.map(f64::from))).collect()
}

pub fn within(range: std::ops::Range<f64>) -> impl Strategy<Value = DVec3> {
    (range.clone(), range.clone(), range).prop_map(|(x, y, z)| DVec3::new(x, y, z))
}

pub fn unit() -> impl Strategy<Value = DVec3> {
    within(-1.0..1.0).prop_filter_map("no direction", |v| (v.length() > 0.1).then(|| v.normalize()))
}

pub fn rotation() -> impl Strategy<Value = DQuat> {
    (unit(), -3.1..3.1).prop_map(|(axis, angle)| DQuat::from_axis_angle(axis, angle))
}

/// One in four is mirrored along an axis.
pub fn local() -> impl Strategy<Value = LocalTransform> {
    (within(-1.0..1.0), rotation(), within(0.5..1.6), 0..4).prop_map(
        |(translation, rotation, mut scale, mirror)| {
            if mirror == 0 {
                scale.x = -scale.x;
            }
            LocalTransform::Trs { translation, rotation, scale }
        },
    )
}

/// A palette from a random tree of joints: bound in one pose, posed in another. Uneven scales under rotations
/// make shear.
pub fn palette() -> impl Strategy<Value = Vec<DMat4>> {
    let joint = (local(), local(), any::<prop::sample::Index>());
    prop::collection::vec(joint, 1..8).prop_map(|joints| {
        let parent = |(node, joint): (usize, &(_, _, prop::sample::Index))| {
            (node > 0).then(|| joint.2.index(node) as u32)
        };
        let mut rig = Rig {
            names: vec![String::new(); joints.len()],
            parents: joints.iter().enumerate().map(parent).collect(),
            rest: joints.iter().map(|joint| joint.0).collect(),
            file_index: (0..joints.len() as u32).collect(),
            ..Rig::default()
        };
        let bind = Pose::rest(&rig);
        let skin = Skin {
            name: String::new(),
            joints: (0..joints.len()).collect(),
            joint_from_bind: bind.world_from_node.iter().map(DMat4::inverse).collect(),
            method: None,
        };
        rig.rest = joints.iter().map(|joint| joint.1).collect();
        world_from_bind(&skin, &Pose::rest(&rig))
    })
}

/// Weights as the loader prepares them: multiples of 2⁻²⁴ that sum to one, largest first.
pub fn prepared(mut raw: Vec<f64>) -> Vec<f32> {
    const STEPS: f64 = (1 << 24) as f64;
    let sum: f64 = raw.iter().sum();
    raw.iter_mut().for_each(|w| *w = (*w / sum * STEPS).floor());
    raw.sort_by(|a, b| b.total_cmp(a));
    raw[0] += STEPS - raw.iter().sum::<f64>();
    raw.iter().map(|w| (w / STEPS) as f32).collect()
}

/// Vertices around the origin, moved by `joints` joints through one to four spans.
pub fn primitive(joints: usize) -> impl Strategy<Value = Primitive> {
    (1..=4_usize).prop_flat_map(move |spans| {
        let slots = spans * 4;
        let vertex = (
            within(-1.0..1.0),
            unit(),
            unit(),
            prop::collection::vec(0..joints as i32, slots),
            prop::collection::vec(0.001..1.0, slots).prop_map(prepared),
        );
        prop::collection::vec(vertex, 40).prop_map(move |vertices| {
            let mut influences = vec![Span::default(); spans];
            let mut primitive = Primitive::default();
            let (mut normals, mut tangents) = (vec![], vec![]);
            for (position, normal, towards, joints, weights) in vertices {
                primitive.positions.push(position.as_vec3().to_array());
                normals.push(normal.as_vec3().to_array());
                // A little off the surface, as stored tangents are.
                let across = normal.cross(towards).try_normalize().unwrap_or(normal.any_orthonormal_vector());
                let tangent = (across + normal * 0.2).normalize();
                tangents.push(tangent.as_vec3().extend(1.0).to_array());
                for (i, span) in influences.iter_mut().enumerate() {
                    span.joints.push([0, 1, 2, 3].map(|slot| joints[i * 4 + slot]));
                    span.weights.push([0, 1, 2, 3].map(|slot| weights[i * 4 + slot]));
                }
            }
            primitive.indices = (0..primitive.positions.len() as u32 / 3 * 3).collect();
            primitive.normals = Some(normals);
            primitive.tangents = Some(tangents);
            primitive.influences = Some(Influences { spans: influences });
            primitive
        })
    })
}

pub fn case() -> impl Strategy<Value = Case> {
    palette().prop_flat_map(|world_from_bind| {
        primitive(world_from_bind.len())
            .prop_map(move |primitive| Case { world_from_bind: world_from_bind.clone(), primitive })
    })
}

/// Typical animation: turns of up to 70°, stretches by up to a fifth, an unmirrored body.
pub fn usual_case() -> impl Strategy<Value = Case> {
    let joint = (unit(), -1.2..1.2, within(0.83..1.2), within(-1.0..1.0));
    let matrix = joint.prop_map(|(axis, angle, scale, shift)| {
        DMat4::from_scale_rotation_translation(scale, DQuat::from_axis_angle(axis, angle), shift)
    });
    let palette = prop::collection::vec(matrix, 1..8);
    palette.prop_flat_map(|world_from_bind| {
        primitive(world_from_bind.len())
            .prop_map(move |primitive| Case { world_from_bind: world_from_bind.clone(), primitive })
    })
}

/// A ring of radius one around the y axis, half way between a joint that stays and one that turns.
pub fn ring_half_way(turn_degrees: f64) -> Case {
    let turn = DMat4::from_rotation_y(turn_degrees.to_radians());
    let angles = (0..32).map(|i| f64::from(i) * std::f64::consts::TAU / 32.0);
    let positions: Vec<[f32; 3]> = angles.map(|a| [a.cos() as f32, 0.0, a.sin() as f32]).collect();
    let span = Span {
        joints: vec![[0, 1, 1, 1]; positions.len()],
        weights: vec![[0.5, 0.5, 0.0, 0.0]; positions.len()],
    };
    let influences = Some(Influences { spans: vec![span] });
    Case {
        world_from_bind: vec![DMat4::IDENTITY, turn],
        primitive: Primitive { positions, influences, ..Primitive::default() },
    }
}

/// The smallest |q · pivot| of any vertex: where it is nearly zero, rounding decides which side of the sphere a
/// quaternion is on, and two computations need not agree.
pub fn nearest_to_half_turn(case: &Case) -> f64 {
    let q: Vec<_> = slots(SkinningMode::DualQuat, &case.world_from_bind)
        .iter()
        .map(|slot| DQuat::from_array(slot.columns[0].map(f64::from)))
        .collect();
    let dots = q.iter().flat_map(|a| q.iter().map(|b| a.dot(*b).abs()));
    dots.fold(1.0, f64::min)
}

/// The largest difference between normals or tangents, handedness included.
pub fn largest_turn(got: &Moved, want: &Reference) -> f64 {
    let normals = got.normals.iter().zip(want.normals.iter().flatten());
    let normals =
        normals.map(|(got, want)| (DVec3::from_array(got.map(f64::from)) - want).abs().max_element());
    let tangents = got.tangents.iter().zip(want.tangents.iter().flatten());
    let tangents =
        tangents.map(|(got, want)| (DVec4::from_array(got.map(f64::from)) - want).abs().max_element());
    normals.chain(tangents).fold(0.0, |largest, difference| {
        if largest.is_nan() || difference <= largest { largest } else { difference }
    })
}

pub fn one_influence(mut case: Case) -> Case {
    for (index, span) in case.primitive.influences.iter_mut().flat_map(|i| &mut i.spans).enumerate() {
        let first = if index == 0 { 1.0 } else { 0.0 };
        span.weights.iter_mut().for_each(|w| *w = [first, 0.0, 0.0, 0.0]);
    }
    case
}
