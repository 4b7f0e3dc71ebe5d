//! Cameras on their prims' nodes. Those of USD look along −z with y up, as glTF's do.

use super::Work;
use super::nodes::{Nodes, metres};
use super::stage::{Prim, Stage};
use super::values;
use crate::reading::message::one_line;
use crate::{Camera, Projection};

/// Units of the scene in a unit of focal lengths and apertures.
const LENS_UNIT: f64 = 0.1;

/// Values of the schema where a file has none.
const FOCAL_LENGTH: f64 = 50.0;
const APERTURES: [f64; 2] = [20.955, 15.2908];
const CLIPPING: [f64; 2] = [1.0, 1e6];

/// Reads all cameras whose numbers give a picture.
pub fn read(stage: &Stage, prims: &[Prim], nodes: &Nodes, work: &mut Work<'_>) -> Vec<Camera> {
    let mut cameras = Vec::new();
    for prim in prims.iter().filter(|prim| prim.kind == "Camera") {
        let Some(node) = nodes.of.get(&prim.path).copied() else { continue };
        let mut object = |message: &str| work.warnings.add("CAMERA", prim.path.as_str(), message);
        let Some(projection) = projection(stage, prim, &mut object) else {
            object("its numbers give no picture; it is left out");
            continue;
        };
        let name = one_line(prim.name()).into();
        cameras.push(Camera { name, file_index: cameras.len(), node, projection });
    }
    cameras
}

fn projection(stage: &Stage, camera: &Prim, object: &mut dyn FnMut(&str)) -> Option<Projection> {
    let number = |name: &str| stage.value(camera, name).and_then(|value| values::number(&value));
    let positive = |number: f64| (number.is_finite() && number > 0.0).then_some(number);
    let [width, height] = ["horizontalAperture", "verticalAperture"].map(number);
    let [default_width, default_height] = APERTURES;
    let width = positive(width.unwrap_or(default_width))?;
    let height = positive(height.unwrap_or(default_height))?;
    let clipping = stage.value(camera, "clippingRange").and_then(|range| values::pair(&range));
    let [near, far] = clipping.unwrap_or(CLIPPING).map(|distance| distance * metres(stage));
    let far = positive(far).filter(|far| *far > near);
    if ["horizontalApertureOffset", "verticalApertureOffset"]
        .iter()
        .any(|name| number(name).is_some_and(|offset| offset != 0.0))
    {
        object("its aperture is off its axis; it is shown on it");
    }
    if ["focalLength", "horizontalAperture", "verticalAperture", "clippingRange"]
        .iter()
        .any(|name| stage.times(camera, name).len() > 1)
    {
        object("its lens changes; its first state is shown");
    }
    if stage.text(camera, "projection").as_deref() == Some("orthographic") {
        let half = |side: f64| positive(side * LENS_UNIT * metres(stage) / 2.0);
        let (half_width, half_height) = (half(width)?, half(height)?);
        return Some(Projection::Orthographic { half_width, half_height, near: near.max(0.0), far: far? });
    }
    let focal = positive(number("focalLength").unwrap_or(FOCAL_LENGTH))?;
    let yfov_radians = positive(2.0 * (height / (2.0 * focal)).atan())?;
    let is_open = yfov_radians < std::f64::consts::PI;
    let aspect = positive(width / height);
    is_open.then_some(Projection::Perspective { yfov_radians, aspect, near: positive(near)?, far })
}
