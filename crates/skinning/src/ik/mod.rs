//! Inverse kinematics: turns the joints of a chain so that its end reaches a position, and keeps pinned joints in place. It
//! must not depend on user input, meshes or modes.
//!
//! No joint gets an extra twist: each turns by the shortest arc from the end's direction, seen from the joint, to the
//! goal's. Two bones bend about their hinge and solve the triangle. Longer chains turn joint by joint from the end inwards,
//! a little at a time (cyclic coordinate descent: Wang and Chen, *A combined optimization method for solving the inverse
//! kinematics problem of mechanical manipulators*, 1991). Turns stay within the file's limits on a joint's angles.

mod arm;
mod bend;
mod limits;
#[cfg(test)]
mod tests;

use glam::{DMat3, DQuat, DVec3};
use sinew_model::{Model, Rig};

use crate::polar;
use crate::pose::Pose;
use arm::Arm;

pub use limits::within;

/// The maximum number of bones in a chain.
pub const MAX_BONES: usize = 64;

/// The maximum number of passes over a chain, from its end to its first joint.
const ROUNDS: usize = 200;

/// The maximum turn of a joint in one round, in radians. It makes the bend spread over the chain instead of gathering at its
/// end.
const MAX_TURN: f64 = 0.2;

/// Convergence tolerance, as a fraction of the chain's length.
const NEAR: f64 = 1e-10;

/// The minimum length of a bone, as a fraction of the rig's size. Turning one end of a shorter bone is turning the other.
const SHORTEST: f64 = 1e-6;

/// The joints that turn to move a joint to a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// The nodes that turn, the highest first.
    pub joints: Vec<usize>,
    /// The node to move.
    pub end: usize,
}

/// A joint that keeps its place in the world when its parents move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pin {
    /// The node.
    pub node: usize,
    /// Its position in the world.
    pub place: DVec3,
    /// Its rotation in the world.
    pub rotation: DQuat,
}

/// Returns the chain of this many bones that ends at a node, or a shorter one that begins at the root; `None` for a root.
pub fn chain(rig: &Rig, pose: &Pose, end: usize, bones: usize) -> Option<Chain> {
    let place = |node: usize| pose.world_from_node.get(node).map(|world| world.w_axis.truncate());
    let size = pose.world_from_node.iter().map(|world| world.w_axis.truncate().abs().max_element());
    let shortest = size.filter(|size| size.is_finite()).fold(0.0, f64::max) * SHORTEST;
    let mut joints = Vec::new();
    let (mut below, mut at) = (place(end)?, rig.parents.get(end).copied().flatten());
    while let Some(node) = at.map(|node| node as usize).filter(|_| joints.len() < bones.min(MAX_BONES)) {
        let here = place(node)?;
        if here.distance(below) > shortest {
            joints.push(node);
            below = here;
        }
        at = rig.parents.get(node).copied().flatten();
    }
    joints.reverse();
    (!joints.is_empty()).then_some(Chain { joints, end })
}

/// Returns the rotations, each in its parent, with which the joints of a chain bring its end to a position in the world, or
/// as near to it as their lengths and limits allow. The end keeps its own rotation in its parent.
pub fn reach(model: &Model, pose: &Pose, chain: &Chain, goal: DVec3) -> Vec<(usize, DQuat)> {
    if !goal.is_finite() {
        return Vec::new();
    }
    let Some(mut arm) = Arm::new(model, pose, chain) else { return Vec::new() };
    let near = arm.length() * NEAR;
    if let [upper, lower] = arm.turning()[..] {
        let hinge = bend::hinge(model, pose, chain);
        bend::bend(&mut arm, [upper, lower], hinge, goal);
    }
    let mut off = arm.end().distance(goal);
    if off > near {
        arm.loosen(goal);
    }
    for _ in 0..ROUNDS {
        if off <= near {
            break;
        }
        for at in arm.turning().iter().rev().copied().collect::<Vec<_>>() {
            arm.aim(at, arm.end(), goal, MAX_TURN);
        }
        let before = std::mem::replace(&mut off, arm.end().distance(goal));
        // Stretched out, or at its limits: it comes no nearer.
        if (before - off).abs() <= near {
            break;
        }
    }
    arm.rotations()
}

/// Returns the rotations that bring a pinned joint back to its position and rotation.
pub fn hold(model: &Model, pose: &Pose, pin: &Pin, bones: usize) -> Vec<(usize, DQuat)> {
    let Some(chain) = chain(&model.rig, pose, pin.node, bones) else { return Vec::new() };
    let mut turned = reach(model, pose, &chain, pin.place);
    let Some(arm) = Arm::turned(model, pose, &chain, &turned) else { return turned };
    let parent = rotation_of(arm.above_end());
    turned.push((pin.node, (parent.conjugate() * pin.rotation).normalize()));
    turned
}

/// Returns a pin that keeps a node in place.
pub fn pin(pose: &Pose, node: usize) -> Option<Pin> {
    let world = pose.world_from_node.get(node)?;
    let pin = Pin { node, place: world.w_axis.truncate(), rotation: rotation_of(DMat3::from_mat4(*world)) };
    (pin.place.is_finite() && pin.rotation.is_finite()).then_some(pin)
}

/// Returns the rotation of a transform without its stretch.
pub fn rotation_of(world_from_node: DMat3) -> DQuat {
    polar::decompose(world_from_node).rotation
}
