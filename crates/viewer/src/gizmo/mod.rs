//! The gizmo: handles around the chosen joint that turn, move and scale it, or move it to a goal together with the
//! joints above it. It must not depend on windows, nor how a pose is edited: a drag returns the new value for the joint.

mod drag;
mod handles;
#[cfg(test)]
mod tests;

use glam::{DMat3, DMat4, DQuat, DVec2, DVec3};

pub use drag::{Change, Drag};
pub use handles::{Handle, Knob, REACH};

use sinew_model::LocalTransform;
use sinew_scene::camera::Camera;
use sinew_skinning::ik;
use sinew_skinning::pose::parts;

/// Function of the handles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tool {
    /// Turn the joint.
    #[default]
    Turn,
    /// Move it in its parent.
    Move,
    /// Scale it along its own axes.
    Scale,
    /// Move it to a goal by turning the joints above it.
    Reach,
}

impl Tool {
    /// Every tool.
    pub const ALL: [Self; 4] = [Self::Turn, Self::Move, Self::Scale, Self::Reach];

    /// Returns the name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Turn => "turn",
            Self::Move => "move",
            Self::Scale => "scale",
            Self::Reach => "reach",
        }
    }

    /// Returns the next tool in turn.
    pub fn next(self) -> Self {
        match self {
            Self::Turn => Self::Move,
            Self::Move => Self::Scale,
            Self::Scale => Self::Reach,
            Self::Reach => Self::Turn,
        }
    }
}

/// Directions of the handles' axes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Axes {
    /// The joint's own axes.
    #[default]
    Own,
    /// Axes of its parent.
    Parent,
    /// The world's axes.
    World,
}

impl Axes {
    /// Every choice of axes.
    pub const ALL: [Self; 3] = [Self::Own, Self::Parent, Self::World];

    /// Returns the name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Own => "local",
            Self::Parent => "parent",
            Self::World => "world",
        }
    }

    /// Returns the next axes in turn.
    pub fn next(self) -> Self {
        match self {
            Self::Own => Self::Parent,
            Self::Parent => Self::World,
            Self::World => Self::Own,
        }
    }
}

/// A joint in its pose.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    /// Transform relative to its parent.
    pub local: LocalTransform,
    /// Transform to the world.
    pub world_from_joint: DMat4,
    /// Parent's transform to the world.
    pub world_from_parent: DMat4,
}

/// The handles of a joint, seen through the picture's camera.
#[derive(Clone, Debug)]
pub struct Gizmo {
    camera: Camera,
    size: [u32; 2],
    eye: DVec3,
    placed: Placed,
    middle: DVec3,
    tool: Tool,
    axes: Axes,
    /// The directions of the axes in the world.
    directions: [DVec3; 3],
    /// Length of a handle in the world.
    radius: f64,
}

impl Gizmo {
    /// Creates the handles of a joint, with a length in pixels, in a picture of this size; `None` if the joint is out
    /// of sight, or has no axes.
    pub fn new(
        camera: &Camera,
        size: [u32; 2],
        placed: Placed,
        (tool, axes): (Tool, Axes),
        pixels: f64,
    ) -> Option<Self> {
        // Scale always acts along the joint's own axes.
        let axes = if tool == Tool::Scale { Axes::Own } else { axes };
        let of = match axes {
            Axes::Own => placed.world_from_joint,
            Axes::Parent => placed.world_from_parent,
            Axes::World => DMat4::IDENTITY,
        };
        let directions = [of.x_axis, of.y_axis, of.z_axis].map(|axis| axis.truncate().normalize_or_zero());
        let middle = placed.world_from_joint.w_axis.truncate();
        let eye = camera.eye_in_world.truncate();
        // In a parallel projection, `eye` is the direction towards the viewer.
        let eye = if camera.eye_in_world.w == 0.0 { middle + eye } else { eye };
        let mut gizmo =
            Self { camera: *camera, size, eye, placed, middle, tool, axes, directions, radius: 1.0 };
        let at = gizmo.pixel(middle)?;
        // Pixels per unit of length across the line of sight.
        let across = (gizmo.eye - middle).any_orthonormal_vector();
        let scale = gizmo.pixel(middle + across * 1e-3)?.distance(at) / 1e-3;
        gizmo.radius = pixels / scale;
        let is_sound = gizmo.radius.is_finite() && gizmo.radius > 0.0;
        (is_sound && directions.iter().all(|axis| *axis != DVec3::ZERO)).then_some(gizmo)
    }

    fn pixel(&self, place: DVec3) -> Option<DVec2> {
        self.camera.pixel(place, self.size)
    }

    fn direction(&self, axis: usize) -> DVec3 {
        self.directions.get(axis).copied().unwrap_or(DVec3::X)
    }

    /// Returns the direction from the joint to the eye.
    fn to_eye(&self) -> DVec3 {
        (self.eye - self.middle).normalize_or_zero()
    }

    /// Returns the point at a pixel in the plane through the joint that faces the eye.
    fn facing(&self, pixel: DVec2) -> Option<DVec3> {
        let (from, along) = self.camera.sight(pixel, self.size);
        let normal = self.to_eye();
        let place = from + along * ((self.middle - from).dot(normal) / along.dot(normal));
        place.is_finite().then_some(place)
    }

    /// Returns the distance along an axis, from the joint, at which the line of sight through a pixel is nearest to
    /// it.
    fn along(&self, axis: usize, pixel: DVec2) -> Option<f64> {
        let (from, sight) = self.camera.sight(pixel, self.size);
        let (axis, sight) = (self.direction(axis), sight.try_normalize()?);
        let (apart, share) = (from - self.middle, axis.dot(sight));
        let far = (apart.dot(axis) - apart.dot(sight) * share) / (1.0 - share * share);
        far.is_finite().then_some(far)
    }

    /// Returns the joint's local rotation, turned about an axis by an angle in radians.
    fn turned(&self, axis: usize, angle: f64) -> Option<DQuat> {
        let (_, rotation, _) = parts(&self.placed.local);
        let unit = [DVec3::X, DVec3::Y, DVec3::Z].get(axis).copied().unwrap_or(DVec3::X);
        // A turn in a mirrored space looks reversed from outside.
        let hand = |space: &DMat4| if space.determinant() < 0.0 { -1.0 } else { 1.0 };
        let turned = match self.axes {
            Axes::Own => rotation * DQuat::from_axis_angle(unit, angle * hand(&self.placed.world_from_joint)),
            Axes::Parent => {
                DQuat::from_axis_angle(unit, angle * hand(&self.placed.world_from_parent)) * rotation
            }
            Axes::World => {
                let parent = ik::rotation_of(DMat3::from_mat4(self.placed.world_from_parent));
                DQuat::from_axis_angle(parent.conjugate() * unit, angle) * rotation
            }
        };
        turned.is_finite().then(|| turned.normalize())
    }

    /// Returns the joint's local translation, moved by a vector in the world.
    fn moved(&self, way: DVec3) -> Option<DVec3> {
        let (translation, ..) = parts(&self.placed.local);
        let moved = translation + DMat3::from_mat4(self.placed.world_from_parent).inverse() * way;
        moved.is_finite().then_some(moved)
    }
}
