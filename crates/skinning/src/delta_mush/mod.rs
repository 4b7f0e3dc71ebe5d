//! Delta mush on the CPU, in `f64`: the linearly blended mesh and the bind mesh are smoothed alike, and each vertex keeps
//! its place relative to its smoothed surroundings. It is the reference that *ddm* approximates, not a mode of the shaders.
//!
//! Mancewicz, Derksen, Rijpkema, Wilson, *Delta Mush: Smoothing Deformations While Preserving Detail* (DigiPro 2014). With the
//! bind positions b, the linearly blended positions x and N steps of smoothing S:
//!
//! ```text
//! p_i = (S x)_i + A_i (b_i − (S b)_i),   A_i = Σ_c w_c F_c(S x) F_c(S b)ᵀ / Σ_c w_c
//! ```
//!
//! A sum is over the corners c of triangles at the vertex. The frame F of a corner has three unit axes: along the surface, at
//! equal angles to both edges; the triangle's normal; and across. Its weight w is the angle by which the outline of the
//! triangle in `S x` turns there. These are the frames of Blender's *Corrective Smooth*.
//!
//! Vertices at one place are one point, where x is their mean. b has the pose's morph targets, and the size that the rest pose
//! draws it in. A vertex without a corner that has area in both meshes, or whose result is not finite, stays as blended.

mod frames;
mod graph;
mod settings;
#[cfg(test)]
mod tests;

use crate::ddm_terms::surface::Surface;
use crate::morph::{self, morph_exactly};
use crate::pose::Pose;
use crate::posed::{SkinnedPrimitive, skin_model};
use crate::reference::{transform_normal, transform_tangent};
use crate::{SkinningMode, skin_of, world_from_bound};
use frames::{Frames, Turns};
use glam::{DAffine3, DMat3, DVec3, DVec4};
use graph::Graph;
pub use settings::{Settings, Weights, WrongSettings};
use sinew_model::{Instance, Mesh, Model, Primitive};
use std::collections::BTreeMap;

/// A model prepared for many poses.
pub struct DeltaMush {
    settings: Settings,
    /// The surfaces of meshes that skins draw.
    meshes: BTreeMap<usize, Welded>,
    /// The bind meshes without morph targets, by mesh and skin.
    rests: BTreeMap<(usize, usize), Rest>,
    /// Each skin's units and axes.
    world_from_bound: Vec<DAffine3>,
}

/// The surface of a mesh.
struct Welded {
    surface: Surface,
    graph: Graph,
}

/// A bind mesh.
#[derive(Default)]
struct Rest {
    /// The place of each point relative to its smoothed place.
    deltas: Vec<DVec3>,
    /// The frames of the smoothed mesh.
    frames: Frames,
}

/// Memory for one pose.
#[derive(Default)]
struct Room {
    means: Means,
    smooth: Vec<DVec3>,
    other: Vec<DVec3>,
    turns: Turns,
    morphed: Rest,
}

impl DeltaMush {
    /// Prepares a model.
    pub fn new(model: &Model, settings: Settings) -> Self {
        let (meshes, rests) = (BTreeMap::new(), BTreeMap::new());
        let mut new = Self { settings, meshes, rests, world_from_bound: world_from_bound(model) };
        let mut room = Room::default();
        for instance in &model.instances {
            let (Some(skin), Some(mesh)) = (instance.skin, model.meshes.get(instance.mesh)) else { continue };
            if skin_of(model, instance, true).is_none() {
                continue;
            }
            new.meshes.entry(instance.mesh).or_insert_with(|| Welded::new(mesh));
            if !new.rests.contains_key(&(instance.mesh, skin)) {
                let mut rest = Rest::default();
                new.rest_into(mesh, instance, &[], &mut room, &mut rest);
                new.rests.insert((instance.mesh, skin), rest);
            }
        }
        new
    }

