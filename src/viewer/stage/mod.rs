//! What is shown and how it goes on: the scene that the window draws, changed by actions, hands and time.
//! It must not know windows or Vulkan: what it makes of an action can be seen without either.

mod arrange;
mod edit;
mod nodes;
mod poses;
mod time;

pub use edit::rotation_of;

use std::sync::Arc;

use glam::{DVec2, DVec3};

use super::clock::{Clock, Repeat};
use super::keys::Action;
use crate::camera::{Bounds, Lens, Orbit, Viewpoint};
use crate::look::Quality;
use crate::overlay::Onion;
use crate::scene::{Arrangement, Processor, Scene, visible_view};
use crate::view::View;
use sinew_model::{Model, VertexIndex};
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::posed::count_vertices;
use sinew_skinning::probe::Probe;

/// How long one clip takes to become another, where nothing else was said.
pub const FADE_SECS: f64 = 0.25;

/// How far a key moves the line of a wipe.
const WIPE_STEP: f64 = 0.02;

/// How far a key turns a joint, in degrees.
const TURN_DEGREES: f64 = 5.0;

/// A scene in somebody's hands.
pub struct Stage {
    /// What is drawn.
    pub scene: Scene,
    /// How time goes on.
    pub clock: Clock,
    model: Arc<Model>,
    /// The outermost points of what is shown; the window asks the renderer for them.
    points: Vec<DVec3>,
    /// The mode before this one.
    before: SkinningMode,
    /// The pose that bind and rest were chosen over.
    posed: Option<PoseChoice>,
    /// The pose of the command line and its file, as they were last read.
    base: PoseChoice,
    /// The node whose rotation is in hand.
    pub chosen: Option<usize>,
    /// The vertex that is looked at, wherever the cursor is.
    pub kept: Option<VertexIndex>,
    /// How long one clip takes to become another; 0 changes them at once.
    pub fade_secs: f64,
    /// How far it has become that, from 0 to 1.
    fade: Option<f64>,
    /// Which nodes are joints.
    joints: Vec<bool>,
    /// How many models were shown.
    shown: usize,
}

impl Stage {
    /// Shows a scene; what moves, plays.
    pub fn new(scene: Scene, model: Arc<Model>) -> Self {
        let before = match scene.mode {
            SkinningMode::Linear => SkinningMode::DualQuat,
            SkinningMode::Rigid | SkinningMode::DualQuat => SkinningMode::Linear,
        };
        Self {
            base: scene.pose.clone(),
            scene,
            clock: Clock::default(),
            joints: joints(&model),
            model,
            points: Vec::new(),
            before,
            posed: None,
            chosen: None,
            kept: None,
            fade_secs: FADE_SECS,
            fade: None,
            shown: 0,
        }
    }

    /// Says how far what is shown reaches, which decides where everything fits.
    pub fn set_points(&mut self, points: &[DVec3]) {
        if self.points != points {
            self.points = points.to_vec();
        }
    }

    /// Whether something moves by itself.
    pub fn is_moving(&self) -> bool {
        let plays = self.clock.is_running && self.length() > 0.0;
        self.fade.is_some() || (plays && matches!(self.scene.pose, PoseChoice::Clips(_)))
    }

    /// Whether what is shown is the mesh as it is stored.
    pub fn is_bound(&self) -> bool {
        matches!(self.scene.pose, PoseChoice::Bind | PoseChoice::SkinSpace)
    }

    /// Shows the weights of a joint.
    pub fn look_at_joint(&mut self, node: usize) {
        if let Some(name) = self.model.rig.names.get(node).filter(|name| !name.is_empty())
            && self.is_joint(node)
        {
            self.look_at(View::Joint(name.clone()));
        }
    }

    /// The chosen joint and what hangs on it in the picture; everything where none is chosen.
    fn fit_chosen(&mut self) {
        let Some(chosen) = self.chosen else { return self.act(Action::FitAll) };
        let mut pose = Pose::default();
        pose.set(&self.model, &self.scene.pose);
        let mut hangs = vec![false; self.model.rig.len()];
        let mut points = Vec::new();
        let nodes = self.model.rig.parents.iter().zip(&pose.world_from_node).enumerate();
        for (node, (parent, world_from_node)) in nodes {
            let above = parent.is_some_and(|parent| hangs.get(parent as usize) == Some(&true));
            if let Some(hangs) = hangs.get_mut(node) {
                *hangs = above || node == chosen;
                points.extend(hangs.then(|| world_from_node.w_axis.truncate()));
            }
        }
        let mut all = Bounds::EMPTY;
        self.points.iter().for_each(|&point| all.add(point));
        let all = all.or_unit();
        // Flesh around the bones, as thick as a tenth of everything.
        let around = (all.max - all.min).length() * 0.05;
        let corner = |at: DVec3, n: u32| {
            let sign = |bit: u32| if n >> bit & 1 == 0 { -around } else { around };
            at + DVec3::new(sign(0), sign(1), sign(2))
        };
        let corners: Vec<DVec3> = points.iter().flat_map(|&at| (0..8).map(move |n| corner(at, n))).collect();
        let (size, orbit) = (self.scene.pane_size(), self.orbit());
        self.scene.camera = Orbit { target: None, distance: None, ..orbit }.settled(&corners, size).into();
    }

