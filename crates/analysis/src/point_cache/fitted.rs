//! A point cache fitted to the model whose vertices it has.

use glam::DVec3;
use serde::Serialize;
use sinew_model::{Clip, Model};
use sinew_skinning::pose::{ClipMix, PoseChoice};

use super::PointCache;
use super::assembly::Assembly;
use crate::diagnose::{By, Fit, Fitting, NoMatch, PlacementWords};
use crate::unskinned;
use crate::vertices::{Given, Moments, ReadError};

/// A point cache as a model.
#[derive(Clone, Debug)]
pub struct Cached {
    /// The model: each matched primitive as it is stored, without a skin, and a morph target for each frame. It has one clip
    /// of the name of the original's.
    pub model: Model,
    /// The time of each frame in that clip.
    pub times: Vec<f64>,
    /// Facts for users.
    pub facts: CacheFacts,
}

/// The fit of a point cache. Scripts depend on the names of the keys (docs/reference/json.md).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CacheFacts {
    /// The number of frames.
    pub frames: usize,
    /// The rate at which they fit the clip; null if the file has times, or one frame.
    pub frames_per_second: Option<f64>,
    /// The way in which vertices correspond.
    pub matched: By,
    /// The part of the model that they are.
    pub of: String,
    /// Their axes and unit.
    #[serde(flatten)]
    pub placement: PlacementWords,
    /// True if the file has normals; otherwise they are those of the triangles.
    pub has_normals: bool,
}

/// A point cache that does not fit a model.
#[derive(Clone, Debug, thiserror::Error)]
pub enum CacheError {
    /// A frame cannot be read.
    #[error("{}{error}", frame(*.number))]
    Read {
        /// The frame, if there are several.
        number: Option<usize>,
        /// The reason.
        error: ReadError,
    },
    /// The vertices are too few or too many.
    #[error("{} vertices, but the model draws {} and no part of it has as many; the nearest are {}", .0.theirs, .0.ours, .0.nearest)]
    Count(#[from] NoMatch),
    /// A frame has another number of vertices than the first.
    #[error("frame {number} has {count} vertices, but the first has {first}")]
    Uneven {
        /// The frame.
        number: usize,
        /// The number of its vertices.
        count: usize,
        /// The number in the first frame.
        first: usize,
    },
    /// Many frames, but nothing that moves.
    #[error("it has {frames} frames, but {cause}")]
    NoMotion {
        /// The number of frames.
        frames: usize,
        /// The reason that no clip corresponds to them.
        cause: &'static str,
    },
    /// More frames than are kept.
    #[error("it has {frames} frames; the limit is {}", PointCache::MAX_FRAMES)]
    TooLong {
        /// The number of frames.
        frames: usize,
    },
    /// More vertices in all frames together than are kept.
    #[error("its {frames} frames have {vertices} vertices together; the limit is {MAX_VERTICES}")]
    TooLarge {
        /// The number of frames.
        frames: usize,
        /// The number of vertices of all frames.
        vertices: usize,
    },
}

fn frame(number: Option<usize>) -> String {
    number.map_or_else(String::new, |number| format!("frame {number}: "))
}

/// The maximum number of vertices of all frames together: a gigabyte.
const MAX_VERTICES: usize = 1 << 24;

/// Usual frame rates, the likeliest first.
const RATES: [f64; 9] = [24.0, 30.0, 25.0, 60.0, 50.0, 48.0, 120.0, 24_000.0 / 1001.0, 30_000.0 / 1001.0];

/// The number of frames at which rates are compared.
const PROBES: usize = 6;

/// The number of clips to compare.
const MAX_CLIPS: usize = 256;

/// The factor by which a rate or a clip must fit better than a likelier one.
const BETTER: f64 = 0.9;

impl PointCache {
    /// Fits the cache to a model. If one clip plays in the motion, frames begin where it begins. A single frame has the time of
    /// the motion.
    ///
    /// # Errors
    /// If a frame cannot be read, or does not fit the model, or if there are several frames but no clip.
    pub fn fitted(&self, model: &Model, motion: &PoseChoice) -> Result<Cached, CacheError> {
        if self.len() > Self::MAX_FRAMES {
            return Err(CacheError::TooLong { frames: self.len() });
        }
        let clip = self.clip(model, motion)?;
        let fitting = Fitting::new(model);
        let first = self.checked(0, None)?;
        let start = clip.map_or(0.0, |clip| model.clips.get(clip).map_or(0.0, |c| model.period_of(c).start));
        let choice = if self.len() > 1 { at(motion, start) } else { motion.clone() };
        let fit = fitting.find(&first, &choice)?;
        let vertices: usize = fit.parts.iter().flatten().map(Vec::len).sum();
        let total = vertices.saturating_mul(self.len());
        if total > MAX_VERTICES {
            return Err(CacheError::TooLarge { frames: self.len(), vertices: total });
        }
        let (times, rate) = self.times(model, &fitting, &fit, motion, start)?;
        let made = self.model(model, &fit, &first, clip, &times)?;
        let facts = CacheFacts {
            frames: self.len(),
            frames_per_second: rate,
            matched: fit.by,
            of: fit.of,
            placement: fit.placement.words(),
            has_normals: has_normals(&first),
        };
        Ok(Cached { model: made, times, facts })
    }

