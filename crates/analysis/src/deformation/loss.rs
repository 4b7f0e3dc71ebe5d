//! The place at which a closed part loses or gains volume in a pose.

use glam::{DMat4, DVec3};

use super::frame::Place;
use super::shape::Shape;
use sinew_model::Model;
use sinew_skinning::pose::Pose;
use sinew_skinning::posed::SkinnedPrimitive;

impl Shape {
    /// Finds the vertex around which a part gains most volume, if `grows`, or else loses most. First picks the joint whose
    /// vertices change the volume most, then the vertex among them that does. It compares each corner of a triangle with the
    /// triangle as the corner's heaviest joint alone would move it, because joints by themselves change volume only at their
    /// boundaries. `None` if no volume changes.
    pub fn where_volume_changes(
        &self,
        model: &Model,
        pose: &Pose,
        skinned: &[SkinnedPrimitive<f64>],
        (part, grows): (usize, bool),
    ) -> Option<Place> {
        // A part that is inside out loses volume by growing.
        let sign = self.parts.list.get(part)?.volume.signum() * if grows { 1.0 } else { -1.0 };
        let mut posed = Vec::new();
        self.points.pose_into(skinned, &mut posed);
        let transforms = self.transforms(model, pose);
        let mut changes = vec![0.0; posed.len()];
        for (number, corners) in self.surface.triangles.iter().enumerate() {
            if self.parts.part_of(number) != Some(part) {
                continue;
            }
            let bind = corners.map(|point| self.points.bind[point as usize]);
            let after = corners.map(|point| posed[point as usize]);
            for (corner, &point) in corners.iter().enumerate() {
                let Some(transform) = self.heaviest(point).and_then(|joint| transforms.get(joint)) else {
                    continue;
                };
                let before = bind.map(|at| transform.transform_point3(at));
                // Both areas count, because one alone hides a ring that shrinks to nothing, where the loss is largest.
                let change = sign * (after[corner] - before[corner]).dot(area(before) + area(after));
                if change.is_finite() {
                    changes[point as usize] += change;
                }
            }
        }
        let mut of_joints = vec![0.0; transforms.len()];
        let points = || (0u32..).zip(&changes).filter(|(_, change)| **change != 0.0);
        for (point, change) in points() {
            if let Some(sum) = self.heaviest(point).and_then(|joint| of_joints.get_mut(joint)) {
                *sum += change;
            }
        }
        let joints = of_joints.iter().enumerate();
        let (joint, _) = joints.max_by(|a, b| a.1.total_cmp(b.1)).filter(|(_, sum)| **sum > 0.0)?;
        let of_joint = points().filter(|(point, _)| self.heaviest(*point) == Some(joint));
        let (point, _) = of_joint.max_by(|a, b| a.1.total_cmp(b.1))?;
        Some(self.points.place(point))
    }

    /// Returns the transforms of all joints in a pose, from the bind pose as drawn.
    fn transforms(&self, model: &Model, pose: &Pose) -> Vec<DMat4> {
        let (mut room, mut transforms) = (Vec::new(), Vec::new());
        self.followers.transforms_into(model, pose, &mut room, &mut transforms);
        let bound = &self.followers.bind_from_bound;
        transforms.iter().zip(bound).map(|(transform, bound)| *transform * DMat4::from_mat3(*bound)).collect()
    }

    /// Returns the heaviest joint of a point, by its index in the list of all joints.
    fn heaviest(&self, point: u32) -> Option<usize> {
        self.followers.joints(&self.points, point).first().map(|joint| *joint as usize)
    }
}

/// Returns twice the area of a triangle, along its normal.
fn area([a, b, c]: [DVec3; 3]) -> DVec3 {
    (b - a).cross(c - a)
}
