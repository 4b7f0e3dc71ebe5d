//! Finds each drawn vertex of one model on another: as the same vertex, or as a point of the surface of the parts of the
//! same name. It also carries one model's motion over to the other. It must not depend on the use of the result.

mod added;
mod alignment;
mod field;
mod grid;
pub mod influences;
pub mod joints;
mod motion;
mod names;
mod nearest;
mod order;
mod partners;
mod parts;
mod place;
mod relation;
mod rest;
mod similarity;
mod spot;
mod surface;
mod weights;

pub use added::Added;
pub use grid::Grid;
pub use motion::{ClipPairs, clip_name, find_clip, no_clip};
pub use nearest::Tree;
pub use partners::{By, Found, Partners};
pub use rest::{AtRest, at_rest};
pub use similarity::Similarity;
pub use spot::{Pair, Spot};
pub use surface::{SurfacePoint, SurfaceTree};
pub use weights::weights_apart;

use std::collections::BTreeMap;

use crate::posed::SkinnedPrimitive;
use glam::DVec3;
use serde::Serialize;
use sinew_model::{Model, PrimitiveName};

use alignment::{Alignment, align};
use field::Field;
use joints::SharedJoints;
use order::in_order;
use parts::{Part, Space};
use place::{Match, Matcher};
use relation::Relations;

/// The way in which the vertices of two primitives correspond.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum How {
    /// By their order: both have as many vertices, at the same positions in the bind pose.
    Order,
    /// By the same position in the bind pose.
    Place,
    /// Mostly by the nearest point of the other's surface in the bind pose.
    Surface,
}

/// Two corresponding primitives, with a measure of confidence.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairName {
    /// The old primitive's name.
    pub old: String,
    /// The new primitive's name.
    pub new: String,
    /// The way in which their vertices correspond.
    pub how: How,
    /// The number of corresponding vertices.
    pub vertices: usize,
    /// The number of them that match no vertex of the new primitive, but a point of its surface.
    pub on_surface: usize,
    /// The number of them that only weights distinguish from others at the same position.
    pub by_weights: usize,
    /// The largest distance between matches in the bind pose, in metres of the old file.
    pub bind_max_m: f64,
    /// The 99th percentile of these distances.
    pub bind_p99_m: f64,
}

/// All correspondences of two models.
#[derive(Clone, Debug, Default)]
pub struct Pairing {
    /// The pairs; a primitive appears once for each primitive that its vertices went to.
    pub pairs: Vec<Pair>,
    /// The pairs by name.
    pub names: Vec<PairName>,
    /// Primitives that only one of the models has.
    pub alone: [Vec<String>; 2],
    /// Vertices of the new model's other primitives that lie off the old surface.
    pub added: Vec<Added>,
    /// The grids on which each file stores its values.
    pub grids: [Grid; 2],
}

impl Pairing {
    /// Pairs the vertices of two models. The search covers primitives of one node, of one mesh, or of names that only one
    /// model has together, so that they may be split, merged and reordered.
    pub fn new(old: &Model, new: &Model) -> Self {
        let models = [old, new];
        let joints = SharedJoints::new(models);
        let [a, b] = [0, 1].map(|side: usize| Part::all(models[side], &joints.in_both(side)));
        let [found, others] = [&a, &b].map(|parts| parts.iter().map(|part| part.found).collect::<Vec<_>>());
        let relations = Relations::new(&found, &others);
        let matches = matches(models, [&a, &b], &relations, &joints);
        let added = added::all(models[1], [&a, &b], &relations, &matches.of_old, matches.alignment);
        Self { added, ..Self::of(models, [&a, &b], matches) }
    }

    /// Makes the pairs of each old part's matches.
    fn of(models: [&Model; 2], [a, b]: [&[Part]; 2], matches: Matches) -> Self {
        let mut pairing = Self { grids: [a, b].map(Grid::of), ..Self::default() };
        let mut is_found = vec![false; b.len()];
        let Matches { of_old, is_as_stored, alignment } = matches;
        let alignments = is_as_stored
            .into_iter()
            .map(|is_as_stored| if is_as_stored { Alignment::AS_STORED } else { alignment });
        for (((number, part), matches), alignment) in a.iter().enumerate().zip(of_old).zip(alignments) {
            if matches.is_empty() {
                pairing.alone[0].push(name(models[0], &part.found));
            }
            let mut of_part: BTreeMap<usize, Vec<Match>> = BTreeMap::new();
            for found in matches {
                of_part.entry(found.part).or_default().push(found);
            }
            for (new, matches) in of_part {
                let Some(other) = b.get(new) else { continue };
                if let Some(found) = is_found.get_mut(new) {
                    *found = true;
                }
                let names = [name(models[0], &part.found), name(models[1], &other.found)];
                pairing.names.push(sure(names, (part, other), &matches));
                let size = part.size_m().max(f64::MIN_POSITIVE);
                let apart = matches.iter().map(|found| (found.apart_m / size) as f32).collect();
                let spots = matches.into_iter().map(|found| (found.vertex, found.spot)).collect();
                let new_from_old = alignment.stored_from_stored(part, other);
                pairing.pairs.push(Pair { old: number, new, spots, apart, new_from_old });
            }
        }
        let alone = b.iter().zip(is_found).filter(|(_, is_found)| !is_found);
        pairing.alone[1] = alone.map(|(part, _)| name(models[1], &part.found)).collect();
        pairing
    }

