//! The positions and normals of the `f64` reference for whole models, in several modes at once. They have the bits of
//! [`crate::reference`], which stays the definition. Joints are decomposed once per pose, equal joints and
//! weights are blended once, and eight of them are blended side by side.

mod block;
mod joints;
mod rows;
#[cfg(test)]
mod tests;

use crate::morph::{self, morph_exactly};
use crate::pose::Pose;
use crate::posed::SkinnedPrimitive;
use crate::reference::{self, JointMotion, Own};
use crate::twin::Vertices;
use crate::vectors::{Level, Task};
use crate::{SkinningMode, centers, skin_of};
use block::{Block, LANES, Move, Moves, Transforms};
use glam::{DAffine3, DVec3};
use joints::Joints;
use rows::{MAX_JOINTS, Rows};
use sinew_model::{Instance, Model, Primitive};

/// A model prepared for the reference.
pub struct Surfaces {
    /// The rows of each mesh's primitives; `None` without influences.
    rows: Vec<Vec<Option<Rows>>>,
}

/// Memory for one pose.
#[derive(Default)]
pub struct Scratch {
    joints: Joints,
    positions: Vec<DVec3>,
    normals: Vec<DVec3>,
    shares: Vec<f32>,
}

impl Surfaces {
    /// Prepares a model.
    pub fn new(model: &Model) -> Self {
        let of = |primitive: &Primitive| primitive.influences.as_ref().map(|_| Rows::new(primitive));
        let rows = model.meshes.iter().map(|mesh| mesh.primitives.iter().map(of).collect());
        Self { rows: rows.collect() }
    }

    /// Skins the positions and normals of the whole model in each mode, into reused memory: those of
    /// [`reference_surfaces`](crate::posed::reference_surfaces). `model` must be the one that this was made of.
    pub fn skin(
        &self,
        model: &Model,
        modes: &[SkinningMode],
        pose: &Pose,
        scratch: &mut Scratch,
        out: &mut Vec<Vec<SkinnedPrimitive<f64>>>,
    ) {
        out.resize_with(modes.len(), Vec::new);
        scratch.joints.forget();
        let mut number = 0;
        for (at, instance) in model.instances.iter().enumerate() {
            let primitives = model.meshes.get(instance.mesh).map_or(&[][..], |mesh| &mesh.primitives);
            for (p, primitive) in primitives.iter().enumerate() {
                let mut targets: Vec<Target> =
                    out.iter_mut().map(|out| Target::of(out, number, (at, p), primitive)).collect();
                number += 1;
                scratch.prepare(model, (at, instance), primitive, modes, pose);
                let rows = self.rows.get(instance.mesh).and_then(|rows| rows.get(p)?.as_ref());
                let skin = skin_of(model, instance, primitive.influences.is_some());
                match rows.filter(|_| skin.is_some()) {
                    Some(rows) => {
                        let source = Source::of(model, instance, (p, primitive), modes, scratch);
                        let joints = &scratch.joints;
                        Level::Best.run(SkinAll { source, joints, rows, modes, targets: &mut targets });
                    }
                    None => follow(
                        &Source::of(model, instance, (p, primitive), &[], scratch),
                        scratch.joints.motion(0),
                        &mut targets,
                    ),
                }
            }
        }
        out.iter_mut().for_each(|out| out.truncate(number));
    }
}

impl Scratch {
    /// Prepares the joints, morphed vertices and shares of a primitive.
    fn prepare(
        &mut self,
        model: &Model,
        (number, instance): (usize, &Instance),
        primitive: &Primitive,
        modes: &[SkinningMode],
        pose: &Pose,
    ) {
        let has_influences = primitive.influences.is_some();
        self.joints.prepare(model, (number, instance), has_influences, pose);
        let weights = morph::weights_of(&model.rig, instance, &pose.weights);
        let morphs = primitive.morphs.as_ref();
        let [positions, normals] = [
            (&primitive.positions[..], morphs.and_then(|morphs| morphs.positions.as_ref())),
            (
                primitive.normals.as_deref().unwrap_or_default(),
                morphs.and_then(|morphs| morphs.normals.as_ref()),
            ),
        ];
        for ((stored, deltas), out) in [(positions, &mut self.positions), (normals, &mut self.normals)] {
            out.clear();
            let morphed =
                |(vertex, &stored): (usize, &[f32; 3])| morph_exactly(stored, deltas, vertex, weights).0;
            out.extend(stored.iter().enumerate().map(morphed).map(DVec3::from_array));
        }
        self.shares.clear();
        if let (true, Some(skin)) =
            (modes.contains(&SkinningMode::Blended), skin_of(model, instance, has_influences))
        {
            pose.skins.shares.of_vertices_into(skin, primitive, &mut self.shares);
        }
    }
}

