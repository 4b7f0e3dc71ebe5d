//! Constraints of nodes, which turn them after clips and edits: the equations of VRMC_node_constraint 1.0.

use glam::{DMat4, DQuat, DVec3};
use sinew_model::{Constraint, Follow, LocalTransform, Rig};

use super::local::parts;

/// Below this length, in metres, a direction is none.
const LEAST_LENGTH: f64 = 1e-12;

/// Turns all nodes that have a constraint.
pub fn apply(rig: &Rig, locals: &mut [LocalTransform]) {
    for constraint in &rig.constraints {
        let Some(rotation) = rotation(rig, locals, constraint) else { continue };
        if let Some(local) = locals.get_mut(constraint.node) {
            let (translation, _, scale) = parts(local);
            *local = LocalTransform::Trs { translation, rotation, scale };
        }
    }
}

/// The rotation of the constraint's node in its parent; `None` if the rig lacks a node or there is no direction.
fn rotation(rig: &Rig, locals: &[LocalTransform], constraint: &Constraint) -> Option<DQuat> {
    let Constraint { node, source, rule, weight } = *constraint;
    let turned = |locals: &[LocalTransform], node: usize| Some(parts(locals.get(node)?).1);
    let rest = turned(&rig.rest, node)?;
    let followed = match rule {
        Follow::Rotation => rest * turned(&rig.rest, source)?.conjugate() * turned(locals, source)?,
        Follow::Roll(axis) => {
            let in_parent = turned(locals, source)? * turned(&rig.rest, source)?.conjugate();
            let in_node = rest.conjugate() * in_parent * rest;
            let bent = DQuat::from_rotation_arc(axis, (in_node * axis).normalize());
            rest * bent.conjugate() * in_node
        }
        Follow::Aim(axis) => {
            let world_from_parent = match rig.parents.get(node).copied().flatten() {
                Some(parent) => world_from(rig, locals, parent as usize)?,
                None => DMat4::IDENTITY,
            };
            let turn = parts(&LocalTransform::from_matrix(world_from_parent)).1;
            let from = turn * rest * axis;
            let here = world_from_parent.transform_point3(parts(locals.get(node)?).0);
            let there = world_from(rig, locals, source)?.w_axis.truncate();
            let to = direction(there - here)?;
            turn.conjugate() * DQuat::from_rotation_arc(from.normalize(), to) * turn * rest
        }
    };
    let followed = if rest.dot(followed) < 0.0 { -followed } else { followed };
    Some(rest.slerp(followed, weight).normalize()).filter(|rotation| rotation.is_finite())
}

fn direction(towards: DVec3) -> Option<DVec3> {
    let length = towards.length();
    (length > LEAST_LENGTH).then(|| towards / length)
}

/// A node's transform in the world, from the local ones of all above it.
fn world_from(rig: &Rig, locals: &[LocalTransform], node: usize) -> Option<DMat4> {
    let mut matrix = locals.get(node)?.parent_from_node();
    let mut above = rig.parents.get(node).copied().flatten();
    while let Some(parent) = above {
        matrix = locals.get(parent as usize)?.parent_from_node() * matrix;
        above = rig.parents.get(parent as usize).copied().flatten();
    }
    Some(matrix)
}