    /// Returns the clip that frames belong to.
    fn clip(&self, model: &Model, motion: &PoseChoice) -> Result<Option<usize>, CacheError> {
        let clips: Vec<usize> = match motion {
            PoseChoice::Clips(mix) => mix.all().collect(),
            PoseChoice::Bind | PoseChoice::Rest | PoseChoice::SkinSpace(_) => Vec::new(),
        };
        let none = |cause| Err(CacheError::NoMotion { frames: self.len(), cause });
        match clips.as_slice() {
            [clip] => Ok(Some(*clip)),
            _ if self.len() == 1 => Ok(None),
            [] if model.clips.is_empty() => none("the model has no clip"),
            [] => none("no clip plays; name theirs with --clip"),
            _ => none("several clips play; name theirs with --clip"),
        }
    }

    /// Reads a frame, which must have as many vertices as the first.
    fn checked(&self, number: usize, first: Option<usize>) -> Result<Given, CacheError> {
        let shown = (self.len() > 1).then_some(number);
        let given = self.frame(number).map_err(|error| CacheError::Read { number: shown, error })?;
        let count = given.parts.iter().map(|part| part.positions.len()).sum();
        match first.filter(|first| *first != count) {
            Some(first) => Err(CacheError::Uneven { number, count, first }),
            None => Ok(given),
        }
    }

    /// Returns the clip whose motion the frames follow best, if there are several frames and clips: the earliest of those that
    /// fit alike.
    ///
    /// # Errors
    /// If a frame cannot be read, or its vertices are not those of the model.
    pub fn clip_of(&self, model: &Model) -> Result<usize, CacheError> {
        if self.len() < 2 || model.clips.len() < 2 {
            return Ok(0);
        }
        let fitting = Fitting::new(model);
        let first = self.checked(0, None)?;
        let probes = self.probes()?;
        let mut best: Option<(f64, usize)> = None;
        for (number, clip) in model.clips.iter().enumerate().take(MAX_CLIPS) {
            let (motion, start) = (PoseChoice::clip(number, 0.0), model.period_of(clip).start);
            let choice = at(&motion, start);
            let fit = fitting.find(&first, &choice)?;
            let (least, _) = self.rate(model, &fitting, &fit, &probes, &motion, start);
            let apart = least + fitting.apart(&fit, &fitting.sample(&fit, &first), &choice);
            if best.is_none_or(|(least, _)| apart < BETTER * least) {
                best = Some((apart, number));
            }
        }
        Ok(best.map_or(0, |(_, clip)| clip))
    }

