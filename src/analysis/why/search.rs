//! Measures all gauges in all modes over all frames, on all cores, and keeps the worst.

use rayon::prelude::*;
use sinew_model::Model;
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::{Pose, PoseChoice};

use super::gauge::{Gauges, Places};
use crate::analysis::measure::{Times, at};

/// Number of frames per batch.
const FRAMES_AT_ONCE: usize = 256;

/// Frames to search.
#[derive(Clone, Debug)]
pub struct Motion {
    /// The clip's number; `None` for a pose without one.
    pub clip: Option<usize>,
    /// In words: `clip Run`.
    pub name: String,
    /// The pose, at whatever time.
    pub choice: PoseChoice,
    /// The times of its frames.
    pub times: Times,
}

/// The worst of one gauge in one mode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worst {
    /// Share of its size that it keeps.
    pub kept: f64,
    /// The number of the motion.
    pub motion: usize,
    /// The time in seconds.
    pub time: f64,
}

/// Returns how far a share is from one.
pub fn off(kept: f64) -> f64 {
    (kept - 1.0).abs()
}

/// For each gauge and each mode, the worst of all frames; of equal ones, the first. `progress` is called with the number of
/// frames that are done.
pub fn search(
    model: &Model,
    gauges: &Gauges,
    modes: &[SkinningMode],
    motions: &[Motion],
    mut progress: impl FnMut(u64),
) -> Vec<Vec<Option<Worst>>> {
    let mut worst = vec![vec![None::<Worst>; modes.len()]; gauges.list.len()];
    for (motion, found) in motions.iter().enumerate() {
        for times in found.times.seconds.chunks(FRAMES_AT_ONCE) {
            let frame = |(pose, places): &mut (Pose, Places), time: &f64| {
                kept(model, gauges, modes, &at(&found.choice, *time), (pose, places))
            };
            let frames: Vec<_> =
                times.par_iter().map_init(|| (Pose::default(), Places::default()), frame).collect();
            for (&time, frame) in times.iter().zip(&frames) {
                let all = worst.iter_mut().flatten().zip(frame.iter().flatten());
                for (worst, kept) in all.filter_map(|(worst, kept)| Some((worst, (*kept)?))) {
                    if worst.is_none_or(|worst| off(kept) > off(worst.kept)) {
                        *worst = Some(Worst { kept, motion, time });
                    }
                }
            }
            progress(times.len() as u64);
        }
    }
    worst
}

/// Returns what each gauge keeps in each mode in one pose.
pub fn kept(
    model: &Model,
    gauges: &Gauges,
    modes: &[SkinningMode],
    choice: &PoseChoice,
    (pose, places): (&mut Pose, &mut Places),
) -> Vec<Vec<Option<f64>>> {
    pose.set(model, choice);
    let mut of_gauges = vec![Vec::with_capacity(modes.len()); gauges.list.len()];
    for &mode in modes {
        gauges.pose(model, mode, pose, places);
        for (gauge, kept) in gauges.list.iter().zip(&mut of_gauges) {
            kept.push(gauges.kept(gauge, places));
        }
    }
    of_gauges
}
