//! Undo history, and the saved edits. It must not depend on which key or control made a change: a step is the difference
//! between two states in which no button was held.

use std::sync::Arc;

use super::weighed::Weighed;
use sinew_model::VertexIndex;
use sinew_scene::scene::{Retouch, Scene};
use sinew_skinning::SkinningMode;
use sinew_skinning::ik::Pin;
use sinew_skinning::pose::{Edits, PoseChoice};
use sinew_skinning::reweight::PlacedEdit;

/// The largest number of stored steps.
const MAX: usize = 500;

/// Time within which changes of the viewpoint are one step.
const TOGETHER_SECS: f64 = 0.8;

/// The steps before and after the current state.
pub struct History {
    past: Vec<Moment>,
    future: Vec<Moment>,
    /// The current state.
    pub now: Moment,
    /// Time of the last movement of the viewpoint, if no other change followed.
    moved: Option<f64>,
    /// Edits at the last save.
    pub saved: Edited,
}

/// A snapshot of everything that the user can change.
#[derive(Clone)]
pub struct Moment {
    /// The scene at time 0 and without a size, which change by themselves.
    pub scene: Scene,
    pub time_secs: f64,
    pub posed: Option<PoseChoice>,
    pub before: SkinningMode,
    pub fade_secs: f64,
    pub chosen: Option<usize>,
    pub kept: Option<VertexIndex>,
    pub pins: Vec<Pin>,
    pub weighed: Weighed,
}

/// Edits that would be lost with the window.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Edited {
    /// Joints, morph targets and shares.
    pub pose: Edits,
    /// Factors of materials.
    pub materials: Vec<Retouch>,
    /// Weights of vertices.
    pub weights: Arc<Vec<PlacedEdit>>,
}

impl Moment {
    /// Returns the difference from another state, in a word; `None` if there is none, or only in the selection.
    fn differs(&self, other: &Self) -> Option<&'static str> {
        let (a, b) = (&self.scene, &other.scene);
        if a == b {
            return match () {
                () if self.weighed.edits != other.weighed.edits => Some("weights"),
                () if self.fade_secs != other.fade_secs => Some("fading"),
                () if self.pins != other.pins => Some("pin"),
                () => None,
            };
        }
        let without_camera = |scene: &Scene| Scene { camera: Default::default(), ..scene.clone() };
        Some(match () {
            () if without_camera(a) == without_camera(b) => VIEWPOINT,
            () if a.materials != b.materials => "material",
            () if a.mode != b.mode => "mode",
            () if a.view != b.view => "view",
            () if a.pose != b.pose => "pose",
            () if a.arrangement != b.arrangement => "arrangement",
            () if a.overlays != b.overlays => "overlay",
            () => "look",
        })
    }
}

/// Name of viewpoint steps, which combine many changes.
const VIEWPOINT: &str = "viewpoint";

impl History {
    /// Starts a history at a stage's state.
    pub fn new(now: Moment, saved: Edited) -> Self {
        Self { past: Vec::new(), future: Vec::new(), now, moved: None, saved }
    }

    /// Adds a step for the changes since the last one; `now_secs` is any clock.
    pub fn note(&mut self, moment: Moment, now_secs: f64) {
        let Some(what) = moment.differs(&self.now) else {
            self.now = moment;
            return;
        };
        let is_more = what == VIEWPOINT && self.moved.is_some_and(|moved| now_secs - moved < TOGETHER_SECS);
        self.moved = (what == VIEWPOINT).then_some(now_secs);
        let before = std::mem::replace(&mut self.now, moment);
        if !is_more {
            self.past.push(before);
            if self.past.len() > MAX {
                self.past.remove(0);
            }
        }
        self.future.clear();
    }

    /// Undoes or redoes a step. Returns its name.
    pub fn step_back(&mut self, is_undo: bool) -> Option<&'static str> {
        self.moved = None;
        let (from, to) = match is_undo {
            true => (&mut self.past, &mut self.future),
            false => (&mut self.future, &mut self.past),
        };
        let moment = from.pop()?;
        let what = moment.differs(&self.now).unwrap_or("step");
        to.push(std::mem::replace(&mut self.now, moment));
        Some(what)
    }
}
