//! The current pose, and controls that turn, move and scale the chosen joint.

use egui::{Align, ComboBox, DragValue, Layout, Slider, SliderClamping, Ui};
use glam::{DQuat, DVec3};

use super::{Facts, Wish};
use crate::gizmo::{Axes, Change, Tool};
use crate::keys::Action;
use crate::stage::Stage;
use sinew_model::DdmSettings;
use sinew_skinning::ik::MAX_BONES;
use sinew_skinning::pose::{PoseChoice, degrees_from_rotation, parts, rotation_from_degrees};
use sinew_text::words::many;

/// The angles of the turned joint. Many angles give one rotation, and sliders must not jump between them.
#[derive(Default)]
pub struct Turning {
    last: Option<(usize, DQuat, [f64; 3])>,
}

impl Turning {
    fn degrees(&mut self, node: usize, rotation: DQuat) -> [f64; 3] {
        match self.last {
            Some((of, last, degrees)) if of == node && last == rotation => degrees,
            _ => degrees_from_rotation(rotation),
        }
    }
}

/// Shows pose and joint.
pub fn show(ui: &mut Ui, stage: &mut Stage, facts: &Facts, turning: &mut Turning, wishes: &mut Vec<Wish>) {
    whole(ui, stage, wishes);
    if stage.shows_blend() && !stage.is_bound() {
        share(ui, stage, None);
    }
    if let Some(settings) = stage.ddm() {
        ddm(ui, stage, settings);
    }
    let Some(node) = stage.chosen else {
        ui.weak("Choose a joint above or in the picture to turn it.");
        return;
    };
    let local = facts.pose.and_then(|pose| pose.locals.get(node));
    let Some((translation, rotation, scale)) = local.map(parts) else { return };
    ui.strong(stage.node_name(node));
    if stage.is_bound() {
        ui.weak("Joints cannot be turned in the bind pose.");
        return;
    }
    handles(ui, stage, wishes);
    turn(ui, stage, turning, (node, rotation));
    let step = stage.figure_size() * 1e-3;
    if let Some(to) = vector(ui, "place", translation, step, " m") {
        stage.change(node, Change::Translation(to));
    }
    if let Some(to) = vector(ui, "scale", scale, 0.01, "") {
        stage.change(node, Change::Scale(to));
    }
    if stage.shows_blend() {
        share(ui, stage, Some(node));
    }
    ui.horizontal(|ui| {
        if ui.add_enabled(stage.is_edited(node), egui::Button::new("reset joint")).clicked() {
            wishes.push(Wish::Act(Action::Reset));
        }
        if ui.button("show weights").clicked() {
            stage.look_at_joint(node);
        }
    });
}

/// Shows the pose as a whole, with its actions.
fn whole(ui: &mut Ui, stage: &Stage, wishes: &mut Vec<Wish>) {
    ui.horizontal(|ui| {
        for (name, is_shown, action) in [
            ("bind", stage.scene.pose == PoseChoice::Bind, Action::Bind),
            ("rest", stage.scene.pose == PoseChoice::Rest, Action::Rest),
        ] {
            if ui.selectable_label(is_shown, name).clicked() {
                wishes.push(Wish::Act(action));
            }
        }
        let edited = stage.edited_count();
        if stage.has_unsaved_pose() {
            ui.colored_label(egui::Color32::from_rgb(250, 180, 40), format!("edited ({edited})"));
        } else if edited > 0 {
            ui.weak(many(edited, "edit"));
        }
    });
    ui.horizontal(|ui| {
        let is_edited = stage.edited_count() > 0;
        if ui.add_enabled(is_edited, egui::Button::new("save pose")).clicked() {
            wishes.push(Wish::Act(Action::SavePose));
        }
        for (name, is_enabled, action, about) in [
            ("reset all", is_edited, Action::ResetAll, "discard all edits (Shift+F8)"),
            (
                "mirror",
                !stage.is_bound(),
                Action::Mirror,
                "swap left and right, or copy the chosen joint to the other side",
            ),
            (
                "copy",
                !stage.is_bound(),
                Action::CopyPose,
                "copy the chosen joint, or the whole pose, as text",
            ),
            ("paste", !stage.is_bound(), Action::PastePose, "paste a copied joint or pose"),
        ] {
            if ui.add_enabled(is_enabled, egui::Button::new(name)).on_hover_text(about).clicked() {
                wishes.push(Wish::Act(action));
            }
        }
    });
}

/// Shows sliders of a joint's three angles.
fn turn(ui: &mut Ui, stage: &mut Stage, turning: &mut Turning, (node, rotation): (usize, DQuat)) {
    let mut degrees = turning.degrees(node, rotation);
    let mut is_changed = false;
    for (axis, name) in degrees.iter_mut().zip(["x", "y", "z"]) {
        // A slider rounds the value it shows, so take the value only after the user moved it.
        let mut shown = *axis;
        let slider = Slider::new(&mut shown, -180.0..=180.0).clamping(SliderClamping::Edits);
        let slider = slider.text(name).suffix("°").fixed_decimals(2);
        if ui.add(slider).changed() {
            (*axis, is_changed) = (shown, true);
        }
    }
    if is_changed {
        let rotation = rotation_from_degrees(degrees);
        stage.turn(node, rotation);
        turning.last = stage.rotation(node).map(|rotation| (node, rotation, degrees));
    }
}

