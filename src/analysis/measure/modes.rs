//! Compares skinning modes over the frames of a motion, on all cores and in memory that does not grow with the
//! number of frames.

use rayon::prelude::*;
use sinew_model::Model;
use sinew_skinning::pose::{ClipMix, Pose, PoseChoice};
use sinew_skinning::posed::{SkinnedPrimitive, count_vertices, reference_surfaces};
use sinew_skinning::{Drawn, SkinningMode};

use super::distance::{Distance, distance};

/// Which modes to compare.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The modes to measure.
    pub modes: Vec<SkinningMode>,
    /// The mode to measure them against.
    pub against: SkinningMode,
}

/// A mode in one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// The mode.
    pub mode: SkinningMode,
    /// How far it is from the other.
    pub distance: Distance,
}

/// One frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// The time in seconds.
    pub time: f64,
    /// Each mode of the plan.
    pub modes: Vec<Measured>,
}

/// How many frames each processor measures before results are handed on.
const FRAMES_AHEAD: usize = 16;

/// How many vertices to keep at once if there is a choice.
const VERTICES_AT_ONCE: u64 = 1 << 21;

/// Measures a motion at the given times and hands each frame on, in order. A pose that no clip moves is the same at
/// all times.
pub fn compare_modes<E>(
    model: &Model,
    drawn: &Drawn,
    plan: &Plan,
    motion: &PoseChoice,
    times: &[f64],
    mut each: impl FnMut(Frame) -> Result<(), E>,
) -> Result<(), E> {
    let room = usize::try_from(VERTICES_AT_ONCE / count_vertices(model).max(1)).unwrap_or(usize::MAX);
    let count = rayon::current_num_threads().min(room).clamp(1, times.len().max(1));
    let mut workers: Vec<Worker> = (0..count).map(|_| Worker::default()).collect();
    for batch in times.chunks(count * FRAMES_AHEAD) {
        let measured: Vec<Vec<Vec<Measured>>> = workers
            .par_iter_mut()
            .enumerate()
            .map(|(number, worker)| {
                let own = batch.iter().skip(number).step_by(count);
                own.map(|&time| worker.measure(model, drawn, plan, &at(motion, time))).collect()
            })
            .collect();
        let mut measured: Vec<_> = measured.into_iter().map(Vec::into_iter).collect();
        for (number, &time) in batch.iter().enumerate() {
            let modes = measured.get_mut(number % count).and_then(Iterator::next);
            let modes = modes.expect("the workers have measured every time of the batch");
            each(Frame { time, modes })?;
        }
    }
    Ok(())
}

/// The motion at a time.
pub(super) fn at(motion: &PoseChoice, time_secs: f64) -> PoseChoice {
    match motion {
        PoseChoice::Clips(mix) => PoseChoice::Clips(ClipMix { time_secs, ..mix.clone() }),
        PoseChoice::Bind | PoseChoice::Rest | PoseChoice::SkinSpace => motion.clone(),
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
