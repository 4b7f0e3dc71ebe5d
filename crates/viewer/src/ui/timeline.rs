//! The timeline: clips, clock, and a bar with key ticks that can be dragged to any time.

use egui::{Color32, ComboBox, DragValue, Sense, Stroke, Ui};

use super::Wish;
use super::transport::{self, Sign};
use crate::clock::Repeat;
use crate::keys::Action;
use crate::stage::Stage;
use sinew_skinning::pose::{ClipMix, PoseChoice};
use sinew_text::words::fixed;

/// The smallest distance between ticks, as a fraction of the bar; closer ticks would merge.
const APART: f64 = 1.0 / 2000.0;

/// Key times of the current clips, as fractions of their length; recomputed when the clips change.
#[derive(Default)]
pub struct Ticks {
    of: Option<(usize, Vec<usize>)>,
    at: Vec<f64>,
}

impl Ticks {
    fn find(&mut self, stage: &Stage, mix: &ClipMix) -> &[f64] {
        let of = (stage.model_number(), mix.all().collect::<Vec<_>>());
        if self.of.as_ref() != Some(&of) {
            let period = stage.period();
            let length = period.length().max(f64::MIN_POSITIVE);
            let share = |time: f32| (f64::from(time) - period.start) / length;
            let mut at: Vec<f64> = stage.key_times(mix).map(share).collect();
            at.sort_unstable_by(f64::total_cmp);
            at.dedup_by(|later, earlier| *later - *earlier < APART);
            (self.of, self.at) = (Some(of), at);
        }
        &self.at
    }
}

/// Shows the timeline.
pub fn show(ui: &mut Ui, ticks: &mut Ticks, stage: &mut Stage, wishes: &mut Vec<Wish>) {
    ui.add_space(4.0);
    ui.horizontal_wrapped(|ui| {
        clip(ui, stage);
        for (sign, words, action) in [
            (Sign::First, "start of the clip", Action::Jump(false)),
            (Sign::Previous, "previous key", Action::StepKey(-1)),
            (if stage.clock.is_running { Sign::Pause } else { Sign::Play }, "play or pause", Action::Play),
            (Sign::Next, "next key", Action::StepKey(1)),
            (Sign::Last, "end of the clip", Action::Jump(true)),
        ] {
            if transport::button(ui, sign, words).clicked() {
                wishes.push(Wish::Act(action));
            }
        }
        repeat(ui, stage);
        ui.label("speed");
        let mut speed = stage.clock.speed;
        if ui.add(DragValue::new(&mut speed).range(-64.0..=64.0).speed(0.02).suffix("×")).changed() {
            stage.set_speed(speed);
        }
        ui.label("fade");
        ui.add(DragValue::new(&mut stage.fade_secs).range(0.0..=10.0).speed(0.01).suffix(" s"));
    });
    bar(ui, ticks, stage);
    ui.add_space(4.0);
}

fn clip(ui: &mut Ui, stage: &mut Stage) {
    let names: Vec<String> = stage.clip_names().map(str::to_owned).collect();
    let shown = stage.clip_shown();
    let text = shown.and_then(|clip| names.get(clip)).map_or("no clip", String::as_str);
    ui.label("clip");
    ComboBox::from_id_salt("clip").width(150.0).selected_text(text).show_ui(ui, |ui| {
        for (number, name) in names.iter().enumerate() {
            if ui.selectable_label(shown == Some(number), name).clicked() {
                stage.change_clip(number);
            }
        }
    });
}

fn repeat(ui: &mut Ui, stage: &mut Stage) {
    let shown = &mut stage.clock.repeat;
    ui.label("at its end");
    ComboBox::from_id_salt("repeat").width(86.0).selected_text(shown.name()).show_ui(ui, |ui| {
        for choice in [Repeat::Loop, Repeat::PingPong, Repeat::Once] {
            ui.selectable_value(shown, choice, choice.name());
        }
    });
}

fn bar(ui: &mut Ui, ticks: &mut Ticks, stage: &mut Stage) {
    let period = stage.period();
    let length = period.length();
    let (response, painter) =
        ui.allocate_painter(egui::vec2(ui.available_width(), 30.0), Sense::click_and_drag());
    let rect = response.rect.shrink2(egui::vec2(6.0, 2.0));
    painter.rect_filled(rect, 3.0, Color32::from_gray(20));
    let PoseChoice::Clips(mix) = &stage.scene.pose else { return };
    if length <= 0.0 {
        return;
    }
    let now = mix.time_secs;
    let x = |share: f64| rect.min.x + rect.width() * share.clamp(0.0, 1.0) as f32;
    for &tick in ticks.find(stage, mix) {
        let line = [egui::pos2(x(tick), rect.max.y - 9.0), egui::pos2(x(tick), rect.max.y)];
        painter.line_segment(line, Stroke::new(1.0, Color32::from_gray(130)));
    }
    let at = x((now - period.start) / length);
    let head = [egui::pos2(at, rect.min.y), egui::pos2(at, rect.max.y)];
    painter.line_segment(head, Stroke::new(2.0, Color32::from_rgb(250, 180, 40)));
    let text = format!("{} / {} s", fixed(now, 3), fixed(period.end, 3));
    painter.text(
        rect.min + egui::vec2(6.0, 2.0),
        egui::Align2::LEFT_TOP,
        text,
        egui::FontId::monospace(11.0),
        Color32::from_gray(200),
    );
    if let Some(pointer) = response.interact_pointer_pos() {
        let share = f64::from((pointer.x - rect.min.x) / rect.width().max(1.0)).clamp(0.0, 1.0);
        stage.go_to(period.at(share));
    }
}
