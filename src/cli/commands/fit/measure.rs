//! Measures linear blending before and after a fit, against the deformation that it follows.

use std::convert::Infallible;

use glam::DMat4;

use crate::analysis::keys::Keys;
use crate::analysis::measure::{Figures, Files, Frames, MAX_FRAMES, Summary, compare_files, place, times_of};
use crate::cli::terminal::progress::bar;
use crate::fit::Target;
use crate::model::Model;
use crate::pairing::{Pair, Pairing, Spot, clip_name};
use crate::skinning::pose::{ClipMix, PoseChoice};
use crate::skinning::surfaces::Surfaces;
use crate::skinning::{Drawn, SkinningMode};

use super::Job;

/// Times this near to a pose of the fit are that pose.
const TIME_TOLERANCE_SECS: f64 = 1e-6;

/// The distances of linear blending from the wanted deformation in some frames.
pub struct Row {
    /// The clip; `None` for frames of several clips, and for poses that are not written.
    pub clip: Option<usize>,
    pub name: String,
    pub frames: usize,
    /// Distances before, after, and with driven helpers.
    pub sides: Vec<Side>,
}

/// The distances of one model.
pub struct Side {
    pub word: &'static str,
    pub figures: Figures,
    /// The names of the worst vertex and its joint.
    pub worst: Option<(String, Option<String>)>,
}

/// A model whose linear blending is measured.
struct Made<'a> {
    word: &'static str,
    model: &'a Model,
    surfaces: Surfaces,
    /// From the original's vertices to its own, or from its own to a cache's.
    pairing: Pairing,
}

/// The model that has the wanted deformation.
struct Truth<'a> {
    model: &'a Model,
    surfaces: Surfaces,
    target: Target<'a>,
}

impl<'a> Truth<'a> {
    fn new(job: &Job<'a>) -> Self {
        let model = match job.target {
            Target::Mode(_) => job.subject,
            Target::Frames(frames) => frames.model,
        };
        Self { model, surfaces: Surfaces::new(model), target: job.target }
    }

    /// Prepares a model that has the original's vertices where `pairing` says.
    fn made(&self, word: &'static str, model: &'a Model, pairing: Pairing) -> Made<'a> {
        let pairing = match self.target {
            Target::Mode(_) => pairing,
            Target::Frames(frames) => Pairing::new(model, frames.model),
        };
        Made { word, model, surfaces: Surfaces::new(model), pairing }
    }

    /// Adds the distances of a model in frames of a clip.
    fn add(&self, made: &Made, clip: usize, times: &[f64], summaries: &mut [&mut Summary]) {
        let linear = SkinningMode::Linear;
        let (truth, made_side) = ((self.model, &self.surfaces), (made.model, &made.surfaces));
        let last = self.model.clips.len().saturating_sub(1);
        let (sides, clips, mode) = match self.target {
            Target::Mode(mode) => ([truth, made_side], [clip; 2], mode),
            Target::Frames(_) => ([made_side, truth], [clip, last], linear),
        };
        let motions = clips.map(|clip| PoseChoice::clip(clip, 0.0));
        let files = Files {
            models: sides.map(|(model, _)| model),
            surfaces: sides.map(|(_, surfaces)| surfaces),
            motions: motions.each_ref(),
            pairing: &made.pairing,
            new_mode: Some(linear),
        };
        let Ok(()) = compare_files(files, &[mode], times, |frame| {
            summaries.iter_mut().for_each(|summary| summary.add(sides[0].0, &frame));
            Ok::<(), Infallible>(())
        });
    }

    fn side(&self, made: &Made, summary: &Summary) -> Option<Side> {
        let figures = summary.motions.first()?.first().copied()?;
        let named = match self.target {
            Target::Mode(_) => self.model,
            Target::Frames(_) => made.model,
        };
        let worst = figures.worst.and_then(|(_, vertex)| place(named, vertex));
        Some(Side { word: made.word, figures, worst: worst.map(|place| (place.name, place.joint)) })
    }
}

