//! Lights, each on a separate node below the file's node. FBX lights have a direction, and glTF lights shine along −z.
//!
//! FBX gives intensity as a factor, not in candela. A light of intensity one lights a white surface at the file's
//! origin to full white.

use std::f64::consts::{FRAC_PI_2, PI};

use glam::{DQuat, DVec3};

use super::matrices::{matrix, unit, vec3};
use super::nodes::Nodes;
use crate::reading::message::one_line;
use crate::{Light, LightKind, LocalTransform};

/// Lights closer to the origin than this, in metres, are as bright as one there.
const CLOSEST: f64 = 1.0;

/// Reads all lights on visible nodes that shine.
pub fn read(scene: &ufbx::Scene, nodes: &mut Nodes) -> Vec<Light> {
    let mut lights = Vec::new();
    let hidden = super::nodes::hidden(scene);
    for ((number, node), is_hidden) in scene.nodes.iter().enumerate().zip(hidden) {
        let Some(light) = node.light.as_ref().filter(|light| light.cast_light && !is_hidden) else {
            continue;
        };
        let direction = vec3(&light.local_direction).normalize_or(DVec3::NEG_Y);
        let rotation = DQuat::from_rotation_arc(DVec3::NEG_Z, direction);
        let place = matrix(&node.node_to_world).w_axis.truncate();
        let meters = place.length().max(CLOSEST);
        let radians = |degrees: f64| (degrees.to_radians() / 2.0).clamp(0.0, FRAC_PI_2) as f32;
        let (kind, reach) = match light.type_ {
            ufbx::LightType::Directional => (LightKind::Directional, 1.0),
            ufbx::LightType::Spot => {
                let outer = radians(light.outer_angle).max(1e-3);
                let inner = radians(light.inner_angle).min(outer * 0.999);
                (LightKind::Spot { inner_cone_radians: inner, outer_cone_radians: outer }, meters)
            }
            ufbx::LightType::Point | ufbx::LightType::Area | ufbx::LightType::Volume => {
                (LightKind::Point, meters)
            }
        };
        let intensity = (light.intensity * PI * reach * reach) as f32;
        if !(intensity.is_finite() && intensity > 0.0) {
            continue;
        }
        let color = vec3(&light.color).to_array().map(unit);
        let name =
            one_line(if light.element.name.is_empty() { &node.element.name } else { &light.element.name });
        let rest = LocalTransform::Trs { translation: DVec3::ZERO, rotation, scale: DVec3::ONE };
        let node = nodes.add_below(number, format!("light of {name}"), rest);
        lights.push(Light { name: name.into(), node, kind, color, intensity, range: None });
    }
    lights
}
