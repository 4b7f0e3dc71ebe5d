//! Cameras and lights as prims.

use openusd::sdf::Value;

use super::prim::{Prim, Property, token};
use super::values::{pair, vector};
use crate::{Camera, Light, LightKind, Projection};

/// The height of a picture on film, in tenths of a unit, where only its ratio to the focal length counts.
const FILM: f64 = 24.0;

/// The far plane of a camera without one, in metres.
const FAR: f64 = 1e6;

/// The prim of a camera.
pub fn camera(camera: &Camera, name: &str) -> Prim {
    let (word, width, height, focal, near, far) = match camera.projection {
        Projection::Perspective { yfov_radians, aspect, near, far } => {
            let focal = FILM / 2.0 / (yfov_radians / 2.0).tan();
            let far = far.unwrap_or(FAR.max(near * 2.0));
            ("perspective", FILM * aspect.unwrap_or(1.0), FILM, focal, near, far)
        }
        Projection::Orthographic { half_width, half_height, near, far } => {
            ("orthographic", half_width * 20.0, half_height * 20.0, 50.0, near, far)
        }
    };
    let mut prim = Prim::new(name, "Camera");
    let number = |number: f64| Value::Float(number as f32);
    prim.properties.extend([
        Property::of("projection", "token", token(word)),
        Property::of("horizontalAperture", "float", number(width)),
        Property::of("verticalAperture", "float", number(height)),
        Property::of("focalLength", "float", number(focal)),
        Property::of("clippingRange", "float2", pair([near as f32, far as f32])),
    ]);
    prim
}

/// The prim of a light. A sphere whose light is that of a point has a quarter of its intensity in each direction.
pub fn light(light: &Light, name: &str) -> Prim {
    let (kind, intensity) = match light.kind {
        LightKind::Directional => ("DistantLight", light.intensity),
        LightKind::Point | LightKind::Spot { .. } => ("SphereLight", light.intensity * 4.0),
    };
    let mut prim = Prim::new(name, kind);
    let number = |name: &str, number: f32| Property::of(name, "float", Value::Float(number));
    prim.properties.extend([
        Property::of("inputs:color", "color3f", vector(light.color)),
        number("inputs:intensity", intensity),
    ]);
    if kind == "SphereLight" {
        prim.properties.extend([
            Property::of("inputs:normalize", "bool", true),
            number("inputs:radius", 0.01),
            Property::of("treatAsPoint", "bool", true),
        ]);
    }
    if let LightKind::Spot { inner_cone_radians, outer_cone_radians } = light.kind {
        prim.apply(&["ShapingAPI"]);
        prim.properties.extend([
            number("inputs:shaping:cone:angle", outer_cone_radians.to_degrees()),
            number("inputs:shaping:cone:softness", 1.0 - inner_cone_radians / outer_cone_radians),
        ]);
    }
    prim
}