/// Shows the choices of tool and axes for the handles, and of pinning the joint.
fn handles(ui: &mut Ui, stage: &mut Stage, wishes: &mut Vec<Wish>) {
    ui.horizontal(|ui| {
        for tool in Tool::ALL {
            ui.selectable_value(&mut stage.tool, tool, tool.name());
        }
        ui.separator();
        let is_pinned = stage.chosen.is_some_and(|node| stage.is_pinned(node));
        let about = "keep its position in the world while its parents move";
        if ui.selectable_label(is_pinned, "pin").on_hover_text(about).clicked() {
            wishes.push(Wish::Act(Action::PinJoint));
        }
    });
    // Equal height for every tool, so that nothing below moves.
    let row = egui::vec2(ui.available_width(), ui.spacing().interact_size.y);
    ui.allocate_ui_with_layout(row, Layout::left_to_right(Align::Center), |ui| match stage.tool {
        Tool::Turn | Tool::Move => {
            ComboBox::from_label("axes").width(70.0).selected_text(stage.axes.name()).show_ui(ui, |ui| {
                for axes in Axes::ALL {
                    ui.selectable_value(&mut stage.axes, axes, axes.name());
                }
            });
        }
        Tool::Scale => {
            ui.weak("along its local axes");
        }
        Tool::Reach => {
            ui.add(DragValue::new(&mut stage.bones).range(1..=MAX_BONES).speed(0.05));
            ui.label("parent bones turn");
        }
    });
}

/// Shows three numbers; returns them if the user changed one.
fn vector(ui: &mut Ui, name: &str, of: DVec3, step: f64, unit: &str) -> Option<DVec3> {
    let mut to = of;
    let mut is_changed = false;
    ui.horizontal(|ui| {
        for number in to.as_mut() {
            let mut shown = *number;
            let value = DragValue::new(&mut shown).speed(step).max_decimals(5).suffix(unit);
            if ui.add_sized([62.0, ui.spacing().interact_size.y], value).changed() {
                (*number, is_changed) = (shown, true);
            }
        }
        ui.label(name);
    });
    is_changed.then_some(to)
}

/// Shows a slider for the share of dual quaternions in the mode *blend*, of a joint or of all.
fn share(ui: &mut Ui, stage: &mut Stage, node: Option<usize>) {
    let shares = stage.shares();
    let mut shown = node.map_or(shares.all(), |node| shares.of(node));
    ui.horizontal(|ui| {
        let slider = Slider::new(&mut shown, 0.0..=1.0).clamping(SliderClamping::Always).fixed_decimals(2);
        let of = if node.is_some() { "its share of dqs" } else { "share of dqs" };
        if ui.add(slider.text(of)).on_hover_text("in the mode blend: 0 is lbs, 1 is dqs").changed() {
            stage.share(node, shown);
        }
        if let Some(node) = node.filter(|node| shares.joints().any(|(own, _)| own == *node))
            && ui.small_button("as all").clicked()
        {
            stage.reset_share(node);
        }
    });
}

/// Shows sliders for the settings of *ddm*. They take effect when they are let go, because terms are then found anew.
fn ddm(ui: &mut Ui, stage: &mut Stage, settings: DdmSettings) {
    let id = ui.id().with("ddm");
    let mut shown = ui.data(|data| data.get_temp(id)).unwrap_or(settings);
    let (mut is_set, mut is_held) = (false, false);
    let mut add = |slider: Slider<'_>, hint: &str| {
        let slider = ui.add(slider.clamping(SliderClamping::Always)).on_hover_text(hint);
        is_set |= slider.drag_stopped() || (slider.changed() && !slider.dragged());
        is_held |= slider.dragged();
    };
    let DdmSettings { iterations, lambda, kappa, alpha, .. } = &mut shown;
    let strength = |number| Slider::new(number, 0.0..=DdmSettings::MAX_STRENGTH).logarithmic(true);
    let iterations = Slider::new(iterations, 1..=DdmSettings::MAX_ITERATIONS);
    add(iterations.text("iterations"), "p: the number of times that ddm smooths the surface");
    add(strength(lambda).text("lambda"), "the reach of each iteration");
    add(strength(kappa).text("kappa"), "the same for the weights that alpha mixes in, at most lambda");
    let alpha = Slider::new(alpha, 0.0..=DdmSettings::MAX_ALPHA);
    add(alpha.text("alpha"), "the share of these weights in the place of a vertex");
    match is_held && !is_set {
        true => ui.data_mut(|data| data.insert_temp(id, shown)),
        false => ui.data_mut(|data| data.remove::<DdmSettings>(id)),
    }
    if is_set {
        stage.set_ddm(DdmSettings { kappa: shown.kappa.min(shown.lambda), ..shown });
    }
}
