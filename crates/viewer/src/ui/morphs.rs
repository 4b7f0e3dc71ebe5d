//! A slider for each morph target.

use egui::{Slider, Ui};

use super::Facts;
use crate::stage::Stage;

/// The largest number of shown sliders; a search finds the other targets.
const MAX: usize = 64;

/// Shows the sliders.
pub fn show(ui: &mut Ui, stage: &mut Stage, facts: &Facts) {
    let Some(pose) = facts.pose else { return };
    if stage.is_bound() {
        ui.weak("The bind pose has no morph targets.");
        return;
    }
    let id = ui.id().with("search");
    let mut words: String = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    let targets = stage.morph_targets();
    if targets.len() > MAX / 4 {
        let hint = format!("search {} morph targets", targets.len());
        let edit = egui::TextEdit::singleline(&mut words).hint_text(hint).desired_width(f32::INFINITY);
        if ui.add(edit).changed() {
            ui.data_mut(|data| data.insert_temp(id, words.clone()));
        }
    }
    let wanted = words.to_lowercase();
    let found: Vec<_> =
        targets.iter().filter(|target| target.name.to_lowercase().contains(&wanted)).collect();
    for target in found.iter().take(MAX) {
        let mut weight = pose.weights.get(target.weight).copied().unwrap_or(0.0);
        ui.horizontal(|ui| {
            let is_edited = stage.is_weight_edited(target.node, target.target);
            if ui.add(Slider::new(&mut weight, 0.0..=1.0).clamping(egui::SliderClamping::Never)).changed() {
                stage.weigh(target.node, target.target, weight);
            }
            let reset = ui.add_enabled(is_edited, egui::Button::new("×").small());
            if reset.on_hover_text("reset this weight").clicked() {
                stage.reset_weight(target.node, target.target);
            }
            ui.add(egui::Label::new(&target.name).truncate());
        });
    }
    if found.len() > MAX {
        ui.weak(format!("and {} more", found.len() - MAX));
    }
}
