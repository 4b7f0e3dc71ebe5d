//! Shows the selected vertices, and edits their weights for the chosen joint.

use egui::{Color32, Context, LayerId, Rect, Stroke, StrokeKind, Ui};
use glam::DVec2;
use sinew_skinning::reweight::Edit;
use sinew_text::words::{fixed, many};

use super::{Facts, Wish};
use crate::keys::Action;
use crate::stage::Stage;

/// Number of rounds of smoothing per request.
pub const SMOOTHS: u32 = 1;

/// The weight below which a weight is removed.
const TINY: f64 = 0.01;

/// The colour of selected vertices.
const SELECTED: Color32 = Color32::from_rgb(255, 190, 60);

/// Shows the selection and its edits.
pub fn show(ui: &mut Ui, stage: &mut Stage, wishes: &mut Vec<Wish>) {
    let count = stage.selected_count();
    ui.label(format!("{} selected", many(count, "vertex")));
    ui.weak("Click or drag a rectangle; Shift adds, Ctrl removes.");
    let mut button = |ui: &mut Ui, is_able: bool, name: &str, words: &str, wish: Wish| {
        if ui.add_enabled(is_able, egui::Button::new(name)).on_hover_text(words).clicked() {
            wishes.push(wish);
        }
    };
    let has_any = count > 0;
    ui.horizontal(|ui| {
        button(ui, has_any, "grow", "add the neighbours (F9)", Wish::Act(Action::Grow(1)));
        button(ui, has_any, "shrink", "remove the border (Shift+F9)", Wish::Act(Action::Grow(-1)));
        if ui.add_enabled(has_any, egui::Button::new("clear")).clicked() {
            stage.clear_selection();
        }
    });
    let joint = stage.chosen.filter(|node| stage.is_joint(*node));
    match joint {
        Some(node) => ui.label(stage.node_name(node)),
        None => ui.weak("Choose a joint to change its weights."),
    };
    if let Some(range) = stage.selected_weights().filter(|_| joint.is_some()) {
        let [least, most, mean] = [range.least, range.most, range.mean].map(|weight| fixed(weight, 3));
        let text = format!("{least} to {most}, mean {mean}");
        ui.monospace(text).on_hover_text("the joint's weights at the selected vertices");
    }
    let is_able = has_any && joint.is_some();
    ui.horizontal(|ui| {
        button(ui, is_able, "- 0.1", "take from its weights (Shift+F10)", Wish::Act(Action::Weigh(-0.1)));
        button(ui, is_able, "+ 0.1", "add to its weights (F10)", Wish::Act(Action::Weigh(0.1)));
        button(ui, is_able, "smooth", "smooth its weights (F11)", Wish::Act(Action::Smooth));
        let words = "remove weights below 0.01, of any joint";
        button(ui, has_any, "prune", words, Wish::Weigh(Edit::Prune(TINY)));
    });
    let is_edited = !stage.weight_edits().is_empty();
    ui.horizontal(|ui| {
        let words = "write the model with these weights, and a recipe of the edits (Ctrl+E)";
        button(ui, is_edited, "save weights", words, Wish::Act(Action::SaveWeights));
        if is_edited {
            let state = if stage.has_unsaved_weights() { "unsaved" } else { "saved" };
            ui.weak(format!("{}, {state}", many(stage.weight_edits().len(), "edit")));
        }
    });
}

/// Draws the selected vertices and the dragged rectangle over the picture, which fills `room`.
pub fn marks(context: &Context, room: Rect, facts: &Facts) {
    let painter = context.layer_painter(LayerId::background()).with_clip_rect(room);
    let points = 1.0 / context.pixels_per_point();
    let at = |pixel: DVec2| room.min + egui::vec2(pixel.x as f32, pixel.y as f32) * points;
    for pixel in &facts.selected {
        let square = |side: f32| Rect::from_center_size(at(*pixel), egui::vec2(side, side));
        painter.rect_filled(square(3.0), 0.0, Color32::BLACK);
        painter.rect_filled(square(2.0), 0.0, SELECTED);
    }
    if let Some(corners) = facts.rectangle {
        let [from, to] = corners.map(at);
        let rectangle = Rect::from_two_pos(from, to);
        painter.rect_filled(rectangle, 0.0, SELECTED.gamma_multiply(0.15));
        painter.rect_stroke(rectangle, 0.0, Stroke::new(1.0, SELECTED), StrokeKind::Middle);
    }
}
