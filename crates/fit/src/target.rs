//! The deformation that linear blending is to follow: that of a mode, or vertices from elsewhere.

use sinew_model::{Model, Period};
use sinew_skinning::SkinningMode;
use sinew_skinning::pairing::Pairing;
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::posed::{SkinnedPrimitive, reference_surfaces};

use crate::fit::Goal;

/// A deformation that linear blending is to follow.
#[derive(Clone, Copy, Debug)]
pub enum Target<'a> {
    /// The deformation of a mode.
    Mode(SkinningMode),
    /// Vertices that something else moves.
    Frames(Frames<'a>),
}

/// Vertices that something else moves, in one clip.
#[derive(Clone, Copy, Debug)]
pub struct Frames<'a> {
    /// The model that has them; its last clip moves them.
    pub model: &'a Model,
    /// The vertices of the fitted model, and theirs.
    pub pairing: &'a Pairing,
    /// The clip of the fitted model that they belong to.
    pub clip: usize,
    /// The time of each frame in the clip.
    pub times: &'a [f64],
}

/// A fit to make.
#[derive(Clone, Debug)]
pub struct Wanted<'a> {
    /// The deformation to follow.
    pub target: Target<'a>,
    /// The end of the fit.
    pub goal: Goal,
    /// The most joints that a vertex follows.
    pub max_influences: usize,
    /// The clips whose poses count; helpers get keys in all clips.
    pub clips: Vec<usize>,
    /// The number of keys a second.
    pub rate: f64,
    /// True if the model is [`one_joint`](crate::one_joint)'s: this joint gets keys, too, and helpers become a tree.
    pub is_whole: bool,
}

/// Maximum number of keys of a helper in a clip. Longer clips have fewer keys a second.
const MAX_KEYS: usize = 20_000;

impl Target<'_> {
    /// Returns the times of a clip's keys, which its poses are chosen from.
    pub fn times(&self, model: &Model, clip: usize, rate: f64) -> Vec<f64> {
        match self {
            Self::Mode(_) => {
                let clip = model.clips.get(clip);
                clip.map_or_else(Vec::new, |clip| key_times(model.period_of(clip), rate))
            }
            Self::Frames(frames) if frames.clip == clip => frames.times.to_vec(),
            Self::Frames(_) => Vec::new(),
        }
    }

    /// Puts all vertices where they should be in a pose, those without a wanted place at NaN. The pose keeps no morph targets: they
    /// move vertices before joints do.
    pub(crate) fn surfaces(
        &self,
        model: &Model,
        pose: &mut Pose,
        time: f64,
        out: &mut Vec<SkinnedPrimitive<f64>>,
    ) {
        pose.weights.fill(0.0);
        match self {
            Self::Mode(mode) => reference_surfaces(model, *mode, pose, out),
            Self::Frames(frames) => {
                reference_surfaces(model, SkinningMode::Linear, pose, out);
                out.iter_mut().for_each(|one| one.positions.fill([f64::NAN; 3]));
                let (mut other, mut theirs) = (Pose::default(), Vec::new());
                other.set(frames.model, &PoseChoice::clip(frames.model.clips.len().saturating_sub(1), time));
                reference_surfaces(frames.model, SkinningMode::Linear, &other, &mut theirs);
                for pair in &frames.pairing.pairs {
                    let (Some(own), Some(theirs)) = (out.get_mut(pair.old), theirs.get(pair.new)) else {
                        continue;
                    };
                    for (vertex, spot) in &pair.spots {
                        let place = spot.on(&theirs.positions);
                        if let (Some(place), Some(own)) = (place, own.positions.get_mut(*vertex as usize)) {
                            *own = place.to_array();
                        }
                    }
                }
            }
        }
    }
}

/// Returns the times of a helper's keys in a period.
pub fn key_times(period: Period, rate: f64) -> Vec<f64> {
    if period.length() <= 0.0 {
        return vec![period.start];
    }
    // A clip of whole frames has no frame more, although its end is rounded.
    let frames = ((period.length() * rate - 1e-3).ceil() as usize).clamp(1, MAX_KEYS - 1);
    (0..=frames).map(|frame| period.at(frame as f64 / frames as f64)).collect()
}
