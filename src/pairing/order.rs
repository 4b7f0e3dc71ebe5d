//! Decides whether the vertices of two primitives belong together by their order.

use glam::DQuat;

use super::parts::{Part, Space};
use super::place::{Match, Matcher, ROUNDING};
use super::spot::Spot;

/// The matches by order, if all bind positions agree as they are stored, up to rounding.
pub fn as_stored(old: &Part, (partner, new): (usize, &Part)) -> Option<Vec<Match>> {
    if old.bind.positions.len() != new.bind.positions.len() {
        return None;
    }
    let reach = old
        .bind
        .positions
        .iter()
        .flatten()
        .filter(|at| at.is_finite())
        .fold(0.0, |reach: f64, at| reach.max(at.abs()));
    let one =
        |&vertex: &u32| {
            let (a, b) = (old.place(Space::Bind, vertex), new.place(Space::Bind, vertex));
            let apart = match (a, b) {
                (Some(a), Some(b)) => a.distance(b),
                // Lost in both.
                (None, None) => 0.0,
                _ => return None,
            };
            let apart_m = apart * old.metres(Space::Bind);
            let spot = Spot::Vertex(vertex);
            let turn = DQuat::IDENTITY;
            (apart <= ROUNDING * reach && face_alike((old, new), Space::Bind, turn, vertex))
                .then_some(Match { vertex, part: partner, spot, apart_m, by_weights: false })
        };
    old.drawn.iter().map(one).collect()
}

/// The matches by order, if that is what says most: where vertices that disagree are at no other vertex's place either,
/// they have been moved. `found` has the matches by place.
pub fn in_order(
    matcher: &Matcher,
    number: usize,
    partner: usize,
    found: &[Option<Match>],
) -> Option<Vec<Match>> {
    let (old, new) = (matcher.old.get(number)?, matcher.field.parts.get(partner)?);
    if old.bind.positions.len() != new.bind.positions.len() {
        return None;
    }
    let tolerance = matcher.tolerance(old);
    let (mut agree, mut elsewhere, mut moved) = (0_usize, 0_usize, 0_usize);
    let mut matches = Vec::with_capacity(old.drawn.len());
    for (&vertex, found) in old.drawn.iter().zip(found) {
        let (Some(a), Some(b)) = (matcher.place(old, vertex), new.place(matcher.field.space, vertex)) else {
            continue;
        };
        let apart = a.distance(b);
        let is_same = |found: &Match| found.part == partner && found.spot == Spot::Vertex(vertex);
        let turn = matcher.new_from_old.rotation;
        let is_alike = || face_alike((old, new), matcher.field.space, turn, vertex);
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
    holds.then_some(matches)
}

/// Returns whether the normals of a vertex are alike in both, as far as both have some: of vertices at one place, order must not
/// take another one than normals do.
fn face_alike((old, new): (&Part, &Part), space: Space, turn: DQuat, vertex: u32) -> bool {
    match (old.normal(space, vertex), new.normal(space, vertex)) {
        (Some(a), Some(b)) => (turn * a).dot(b) >= ALIKE,
        _ => true,
    }
}

/// The least cosine of normals that are alike.
const ALIKE: f64 = 0.9;

/// Returns whether indices name the vertices one after the other, which says nothing of their order.
fn is_trivial(indices: &[u32]) -> bool {
    indices.iter().zip(0_u32..).all(|(index, number)| *index == number)
}
