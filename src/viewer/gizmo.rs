//! The gizmo that turns a joint: three rings around it, seen through the picture's camera.

use std::f64::consts::TAU;

use glam::{DMat4, DQuat, DVec2, DVec3};

use crate::camera::Camera;

/// How many straight pieces make up a ring.
const PIECES: usize = 48;

/// How near to a ring, in points, the cursor can grab it.
pub const REACH: f64 = 8.0;

/// A joint's rings.
#[derive(Clone, Debug)]
pub struct Gizmo {
    camera: Camera,
    size: [u32; 2],
    eye: DVec3,
    middle: DVec3,
    /// Directions of the joint's own x, y and z axes.
    axes: [DVec3; 3],
    radius: f64,
    /// −1 where the joint's space is mirrored: a turn in that space looks reversed from outside.
    hand: f64,
}

impl Gizmo {
    /// Rings around a joint, with a radius in pixels, in a picture of this size; `None` where the joint is out of
    /// sight.
    pub fn new(camera: &Camera, size: [u32; 2], world_from_joint: &DMat4, pixels: f64) -> Option<Self> {
        let middle = world_from_joint.w_axis.truncate();
        let axes = [world_from_joint.x_axis, world_from_joint.y_axis, world_from_joint.z_axis]
            .map(|axis| axis.truncate().normalize_or_zero());
        let eye = camera.eye_in_world.truncate();
        // In a parallel projection, `eye` is the direction against the line of sight.
        let eye = if camera.eye_in_world.w == 0.0 { middle + eye } else { eye };
        let hand = if world_from_joint.determinant() < 0.0 { -1.0 } else { 1.0 };
        let mut gizmo = Self { camera: *camera, size, eye, middle, axes, radius: 1.0, hand };
        let at = gizmo.pixel(middle)?;
        // Pixels per unit of length across the line of sight.
        let across = (gizmo.eye - middle).any_orthonormal_vector();
        let scale = gizmo.pixel(middle + across * 1e-3)?.distance(at) / 1e-3;
        gizmo.radius = pixels / scale;
        (gizmo.radius.is_finite() && gizmo.radius > 0.0 && axes.iter().all(|axis| *axis != DVec3::ZERO))
            .then_some(gizmo)
    }

    fn pixel(&self, place: DVec3) -> Option<DVec2> {
        self.camera.pixel(place, self.size)
    }

    /// A ring around an axis: its pixels, each with whether it is on the far side.
    pub fn ring(&self, axis: usize) -> Vec<(DVec2, bool)> {
        let Some(&normal) = self.axes.get(axis) else { return Vec::new() };
        let (a, b) = normal.any_orthonormal_pair();
        let to_eye = self.eye - self.middle;
        let point = |number: usize| {
            let (sin, cos) = (number as f64 / PIECES as f64 * TAU).sin_cos();
            let out = a * cos + b * sin;
            Some((self.pixel(self.middle + out * self.radius)?, out.dot(to_eye) < -1e-9))
        };
        (0..=PIECES).filter_map(point).collect()
    }

    /// The nearest ring within `reach` of a pixel.
    pub fn hit(&self, pixel: DVec2, reach: f64) -> Option<usize> {
        let distance = |axis: usize| {
            let ring = self.ring(axis);
            // The joint hides the far side.
            let pieces = ring.windows(2).filter(|piece| piece.iter().any(|(_, is_far)| !is_far));
            let far = |piece: &[(DVec2, bool)]| match piece {
                [(from, _), (to, _)] => distance_to_piece(pixel, *from, *to),
                _ => f64::INFINITY,
            };
            pieces.map(far).fold(f64::INFINITY, f64::min)
        };
        let nearest = (0..3).map(|axis| (axis, distance(axis))).min_by(|a, b| a.1.total_cmp(&b.1));
        nearest.filter(|(_, away)| *away <= reach).map(|(axis, _)| axis)
    }

