//! Shows a vertex: the joints that move it, its position in each mode, and its position under each joint alone.

use egui::{RichText, Ui};

use super::{Facts, marks};
use crate::stage::Stage;
use sinew_skinning::SkinningMode;
use sinew_text::words::fixed;

/// Shows the vertex under the cursor, or the pinned one, if any.
pub fn show(ui: &mut Ui, stage: &mut Stage, facts: &Facts) {
    let Some((index, probe, _)) = &facts.probe else { return };
    ui.horizontal(|ui| {
        ui.label(stage.vertex_name(*index)).on_hover_text("node:primitive:vertex, as in --vertex");
        if stage.kept == Some(*index) && ui.small_button("unpin").clicked() {
            stage.kept = None;
        }
    });
    egui::Grid::new("influences").num_columns(3).striped(true).show(ui, |ui| {
        for (number, (node, weight)) in probe.influences.iter().enumerate() {
            let is_chosen = stage.chosen == Some(*node);
            let joint = ui.selectable_label(is_chosen, stage.node_name(*node));
            if joint.on_hover_text("choose this joint").clicked() {
                stage.chosen = (!is_chosen).then_some(*node);
            }
            ui.monospace(format!("{weight:.6}"));
            if let Some(side) = probe.signs.get(number) {
                let sign = if side.is_flipped { "-" } else { "+" };
                let about = "its dual quaternion's sign, and dot product with that of the first joint";
                ui.monospace(format!("{sign} {}", fixed(side.dot, 3))).on_hover_text(about);
            }
            ui.end_row();
        }
    });
    egui::Grid::new("places").num_columns(3).striped(true).show(ui, |ui| {
        let number = |number: f32| format!("{:>9}", fixed(number, 5));
        let place = |place: [f32; 3]| place.map(number).join(" ");
        ui.label("stored");
        ui.monospace(place(probe.stored));
        ui.end_row();
        for &(mode, at) in &probe.placed {
            ui.label(RichText::new(mode.name()).color(marks::color(mode)));
            ui.monospace(place(at));
            ui.end_row();
        }
        if let Some(center) = probe.center {
            ui.label("centre").on_hover_text("the posed centre about which cor turns the vertex");
            ui.monospace(place(center.placed))
                .on_hover_text(format!("in the mesh: {}", place(center.stored)));
            ui.end_row();
        }
        for (number, ((node, _), alone)) in probe.influences.iter().zip(&probe.alone).enumerate() {
            let name = stage.node_name(*node);
            let label = ui.label(RichText::new(format!("alone {}", number + 1)).weak());
            label.on_hover_text(format!("its position by {name} alone"));
            ui.monospace(place(alone.map(|along| along as f32)));
            ui.end_row();
        }
    });
    let apart = |(mode, at): &(SkinningMode, [f32; 3]), (other, there): &(SkinningMode, [f32; 3])| {
        format!("{mode} - {other} {:.5}", glam::Vec3::from(*at).distance(glam::Vec3::from(*there)))
    };
    let pairs = probe.placed.windows(2).map(|pair| apart(&pair[0], &pair[1]));
    ui.weak(pairs.collect::<Vec<_>>().join(", "));
    if let Some(sentence) = &probe.left_out {
        ui.weak(sentence);
    }
}