    /// Returns the distance of each vertex of the old model from its match on the new one, in metres, for each of the old
    /// primitives; vertices without a match are at 0.
    pub fn distances(&self, old: &[SkinnedPrimitive<f64>], new: &[SkinnedPrimitive<f64>]) -> Vec<Vec<f64>> {
        let mut metres: Vec<Vec<f64>> = old.iter().map(|old| vec![0.0; old.positions.len()]).collect();
        for pair in &self.pairs {
            let (Some(old), Some(new)) = (old.get(pair.old), new.get(pair.new)) else { continue };
            let Some(metres) = metres.get_mut(pair.old) else { continue };
            for &(vertex, spot) in &pair.spots {
                let vertex = vertex as usize;
                let (Some(position), Some(place)) = (old.positions.get(vertex), spot.on(&new.positions))
                else {
                    continue;
                };
                if let Some(metres) = metres.get_mut(vertex) {
                    *metres = DVec3::from_array(*position).distance(place);
                }
            }
        }
        metres
    }

    /// Keeps only the primitives whose vertices correspond by order, and forgets what either model lacks.
    pub fn keep_to_order(&mut self) {
        let mut are_in_order = self.names.iter().map(|pair| pair.how == How::Order);
        self.pairs.retain(|_| are_in_order.next().unwrap_or(false));
        self.names.retain(|pair| pair.how == How::Order);
        (self.alone, self.added) = Default::default();
    }

    /// Returns the number of vertices with a partner.
    pub fn count(&self) -> usize {
        self.pairs.iter().map(|pair| pair.spots.len()).sum()
    }
}

/// Matches of two models' vertices.
struct Matches {
    /// The matches of each old part's drawn vertices; empty for a part that the new model lacks.
    of_old: Vec<Vec<Match>>,
    /// True for each old part with vertices at the positions that the new model stores.
    is_as_stored: Vec<bool>,
    /// The alignment of the other parts with the new model.
    alignment: Alignment,
}

/// Matches the drawn vertices of all old parts.
fn matches(
    models: [&Model; 2],
    [a, b]: [&[Part]; 2],
    relations: &Relations,
    joints: &SharedJoints,
) -> Matches {
    let partners = &relations.partners.of_first;
    let fields = [Space::Bind, Space::Standing].map(|space| Field::new(b, space));
    let matcher = |field, new_from_old| Matcher { models, old: a, field, relations, joints, new_from_old };
    let as_stored = matcher(&fields[0], Similarity::IDENTITY);
    let mut matches: Vec<Vec<Match>> = vec![Vec::new(); a.len()];
    let (mut is_as_stored, mut waiting) = (vec![false; a.len()], Vec::new());
    for ((number, found), is_as_stored) in matches.iter_mut().enumerate().zip(&mut is_as_stored) {
        let partner = partners.get(number).copied().flatten();
        match partner.and_then(|partner| order::as_stored(&as_stored, number, partner)) {
            Some(matches) => (*found, *is_as_stored) = (matches, true),
            None => waiting.push(number),
        }
    }
    if waiting.is_empty() || b.is_empty() {
        return Matches { of_old: matches, is_as_stored, alignment: Alignment::AS_STORED };
    }
    let alignment = align(a, &waiting, relations, &fields, matcher);
    let [bind, standing] = &fields;
    let matcher =
        matcher(if alignment.space == Space::Bind { bind } else { standing }, alignment.new_from_old);
    for number in waiting {
        let partner = partners.get(number).copied().flatten();
        let mut found = matcher.vertices(number);
        let by_order = partner.and_then(|partner| in_order(&matcher, number, partner, &found));
        matches[number] = by_order.unwrap_or_else(|| {
            matcher.on_surface(number, &mut found);
            let found: Vec<Match> = found.into_iter().flatten().collect();
            let is_lone = a.len() == 1 && b.len() == 1;
            match relations.is_named(number) || is_lone || is_near(&found, &matcher, number) {
                true => found,
                false => Vec::new(),
            }
        });
    }
    Matches { of_old: matches, is_as_stored, alignment }
}

/// The distance, as a share of the size, within which half of a part's vertices must lie for a match if the new model lacks
/// its name.
const NEAR: f64 = 0.02;

fn is_near(found: &[Match], matcher: &Matcher, number: usize) -> bool {
    let Some(part) = matcher.old.get(number) else { return false };
    let most = NEAR * matcher.metres(part, matcher.field.size());
    2 * found.iter().filter(|found| found.apart_m <= most).count() >= part.drawn.len().max(1)
}

/// Summarises the matches of two parts.
fn sure([old, new]: [String; 2], (part, other): (&Part, &Part), matches: &[Match]) -> PairName {
    let on_surface = matches.iter().filter(|found| matches!(found.spot, Spot::Point(_))).count();
    let in_order = |found: &Match| found.spot == Spot::Vertex(found.vertex);
    let is_whole = part.bind.positions.len() == other.bind.positions.len();
    let how = match () {
        () if is_whole && matches.len() == part.drawn.len() && matches.iter().all(in_order) => How::Order,
        () if 2 * on_surface > matches.len() => How::Surface,
        () => How::Place,
    };
    let mut apart: Vec<f64> = matches.iter().map(|found| found.apart_m).collect();
    apart.sort_by(f64::total_cmp);
    let rank = (apart.len().saturating_mul(99)).div_ceil(100).saturating_sub(1);
    PairName {
        old,
        new,
        how,
        vertices: matches.len(),
        on_surface,
        by_weights: matches.iter().filter(|found| found.by_weights).count(),
        bind_max_m: apart.last().copied().unwrap_or(0.0),
        bind_p99_m: apart.get(rank).copied().unwrap_or(0.0),
    }
}

fn name(model: &Model, found: &Found) -> String {
    PrimitiveName::of(model, found.instance, found.number).to_string()
}
