//! Mends the faults that [`findings`] finds, kind by kind, until none is left or a round finds no fewer.

use std::collections::{BTreeMap, BTreeSet};

use sinew_model::{Model, VertexName};
use sinew_skinning::pairing::influences::{Influence, NO_JOINT, merge};
use sinew_skinning::reweight::{Chosen, Done, Weights};

use super::bones::Bones;
use super::finding::{Finding, Kind};
use super::report::findings;
use super::sides::twins;
use super::surface::{Surface, instances_by_skin};
use super::tiny;

/// The maximum number of rounds: mending one fault may uncover another.
const MAX_ROUNDS: usize = 6;

/// The faults before and after.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mended {
    /// The number of vertices at fault by kind, before and after.
    pub vertices: BTreeMap<Kind, [usize; 2]>,
    /// The changes of all rounds.
    pub done: Done,
}

/// Mends the faults at chosen vertices.
///
/// * leak: the joint's twin on the vertex's side takes its weight;
/// * far and island: the vertex's other joints take it, or, without any, the joints of the neighbours;
/// * outlier: the vertex has the mean weights of its neighbours;
/// * split: all vertices of the place have their mean weights;
/// * tiny: weights that 8 bits cannot hold go.
pub fn mend(weights: &mut Weights, chosen: &Chosen) -> Mended {
    let mut mended = Mended::default();
    let start = weights.parts.clone();
    let model = weights.model();
    let mut found = at_chosen(findings(&model), &model, weights, chosen);
    let mut left = count(&found);
    for (kind, vertices) in &left {
        mended.vertices.entry(*kind).or_default()[0] = *vertices;
    }
    for _ in 0..MAX_ROUNDS {
        if found.is_empty() {
            break;
        }
        let before = weights.clone();
        let mut done = Done::default();
        Round { model: &weights.model(), weights, chosen, done: &mut done }.mend(&found);
        let made = weights.model();
        found = at_chosen(findings(&made), &made, weights, chosen);
        let now = count(&found);
        if now.values().sum::<usize>() >= left.values().sum::<usize>() {
            *weights = before;
            break;
        }
        mended.done.short = done.short;
        left = now;
    }
    let rows =
        start.iter().zip(&weights.parts).flat_map(|(before, after)| before.rows.iter().zip(&after.rows));
    mended.done.changed = rows.filter(|(before, after)| before != after).count();
    for (kind, vertices) in left {
        mended.vertices.entry(kind).or_default()[1] = vertices;
    }
    mended
}

/// A finding in one part of the weights.
struct Here {
    finding: Finding,
    part: usize,
}

fn count(found: &[Here]) -> BTreeMap<Kind, usize> {
    let mut at_fault: BTreeMap<Kind, BTreeSet<(usize, u32)>> = BTreeMap::new();
    for Here { finding, part } in found {
        let vertices = finding.vertices.iter().map(|vertex| (*part, *vertex));
        at_fault.entry(finding.kind).or_default().extend(vertices);
    }
    at_fault.into_iter().map(|(kind, vertices)| (kind, vertices.len())).collect()
}

/// Keeps the chosen vertices of findings, with the part that has them.
fn at_chosen(found: Vec<Finding>, model: &Model, weights: &Weights, chosen: &Chosen) -> Vec<Here> {
    let here = |mut finding: Finding| {
        let name: VertexName = finding.worst.vertex.parse().ok()?;
        let (instance, primitive) = name.primitive.find(model).ok()?;
        let part = weights.part_of(instance, primitive)?;
        finding.vertices.retain(|vertex| chosen.has(part, *vertex as usize));
        let is_its_skin = weights.parts.get(part).is_some_and(|part| part.skin == finding.skin);
        (is_its_skin && !finding.vertices.is_empty()).then_some(Here { finding, part })
    };
    found.into_iter().filter_map(here).collect()
}

/// A round of mending.
struct Round<'a, 'w, 'm> {
    model: &'a Model,
    weights: &'w mut Weights<'m>,
    chosen: &'w Chosen,
    done: &'w mut Done,
}

/// A skin's surface, with the joints on the other side.
struct Skin {
    surface: Surface,
    twin_of: BTreeMap<usize, usize>,
}

