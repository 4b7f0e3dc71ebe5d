//! Finds a vertex and gathers its explanation.

use glam::{DAffine3, DMat4, DVec3};

use super::explanation::{Explanation, Influence, Motion, Mover, Named, OwnNumbers, Sign};
use super::place::{bind_place, one, shown, stored_place};
use super::{loading, modes};
use crate::palette::{Transforms, finite};
use sinew_model::{
    Instance, Mesh, Model, NotDrawn, Owner, Primitive, PrimitiveName, VertexIndex, VertexName,
};
use sinew_skinning::distinct::{Distinct, is_scaled};
use sinew_skinning::pose::Pose;
use sinew_skinning::posed;
use sinew_skinning::reference::{JointMotion, Own, blended, side};
use sinew_skinning::twin::Vertices;
use sinew_skinning::{Fault, SkinningMode, matrices_into, skin_of, world_from_bound};
use sinew_text::length::Unit;

/// Explains a vertex.
///
/// # Errors
/// If no instance draws it.
pub fn explain(model: &Model, pose: &Pose, vertex: VertexIndex) -> Result<Explanation, NotDrawn> {
    let found = find(model, vertex)?;
    let Found { instance, mesh, primitive } = found;
    let bind = bind_place(model, instance, primitive, vertex.vertex, None);
    let place = bind_place(model, instance, primitive, vertex.vertex, Some(pose));
    let slots = slots(model, pose, found, vertex.vertex);
    let skin = skin_of(model, instance, primitive.influences.is_some());
    let motions: Vec<(JointMotion, f64)> = slots.iter().map(|slot| (slot.motion, slot.weight)).collect();
    let own = |mode| posed::own_of(model, mode, pose, vertex);
    let own_numbers = skin.map(|_| own_numbers(&own(SkinningMode::CenterOfRotation), &motions));
    let scales = skin.is_some() && slots.iter().any(|slot| is_scaled(&slot.motion.m.into()));
    let distinct = Distinct::new(&pose.skins.shares, scales);
    let surrounded = |mode| posed::surrounded_transform(model, mode, pose, vertex);
    let modes =
        modes::moved(distinct.modes.iter().copied(), &motions, skin.is_some(), &place, own, surrounded);
    let moving = instance.skin.filter(|_| skin.is_some() && !pose.is_bind());
    let bound = moving.and_then(|skin| world_from_bound(model).get(skin).copied());
    let influences = influences(model, pose, &slots, place.position, &bound.unwrap_or_default());

    Ok(Explanation {
        vertex: VertexName::of(model, vertex).to_string(),
        mesh: Named { number: instance.mesh, name: mesh.name.clone() },
        primitive: primitive.file_index,
        index: vertex.vertex,
        node: Named {
            number: model.rig.file_index.get(instance.node).map_or(0, |&node| node as usize),
            name: model.rig.names.get(instance.node).cloned().unwrap_or_default(),
        },
        mover: match (skin, instance.skin) {
            (Some(skin), Some(number)) => Mover::Skin(Named { number, name: skin.name.clone() }),
            _ => Mover::Node,
        },
        is_bind_pose: pose.is_bind(),
        stored: stored_place(primitive, vertex.vertex),
        morphed: (place != bind).then(|| shown(&place)),
        dual_quaternions: skin.is_some().then(|| modes::dual_quaternions(&motions, &influences)),
        no_joint: skin.and_then(|_| no_joint(model, pose, instance, &slots, place.position)),
        influences,
        modes,
        equal_to_dqs: distinct.left_out(),
        left_out: distinct.sentence().filter(|_| skin.is_some()),
        own: own_numbers,
        loading: loading::of(model, instance, primitive, vertex.vertex),
        screen: None,
    })
}

fn own_numbers(own: &Own, motions: &[(JointMotion, f64)]) -> OwnNumbers {
    let slots: Vec<(&JointMotion, f64)> = motions.iter().map(|(motion, weight)| (motion, *weight)).collect();
    let linear = blended(SkinningMode::Linear, &slots, own).b;
    OwnNumbers {
        blend_share: own.share,
        center: own.center.to_array(),
        center_placed: finite(linear.transform_point3(own.center).to_array()),
    }
}

/// The instance and primitive of a vertex.
#[derive(Clone, Copy)]
pub(super) struct Found<'a> {
    pub instance: &'a Instance,
    mesh: &'a Mesh,
    pub primitive: &'a Primitive,
}

pub(super) fn find(model: &Model, index: VertexIndex) -> Result<Found<'_>, NotDrawn> {
    let VertexIndex { instance: number, primitive, vertex } = index;
    let owner = Owner::Instance(number);
    let instance = model.instances.get(number).ok_or(NotDrawn::Owner(owner))?;
    let lacks_primitive = NotDrawn::Primitive(PrimitiveName { owner, primitive });
    let mesh = model.meshes.get(instance.mesh).ok_or(lacks_primitive)?;
    let primitive = mesh.primitives.get(primitive).ok_or(lacks_primitive)?;
    let count = primitive.positions.len();
    if vertex >= count {
        return Err(NotDrawn::Vertex { name: VertexName::of(model, index), count });
    }
    Ok(Found { instance, mesh, primitive })
}

