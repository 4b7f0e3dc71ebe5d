//! Finds the alignment of one model's bind pose with the other's: as stored, as a joint carries it, or by a similarity.

use glam::{DMat4, DVec3};

use super::field::Field;
use super::parts::{Part, Space};
use super::place::Matcher;
use super::relation::Relations;
use super::similarity::Similarity;

/// The number of vertices for judging alignments.
const SAMPLE: usize = 256;

/// The share of sampled vertices at a vertex of the new model that ends the search.
const SURE: f64 = 0.95;

/// The share of sampled vertices at a vertex of the new model for a similarity to count.
const LIKELY: f64 = 0.5;

/// The factor by which a similarity must bring vertices nearer to count without that share.
const NEARER: f64 = 4.0;

/// The space in which one model lies on the other, and the similarity between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alignment {
    /// The space.
    pub space: Space,
    /// From the old positions to the new ones.
    pub new_from_old: Similarity,
}

impl Alignment {
    /// Bind poses in the same place.
    pub const AS_STORED: Self = Self { space: Space::Bind, new_from_old: Similarity::IDENTITY };

    /// Returns the transform from the stored positions of an old part to those of a new one.
    pub fn stored_from_stored(&self, old: &Part, new: &Part) -> DMat4 {
        let Similarity { scale, rotation, shift } = self.new_from_old;
        let new_from_old = DMat4::from_scale_rotation_translation(DVec3::splat(scale), rotation, shift);
        let [of_old, of_new] = [old, new].map(|part| part.space_from_stored(self.space));
        of_new.inverse() * new_from_old * of_old
    }
}

/// Fit of an alignment.
#[derive(Clone, Copy, Debug)]
struct Score {
    /// The share of sampled vertices at a vertex of the new model.
    exact: f64,
    /// The median distance to the nearest, in metres of the old file.
    median_m: f64,
}

/// An alignment with its score.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    alignment: Alignment,
    score: Score,
}

/// Returns the alignment of the waiting old parts with the new model. `matcher` takes a space and a similarity.
pub fn align<'a>(
    old: &'a [Part<'a>],
    waiting: &[usize],
    relations: &Relations,
    fields: &'a [Field<'a>; 2],
    matcher: impl Fn(&'a Field<'a>, Similarity) -> Matcher<'a>,
) -> Alignment {
    let sample = sample(old, waiting);
    let try_out = |field: &'a Field<'a>, new_from_old: Similarity| {
        let score = score(&matcher(field, new_from_old), old, &sample);
        Candidate { alignment: Alignment { space: field.space, new_from_old }, score }
    };
    let mut best: Option<Candidate> = None;
    for field in fields {
        let found = try_out(field, Similarity::IDENTITY);
        if best.is_none_or(|best| found.score.exact > best.score.exact) {
            best = Some(found);
        }
        if found.score.exact >= SURE {
            break;
        }
    }
    let Some(as_it_is) = best.filter(|best| best.score.exact < SURE) else {
        return best.map_or(Alignment::AS_STORED, |best| best.alignment);
    };
    let mut chosen = as_it_is;
    for field in fields.iter().rev() {
        let partners = &relations.partners.of_first;
        let by_order = waiting.iter().filter_map(|number| by_order(old, *number, partners, field));
        let of_old = limits(old, field.space, |_| true);
        // Parts that only the new file has must not enlarge its box.
        let of_new = limits(field.parts, field.space, |part| relations.is_known(part));
        let boxes =
            [field.limits, of_new].into_iter().flat_map(|of_new| Similarity::of_boxes(of_old, of_new));
        for similarity in by_order.take(4).chain(boxes) {
            let found = try_out(field, similarity);
            let is_better = match found.score.exact.max(chosen.score.exact) >= LIKELY {
                true => found.score.exact > chosen.score.exact + 1e-9,
                false => found.score.median_m * NEARER < chosen.score.median_m,
            };
            if is_better {
                chosen = found;
            }
        }
        if chosen.score.exact >= SURE {
            break;
        }
    }
    chosen.alignment
}

/// Returns an even sample of the waiting parts' vertices.
fn sample(old: &[Part], waiting: &[usize]) -> Vec<(usize, u32)> {
    let parts = || waiting.iter().filter_map(|number| Some((*number, old.get(*number)?)));
    let count: usize = parts().map(|(_, part)| part.drawn.len()).sum();
    let step = count.div_ceil(SAMPLE).max(1);
    let all = parts().flat_map(|(number, part)| part.drawn.iter().map(move |vertex| (number, *vertex)));
    all.step_by(step).collect()
}

fn score(matcher: &Matcher, old: &[Part], sample: &[(usize, u32)]) -> Score {
    let apart = |&(number, vertex): &(usize, u32)| {
        let part = old.get(number)?;
        let to = matcher.place(part, vertex)?;
        let is_allowed = |found: u32| matcher.relations.allow(number, matcher.field.of_vertex(found).0);
        if matcher.same(to).into_iter().any(is_allowed) {
            return Some((true, 0.0));
        }
        let (_, apart) = matcher.field.nearest(to, f64::INFINITY, is_allowed)?;
        Some((apart <= matcher.tolerance(part), matcher.metres(part, apart)))
    };
    let found: Vec<(bool, f64)> = sample.iter().filter_map(apart).collect();
    let exact = found.iter().filter(|(is_exact, _)| *is_exact).count() as f64 / sample.len().max(1) as f64;
    let mut apart: Vec<f64> = found.into_iter().map(|(_, apart)| apart).collect();
    apart.sort_by(f64::total_cmp);
    Score { exact, median_m: apart.get(apart.len() / 2).copied().unwrap_or(f64::INFINITY) }
}

/// Returns the similarity between a part and its partner of as many vertices, by their order.
fn by_order(old: &[Part], number: usize, partners: &[Option<usize>], field: &Field) -> Option<Similarity> {
    let part = old.get(number)?;
    let partner = field.parts.get((*partners.get(number)?)?)?;
    if part.bind.positions.len() != partner.bind.positions.len() {
        return None;
    }
    let step = part.drawn.len().div_ceil(16 * SAMPLE).max(1);
    let places =
        part.drawn.iter().step_by(step).filter_map(|vertex| {
            Some((part.place(field.space, *vertex)?, partner.place(field.space, *vertex)?))
        });
    Similarity::fit(&places.collect::<Vec<_>>())
}

/// Returns the corners of the box around all drawn vertices of some parts.
fn limits(parts: &[Part], space: Space, counts: impl Fn(usize) -> bool) -> [DVec3; 2] {
    let parts = parts.iter().enumerate().filter(|(number, _)| counts(*number));
    let places =
        parts.flat_map(|(_, part)| part.drawn.iter().filter_map(move |vertex| part.place(space, *vertex)));
    places
        .fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[low, high], place| [low.min(place), high.max(place)])
}
