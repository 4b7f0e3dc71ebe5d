//! Numbers of `ufbx` as those of `glam`.

use glam::{DMat4, DQuat, DVec3, DVec4};

pub fn vec3(v: &ufbx::Vec3) -> DVec3 {
    DVec3::new(v.x, v.y, v.z)
}

pub fn vector(v: DVec3) -> ufbx::Vec3 {
    ufbx::Vec3 { x: v.x, y: v.y, z: v.z }
}

pub fn single(v: &ufbx::Vec3) -> [f32; 3] {
    vec3(v).as_vec3().to_array()
}

pub fn quat(q: &ufbx::Quat) -> DQuat {
    DQuat::from_xyzw(q.x, q.y, q.z, q.w)
}

pub fn matrix(m: &ufbx::Matrix) -> DMat4 {
    DMat4::from_cols(
        DVec4::new(m.m00, m.m10, m.m20, 0.0),
        DVec4::new(m.m01, m.m11, m.m21, 0.0),
        DVec4::new(m.m02, m.m12, m.m22, 0.0),
        DVec4::new(m.m03, m.m13, m.m23, 1.0),
    )
}

/// A number above zero and not infinite.
pub fn positive(number: f64) -> Option<f64> {
    (number.is_finite() && number > 0.0).then_some(number)
}

/// A number from 0 to 1.
pub fn unit(number: f64) -> f32 {
    if number.is_finite() { number.clamp(0.0, 1.0) as f32 } else { 1.0 }
}