/// The vertices of a primitive.
struct Source<'a> {
    positions: &'a [DVec3],
    normals: &'a [DVec3],
    /// The inputs of modes besides these.
    own: Vertices<'a>,
}

impl<'a> Source<'a> {
    fn of(
        model: &'a Model,
        instance: &Instance,
        (number, primitive): (usize, &'a Primitive),
        modes: &[SkinningMode],
        scratch: &'a Scratch,
    ) -> Self {
        let Scratch { positions, normals, shares, .. } = scratch;
        let needs_centers = modes.iter().any(|mode| mode.facts().needs_centers);
        let skin = instance.skin.filter(|_| needs_centers);
        let centers = skin.and_then(|skin| centers::of(model, skin, instance.mesh, number));
        let shares = (!shares.is_empty()).then_some(&shares[..]);
        Self { positions, normals, own: Vertices { shares, centers, ..Vertices::of(primitive) } }
    }
}

/// The memory for the results of a mode.
struct Target<'a> {
    positions: &'a mut [[f64; 3]],
    normals: &'a mut [[f64; 3]],
}

impl<'a> Target<'a> {
    /// Makes room for a primitive, in the memory of an earlier one if there is any.
    fn of(
        out: &'a mut Vec<SkinnedPrimitive<f64>>,
        number: usize,
        (instance, p): (usize, usize),
        primitive: &Primitive,
    ) -> Self {
        if out.len() <= number {
            let (positions, normals, tangents) = (Vec::new(), None, None);
            out.push(SkinnedPrimitive { instance, primitive: p, positions, normals, tangents });
        }
        let out = &mut out[number];
        (out.instance, out.primitive) = (instance, p);
        let count = primitive.positions.len();
        out.positions.resize(count, [0.0; 3]);
        let normals = primitive.normals.as_ref().map(|normals| {
            let mut room = out.normals.take().unwrap_or_default();
            room.resize(normals.len().min(count), [0.0; 3]);
            room
        });
        out.normals = normals;
        Self { positions: &mut out.positions, normals: out.normals.as_deref_mut().unwrap_or_default() }
    }

    /// Writes a vertex.
    #[inline(always)]
    fn put(&mut self, source: &Source, vertex: usize, Move { b, cofactors, side }: &Move) {
        if let (Some(out), Some(position)) = (self.positions.get_mut(vertex), source.positions.get(vertex)) {
            *out = b.transform_point3(*position).to_array();
        }
        if let (Some(out), Some(&normal)) = (self.normals.get_mut(vertex), source.normals.get(vertex)) {
            *out = (*cofactors * normal * *side).try_normalize().unwrap_or(normal).to_array();
        }
    }

    /// Writes a vertex that has a separate transform.
    #[inline(always)]
    fn put_alone(&mut self, source: &Source, vertex: usize, b: DAffine3) {
        let cofactors = reference::cofactor(&b.matrix3);
        self.put(source, vertex, &Move { b, cofactors, side: reference::orientation(&b.matrix3) });
    }
}

/// Moves all vertices by one joint.
fn follow(source: &Source, joint: &JointMotion, targets: &mut [Target]) {
    for target in targets {
        for vertex in 0..source.positions.len() {
            target.put_alone(source, vertex, joint.m);
        }
    }
}

