//! The positions and normals of the `f64` reference for whole models, in several modes at once. They have the bits of
//! [`crate::reference`], which stays the definition. Joints are decomposed once per pose, equal joints and
//! weights are blended once, and many of them are blended side by side.

#![allow(clippy::needless_range_loop, reason = "a lane is an index into many arrays")]

mod block;
mod joints;
mod rows;
#[cfg(test)]
mod tests;
mod truths;

use crate::ddm_terms;
use crate::morph::{self, morph_exactly};
use crate::pose::Pose;
use crate::posed::SkinnedPrimitive;
use crate::reference::{self, Blended, JointMotion, Own};
use crate::twin::Vertices;
use crate::vectors::{Level, Task};
use crate::{SkinningMode, centers, skin_of};
use block::{Block, NO_TRANSFORMS, NO_VECTORS, Number, Transforms, Vectors};
use glam::{DAffine3, DVec3};
use joints::Joints;
use rows::{LANES, MAX_JOINTS, Round, Rows};
use sinew_model::{DdmRow, DdmRows, Instance, Model, Primitive};
use std::sync::Arc;

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
    ddm: Option<Arc<DdmRows>>,
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
        self.skin_streams(model, (modes, true), pose, scratch, out);
    }

    /// Runs [`Surfaces::skin`] without normals.
    pub fn skin_positions(
        &self,
        model: &Model,
        modes: &[SkinningMode],
        pose: &Pose,
        scratch: &mut Scratch,
        out: &mut Vec<Vec<SkinnedPrimitive<f64>>>,
    ) {
        self.skin_streams(model, (modes, false), pose, scratch, out);
    }

    fn skin_streams(
        &self,
        model: &Model,
        (modes, has_normals): (&[SkinningMode], bool),
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
                let mut targets: Vec<Target> = out
                    .iter_mut()
                    .map(|out| Target::of(out, number, (at, p), primitive, has_normals))
                    .collect();
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
        self.shares.clear();
        let skin = skin_of(model, instance, has_influences);
        if let (true, Some(skin)) = (modes.contains(&SkinningMode::Blended), skin) {
            pose.skins.shares.of_vertices_into(skin, primitive, &mut self.shares);
        }
        let needs_ddm = skin.is_some() && modes.iter().any(|mode| mode.facts().needs_ddm);
        self.ddm = if needs_ddm { ddm_terms::of(model, instance.mesh) } else { None };
        if skin.is_some() && morphs.is_none() && !modes.iter().any(|mode| is_alone(*mode)) {
            // The rows have them.
            return;
        }
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
    }
}

/// The vertices of a primitive.
struct Source<'a> {
    positions: &'a [DVec3],
    normals: &'a [DVec3],
    /// True if targets may have moved them, so that they differ from those of the rounds.
    is_morphed: bool,
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
        let Scratch { positions, normals, shares, ddm, .. } = scratch;
        let needs_centers = modes.iter().any(|mode| mode.facts().needs_centers);
        let skin = instance.skin.filter(|_| needs_centers);
        let centers = skin.and_then(|skin| centers::of(model, skin, instance.mesh, number));
        let shares = (!shares.is_empty()).then_some(&shares[..]);
        let is_morphed = primitive.morphs.is_some();
        let ddm = ddm.as_ref().map(|rows| (&**rows, number));
        let own = Vertices { shares, centers, ddm, ..Vertices::of(primitive) };
        Self { positions, normals, is_morphed, own }
    }
}