    /// Returns the time of each frame in the clip, and the frame rate if the file does not have times.
    fn times(
        &self,
        model: &Model,
        fitting: &Fitting,
        fit: &Fit,
        motion: &PoseChoice,
        start: f64,
    ) -> Result<(Vec<f64>, Option<f64>), CacheError> {
        let (Moments::Seconds(offsets) | Moments::Frames(offsets)) = &self.moments;
        if self.len() <= 1 {
            return Ok((vec![motion.time_secs()], None));
        }
        let (_, rate) = self.rate(model, fitting, fit, &self.probes()?, motion, start);
        let stated = matches!(self.moments, Moments::Seconds(_));
        Ok((offsets.iter().map(|offset| start + offset / rate).collect(), (!stated).then_some(rate)))
    }

    /// Returns the frame rate that fits best, 1 if the file has seconds, and the sum of the distances of probes from the motion.
    fn rate(
        &self,
        model: &Model,
        fitting: &Fitting,
        fit: &Fit,
        probes: &[(f64, Given)],
        motion: &PoseChoice,
        start: f64,
    ) -> (f64, f64) {
        let (stated, usual): (_, &[f64]) = match &self.moments {
            Moments::Seconds(_) => (Some(1.0), &[]),
            Moments::Frames(_) => (model.frames_per_second, &RATES),
        };
        let samples: Vec<(f64, Vec<(u32, DVec3)>)> =
            probes.iter().map(|(offset, given)| (*offset, fitting.sample(fit, given))).collect();
        // Frames that are spread over the whole clip may have any rate.
        let length = match motion {
            PoseChoice::Clips(mix) => model.period_of_all(mix.all()).length(),
            PoseChoice::Bind | PoseChoice::Rest | PoseChoice::SkinSpace(_) => 0.0,
        };
        let last = probes.last().map_or(0.0, |(offset, _)| *offset);
        let spread = Some(last / length).filter(|rate| rate.is_normal() && !usual.is_empty());
        let mut best = (f64::INFINITY, 1.0);
        for rate in stated.into_iter().chain(usual.iter().copied()).chain(spread) {
            let probed = samples
                .iter()
                .map(|(offset, sample)| fitting.apart(fit, sample, &at(motion, start + offset / rate)));
            let apart: f64 = probed.sum();
            if apart < BETTER * best.0 {
                best = (apart, rate);
            }
        }
        best
    }

    /// Reads some of the frames after the first, with their offsets.
    fn probes(&self) -> Result<Vec<(f64, Given)>, CacheError> {
        let (Moments::Seconds(offsets) | Moments::Frames(offsets)) = &self.moments;
        let last = self.len().saturating_sub(1);
        let mut numbers: Vec<usize> = (1..=PROBES)
            .map(|probe| probe.saturating_mul(last) / PROBES)
            .filter(|frame| *frame > 0)
            .collect();
        numbers.dedup();
        let read =
            |number| Ok((offsets.get(number).copied().unwrap_or_default(), self.checked(number, None)?));
        numbers.into_iter().map(read).collect()
    }

    /// Makes the model.
    fn model(
        &self,
        model: &Model,
        fit: &Fit,
        first: &Given,
        clip: Option<usize>,
        times: &[f64],
    ) -> Result<Model, CacheError> {
        let mut assembly = Assembly::new(model, fit, self.len());
        let count = first.parts.iter().map(|part| part.positions.len()).sum();
        for number in 0..self.len() {
            assembly.add(&self.checked(number, Some(count))?, fit);
        }
        let mut made = assembly.finished();
        if let Some(clip) = clip {
            // Clips without names pair by number.
            let name = model.clips.get(clip).map_or("", |clip| &clip.name);
            made.clips = if name.is_empty() { vec![Clip::default(); clip] } else { Vec::new() };
            let times: Vec<f32> = times.iter().map(|time| *time as f32).collect();
            made.clips.push(unskinned::clip(name, &made, &times));
        }
        made.frames_per_second = model.frames_per_second;
        Ok(made)
    }
}

/// Returns a motion at a time.
fn at(motion: &PoseChoice, time_secs: f64) -> PoseChoice {
    match motion {
        PoseChoice::Clips(mix) => PoseChoice::Clips(ClipMix { time_secs, ..mix.clone() }),
        other => other.clone(),
    }
}

fn has_normals(given: &Given) -> bool {
    given.parts.iter().all(|part| part.normals.is_some())
}
