//! The measurements of the last frame.

use super::Wish;
use crate::pace::Moving;
use sinew_vulkan::PassTime;

/// Times and counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Numbers {
    /// The device's name.
    pub device: String,
    /// The time of each pass on the device.
    pub passes: Vec<PassTime>,
    /// CPU time to prepare the frame, in milliseconds.
    pub prepare_millis: Option<f64>,
    /// Time between frames while something moves, in milliseconds.
    pub between_millis: Option<f64>,
    /// The number of drawn vertices, over all panes and figures.
    pub vertices: u64,
    /// Draw calls of the passes that draw meshes.
    pub draws: u64,
    /// Size of the palettes that shaders read, in bytes.
    pub palette_bytes: u64,
}

/// Shows the quality while something is moved, and the table.
pub fn show(ui: &mut egui::Ui, numbers: Option<&Numbers>, moving: Moving, wishes: &mut Vec<Wish>) {
    let Some(numbers) = numbers else { return };
    let about = "auto falls back to draft or plain if a frame takes longer than 50 ms";
    let list = egui::ComboBox::from_label("quality while moving").width(64.0).selected_text(moving.name());
    let list = list.show_ui(ui, |ui| {
        for choice in Moving::ALL {
            if ui.selectable_label(moving == choice, choice.name()).clicked() {
                wishes.push(Wish::Moving(choice));
            }
        }
    });
    list.response.on_hover_text(about);
    ui.add(egui::Label::new(&numbers.device).truncate());
    let millis = |millis: f64| format!("{millis:.3}");
    egui::Grid::new("passes").num_columns(3).striped(true).show(ui, |ui| {
        let mut row = |[name, device, processor]: [String; 3]| {
            ui.label(name);
            ui.monospace(device);
            ui.monospace(processor);
            ui.end_row();
        };
        if !numbers.passes.is_empty() {
            row(["pass times in ms", "device", "CPU"].map(str::to_owned));
        }
        for PassTime { pass, millis: device, recording_millis } in &numbers.passes {
            row([pass.clone(), millis(*device), millis(*recording_millis)]);
        }
        if let Some(prepare) = numbers.prepare_millis {
            // This includes waiting for a free frame in flight, if there are more panes than those.
            row(["whole frame, waits included".to_owned(), String::new(), millis(prepare)]);
        }
        if let Some(between) = numbers.between_millis {
            row(["frame interval".to_owned(), String::new(), millis(between)]);
        }
        for (name, count) in [
            ("vertices", numbers.vertices),
            ("draw calls", numbers.draws),
            ("palette bytes", numbers.palette_bytes),
        ] {
            row([name.to_owned(), count.to_string(), String::new()]);
        }
    });
}
