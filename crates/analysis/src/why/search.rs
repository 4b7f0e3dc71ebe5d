//! Measures all gauges in all modes over all frames, on all cores, and keeps the worst.

use std::cmp::Ordering;

use rayon::prelude::*;
use sinew_model::Model;
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::{Pose, PoseChoice};

use super::gauge::{Gauges, Places};
use crate::measure::{Times, at};
use crate::turns::turn_from_rest;

/// The number of frames per batch.
const FRAMES_AT_ONCE: usize = 256;

/// The angle in degrees below which a joint is at rest.
pub const STILL_DEGREES: f64 = 1.0;

/// Frames to search.
#[derive(Clone, Debug)]
pub struct Motion {
    /// The clip's index; `None` for a pose without one.
    pub clip: Option<usize>,
    /// The clip in words: `clip Run`.
    pub name: String,
    /// The pose, at any time.
    pub choice: PoseChoice,
    /// The times of its frames.
    pub times: Times,
}

/// The worst of one gauge in one mode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worst {
    /// The share of its size that it keeps.
    pub kept: f64,
    /// The index of the motion.
    pub motion: usize,
    /// The time in seconds.
    pub time: f64,
    /// True if the joint is turned.
    pub is_turned: bool,
}

impl Worst {
    /// Compares with another: frames that turn the joint are worse than others, then those further from one.
    pub fn cmp(&self, other: &Self) -> Ordering {
        let by_turn = self.is_turned.cmp(&other.is_turned);
        by_turn.then_with(|| off(self.kept).total_cmp(&off(other.kept)))
    }
}

/// Results of a search.
pub struct Found {
    /// For each gauge and each mode, the worst frame.
    pub worst: Vec<Vec<Option<Worst>>>,
    /// For each gauge, the number of frames that turn its joint.
    pub turned: Vec<usize>,
}

/// Returns the distance of a share from one.
pub fn off(kept: f64) -> f64 {
    (kept - 1.0).abs()
}

/// Finds the worst of all frames for each gauge and each mode; the first of equal ones. Frames that do not turn the joint
/// count only if none does. The thread that has measured a frame calls `progress`.
pub fn search(
    model: &Model,
    gauges: &Gauges,
    modes: &[SkinningMode],
    motions: &[Motion],
    progress: impl Fn() + Sync,
) -> Found {
    let mut worst = vec![vec![None::<Worst>; modes.len()]; gauges.list.len()];
    let mut turned = vec![0; gauges.list.len()];
    for (motion, found) in motions.iter().enumerate() {
        for times in found.times.seconds.chunks(FRAMES_AT_ONCE) {
            let frame = |(pose, places): &mut (Pose, Places), time: &f64| {
                let kept = kept(model, gauges, modes, &at(&found.choice, *time), (pose, places));
                let degrees =
                    gauges.list.iter().map(|gauge| turn_from_rest(model, gauge.node, pose).length());
                let is_turned = degrees.map(|degrees| degrees > STILL_DEGREES).collect();
                progress();
                (kept, is_turned)
            };
            let frames: Vec<(Vec<_>, Vec<bool>)> =
                times.par_iter().map_init(|| (Pose::default(), Places::default()), frame).collect();
            for (&time, (kept, is_turned)) in times.iter().zip(&frames) {
                let gauges = worst.iter_mut().zip(&mut turned).zip(kept.iter().zip(is_turned));
                for ((worst, turned), (kept, &is_turned)) in gauges {
                    *turned += usize::from(is_turned);
                    for (worst, kept) in worst.iter_mut().zip(kept) {
                        let Some(kept) = *kept else { continue };
                        let now = Worst { kept, motion, time, is_turned };
                        if worst.is_none_or(|worst| now.cmp(&worst).is_gt()) {
                            *worst = Some(now);
                        }
                    }
                }
            }
        }
    }
    Found { worst, turned }
}

/// Returns the share that each gauge keeps in each mode in one pose.
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
