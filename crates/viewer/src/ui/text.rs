//! Text beside the picture: a title, and paragraphs.

use egui::{Context, RichText, ScrollArea, SidePanel};

/// The width of the column, in points.
const WIDTH: f32 = 340.0;

/// Shows the column. A paragraph of several lines keeps them, in letters of one width unless it is a list.
pub fn column(context: &Context, text: &[String]) {
    SidePanel::left("text").default_width(WIDTH).show(context, |ui| {
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            for (number, paragraph) in text.iter().enumerate() {
                let words = RichText::new(paragraph);
                let is_list = paragraph.starts_with("1. ") || paragraph.starts_with("- ");
                ui.label(match (number, paragraph.contains('\n') && !is_list) {
                    (0, _) => words.heading(),
                    (_, true) => words.monospace(),
                    (_, false) => words,
                });
                ui.add_space(6.0);
            }
        });
    });
}
