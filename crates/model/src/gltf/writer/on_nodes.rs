//! Writes cameras, lights, constraints and drivers, and which node has which.

use glam::DVec3;
use serde_json::{Value, json};

use super::name::named;
use crate::{Camera, Constraint, Follow, Light, LightKind, Model, Projection};

/// The extension with the lights.
pub const LIGHTS: &str = "KHR_lights_punctual";

/// The extension with the constraints.
pub const CONSTRAINT: &str = "VRMC_node_constraint";

/// The cameras of the document.
pub fn cameras(model: &Model) -> Vec<Value> {
    model.cameras.iter().map(camera).collect()
}

fn camera(camera: &Camera) -> Value {
    let value = match camera.projection {
        Projection::Perspective { yfov_radians, aspect, near, far } => {
            let mut perspective = json!({ "yfov": yfov_radians, "znear": near });
            for (key, number) in [("aspectRatio", aspect), ("zfar", far)] {
                if let Some(number) = number {
                    perspective[key] = number.into();
                }
            }
            json!({ "type": "perspective", "perspective": perspective })
        }
        Projection::Orthographic { half_width, half_height, near, far } => {
            let sides = json!({ "xmag": half_width, "ymag": half_height, "znear": near, "zfar": far });
            json!({ "type": "orthographic", "orthographic": sides })
        }
    };
    named(value, &camera.name)
}

/// The lights of the document, as the extension has them.
pub fn lights(model: &Model) -> Vec<Value> {
    model.lights.iter().map(light).collect()
}

fn light(light: &Light) -> Value {
    let kind = match light.kind {
        LightKind::Directional => "directional",
        LightKind::Point => "point",
        LightKind::Spot { .. } => "spot",
    };
    let mut value = json!({ "type": kind, "color": light.color, "intensity": light.intensity });
    if let LightKind::Spot { inner_cone_radians, outer_cone_radians } = light.kind {
        value["spot"] = json!({ "innerConeAngle": inner_cone_radians, "outerConeAngle": outer_cone_radians });
    }
    if let Some(range) = light.range {
        value["range"] = range.into();
    }
    named(value, &light.name)
}

/// Writes each node's camera and light.
pub fn put_on_nodes(model: &Model, nodes: &mut [Value]) {
    for (number, camera) in model.cameras.iter().enumerate() {
        if let Some(node) = nodes.get_mut(camera.node) {
            node["camera"] = number.into();
        }
    }
    for (number, light) in model.lights.iter().enumerate() {
        if let Some(node) = nodes.get_mut(light.node) {
            node["extensions"][LIGHTS] = json!({ "light": number });
        }
    }
    for constraint in &model.rig.constraints {
        if let Some(node) = nodes.get_mut(constraint.node) {
            node["extensions"][CONSTRAINT] = json!({ "specVersion": "1.0", "constraint": rule(constraint) });
        }
    }
    for driver in &model.rig.drivers {
        let Some(node) = nodes.get_mut(driver.node) else { continue };
        let [degrees, weights] =
            [0, 1].map(|part| driver.keys.iter().map(|key| key[part]).collect::<Vec<_>>());
        let mut drivers = node["extras"]["sinew"]["drivers"].as_array().cloned().unwrap_or_default();
        drivers.push(json!({
            "target": driver.target,
            "joint": driver.joint,
            "axis": driver.axis.to_array(),
            "degrees": degrees,
            "weights": weights,
        }));
        node["extras"]["sinew"]["drivers"] = drivers.into();
    }
}

fn rule(constraint: &Constraint) -> Value {
    let axis = |axis: DVec3, names: [&'static str; 6]| {
        let places = [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z];
        places.iter().zip(names).find(|(place, _)| **place == axis).map(|(_, name)| name)
    };
    let mut follows = json!({ "source": constraint.source, "weight": constraint.weight });
    let member = match constraint.rule {
        Follow::Roll(about) => {
            follows["rollAxis"] = axis(about, ["X", "X", "Y", "Y", "Z", "Z"]).into();
            "roll"
        }
        Follow::Aim(along) => {
            let names = ["PositiveX", "NegativeX", "PositiveY", "NegativeY", "PositiveZ", "NegativeZ"];
            follows["aimAxis"] = axis(along, names).into();
            "aim"
        }
        Follow::Rotation => "rotation",
    };
    json!({ member: follows })
}
