//! Inverse kinematics: turns the joints of a chain so that its end comes to a place, and keeps pinned joints where they are.
//! It must not know who moves the end, nor meshes and modes.
//!
//! No joint gets a twist of its own: each turns by the shortest arc from where the end is, seen from it, to where the end
//! shall be. Two bones bend about the hinge that they have and solve the triangle; longer chains turn joint by joint from the
//! end inwards, a little at a time (cyclic coordinate descent: Wang and Chen, *A combined optimization method for solving the
//! inverse kinematics problem of mechanical manipulators*, 1991). Where the file limits a joint's angles, they are kept.

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

/// The most bones of a chain.
pub const MAX_BONES: usize = 64;

/// How often a chain is gone through, from its end to its first joint.
const ROUNDS: usize = 200;

/// The largest turn of a joint in one round, in radians: the bend spreads over the chain instead of gathering at its end.
const MAX_TURN: f64 = 0.2;

/// How near to the goal is there, in parts of the chain's length.
const NEAR: f64 = 1e-10;

/// Bones shorter than this, in parts of the rig's size, are none: turning one of their joints is turning the other.
const SHORTEST: f64 = 1e-6;

/// The joints above a joint that turn to bring it somewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// The nodes that turn, the highest first.
    pub joints: Vec<usize>,
    /// The node whose place is wanted.
    pub end: usize,
}

/// A joint that stays where it is in the world, whatever its parents do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pin {
    /// The node.
    pub node: usize,
    /// Its place.
    pub place: DVec3,
    /// Its rotation in the world.
    pub rotation: DQuat,
}

/// The chain of this many bones that ends at a node, or of as many as there are; `None` for a root.
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

/// The rotations, each in its parent, with which the joints of a chain bring its end to a place in the world, or as near to it
/// as their lengths and limits allow. The end keeps its own rotation in its parent.
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
        // Stretched out, or held by limits: it comes no nearer.
        if (before - off).abs() <= near {
            break;
        }
    }
    arm.rotations()
}

/// The rotations that bring a pinned joint back to its place and its rotation.
pub fn hold(model: &Model, pose: &Pose, pin: &Pin, bones: usize) -> Vec<(usize, DQuat)> {
    let Some(chain) = chain(&model.rig, pose, pin.node, bones) else { return Vec::new() };
    let mut turned = reach(model, pose, &chain, pin.place);
    let Some(arm) = Arm::turned(model, pose, &chain, &turned) else { return turned };
    let parent = rotation_of(arm.above_end());
    turned.push((pin.node, (parent.conjugate() * pin.rotation).normalize()));
    turned
}

/// The pin that keeps a node where it is.
pub fn pin(pose: &Pose, node: usize) -> Option<Pin> {
    let world = pose.world_from_node.get(node)?;
    let pin = Pin { node, place: world.w_axis.truncate(), rotation: rotation_of(DMat3::from_mat4(*world)) };
    (pin.place.is_finite() && pin.rotation.is_finite()).then_some(pin)
}

/// The rotation of a transform without its stretch.
pub fn rotation_of(world_from_node: DMat3) -> DQuat {
    polar::decompose(world_from_node).rotation
}