/// Measures every clip at the times of `sinew compare`, then the frames that the fit did not see, then poses that no clip has.
pub fn measure(job: &Job) -> Vec<Row> {
    let truth = Truth::new(job);
    let same = || same(job.subject);
    let mut made =
        vec![truth.made("before", job.subject, same()), truth.made("after", &job.read, job.pairing.clone())];
    made.extend(job.driven.as_ref().map(|(_, model)| truth.made("driven", model, same())));
    let keys = Keys::new(job.subject);
    let motions: Vec<(usize, Vec<f64>)> =
        (0..job.clips).filter_map(|clip| Some((clip, times(job, &keys, clip)?))).collect();
    let bar = bar(motions.iter().map(|(_, times)| times.len() as u64).sum(), "frames");
    let mut unseen: Vec<Summary> = made.iter().map(|_| summary()).collect();
    let (mut rows, mut count) = (Vec::new(), 0);
    for (clip, times) in motions {
        let is_seen = |time: &f64| {
            job.fitted.poses.iter().any(|(of, at)| *of == clip && (at - time).abs() < TIME_TOLERANCE_SECS)
        };
        let (seen, not): (Vec<f64>, Vec<f64>) = times.iter().partition(|time| is_seen(time));
        count += not.len();
        let mut sides = Vec::new();
        for (made, unseen) in made.iter().zip(&mut unseen) {
            let mut found = summary();
            truth.add(made, clip, &seen, &mut [&mut found]);
            truth.add(made, clip, &not, &mut [&mut found, unseen]);
            sides.extend(truth.side(made, &found));
        }
        bar.inc(times.len() as u64);
        let name = format!("clip {}", clip_name(job.subject, clip));
        rows.push(Row { clip: Some(clip), name, frames: times.len(), sides });
    }
    bar.finish_and_clear();
    if count > 0 {
        let sides = made.iter().zip(&unseen).filter_map(|(made, unseen)| truth.side(made, unseen)).collect();
        rows.push(Row { clip: None, name: "frames kept out".to_owned(), frames: count, sides });
    }
    if !job.beside.is_empty() {
        // The file does not have these clips.
        made[1] = truth.made("after", &job.fitted.model, same());
    }
    for (clip, name) in job.beside {
        let frames = truth.target.times(job.subject, *clip, job.rate);
        let mut sides = Vec::new();
        for made in &made {
            let mut found = summary();
            truth.add(made, *clip, &frames, &mut [&mut found]);
            sides.extend(truth.side(made, &found));
        }
        rows.push(Row { clip: None, name: (*name).to_owned(), frames: frames.len(), sides });
    }
    rows
}

/// The times of a clip that are measured; `None` if nothing is wanted in it.
fn times(job: &Job, keys: &Keys, clip: usize) -> Option<Vec<f64>> {
    match job.target {
        Target::Mode(_) => {
            let mix = ClipMix { clips: vec![clip], ..ClipMix::default() };
            Some(times_of(keys, &mix, Frames::Every, MAX_FRAMES).seconds)
        }
        Target::Frames(frames) => (frames.clip == clip).then(|| frames.times.to_vec()),
    }
}

/// An empty summary of linear blending.
fn summary() -> Summary {
    let mut summary = Summary::default();
    summary.start(&[SkinningMode::Linear]);
    summary
}

/// Pairs each drawn vertex of a model with itself.
fn same(model: &Model) -> Pairing {
    let drawn = Drawn::new(model);
    let pair = |(number, vertices): (usize, &[u32])| Pair {
        old: number,
        new: number,
        spots: vertices.iter().map(|vertex| (*vertex, Spot::Vertex(*vertex))).collect(),
        apart: vec![0.0; vertices.len()],
        new_from_old: DMat4::IDENTITY,
    };
    Pairing { pairs: drawn.primitives().enumerate().map(pair).collect(), ..Pairing::default() }
}
