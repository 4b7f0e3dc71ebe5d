//! What was measured of the last frame. It must not know how.

use crate::vulkan::PassTime;

/// Times and counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Numbers {
    /// Who draws.
    pub device: String,
    /// What each pass took on the device.
    pub passes: Vec<PassTime>,
    /// What it took the processor to prepare the frame, in milliseconds.
    pub prepare_millis: Option<f64>,
    /// From one frame to the next while something moves, in milliseconds.
    pub between_millis: Option<f64>,
    /// Vertices that are drawn.
    pub vertices: u64,
    /// Draw calls of a mode's picture.
    pub draws: usize,
    /// Joints' matrices that the shaders read, in bytes.
    pub palette_bytes: u64,
}

/// Shows them.
pub fn show(ui: &mut egui::Ui, numbers: Option<&Numbers>) {
    let Some(numbers) = numbers else { return };
    ui.add(egui::Label::new(&numbers.device).truncate());
    egui::Grid::new("numbers").num_columns(2).striped(true).show(ui, |ui| {
        let mut row = |name: &str, value: String| {
            ui.label(name);
            ui.monospace(value);
            ui.end_row();
        };
        let millis = |millis: f64| format!("{millis:8.3} ms");
        for pass in &numbers.passes {
            row(&format!("{} (device)", pass.pass), millis(pass.millis));
        }
        if let Some(prepare) = numbers.prepare_millis {
            row("prepare (processor)", millis(prepare));
        }
        if let Some(between) = numbers.between_millis {
            row("frame to frame", millis(between));
        }
        row("vertices", numbers.vertices.to_string());
        row("draws", numbers.draws.to_string());
        row("palettes", format!("{} bytes", numbers.palette_bytes));
    });
}
