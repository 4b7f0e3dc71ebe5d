//! Explains one vertex: its position under each of its joints alone, lines from there to its position in the mode,
//! and its positions in the other modes.

use glam::DVec3;

use super::letters::Letters;
use super::sheet::{End, Ink, LIGHT, Layer, Sheet, ink};
use crate::view::JointColors;
use sinew_model::Model;
use sinew_skinning::SkinningMode;
use sinew_skinning::probe::Probe;

/// Draws the joints and modes of the vertex.
pub fn draw(
    sheet: &mut Sheet,
    letters: &mut Letters,
    (model, colors): (&Model, &JointColors),
    probe: &Probe,
    mode: SkinningMode,
) {
    let unit = sheet.unit().max(1.0);
    let place = |position: [f32; 3]| DVec3::from_array(position.map(f64::from));
    let blended = probe.placed.iter().find(|(of, _)| *of == mode).map(|(_, position)| place(*position));
    let mut labels = Vec::new();
    for (number, alone) in probe.alone.iter().enumerate() {
        let influence = probe.influences.get(number);
        // Colour of the joint in views of weights.
        let color = ink(influence.map_or([255; 3], |(node, _)| colors.of(*node)), 1.0);
        let at = DVec3::from_array(*alone);
        if let Some(blended) = blended {
            sheet.rimmed_stroke(Layer::Above, end(at, 1.2 * unit, color), end(blended, 1.2 * unit, LIGHT));
        }
        sheet.rimmed_stroke(Layer::Above, end(at, 4.0 * unit, color), end(at, 4.0 * unit, color));
        if let Some((node, weight)) = influence {
            let name = model.rig.names.get(*node).map_or("", String::as_str);
            labels.push((at, format!("{} {:.0}%", letters.name(name), 100.0 * weight)));
        }
    }
    for (of, position) in &probe.placed {
        let at = place(*position);
        let radius = if *of == mode { 5.0 } else { 3.0 };
        sheet.rimmed_stroke(Layer::Above, end(at, radius * unit, LIGHT), end(at, radius * unit, LIGHT));
        labels.push((at, of.name().to_owned()));
    }
    for (at, text) in labels {
        label(sheet, letters, at, 9.0 * unit, &text);
    }
}

fn end(place: DVec3, radius: f32, ink: Ink) -> End {
    End { place, radius, ink }
}

/// Writes a label beside a point, `gap` pixels from it, if there is room.
pub(super) fn label(sheet: &mut Sheet, letters: &mut Letters, at: DVec3, gap: f32, text: &str) {
    let Some([x, y, _]) = sheet.pixel(at) else { return };
    let [x, y] = [x as f32, y as f32];
    let [rise, fall] = letters.rise_and_fall();
    let long = letters.width_of(text);
    let middle = y + (rise - fall) * 0.5;
    let line = rise + fall;
    let pens = [
        [x + gap, middle],
        [x - gap - long, middle],
        [x + gap, middle + line],
        [x + gap, middle - line],
        [x - gap - long, middle + line],
        [x - gap - long, middle - line],
        [x - long * 0.5, y - gap - fall],
        [x - long * 0.5, y + gap + rise],
    ];
    sheet.text_where_free(letters, &pens, text);
}
