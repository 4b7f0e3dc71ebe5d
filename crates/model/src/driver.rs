//! Drivers: rules by which the angle of a joint sets the weight of a morph target, such as a corrective shape's.

use glam::{DQuat, DVec3};

/// A rule by which the angle of a joint sets the weight of a morph target.
#[derive(Clone, Debug, PartialEq)]
pub struct Driver {
    /// The node whose mesh has the target.
    pub node: usize,
    /// The target's number in the mesh.
    pub target: usize,
    /// The joint.
    pub joint: usize,
    /// The axis of the angle at rest, in the joint's own space: a unit vector.
    pub axis: DVec3,
    /// Angles in degrees, in ascending order, each with its weight. All numbers are finite.
    pub keys: Vec<[f64; 2]>,
}

impl Driver {
    /// Returns the weight for the joint's rotation from rest. Between two keys it is on the line between both, and beyond all keys
    /// that of the nearest. Of the angles that a full turn parts, the one nearest to the middle of the keys counts.
    pub fn weight(&self, turn: DQuat) -> f64 {
        let sine = DVec3::new(turn.x, turn.y, turn.z).dot(self.axis);
        let angle = 2.0 * sine.atan2(turn.w).to_degrees();
        let [first, last] = [self.keys.first(), self.keys.last()].map(|key| key.copied().unwrap_or_default());
        let middle = 0.5 * (first[0] + last[0]);
        let angle = middle + (angle - middle + 180.0).rem_euclid(360.0) - 180.0;
        let above = self.keys.partition_point(|key| key[0] < angle);
        let below = above.checked_sub(1).and_then(|below| self.keys.get(below));
        match (below, self.keys.get(above)) {
            (Some([from, low]), Some([to, high])) => low + (high - low) * (angle - from) / (to - from),
            (Some(key), None) | (None, Some(key)) => key[1],
            (None, None) => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_follow_the_angle_about_the_axis() {
        let keys = vec![[0.0, 0.0], [90.0, 1.0], [180.0, 3.0]];
        let driver = Driver { node: 0, target: 0, joint: 0, axis: DVec3::NEG_Z, keys };
        let weight =
            |axis: DVec3, degrees: f64| driver.weight(DQuat::from_axis_angle(axis, degrees.to_radians()));
        for (degrees, expected) in [
            (0.0, 0.0),
            (45.0, 0.5),
            (90.0, 1.0),
            (135.0, 2.0),
            (180.0, 3.0),
            (181.0, 3.0),
            (-30.0, 0.0),
            (405.0, 0.5),
        ] {
            let found = weight(DVec3::NEG_Z, degrees);
            assert!((found - expected).abs() < 1e-9, "{degrees}: {found}");
            // Both quaternions of a rotation give one weight.
            let other = driver.weight(-DQuat::from_axis_angle(DVec3::NEG_Z, f64::to_radians(degrees)));
            assert!((other - expected).abs() < 1e-9, "{degrees}: {other}");
        }
        assert!(weight(DVec3::X, 90.0).abs() < 1e-9, "another axis");
    }
}
