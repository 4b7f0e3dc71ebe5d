//! Marks on top of the picture: rings of the chosen joint, dots at a vertex's positions, and messages.

use egui::{Align2, Color32, Context, FontId, LayerId, Painter, Pos2, Rect, Stroke};
use glam::DVec2;

use super::Facts;
use crate::gizmo::{Gizmo, Handle, Knob};
use sinew_skinning::SkinningMode;

/// Colours of x, y and z.
const AXES: [Color32; 3] =
    [Color32::from_rgb(232, 76, 70), Color32::from_rgb(96, 190, 70), Color32::from_rgb(70, 130, 240)];

/// The colour of the handle for all directions.
const MIDDLE: Color32 = Color32::from_rgb(240, 220, 120);

/// The colour of pins.
const PIN: Color32 = Color32::from_rgb(120, 230, 140);

/// A mark at a pixel of the picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Dot {
    /// The mode that puts the vertex there.
    pub mode: SkinningMode,
    /// The pixel.
    pub pixel: DVec2,
}

/// Marks of a vertex on the picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VertexMarks {
    /// Positions in each mode.
    pub dots: Vec<Dot>,
    /// Lines from its position in the current mode to its centre of rotation, if that is shown.
    pub lines: Vec<[DVec2; 2]>,
}

/// The mouse's hold on the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Held {
    /// Nothing.
    #[default]
    Nothing,
    /// A handle of the chosen joint, in the pane that begins at a pixel.
    Handle(Handle, DVec2),
    /// The line of a wipe.
    Line,
    /// The rectangle that selects vertices, from its first corner.
    Rectangle(DVec2),
}

/// Returns the colour of a mode's dots.
pub fn color(mode: SkinningMode) -> Color32 {
    match mode {
        SkinningMode::Rigid => Color32::from_rgb(240, 190, 40),
        SkinningMode::Linear => Color32::from_rgb(235, 90, 160),
        SkinningMode::DualQuat => Color32::from_rgb(60, 200, 220),
        SkinningMode::Blended => Color32::from_rgb(160, 130, 240),
        SkinningMode::CenterOfRotation => Color32::from_rgb(120, 210, 90),
        SkinningMode::DualQuatBlender => Color32::from_rgb(240, 130, 60),
        SkinningMode::DualQuatRigid => Color32::from_rgb(90, 140, 250),
        SkinningMode::DirectDeltaMush => Color32::from_rgb(40, 180, 140),
    }
}

/// Draws the marks over the picture, which fills `room`.
pub fn show(context: &Context, room: Rect, facts: &Facts) {
    let painter = context.layer_painter(LayerId::background()).with_clip_rect(room);
    let points = 1.0 / context.pixels_per_point();
    let at = |pixel: DVec2| room.min + egui::vec2(pixel.x as f32, pixel.y as f32) * points;
    let rings = facts.origins.iter().filter_map(|origin| Some((facts.gizmo?, *origin)));
    for (gizmo, [x, y]) in rings {
        let origin = DVec2::new(f64::from(x), f64::from(y));
        let [width, height] = facts.pane.map(f64::from);
        let pane = Rect::from_min_max(at(origin), at(origin + DVec2::new(width, height)));
        let painter = painter.with_clip_rect(pane.intersect(room));
        handles(&painter, gizmo, facts.handle, |pixel| at(pixel + origin));
    }
    if let Some((_, _, marks)) = &facts.probe {
        for line in &marks.lines {
            painter.line_segment(line.map(at), Stroke::new(4.0, Color32::BLACK));
            painter.line_segment(line.map(at), Stroke::new(2.0, Color32::WHITE));
            painter.circle_filled(at(line[1]), 4.0, Color32::BLACK);
            painter.circle_filled(at(line[1]), 2.5, Color32::WHITE);
        }
        for dot in &marks.dots {
            let middle: Pos2 = at(dot.pixel);
            painter.circle_filled(middle, 5.0, Color32::BLACK);
            painter.circle_filled(middle, 3.5, color(dot.mode));
        }
    }
    for pin in &facts.pins {
        let square = Rect::from_center_size(at(*pin), egui::vec2(15.0, 15.0));
        painter.rect_stroke(square, 0.0, Stroke::new(5.0, Color32::BLACK), egui::StrokeKind::Middle);
        painter.rect_stroke(square, 0.0, Stroke::new(3.0, PIN), egui::StrokeKind::Middle);
    }
    if let Some((pixel, words)) = &facts.drag {
        let place = at(*pixel) + egui::vec2(16.0, -16.0);
        let laid_out = painter.layout_no_wrap(words.clone(), FontId::monospace(13.0), Color32::WHITE);
        let size = laid_out.size();
        let place = place.min(room.max - size - egui::vec2(6.0, 6.0)).max(room.min + egui::vec2(6.0, 6.0));
        painter.rect_filled(
            Rect::from_min_size(place, size).expand(4.0),
            3.0,
            Color32::from_black_alpha(200),
        );
        painter.galley(place, laid_out, Color32::WHITE);
    }
}

/// Draws the handles of the chosen joint; `lit` is the hovered or dragged one.
fn handles(painter: &Painter, gizmo: &Gizmo, lit: Option<Handle>, at: impl Fn(DVec2) -> Pos2) {
    for handle in gizmo.handles() {
        let color = match handle {
            Handle::Axis(axis) => AXES.get(axis).copied().unwrap_or(MIDDLE),
            Handle::Middle => MIDDLE,
        };
        let is_lit = lit == Some(handle);
        for piece in gizmo.line(handle).windows(2) {
            let [(from, is_far), (to, _)] = piece else { continue };
            let color = if *is_far { color.gamma_multiply(0.25) } else { color };
            let width = if is_lit { 4.0 } else { 2.0 };
            painter.line_segment([at(*from), at(*to)], Stroke::new(width, color));
        }
        let Some((knob, end)) = gizmo.knob(handle) else { continue };
        let (end, half) = (at(end), if is_lit { 7.0 } else { 5.0 });
        match knob {
            Knob::Box => {
                let square = Rect::from_center_size(end, egui::vec2(half, half) * 2.0);
                painter.rect_filled(square, 0.0, color);
            }
            Knob::Tip => {
                painter.circle_filled(end, half, color);
            }
            Knob::Disc => {
                painter.circle_filled(end, half + 3.0, color.gamma_multiply(0.5));
                painter.circle_stroke(end, half + 3.0, Stroke::new(2.0, color));
            }
        }
    }
}

/// Shows a message at the lower edge of the picture.
pub fn say(context: &Context, room: Rect, text: &str, is_error: bool) {
    let color = if is_error { Color32::from_rgb(255, 150, 130) } else { Color32::from_rgb(220, 225, 230) };
    let painter = context.layer_painter(LayerId::new(egui::Order::Foreground, egui::Id::new("message")));
    let width = (room.width() - 32.0).max(60.0);
    let laid_out = painter.layout(text.to_owned(), FontId::proportional(14.0), color, width);
    let place =
        Align2::CENTER_BOTTOM.anchor_size(egui::pos2(room.center().x, room.max.y - 14.0), laid_out.size());
    painter.rect_filled(place.expand(8.0), 4.0, Color32::from_black_alpha(220));
    painter.galley(place.min, laid_out, color);
}
