//! The line at the lower edge of the window: file, clip, time, mode, and a note if the pose has unsaved edits.

use egui::{Align, Context, FontId, Frame, Layout, Margin, RichText, TopBottomPanel, Ui};

use crate::stage::Stage;

/// Height of the line, in points.
pub const HEIGHT: f32 = 22.0;

/// Smallest height of a window with the line.
pub const LOWEST: f32 = 150.0;

/// Text size.
const LETTERS: f32 = 12.5;

/// The keys that lead to everything else, if there is room for them.
const KEYS: &str = "? keys    I panel    Ctrl+K find";

/// Returns true if a window of this height, in points, has room for the line.
pub fn fits(height: f32) -> bool {
    height >= LOWEST
}

/// Shows the line.
pub fn show(context: &Context, stage: &Stage) {
    let frame = Frame::new().fill(context.style().visuals.panel_fill).inner_margin(Margin::symmetric(8, 2));
    let panel = TopBottomPanel::bottom("status").exact_height(HEIGHT).frame(frame).show_separator_line(false);
    panel.show(context, |ui| ui.horizontal_centered(|ui| line(ui, stage)));
}

fn line(ui: &mut Ui, stage: &Stage) {
    ui.spacing_mut().item_spacing.x = 14.0;
    let status = stage.status();
    let text = |text: String| RichText::new(text).size(LETTERS);
    let width = |text: &str| {
        let color = ui.visuals().text_color();
        ui.painter().layout_no_wrap(text.to_owned(), FontId::proportional(LETTERS), color).size().x
    };
    let words: f32 = [&status.file].into_iter().chain(&status.words).map(|word| width(word) + 14.0).sum();
    let has_room = words + width(KEYS) + 30.0 < ui.available_width();
    // The file's name shrinks, not the text after it.
    let most = (ui.available_width() - (words - width(&status.file))).max(60.0);
    ui.scope(|ui| {
        ui.set_max_width(most);
        ui.add(egui::Label::new(text(status.file).strong()).truncate().selectable(false));
    });
    for word in status.words {
        ui.add(egui::Label::new(text(word).color(super::PLAIN)).selectable(false).extend());
    }
    if status.is_edited {
        let edited = text("edited".to_owned()).color(egui::Color32::from_rgb(250, 180, 40));
        ui.add(egui::Label::new(edited).selectable(false));
    }
    if has_room {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add(egui::Label::new(text(KEYS.to_owned())).selectable(false));
        });
    }
}