    /// Keeps the viewpoint where it is now, whatever becomes of what it shows.
    fn settle(&mut self) {
        if let Viewpoint::Orbit(_) = self.scene.camera {
            self.steer(|orbit, _| orbit);
        }
    }

    /// What the title bar says.
    pub fn title(&self) -> String {
        let scene = &self.scene;
        let edited = if self.edited_count() > 0 { ", edited" } else { "" };
        let name = scene.model.rsplit(['/', '\\']).next().unwrap_or(&scene.model);
        let pose = match &scene.pose {
            PoseChoice::Bind => "bind".to_owned(),
            PoseChoice::Rest => "rest".to_owned(),
            PoseChoice::SkinSpace => "skin space".to_owned(),
            PoseChoice::Clips(mix) => {
                let names = mix.clips.iter().filter_map(|clip| self.model.clips.get(*clip));
                let names: Vec<&str> = names.map(|clip| clip.name.as_str()).collect();
                match names.as_slice() {
                    [] => "rest".to_owned(),
                    names => format!("{} {:.1} of {:.1} s", names.join(" + "), mix.time_secs, self.length()),
                }
            }
        };
        let by_cpu = if scene.skin == Processor::Cpu { ", by the CPU" } else { "" };
        let view = if scene.view == View::Shaded { String::new() } else { format!(" - {}", scene.view) };
        format!("{name} - {}{by_cpu} - {pose}{edited}{view}", scene.mode.name())
    }

    /// Shows another model, or the same file as it is now: modes, views and looks stay, and of a file that is
    /// only newer pose and camera, too, as far as it still has them.
    pub fn show(&mut self, model: Arc<Model>, name: &str) {
        let is_other = self.scene.model != name;
        name.clone_into(&mut self.scene.model);
        self.shown += 1;
        self.joints = joints(&model);
        let is_kept = |node: &usize| !is_other && *node < model.rig.len();
        self.chosen = self.chosen.filter(is_kept);
        let rest = Pose::rest(&model.rig);
        self.kept = self.kept.filter(|name| !is_other && Probe::new(&model, &rest, *name).is_some());
        self.scene.materials.retain(|retouch| !is_other && retouch.material < model.materials.len());
        self.carry_poses(&model, is_other);
        let keeps_camera = match &self.scene.camera {
            Viewpoint::Orbit(_) => !is_other,
            Viewpoint::InFile { camera, .. } => !is_other && *camera < model.cameras.len(),
        };
        if !keeps_camera {
            self.scene.camera = Orbit { target: None, distance: None, ..self.orbit() }.into();
        }
        if let View::Joint(wanted) = &self.scene.view {
            let mut joints = model.skins.iter().flat_map(|skin| &skin.joints);
            if !joints.any(|joint| model.rig.names.get(*joint) == Some(wanted)) {
                self.scene.view = View::Shaded;
            }
        }
        // The one that the file was asked for by name may be there no more.
        if is_other {
            self.scene.scene = None;
        }
        // What was shown for want of a mesh gives way to one.
        if self.scene.view == View::Skeleton && count_vertices(&self.model) == 0 {
            self.scene.view = View::Shaded;
        }
        self.scene.view = visible_view(self.scene.view.clone(), &model);
        self.model = model;
    }

    /// Puts a place into the middle, from as far away as before.
    pub fn turn_around(&mut self, place: DVec3) {
        self.steer(|orbit, _| Orbit { target: Some(place), ..orbit });
    }

    /// Turns the viewpoint by a drag over so many pixels.
    pub fn drag(&mut self, pixels: DVec2) {
        self.steer(|orbit, size| orbit.dragged(pixels, size));
    }

    /// Moves what is shown with the hand.
    pub fn pan(&mut self, pixels: DVec2) {
        self.steer(|orbit, size| orbit.panned(pixels, size));
    }

    /// Goes nearer to what is at a pixel, or away from it.
    pub fn zoom(&mut self, factor: f64, pixel: DVec2) {
        let (pixel, _) = self.scene.locate(pixel);
        self.steer(|orbit, size| orbit.zoomed(factor, pixel, size));
    }

    fn steer(&mut self, steer: impl FnOnce(Orbit, [u32; 2]) -> Orbit) {
        let size = self.scene.pane_size();
        self.scene.camera = steer(self.orbit().settled(&self.points, size), size).into();
    }

    /// The orbit that is looked from. Who takes a camera of the file in hand goes on from the default one.
    fn orbit(&self) -> Orbit {
        match &self.scene.camera {
            Viewpoint::Orbit(orbit) => *orbit,
            Viewpoint::InFile { .. } => Orbit::default(),
        }
    }