    /// The settings.
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Skins a whole model, with the pose's fault if it has one, for programs that draw `f32`.
    pub fn skin(&self, model: &Model, pose: &Pose) -> Vec<SkinnedPrimitive<f32>> {
        let blended = skin_model(model, SkinningMode::Linear, pose).into_iter();
        let mut skinned: Vec<SkinnedPrimitive<f64>> = blended.map(|own| own.map(f64::from)).collect();
        self.apply(model, pose, &mut skinned);
        skinned.into_iter().map(|own| own.map(|number| number as f32)).collect()
    }

    /// Replaces the linearly blended vertices of the model, in the order of its instances. The mesh as stored has none.
    pub fn apply(&self, model: &Model, pose: &Pose, blended: &mut [SkinnedPrimitive<f64>]) {
        if pose.is_bind() {
            return;
        }
        let mut room = Room::default();
        for own in blended.chunk_by_mut(|a, b| a.instance == b.instance) {
            let Some(instance) = own.first().and_then(|first| model.instances.get(first.instance)) else {
                continue;
            };
            self.apply_to(model, instance, pose, own, &mut room);
        }
    }

    /// Replaces the vertices of an instance.
    fn apply_to(
        &self,
        model: &Model,
        instance: &Instance,
        pose: &Pose,
        own: &mut [SkinnedPrimitive<f64>],
        room: &mut Room,
    ) {
        let Some(mesh) = model.meshes.get(instance.mesh) else { return };
        let known = instance.skin.and_then(|skin| self.rests.get(&(instance.mesh, skin)));
        let (Some(Welded { surface, graph }), Some(known)) = (self.meshes.get(&instance.mesh), known) else {
            return;
        };
        let weights = morph::weights_of(&model.rig, instance, &pose.weights);
        let mut morphed = std::mem::take(&mut room.morphed);
        let rest = match is_morphed(mesh, weights) {
            true => {
                self.rest_into(mesh, instance, weights, room, &mut morphed);
                &morphed
            }
            false => known,
        };
        let Room { means, smooth, other, turns, .. } = room;
        means.start(surface.points.len());
        for SkinnedPrimitive { primitive, positions, .. } in own.iter().filter(|own| is_skinned(mesh, own)) {
            let points = surface.points_of(*primitive).iter();
            points.zip(positions).for_each(|(&point, &position)| means.add(point, position.into()));
        }
        means.finish();
        smooth.clone_from(&means.points);
        graph.smooth(&self.settings, smooth, other);
        turns.find(graph, smooth, &rest.frames);
        let world_from_bound = self.bound(instance).matrix3;
        for own in own.iter_mut().filter(|own| is_skinned(mesh, own)) {
            let Some(primitive) = mesh.primitives.get(own.primitive) else { continue };
            for (vertex, &point) in surface.points_of(own.primitive).iter().enumerate() {
                let point = point as usize;
                let Some(turn) = turns.of(point) else { continue };
                let (blended, delta) = (means.points[point], rest.deltas[point]);
                // Differences first: in the bind pose they are exactly zero.
                let place = blended + ((delta - (blended - smooth[point])) + turn * delta);
                let Some(position) = own.positions.get_mut(vertex).filter(|_| place.is_finite()) else {
                    continue;
                };
                *position = place.to_array();
                turn_directions(
                    own,
                    primitive,
                    (vertex, weights),
                    (DMat3::IDENTITY + turn) * world_from_bound,
                );
            }
        }
        room.morphed = morphed;
    }

    /// Smooths the bind mesh of an instance with its morph targets.
    fn rest_into(&self, mesh: &Mesh, instance: &Instance, weights: &[f64], room: &mut Room, rest: &mut Rest) {
        let Some(Welded { surface, graph }) = self.meshes.get(&instance.mesh) else { return };
        let world_from_bound = self.bound(instance);
        let Room { means, other, .. } = room;
        means.start(surface.points.len());
        for (number, primitive) in mesh.primitives.iter().enumerate() {
            if primitive.influences.is_none() {
                continue;
            }
            let deltas = primitive.morphs.as_ref().and_then(|morphs| morphs.positions.as_ref());
            let stored = primitive.positions.iter().enumerate().zip(surface.points_of(number));
            for ((vertex, &stored), &point) in stored {
                let (morphed, _) = morph_exactly(stored, deltas, vertex, weights);
                means.add(point, world_from_bound.transform_point3(morphed.into()));
            }
        }
        means.finish();
        rest.deltas.clone_from(&means.points);
        graph.smooth(&self.settings, &mut means.points, other);
        rest.deltas.iter_mut().zip(&means.points).for_each(|(delta, smooth)| *delta -= *smooth);
        rest.frames.find(graph, &means.points);
    }

