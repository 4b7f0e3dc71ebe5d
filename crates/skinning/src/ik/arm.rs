//! The nodes from a chain's first joint to its end, posed again after each turn.

use glam::{DMat3, DMat4, DQuat, DVec3};
use sinew_model::{LocalTransform, Model};

use super::{Chain, limits};
use crate::pose::{Pose, split};

/// A chain is straight if its joints are off its line by less than this fraction of its length.
const STRAIGHT: f64 = 1e-6;

/// The initial bend of each joint of a straight chain, in radians.
const LOOSE: f64 = 0.05;

/// A chain with the nodes between its joints.
pub struct Arm<'a> {
    model: &'a Model,
    /// Every node from the first joint to the end.
    nodes: Vec<usize>,
    locals: Vec<LocalTransform>,
    world_from_node: Vec<DMat4>,
    /// The transform of the first joint's parent.
    world_from_above: DMat4,
    /// The nodes that turn, the highest first.
    turning: Vec<usize>,
}

impl<'a> Arm<'a> {
    /// Collects the nodes of a chain in a pose.
    pub fn new(model: &'a Model, pose: &Pose, chain: &Chain) -> Option<Self> {
        let first = *chain.joints.first()?;
        let parent =
            |node: usize| model.rig.parents.get(node).copied().flatten().map(|parent| parent as usize);
        let mut nodes = vec![chain.end];
        while *nodes.last()? != first {
            nodes.push(parent(*nodes.last()?)?);
        }
        nodes.reverse();
        let local = |node: &usize| match pose.locals.get(*node) {
            Some(LocalTransform::Matrix(matrix)) => Some(split(matrix)),
            local => local.copied(),
        };
        let above =
            parent(first).map_or(Some(DMat4::IDENTITY), |above| pose.world_from_node.get(above).copied());
        let mut arm = Self {
            model,
            locals: nodes.iter().map(local).collect::<Option<_>>()?,
            world_from_node: vec![DMat4::IDENTITY; nodes.len()],
            world_from_above: above?,
            turning: (0..nodes.len())
                .filter(|at| nodes.get(*at).is_some_and(|node| chain.joints.contains(node)))
                .collect(),
            nodes,
        };
        arm.update(0);
        arm.world_from_node.iter().all(DMat4::is_finite).then_some(arm)
    }

    /// Returns the nodes of a chain, with other rotations.
    pub fn turned(model: &'a Model, pose: &Pose, chain: &Chain, turned: &[(usize, DQuat)]) -> Option<Self> {
        let mut arm = Self::new(model, pose, chain)?;
        for (node, to) in turned {
            let at = arm.nodes.iter().position(|known| known == node);
            if let Some(LocalTransform::Trs { rotation, .. }) = at.and_then(|at| arm.locals.get_mut(at)) {
                *rotation = *to;
            }
        }
        arm.update(0);
        Some(arm)
    }

    /// Returns the nodes that turn, the highest first.
    pub fn turning(&self) -> &[usize] {
        &self.turning
    }

    /// Returns the position of one of the nodes.
    pub fn place(&self, at: usize) -> DVec3 {
        self.world_from_node.get(at).map_or(DVec3::ZERO, |world| world.w_axis.truncate())
    }

    /// Returns the position of the end.
    pub fn end(&self) -> DVec3 {
        self.place(self.nodes.len().saturating_sub(1))
    }

    /// Returns the axes of the end's parent.
    pub fn above_end(&self) -> DMat3 {
        let above = self.nodes.len().checked_sub(2).and_then(|at| self.world_from_node.get(at));
        DMat3::from_mat4(*above.unwrap_or(&self.world_from_above))
    }

    /// Returns the total length of the bones.
    pub fn length(&self) -> f64 {
        (1..self.nodes.len()).map(|at| self.place(at).distance(self.place(at - 1))).sum()
    }

    /// Turns a node by the shortest arc that takes a point, seen from the node, into the direction of another. The turn is
    /// at most `most` radians and within the joint's limits.
    pub fn aim(&mut self, at: usize, point: DVec3, goal: DVec3, most: f64) {
        let above = at.checked_sub(1).and_then(|above| self.world_from_node.get(above));
        let parent_from_world = DMat3::from_mat4(*above.unwrap_or(&self.world_from_above)).inverse();
        let here = self.place(at);
        let [from, to] = [point, goal].map(|point| (parent_from_world * (point - here)).try_normalize());
        let (Some(from), Some(to), Some(node)) = (from, to, self.nodes.get(at)) else { return };
        let mut arc = DQuat::from_rotation_arc(from, to);
        let angle = from.angle_between(to);
        if angle > most {
            arc = DQuat::IDENTITY.slerp(arc, most / angle);
        }
        let limits = self.model.rig.limits.get(node);
        if let Some(LocalTransform::Trs { rotation, .. }) = self.locals.get_mut(at) {
            let turned = (arc * *rotation).normalize();
            if !turned.is_finite() {
                return;
            }
            *rotation = limits.map_or(turned, |limits| limits::within(limits, turned));
        }
        self.update(at);
    }

    /// Bends a chain slightly if it is straight and the goal lies on its line. Otherwise the joints would have no direction
    /// to turn in.
    pub fn loosen(&mut self, goal: DVec3) {
        let first = self.turning.first().map_or(DVec3::ZERO, |first| self.place(*first));
        let Some(line) = (goal - first).try_normalize() else { return };
        let mut places = (0..self.nodes.len()).map(|at| self.place(at));
        if places.any(|place| (place - first).cross(line).length() > self.length() * STRAIGHT) {
            return;
        }
        let aside = line.any_orthonormal_vector();
        for at in self.turning.clone().into_iter().skip(1) {
            let end = self.end();
            self.aim(at, end, end + aside * self.length(), LOOSE);
        }
    }

    /// Returns the rotations of the joints that turn.
    pub fn rotations(&self) -> Vec<(usize, DQuat)> {
        let rotation = |at: &usize| match (self.nodes.get(*at)?, self.locals.get(*at)?) {
            (node, LocalTransform::Trs { rotation, .. }) => Some((*node, *rotation)),
            (_, LocalTransform::Matrix(_)) => None,
        };
        self.turning.iter().filter_map(rotation).collect()
    }

    /// Poses a node and its descendants.
    fn update(&mut self, from: usize) {
        let above = from.checked_sub(1).and_then(|above| self.world_from_node.get(above));
        let mut parent = *above.unwrap_or(&self.world_from_above);
        for (world, local) in self.world_from_node.iter_mut().zip(&self.locals).skip(from) {
            *world = parent * local.parent_from_node();
            parent = *world;
        }
    }
}
