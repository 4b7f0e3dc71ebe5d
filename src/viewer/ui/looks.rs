//! The top of the panel: file, mode, arrangement, view, overlays and light.

use std::ffi::OsString;

use egui::{ComboBox, DragValue, Ui};

use super::Wish;
use crate::look::{Quality, Samples};
use crate::overlay::Onion;
use crate::scene::{Arrangement, MOST_BESIDE, Processor, Wipe};
use crate::view::{Against, Difference, View};
use crate::viewer::keys::Action;
use crate::viewer::stage::Stage;
use sinew_skinning::{Fault, SkinningMode};

/// Shows the top of the panel.
pub fn show(ui: &mut Ui, stage: &mut Stage, recent: &[OsString], wishes: &mut Vec<Wish>) {
    ui.horizontal(|ui| {
        ui.add(egui::Label::new(egui::RichText::new(&stage.scene.model).strong()).truncate());
    });
    if !recent.is_empty() {
        ComboBox::from_id_salt("recent").selected_text("Open recent…").width(ui.available_width()).show_ui(
            ui,
            |ui| {
                for file in recent {
                    if ui.selectable_label(false, file.to_string_lossy()).clicked() {
                        wishes.push(Wish::Open(file.clone()));
                    }
                }
            },
        );
    }
    ui.horizontal(|ui| {
        for mode in SkinningMode::ALL {
            if ui.selectable_label(stage.scene.mode == mode, mode.name()).clicked() {
                wishes.push(Wish::Act(Action::Mode(mode)));
            }
        }
        ui.separator();
        ComboBox::from_id_salt("skin").width(48.0).selected_text(stage.scene.skin.name()).show_ui(ui, |ui| {
            for skin in Processor::ALL {
                ui.selectable_value(&mut stage.scene.skin, skin, skin.name());
            }
        });
    });
    arrangement(ui, stage);
    ui.separator();
    view(ui, stage);
    fault(ui, stage);
    overlays(ui, stage);
    light(ui, stage);
}

fn mode_box(ui: &mut Ui, salt: usize, mode: &mut SkinningMode) {
    ComboBox::from_id_salt(("mode", salt)).width(56.0).selected_text(mode.name()).show_ui(ui, |ui| {
        for choice in SkinningMode::ALL {
            ui.selectable_value(mode, choice, choice.name());
        }
    });
}

fn arrangement(ui: &mut Ui, stage: &mut Stage) {
    let other = stage.other_mode();
    let scene = &mut stage.scene;
    ui.horizontal(|ui| {
        let is = |arrangement: &Arrangement| std::mem::discriminant(arrangement);
        let choices = [
            ("single", Arrangement::Single),
            ("split", Arrangement::Split(vec![other])),
            ("wipe", Arrangement::Wipe(Wipe { mode: other, at: 0.5 })),
        ];
        let with_other = scene.other.as_ref().map(|_| ("other file", Arrangement::WipeOther(0.5)));
        for (name, choice) in choices.into_iter().chain(with_other) {
            let is_chosen = is(&scene.arrangement) == is(&choice);
            if ui.selectable_label(is_chosen, name).clicked() && !is_chosen {
                scene.arrangement = choice;
            }
        }
    });
    match &mut scene.arrangement {
        Arrangement::Single | Arrangement::Storyboard(_) => {}
        Arrangement::WipeOther(at) => {
            ui.add(egui::Slider::new(at, 0.0..=1.0).text("line"));
        }
        Arrangement::Split(others) => {
            ui.horizontal(|ui| {
                for (number, mode) in others.iter_mut().enumerate() {
                    mode_box(ui, number, mode);
                }
                if others.len() + 1 < MOST_BESIDE && ui.small_button("+").clicked() {
                    others.push(other);
                }
                if others.len() > 1 && ui.small_button("-").clicked() {
                    others.pop();
                }
            });
        }
        Arrangement::Wipe(wipe) => {
            ui.horizontal(|ui| {
                mode_box(ui, 9, &mut wipe.mode);
                ui.add(egui::Slider::new(&mut wipe.at, 0.0..=1.0).text("line"));
            });
        }
    }
}

fn view(ui: &mut Ui, stage: &mut Stage) {
    let shown = stage.scene.view.to_string();
    ComboBox::from_label("view").selected_text(shown).show_ui(ui, |ui| {
        let other = stage.scene.other.as_ref().map(|_| Against::Other);
        let against = SkinningMode::ALL.into_iter().map(Against::Mode).chain(other);
        let differences = against.map(|against| View::Difference(Difference { against, top_m: None }));
        for view in View::all().into_iter().chain(differences) {
            let is_shown = stage.scene.view == view;
            if ui.selectable_label(is_shown, view.to_string()).clicked() {
                stage.look_at(view);
            }
        }
    });
}

/// What is done wrong on purpose.
fn fault(ui: &mut Ui, stage: &mut Stage) {
    let inject = &mut stage.scene.inject;
    let shown = inject.map_or("none", Fault::name);
    ComboBox::from_label("fault").selected_text(shown).show_ui(ui, |ui| {
        ui.selectable_value(inject, None, "none");
        for fault in Fault::ALL {
            ui.selectable_value(inject, Some(fault), fault.name()).on_hover_text(fault.symptom().cause);
        }
    });
}

fn overlays(ui: &mut Ui, stage: &mut Stage) {
    let scene = &mut stage.scene;
    ui.horizontal_wrapped(|ui| {
        let overlays = &mut scene.overlays;
        for (name, shown) in [
            ("skeleton", &mut overlays.skeleton),
            ("axes", &mut overlays.axes),
            ("names", &mut overlays.names),
            ("grid", &mut overlays.grid),
            ("bounds", &mut overlays.bounds),
            ("legend", &mut scene.legend),
        ] {
            ui.checkbox(shown, name);
        }
    });
    ui.horizontal(|ui| {
        let mut is_onion = scene.onion.is_some();
        if ui.checkbox(&mut is_onion, "onion skin").changed() {
            scene.onion = is_onion.then(Onion::default);
        }
        if let Some(onion) = &mut scene.onion {
            ui.add(DragValue::new(&mut onion.count).range(1..=8).speed(0.05));
            ui.add(DragValue::new(&mut onion.step_secs).range(0.001..=60.0).speed(0.002).suffix(" s"));
        }
    });
}

fn light(ui: &mut Ui, stage: &mut Stage) {
    let look = &mut stage.scene.look;
    ui.horizontal(|ui| {
        for quality in Quality::ALL {
            ui.selectable_value(&mut look.quality, quality, quality.name());
        }
        let mut is_smooth = look.samples() == Samples::Four;
        if ui.checkbox(&mut is_smooth, "smooth edges").changed() {
            look.samples = Some(if is_smooth { Samples::Four } else { Samples::One });
        }
    });
}