impl Skin {
    fn new(model: &Model, number: usize, instances: &[usize]) -> Option<Self> {
        let skin = model.skins.get(number)?;
        let twins = twins(model, skin, &Bones::new(model, skin));
        let twin_of = twins.into_iter().flat_map(|[a, b]| [(a, b), (b, a)]).collect();
        Some(Self { surface: Surface::new(model, number, instances), twin_of })
    }
}

impl Round<'_, '_, '_> {
    fn mend(&mut self, found: &[Here]) {
        let by_skin = instances_by_skin(self.model);
        let mut skins: BTreeMap<usize, Option<Skin>> = BTreeMap::new();
        for Here { finding, part } in found {
            let number = finding.skin;
            let skin =
                skins.entry(number).or_insert_with(|| Skin::new(self.model, number, by_skin.row(number)));
            let Some(skin) = skin else { continue };
            match finding.kind {
                Kind::Leak => self.leak(skin, finding, *part),
                Kind::Far | Kind::Island => self.remove(skin, finding, *part),
                Kind::Outlier => self.outliers(skin, finding, *part),
                Kind::Split => self.join(skin, finding, *part),
                Kind::Tiny => {
                    for vertex in &finding.vertices {
                        self.weights.prune(*part, *vertex as usize, tiny::LEAST, self.done);
                    }
                }
            }
        }
    }

    /// Gives the weight of a joint to its twin.
    fn leak(&mut self, skin: &Skin, finding: &Finding, part: usize) {
        let Some(joint) = finding.joint.as_ref().map(|joint| joint.joint) else { return };
        let nodes = self.model.skins.get(skin.surface.skin).map_or(&[][..], |skin| &skin.joints);
        let is_free = |joint: &usize| nodes.get(*joint).is_some_and(|node| !self.weights.is_locked(*node));
        let twin = skin.twin_of.get(&joint).copied().filter(is_free).filter(|_| is_free(&joint));
        let Some(twin) = twin else { return self.remove(skin, finding, part) };
        for vertex in finding.vertices.iter().map(|vertex| *vertex as usize) {
            let row = self.weights.parts.get(part).and_then(|part| part.rows.get(vertex));
            let Some(row) = row else { continue };
            let own = row.weight(joint as i32);
            let mut wanted: Vec<(i32, f64)> =
                row.weights().filter(|(other, _)| *other != joint as i32).collect();
            match wanted.iter_mut().find(|(other, _)| *other == twin as i32) {
                Some((_, weight)) => *weight += own,
                None => wanted.push((twin as i32, own)),
            }
            self.weights.put(part, vertex, &wanted, self.done);
        }
    }

    /// Takes a joint from vertices. Those that it moves alone get the weights of their neighbours, from the border inwards.
    fn remove(&mut self, skin: &Skin, finding: &Finding, part: usize) {
        let Some(joint) = finding.joint.as_ref().and_then(|joint| i32::try_from(joint.joint).ok()) else {
            return;
        };
        let mut alone: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for vertex in finding.vertices.iter().map(|vertex| *vertex as usize) {
            let row = self.weights.parts.get(part).and_then(|part| part.rows.get(vertex));
            let is_alone = row.is_some_and(|row| row.weights().all(|(other, _)| other == joint));
            match self.point(skin, part, vertex).filter(|_| is_alone) {
                Some(point) => alone.entry(point).or_default().push(vertex),
                None => self.weights.set(part, vertex, joint, 0.0, self.done),
            }
        }
        let mut waiting: BTreeSet<u32> = alone.keys().copied().collect();
        // Points that may have a neighbour outside; after the first pass, those next to the last ones.
        let mut next = waiting.clone();
        while !waiting.is_empty() {
            let means = next
                .iter()
                .map(|point| (*point, self.around(skin, *point, |other| waiting.contains(&other))));
            let means: Vec<(u32, Vec<(i32, f64)>)> = means
                .map(|(point, row)| (point, row.into_iter().filter(|(other, _)| *other != joint).collect()))
                .collect();
            let known: Vec<(u32, Vec<(i32, f64)>)> =
                means.into_iter().filter(|(_, row)| !row.is_empty()).collect();
            if known.is_empty() {
                break;
            }
            next.clear();
            for (point, row) in known {
                waiting.remove(&point);
                next.extend(skin.surface.neighbours.row(point as usize).iter().map(|other| other.point));
                for vertex in alone.get(&point).into_iter().flatten() {
                    self.weights.put(part, *vertex, &row, self.done);
                }
            }
            next.retain(|point| waiting.contains(point));
        }
    }

    /// Gives vertices the weights of their neighbours.
    fn outliers(&mut self, skin: &Skin, finding: &Finding, part: usize) {
        let points = finding.vertices.iter().filter_map(|vertex| self.point(skin, part, *vertex as usize));
        let points: BTreeSet<u32> = points.collect();
        for vertex in finding.vertices.iter().map(|vertex| *vertex as usize) {
            let Some(point) = self.point(skin, part, vertex) else { continue };
            let row = self.around(skin, point, |other| points.contains(&other));
            self.weights.put(part, vertex, &row, self.done);
        }
    }

    /// Gives the vertices at each place their mean weights, also those of other parts; or, where some are not chosen, the mean
    /// of these.
    fn join(&mut self, skin: &Skin, finding: &Finding, part: usize) {
        let points = finding.vertices.iter().filter_map(|vertex| self.point(skin, part, *vertex as usize));
        for point in points.collect::<BTreeSet<u32>>() {
            let all = skin.surface.vertices.row(point as usize).iter();
            let all: Vec<(usize, usize)> = all.filter_map(|vertex| self.locate(skin, *vertex)).collect();
            let (chosen, others): (Vec<_>, Vec<_>) =
                all.into_iter().partition(|(part, vertex)| self.chosen.has(*part, *vertex));
            let row = self.mean(if others.is_empty() { &chosen } else { &others });
            for (part, vertex) in chosen {
                self.weights.put(part, vertex, &row, self.done);
            }
        }
    }

    /// Returns the part and the number of a vertex of a surface.
    fn locate(&self, skin: &Skin, vertex: u32) -> Option<(usize, usize)> {
        let (number, vertex) = skin.surface.locate(vertex)?;
        let drawn = skin.surface.primitives.get(number)?;
        Some((self.weights.part_of(drawn.instance, drawn.primitive)?, vertex as usize))
    }

    /// Returns the point of a part's vertex.
    fn point(&self, skin: &Skin, part: usize, vertex: usize) -> Option<u32> {
        let part = self.weights.parts.get(part)?;
        let is_it =
            |drawn: &&super::surface::Drawn| drawn.mesh == part.mesh && drawn.primitive == part.primitive;
        let drawn = skin.surface.primitives.iter().find(is_it)?;
        skin.surface.point(drawn.first.checked_add(u32::try_from(vertex).ok()?)?)
    }

    /// Returns the mean weights of a point's vertices as they are now.
    fn row(&self, skin: &Skin, point: u32) -> Vec<(i32, f64)> {
        let vertices = skin.surface.vertices.row(point as usize).iter();
        self.mean(&vertices.filter_map(|vertex| self.locate(skin, *vertex)).collect::<Vec<_>>())
    }

    /// Returns the mean weights of some vertices.
    fn mean(&self, vertices: &[(usize, usize)]) -> Vec<(i32, f64)> {
        let row = |(part, vertex): &(usize, usize)| self.weights.parts.get(*part)?.rows.get(*vertex);
        shares(vertices.iter().filter_map(row).flat_map(|row| row.weights()).map(influence).collect())
    }

    /// Returns the mean weights of a point's neighbours, without some of them.
    fn around(&self, skin: &Skin, point: u32, without: impl Fn(u32) -> bool) -> Vec<(i32, f64)> {
        let others = skin.surface.neighbours.row(point as usize).iter().map(|other| other.point);
        let rows = others.filter(|other| !without(*other)).flat_map(|other| self.row(skin, other));
        shares(rows.map(influence).collect())
    }
}

fn influence((joint, weight): (i32, f64)) -> Influence {
    Influence { joint: u32::try_from(joint).unwrap_or(NO_JOINT), weight }
}

/// Adds up the weights of each joint, and scales them to a sum of one.
fn shares(mut all: Vec<Influence>) -> Vec<(i32, f64)> {
    merge(&mut all);
    let sum: f64 = all.iter().map(|one| one.weight).sum();
    all.into_iter().map(|one| (i32::try_from(one.joint).unwrap_or(-1), one.weight / sum)).collect()
}
