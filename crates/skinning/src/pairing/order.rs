//! Decides whether the vertices of two primitives correspond by their order.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::field::bits;
use super::parts::{Part, Space};
use super::place::{Match, Matcher, ROUNDING};
use super::spot::Spot;

/// Returns the matches by order, if all bind positions agree as stored, up to rounding. The matcher must compare positions
/// as stored.
pub fn as_stored(matcher: &Matcher, number: usize, partner: usize) -> Option<Vec<Match>> {
    let (old, new) = in_parallel(matcher, number, partner)?;
    let reach = old
        .bind
        .positions
        .iter()
        .flatten()
        .filter(|at| at.is_finite())
        .fold(0.0, |reach: f64, at| reach.max(at.abs()));
    let one = |&vertex: &u32| {
        let (a, b) = (old.place(Space::Bind, vertex), new.place(Space::Bind, vertex));
        let apart = match (a, b) {
            (Some(a), Some(b)) => a.distance(b),
            // Not finite in both.
            (None, None) => 0.0,
            _ => return None,
        };
        let apart_m = apart * old.metres(Space::Bind);
        let spot = Spot::Vertex(vertex);
        (apart <= ROUNDING * reach && matcher.face_alike((old, vertex), (new, vertex))).then_some(Match {
            vertex,
            part: partner,
            spot,
            apart_m,
            by_weights: false,
        })
    };
    let mut matches: Vec<Match> = old.drawn.iter().map(one).collect::<Option<_>>()?;
    exchange(matcher, (old, new), &mut matches);
    Some(matches)
}

/// Pairs two parts of as many vertices, if the new one draws all vertices that the old one draws; vertices that a part only
/// stores are no surface.
fn in_parallel<'a>(
    matcher: &Matcher<'a>,
    number: usize,
    partner: usize,
) -> Option<(&'a Part<'a>, &'a Part<'a>)> {
    let (old, new) = (matcher.old.get(number)?, matcher.field.parts.get(partner)?);
    let is_whole = old.bind.positions.len() == new.bind.positions.len();
    (is_whole && old.drawn.iter().all(|vertex| new.draws(*vertex))).then_some((old, new))
}

/// Returns the matches by order if they explain the most: vertices that disagree and are at no other vertex's position have
/// moved. `found` has the matches by position.
pub fn in_order(
    matcher: &Matcher,
    number: usize,
    partner: usize,
    found: &[Option<Match>],
) -> Option<Vec<Match>> {
    let (old, new) = in_parallel(matcher, number, partner)?;
    let tolerance = matcher.tolerance(old);
    let (mut agree, mut elsewhere, mut moved) = (0_usize, 0_usize, 0_usize);
    let mut matches = Vec::with_capacity(old.drawn.len());
    for (&vertex, found) in old.drawn.iter().zip(found) {
        let (Some(a), Some(b)) = (matcher.place(old, vertex), new.place(matcher.field.space, vertex)) else {
            continue;
        };
        let apart = a.distance(b);
        let is_same = |found: &Match| found.part == partner && found.spot == Spot::Vertex(vertex);
        let is_alike = || matcher.face_alike((old, vertex), (new, vertex));
        match found {
            _ if apart <= tolerance && (found.as_ref().is_none_or(is_same) || is_alike()) => agree += 1,
            Some(_) => elsewhere += 1,
            None => moved += 1,
        }
        let apart_m = matcher.metres(old, apart);
        matches.push(Match { vertex, part: partner, spot: Spot::Vertex(vertex), apart_m, by_weights: false });
    }
    let is_same_mesh = old.found.primitive.indices == new.found.primitive.indices
        && !is_trivial(&old.found.primitive.indices);
    let holds = match moved + elsewhere {
        0 => true,
        _ => elsewhere <= moved && (agree >= moved || is_same_mesh),
    };
    holds.then(|| {
        exchange(matcher, (old, new), &mut matches);
        matches
    })
}

/// The maximum number of vertices at one position to distinguish.
const MAX_SHARED: usize = 256;

/// Exchanges the partners of vertices that share a position in both models and only swapped their indices. A vertex that
/// resembles its partner by order keeps it, so that changed weights stay a difference even if another vertex has the old
/// ones.
fn exchange(matcher: &Matcher, (old, new): (&Part, &Part), matches: &mut [Match]) {
    let are_alike = |vertex: u32, other: u32| matcher.are_alike((old, vertex), (new, other));
    let doubtful = matches.par_iter().enumerate().filter(|(_, found)| !are_alike(found.vertex, found.vertex));
    let doubtful: Vec<(usize, u32)> = doubtful.map(|(at, found)| (at, found.vertex)).collect();
    let mut shared: BTreeMap<[[u64; 3]; 2], Vec<(usize, u32)>> = BTreeMap::new();
    for (at, vertex) in doubtful {
        let places = [matcher.place(old, vertex), new.place(matcher.field.space, vertex)];
        if let [Some(here), Some(there)] = places {
            shared.entry([bits(here), bits(there)]).or_default().push((at, vertex));
        }
    }
    for group in shared.into_values().filter(|group| (2..=MAX_SHARED).contains(&group.len())) {
        let mut free: Vec<u32> = group.iter().map(|(_, vertex)| *vertex).collect();
        let mut take = |passes: &dyn Fn(u32) -> bool| {
            let at = free.iter().position(|other| passes(*other))?;
            Some(free.remove(at))
        };
        let alike: Vec<Option<u32>> =
            group.iter().map(|(_, vertex)| take(&|other| are_alike(*vertex, other))).collect();
        for ((at, vertex), alike) in group.into_iter().zip(alike) {
            let other = alike.or_else(|| take(&|other| other == vertex)).or_else(|| take(&|_| true));
            let (Some(found), Some(other)) = (matches.get_mut(at), other) else { continue };
            found.by_weights =
                other != vertex && matcher.are_alike_without_weights((old, vertex), (new, vertex));
            found.spot = Spot::Vertex(other);
        }
    }
}

/// Returns true if indices list the vertices in sequence, and so give no information about their order.
fn is_trivial(indices: &[u32]) -> bool {
    indices.iter().zip(0_u32..).all(|(index, number)| *index == number)
}
