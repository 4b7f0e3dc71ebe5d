//! The conversion of a channel's keys. Every conversion is linear in the keys, but for an offset, so it applies to steps,
//! straight lines and splines alike, and the values between keys are as exact as the keys.

use glam::{DMat3, DQuat, DVec3};
use sinew_model::{Channel, Interpolation, Property};

/// The conversion of a channel's values to those of another node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// The values keep their bits.
    None,
    /// `before · key · after`
    Turn {
        /// Applied last.
        before: DQuat,
        /// Applied first.
        after: DQuat,
    },
    /// `matrix · key + offset`
    Move {
        /// For values and tangents.
        matrix: DMat3,
        /// For values alone.
        offset: DVec3,
        /// The replacement for a value beyond `f32`.
        rest: DVec3,
    },
}

/// Returns true if a property is part of a node's transform, unlike morph weights.
pub fn is_transform(property: Property) -> bool {
    match property {
        Property::Translation | Property::Rotation | Property::Scale => true,
        Property::Weights | Property::Weight(_) => false,
    }
}

/// Returns the number of components of a property's value, if it is the same in all channels.
fn components(property: Property) -> usize {
    match property {
        Property::Rotation => 4,
        Property::Translation | Property::Scale => 3,
        Property::Weights | Property::Weight(_) => 1,
    }
}

/// Converts a channel for another node.
pub fn changed(channel: &Channel, node: usize, change: Change) -> Channel {
    let mut channel = Channel { node, ..channel.clone() };
    let is_spline = channel.interpolation == Interpolation::CubicSpline;
    if change == Change::None {
        return channel;
    }
    for (number, key) in channel.values.chunks_exact_mut(components(channel.property)).enumerate() {
        // In-tangent, value, out-tangent.
        let is_value = !is_spline || number % 3 == 1;
        match key {
            [x, y, z, w] => {
                let rotation = [*x, *y, *z, *w].map(f64::from);
                [*x, *y, *z, *w] = turned(rotation, change, is_value);
            }
            [x, y, z] => {
                let place = DVec3::from_array([*x, *y, *z].map(f64::from));
                [*x, *y, *z] = moved(place, change, is_value);
            }
            _ => {}
        }
    }
    channel
}

fn turned(rotation: [f64; 4], change: Change, is_value: bool) -> [f32; 4] {
    let rotation = match is_value && rotation == [0.0; 4] {
        // A pose reads it as no rotation.
        true => DQuat::IDENTITY,
        false => DQuat::from_array(rotation),
    };
    let turned = match change {
        Change::Turn { before, after } => before * rotation * after,
        Change::None | Change::Move { .. } => rotation,
    };
    let numbers = turned.to_array().map(|number| number as f32);
    // Tangents may overflow.
    if numbers.iter().all(|number| number.is_finite()) { numbers } else { [0.0; 4] }
}

fn moved(value: DVec3, change: Change, is_value: bool) -> [f32; 3] {
    let Change::Move { matrix, offset, rest } = change else {
        return value.to_array().map(|number| number as f32);
    };
    let (offset, fallback) = if is_value { (offset, rest) } else { (DVec3::ZERO, DVec3::ZERO) };
    let [moved, fallback] = [matrix * value + offset, fallback].map(|v| v.to_array().map(|v| v as f32));
    if moved.iter().all(|number| number.is_finite()) { moved } else { fallback }
}
