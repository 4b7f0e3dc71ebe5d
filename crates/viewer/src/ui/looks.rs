//! The top of the panel: file, mode, arrangement, view, overlays and light.

use std::ffi::OsString;

use egui::{ComboBox, DragValue, Ui};

use super::Wish;
use crate::keys::Action;
use crate::stage::Stage;
use sinew_scene::look::{Background, Quality, Samples};
use sinew_scene::overlay::Onion;
use sinew_scene::scene::{Arrangement, Behind, GhostPose, MAX_BESIDE, Processor, Wipe, file_name};
use sinew_skinning::pose::PoseChoice;
use sinew_skinning::{Fault, Normals, SkinningMode};

/// Shows the top of the panel.
pub fn show(ui: &mut Ui, stage: &mut Stage, recent: &[OsString], typed: &mut String, wishes: &mut Vec<Wish>) {
    ui.horizontal(|ui| {
        ui.add(egui::Label::new(egui::RichText::new(&stage.scene.files.model).strong()).truncate());
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
    ui.horizontal_wrapped(|ui| {
        for mode in SkinningMode::ALL {
            if ui.selectable_label(stage.scene.mode == mode, mode.name()).clicked() {
                wishes.push(Wish::Act(Action::Mode(mode)));
            }
        }
    });
    arrangement(ui, stage);
    ui.separator();
    ui.horizontal(|ui| {
        view(ui, stage);
        ghost(ui, &mut stage.scene.ghost);
    });
    ui.horizontal(|ui| {
        fault(ui, stage);
        ui.checkbox(&mut stage.scene.overlays.gradients, "gradients");
    });
    overlays(ui, stage);
    light(ui, stage);
    background(ui, stage);
    environment(ui, stage, typed, wishes);
}

/// Shows the choice of where skinning runs.
fn skin(ui: &mut Ui, skin: &mut Processor) {
    ui.separator();
    ui.label("skinned by");
    ComboBox::from_id_salt("skin").width(64.0).selected_text(skin.name()).show_ui(ui, |ui| {
        for choice in Processor::ALL {
            ui.selectable_value(skin, choice, choice.name());
        }
    });
}

/// Shows the choice of the source of normals.
fn normals(ui: &mut Ui, normals: &mut Normals) {
    let mut is_recomputed = *normals == Normals::Recomputed;
    let words =
        "light the deformed triangles, in place of the normals that turn with each vertex; the CPU skins";
    if ui.checkbox(&mut is_recomputed, "recomputed normals").on_hover_text(words).clicked() {
        *normals = if is_recomputed { Normals::Recomputed } else { Normals::Moved };
    }
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
    ui.horizontal_wrapped(|ui| {
        let is = |arrangement: &Arrangement| std::mem::discriminant(arrangement);
        let choices = [
            ("single", Arrangement::Single),
            ("split", Arrangement::Split(vec![other])),
            ("wipe", Arrangement::Wipe(Wipe { mode: other, at: 0.5 })),
        ];
        let with_other = scene.files.other.as_ref().map(|_| ("other file", Arrangement::WipeOther(0.5)));
        for (name, choice) in choices.into_iter().chain(with_other) {
            let is_chosen = is(&scene.arrangement) == is(&choice);
            if ui.selectable_label(is_chosen, name).clicked() && !is_chosen {
                scene.arrangement = choice;
            }
        }
        skin(ui, &mut scene.skin);
    });
    match &mut scene.arrangement {
        Arrangement::Single | Arrangement::Storyboard(_) => {}
        Arrangement::WipeOther(at) => {
            ui.add(egui::Slider::new(at, 0.0..=1.0).text("line"));
        }
        Arrangement::Split(others) => {
            ui.horizontal(|ui| {
                ui.label("beside");
                for (number, mode) in others.iter_mut().enumerate() {
                    mode_box(ui, number, mode);
                }
                if others.len() + 1 < MAX_BESIDE && ui.small_button("+").clicked() {
                    others.push(other);
                }
                if others.len() > 1 && ui.small_button("-").clicked() {
                    others.pop();
                }
            });
        }
        Arrangement::Wipe(wipe) => {
            ui.horizontal(|ui| {
                ui.label("with");
                mode_box(ui, 9, &mut wipe.mode);
                ui.spacing_mut().slider_width = 80.0;
                ui.add(egui::Slider::new(&mut wipe.at, 0.0..=1.0).text("line"));
            });
        }
    }
}

fn view(ui: &mut Ui, stage: &mut Stage) {
    let shown = stage.scene.view.to_string();
    ComboBox::from_label("view").selected_text(shown).show_ui(ui, |ui| {
        for view in stage.views() {
            let is_shown = stage.scene.view == view;
            if ui.selectable_label(is_shown, view.to_string()).clicked() {
                stage.look_at(view);
            }
        }
    });
}

/// Shows whether another pose lies behind the figure.
fn ghost(ui: &mut Ui, ghost: &mut Option<GhostPose>) {
    let shown = ghost.as_ref().map_or("bind", |ghost| ghost.given.as_str());
    let (label, mut is_on) = (format!("ghost: {shown}"), ghost.is_some());
    if ui.checkbox(&mut is_on, label).on_hover_text("another pose, pale, behind the figure").changed() {
        let bind = || GhostPose { given: "bind".to_owned(), pose: Behind::Pose(PoseChoice::Bind) };
        *ghost = is_on.then(bind);
    }
}

/// Shows the choice of the injected fault.
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
            ("wireframe", &mut overlays.wireframe),
            ("legend", &mut scene.legend),
            ("flat", &mut scene.look.flat),
        ] {
            ui.checkbox(shown, name);
        }
    });
    ui.horizontal_wrapped(|ui| {
        let mut is_onion = scene.onion.is_some();
        if ui.checkbox(&mut is_onion, "onion skin").changed() {
            scene.onion = is_onion.then(Onion::default);
        }
        if let Some(onion) = &mut scene.onion {
            ui.add(DragValue::new(&mut onion.count).range(1..=8).speed(0.05));
            ui.add(DragValue::new(&mut onion.step_secs).range(0.001..=60.0).speed(0.002).suffix(" s"));
        }
        normals(ui, &mut scene.normals);
    });
}