impl Source<'_> {
    /// Copies the vertices of a round.
    #[inline(always)]
    fn gather(&self, round: &Round, Room { positions, normals, .. }: &mut Room) {
        if self.is_morphed {
            for lane in 0..LANES {
                let of = |stream: &[DVec3]| stream.get(round.vertices[lane] as usize).copied();
                block::set_vector(positions, lane, of(self.positions).unwrap_or_default());
                block::set_vector(normals, lane, of(self.normals).unwrap_or_default());
            }
            return;
        }
        for axis in 0..3 {
            for lane in 0..LANES {
                positions[axis][lane] = f64::from(round.positions[axis][lane]);
                normals[axis][lane] = f64::from(round.normals[axis][lane]);
            }
        }
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
        has_normals: bool,
    ) -> Self {
        if out.len() <= number {
            let (positions, normals, tangents) = (Vec::new(), None, None);
            out.push(SkinnedPrimitive { instance, primitive: p, positions, normals, tangents });
        }
        let out = &mut out[number];
        (out.instance, out.primitive) = (instance, p);
        let count = primitive.positions.len();
        out.positions.resize(count, [0.0; 3]);
        let normals = primitive.normals.as_ref().filter(|_| has_normals).map(|normals| {
            let mut room = out.normals.take().unwrap_or_default();
            room.resize(normals.len().min(count), [0.0; 3]);
            room
        });
        out.normals = normals;
        Self { positions: &mut out.positions, normals: out.normals.as_deref_mut().unwrap_or_default() }
    }

    /// Writes a vertex.
    #[inline(always)]
    fn put(&mut self, source: &Source, vertex: usize, b: DAffine3) {
        if let (Some(out), Some(position)) = (self.positions.get_mut(vertex), source.positions.get(vertex)) {
            *out = b.transform_point3(*position).to_array();
        }
        if let (Some(out), Some(&normal)) = (self.normals.get_mut(vertex), source.normals.get(vertex)) {
            *out = reference::transform_normal(&b.matrix3, normal).to_array();
        }
    }

    /// Writes the vertices of a round.
    #[inline(always)]
    fn put_round(&mut self, round: &Round, transforms: &Transforms, room: &mut Room) {
        let Room { positions, normals, moved, .. } = room;
        block::move_positions(transforms, positions, moved);
        scatter(moved, round, self.positions);
        if !self.normals.is_empty() {
            block::move_normals(transforms, normals, moved);
            scatter(moved, round, self.normals);
        }
    }
}

/// Writes vectors to the vertices of a round.
#[inline(always)]
fn scatter(vectors: &Vectors, round: &Round, out: &mut [[f64; 3]]) {
    for lane in 0..LANES {
        if let Some(out) = out.get_mut(round.vertices[lane] as usize) {
            *out = [vectors[0][lane], vectors[1][lane], vectors[2][lane]];
        }
    }
}