/// One slot of a vertex's spans.
pub(super) struct Slot {
    /// The joint; `None` without a skin.
    joint: Option<i32>,
    /// The index in the rig.
    node: Option<usize>,
    pub weight: f64,
    joint_from_bind: DMat4,
    world_from_bind: DMat4,
    pub motion: JointMotion,
}

/// Returns all slots of a vertex, including those without weight, because the reference sums them all. Without a skin, the
/// node.
pub(super) fn slots(model: &Model, pose: &Pose, found: Found<'_>, vertex: usize) -> Vec<Slot> {
    let Found { instance, primitive, .. } = found;
    let skin = skin_of(model, instance, primitive.influences.is_some());
    let mut palette = Vec::new();
    matrices_into(model, instance, primitive.influences.is_some(), pose, &mut palette);
    let influences = primitive.influences.as_ref().filter(|_| skin.is_some());
    let vertices = Vertices { influences, ..Vertices::of(primitive) };
    let (joints, weights, spans) = vertices.influences_of(vertex);
    let numbered = joints.as_flattened().iter().zip(weights.as_flattened());
    let slot = |(&number, &weight): (&i32, &f32)| {
        let joint = usize::try_from(number).ok().filter(|&joint| joint < palette.len());
        let matrix = |joint: usize| palette.get(joint).copied();
        let world_from_bind = joint.and_then(matrix).unwrap_or(DMat4::IDENTITY);
        let bind = |joint: usize| skin.and_then(|skin| skin.joint_from_bind.get(joint)).copied();
        Slot {
            joint: skin.map(|_| joint.map_or(-1, |_| number)),
            node: match skin {
                Some(skin) => joint.and_then(|joint| skin.joints.get(joint)).copied(),
                None => Some(instance.node),
            },
            weight: f64::from(weight),
            joint_from_bind: joint.and_then(bind).unwrap_or(DMat4::IDENTITY),
            world_from_bind,
            motion: JointMotion::new(&world_from_bind),
        }
    };
    let all = numbered.map(slot).take(spans.saturating_mul(4));
    if skin.is_some() { all.collect() } else { all.take(1).collect() }
}

/// Returns a sentence on a vertex with weight on "no joint": its motion if −1 were read as 0.
fn no_joint(
    model: &Model,
    pose: &Pose,
    instance: &Instance,
    slots: &[Slot],
    position: DVec3,
) -> Option<String> {
    let weight: f64 = slots.iter().filter(|slot| slot.joint == Some(-1)).map(|slot| slot.weight).sum();
    let mut palette = Vec::new();
    matrices_into(model, instance, true, pose, &mut palette);
    let first = palette.first().filter(|_| weight > 0.0)?;
    let apart = (first.transform_point3(position) - position).length() * weight;
    let (apart, fault) = (Unit::of([apart]).shown(apart), Fault::NoJointAsZero);
    Some(format!(
        "-1 does not move the vertex; read as joint 0, it would by {apart} in lbs (--inject {fault})"
    ))
}

/// Returns the slots in use: those with weight, and the first, which rigid skinning follows.
fn influences(
    model: &Model,
    pose: &Pose,
    slots: &[Slot],
    position: DVec3,
    world_from_bound: &DAffine3,
) -> Vec<Influence> {
    let unmoved = world_from_bound.transform_point3(position);
    let Some(pivot) = slots.first() else { return Vec::new() };
    let is_used = |&(number, slot): &(usize, &Slot)| number == 0 || slot.weight > 0.0;
    let influence = |(_, slot): (usize, &Slot)| {
        let alone = slot.motion.m.transform_point3(position);
        let side = side(&slot.motion, &pivot.motion);
        let sign = Sign { dot: one(side.dot), is_flipped: side.is_flipped, is_tie: side.is_tie };
        let name = slot.node.and_then(|node| model.rig.names.get(node));
        Influence {
            joint: slot.joint,
            node: slot.node.and_then(|node| model.rig.file_index.get(node)).copied(),
            name: name.cloned().unwrap_or_default(),
            weight: one(slot.weight).unwrap_or(0.0),
            alone: finite(alone.to_array()),
            alone_from_bind: one(alone.distance(unmoved)),
            sign: slot.joint.map(|_| sign),
            transforms: Transforms::of(pose, slot.node, &slot.joint_from_bind, &slot.world_from_bind),
            motion: motion(&slot.motion),
        }
    };
    slots.iter().enumerate().filter(is_used).map(influence).collect()
}

fn motion(joint: &JointMotion) -> Motion {
    let JointMotion { m, q, d, s, .. } = joint;
    Motion {
        rotation: finite(q.to_array()),
        dual: finite(d.to_array()),
        stretch: s.is_finite().then(|| s.to_cols_array_2d()),
        determinant: one(m.matrix3.determinant()),
    }
}
