//! Samples of channels. USD interpolates along lines and arcs alone: a step becomes two samples that lie as close as numbers
//! can, and a spline becomes as many as follow it.

use glam::DVec4;
use openusd::gf;
use openusd::sdf::Value;

use crate::{Channel, Property, sample_times};

/// A time in the file's units.
pub fn code(secs: f32, rate: f64) -> f64 {
    f64::from(secs) * rate
}

/// A quaternion of single numbers.
pub fn single(turn: DVec4) -> gf::Quatf {
    let [x, y, z, w] = turn.as_vec4().to_array();
    gf::Quatf { w, x, y, z }
}

/// A quaternion of double numbers.
pub fn double(turn: DVec4) -> gf::Quatd {
    let [x, y, z, w] = turn.to_array();
    gf::Quatd { w, x, y, z }
}

/// The samples of a node's transform operation.
pub fn operation(channel: &Channel, rate: f64) -> Vec<(f64, Value)> {
    let sample = |secs: &f32| {
        let value = channel.transform_at(f64::from(*secs))?;
        let [x, y, z, _] = value.to_array();
        let value = match channel.property {
            Property::Rotation => Value::Quatd(double(value)),
            _ => Value::Vec3d(gf::Vec3d { x, y, z }),
        };
        Some((code(*secs, rate), value))
    };
    sample_times(std::iter::once(channel)).iter().filter_map(sample).collect()
}