    /// The turn, in the joint's own axes, that a drag between two pixels makes around an axis.
    pub fn turn(&self, axis: usize, from: DVec2, to: DVec2) -> DQuat {
        let own = [DVec3::X, DVec3::Y, DVec3::Z].get(axis).copied().unwrap_or(DVec3::X);
        let (Some(&normal), Some(middle)) = (self.axes.get(axis), self.pixel(self.middle)) else {
            return DQuat::IDENTITY;
        };
        let to_eye = (self.eye - self.middle).normalize_or_zero();
        let facing = normal.dot(to_eye);
        let radians = if facing.abs() > 0.2 {
            // The angle of the drag around the middle; y points down in pixels.
            (from - middle).angle_to(to - middle) * -facing.signum()
        } else {
            // A ring seen from its edge follows the drag along that edge.
            let along = normal.cross(to_eye).normalize_or_zero() * self.radius;
            let step = self.pixel(self.middle + along).map_or(DVec2::X, |pixel| pixel - middle);
            (to - from).dot(step) / step.length_squared().max(1.0)
        };
        if radians.is_finite() { DQuat::from_axis_angle(own, radians * self.hand) } else { DQuat::IDENTITY }
    }
}

fn distance_to_piece(point: DVec2, from: DVec2, to: DVec2) -> f64 {
    let along = to - from;
    let share = (point - from).dot(along) / along.length_squared().max(1e-12);
    point.distance(from + along * share.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::Orbit;

    /// A gizmo seen in 400 x 400 pixels, around a joint at the origin with the world's axes.
    fn seen_from(yaw_pitch: &str) -> Gizmo {
        let orbit: Orbit = format!("{yaw_pitch},10").parse().unwrap();
        let orbit = Orbit { target: Some(DVec3::ZERO), ..orbit };
        let camera = Camera::new(&orbit, &[DVec3::splat(-1.0), DVec3::ONE], [400, 400]);
        Gizmo::new(&camera, [400, 400], &DMat4::IDENTITY, 80.0).unwrap()
    }

    #[test]
    fn rings_have_their_radius_in_pixels() {
        let gizmo = seen_from("0,0");
        let middle = DVec2::splat(200.0);
        for (pixel, _) in gizmo.ring(2) {
            assert!((pixel.distance(middle) - 80.0).abs() < 1.5, "{pixel}");
        }
        assert_eq!(gizmo.hit(DVec2::new(256.6, 256.6), REACH), Some(2));
        assert_eq!(gizmo.hit(DVec2::new(230.0, 215.0), REACH), None);
    }

    /// Dragging a quarter turn counter-clockwise turns the ring that faces us by the same angle, seen from either side.
    #[test]
    fn the_hand_turns_what_it_holds() {
        let (right, up) = (DVec2::new(280.0, 200.0), DVec2::new(200.0, 120.0));
        let quarter = DQuat::from_rotation_z(TAU / 4.0);
        let turned = seen_from("0,0").turn(2, right, up);
        assert!(turned.angle_between(quarter) < 1e-9, "{turned}");
        let from_behind = seen_from("180,0").turn(2, right, up);
        assert!(from_behind.angle_between(quarter.inverse()) < 1e-9, "{from_behind}");
    }

    /// A mirrored joint also follows the drag; in its own space the turn is reversed.
    #[test]
    fn mirrored_joints_follow_the_hand() {
        let mirrored = DMat4::from_scale(DVec3::new(-1.0, 1.0, 1.0));
        let gizmo = Gizmo { hand: -1.0, ..seen_from("0,0") };
        let (right, up) = (DVec2::new(280.0, 200.0), DVec2::new(200.0, 120.0));
        let turned = mirrored * DMat4::from_quat(gizmo.turn(2, right, up)) * mirrored.inverse();
        assert!((turned.transform_vector3(DVec3::X) - DVec3::Y).length() < 1e-9, "{turned}");
    }

    /// We see the ring around x from its edge: dragging down by its radius moves the side that faces us down, a turn of
    /// one radian around x.
    #[test]
    fn edges_are_pulled_along() {
        let turned = seen_from("0,0").turn(0, DVec2::splat(200.0), DVec2::new(200.0, 280.0));
        assert!(turned.angle_between(DQuat::from_rotation_x(1.0)) < 0.03, "{turned}");
    }

    #[test]
    fn what_is_not_seen_has_no_rings() {
        let orbit = Orbit { target: Some(DVec3::ZERO), ..Orbit::default() };
        let camera = Camera::new(&orbit, &[DVec3::splat(-1.0), DVec3::ONE], [400, 400]);
        let flat = DMat4::from_scale(DVec3::new(1.0, 0.0, 1.0));
        assert!(Gizmo::new(&camera, [400, 400], &flat, 80.0).is_none());
        let nowhere = DMat4::from_translation(DVec3::splat(f64::NAN));
        assert!(Gizmo::new(&camera, [400, 400], &nowhere, 80.0).is_none());
    }
}