/// Moves all vertices by one joint.
fn follow(source: &Source, joint: &JointMotion, targets: &mut [Target]) {
    for target in targets {
        for vertex in 0..source.positions.len() {
            target.put(source, vertex, joint.m);
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
        let has = |of: &[SkinningMode]| modes.iter().any(|mode| of.contains(mode));
        let is_stretched =
            has(&[SkinningMode::DualQuat, SkinningMode::Blended, SkinningMode::CenterOfRotation]);
        let mut block = Block::new(joints, is_stretched || has(&[SkinningMode::DualQuatRigid]));
        let (mut turned, mut made, mut room) = (NO_TRANSFORMS, NO_TRANSFORMS, Room::new());
        for number in 0..rows.blocks() {
            block.sum(|lane| rows.influences(number, lane));
            if is_stretched {
                block.turned(true, &mut turned);
            }
            for round in rows.rounds(number) {
                source.gather(round, &mut room);
                for at in 0..modes.len().min(targets.len()) {
                    let transforms = match modes[at] {
                        SkinningMode::Linear => block.linear(),
                        SkinningMode::DualQuat => &turned,
                        mode if is_alone(mode) => continue,
                        mode => {
                            make(mode, (&mut block, &turned), round, (&source, &mut room), &mut made);
                            &made
                        }
                    };
                    targets[at].put_round(round, transforms, &mut room);
                }
            }
            for at in 0..modes.len().min(targets.len()) {
                if is_alone(modes[at]) {
                    for lane in 0..LANES {
                        let (row, vertices) = (rows.influences(number, lane), rows.vertices(number, lane));
                        alone(modes[at], row, joints, &source, vertices, &mut targets[at]);
                    }
                }
            }
        }
    }
}

/// Makes the transforms of a round in a mode that has separate ones. `turned` are those of dual quaternions with the stretch.
#[inline(always)]
fn make(
    mode: SkinningMode,
    (block, turned): (&mut Block, &Transforms),
    round: &Round,
    (source, room): (&Source, &mut Room),
    out: &mut Transforms,
) {
    let own = |lane: usize| Own::of(&source.own, round.vertices[lane] as usize, [0.0; 3]);
    match mode {
        SkinningMode::DualQuatRigid => block.turned(false, out),
        SkinningMode::Blended => {
            for lane in 0..LANES {
                room.shares[lane] = own(lane).share;
            }
            block::share_out(block.linear(), turned, &room.shares, out);
        }
        SkinningMode::CenterOfRotation => {
            for lane in 0..LANES {
                block::set_vector(&mut room.centers, lane, own(lane).center);
            }
            block::turn_about(block.linear(), turned, &room.centers, out);
        }
        SkinningMode::Rigid
        | SkinningMode::Linear
        | SkinningMode::DualQuat
        | SkinningMode::DualQuatBlender
        | SkinningMode::DirectDeltaMush => block.first(out),
    }
}

/// The numbers of the vertices of a round.
struct Room {
    positions: Vectors,
    normals: Vectors,
    centers: Vectors,
    shares: Number,
    moved: Vectors,
}

impl Room {
    #[inline(always)]
    fn new() -> Self {
        let none = NO_VECTORS;
        Self { positions: none, normals: none, centers: none, shares: [0.0; LANES], moved: none }
    }
}

/// Returns true for a mode whose vertices differ however equal their joints are.
fn is_alone(mode: SkinningMode) -> bool {
    matches!(mode, SkinningMode::DualQuatBlender | SkinningMode::DirectDeltaMush)
}

/// Skins the vertices of a row one by one.
fn alone(
    mode: SkinningMode,
    row: &[rows::Influence],
    joints: &Joints,
    source: &Source,
    vertices: &[u32],
    target: &mut Target,
) {
    let mut room = [(joints.motion(u32::MAX), 0.0); MAX_JOINTS];
    let influences = influences_into(row, joints, &mut room);
    for vertex in vertices.iter().map(|vertex| *vertex as usize) {
        let position = source.positions.get(vertex).copied().unwrap_or_default();
        let b = match surroundings(mode, source, vertex) {
            Some(row) => reference::turned_with_surroundings(&row, |number| joint(joints, number)),
            None => {
                reference::blended(mode, influences, &Own::of(&source.own, vertex, position.to_array())).b
            }
        };
        target.put(source, vertex, b);
    }
}

/// Blends the joints of one vertex, in *ddm* those of its surroundings.
fn blended_alone(
    mode: SkinningMode,
    influences: &[(&JointMotion, f64)],
    joints: &Joints,
    (source, vertex): (&Source, usize),
    position: DVec3,
) -> Blended {
    match surroundings(mode, source, vertex) {
        Some(row) => reference::turn_with_surroundings(&row, position, |number| joint(joints, number)),
        None => reference::blended(mode, influences, &Own::of(&source.own, vertex, position.to_array())),
    }
}

/// Returns the terms of a vertex in a mode that reads them.
fn surroundings<'a>(mode: SkinningMode, source: &'a Source, vertex: usize) -> Option<DdmRow<'a>> {
    source.own.ddm_of(vertex).filter(|_| mode.facts().needs_ddm)
}

fn joint(joints: &Joints, number: i32) -> &JointMotion {
    joints.motion(u32::try_from(number).unwrap_or(u32::MAX))
}

/// Lists the joints of a row with their weights.
fn influences_into<'a, 'b>(
    row: &[rows::Influence],
    joints: &'a Joints,
    room: &'b mut [(&'a JointMotion, f64); MAX_JOINTS],
) -> &'b [(&'a JointMotion, f64)] {
    for (to, &(joint, weight)) in room.iter_mut().zip(row) {
        *to = (joints.motion(joint), f64::from(weight));
    }
    room.get(..row.len()).unwrap_or_default()
}