    /// Returns the units and axes of an instance's skin.
    fn bound(&self, instance: &Instance) -> DAffine3 {
        let found = instance.skin.and_then(|skin| self.world_from_bound.get(skin));
        found.copied().unwrap_or_default()
    }
}

impl Welded {
    fn new(mesh: &Mesh) -> Self {
        let surface = Surface::welded(mesh);
        let graph = Graph::new(surface.points.len(), surface.triangles(mesh));
        Self { surface, graph }
    }
}

/// Returns true if joints move a primitive of an instance that has a skin.
fn is_skinned<T>(mesh: &Mesh, own: &SkinnedPrimitive<T>) -> bool {
    mesh.primitives.get(own.primitive).is_some_and(|primitive| primitive.influences.is_some())
}

/// Returns true if morph targets change the mesh.
fn is_morphed(mesh: &Mesh, weights: &[f64]) -> bool {
    let has_targets = mesh.primitives.iter().any(|primitive| primitive.morphs.is_some());
    has_targets && weights.iter().any(|weight| *weight != 0.0)
}

/// Turns the stored normal and tangent of a vertex.
fn turn_directions(
    own: &mut SkinnedPrimitive<f64>,
    primitive: &Primitive,
    (vertex, weights): (usize, &[f64]),
    turn: DMat3,
) {
    let morphs = primitive.morphs.as_ref();
    let stored = primitive.normals.as_ref().and_then(|normals| normals.get(vertex));
    let out = own.normals.as_mut().and_then(|normals| normals.get_mut(vertex));
    let (Some(&stored), Some(out)) = (stored, out) else { return };
    let deltas = morphs.and_then(|morphs| morphs.normals.as_ref());
    let normal = transform_normal(&turn, morph_exactly(stored, deltas, vertex, weights).0.into());
    *out = normal.to_array();
    let stored = primitive.tangents.as_ref().and_then(|tangents| tangents.get(vertex));
    let out = own.tangents.as_mut().and_then(|tangents| tangents.get_mut(vertex));
    let (Some(&stored), Some(out)) = (stored, out) else { return };
    let deltas = morphs.and_then(|morphs| morphs.tangents.as_ref());
    let tangent = DVec4::from(morph_exactly(stored, deltas, vertex, weights).0);
    *out = transform_tangent(&turn, tangent, normal).to_array();
}

/// The mean place of the vertices at each point.
#[derive(Default)]
struct Means {
    points: Vec<DVec3>,
    /// The sums of differences from each point's first vertex. Equal places have an exact mean.
    apart: Vec<DVec3>,
    counts: Vec<u32>,
}

impl Means {
    fn start(&mut self, points: usize) {
        for vectors in [&mut self.points, &mut self.apart] {
            vectors.clear();
            vectors.resize(points, DVec3::ZERO);
        }
        self.counts.clear();
        self.counts.resize(points, 0);
    }

    fn add(&mut self, point: u32, place: DVec3) {
        let point = point as usize;
        let (Some(count), Some(first), Some(apart)) =
            (self.counts.get_mut(point), self.points.get_mut(point), self.apart.get_mut(point))
        else {
            return;
        };
        match count {
            0 => *first = place,
            _ => *apart += place - *first,
        }
        *count += 1;
    }

    fn finish(&mut self) {
        for ((point, apart), count) in self.points.iter_mut().zip(&self.apart).zip(&self.counts) {
            if *count > 1 {
                *point += *apart / f64::from(*count);
            }
        }
    }
}
