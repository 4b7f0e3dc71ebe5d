//! The distances of two models' vertices, with the new model at the old one's place and size.

use sinew_skinning::pairing::{Pairing, Similarity};
use sinew_skinning::posed::SkinnedPrimitive;

use super::Poser;
use super::bytes::{Bytes, rounded};
use super::times::Kept;

/// Two models whose distances a page shows.
pub struct Paired<'a> {
    /// The correspondences.
    pub pairing: &'a Pairing,
    /// From the old rest pose to the new one.
    pub new_from_old: Similarity,
    /// True if the clips may lack this move.
    pub is_only_moved: bool,
}

impl Paired<'_> {
    /// The possible places of the new model in a motion; `None` is the bind pose, which may be stored elsewhere than the rest pose.
    fn places(&self, motion: Option<usize>) -> Vec<Similarity> {
        let is_sure = motion.is_some() && !self.is_only_moved;
        match is_sure || self.new_from_old == Similarity::IDENTITY {
            true => vec![self.new_from_old],
            false => vec![self.new_from_old, Similarity::IDENTITY],
        }
    }

    /// The distances of the old model's vertices from the new model, which is brought back first.
    fn distances(
        &self,
        old: &[SkinnedPrimitive<f64>],
        new: &[SkinnedPrimitive<f64>],
        placed: &Similarity,
    ) -> Vec<f64> {
        if *placed == Similarity::IDENTITY {
            return self.pairing.distances(old, new).concat();
        }
        let mut new = new.to_vec();
        for place in new.iter_mut().flat_map(|primitive| &mut primitive.positions) {
            *place = placed.undo((*place).into()).to_array();
        }
        self.pairing.distances(old, &new).concat()
    }
}

/// The stored distance of a vertex without a match.
pub const NO_MATCH: u16 = u16::MAX;

/// The distances of the first model's vertices from the second model.
pub struct Apart {
    /// The vertices that have a match.
    is_matched: Vec<bool>,
    pub step: f64,
    frames: std::vec::IntoIter<Vec<f64>>,
}

impl Apart {
    /// Measures all frames, each motion with the new model where it is nearest, and sets these places.
    pub fn new(paired: &Paired<'_>, kept: &Kept, poser: &mut Poser<'_>) -> Self {
        let mut frames = Vec::new();
        for (motion, times) in &kept.motions {
            let mut tried: Vec<(Similarity, Vec<Vec<f64>>)> =
                paired.places(*motion).into_iter().map(|placed| (placed, Vec::new())).collect();
            for time in times {
                let old = poser.skin(0, *motion, *time).map(<[_]>::to_vec).unwrap_or_default();
                let new = poser.skin(1, *motion, *time).unwrap_or_default();
                for (placed, own) in &mut tried {
                    own.push(paired.distances(&old, new, placed));
                }
            }
            let best = tried.into_iter().min_by(|(_, a), (_, b)| largest(a).total_cmp(&largest(b)));
            if let Some((placed, own)) = best {
                poser.placed.push((*motion, placed));
                frames.extend(own);
            }
        }
        let step = largest(&frames) / f64::from(NO_MATCH - 1);
        let bind = poser.skin(0, None, 0.0).unwrap_or_default();
        let mut is_matched: Vec<Vec<bool>> =
            bind.iter().map(|one| vec![false; one.positions.len()]).collect();
        for pair in &paired.pairing.pairs {
            for (vertex, _) in &pair.spots {
                let own = is_matched.get_mut(pair.old).and_then(|own| own.get_mut(*vertex as usize));
                own.into_iter().for_each(|own| *own = true);
            }
        }
        Self { is_matched: is_matched.concat(), step, frames: frames.into_iter() }
    }

    /// Adds the distances of the next motion's frames.
    pub fn next(&mut self, frames: usize, bytes: &mut Bytes) -> usize {
        let Self { is_matched, step, frames: all } = self;
        let steps = |(number, metres): (usize, f64)| match is_matched.get(number) {
            Some(true) => rounded(if *step > 0.0 { metres / *step } else { 0.0 }).min(NO_MATCH - 1),
            _ => NO_MATCH,
        };
        bytes.frames(all.take(frames).map(|frame| frame.into_iter().enumerate().map(steps).collect()))
    }
}

fn largest(frames: &[Vec<f64>]) -> f64 {
    let finite = frames.iter().flatten().filter(|metres| metres.is_finite());
    finite.fold(0.0_f64, |most, metres| most.max(*metres))
}
