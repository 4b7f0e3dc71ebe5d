//! A rig in its rest pose: axes, positions and sizes of its nodes in the world, and their transforms in their parents.

use super::axes::{Axes, rotation_of, world_axes};
use crate::pose::Pose;
use glam::{DMat3, DQuat, DVec3};
use sinew_model::{LocalTransform, Rig};

/// The rest pose of a rig.
#[derive(Clone, Debug)]
pub struct Rest<'a> {
    rig: &'a Rig,
    /// The axes of the world that the roots stand in.
    world: Axes,
    axes: Vec<Axes>,
    places: Vec<DVec3>,
    sizes: Vec<f64>,
}

impl<'a> Rest<'a> {
    /// Computes the rest pose of every node.
    pub fn new(rig: &'a Rig) -> Self {
        let mut axes = Vec::with_capacity(rig.len());
        world_axes(rig, &rig.rest, &mut axes);
        let pose = Pose::rest(rig);
        let place = |place: DVec3| if place.is_finite() { place } else { DVec3::ZERO };
        let places = pose.world_from_node.iter().map(|world| place(world.w_axis.truncate())).collect();
        let size = |world| DMat3::from_mat4(world).determinant().abs().cbrt();
        let sizes = pose.world_from_node.iter().map(|world| size(*world)).collect();
        Self { rig, world: Axes::WORLD, axes, places, sizes }
    }

    /// Turns everything about the world's origin.
    pub fn turned(self, turn: DQuat) -> Self {
        let turn_axes = Axes { rotation: turn, is_mirrored: false };
        let axes = self.axes.into_iter().map(|axes| axes.inside(turn_axes)).collect();
        let places = self.places.into_iter().map(|place| turn * place).collect();
        Self { world: turn_axes, axes, places, ..self }
    }

    /// Returns a node's axes in the world.
    pub fn axes(&self, node: usize) -> Axes {
        self.axes.get(node).copied().unwrap_or(self.world)
    }

    /// Returns the axes of a node's parent.
    pub fn outer_axes(&self, node: usize) -> Axes {
        self.parent(node).map_or(self.world, |parent| self.axes(parent))
    }

    /// Returns the position of a node in the world.
    pub fn place(&self, node: usize) -> DVec3 {
        self.places.get(node).copied().unwrap_or_default()
    }

    /// Returns the length in the world of a unit of a node's parent, over all axes.
    pub fn outer_size(&self, node: usize) -> f64 {
        self.parent(node).and_then(|parent| self.sizes.get(parent)).copied().unwrap_or(1.0)
    }

    /// Returns a node's rotation in its parent.
    pub fn rotation(&self, node: usize) -> DQuat {
        rotation_of(self.local(node))
    }

    /// Returns a node's translation in its parent: the bone that ends there.
    pub fn translation(&self, node: usize) -> DVec3 {
        match *self.local(node) {
            LocalTransform::Trs { translation, .. } => translation,
            LocalTransform::Matrix(matrix) => matrix.translation,
        }
    }

    /// Returns a node's scale in its parent.
    pub fn scale(&self, node: usize) -> DVec3 {
        match *self.local(node) {
            LocalTransform::Trs { scale, .. } => scale,
            LocalTransform::Matrix(matrix) => matrix.to_scale_rotation_translation().0,
        }
    }

    fn local(&self, node: usize) -> &LocalTransform {
        self.rig.rest.get(node).unwrap_or(&LocalTransform::IDENTITY)
    }

    fn parent(&self, node: usize) -> Option<usize> {
        self.rig.parents.get(node).copied().flatten().map(|parent| parent as usize)
    }
}
