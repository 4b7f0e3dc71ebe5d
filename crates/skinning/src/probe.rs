//! Probes one vertex: the joints that move it, their weights, and its position in each mode.

use super::distinct::{Distinct, is_scaled};
use super::posed::{Own, Scratch, vertices_of};
use super::reference::{JointMotion, Side, side};
use super::twin::skin_vertex;
use super::{SkinningMode, centers, matrices_into, morph, placed, skin_of};
use crate::pose::Pose;
use glam::{DMat4, DVec3};
use sinew_model::{Influences, Model, Span, VertexIndex};

/// The influences of a vertex and its position in each mode.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    /// The position that the file stores.
    pub stored: [f32; 3],
    /// Nodes of the joints that move it, heaviest first, each with its weight; empty without a skin.
    pub influences: Vec<(usize, f32)>,
    /// The position by each of these joints alone, in the same order; without a skin, by its node.
    pub alone: Vec<[f64; 3]>,
    /// The side of each joint's quaternion relative to the first one's, in the same order; empty without a skin.
    pub signs: Vec<Side>,
    /// Its centre of rotation, if it has one and the model's centres are known.
    pub center: Option<Center>,
    /// Its world position in each distinct mode. Modes that need unknown centres of rotation are left out, because a probe
    /// does not wait for them.
    pub placed: Vec<(SkinningMode, [f32; 3])>,
    /// A sentence on dialects of *dqs* that are left out, because they are equal here.
    pub left_out: Option<String>,
}

/// The point about which the mode *cor* turns a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Center {
    /// In the mesh's space.
    pub stored: [f32; 3],
    /// In the world, as linear blending moves it.
    pub placed: [f32; 3],
}

impl Probe {
    /// Probes a vertex in a pose; `None` if the model has no vertex of that index.
    pub fn new(model: &Model, pose: &Pose, index: VertexIndex) -> Option<Self> {
        let instance = model.instances.get(index.instance)?;
        let primitive = model.meshes.get(instance.mesh)?.primitives.get(index.primitive)?;
        let stored = *primitive.positions.get(index.vertex)?;
        let mut scratch = Scratch::new(pose);
        let mut influences = Vec::new();
        let is_known = |mode: &SkinningMode| {
            let facts = mode.facts();
            (!facts.needs_centers || model.centers.get().is_some())
                && (!facts.needs_ddm || model.ddm.get(instance.mesh).is_some())
        };
        let is_skinned = primitive.influences.is_some();
        let by_skin = skin_of(model, instance, is_skinned);
        let mut matrices = Vec::new();
        matrices_into(model, instance, is_skinned, pose, &mut matrices);
        let distinct = Distinct::new(&pose.skins.shares, by_skin.is_some() && matrices.iter().any(is_scaled));
        let placed = distinct.modes.iter().copied().filter(is_known).map(|mode| {
            let used = scratch.prepare(model, instance, primitive, mode, pose);
            let Scratch { slots, weights, morphed, shares, ddm, .. } = &mut scratch;
            let own = Own::of(model, instance, index.primitive, used, shares, ddm.as_ref());
            let all = vertices_of(model, instance, primitive, weights, morphed, own);
            let moved = all.influences.map(|influences| only(influences, index.vertex));
            influences = named(model, instance.skin, moved.as_ref());
            let place = skin_vertex(used, slots, &all, index.vertex);
            (mode, place.map_or(stored, |place| place.position))
        });
        let placed = placed.collect();
        let morphed =
            scratch.morphed.vertices(primitive, morph::weights_of(&model.rig, instance, &scratch.weights));
        let place =
            DVec3::from(morphed.positions.get(index.vertex).copied().unwrap_or(stored).map(f64::from));
        let joint =
            |node: usize| by_skin.and_then(|skin| skin.joints.iter().position(|joint| *joint == node));
        influences.sort_by(|a, b| b.1.total_cmp(&a.1));
        let moved = |matrix: &DMat4| matrix.transform_point3(place).to_array();
        let own = |(node, _): &(usize, f32)| joint(*node).and_then(|joint| matrices.get(joint)).copied();
        let moving: Vec<DMat4> = match by_skin {
            Some(_) => influences.iter().map(|found| own(found).unwrap_or(DMat4::IDENTITY)).collect(),
            None => matrices.first().copied().into_iter().collect(),
        };
        let motions: Vec<JointMotion> = moving.iter().map(JointMotion::new).collect();
        let pivot = motions.first().filter(|_| by_skin.is_some());
        let signs = pivot.map_or_else(Vec::new, |pivot| motions.iter().map(|own| side(own, pivot)).collect());
        let alone = moving.iter().map(moved).collect();
        let center = center(model, pose, index);
        let left_out = distinct.sentence().filter(|_| by_skin.is_some());
        Some(Self { stored, influences, alone, signs, center, placed, left_out })
    }
}

