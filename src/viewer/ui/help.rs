//! The list of all keys.

use crate::viewer::keys::BINDINGS;

/// Shows the list in its own egui window.
pub fn show(context: &egui::Context, is_open: &mut bool) {
    let height = (context.content_rect().height() - 60.0).max(80.0);
    egui::Window::new("Keys")
        .open(is_open)
        .collapsible(false)
        .resizable(false)
        .default_pos([12.0, 12.0])
        .show(context, |ui| {
            egui::ScrollArea::vertical().max_height(height).show(ui, |ui| {
                egui::Grid::new("keys").num_columns(3).striped(true).show(ui, |ui| {
                    for binding in BINDINGS.iter() {
                        ui.strong(binding.chord.to_string());
                        ui.label(&*binding.words);
                        ui.weak(&*binding.flag);
                        ui.end_row();
                    }
                });
            });
        });
}