    /// Does what an action says, as far as the scene and its time are concerned.
    pub fn act(&mut self, action: Action) {
        let overlays = &mut self.scene.overlays;
        match action {
            Action::Mode(mode) => self.set_mode(mode),
            Action::Flip => self.set_mode(self.before),
            Action::Play => self.clock.is_running ^= true,
            Action::Repeat => {
                self.clock.repeat = match self.clock.repeat {
                    Repeat::Loop => Repeat::PingPong,
                    Repeat::PingPong => Repeat::Once,
                    Repeat::Once => Repeat::Loop,
                };
            }
            Action::Speed(factor) => {
                self.set_speed(self.clock.speed * factor);
            }
            Action::Reverse => self.clock.speed = -self.clock.speed,
            Action::Step(frames) => self.step(frames),
            Action::StepKey(direction) => self.step_key(direction),
            Action::Jump(to_end) => {
                let time = if to_end { self.length() } else { 0.0 };
                self.go_to(time);
            }
            Action::Clip(by) => self.show_clip(by),
            Action::Bind => self.pose_or_back(PoseChoice::Bind),
            Action::Rest => self.pose_or_back(PoseChoice::Rest),
            Action::Processor => {
                self.scene.skin = match self.scene.skin {
                    Processor::Gpu => Processor::Cpu,
                    Processor::Cpu => Processor::Gpu,
                };
            }
            Action::View(by) => self.show_view(by),
            Action::Skeleton => overlays.skeleton ^= true,
            Action::Axes => overlays.axes ^= true,
            Action::Names => overlays.names ^= true,
            Action::Grid => overlays.grid ^= true,
            Action::Bounds => overlays.bounds ^= true,
            Action::Fit => self.fit_chosen(),
            Action::FitAll => {
                self.scene.camera = Orbit { target: None, distance: None, ..self.orbit() }.into();
            }
            Action::Orbit(yaw, pitch) => {
                self.steer(|orbit, _| Orbit {
                    yaw_degrees: orbit.yaw_degrees + yaw,
                    pitch_degrees: (orbit.pitch_degrees + pitch).clamp(-90.0, 90.0),
                    ..orbit
                });
            }
            Action::Side(yaw_degrees, pitch_degrees) => {
                self.scene.camera = Orbit { yaw_degrees, pitch_degrees, ..self.orbit() }.into();
            }
            Action::Parallel => {
                let orbit = self.orbit();
                let lens = Lens { parallel: !orbit.lens.parallel, ..orbit.lens };
                self.scene.camera = Orbit { lens, ..orbit }.into();
            }
            Action::Quality => {
                self.scene.look.quality = match self.scene.look.quality {
                    Quality::Full => Quality::Draft,
                    Quality::Draft => Quality::Full,
                };
            }
            Action::Fly(right, up, ahead) => {
                self.steer(|orbit, _| orbit.flown(DVec3::new(right, up, ahead)));
            }
            Action::Zoom(factor) => {
                let [width, height] = self.scene.pane_size().map(f64::from);
                self.zoom(factor, DVec2::new(width, height) * 0.5);
            }
            Action::Arrange => self.arrange(),
            Action::OtherMode => self.change_other(),
            Action::Line(by) => {
                if let Arrangement::Wipe(wipe) = &self.scene.arrangement {
                    self.move_line(wipe.at + f64::from(by) * WIPE_STEP);
                }
            }
            Action::Onion => {
                self.scene.onion = if self.scene.onion.is_some() { None } else { Some(Onion::default()) };
            }
            Action::Legend => self.scene.legend ^= true,
            Action::Fade => self.fade_secs = if self.fade_secs > 0.0 { 0.0 } else { FADE_SECS },
            Action::Choose(by) => self.choose_next(by),
            Action::Turn(axis, sign) => self.turn_chosen(axis, TURN_DEGREES * f64::from(sign)),
            Action::Reset => self.reset_chosen(),
            Action::ResetAll => self.reset_all(),
            Action::Screenshot
            | Action::Copy
            | Action::Help
            | Action::Quit
            | Action::Panel
            | Action::Pivot
            | Action::Keep
            | Action::Reopen
            | Action::SavePose => {}
        }
    }

    fn set_mode(&mut self, mode: SkinningMode) {
        if self.scene.mode != mode {
            self.before = self.scene.mode;
            self.scene.mode = mode;
        }
    }

    /// The view that comes by so many after this one.
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

/// Which nodes are joints of some skin.
fn joints(model: &Model) -> Vec<bool> {
    let mut joints = vec![false; model.rig.len()];
    for &joint in model.skins.iter().flat_map(|skin| &skin.joints) {
        if let Some(is_joint) = joints.get_mut(joint) {
            *is_joint = true;
        }
    }
    joints
}

#[cfg(test)]
mod tests;
