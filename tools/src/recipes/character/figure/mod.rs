//! The figure as one solid, left half and mirror image.
//! It must not depend on how its surface is found.

use super::solid::{Ellipsoid, RoundCone, Solid};

mod arm;
mod foot;
mod hand;
mod head;
mod leg;
mod torso;

/// The whole figure.
pub fn figure() -> Solid {
    let mut figure = torso::torso();
    figure.add(0.045, leg::leg());
    figure.add(0.050, arm::arm());
    figure.add(0.012, hand::hand());
    figure.add(0.014, foot::foot());
    figure.add(0.045, head::head());
    figure.mirrored()
}

fn cone(from: [f64; 3], from_radius: f64, to: [f64; 3], to_radius: f64) -> RoundCone {
    RoundCone { from: from.into(), from_radius, to: to.into(), to_radius }
}

fn ball(center: [f64; 3], radius: f64) -> Ellipsoid {
    Ellipsoid::new(center, [radius; 3])
}
