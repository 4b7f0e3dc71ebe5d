//! Draws centres of rotation: a dot for each, in the colour of its vertex's first joint. A vertex gets none if it is
//! its own centre, because one joint moves it or no triangle resembles it.

use std::collections::HashSet;

use glam::Vec3;

use super::sheet::{End, LIGHT, Layer, Sheet, ink};
use crate::view::JointColors;
use sinew_model::Model;
use sinew_skinning::pose::Pose;
use sinew_skinning::probe::Probe;
use sinew_skinning::{SkinningMode, centers, placed};

/// Draws the centres of the whole model.
pub fn draw(sheet: &mut Sheet, model: &Model, pose: &Pose, colors: &JointColors) {
    let radius = 1.6 * sheet.unit();
    // Vertices of equal weights share a centre, and a large model has more of them than a picture has pixels.
    let mut taken = HashSet::new();
    let primitives = model.instances.iter().enumerate().flat_map(|(number, instance)| {
        let primitives = model.meshes.get(instance.mesh).map_or(&[][..], |mesh| &mesh.primitives);
        primitives.iter().enumerate().map(move |(p, primitive)| (number, instance, p, primitive))
    });
    for (number, instance, p, primitive) in primitives {
        let all = 0..primitive.positions.len();
        let Some(places) = placed::centers(model, pose, (number, p), all) else { continue };
        let stored =
            instance.skin.and_then(|skin| centers::of(model, skin, instance.mesh, p)).unwrap_or_default();
        let skin = instance.skin.and_then(|skin| model.skins.get(skin));
        let first = primitive.influences.iter().flat_map(|influences| influences.spans.first());
        let joints = first.flat_map(|span| &span.joints);
        let away = stored.iter().zip(&primitive.positions).map(|(center, vertex)| center != vertex);
        let dots = places.iter().zip(joints).zip(away).filter_map(|(dot, is_away)| is_away.then_some(dot));
        for (place, [joint, ..]) in dots {
            let place = Vec3::from(*place).as_dvec3();
            let Some([x, y, _]) = sheet.pixel(place) else { continue };
            let number = usize::try_from(*joint).ok();
            if taken.insert((x as i64, y as i64, number)) {
                let node = number.zip(skin).and_then(|(number, skin)| skin.joints.get(number));
                let ink = ink(node.map_or([128; 3], |node| colors.of(*node)), 1.0);
                let dot = End { place, radius, ink };
                sheet.stroke(Layer::Above, dot, dot);
            }
        }
    }
}

/// Draws a line to its centre from a vertex, in the mode of the picture.
pub fn draw_line(sheet: &mut Sheet, probe: &Probe, mode: SkinningMode) {
    let place = |place: [f32; 3]| Vec3::from(place).as_dvec3();
    let vertex = probe.placed.iter().find(|(of, _)| *of == mode);
    let (Some((_, vertex)), Some(center)) = (vertex, probe.center) else { return };
    let end = |place, radius: f32| End { place, radius: radius * sheet.unit().max(1.0), ink: LIGHT };
    let (vertex, center) = (end(place(*vertex), 1.2), end(place(center.placed), 1.2));
    sheet.rimmed_stroke(Layer::Above, vertex, center);
    let dot = End { radius: 3.0 * center.radius, ..center };
    sheet.rimmed_stroke(Layer::Above, dot, dot);
}
