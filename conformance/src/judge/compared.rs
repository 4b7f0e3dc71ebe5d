//! Compares the vertices of a case with the expected ones.

use sinew_analysis::vertices::{Given, Stored};
use sinew_model::Model;
use sinew_skinning::SkinningMode;

use super::matched::Theirs;
use super::words::named;
use super::{Outcome, Row, Stream, texcoords};
use crate::expected::{choice, surface};
use crate::matrix::distance;
use crate::{Case, Tolerance};

/// The stream of a moment that uses most of its tolerance.
struct Worst {
    stream: Stream,
    /// The index of the moment.
    moment: usize,
    distance: f64,
    tolerance: f64,
}

impl Worst {
    /// Returns the share of the tolerance; infinite if a number is not finite.
    fn share(&self) -> f64 {
        let share = if self.distance == 0.0 { 0.0 } else { self.distance / self.tolerance };
        if share.is_nan() { f64::INFINITY } else { share }
    }
}

/// Fills in a row.
pub(super) fn compared(
    case: &Case,
    model: &Model,
    mode: SkinningMode,
    (tolerance, moments): (&Tolerance, &[Given]),
    is_named: bool,
    mut row: Row,
) -> Row {
    let uvs = texcoords(model);
    let mut worst: Option<Worst> = None;
    for (moment, (given, &time)) in moments.iter().zip(&case.times).enumerate() {
        let theirs = Theirs::of(given);
        let pairs = match theirs.pairs(&uvs) {
            Ok(pairs) => pairs,
            Err(reason) => {
                return Row { outcome: Outcome::Deviates, words: Some(reason), ..row };
            }
        };
        let ours = surface(model, mode, &choice(case, time));
        let [p, n] =
            [&ours.positions, &ours.normals].map(|all| all.iter().map(|v| v.to_array()).collect::<Vec<_>>());
        let t: Vec<[f64; 4]> = ours.tangents.iter().map(|t| t.to_array()).collect();
        let of_text = text_rounding(given.stored);
        let found = [
            (Stream::Positions, Some(tolerance.positions), farthest(&pairs, &p, Some(&theirs.positions))),
            (Stream::Normals, tolerance.normals, farthest(&pairs, &n, theirs.normals.as_deref())),
            (Stream::Tangents, tolerance.tangents, farthest(&pairs, &t, theirs.tangents.as_deref())),
        ];
        for (stream, tolerance, distance) in found {
            let (Some(tolerance), Some(distance)) = (tolerance, distance) else { continue };
            if !row.streams.contains(&stream) {
                row.streams.push(stream);
            }
            let next = Worst { stream, moment, distance, tolerance: tolerance + of_text };
            // A position beyond its tolerance says more than a direction.
            let rank = |one: &Worst| (one.stream == Stream::Positions && one.share() > 1.0, one.share());
            let is_worse = worst.as_ref().is_none_or(|worst| rank(&next) > rank(worst));
            worst = if is_worse { Some(next) } else { worst };
        }
    }
    let Some(worst) = worst else { return row };
    row.worst = Some(worst.stream);
    row.distance = Some(worst.distance).filter(|distance| distance.is_finite());
    row.tolerance = Some(worst.tolerance);
    row.time = case.times.get(worst.moment).copied();
    if worst.share() > 1.0 {
        row.outcome = Outcome::Deviates;
        if let (true, Some(given), Some(time)) = (is_named, moments.get(worst.moment), row.time) {
            let (words, answer) = named(model, mode, given, &choice(case, time), worst.stream);
            row.words = Some(words);
            row.answer = answer.map(Box::new);
        }
    }
    row
}

/// Returns the distance that numbers as text add: half a unit of the last place on each axis.
fn text_rounding(stored: Stored) -> f64 {
    match stored {
        Stored::Decimals(step) => 3.0_f64.sqrt() * step / 2.0,
        Stored::F16 | Stored::F32 | Stored::F64 => 0.0,
    }
}

/// Returns the largest distance of pairs, NaN if a given number is; `None` without the stream on either side.
fn farthest<const N: usize>(
    pairs: &[(usize, usize)],
    ours: &[[f64; N]],
    theirs: Option<&[[f64; N]]>,
) -> Option<f64> {
    let mut most = None;
    for (a, b) in pairs {
        let (Some(ours), Some(theirs)) = (ours.get(*a), theirs?.get(*b)) else { continue };
        // A primitive without the stream.
        if ours.iter().all(|x| x.is_nan()) {
            continue;
        }
        let apart = distance(*ours, *theirs);
        let is_more = most.is_none_or(|most: f64| apart.is_nan() || apart > most);
        most = if is_more { Some(apart) } else { most };
        if apart.is_nan() {
            break;
        }
    }
    most
}
