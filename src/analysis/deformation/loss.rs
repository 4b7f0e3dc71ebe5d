//! Where a closed part loses or gains volume in a pose.

use glam::{DMat4, DVec3};

use super::frame::Place;
use super::shape::Shape;
use sinew_model::Model;
use sinew_skinning::pose::Pose;
use sinew_skinning::posed::SkinnedPrimitive;

impl Shape {
    /// The vertex of a part around which it gains most of its volume, if `grows`, or else loses it: of the joint whose
    /// vertices change it most, the one that does. Each vertex is compared with the place where its heaviest joint alone
    /// would put it, which changes no volume but between joints. `None` if the part has no volume that changes.
    pub fn where_volume_changes(
        &self,
        model: &Model,
        pose: &Pose,
        skinned: &[SkinnedPrimitive<f64>],
        (part, grows): (usize, bool),
    ) -> Option<Place> {
        let of_part = self.parts.list.get(part)?;
        // A part that is inside out loses where it gains.
        let sign = of_part.volume.signum() * if grows { 1.0 } else { -1.0 };
        let (mut places, mut room, mut transforms) = (Vec::new(), Vec::new(), Vec::new());
        self.points.pose_into(skinned, &mut places);
        self.followers.transforms_into(model, pose, &mut room, &mut transforms);
        let mut changes = vec![0.0; places.len()];
        for (number, corners) in self.surface.triangles.iter().enumerate() {
            if self.parts.part_of(number) != Some(part) {
                continue;
            }
            let [a, b, c] = corners.map(|point| places[point as usize]);
            let area = (b - a).cross(c - a);
            for &point in corners {
                let way = places[point as usize] - self.alone(point, &transforms);
                let change = sign * way.dot(area);
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

    /// The joint that moves a point most, by its number in the list of all joints.
    fn heaviest(&self, point: u32) -> Option<usize> {
        self.followers.joints(&self.points, point).first().map(|joint| *joint as usize)
    }

    /// Where the heaviest joint of a point alone would put it.
    fn alone(&self, point: u32, transforms: &[DMat4]) -> DVec3 {
        let transform = self.heaviest(point).and_then(|joint| transforms.get(joint));
        let bind = self.points.bind[point as usize];
        transform.map_or(bind, |transform| transform.transform_point3(bind))
    }
}
