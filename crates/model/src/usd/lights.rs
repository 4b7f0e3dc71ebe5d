//! Lights on their prims' nodes. Those of USD shine along −z, as glTF's do.
//!
//! USD gives the luminance of a light's surface. A point has the intensity of that surface from its front, and light from
//! afar the illuminance of its disc.

use std::f64::consts::{FRAC_PI_2, PI};

use glam::DVec3;
use openusd::sdf::Value;

use super::Work;
use super::bindings::Binding;
use super::nodes::{Nodes, metres};
use super::stage::{Prim, Stage};
use super::values;
use crate::reading::message::one_line;
use crate::{Light, LightKind};

/// The smallest angle of a cone.
const MIN_CONE: f64 = 1e-3;

/// The temperature of white, which is the schema's.
const WHITE: f64 = 6500.0;

/// Reads all lights that shine.
pub fn read(
    stage: &Stage,
    prims: &[Prim],
    bindings: &[Binding],
    nodes: &Nodes,
    work: &mut Work<'_>,
) -> Vec<Light> {
    let mut lights = Vec::new();
    for (prim, binding) in prims.iter().zip(bindings) {
        let Some(node) = nodes.of.get(&prim.path).copied() else { continue };
        let is_light = prim.kind.ends_with("Light") || prim.kind.starts_with("DomeLight");
        if !is_light || !binding.is_shown() {
            continue;
        }
        let reader = Reader { stage, prim };
        let mut object = |message: &str| work.warnings.add("LIGHT", prim.path.as_str(), message);
        let Some((kind, strength)) = reader.kind() else {
            object("a light of its kind is not shown");
            continue;
        };
        let is_white = reader.number("colorTemperature", WHITE) == WHITE;
        if reader.flag("enableColorTemperature") && !is_white {
            object("its colour temperature is not shown");
        }
        if stage.times(prim, "inputs:intensity").len() > 1 || stage.times(prim, "inputs:color").len() > 1 {
            object("it changes; its first state is shown");
        }
        let color = reader.value("color").and_then(|color| values::vector(&color)).unwrap_or(DVec3::ONE);
        let color = color.max(DVec3::ZERO);
        let brightest = color.max_element();
        let intensity = strength * brightest * reader.number("exposure", 0.0).exp2();
        let intensity = intensity as f32;
        if !color.is_finite() || !intensity.is_finite() || intensity <= 0.0 {
            continue;
        }
        let color = (color / brightest).as_vec3().to_array();
        lights.push(Light { name: one_line(prim.name()).into(), node, kind, color, intensity, range: None });
    }
    lights
}

/// A light of the file.
struct Reader<'a> {
    stage: &'a Stage,
    prim: &'a Prim,
}

impl Reader<'_> {
    /// A property; older files have no prefix.
    fn value(&self, name: &str) -> Option<Value> {
        self.stage.value(self.prim, &format!("inputs:{name}")).or_else(|| self.stage.value(self.prim, name))
    }

    fn number(&self, name: &str, or: f64) -> f64 {
        self.value(name).and_then(|value| values::number(&value)).unwrap_or(or)
    }

    fn flag(&self, name: &str) -> bool {
        matches!(self.value(name), Some(Value::Bool(true)))
    }

    /// The kind of light, and its intensity in white without exposure: lux from afar, candela of others.
    fn kind(&self) -> Option<(LightKind, f64)> {
        let side = |name: &str, or: f64| self.number(name, or).max(0.0);
        let is_afar = self.prim.kind == "DistantLight";
        let radius = side("radius", 0.5);
        // The area that is seen from the front, and all of it, in the file's units.
        let (seen, all) = match self.prim.kind.as_str() {
            "DistantLight" => {
                let sine = (side("angle", 0.53).min(180.0).to_radians() / 2.0).sin();
                (PI * sine * sine, PI * sine * sine)
            }
            "SphereLight" => (PI * radius * radius, 4.0 * PI * radius * radius),
            "DiskLight" => (PI * radius * radius, PI * radius * radius),
            "RectLight" => {
                let area = side("width", 1.0) * side("height", 1.0);
                (area, area)
            }
            "CylinderLight" => {
                let area = 2.0 * radius * side("length", 1.0);
                (area, PI * area)
            }
            _ => return None,
        };
        let luminance = self.number("intensity", if is_afar { 50_000.0 } else { 1.0 });
        let strength = match self.flag("normalize") {
            // Points and rays have no area.
            true if all == 0.0 => luminance * if self.prim.kind == "SphereLight" { 0.25 } else { 1.0 },
            true => luminance * seen / all,
            false => luminance * seen,
        };
        if is_afar {
            return Some((LightKind::Directional, strength));
        }
        let unit = metres(self.stage);
        Some((self.cone(), strength * unit * unit))
    }

    /// A cone, if the light has one or shines to one side.
    fn cone(&self) -> LightKind {
        let is_flat = matches!(self.prim.kind.as_str(), "DiskLight" | "RectLight");
        let outer = self.number("shaping:cone:angle", 90.0).to_radians();
        let outer = if outer.is_finite() { outer.max(MIN_CONE) } else { FRAC_PI_2 };
        if outer >= FRAC_PI_2 {
            return match is_flat {
                true => LightKind::Spot { inner_cone_radians: 0.0, outer_cone_radians: FRAC_PI_2 as f32 },
                false => LightKind::Point,
            };
        }
        let softness = self.number("shaping:cone:softness", 0.0).clamp(0.0, 1.0);
        let softness = if softness.is_finite() { softness } else { 0.0 };
        let inner = (outer * (1.0 - softness)).min(outer * 0.999);
        LightKind::Spot { inner_cone_radians: inner as f32, outer_cone_radians: outer as f32 }
    }
}
