//! Finds the way in which given normals and tangents were made.

use glam::{DVec3, DVec4};
use rayon::prelude::*;
use serde::Serialize;
use sinew_skinning::pose::PoseChoice;

use super::deviation::{Deviation, Step};
use super::engine::{Posed, Scratch};
use super::matching::{Matching, Theirs};
use super::placement::Placement;
use super::recipe::Recipe;
use super::subject::Subject;
use super::turned::Surface;
use crate::vertices::Stored;

/// The way in which given normals or tangents were made. A distance counts less where blending nearly flattens the surface,
/// as rounding turns directions there in any arithmetic.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Directions {
    /// The deviations from the definition.
    pub faults: Vec<Deviation>,
    /// The largest distance from this way, of direction or handedness.
    pub max: f64,
    /// The root of the mean square.
    pub rms: f64,
    /// True if all are finite and rounding explains the distances.
    pub agrees: bool,
    /// The number of those that agree with this way.
    pub right: usize,
    /// The number of all.
    pub of: usize,
    /// The number of those that are not finite.
    pub not_finite: usize,
}

/// The distance within which directions of single precision agree.
const TOLERANCE: f64 = 1e-4;

/// The largest distance that counts, so that squares are finite.
const FAR: f64 = 1e6;

/// The definition, and a deviation from it.
pub(super) type Way = Option<Deviation>;

/// Given directions, and the vertices that have them.
pub(super) struct GivenDirections<'a> {
    posed: Posed<'a>,
    placement: Placement,
    tolerance: f64,
    normals: Vec<(u32, DVec3)>,
    tangents: Vec<(u32, DVec4)>,
}

impl<'a> GivenDirections<'a> {
    /// Collects the directions of vertices that stand for one of ours: where several were welded, theirs is none of these.
    pub(super) fn new(
        subject: &'a Subject<'a>,
        (recipe, choice, placement): (&Recipe, &PoseChoice, Placement),
        (matching, theirs, stored): (&Matching, &Theirs, Stored),
    ) -> Self {
        let mut uses = vec![0_u32; theirs.positions.len()];
        for (_, theirs) in &matching.pairs {
            uses.get_mut(*theirs as usize).into_iter().for_each(|uses| *uses = uses.saturating_add(1));
        }
        let alone = || matching.pairs.iter().filter(|(_, theirs)| uses.get(*theirs as usize) == Some(&1));
        let tolerance = match stored {
            Stored::F16 => 2e-3,
            Stored::Decimals(step) => 3.0 * step,
            Stored::F32 | Stored::F64 => 0.0,
        };
        Self {
            posed: Posed::new(subject, recipe, choice),
            placement,
            tolerance: tolerance.max(TOLERANCE),
            normals: alone()
                .filter_map(|(ours, at)| Some((*ours, theirs.normals.get(*at as usize).copied()??.into())))
                .collect(),
            tangents: alone()
                .filter_map(|(ours, at)| Some((*ours, theirs.tangents.get(*at as usize).copied()??.into())))
                .collect(),
        }
    }

    /// Finds the ways of normals and tangents.
    pub(super) fn examined(&self) -> [Option<Directions>; 2] {
        fn all<const N: usize>(ways: [Deviation; N]) -> Vec<Way> {
            std::iter::once(None).chain(ways.map(Some)).collect()
        }
        let normals = self.normals(&all(Deviation::of_normals()));
        // Tangents may be orthogonal to the normals as defined, or to those that are given.
        let known = normals.iter().flat_map(|found| &found.faults).map(|fault| Some(*fault));
        let beside: Vec<Way> = std::iter::once(None).chain(known).collect();
        let (ways, hands) = (all(Deviation::of_tangents()), all(Deviation::of_handedness()));
        let tangents = self.tangents(&ways, &hands, &beside);
        [normals, tangents]
    }

    /// Says whether normals and tangents were made as a recipe says; `None` if it says nothing of them and none are given.
    pub(super) fn are_as(&self, recipe: &Recipe) -> [Option<bool>; 2] {
        let [normal, tangent, hand] =
            [Step::Normals, Step::Tangents, Step::Handedness].map(|step| way(recipe, step));
        let normals = self.normals(&[normal]);
        let tangents = self.tangents(&[tangent], &[hand], &[None, normal]);
        let is_as = |found: Option<Directions>, is_asked: bool| {
            found.map(|found| found.agrees).or(is_asked.then_some(false))
        };
        [is_as(normals, normal.is_some()), is_as(tangents, tangent.or(hand).is_some())]
    }

    /// Finds the way of the normals among these; `None` without normals.
    pub(super) fn normals(&self, ways: &[Way]) -> Option<Directions> {
        let mut apart = self.apart(&self.normals, ways.len(), |surface, theirs| {
            let theirs = self.placement.undo_direction(theirs);
            Some(ways.iter().map(|way| distance(surface.normal(*way), theirs)).collect())
        });
        let best = self.nearest(&apart);
        self.summary(ways.get(best).copied().flatten().into_iter().collect(), &apart.swap_remove(best))
    }

