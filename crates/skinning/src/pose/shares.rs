//! Shares of dual quaternion skinning in the mode *blend*, as plain data: those that the model's author painted, or one for
//! all joints and others for some.

use std::collections::BTreeMap;

use super::names::{Names, node_name};
use crate::twin::{MAX_SPANS, Vertices};
use sinew_model::{Model, Primitive, Skin};

/// The share of each joint, from 0 (linear blend) to 1 (dual quaternions). A vertex has the weighted mean of its joints'
/// shares. If none are set, a vertex has the share that its author painted, or 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shares {
    all: Option<f64>,
    joints: BTreeMap<usize, JointShare>,
    /// True if the model's vertices have painted shares.
    is_painted: bool,
}

/// The share of one joint.
#[derive(Clone, Debug, PartialEq)]
pub struct JointShare {
    /// The joint's name in files and on command lines.
    pub name: String,
    /// Its share.
    pub share: f64,
}

/// Returns true if a number can be a share.
pub fn is_share(share: f64) -> bool {
    (0.0..=1.0).contains(&share)
}

impl Shares {
    /// Returns the unchanged shares of a model.
    pub fn of_model(model: &Model) -> Self {
        Self { is_painted: model.has_shares(), ..Self::default() }
    }

    /// Records the presence of painted shares in the model.
    pub fn note(&mut self, model: &Model) {
        self.is_painted = model.has_shares();
    }

    /// Returns true if any share is set.
    pub fn are_set(&self) -> bool {
        self.all.is_some() || !self.joints.is_empty()
    }

    /// Returns true if every share is 1, which makes *blend* the same as dual quaternion skinning.
    pub fn is_one(&self) -> bool {
        let is_painted = self.is_painted && !self.are_set();
        !is_painted && self.all() == 1.0 && self.joints.values().all(|joint| joint.share == 1.0)
    }

    /// Returns the share of all joints without a separate one.
    pub fn all(&self) -> f64 {
        self.all.unwrap_or(1.0)
    }

    /// Returns that share, if it is set.
    pub fn set_for_all(&self) -> Option<f64> {
        self.all
    }

    /// Sets the share of all joints without a separate one. Returns `false` and does nothing if [`is_share`] rejects it.
    pub fn set_all(&mut self, share: f64) -> bool {
        if is_share(share) {
            // Without painted shares it is 1 anyway.
            self.all = (self.is_painted || share != 1.0).then_some(share);
        }
        is_share(share)
    }

    /// Sets a node's share. Returns `false` and does nothing if the rig has no such node or [`is_share`] rejects it.
    pub fn set(&mut self, model: &Model, node: usize, share: f64) -> bool {
        let is_good = is_share(share) && node < model.rig.len();
        if is_good {
            self.put(node, JointShare { name: node_name(model, node), share });
        }
        is_good
    }

    /// Sets a share like [`Shares::set`], without its checks; returns true if the node had none.
    pub fn put(&mut self, node: usize, share: JointShare) -> bool {
        self.joints.insert(node, share).is_none()
    }

    /// Removes a node's separate share.
    pub fn reset(&mut self, node: usize) {
        self.joints.remove(&node);
    }

    /// Returns the nodes with separate shares, in the rig's order.
    pub fn joints(&self) -> impl Iterator<Item = (usize, &JointShare)> {
        self.joints.iter().map(|(node, share)| (*node, share))
    }

    /// Returns a node's share.
    pub fn of(&self, node: usize) -> f64 {
        self.joints.get(&node).map_or(self.all(), |joint| joint.share)
    }

    /// Returns the shares that apply to another model, or to a newer version of the same file: those whose names it has.
    pub fn carried_to(&self, names: &Names<'_>) -> Self {
        let found =
            self.joints.values().filter_map(|joint| Some((names.node(&joint.name).ok()?, joint.clone())));
        Self { all: self.all, joints: found.collect(), is_painted: self.is_painted }
    }

    /// Returns these shares, plus the changes from `before` to `after`.
    pub fn with_changes(mut self, before: &Self, after: &Self) -> Self {
        if before.all != after.all {
            self.all = after.all;
        }
        for node in before.joints.keys().chain(after.joints.keys()) {
            match (before.joints.get(node), after.joints.get(node)) {
                (was, is) if was == is => {}
                (_, Some(share)) => drop(self.joints.insert(*node, share.clone())),
                (_, None) => drop(self.joints.remove(node)),
            }
        }
        self
    }

    /// Computes the share of each vertex of a primitive that a skin moves, into reused memory; left empty if it is 1
    /// everywhere.
    pub fn of_vertices_into(&self, skin: &Skin, primitive: &Primitive, out: &mut Vec<f32>) {
        out.clear();
        let painted = self.painted(primitive);
        if painted.is_none() && self.all() == 1.0 && self.joints.values().all(|joint| joint.share == 1.0) {
            return;
        }
        out.extend((0..primitive.positions.len()).map(|vertex| self.of_vertex(skin, primitive, vertex)));
    }

    /// Returns the painted shares, unless shares have been set since.
    fn painted<'a>(&self, primitive: &'a Primitive) -> Option<&'a [f32]> {
        primitive.shares.as_deref().filter(|_| !self.are_set())
    }

    /// Returns the painted share of a vertex, or the weighted mean of its joints' shares. "No joint" has the share of all
    /// joints.
    pub fn of_vertex(&self, skin: &Skin, primitive: &Primitive, vertex: usize) -> f32 {
        if let Some(painted) = self.painted(primitive) {
            return painted.get(vertex).map_or(1.0, |share| share.clamp(0.0, 1.0));
        }
        if self.joints.is_empty() {
            return self.all() as f32;
        }
        let vertices = Vertices::of(primitive);
        let (joints, weights, spans) = vertices.influences_of(vertex);
        let spans = spans.min(MAX_SPANS);
        let (joints, weights) = (joints[..spans].as_flattened(), weights[..spans].as_flattened());
        let node = |joint: i32| usize::try_from(joint).ok().and_then(|joint| skin.joints.get(joint)).copied();
        let of = |joint: i32| node(joint).map_or(self.all(), |node| self.of(node));
        let sum: f64 =
            joints.iter().zip(weights).map(|(&joint, &weight)| f64::from(weight) * of(joint)).sum();
        let weight: f64 = weights.iter().copied().map(f64::from).sum();
        // A sum of rounded weights may exceed the ends.
        if weight > 0.0 { (sum / weight).clamp(0.0, 1.0) as f32 } else { self.all() as f32 }
    }
}
