//! The skinned primitives and vertices that two models share.

use std::collections::{HashMap, HashSet};

use super::surface::skinned;
use sinew_model::{Instance, Model, Primitive};
use sinew_skinning::pairing::{Found, How, Pairing, Spot};

/// The largest distance between matched vertices, as a share of the primitive's size.
const MAX_APART: f32 = 0.02;

/// Two corresponding primitives.
#[derive(Clone, Debug)]
pub struct Pair<'a> {
    /// The primitive of each model.
    pub found: [Found<'a>; 2],
    /// The method that matched their vertices.
    pub how: How,
    /// Vertices of the first, each with that of the second.
    pub partners: Vec<(u32, u32)>,
    /// The number of vertices of the first without any partner, counted only at the first of its pairs.
    pub unmatched: usize,
}

/// The correspondences of two models.
#[derive(Clone, Debug, Default)]
pub struct Matching<'a> {
    /// Primitives of both.
    pub pairs: Vec<Pair<'a>>,
    /// Primitives of one alone.
    pub alone: [Vec<Found<'a>>; 2],
}

impl<'a> Matching<'a> {
    /// Matches the primitives that skins move, each mesh once, in the same way as pictures and figures of two files. The
    /// nearest corner replaces a vertex on the surface of the other model.
    pub fn new(models: [&'a Model; 2]) -> Self {
        let pairing = Pairing::new(models[0], models[1]);
        let all = models.map(Found::all);
        let own = models.map(moved);
        let is_old: HashSet<_> = own[0].iter().map(place).collect();
        let mut pairs: Vec<Pair> = Vec::new();
        let mut left: HashMap<(usize, usize), usize> = HashMap::new();
        for (pair, name) in pairing.pairs.iter().zip(&pairing.names) {
            let (Some(old), Some(new)) = (all[0].get(pair.old), all[1].get(pair.new)) else { continue };
            // A mesh that is drawn again with its skin is not another one in the new model.
            if !is_old.contains(&place(old)) || !is_skinned(models[1], new) {
                continue;
            }
            let near = pair.spots.iter().zip(&pair.apart).filter(|(_, apart)| **apart <= MAX_APART);
            let partners: Vec<(u32, u32)> =
                near.map(|((vertex, spot), _)| (*vertex, corner(*spot))).collect();
            let waiting = left.entry(place(old)).or_insert_with(|| count(old.primitive));
            *waiting = waiting.saturating_sub(partners.len());
            pairs.push(Pair { found: [*old, *new], how: name.how, partners, unmatched: 0 });
        }
        for pair in &mut pairs {
            pair.unmatched = left.remove(&place(&pair.found[0])).unwrap_or(0);
        }
        let [in_old, in_new] =
            [0, 1].map(|side| pairs.iter().map(|pair| place(&pair.found[side])).collect::<HashSet<_>>());
        let alone = [(0, in_old), (1, in_new)].map(|(side, paired): (usize, HashSet<_>)| {
            own[side].iter().filter(|found| !paired.contains(&place(found))).copied().collect()
        });
        Self { pairs, alone }
    }
}

/// Returns the indices of a primitive in its model.
fn place(found: &Found) -> (usize, usize) {
    (found.instance, found.number)
}

/// Returns the number of drawn vertices.
fn count(primitive: &Primitive) -> usize {
    let mut is_named = vec![false; primitive.positions.len()];
    for &index in &primitive.indices {
        if let Some(named) = is_named.get_mut(index as usize) {
            *named = true;
        }
    }
    is_named.into_iter().filter(|named| *named).count()
}

/// Returns the vertex of a spot, or the corner with the largest share in it.
fn corner(spot: Spot) -> u32 {
    match spot {
        Spot::Vertex(vertex) => vertex,
        Spot::Point(point) => {
            let corners = point.corners.into_iter().zip(point.shares);
            corners.max_by(|(_, a), (_, b)| a.total_cmp(b)).map_or(point.corners[0], |(corner, _)| corner)
        }
    }
}

fn is_skinned(model: &Model, found: &Found) -> bool {
    let skin = model.instances.get(found.instance).and_then(|instance| instance.skin);
    skin.is_some_and(|skin| skin < model.skins.len()) && found.primitive.influences.is_some()
}

/// Returns the primitives that skins move, each mesh once.
fn moved(model: &Model) -> Vec<Found<'_>> {
    let has_skin = |instance: &&Instance| instance.skin.is_some_and(|skin| skin < model.skins.len());
    let instances = model.instances.iter().enumerate().filter(|(_, instance)| has_skin(instance));
    let instances: Vec<usize> = instances.map(|(number, _)| number).collect();
    let found = skinned(model, &instances).into_iter();
    found.filter_map(|(instance, _, number, _)| Found::new(model, instance, number)).collect()
}
