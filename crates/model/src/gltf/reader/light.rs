//! Reads and checks the lights of the scene.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use super::node::Nodes;
use crate::gltf::json::{self, Document};
use crate::reading::message::quoted;
use crate::reading::warnings::Warnings;
use crate::{Light, LightKind};

/// A broken rule: its code, the property, and the fault.
type Fault = (&'static str, &'static str, String);

/// The lights on the nodes of the scene. One with invalid numbers is left out.
pub fn read(document: &Document, nodes: &Nodes, shown: &[usize], warnings: &mut Warnings) -> Vec<Light> {
    let given = document.extensions.lights.as_ref().map_or(&[][..], |lights| &lights.lights);
    let mut known = Vec::with_capacity(given.len());
    for (index, light) in given.iter().enumerate() {
        known.push(match check(light) {
            Ok(light) => Some(light),
            Err((code, property, message)) => {
                let path = format!("extensions.KHR_lights_punctual.lights[{index}].{property}");
                warnings.add(code, &path, format!("{message}; the light was left out"));
                None
            }
        });
    }
    let mut lights = Vec::new();
    for file_node in shown {
        let extensions = document.nodes.get(*file_node).and_then(|node| node.extensions.as_deref());
        let Some(used) = extensions.and_then(|extensions| extensions.light.as_ref()) else { continue };
        let path = || format!("nodes[{file_node}].extensions.KHR_lights_punctual.light");
        let Some(light) = known.get(used.light) else {
            let message = format!("there is no light {} (the file has {})", used.light, known.len());
            warnings.add("UNRESOLVED_REFERENCE", &path(), message);
            continue;
        };
        if let (Some(light), Ok(node)) = (light, nodes.rig_index(*file_node, path)) {
            lights.push(Light { node, ..light.clone() });
        }
    }
    lights
}

/// The light, on no node yet.
fn check(light: &json::Light) -> Result<Light, Fault> {
    let kind = match light.kind.as_str() {
        "directional" => LightKind::Directional,
        "point" => LightKind::Point,
        "spot" => cone(light.spot.as_ref())?,
        other => {
            return Err(("VALUE_NOT_IN_LIST", "type", format!("{} is not a kind of light", quoted(other))));
        }
    };
    let color = light.color.unwrap_or([1.0; 3]);
    if !color.iter().all(|channel| (0.0..=1.0).contains(channel)) {
        return Err(("VALUE_NOT_IN_RANGE", "color", format!("{color:?} is not from 0 to 1")));
    }
    let intensity = light.intensity.unwrap_or(1.0);
    if intensity < 0.0 || !(intensity as f32).is_finite() {
        return Err(("VALUE_NOT_IN_RANGE", "intensity", format!("{intensity:e} is not an intensity")));
    }
    if let Some(range) = light.range
        && !(range > 0.0 && (range as f32).is_normal())
    {
        return Err(("VALUE_NOT_IN_RANGE", "range", format!("{range:e} is not above 0")));
    }
    Ok(Light {
        name: light.name.as_str().into(),
        node: 0,
        kind,
        color: color.map(|channel| channel as f32),
        intensity: intensity as f32,
        range: light.range.map(|range| range as f32),
    })
}