/// Shows the choice of a background colour, or transparency.
fn background(ui: &mut Ui, stage: &mut Stage) {
    let background = &mut stage.scene.look.background;
    ui.horizontal(|ui| {
        let mut color = match *background {
            Background::Color(color) => color,
            Background::Studio | Background::Transparent => background.color_at(0.5).unwrap_or_default(),
        };
        let is_clear = *background == Background::Transparent;
        if ui.add_enabled_ui(!is_clear, |ui| ui.color_edit_button_srgb(&mut color)).inner.changed() {
            *background = Background::Color(color);
        }
        ui.label("background");
        let mut clear = is_clear;
        if ui.checkbox(&mut clear, "transparent").changed() {
            *background = if clear { Background::Transparent } else { Background::default() };
        }
        if *background != Background::default() && ui.small_button("reset").clicked() {
            *background = Background::default();
        }
    });
}

/// Shows the choice of the environment picture.
fn environment(ui: &mut Ui, stage: &mut Stage, typed: &mut String, wishes: &mut Vec<Wish>) {
    ui.horizontal(|ui| match &stage.scene.environment {
        Some(environment) => {
            let name = file_name(&environment.name).to_owned();
            if ui.small_button("clear").clicked() {
                stage.scene.environment = None;
            }
            ui.add(egui::Label::new(format!("environment {name}")).truncate());
        }
        None => {
            let hint = "FILE.hdr, or drop one";
            let line = ui.add(egui::TextEdit::singleline(typed).hint_text(hint).desired_width(150.0));
            let is_entered = line.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
            if is_entered && !typed.is_empty() {
                wishes.push(Wish::Surround(OsString::from(typed.as_str())));
            }
            ui.label("environment");
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
    ui.horizontal(|ui| {
        let stops = egui::Slider::new(&mut look.exposure, -4.0..=4.0).step_by(0.05).text("exposure");
        // A flag may set more.
        let stops = ui.add(stops.clamping(egui::SliderClamping::Edits));
        if stops.on_hover_text("in stops; double-click for 0").double_clicked() {
            look.exposure = 0.0;
        }
    });
}
