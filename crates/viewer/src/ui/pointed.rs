//! Marks joints in the picture: the one under the cursor, before it is clicked, and the chosen one.

use egui::{Align2, Color32, Context, FontId, LayerId, Painter, Pos2, Rect, Stroke, StrokeKind};
use glam::DVec2;

/// A pane's marks for a joint, in pixels of the whole picture.
#[derive(Clone, Debug, PartialEq)]
pub struct PaneMarks {
    /// The visible part of the pane: its upper left and lower right corner.
    pub clip: [DVec2; 2],
    /// The joint's dot.
    pub dot: Option<DVec2>,
    /// The bones that the joint moves, from the joint to its children.
    pub bones: Vec<[DVec2; 2]>,
    /// Two corners of its name.
    pub name: Option<[DVec2; 2]>,
}

/// The colour of the joint under the cursor.
const POINTED: Color32 = Color32::WHITE;

/// The colour of the chosen joint.
const CHOSEN: Color32 = Color32::from_rgb(250, 180, 40);

/// Marks the chosen joint over the picture, which fills `room`.
pub fn show_chosen(context: &Context, room: Rect, panes: &[PaneMarks]) {
    panes.iter().for_each(|pane| mark(context, room, pane, CHOSEN));
}

/// Marks the joint under the cursor, and names it unless the picture does.
pub fn show_pointed(context: &Context, room: Rect, panes: &[PaneMarks], name: &str) {
    for pane in panes {
        mark(context, room, pane, POINTED);
        if let (Some(dot), None) = (pane.dot, pane.name) {
            let painter = painter(context, room, pane);
            let place = at(context, room, dot) + egui::vec2(12.0, -12.0);
            let text = painter.layout_no_wrap(name.to_owned(), FontId::proportional(13.0), POINTED);
            let place = Align2::LEFT_BOTTOM.anchor_size(place, text.size());
            // Near the right edge, the name shifts to the left.
            let place = place.translate(egui::vec2((room.max.x - 6.0 - place.max.x).min(0.0), 0.0));
            painter.rect_filled(place.expand2(egui::vec2(5.0, 2.0)), 3.0, Color32::from_black_alpha(200));
            painter.galley(place.min, text, POINTED);
        }
    }
}

fn mark(context: &Context, room: Rect, pane: &PaneMarks, color: Color32) {
    let painter = painter(context, room, pane);
    let at = |pixel: DVec2| at(context, room, pixel);
    for bone in &pane.bones {
        painter.line_segment(bone.map(at), Stroke::new(5.0, Color32::from_black_alpha(160)));
        painter.line_segment(bone.map(at), Stroke::new(2.5, color));
    }
    if let Some(dot) = pane.dot.map(at) {
        painter.circle_stroke(dot, 7.0, Stroke::new(4.0, Color32::from_black_alpha(160)));
        painter.circle_stroke(dot, 7.0, Stroke::new(2.0, color));
    }
    if let Some([from, to]) = pane.name {
        let rect = Rect::from_min_max(at(from), at(to)).expand(2.0);
        painter.rect_stroke(rect, 3.0, Stroke::new(1.5, color), StrokeKind::Outside);
    }
}

/// Returns a painter for the visible part of a pane.
fn painter(context: &Context, room: Rect, pane: &PaneMarks) -> Painter {
    let [from, to] = pane.clip.map(|corner| at(context, room, corner));
    context.layer_painter(LayerId::background()).with_clip_rect(Rect::from_min_max(from, to).intersect(room))
}

fn at(context: &Context, room: Rect, pixel: DVec2) -> Pos2 {
    room.min + egui::vec2(pixel.x as f32, pixel.y as f32) / context.pixels_per_point()
}
