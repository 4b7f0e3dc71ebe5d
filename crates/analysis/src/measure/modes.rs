//! Compares skinning modes with each other over the frames of a motion.

use sinew_model::Model;
use sinew_skinning::pose::{ClipMix, Pose, PoseChoice};
use sinew_skinning::posed::{SkinnedPrimitive, reference_surfaces};
use sinew_skinning::{Drawn, SkinningMode};

use super::batches::{Frame, Measured, in_order};
use super::distance::{Distance, distance};

/// The modes to compare.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The modes to measure.
    pub modes: Vec<SkinningMode>,
    /// The mode to measure them against.
    pub against: SkinningMode,
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
    let measure = |worker: &mut Worker, time| worker.measure(model, drawn, plan, &at(motion, time));
    in_order(model, times, measure, each)
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
    other: Vec<SkinnedPrimitive<f64>>,
    skinned: Vec<SkinnedPrimitive<f64>>,
    distances: Vec<f64>,
}

impl Worker {
    fn measure(&mut self, model: &Model, drawn: &Drawn, plan: &Plan, choice: &PoseChoice) -> Vec<Measured> {
        let Self { pose, other, skinned, distances } = self;
        pose.set(model, choice);
        reference_surfaces(model, plan.against, pose, other);
        let mut measure = |&mode: &SkinningMode| {
            if mode == plan.against {
                return Measured { mode, distance: Distance::default() };
            }
            reference_surfaces(model, mode, pose, skinned);
            Measured { mode, distance: distance(drawn, skinned, other, distances) }
        };
        plan.modes.iter().map(&mut measure).collect()
    }
}
