//! Finds vertices of one model on another by their positions in the bind pose. Normals, texture coordinates, morph targets
//! and weights distinguish those that share a position. A vertex without a partner gets the nearest point of the surface.

use std::collections::BTreeMap;

use glam::DVec3;
use rayon::prelude::*;

use super::field::Field;
use super::influences::{Influence, distance};
use super::joints::{SharedJoints, row};
use super::parts::Part;
use super::relation::Relations;
use super::similarity::Similarity;
use super::spot::Spot;
use sinew_model::Model;

/// Tolerance between positions of the same vertex in both models, as a share of the largest coordinate: the rounding of
/// `f32` in a few transforms.
pub const ROUNDING: f64 = 4e-6;

/// Normals tie if the difference of their cosines to the old one is smaller.
const SAME_NORMAL: f64 = 0.02;

/// The minimum cosine of similar normals.
const ALIKE: f64 = 0.9;

/// Texture coordinates tie if the difference of their distances from the old ones is smaller. Rounding to 12 bits is below
/// this.
const SAME_TEXCOORD: f64 = 1e-3;

/// Weights differ if the sum of |Δw| is larger. Rounding to 8 bits is below this.
const SAME_WEIGHTS: f64 = 0.02;

/// An old vertex's match on the new model.
#[derive(Clone, Copy, Debug)]
pub struct Match {
    /// The old vertex.
    pub vertex: u32,
    /// The index of the new part.
    pub part: usize,
    /// The place in that part.
    pub spot: Spot,
    /// The distance between both in the bind pose, in metres.
    pub apart_m: f64,
    /// True if weights alone distinguished it from other vertices.
    pub by_weights: bool,
}

/// A part and the index of a vertex in it.
pub type AtVertex<'a> = (&'a Part<'a>, u32);

/// Two models, and the alignment of their bind poses.
pub struct Matcher<'a> {
    /// The models, old and new.
    pub models: [&'a Model; 2],
    /// The old parts.
    pub old: &'a [Part<'a>],
    /// The new parts.
    pub field: &'a Field<'a>,
    /// Relations between the parts.
    pub relations: &'a Relations,
    /// The joints of both models.
    pub joints: &'a SharedJoints<'a>,
    /// From the old positions to the new ones.
    pub new_from_old: Similarity,
}

