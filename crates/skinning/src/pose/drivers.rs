//! Drivers of morph weights, which follow the joints of a pose.

use sinew_model::{Clip, Driver, LocalTransform, Property, Rig};

use super::local::parts;

/// Sets the weights whose driver counts, from the transforms of nodes in their parents.
pub fn apply(rig: &Rig, locals: &[LocalTransform], weights: &mut [f64], counts: impl Fn(&Driver) -> bool) {
    for driver in rig.drivers.iter().filter(|driver| counts(driver)) {
        let (Some(rest), Some(local)) = (rig.rest.get(driver.joint), locals.get(driver.joint)) else {
            continue;
        };
        let weights = weights.get_mut(rig.weights_of(driver.node)).unwrap_or_default();
        if let Some(weight) = weights.get_mut(driver.target) {
            *weight = driver.weight(parts(rest).1.conjugate() * parts(local).1);
        }
    }
}

/// Returns true if a clip has keys for the weight that a driver sets.
pub fn is_keyed(driver: &Driver, clip: &Clip) -> bool {
    clip.channels.iter().filter(|channel| channel.node == driver.node).any(|channel| match channel.property {
        Property::Weights => true,
        Property::Weight(target) => target as usize == driver.target,
        Property::Translation | Property::Rotation | Property::Scale => false,
    })
}