/// Skins a primitive in all modes.
struct SkinAll<'a, 'b> {
    source: Source<'a>,
    joints: &'a Joints,
    rows: &'a Rows,
    modes: &'a [SkinningMode],
    targets: &'a mut [Target<'b>],
}

impl<S> Task<S> for SkinAll<'_, '_> {
    #[inline(always)]
    fn run(self, _simd: S) {
        let Self { source, joints, rows, modes, targets } = self;
        for begin in (0..rows.len()).step_by(LANES) {
            let block = Block::new(rows, begin, joints);
            let vertices = |lane: usize| rows.vertices(begin + lane).iter().map(|vertex| *vertex as usize);
            for (&mode, target) in modes.iter().zip(targets.iter_mut()) {
                let alone_in = |lane: usize, target: &mut Target| {
                    alone(mode, rows.influences(begin + lane), joints, &source, vertices(lane), target);
                };
                match mode {
                    SkinningMode::Rigid => alike(block.first(), &source, vertices, target),
                    SkinningMode::Linear => alike(block.linear(), &source, vertices, target),
                    SkinningMode::DualQuat => alike(block.turned(true), &source, vertices, target),
                    SkinningMode::DualQuatRigid => alike(block.turned(false), &source, vertices, target),
                    SkinningMode::Blended => shared_out(&block, &source, vertices, target),
                    SkinningMode::CenterOfRotation => centered(&block, &source, vertices, target),
                    SkinningMode::DualQuatBlender => (0..LANES).for_each(|lane| alone_in(lane, target)),
                }
            }
        }
    }
}

/// Skins the vertices of a block in a mode in which all vertices of a row move alike.
#[inline(always)]
fn alike<I: Iterator<Item = usize>>(
    transforms: Transforms,
    source: &Source,
    vertices: impl Fn(usize) -> I,
    target: &mut Target,
) {
    let moves = Moves::new(transforms);
    for lane in 0..LANES {
        let moved = moves.get(lane);
        vertices(lane).for_each(|vertex| target.put(source, vertex, &moved));
    }
}

/// Skins the vertices of a block in *blend*.
#[inline(always)]
fn shared_out<I: Iterator<Item = usize>>(
    block: &Block,
    source: &Source,
    vertices: impl Fn(usize) -> I,
    target: &mut Target,
) {
    let (linear, turned) = (block.linear(), block.turned(true));
    for lane in 0..LANES {
        let (linear, turned) = (linear.get(lane), turned.get(lane));
        for vertex in vertices(lane) {
            let share = Own::of(&source.own, vertex, [0.0; 3]).share;
            target.put_alone(source, vertex, reference::between(&linear, &turned, share));
        }
    }
}

/// Skins the vertices of a block in *cor*.
#[inline(always)]
fn centered<I: Iterator<Item = usize>>(
    block: &Block,
    source: &Source,
    vertices: impl Fn(usize) -> I,
    target: &mut Target,
) {
    let (linear, moves) = (block.linear(), Moves::new(block.turned(true)));
    for lane in 0..LANES {
        let linear = linear.get(lane);
        let Move { b: turned, cofactors, side } = moves.get(lane);
        for vertex in vertices(lane) {
            let center = Own::of(&source.own, vertex, [0.0; 3]).center;
            let b = reference::about(&linear, &turned, center);
            target.put(source, vertex, &Move { b, cofactors, side });
        }
    }
}

/// Skins the vertices of a row one by one.
fn alone(
    mode: SkinningMode,
    row: &[rows::Influence],
    joints: &Joints,
    source: &Source,
    vertices: impl Iterator<Item = usize>,
    target: &mut Target,
) {
    let mut influences = [(joints.motion(u32::MAX), 0.0); MAX_JOINTS];
    for (to, &(joint, weight)) in influences.iter_mut().zip(row) {
        *to = (joints.motion(joint), f64::from(weight));
    }
    let influences = influences.get(..row.len()).unwrap_or_default();
    for vertex in vertices {
        let position = source.positions.get(vertex).copied().unwrap_or_default();
        let own = Own::of(&source.own, vertex, position.to_array());
        target.put_alone(source, vertex, reference::blended(mode, influences, &own).b);
    }
}