impl Matcher<'_> {
    /// Returns the maximum distance of the same vertex from its position in the new space: rounding, and both files' grids.
    pub fn tolerance(&self, old: &Part) -> f64 {
        let scale = self.new_from_old.scale;
        let of_old = old.step_m.map_or(0.0, |step| step / old.metres(self.field.space)) * scale;
        ROUNDING * self.field.reach() + self.field.step() + of_old
    }

    /// Returns a vertex's position in the new space.
    pub fn place(&self, old: &Part, vertex: u32) -> Option<DVec3> {
        old.place(self.field.space, vertex).map(|place| self.new_from_old.apply(place))
    }

    /// Converts a distance of the new space to metres of the old file.
    pub fn metres(&self, old: &Part, apart: f64) -> f64 {
        apart / self.new_from_old.scale * old.metres(self.field.space)
    }

    /// Returns the vertices at a position, to the bit, if the models differ by no similarity.
    pub fn same(&self, place: DVec3) -> Vec<u32> {
        match self.new_from_old == Similarity::IDENTITY {
            true => self.field.at(place),
            false => Vec::new(),
        }
    }

    /// Returns the matches of a part's drawn vertices with vertices at the same position; `None` for those without one.
    pub fn vertices(&self, number: usize) -> Vec<Option<Match>> {
        let Some(old) = self.old.get(number) else { return Vec::new() };
        let tolerance = self.tolerance(old);
        old.drawn.par_iter().map(|vertex| self.vertex(number, old, *vertex, tolerance)).collect()
    }

    fn vertex(&self, number: usize, old: &Part, vertex: u32, tolerance: f64) -> Option<Match> {
        let to = self.place(old, vertex)?;
        let is_allowed = |found: u32| self.relations.allow(number, self.field.of_vertex(found).0);
        let mut found = self.same(to);
        found.retain(|found| is_allowed(*found));
        if found.is_empty() {
            let (_, nearest) = self.field.nearest(to, tolerance, is_allowed)?;
            self.field.within(to, nearest + ROUNDING * self.field.reach(), &mut found);
            found.retain(|found| is_allowed(*found));
        }
        let (chosen, by_weights) = self.choose(number, (old, vertex), found)?;
        let (part, spot) = self.field.of_vertex(chosen);
        let apart = self.field.parts.get(part)?.place(self.field.space, spot)?.distance(to);
        Some(Match { vertex, part, spot: Spot::Vertex(spot), apart_m: self.metres(old, apart), by_weights })
    }

    /// Chooses one of the vertices at a position. Also returns true if weights alone decided.
    fn choose(&self, number: usize, (old, vertex): (&Part, u32), mut found: Vec<u32>) -> Option<(u32, bool)> {
        let field = self.field;
        if found.len() > 1 {
            keep_least(&mut found, 0.0, |found| {
                f64::from(self.relations.rank(number, field.of_vertex(found).0))
            });
        }
        let cost = |found: u32, apart: fn(&Self, AtVertex, AtVertex) -> f64| {
            let (part, other) = field.of_vertex(found);
            field.parts.get(part).map_or(0.0, |part| apart(self, (old, vertex), (part, other)))
        };
        if found.len() > 1 {
            keep_least(&mut found, SAME_NORMAL, |found| cost(found, Self::normals_apart));
            keep_least(&mut found, SAME_TEXCOORD, |found| cost(found, Self::texcoords_apart));
            keep_least(&mut found, self.tolerance(old), |found| cost(found, Self::morphs_apart));
        }
        let mut by_weights = false;
        if found.len() > 1 {
            let own = self.weights(0, old, vertex);
            let apart = |found: &u32| {
                let (part, vertex) = field.of_vertex(*found);
                let other = field.parts.get(part).map(|part| self.weights(1, part, vertex));
                other.map_or(0.0, |other| distance(&own, &other))
            };
            let each: Vec<f64> = found.iter().map(apart).collect();
            let least = each.iter().copied().fold(f64::INFINITY, f64::min);
            by_weights = each.iter().any(|apart| *apart > least + SAME_WEIGHTS);
            let mut each = each.into_iter();
            found.retain(|_| each.next().is_none_or(|apart| apart <= least + 1e-9));
            // If nothing else distinguishes them, the nearest counts.
            keep_least(&mut found, 0.0, |found| cost(found, Self::normals_apart));
            keep_least(&mut found, 0.0, |found| cost(found, Self::texcoords_apart));
        }
        let of_partner = |found: &&u32| self.relations.is_partner(number, field.of_vertex(**found).0);
        found.iter().find(of_partner).or(found.first()).map(|chosen| (*chosen, by_weights))
    }

    /// Returns true if the normals of two vertices are similar, or one has none. Among vertices at one position, order must
    /// not choose another one than normals do.
    pub fn face_alike(&self, old: AtVertex, new: AtVertex) -> bool {
        self.normals_apart(old, new) <= 1.0 - ALIKE
    }

    /// Returns true if two vertices agree in everything that distinguishes vertices at one position.
    pub fn are_alike(&self, old: AtVertex, new: AtVertex) -> bool {
        let weights = || [self.weights(0, old.0, old.1), self.weights(1, new.0, new.1)];
        self.are_alike_without_weights(old, new) && {
            let [a, b] = weights();
            distance(&a, &b) <= SAME_WEIGHTS
        }
    }

    /// Returns true if two vertices agree in normals, texture coordinates and morph targets.
    pub fn are_alike_without_weights(&self, old: AtVertex, new: AtVertex) -> bool {
        self.face_alike(old, new)
            && self.texcoords_apart(old, new) <= SAME_TEXCOORD
            && self.morphs_apart(old, new) <= self.tolerance(old.0)
    }

    /// Returns one less the cosine between two normals; 0 if one lacks them.
    fn normals_apart(&self, (old, vertex): AtVertex, (new, other): AtVertex) -> f64 {
        let space = self.field.space;
        let normals = old.normal(space, vertex).zip(new.normal(space, other));
        normals.map_or(0.0, |(a, b)| 1.0 - (self.new_from_old.rotation * a).dot(b))
    }

    /// Returns the largest distance between two vertices' texture coordinates, over the sets that both have.
    fn texcoords_apart(&self, (old, vertex): AtVertex, (new, other): AtVertex) -> f64 {
        let sets = old.found.primitive.texcoords.iter().zip(&new.found.primitive.texcoords);
        let apart = |(a, b): (&Vec<[f32; 2]>, &Vec<[f32; 2]>)| {
            let (a, b) = (a.get(vertex as usize)?, b.get(other as usize)?);
            Some(f64::from(a[0] - b[0]).hypot(f64::from(a[1] - b[1])))
        };
        sets.filter_map(apart).fold(0.0, f64::max)
    }

    /// Returns the largest distance between two vertices' offsets in the same morph target; 0 if one of their primitives has
    /// no targets.
    fn morphs_apart(&self, (old, vertex): AtVertex, (new, other): AtVertex) -> f64 {
        if [old, new].iter().any(|part| part.found.primitive.morphs.is_none()) {
            return 0.0;
        }
        let Similarity { scale, rotation, .. } = self.new_from_old;
        let mut apart: BTreeMap<u32, DVec3> = BTreeMap::new();
        for (target, delta) in old.morphs(self.field.space, vertex) {
            *apart.entry(target).or_default() += rotation * delta * scale;
        }
        for (target, delta) in new.morphs(self.field.space, other) {
            *apart.entry(target).or_default() -= delta;
        }
        apart.into_values().map(DVec3::length).filter(|apart| apart.is_finite()).fold(0.0, f64::max)
    }

    fn weights(&self, side: usize, part: &Part, vertex: u32) -> Vec<Influence> {
        let mut weights = Vec::new();
        let (model, of_node) = (self.models[side], &self.joints.of_node[side]);
        row(model, of_node, part.skin, (part.found.primitive, vertex as usize), &mut weights);
        weights
    }

    /// Matches the drawn vertices without a match to the nearest point of the surface, on a side that faces the same way.
    pub fn on_surface(&self, number: usize, matches: &mut [Option<Match>]) {
        let Some(old) = self.old.get(number) else { return };
        let size = self.field.size();
        matches.par_iter_mut().zip(&old.drawn).filter(|(found, _)| found.is_none()).for_each(
            |(found, vertex)| {
                *found = self.surface(number, old, *vertex, size);
            },
        );
    }

    fn surface(&self, number: usize, old: &Part, vertex: u32, size: f64) -> Option<Match> {
        let field = self.field;
        let to = self.place(old, vertex)?;
        let normal = old.normal(field.space, vertex).map(|normal| self.new_from_old.rotation * normal);
        let faces = |part: usize, corners: [u32; 3]| {
            let (Some(normal), Some(part)) = (normal, field.parts.get(part)) else { return true };
            let other = corners.iter().filter_map(|corner| part.normal(field.space, *corner));
            other.sum::<DVec3>().dot(normal) >= 0.0
        };
        let is_allowed = |part: usize| self.relations.allow(number, part);
        let facing = field.on_surface(to, |part, corners| is_allowed(part) && faces(part, corners));
        // If nothing near faces the same way, normals have changed.
        let found = match facing {
            Some(facing) if facing.2 <= FACING * size => Some(facing),
            facing => {
                let any = field.on_surface(to, |part, _| is_allowed(part));
                any.filter(|any| facing.is_none_or(|facing| facing.2 > 4.0 * any.2)).or(facing)
            }
        };
        let (part, point, apart) = found?;
        let apart_m = self.metres(old, apart);
        Some(Match { vertex, part, spot: Spot::Point(point), apart_m, by_weights: false })
    }
}

/// The maximum distance, as a share of the size, of a point that faces the same way.
const FACING: f64 = 0.005;

/// Keeps the vertices of the least cost, and those with a cost higher by at most `slack`.
fn keep_least(found: &mut Vec<u32>, slack: f64, cost: impl Fn(u32) -> f64) {
    let costs: Vec<f64> = found.iter().map(|found| cost(*found)).collect();
    let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
    let mut costs = costs.into_iter();
    found.retain(|_| costs.next().is_none_or(|cost| cost <= least + slack));
}
