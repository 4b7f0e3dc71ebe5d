//! The scene with its time, and their changes with the model.

use std::sync::Arc;

use glam::DVec3;

use super::history::History;
use super::weighed::Weighed;
use crate::clock::Clock;
use crate::gizmo::{Axes, Tool};
use sinew_model::{Model, VertexIndex};
use sinew_scene::camera::{Orbit, Viewpoint};
use sinew_scene::scene::{Arrangement, Behind, Scene, Skinned, visible_view};
use sinew_scene::view::View;
use sinew_skinning::SkinningMode;
use sinew_skinning::ik::Pin;
use sinew_skinning::pose::{Names, Pose, PoseChoice};
use sinew_skinning::posed::count_vertices;
use sinew_skinning::probe::Probe;
use sinew_skinning::reweight::PlacedEdit;

/// Default duration of a fade between clips.
pub const FADE_SECS: f64 = 0.25;

/// An interactive scene.
pub struct Stage {
    /// The scene to draw.
    pub scene: Scene,
    /// The playback clock.
    pub clock: Clock,
    pub(super) model: Arc<Model>,
    /// The model with the weights of its file.
    pub(super) stored: Arc<Model>,
    /// The edits of weights that the model has.
    pub(super) applied: Arc<Vec<PlacedEdit>>,
    /// The hull of the figure, as computed by the renderer.
    pub(super) points: Vec<DVec3>,
    /// The normal of its broad side, if it is flat.
    pub(super) broad_side: Option<DVec3>,
    /// The processors that skinned the last picture.
    pub skinned: Skinned,
    /// The previous mode.
    pub(super) before: SkinningMode,
    /// The pose to return to from the bind pose, the rest pose or skin space.
    pub(super) posed: Option<PoseChoice>,
    /// The pose of the command line and its file, as last read.
    pub(super) base: PoseChoice,
    /// Width of a pane as a share of its height, in the picture for which the viewpoint was chosen.
    pub(super) composed: Option<f64>,
    /// The chosen node.
    pub chosen: Option<usize>,
    /// The pinned vertex, shown for any position of the cursor.
    pub kept: Option<VertexIndex>,
    /// Function of the chosen joint's handles.
    pub tool: Tool,
    /// Axes of the handles.
    pub axes: Axes,
    /// Number of bones that turn when a joint is moved to a goal.
    pub bones: usize,
    /// The joints that keep their positions.
    pub(super) pins: Vec<Pin>,
    /// Duration of a fade between clips; 0 changes clips at once.
    pub fade_secs: f64,
    /// Progress of the fade, from 0 to 1.
    pub(super) fade: Option<f64>,
    /// True for nodes that are joints.
    pub(super) joints: Vec<bool>,
    /// Number of models shown so far.
    pub(super) shown: usize,
    /// True while the mouse selects vertices.
    pub is_selecting: bool,
    /// The selected places, and the edits of weights.
    pub(super) weighed: Weighed,
    /// Vertices at the selected places.
    pub(super) selected: Vec<VertexIndex>,
    /// Undo history; always present after construction.
    pub(super) history: Option<History>,
}

impl Stage {
    /// Shows a scene; clips start playing.
    pub fn new(scene: Scene, model: Arc<Model>) -> Self {
        // The first comparison is with lbs, the most common mode, or with dqs, which fixes its faults.
        let before = match scene.mode {
            SkinningMode::Linear => SkinningMode::DualQuat,
            _ => SkinningMode::Linear,
        };
        let weighed = Weighed::default();
        let mut stage = Self {
            base: scene.pose.clone(),
            scene,
            clock: Clock::default(),
            joints: joints(&model),
            stored: Arc::clone(&model),
            model,
            applied: Arc::clone(&weighed.edits),
            points: Vec::new(),
            broad_side: None,
            skinned: Skinned::default(),
            before,
            posed: None,
            composed: None,
            chosen: None,
            kept: None,
            tool: Tool::default(),
            axes: Axes::default(),
            bones: 2,
            pins: Vec::new(),
            fade_secs: FADE_SECS,
            fade: None,
            shown: 0,
            is_selecting: false,
            weighed,
            selected: Vec::new(),
            history: None,
        };
        stage.begin_history(false);
        stage
    }