    /// Finds the way of the tangents and that of their handedness, beside normals of one of these ways; `None` without
    /// tangents.
    pub(super) fn tangents(&self, ways: &[Way], hands: &[Way], normals: &[Way]) -> Option<Directions> {
        let ways: Vec<(Way, Way)> =
            ways.iter().flat_map(|way| normals.iter().map(|normal| (*way, *normal))).collect();
        let mirror = self.placement.axes.determinant().signum();
        let mut apart = self.apart(&self.tangents, ways.len() + hands.len(), |surface, theirs| {
            let tangent = surface.tangent?;
            let direction = self.placement.undo_direction(theirs.truncate());
            let of = |(way, normal): &(Way, Way)| {
                distance(surface.tangent(tangent, *way, surface.normal(*normal)), direction)
            };
            let of_hand = |hand: &Way| {
                let ours = surface.handedness(tangent, *hand, mirror);
                distance(DVec3::X * ours, DVec3::X * theirs.w)
            };
            Some(ways.iter().map(of).chain(hands.iter().map(of_hand)).collect())
        });
        let by_hand = apart.split_off(ways.len());
        let (best, hand) = (self.nearest(&apart), self.nearest(&by_hand));
        let faults = [ways.get(best)?.0, *hands.get(hand)?].into_iter().flatten().collect();
        let both = apart.get(best)?.iter().zip(by_hand.get(hand)?).map(|(a, b)| a.hypot(*b));
        self.summary(faults, &both.collect::<Vec<f64>>())
    }

    /// Returns a list of distances for each of some ways; NaN where a given direction is not finite.
    fn apart<T: Copy + Sync>(
        &self,
        pairs: &[(u32, T)],
        ways: usize,
        of: impl Fn(&Surface, T) -> Option<Vec<f64>> + Sync,
    ) -> Vec<Vec<f64>> {
        let row = |scratch: &mut Scratch, (ours, theirs): &(u32, T)| {
            let moved = self.posed.moved(*ours as usize, scratch)?;
            let surface = self.posed.surface(*ours as usize, &moved, scratch)?;
            let steady = surface.steadiness();
            of(&surface, *theirs).map(|row| row.into_iter().map(|apart| apart * steady).collect())
        };
        let rows: Vec<Vec<f64>> =
            pairs.par_iter().with_min_len(512).map_init(Scratch::default, row).flatten().collect();
        (0..ways).map(|way| rows.iter().filter_map(|row| row.get(way).copied()).collect()).collect()
    }

    /// Returns the first way that is as near as the nearest: the share of wrong ones counts in steps, then the distance.
    fn nearest(&self, ways: &[Vec<f64>]) -> usize {
        let key = |apart: &Vec<f64>| {
            let finite = || apart.iter().filter(|apart| !apart.is_nan());
            let count = finite().count().max(1) as f64;
            let wrong = finite().filter(|apart| **apart > self.tolerance).count() as f64;
            ((wrong / count * 20.0).floor(), rms(finite()))
        };
        let keys: Vec<(f64, f64)> = ways.iter().map(key).collect();
        let fewest = keys.iter().map(|key| key.0).fold(f64::INFINITY, f64::min);
        let nearest =
            keys.iter().filter(|key| key.0 == fewest).map(|key| key.1).fold(f64::INFINITY, f64::min);
        let is_near = |(wrong, rms): &(f64, f64)| *wrong == fewest && *rms <= nearest * 1.6 + 1e-7;
        keys.iter().position(is_near).unwrap_or(0)
    }

    fn summary(&self, faults: Vec<Deviation>, apart: &[f64]) -> Option<Directions> {
        let of = apart.len();
        let finite = || apart.iter().filter(|apart| !apart.is_nan());
        let right = finite().filter(|apart| **apart <= self.tolerance).count();
        (of > 0).then(|| Directions {
            faults,
            max: finite().copied().fold(0.0, f64::max),
            rms: rms(finite()),
            agrees: right == of,
            right,
            of,
            not_finite: of - finite().count(),
        })
    }
}

fn rms<'a>(all: impl Iterator<Item = &'a f64>) -> f64 {
    let (sum, count) = all.fold((0.0, 0.0), |(sum, count), apart| (sum + apart * apart, count + 1.0));
    if count > 0.0 { (sum / count).sqrt() } else { 0.0 }
}

/// Returns the distance of a given direction from ours; NaN if theirs is not finite.
fn distance(ours: DVec3, theirs: DVec3) -> f64 {
    let apart = ours.distance(theirs);
    match (theirs.is_finite(), apart.is_finite()) {
        (false, _) => f64::NAN,
        (true, true) => apart.min(FAR),
        (true, false) => FAR,
    }
}

/// Returns the deviation of a recipe in a step.
pub(super) fn way(recipe: &Recipe, step: Step) -> Way {
    recipe.deviations.iter().copied().find(|one| one.step() == step)
}
