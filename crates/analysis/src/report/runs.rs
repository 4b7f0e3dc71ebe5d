//! Measures the frames of all clips in all modes, on all cores. Each worker takes runs of consecutive frames, because jumps
//! are measured from one frame to the next.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use sinew_model::Model;
use sinew_skinning::pose::Pose;
use sinew_skinning::posed::SkinnedPrimitive;
use sinew_skinning::surfaces::{self, Surfaces};
use sinew_skinning::{Drawn, SkinningMode};

use super::motions::Motion;
use crate::deformation::{Moment, OfMode, Shape, measure_mode};
use crate::measure::distance;
use crate::metric::Row;

/// The mode that distances are measured from.
const AGAINST: SkinningMode = SkinningMode::Linear;

/// The number of frames per run. Each run but the first of a clip also measures the frame before it.
const RUN: usize = 32;

/// The mean number of runs that each worker measures before they are passed on.
const RUNS_AHEAD: usize = 2;

/// The number of skinned vertices to keep at once if there is a choice.
const VERTICES_AT_ONCE: u64 = 1 << 22;

/// A model prepared for measuring.
pub struct Subject<'a> {
    /// The model.
    pub model: &'a Model,
    /// The shape.
    pub shape: &'a Shape,
    /// The drawn vertices.
    pub drawn: &'a Drawn,
    /// The model prepared for the reference.
    pub surfaces: &'a Surfaces,
    /// The modes to measure.
    pub modes: &'a [SkinningMode],
}

/// Frames of one clip.
struct Run<'a> {
    number: usize,
    motion: &'a Motion,
    frames: Range<usize>,
}

/// Measures every frame and passes it on, in order, as the index of its clip, its time and a row per mode.
pub fn measure_all(subject: &Subject, motions: &[Motion], mut each: impl FnMut(usize, f64, Vec<Row>)) {
    let runs: Vec<Run> = motions.iter().enumerate().flat_map(runs_of).collect();
    let modes = std::iter::once(AGAINST).chain(subject.modes.iter().copied().filter(|mode| *mode != AGAINST));
    let modes: Vec<SkinningMode> = modes.collect();
    let vertices = subject.shape.counts().vertices.saturating_mul(modes.len() as u64).max(1);
    let room = usize::try_from(VERTICES_AT_ONCE / vertices).unwrap_or(usize::MAX);
    let count = rayon::current_num_threads().min(room).clamp(1, runs.len().max(1));
    let mut workers: Vec<Worker> = (0..count).map(|_| Worker::default()).collect();
    for batch in runs.chunks(count * RUNS_AHEAD) {
        let next = AtomicUsize::new(0);
        let take = || batch.get(next.fetch_add(1, Ordering::Relaxed));
        let work = |worker: &mut Worker| {
            let mut done = Vec::new();
            while let Some(run) = take() {
                done.push((run, worker.run(subject, &modes, run)));
            }
            done
        };
        let mut done: Vec<_> = workers.par_iter_mut().with_max_len(1).flat_map_iter(work).collect();
        done.sort_by_key(|(run, _)| (run.number, run.frames.start));
        for (run, rows) in done {
            let times = run.motion.times.seconds.get(run.frames.clone()).unwrap_or_default();
            times.iter().zip(rows).for_each(|(&time, rows)| each(run.number, time, rows));
        }
    }
}

fn runs_of<'a>((number, motion): (usize, &'a Motion)) -> impl Iterator<Item = Run<'a>> {
    let count = motion.times.seconds.len();
    (0..count).step_by(RUN).map(move |begin| Run { number, motion, frames: begin..(begin + RUN).min(count) })
}

/// Memory for one frame, with each mode's previous frame.
#[derive(Default)]
struct Worker {
    pose: Pose,
    scratch: surfaces::Scratch,
    /// The model in each mode.
    skinned: Vec<Vec<SkinnedPrimitive<f64>>>,
    distances: Vec<f64>,
    moment: Moment,
    tracks: Vec<OfMode>,
}

impl Worker {
    fn run(&mut self, subject: &Subject, modes: &[SkinningMode], run: &Run) -> Vec<Vec<Row>> {
        self.moment.restart();
        self.tracks.resize_with(subject.modes.len(), OfMode::default);
        self.tracks.iter_mut().for_each(OfMode::restart);
        let time = |frame: usize| run.motion.times.seconds.get(frame).copied().unwrap_or_default();
        if let Some(before) = run.frames.start.checked_sub(1) {
            self.measure(subject, modes, run.motion, time(before), false);
        }
        let measure = |frame| self.measure(subject, modes, run.motion, time(frame), frame == 0);
        run.frames.clone().map(measure).collect()
    }

    /// Measures a frame in all modes; skins `skinned_in`, of which the first is the one that distances are measured from.
    fn measure(
        &mut self,
        subject: &Subject,
        skinned_in: &[SkinningMode],
        motion: &Motion,
        time: f64,
        is_first: bool,
    ) -> Vec<Row> {
        let Self { pose, scratch, skinned, distances, moment, tracks } = self;
        let Subject { model, shape, drawn, surfaces, modes } = subject;
        pose.set(model, &motion.pose(time));
        surfaces.skin_positions(model, skinned_in, pose, scratch, skinned);
        moment.advance(shape, model, pose);
        let of = |mode| {
            let found = skinned_in.iter().zip(&*skinned).find(|(own, _)| **own == mode);
            found.map_or(&[][..], |(_, skinned)| skinned)
        };
        let row = |(&mode, track): (&SkinningMode, &mut OfMode)| {
            let here = of(mode);
            let distance = (mode != AGAINST).then(|| distance(drawn, here, of(AGAINST), distances));
            Row { frame: measure_mode(shape, moment, time, here, track), distance, is_first }
        };
        modes.iter().zip(tracks).map(row).collect()
    }
}