    /// Sets the normal of the figure's broad side, if it is flat.
    pub fn set_broad_side(&mut self, normal: Option<DVec3>) {
        self.broad_side = normal;
    }

    /// Sets the hull, which framing depends on.
    pub fn set_points(&mut self, points: &[DVec3]) {
        if self.points != points {
            self.points = points.to_vec();
        }
    }

    /// Returns true if anything moves by itself.
    pub fn is_moving(&self) -> bool {
        let plays = self.clock.is_running && self.period().length() > 0.0;
        self.fade.is_some() || (plays && matches!(self.scene.pose, PoseChoice::Clips(_)))
    }

    /// Returns true if the mesh is shown as stored, in its bind pose.
    pub fn is_bound(&self) -> bool {
        matches!(self.scene.pose, PoseChoice::Bind | PoseChoice::SkinSpace(_))
    }

    /// Shows another model or a reloaded file. View and look stay, and so does an explicit mode; without one, each
    /// file is shown in its author's mode. For a reloaded file, pose and camera stay too, if they still apply.
    pub fn show(&mut self, model: Arc<Model>, name: &str) {
        let is_other = self.scene.files.model != name;
        name.clone_into(&mut self.scene.files.model);
        self.shown += 1;
        let authored = |model: &Model| SkinningMode::authored(model).unwrap_or_default();
        if self.scene.mode == authored(&self.model) {
            self.scene.mode = authored(&model);
        }
        self.joints = joints(&model);
        let is_kept = |node: &usize| !is_other && *node < model.rig.len();
        self.chosen = self.chosen.filter(is_kept);
        self.pins.retain(|pin| is_kept(&pin.node));
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
        if self.scene.view.joint().is_some_and(|wanted| Names::new(&model).joint(wanted).is_err()) {
            self.scene.view = View::Shaded;
        }
        if matches!((&self.scene.view, &self.scene.pose), (View::SpaceOf(_), PoseChoice::SkinSpace(None))) {
            self.scene.view = View::SkinSpace;
        }
        // The nodes and clips of a pose file's pose may have other numbers.
        self.scene.ghost.take_if(|ghost| matches!(ghost.pose, Behind::Pose(PoseChoice::Clips(_))));
        // Another file may lack a scene of the requested name, and have another rig.
        if is_other {
            self.scene.files.scene = None;
            self.scene.files.clip_from.clear();
            self.scene.files.joint_map = None;
            self.scene.ghost = None;
            self.scene.files.no_guess = false;
            self.part_from_other();
        }
        // The skeleton view replaced a missing mesh; a mesh replaces it again.
        if self.scene.view == View::Skeleton && count_vertices(&self.model) == 0 {
            self.scene.view = View::Shaded;
        }
        self.scene.view = visible_view(self.scene.view.clone(), &model);
        self.model = model;
        self.carry_weights(is_other);
        self.apply_ddm();
        self.begin_history(!is_other);
    }
}

impl Stage {
    /// Removes the other of two files, and everything that showed it.
    fn part_from_other(&mut self) {
        self.scene.files.other = None;
        let is_shown = match &self.scene.arrangement {
            Arrangement::WipeOther(_) => true,
            Arrangement::Storyboard(changes) => changes.iter().any(|change| {
                let measures = change.view.as_ref().is_some_and(View::is_against_other);
                change.other || measures
            }),
            Arrangement::Single | Arrangement::Split(_) | Arrangement::Wipe(_) => false,
        };
        if is_shown {
            self.scene.arrangement = Arrangement::Single;
        }
        if self.scene.view.is_against_other() {
            self.scene.view = View::Shaded;
        }
    }
}

/// Marks the nodes that are joints of any skin.
fn joints(model: &Model) -> Vec<bool> {
    let mut joints = vec![false; model.rig.len()];
    for &joint in model.skins.iter().flat_map(|skin| &skin.joints) {
        if let Some(is_joint) = joints.get_mut(joint) {
            *is_joint = true;
        }
    }
    joints
}