/// Returns the centre of rotation of a vertex, and its place in the pose.
fn center(
    model: &Model,
    pose: &Pose,
    VertexIndex { instance, primitive, vertex }: VertexIndex,
) -> Option<Center> {
    let placed = placed::centers(model, pose, (instance, primitive), vertex..vertex.checked_add(1)?)?;
    let instance = model.instances.get(instance)?;
    let stored = centers::of(model, instance.skin?, instance.mesh, primitive)?.get(vertex)?;
    Some(Center { stored: *stored, placed: *placed.first()? })
}

/// Returns the influences of one vertex.
fn only(influences: &Influences, vertex: usize) -> Influences {
    let one = |span: &Span| Span {
        joints: span.joints.get(vertex).copied().into_iter().collect(),
        weights: span.weights.get(vertex).copied().into_iter().collect(),
    };
    Influences { spans: influences.spans.iter().map(one).collect() }
}

/// Returns the nodes and weights of a single vertex's influences.
fn named(model: &Model, skin: Option<usize>, influences: Option<&Influences>) -> Vec<(usize, f32)> {
    let Some(skin) = skin.and_then(|skin| model.skins.get(skin)) else { return Vec::new() };
    let spans = influences.into_iter().flat_map(|influences| &influences.spans);
    let rows = spans.flat_map(|span| span.joints.iter().flatten().zip(span.weights.iter().flatten()));
    let node = |joint: &i32| usize::try_from(*joint).ok().and_then(|joint| skin.joints.get(joint)).copied();
    rows.filter(|(_, weight)| **weight > 0.0)
        .filter_map(|(joint, weight)| Some((node(joint)?, *weight)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pose::PoseChoice;
    use crate::posed::skin_model;
    use sinew_model::{builtin, gltf};

    /// A single vertex has the same position as among all, to the bit, in every mode.
    #[test]
    fn a_vertex_goes_where_it_goes_among_all() {
        let bytes = builtin::glb("character").unwrap();
        let model = gltf::load_bytes(&bytes, None).unwrap();
        let mut pose = Pose::default();
        pose.set(&model, &PoseChoice::clip(0, 0.4));
        assert!(crate::centers::prepare(&model, &|_| true));
        let mut looked_at = 0;
        for mode in Distinct::new(&pose.skins.shares, false).modes {
            for drawn in skin_model(&model, mode, &pose) {
                for vertex in (0..drawn.positions.len()).step_by(37) {
                    let index = VertexIndex { instance: drawn.instance, primitive: drawn.primitive, vertex };
                    let probe = Probe::new(&model, &pose, index).unwrap();
                    let (_, place) = *probe.placed.iter().find(|(of, _)| *of == mode).unwrap();
                    assert_eq!(place, drawn.positions[vertex], "{mode} {vertex}");
                    let sum: f32 = probe.influences.iter().map(|(_, weight)| weight).sum();
                    assert!((sum - 1.0).abs() < 1e-6 && probe.influences.is_sorted_by(|a, b| a.1 >= b.1));
                    // Linear blending is the mean of the positions by the joints alone.
                    let mean = |axis: usize| -> f64 {
                        let parts = probe.influences.iter().zip(&probe.alone);
                        parts.map(|((_, weight), alone)| f64::from(*weight) * alone[axis]).sum()
                    };
                    let (_, linear) = probe.placed[1];
                    assert!(
                        (0..3).all(|axis| (mean(axis) - f64::from(linear[axis])).abs() < 1e-5),
                        "{vertex}"
                    );
                    looked_at += 1;
                }
            }
        }
        assert!(looked_at > 50, "{looked_at}");
        let beyond = VertexIndex { instance: 0, primitive: 0, vertex: 1_000_000 };
        assert_eq!(Probe::new(&model, &pose, beyond), None);
    }

    /// Linear blending moves the centre, and the probe does not wait for it.
    #[test]
    fn a_vertex_has_its_centre() {
        let model = gltf::load_bytes(&builtin::glb("bend").unwrap(), None).unwrap();
        let mut pose = Pose::default();
        pose.set(&model, &PoseChoice::clip(0, 1.0));
        let index = VertexIndex { instance: 0, primitive: 0, vertex: 4730 };
        assert_eq!(Probe::new(&model, &pose, index).unwrap().center, None);
        assert!(crate::centers::prepare(&model, &|_| true));
        let probe = Probe::new(&model, &pose, index).unwrap();
        let center = probe.center.unwrap();
        // On the axis of the rod, at the vertex's height.
        let [x, y, z] = center.stored;
        assert!(x.abs() < 1e-6 && (y - probe.stored[1]).abs() < 0.02 && z.abs() < 1e-6, "{center:?}");
        let mut wanted = DVec3::ZERO;
        let skin = &model.skins[0];
        for (node, weight) in &probe.influences {
            let joint = skin.joints.iter().position(|joint| joint == node).unwrap();
            let matrix = pose.world_from_node[*node] * skin.joint_from_bind[joint];
            wanted += f64::from(*weight) * matrix.transform_point3(DVec3::from(center.stored.map(f64::from)));
        }
        let placed = DVec3::from(center.placed.map(f64::from));
        assert!(placed.distance(wanted) < 1e-6, "{placed} {wanted}");
    }
}
