//! Compares skinning modes with each other over the frames of a motion.

use sinew_model::Model;
use sinew_skinning::pose::{ClipMix, Pose, PoseChoice};
use sinew_skinning::posed::SkinnedPrimitive;
use sinew_skinning::surfaces::{Scratch, Surfaces};
use sinew_skinning::{Drawn, MeshNormals, Normals, SkinningMode, Yardstick};

use super::batches::{Frame, Measured, in_order};
use super::distance::distance;
use super::recomputed::normal_angles;

/// The modes to compare.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The modes to measure.
    pub modes: Vec<SkinningMode>,
    /// The mode to measure them against, or delta mush.
    pub against: Yardstick,
    /// The normals whose angles to those of the modes are measured, too, if they are others.
    pub normals: Normals,
}

impl Plan {
    /// Makes a plan of modes and one to measure them against, with the modes' own normals.
    pub fn new(modes: Vec<SkinningMode>, against: impl Into<Yardstick>) -> Self {
        Self { modes, against: against.into(), normals: Normals::default() }
    }
}

/// Measures a motion at the given times, and calls back with each frame, in order. A pose that no clip moves is the
/// same at all times.
pub fn compare_modes<E>(
    model: &Model,
    drawn: &Drawn,
    plan: &Plan,
    motion: &PoseChoice,
    times: &[f64],
    each: impl FnMut(Frame) -> Result<(), E>,
) -> Result<(), E> {
    compare_prepared((model, &Surfaces::new(model)), drawn, plan, motion, times, each)
}

/// Runs [`compare_modes`] for one of several motions of a prepared model. `surfaces` must be those of the model.
pub fn compare_prepared<E>(
    (model, surfaces): (&Model, &Surfaces),
    drawn: &Drawn,
    plan: &Plan,
    motion: &PoseChoice,
    times: &[f64],
    each: impl FnMut(Frame) -> Result<(), E>,
) -> Result<(), E> {
    // The first is what the others are measured against. Delta mush replaces it.
    let others = plan.modes.iter().copied().filter(|mode| plan.against != *mode);
    let modes: Vec<SkinningMode> = std::iter::once(plan.against.mode()).chain(others).collect();
    let against = plan.against.measure(model);
    let normals = plan.normals.prepare(model);
    let measure = |worker: &mut Worker, time| {
        worker.pose.set(model, &at(motion, time));
        surfaces.skin(model, &modes, &worker.pose, &mut worker.scratch, &mut worker.skinned);
        if let Some(skinned) = worker.skinned.first_mut() {
            against.correct(model, &worker.pose, skinned);
        }
        worker.measure((model, drawn, normals.as_ref()), plan, &modes)
    };
    in_order(model, (times, modes.len()), measure, each)
}

/// Returns the motion at a time.
pub fn at(motion: &PoseChoice, time_secs: f64) -> PoseChoice {
    match motion {
        PoseChoice::Clips(mix) => PoseChoice::Clips(ClipMix { time_secs, ..mix.clone() }),
        PoseChoice::Bind | PoseChoice::Rest | PoseChoice::SkinSpace(_) => motion.clone(),
    }
}

/// Memory for one frame.
#[derive(Default)]
struct Worker {
    pose: Pose,
    scratch: Scratch,
    /// The model in each mode.
    skinned: Vec<Vec<SkinnedPrimitive<f64>>>,
    distances: Vec<f64>,
    recomputed: Vec<SkinnedPrimitive<f64>>,
}

impl Worker {
    /// Measures the skinned modes from the first of them.
    fn measure(
        &mut self,
        (model, drawn, normals): (&Model, &Drawn, Option<&MeshNormals>),
        plan: &Plan,
        modes: &[SkinningMode],
    ) -> Vec<Measured> {
        let Self { pose, skinned, distances, recomputed, .. } = self;
        let others = || modes.iter().zip(&*skinned).skip(1);
        let skinned_in = |mode| others().find(|(own, _)| **own == mode).map(|(_, skinned)| skinned);
        let mut measure = |&mode: &SkinningMode| {
            let pair = skinned_in(mode).zip(skinned.first());
            let distance = pair.map(|(skinned, other)| distance(drawn, skinned, other, distances));
            let own = skinned_in(mode).or(skinned.first().filter(|_| plan.against == mode));
            let angles = |(normals, own): (&MeshNormals, &Vec<_>)| {
                normal_angles((model, drawn, normals), pose, own, recomputed)
            };
            Measured { mode, distance: distance.unwrap_or_default(), normals: normals.zip(own).map(angles) }
        };
        plan.modes.iter().map(&mut measure).collect()
    }
}
