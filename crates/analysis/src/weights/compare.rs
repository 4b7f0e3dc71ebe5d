//! The difference between the weights of two files on one mesh.

use serde::Serialize;

use super::matching::{Matching, Pair};
use sinew_model::{Model, PrimitiveName, VertexIndex, VertexName};
use sinew_skinning::pairing::influences::{Influence, pairs};
use sinew_skinning::pairing::joints::{self, SharedJoint, SharedJoints};
use sinew_skinning::pairing::{Found, How};

/// The maximum number of listed joints.
const MAX_JOINTS: usize = 10;

/// The longest compared name, in bytes.
const MAX_NAME: usize = 256;

/// The difference between the weights of two models, A and B. The distance of two vertices is the sum of |Δw| over all
/// joints: 0 if their weights are equal, 2 if they share no joint.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WeightDifference {
    /// The number of matched vertices.
    pub matched: usize,
    /// The number of vertices of A without a partner.
    pub unmatched: usize,
    /// The mean distance of matched vertices; null if there are none.
    pub mean: Option<f64>,
    /// The largest distance.
    pub largest: Option<f64>,
    /// The vertex of A with the largest distance.
    pub worst: Option<String>,
    /// The joints that differ most, at most ten.
    pub joints: Vec<JointDifference>,
    /// Joints of A alone, by name.
    pub only_in_a: Vec<String>,
    /// Joints of B alone.
    pub only_in_b: Vec<String>,
    /// The matched primitives.
    pub primitives: Vec<MatchedPrimitive>,
    /// Primitives of A alone.
    pub primitives_only_in_a: Vec<String>,
    /// Primitives of B alone.
    pub primitives_only_in_b: Vec<String>,
}

/// The difference between the weights of one joint.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JointDifference {
    /// The joint's name, or its number such as `#12`.
    pub name: String,
    /// The sum of |Δw| over all matched vertices.
    pub sum: f64,
    /// The mean over all matched vertices.
    pub mean: f64,
}

/// Two primitives that were matched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MatchedPrimitive {
    /// The primitive of A.
    pub a: String,
    /// The primitive of B.
    pub b: String,
    /// The method that matched their vertices.
    pub how: How,
    /// The number of matched vertices.
    pub matched: usize,
    /// The number of vertices of A without a partner.
    pub unmatched: usize,
}

/// Compares the weights of two models.
pub fn compare(a: &Model, b: &Model) -> WeightDifference {
    let models = [a, b];
    let shared = SharedJoints::new(models);
    let matching = Matching::new(models);
    let mut sums = Sums { joints: vec![0.0; shared.joints.len()], ..Sums::default() };
    for (number, pair) in matching.pairs.iter().enumerate() {
        sums.add(models, &shared, number, pair);
    }
    let matched: Vec<MatchedPrimitive> = matching.pairs.iter().map(|pair| matched(models, pair)).collect();
    let count: usize = matched.iter().map(|primitive| primitive.matched).sum();
    let name = |side: usize, found: &Found<'_>| {
        PrimitiveName::of(models[side], found.instance, found.number).to_string()
    };
    let alone = |side: usize| matching.alone[side].iter().map(|found| name(side, found)).collect();
    let worst = sums.worst.and_then(|(pair, vertex)| {
        let [found, _] = matching.pairs.get(pair)?.found;
        let index = VertexIndex { instance: found.instance, primitive: found.number, vertex };
        Some(VertexName::of(a, index).to_string())
    });
    WeightDifference {
        matched: count,
        unmatched: matched.iter().map(|primitive| primitive.unmatched).sum(),
        mean: (count > 0).then(|| sums.all / count as f64),
        largest: (count > 0).then_some(sums.largest),
        worst,
        joints: most(&shared, &sums.joints, count),
        only_in_a: only(&shared, |joint| joint.nodes[1].is_none()),
        only_in_b: only(&shared, |joint| joint.nodes[0].is_none()),
        primitives: matched,
        primitives_only_in_a: alone(0),
        primitives_only_in_b: alone(1),
    }
}

/// Sums over all matched vertices.
#[derive(Default)]
struct Sums {
    all: f64,
    largest: f64,
    /// The index of a pair, and the vertex.
    worst: Option<(usize, usize)>,
    joints: Vec<f64>,
}

impl Sums {
    fn add(&mut self, models: [&Model; 2], shared: &SharedJoints<'_>, number: usize, pair: &Pair<'_>) {
        let [mut a, mut b] = [Vec::new(), Vec::new()];
        for &(vertex, partner) in &pair.partners {
            let vertex = vertex as usize;
            row(models, shared, 0, &pair.found[0], vertex, &mut a);
            row(models, shared, 1, &pair.found[1], partner as usize, &mut b);
            let mut distance = 0.0;
            pairs(&a, &b, |joint, a, b| {
                distance += (a - b).abs();
                if let Some(sum) = self.joints.get_mut(joint as usize) {
                    *sum += (a - b).abs();
                }
            });
            self.all += distance;
            if distance > self.largest || self.worst.is_none() {
                (self.largest, self.worst) = (distance, Some((number, vertex)));
            }
        }
    }
}

/// Returns the weights of a vertex by shared joints.
fn row(
    models: [&Model; 2],
    shared: &SharedJoints<'_>,
    side: usize,
    found: &Found<'_>,
    vertex: usize,
    out: &mut Vec<Influence>,
) {
    let skin = models[side].instances.get(found.instance).and_then(|instance| instance.skin);
    joints::row(models[side], &shared.of_node[side], skin, (found.primitive, vertex), out);
}

fn matched(models: [&Model; 2], pair: &Pair<'_>) -> MatchedPrimitive {
    let [a, b] = [0, 1].map(|side| {
        let found = &pair.found[side];
        PrimitiveName::of(models[side], found.instance, found.number).to_string()
    });
    MatchedPrimitive { a, b, how: pair.how, matched: pair.partners.len(), unmatched: pair.unmatched }
}

fn most(shared: &SharedJoints<'_>, sums: &[f64], count: usize) -> Vec<JointDifference> {
    let mut joints: Vec<(&SharedJoint<'_>, f64)> = shared.joints.iter().zip(sums.iter().copied()).collect();
    joints.retain(|(_, sum)| *sum > 0.0);
    joints.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let difference = |(joint, sum): (&SharedJoint<'_>, f64)| JointDifference {
        name: name(joint),
        sum,
        mean: sum / count as f64,
    };
    joints.into_iter().take(MAX_JOINTS).map(difference).collect()
}

fn only(shared: &SharedJoints<'_>, is_alone: impl Fn(&SharedJoint<'_>) -> bool) -> Vec<String> {
    shared.joints.iter().filter(|joint| is_alone(joint)).map(name).collect()
}

fn name(joint: &SharedJoint<'_>) -> String {
    let is_usual = !joint.name.is_empty() && joint.name.len() <= MAX_NAME;
    if is_usual { joint.name.to_owned() } else { format!("#{}", joint.file_index) }
}
