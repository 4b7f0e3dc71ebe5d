//! Finds the vertices that the new model has added: those that lie off the old surface.

use rayon::prelude::*;
use serde::Serialize;

use super::alignment::Alignment;
use super::field::Field;
use super::parts::Part;
use super::place::{Match, ROUNDING};
use super::relation::Relations;
use super::spot::Spot;
use sinew_model::Model;

/// Vertices of a new primitive that lie off the old surface in the bind pose.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Added {
    /// The new primitive.
    pub new: String,
    /// The number of such vertices.
    pub vertices: usize,
    /// The furthest one from the surface.
    pub vertex: u32,
    /// Its distance, in metres.
    pub bind_max_m: f64,
}

/// Returns the vertices that were added to each new part in which old ones were found.
pub fn all(
    new: &Model,
    [a, b]: [&[Part]; 2],
    relations: &Relations,
    matches: &[Vec<Match>],
    alignment: Alignment,
) -> Vec<Added> {
    let mut is_met: Vec<Vec<bool>> = b.iter().map(|_| Vec::new()).collect();
    for found in matches.iter().flatten() {
        let (Some(is_met), Some(part)) = (is_met.get_mut(found.part), b.get(found.part)) else { continue };
        is_met.resize(part.bind.positions.len(), false);
        if let Spot::Vertex(vertex) = found.spot
            && let Some(is_met) = is_met.get_mut(vertex as usize)
        {
            *is_met = true;
        }
    }
    let mut alignments = vec![Alignment::AS_STORED, alignment];
    alignments.dedup();
    let fields = alignments.into_iter().map(|alignment| (alignment, Field::new(a, alignment.space)));
    let fields: Vec<(Alignment, Field)> = fields.collect();
    let found = b.iter().enumerate().zip(is_met).filter(|(_, is_met)| !is_met.is_empty());
    let of_part = |((number, part), is_met): ((usize, &Part), Vec<bool>)| {
        let unmet = part.drawn.iter().copied().filter(|vertex| is_met.get(*vertex as usize) == Some(&false));
        let unmet: Vec<u32> = unmet.collect();
        let apart = |vertex: &u32| {
            let of_field = |(alignment, field): &(Alignment, Field)| {
                apart(relations, (number, part), *vertex, *alignment, field)
            };
            let apart_m = fields.iter().filter_map(of_field).reduce(f64::min);
            apart_m.filter(|apart_m| *apart_m > 0.0).map(|apart_m| (apart_m, *vertex))
        };
        let off: Vec<(f64, u32)> = unmet.par_iter().filter_map(apart).collect();
        let worst = off.iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
        let name = super::name(new, &part.found);
        Some(Added { new: name, vertices: off.len(), vertex: worst.1, bind_max_m: worst.0 })
    };
    found.filter_map(of_part).collect()
}

/// Returns the distance of a new vertex from the old surface, in metres. It is 0 within rounding and both files' grids, and
/// `None` without any surface.
fn apart(
    relations: &Relations,
    (number, part): (usize, &Part),
    vertex: u32,
    alignment: Alignment,
    old: &Field,
) -> Option<f64> {
    let to = alignment.new_from_old.undo(part.place(old.space, vertex)?);
    let is_allowed = |found: usize| relations.allow(found, number);
    if old.at(to).into_iter().any(|found| is_allowed(old.of_vertex(found).0)) {
        return Some(0.0);
    }
    let (_, _, apart) = old.on_surface(to, |found, _| is_allowed(found))?;
    let metres = part.metres(old.space) * alignment.new_from_old.scale;
    let of_new = part.step_m.map_or(0.0, |step| step / metres);
    let tolerance = ROUNDING * old.reach() + old.step() + of_new;
    Some(if apart <= tolerance { 0.0 } else { apart * metres })
}
