//! Sets a pose to a clip at a time.

use super::local::split;
use glam::DQuat;
use sinew_model::{Channel, Clip, LocalTransform, Property, Rig};

/// Sets every property that the clip animates.
pub(super) fn apply(
    clip: &Clip,
    rig: &Rig,
    time_secs: f64,
    locals: &mut [LocalTransform],
    weights: &mut [f64],
) {
    for channel in &clip.channels {
        match channel.property {
            Property::Weights | Property::Weight(_) => {
                let weights = weights.get_mut(rig.weights_of(channel.node)).unwrap_or_default();
                let weights = match channel.property {
                    Property::Weight(target) => {
                        let target = target as usize;
                        weights.get_mut(target..=target).unwrap_or_default()
                    }
                    _ => weights,
                };
                channel.set_weights_at(time_secs, weights);
            }
            Property::Translation | Property::Rotation | Property::Scale => {
                if let Some(local) = locals.get_mut(channel.node) {
                    set_local(channel, time_secs, local);
                }
            }
        }
    }
}

/// Sets the property that the channel animates. Splits a node stored as a matrix first.
fn set_local(channel: &Channel, time_secs: f64, local: &mut LocalTransform) {
    let Some(value) = channel.transform_at(time_secs) else { return };
    if let LocalTransform::Matrix(matrix) = *local {
        *local = split(&matrix);
    }
    let LocalTransform::Trs { translation, rotation, scale } = local else { return };
    match channel.property {
        Property::Translation => *translation = value.truncate(),
        Property::Rotation => *rotation = DQuat::from_vec4(value),
        Property::Scale => *scale = value.truncate(),
        Property::Weights | Property::Weight(_) => {}
    }
}
