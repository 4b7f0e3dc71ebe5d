//! The vertices at fault: those that the better mode puts elsewhere, and those with wrong weights.

use std::collections::BTreeMap;

use serde::Serialize;
use sinew_model::{Model, VertexIndex, VertexName};
use sinew_skinning::pose::Pose;
use sinew_skinning::posed::reference_vertices;
use sinew_skinning::{SkinningMode, skin_of};

use crate::measure::joint_name;
use crate::turns::turn_from_rest;
use crate::weights::Finding;

use super::search::STILL_DEGREES;

/// The maximum number of listed vertices.
const MAX_BLAMED: usize = 5;

/// A vertex at fault.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Blamed {
    /// The name, in the form that `--vertex` accepts.
    pub vertex: String,
    /// The distance between its positions in both modes, in metres.
    pub distance_m: f64,
    /// The influences, the heaviest first.
    pub influences: Vec<Influence>,
}

/// A joint and its weight.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Influence {
    /// The joint, by name or as `#NODE`.
    pub joint: String,
    /// The weight.
    pub weight: f64,
    /// The node in the rig.
    #[serde(skip)]
    pub node: usize,
}

/// A joint that turns next to one that does not.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Beside {
    /// The joint, by name or as `#NODE`.
    pub joint: String,
    /// The angle from rest.
    pub degrees: f64,
}

/// Returns the other joint that moves vertices most in a pose, by its angle and its weight.
pub fn beside(model: &Model, pose: &Pose, node: usize, vertices: &[VertexIndex]) -> Option<Beside> {
    let mut weights: BTreeMap<usize, f64> = BTreeMap::new();
    for influence in vertices.iter().flat_map(|vertex| influences(model, *vertex)) {
        *weights.entry(influence.node).or_default() += influence.weight;
    }
    let others = weights.into_iter().filter(|(other, _)| *other != node);
    let turning = others.filter_map(|(other, weight)| {
        let degrees = turn_from_rest(model, other, pose).length();
        (degrees > STILL_DEGREES).then_some((weight * degrees, other, degrees))
    });
    let (_, other, degrees) = turning.max_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(Beside { joint: joint_name(model, other), degrees })
}

/// Returns the vertices with the largest distance between two modes, furthest first.
pub fn apart(model: &Model, pose: &Pose, modes: [SkinningMode; 2], vertices: &[VertexIndex]) -> Vec<Blamed> {
    let [first, second] = modes.map(|mode| {
        let mut places = Vec::with_capacity(vertices.len());
        reference_vertices(model, mode, pose, vertices, |_, place| places.push(place));
        places
    });
    let pairs = vertices.iter().zip(first.into_iter().zip(second));
    let mut found: Vec<(f64, VertexIndex)> =
        pairs.filter_map(|(vertex, (a, b))| Some((a?.distance(b?), *vertex))).collect();
    found.retain(|(away, _)| *away > 0.0);
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    let blamed = |(distance_m, index): (f64, VertexIndex)| Blamed {
        vertex: VertexName::of(model, index).to_string(),
        distance_m,
        influences: influences(model, index),
    };
    found.into_iter().take(MAX_BLAMED).map(blamed).collect()
}

/// Returns the influences of a vertex.
fn influences(model: &Model, index: VertexIndex) -> Vec<Influence> {
    let found = || {
        let instance = model.instances.get(index.instance)?;
        let primitive = model.meshes.get(instance.mesh)?.primitives.get(index.primitive)?;
        let influences = primitive.influences.as_ref()?;
        Some((skin_of(model, instance, true)?, influences))
    };
    let Some((skin, influences)) = found() else { return Vec::new() };
    let spans = (0..influences.spans.len()).map(|span| influences.of_vertex(span, index.vertex));
    let all = spans.flat_map(|(joints, weights)| joints.into_iter().zip(weights));
    let named = |(joint, weight): (i32, f32)| {
        let node = usize::try_from(joint).ok().and_then(|joint| skin.joints.get(joint))?;
        Some(Influence { joint: joint_name(model, *node), weight: f64::from(weight), node: *node })
    };
    all.filter(|(_, weight)| *weight > 0.0).filter_map(named).collect()
}

/// Returns the findings about weights with this joint.
pub fn of_joint(model: &Model, findings: Vec<Finding>, node: usize) -> Vec<Finding> {
    let number = model.rig.file_index.get(node).copied();
    let is_there = |finding: &Finding| finding.joint.as_ref().is_some_and(|joint| Some(joint.node) == number);
    findings.into_iter().filter(is_there).collect()
}
