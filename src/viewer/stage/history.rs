//! Remembers what hands changed, step by step, to undo and redo it; and whether edits are saved. It must not know which
//! key or control made a change: a step is whatever differs between two moments in which nothing was held.

use super::state::Stage;
use crate::scene::{Retouch, Scene};
use sinew_model::VertexIndex;
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::{ClipMix, Edits, PoseChoice};

/// The most steps that are kept.
const MOST: usize = 500;

/// Changes of the viewpoint within this time are one step.
const TOGETHER_SECS: f64 = 0.8;

/// The steps before and after the present one.
pub struct History {
    past: Vec<Moment>,
    future: Vec<Moment>,
    now: Moment,
    /// When the viewpoint was last moved, as long as nothing else was done.
    moved: Option<f64>,
    /// What was last written somewhere.
    saved: Edited,
}

/// Everything that hands can change.
#[derive(Clone)]
struct Moment {
    /// At time 0 and without a size, which change by themselves.
    scene: Scene,
    time_secs: f64,
    posed: Option<PoseChoice>,
    before: SkinningMode,
    fade_secs: f64,
    chosen: Option<usize>,
    kept: Option<VertexIndex>,
}

/// What would be lost with the window.
#[derive(Clone, Debug, Default, PartialEq)]
struct Edited {
    pose: Edits,
    materials: Vec<Retouch>,
}

impl Moment {
    fn of(stage: &Stage) -> Self {
        let mut scene = stage.scene.clone();
        scene.size = [0, 0];
        let mut time_secs = 0.0;
        if let PoseChoice::Clips(mix) = &mut scene.pose {
            time_secs = std::mem::take(&mut mix.time_secs);
            // A fade ends by itself.
            if stage.fade.is_some()
                && let Some(blend) = mix.blends.pop()
            {
                mix.clips = vec![blend.clip];
            }
        }
        Self {
            scene,
            time_secs,
            posed: stage.posed.clone(),
            before: stage.before,
            fade_secs: stage.fade_secs,
            chosen: stage.chosen,
            kept: stage.kept,
        }
    }

    /// What differs from another moment, in a word; `None` if that is nothing, or only what is chosen.
    fn differs(&self, other: &Self) -> Option<&'static str> {
        let (a, b) = (&self.scene, &other.scene);
        if a == b {
            let is_same = self.fade_secs == other.fade_secs;
            return (!is_same).then_some("fading");
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
    pub fn of(stage: &Stage) -> Self {
        let now = Moment::of(stage);
        Self { past: Vec::new(), future: Vec::new(), now, moved: None, saved: edited(stage) }
    }
}

/// The edits of the pose that is shown, or waits below it, and of materials.
fn edited(stage: &Stage) -> Edited {
    let pose = stage.edited_mix().map(|mix| mix.edits.clone()).unwrap_or_default();
    Edited { pose, materials: stage.scene.materials.clone() }
}

impl Stage {
    /// Forgets all steps: another file is shown, or the same again with what is not saved yet.
    pub(super) fn begin_history(&mut self, is_again: bool) {
        let mut begun = History::of(self);
        if let Some(before) = self.history.take().filter(|_| is_again) {
            begun.saved = before.saved;
        }
        self.history = Some(begun);
    }

    /// The pose with its edits, if there are any.
    pub fn edited_mix(&self) -> Option<&ClipMix> {
        [Some(&self.scene.pose), self.posed.as_ref()].into_iter().flatten().find_map(|pose| match pose {
            PoseChoice::Clips(mix) if !mix.edits.is_empty() => Some(mix),
            _ => None,
        })
    }

    /// Shows a pose that was kept when a window ended early.
    pub fn take_back(&mut self, mix: ClipMix) {
        self.settle();
        self.posed = None;
        self.scene.pose = PoseChoice::Clips(mix);
    }

    /// Makes a step of what changed since the last one, unless something is still held; `now_secs` is any clock.
    pub fn note(&mut self, is_held: bool, now_secs: f64) {
        let moment = Moment::of(self);
        let Some(history) = self.history.as_mut().filter(|_| !is_held) else { return };
        let Some(what) = moment.differs(&history.now) else {
            history.now = moment;
            return;
        };
        let is_more =
            what == VIEWPOINT && history.moved.is_some_and(|moved| now_secs - moved < TOGETHER_SECS);
        history.moved = (what == VIEWPOINT).then_some(now_secs);
        let before = std::mem::replace(&mut history.now, moment);
        if !is_more {
            history.past.push(before);
            if history.past.len() > MOST {
                history.past.remove(0);
            }
        }
        history.future.clear();
    }

    /// Takes the last step back, or takes it again; says what that was.
    pub fn step_back(&mut self, is_undo: bool) -> Option<&'static str> {
        let history = self.history.as_mut()?;
        history.moved = None;
        let (from, to) = match is_undo {
            true => (&mut history.past, &mut history.future),
            false => (&mut history.future, &mut history.past),
        };
        let moment = from.pop()?;
        let what = moment.differs(&history.now).unwrap_or("step");
        to.push(std::mem::replace(&mut history.now, moment.clone()));
        self.restore(moment);
        Some(what)
    }

    /// Leaves what is being done: everything is as it was when the button was pressed.
    pub fn leave_off(&mut self) {
        if let Some(now) = self.history.as_ref().map(|history| history.now.clone()) {
            self.restore(now);
        }
    }

    fn restore(&mut self, moment: Moment) {
        let Moment { scene, time_secs, posed, before, fade_secs, chosen, kept } = moment;
        let shown = match &self.scene.pose {
            PoseChoice::Clips(mix) => Some((mix.clips.clone(), mix.time_secs)),
            _ => None,
        };
        let size = self.scene.size;
        self.scene = Scene { size, ..scene };
        if let PoseChoice::Clips(mix) = &mut self.scene.pose {
            // A clip that goes on playing does not jump.
            mix.time_secs =
                shown.filter(|(clips, _)| *clips == mix.clips).map_or(time_secs, |(_, time)| time);
        }
        self.fade = None;
        (self.posed, self.before, self.fade_secs) = (posed, before, fade_secs);
        (self.chosen, self.kept) = (chosen, kept);
    }

    /// Whether the pose has edits that are in no file.
    pub fn has_unsaved_pose(&self) -> bool {
        let edited = edited(self);
        let saved = self.history.as_ref().map(|history| &history.saved.pose);
        !edited.pose.is_empty() && saved.is_some_and(|saved| *saved != edited.pose)
    }

    /// Whether materials were changed, and no picture or command line tells of it.
    pub fn has_unsaved_materials(&self) -> bool {
        let materials = &self.scene.materials;
        let saved = self.history.as_ref().map(|history| &history.saved.materials);
        !materials.is_empty() && saved.is_some_and(|saved| saved != materials)
    }

    /// Notes that the pose was written; `with_materials` says whether these were, too.
    pub fn note_saved(&mut self, with_materials: bool) {
        let edited = edited(self);
        if let Some(history) = &mut self.history {
            history.saved.pose = edited.pose;
            if with_materials {
                history.saved.materials = edited.materials;
            }
        }
    }
}
