//! The steps that hands made, to undo and redo them, and what of it is saved. It must not know which key or control made a
//! change: a step is whatever differs between two moments in which nothing was held.

use sinew_model::VertexIndex;
use sinew_scene::scene::{Retouch, Scene};
use sinew_skinning::SkinningMode;
use sinew_skinning::ik::Pin;
use sinew_skinning::pose::{Edits, PoseChoice};

/// The most steps that are kept.
const MAX: usize = 500;

/// Changes of the viewpoint within this time are one step.
const TOGETHER_SECS: f64 = 0.8;

/// The steps before and after the present one.
pub struct History {
    past: Vec<Moment>,
    future: Vec<Moment>,
    /// The present one.
    pub now: Moment,
    /// When the viewpoint was last moved, as long as nothing else was done.
    moved: Option<f64>,
    /// What was last written somewhere.
    pub saved: Edited,
}

/// Everything that hands can change.
#[derive(Clone)]
pub struct Moment {
    /// At time 0 and without a size, which change by themselves.
    pub scene: Scene,
    pub time_secs: f64,
    pub posed: Option<PoseChoice>,
    pub before: SkinningMode,
    pub fade_secs: f64,
    pub chosen: Option<usize>,
    pub kept: Option<VertexIndex>,
    pub pins: Vec<Pin>,
}

/// What would be lost with the window.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Edited {
    /// Joints, morph targets and shares.
    pub pose: Edits,
    /// Factors of materials.
    pub materials: Vec<Retouch>,
}

impl Moment {
    /// What differs from another moment, in a word; `None` if that is nothing, or only what is chosen.
    fn differs(&self, other: &Self) -> Option<&'static str> {
        let (a, b) = (&self.scene, &other.scene);
        if a == b {
            return match () {
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

/// Steps of the viewpoint, which are made of many.
const VIEWPOINT: &str = "viewpoint";

impl History {
    /// Begins with what a stage shows.
    pub fn new(now: Moment, saved: Edited) -> Self {
        Self { past: Vec::new(), future: Vec::new(), now, moved: None, saved }
    }

    /// Makes a step of what changed since the last one; `now_secs` is any clock.
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

    /// Takes the last step back, or takes it again; says what that was.
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
