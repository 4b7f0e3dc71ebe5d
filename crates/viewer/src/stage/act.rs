//! Applies actions to the scene and its time.

use super::state::{FADE_SECS, Stage};
use crate::keys::Action;
use sinew_scene::overlay::Onion;
use sinew_scene::scene::Arrangement;
use sinew_scene::view::View;
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::{Names, PoseChoice};

/// Movement of a wipe's line per key press, as a fraction of the picture.
const WIPE_STEP: f64 = 0.02;

/// Turn of a joint per key press, in degrees.
const TURN_DEGREES: f64 = 5.0;

impl Stage {
    /// Applies the part of an action that concerns the scene and its time.
    pub fn act(&mut self, action: Action) {
        let overlays = &mut self.scene.overlays;
        match action {
            Action::Mode(mode) => self.set_mode(mode),
            Action::Flip => self.set_mode(self.before),
            Action::Play => self.clock.is_running ^= true,
            Action::Repeat => self.clock.repeat = self.clock.repeat.next(),
            Action::Speed(factor) => self.set_speed(self.clock.speed * factor),
            Action::Reverse => self.clock.speed = -self.clock.speed,
            Action::Step(frames) => self.step(frames),
            Action::StepKey(direction) => self.step_key(direction),
            Action::Jump(to_end) => self.go_to(self.period().at(if to_end { 1.0 } else { 0.0 })),
            Action::Clip(by) => self.show_clip(by),
            Action::Bind => self.pose_or_back(PoseChoice::Bind),
            Action::Rest => self.pose_or_back(PoseChoice::Rest),
            Action::Processor => self.scene.skin = self.scene.skin.next(),
            Action::View(by) => self.show_view(by),
            Action::Skeleton => overlays.skeleton ^= true,
            Action::Axes => overlays.axes ^= true,
            Action::Names => overlays.names ^= true,
            Action::Grid => overlays.grid ^= true,
            Action::Bounds => overlays.bounds ^= true,
            Action::Wireframe => overlays.wireframe ^= true,
            Action::Fit => self.fit_chosen(),
            Action::FitAll => self.fit_all(),
            Action::Orbit(yaw, pitch) => self.turn_view(yaw, pitch),
            Action::Side(yaw, pitch) => self.look_from(yaw, pitch),
            Action::Parallel => self.toggle_parallel(),
            Action::Quality => self.scene.look.quality = self.scene.look.quality.next(),
            Action::Fly(right, up, ahead) => self.fly(right, up, ahead),
            Action::Zoom(factor) => self.zoom_to_middle(factor),
            Action::Arrange => self.arrange(),
            Action::OtherMode => self.change_other(),
            Action::Line(by) => self.nudge_line(by),
            Action::Onion => self.toggle_onion(),
            Action::Legend => self.scene.legend ^= true,
            Action::Flat => self.scene.look.flat ^= true,
            Action::Fade => self.fade_secs = if self.fade_secs > 0.0 { 0.0 } else { FADE_SECS },
            Action::Choose(by) => self.choose_next(by),
            Action::Turn(axis, sign) => self.turn_chosen(axis, TURN_DEGREES * f64::from(sign)),
            Action::Tool => self.tool = self.tool.next(),
            Action::HandleAxes => self.axes = self.axes.next(),
            Action::PinJoint => self.pin_chosen(),
            Action::Reset => self.reset_chosen(),
            Action::ResetAll => self.reset_all(),
            Action::Select => self.toggle_selecting(),
            Action::Grow(by) => self.grow(by),
            // The window handles these.
            Action::Screenshot
            | Action::Copy
            | Action::Help
            | Action::Palette
            | Action::Status
            | Action::Undo
            | Action::Redo
            | Action::Leave
            | Action::Quit
            | Action::Panel
            | Action::Pivot
            | Action::Keep
            | Action::Open
            | Action::File(_)
            | Action::Files
            | Action::Mirror
            | Action::CopyPose
            | Action::PastePose
            | Action::SavePose
            | Action::Weigh(_)
            | Action::Smooth
            | Action::SaveWeights => {}
        }
    }

    fn set_mode(&mut self, mode: SkinningMode) {
        if self.scene.mode != mode {
            self.before = self.scene.mode;
            self.scene.mode = mode;
        }
    }

    fn nudge_line(&mut self, by: i32) {
        if let Arrangement::Wipe(wipe) = &self.scene.arrangement {
            self.move_line(wipe.at + f64::from(by) * WIPE_STEP);
        }
    }

    fn toggle_onion(&mut self) {
        self.scene.onion = match self.scene.onion {
            Some(_) => None,
            None => Some(Onion::default()),
        };
    }

    /// Shows the weights of a joint.
    pub fn look_at_joint(&mut self, node: usize) {
        if self.is_joint(node) {
            self.look_at(View::Joint(Names::new(&self.model).node_name(node)));
        }
    }

    /// Moves on by this many views.
    fn show_view(&mut self, by: i32) {
        let all = View::all();
        let count = all.len() as i64;
        let now = all.iter().position(|view| *view == self.scene.view).unwrap_or(0) as i64;
        let next = (now + i64::from(by)).rem_euclid(count.max(1));
        let Some(view) = usize::try_from(next).ok().and_then(|next| all.into_iter().nth(next)) else {
            return;
        };
        self.look_at(view);
    }
}