fn cone(spot: Option<&json::Spot>) -> Result<LightKind, Fault> {
    let Some(spot) = spot else {
        return Err(("UNDEFINED_PROPERTY", "spot", "is missing".to_owned()));
    };
    let inner = spot.inner_cone_angle.unwrap_or(0.0);
    let outer = spot.outer_cone_angle.unwrap_or(FRAC_PI_4);
    if !(0.0..FRAC_PI_2).contains(&inner) {
        return Err(("VALUE_NOT_IN_RANGE", "spot.innerConeAngle", format!("{inner} is not from 0 to π/2")));
    }
    // Rounded to single precision, a right angle is a little more than one.
    if !(0.0..=FRAC_PI_2 + 1e-6).contains(&outer) {
        return Err(("VALUE_NOT_IN_RANGE", "spot.outerConeAngle", format!("{outer} is not from 0 to π/2")));
    }
    if outer as f32 <= inner as f32 {
        let message = format!("outerConeAngle {outer} is not above innerConeAngle {inner}");
        return Err(("KHR_LIGHTS_PUNCTUAL_LIGHT_SPOT_ANGLES", "spot", message));
    }
    Ok(LightKind::Spot { inner_cone_radians: inner as f32, outer_cone_radians: outer as f32 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gltf::json;
    use crate::gltf::reader::node;

    /// Reads the lights of a file whose nodes hold lights 0, none, 1 and, hidden, 0. Returns them with the warnings.
    fn lights(lights: &str) -> (Vec<Light>, Vec<String>) {
        let with =
            |light: usize| format!(r#"{{"extensions": {{"KHR_lights_punctual": {{"light": {light}}}}}}}"#);
        let text = format!(
            r#"{{"asset": {{"version": "2.0"}}, "nodes": [{}, {{}}, {}, {}],
                "extensions": {{"KHR_lights_punctual": {{"lights": [{lights}]}}}}}}"#,
            with(0),
            with(1),
            with(0),
        );
        let document = json::parse(text.as_bytes()).unwrap();
        let mut warnings = Warnings::default();
        let nodes = node::read(&document, &mut warnings).unwrap();
        let lights = read(&document, &nodes, &[2, 1, 0], &mut warnings);
        let warnings = warnings.into_vec();
        (lights, warnings.into_iter().map(|w| format!("{} {}: {}", w.code, w.path, w.message)).collect())
    }

    #[test]
    fn lights_of_the_shown_nodes_with_their_defaults() {
        let (lights, warnings) = lights(
            r#"{"type": "point"}, {"type": "spot", "name": "s", "color": [0.5, 0, 1], "intensity": 20,
                "range": 4, "spot": {"innerConeAngle": 0.25}}"#,
        );
        assert_eq!(warnings, [""; 0]);
        let kind = LightKind::Spot { inner_cone_radians: 0.25, outer_cone_radians: FRAC_PI_4 as f32 };
        let spot = Light {
            name: "s".into(),
            node: 2,
            kind,
            color: [0.5, 0.0, 1.0],
            intensity: 20.0,
            range: Some(4.0),
        };
        let point = Light {
            name: "".into(),
            node: 0,
            kind: LightKind::Point,
            color: [1.0; 3],
            intensity: 1.0,
            range: None,
        };
        assert_eq!(lights, [spot, point]);
    }

    #[test]
    fn broken_lights_are_left_out_by_name() {
        for (light, expected) in [
            (r#"{"type": "sun"}"#, "VALUE_NOT_IN_LIST extensions.KHR_lights_punctual.lights[0].type: 'sun'"),
            (
                r#"{"type": "point", "intensity": -1}"#,
                "VALUE_NOT_IN_RANGE extensions.KHR_lights_punctual.lights[0].intensity",
            ),
            (
                r#"{"type": "point", "color": [2, 0, 0]}"#,
                "VALUE_NOT_IN_RANGE extensions.KHR_lights_punctual.lights[0].color",
            ),
            (
                r#"{"type": "point", "range": 0}"#,
                "VALUE_NOT_IN_RANGE extensions.KHR_lights_punctual.lights[0].range",
            ),
            (r#"{"type": "spot"}"#, "UNDEFINED_PROPERTY extensions.KHR_lights_punctual.lights[0].spot"),
            (
                r#"{"type": "spot", "spot": {"innerConeAngle": 1, "outerConeAngle": 0.5}}"#,
                "KHR_LIGHTS_PUNCTUAL_LIGHT_SPOT_ANGLES extensions.KHR_lights_punctual.lights[0].spot: \
                 outerConeAngle 0.5 is not above innerConeAngle 1; the light was left out",
            ),
        ] {
            let (lights, warnings) = lights(&format!(r#"{light}, {{"type": "directional"}}"#));
            assert_eq!(lights.len(), 1, "{light}");
            assert!(warnings.len() == 1 && warnings[0].starts_with(expected), "{light}: {warnings:?}");
        }
        let (lights, warnings) = lights("");
        assert!(lights.is_empty());
        assert_eq!(warnings.len(), 2);
    }
}
