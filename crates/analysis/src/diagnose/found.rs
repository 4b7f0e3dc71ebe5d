//! An examination's result, and the bench on which its recipes were measured.

use glam::DVec3;

use super::answer::Question;
use super::matching::Matching;
use super::moment::Moment;
use super::search::{Bench, Ranked};
use super::subject::Subject;
use crate::vertices::{Given, Stored};

/// The tolerance, as a share of the size, that arithmetic in single precision needs.
const SINGLE: f64 = 5e-6;

/// An examination of one matching at one moment.
pub(super) struct Found {
    pub(super) matching: Matching,
    pub(super) moment: Moment,
    pub(super) ranked: Vec<Ranked>,
}

/// Returns the finite pairs of a matching, with positions.
pub(super) fn positions(matching: &Matching, all: &[DVec3]) -> Vec<(u32, DVec3)> {
    let of = |(ours, theirs): &(u32, u32)| Some((*ours, *all.get(*theirs as usize)?));
    matching.pairs.iter().filter_map(of).filter(|(_, at)| at.is_finite()).collect()
}

/// Returns the rounding of given numbers in our metres: half the distance of neighbours at the largest.
fn rounding(given: &Given, pairs: &[(u32, DVec3)], scale: f64) -> f64 {
    let largest = pairs.iter().map(|(_, at)| at.abs().max_element()).fold(0.0, f64::max);
    match given.stored {
        Stored::F16 => largest * 2.0_f64.powi(-11) / scale,
        Stored::F32 => largest * 2.0_f64.powi(-24) / scale,
        Stored::F64 => largest * 2.0_f64.powi(-53) / scale,
        Stored::Decimals(step) => step / 2.0 / scale,
    }
}

/// Returns the bench for a moment and pairs.
pub(super) fn bench<'a>(
    question: &Question,
    subject: &'a Subject<'a>,
    moment: &'a Moment,
    pairs: &'a [(u32, DVec3)],
    size: f64,
) -> Bench<'a> {
    let placement = moment.placement;
    let rounding = rounding(question.given, pairs, placement.scale) / size;
    let reach = pairs.iter().map(|(_, at)| placement.undo(*at).length()).fold(0.0, f64::max) / size;
    let tolerance = (10.0 * rounding).max(SINGLE * reach.max(1.0));
    let floor = (3.0 * rounding).max(1e-12 * reach.max(1.0));
    Bench { subject, choice: &moment.choice, placement, pairs, size, tolerance, floor }
}
