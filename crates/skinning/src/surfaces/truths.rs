//! All that the reference knows of skinned vertices: tangents and conditioning besides positions and normals.
#![allow(clippy::needless_range_loop, reason = "a lane is an index into many arrays")]

use super::block::{self, Block, NO_TRANSFORMS, NO_VECTORS, Number, Transforms, Vectors};
use super::joints::Joints;
use super::rows::{LANES, MAX_JOINTS, Round, Rows};
use super::{Room, Scratch, Source, Surfaces, blended_alone, influences_into, is_alone, make, scatter};
use crate::morph::{self, morph_exactly};
use crate::pose::Pose;
use crate::posed::{SkinnedPrimitive, Truth, reference_primitive};
use crate::reference::{self, Blended, is_orientation_certain, transform_tangent};
use crate::vectors::{Level, Task};
use crate::{SkinningMode, skin_of};
use glam::DVec4;
use sinew_model::{Model, Primitive};

impl Surfaces {
    /// Skins the whole model in a mode, into reused memory: the truths of
    /// [`reference_model`](crate::posed::reference_model). `model` must be the one that this was made of.
    pub fn truths(
        &self,
        model: &Model,
        mode: SkinningMode,
        pose: &Pose,
        scratch: &mut Scratch,
        out: &mut Vec<Truth>,
    ) {
        scratch.joints.forget();
        let mut number = 0;
        for (at, instance) in model.instances.iter().enumerate() {
            let primitives = model.meshes.get(instance.mesh).map_or(&[][..], |mesh| &mesh.primitives);
            for (p, primitive) in primitives.iter().enumerate() {
                let rows = self.rows.get(instance.mesh).and_then(|rows| rows.get(p)?.as_ref());
                let skin = skin_of(model, instance, primitive.influences.is_some());
                let rows = rows.filter(|_| skin.is_some() && is_whole(primitive));
                let Some(rows) = rows else {
                    let defined = reference_primitive(model, (at, p), mode, pose);
                    put(out, number, defined.unwrap_or_else(empty));
                    number += 1;
                    continue;
                };
                scratch.prepare(model, (at, instance), primitive, &[mode], pose);
                let source = Source::of(model, instance, (p, primitive), &[mode], scratch);
                if out.len() <= number {
                    put(out, number, empty());
                }
                let truth = &mut out[number];
                make_room(truth, (at, p), primitive, mode);
                number += 1;
                let weights = morph::weights_of(&model.rig, instance, &pose.weights);
                let joints = &scratch.joints;
                Level::Best.run(FindAll { source, joints, rows, mode, primitive, weights, truth });
            }
        }
        out.truncate(number);
    }
}

fn put(out: &mut Vec<Truth>, number: usize, truth: Truth) {
    match out.get_mut(number) {
        Some(out) => *out = truth,
        None => out.push(truth),
    }
}

/// Returns true if each vertex has all that any of them has.
fn is_whole(primitive: &Primitive) -> bool {
    let count = primitive.positions.len();
    primitive.normals.as_ref().is_none_or(|normals| normals.len() == count)
        && primitive.tangents.as_ref().is_none_or(|tangents| tangents.len() == count)
}

fn empty() -> Truth {
    let (positions, normals, tangents) = (Vec::new(), None, None);
    let skinned = SkinnedPrimitive { instance: 0, primitive: 0, positions, normals, tangents };
    let (reaches, steadiness, is_side_certain) = Default::default();
    Truth { skinned, reach: 0.0, reaches, steadiness, is_side_certain }
}

/// Makes room for the vertices of a primitive.
fn make_room(truth: &mut Truth, (instance, p): (usize, usize), primitive: &Primitive, mode: SkinningMode) {
    let Truth { skinned, reach, reaches, steadiness, is_side_certain } = truth;
    (skinned.instance, skinned.primitive, *reach) = (instance, p, 0.0);
    let count = primitive.positions.len();
    reaches.resize(if mode.facts().needs_ddm { count } else { 0 }, 0.0);
    skinned.positions.resize(count, [0.0; 3]);
    let has_normals = primitive.normals.is_some();
    let directions = if has_normals { count } else { 0 };
    steadiness.resize(directions, 0.0);
    is_side_certain.resize(directions, true);
    let mut room = skinned.normals.take().unwrap_or_default();
    room.resize(count, [0.0; 3]);
    skinned.normals = has_normals.then_some(room);
    let mut room = skinned.tangents.take().unwrap_or_default();
    room.resize(count, [0.0; 4]);
    skinned.tangents = (has_normals && primitive.tangents.is_some()).then_some(room);
}

/// Finds the truths of a primitive.
struct FindAll<'a> {
    source: Source<'a>,
    joints: &'a Joints,
    rows: &'a Rows,
    mode: SkinningMode,
    primitive: &'a Primitive,
    /// The weights of morph targets.
    weights: &'a [f64],
    truth: &'a mut Truth,
}

/// The transforms of a round, and what limits their digits: see [`Blended`].
struct Mixed {
    transforms: Transforms,
    size: Number,
    summed: Number,
}

/// The vertices of a round besides [`Room`]'s: tangents, and the sizes of all terms that sum to a vertex.
struct Terms {
    tangents: Vectors,
    handedness: Number,
    positions: Vectors,
    of_normals: Vectors,
    of_tangents: Vectors,
    steadiness: Number,
    is_side_certain: [bool; LANES],
    reach: Number,
}

impl<S> Task<S> for FindAll<'_> {
    #[inline(always)]
    fn run(self, _simd: S) {
        let Self { source, joints, rows, mode, primitive, weights, truth } = self;
        let mut block = Block::new(joints, true);
        let mut mixed = Mixed { transforms: NO_TRANSFORMS, size: [0.0; LANES], summed: [0.0; LANES] };
        let (mut turned, mut room) = (NO_TRANSFORMS, Room::new());
        let mut terms = Terms::new();
        let has_tangents = truth.skinned.tangents.is_some();
        for number in 0..rows.blocks() {
            block.sum(|lane| rows.influences(number, lane));
            block.turned(true, &mut turned);
            for round in rows.rounds(number) {
                source.gather(round, &mut room);
                terms.gather(round, &room, primitive, weights, has_tangents);
                match is_alone(mode) {
                    true => each_alone(mode, (rows, number), joints, (&source, round, &room), &mut mixed),
                    false => mix(mode, (&mut block, &turned), round, (&source, &mut room), &mut mixed),
                }
                terms.measure_positions(&mixed, round, &mut room, &mut truth.reaches);
                scatter(&room.moved, round, &mut truth.skinned.positions);
                let Some(normals) = &mut truth.skinned.normals else { continue };
                block::move_normals(&mixed.transforms, &room.normals, &mut room.moved);
                scatter(&room.moved, round, normals);
                terms.measure_normals(&mixed, &room);
                if let Some(tangents) = &mut truth.skinned.tangents {
                    terms.measure_tangents(&mixed, &room);
                    terms.put_tangents(round, tangents);
                }
                terms.put_certainty(round, truth);
            }
        }
        truth.reach = terms.reach.into_iter().fold(0.0, f64::max);
    }
}

/// Blends the transforms of a round, with the sizes of their terms.
#[inline(always)]
fn mix(
    mode: SkinningMode,
    (block, turned): (&mut Block, &Transforms),
    round: &Round,
    (source, room): (&Source, &mut Room),
    out: &mut Mixed,
) {
    out.summed = [0.0; LANES];
    match mode {
        SkinningMode::Linear => out.transforms = *block.linear(),
        SkinningMode::DualQuat => out.transforms = *turned,
        SkinningMode::Rigid
        | SkinningMode::Blended
        | SkinningMode::CenterOfRotation
        | SkinningMode::DualQuatBlender
        | SkinningMode::DualQuatRigid
        | SkinningMode::DirectDeltaMush => {
            make(mode, (block, turned), round, (source, room), &mut out.transforms);
        }
    }
    let ([linear, stretched], divisors) = (block.sizes(), block.divisors());
    match mode {
        SkinningMode::Rigid | SkinningMode::DualQuatBlender | SkinningMode::DirectDeltaMush => {
            block.first_sizes(&mut out.size)
        }
        SkinningMode::Linear => out.size = *linear,
        SkinningMode::DualQuat
        | SkinningMode::Blended
        | SkinningMode::CenterOfRotation
        | SkinningMode::DualQuatRigid => {
            for lane in 0..LANES {
                let turned = stretched[lane] / divisors[lane];
                out.size[lane] = match mode {
                    SkinningMode::DualQuatRigid => 1.0 / divisors[lane],
                    SkinningMode::Blended => {
                        linear[lane] * (1.0 - room.shares[lane]) + turned * room.shares[lane]
                    }
                    _ => turned,
                };
                if mode == SkinningMode::CenterOfRotation {
                    let center = block::vector(&room.centers, lane).abs().max_element();
                    out.summed[lane] = linear[lane].max(turned) * center;
                }
            }
        }
    }
}

/// Blends the transforms of a round one by one.
fn each_alone(
    mode: SkinningMode,
    (rows, block): (&Rows, usize),
    joints: &Joints,
    (source, round, room): (&Source, &Round, &Room),
    out: &mut Mixed,
) {
    let mut list = [(joints.motion(u32::MAX), 0.0); MAX_JOINTS];
    for lane in 0..LANES {
        let influences = influences_into(rows.influences(block, lane), joints, &mut list);
        let (vertex, position) = (round.vertices[lane] as usize, block::vector(&room.positions, lane));
        let Blended { b, size, summed } = blended_alone(mode, influences, joints, (source, vertex), position);
        block::set(&mut out.transforms, lane, &b);
        (out.size[lane], out.summed[lane]) = (size, summed);
    }
}

impl Terms {
    #[inline(always)]
    fn new() -> Self {
        Self {
            tangents: NO_VECTORS,
            handedness: [0.0; LANES],
            positions: NO_VECTORS,
            of_normals: NO_VECTORS,
            of_tangents: NO_VECTORS,
            steadiness: [0.0; LANES],
            is_side_certain: [true; LANES],
            reach: [0.0; LANES],
        }
    }

    /// Copies the vertices of a round.
    #[inline(always)]
    fn gather(
        &mut self,
        round: &Round,
        room: &Room,
        primitive: &Primitive,
        weights: &[f64],
        has_tangents: bool,
    ) {
        for axis in 0..3 {
            for lane in 0..LANES {
                self.positions[axis][lane] = room.positions[axis][lane].abs();
                self.of_normals[axis][lane] = room.normals[axis][lane].abs();
            }
        }
        if let Some(morphs) = &primitive.morphs {
            for lane in 0..LANES {
                let vertex = round.vertices[lane] as usize;
                let stored = primitive.positions.get(vertex).copied().unwrap_or_default();
                let (_, sizes) = morph_exactly(stored, morphs.positions.as_ref(), vertex, weights);
                block::set_vector(&mut self.positions, lane, sizes.into());
                let normals = primitive.normals.as_deref().unwrap_or_default();
                let stored = normals.get(vertex).copied().unwrap_or_default();
                let (_, sizes) = morph_exactly(stored, morphs.normals.as_ref(), vertex, weights);
                block::set_vector(&mut self.of_normals, lane, sizes.into());
            }
        }
        let deltas = primitive.morphs.as_ref().and_then(|morphs| morphs.tangents.as_ref());
        let tangents = primitive.tangents.as_deref().filter(|_| has_tangents).unwrap_or_default();
        for lane in 0..LANES {
            let vertex = round.vertices[lane] as usize;
            let Some(&stored) = tangents.get(vertex) else { continue };
            let (tangent, sizes) = morph_exactly(stored, deltas, vertex, weights);
            let [tangent, sizes] = [tangent, sizes].map(DVec4::from_array);
            block::set_vector(&mut self.tangents, lane, tangent.truncate());
            self.handedness[lane] = tangent.w;
            block::set_vector(&mut self.of_tangents, lane, sizes.truncate());
        }
    }

    /// Moves the positions, and finds how far they and their terms reach, in *ddm* each by itself.
    #[inline(always)]
    fn measure_positions(&mut self, mixed: &Mixed, round: &Round, room: &mut Room, reaches: &mut [f64]) {
        block::move_positions(&mixed.transforms, &room.positions, &mut room.moved);
        if !reaches.is_empty() {
            for lane in 0..LANES {
                let moved = block::vector(&room.moved, lane).abs().max_element();
                self.reach[lane] = self.reach[lane].max(moved);
                if let Some(reach) = reaches.get_mut(round.vertices[lane] as usize) {
                    *reach = mixed.summed[lane];
                }
            }
            return;
        }
        for lane in 0..LANES {
            let moved = block::vector(&room.moved, lane).abs().max_element();
            let terms = mixed.size[lane] * block::vector(&self.positions, lane).abs().max_element();
            self.reach[lane] = self.reach[lane].max(moved).max(terms).max(mixed.summed[lane]);
        }
    }

    /// Measures the steadiness of the normals, of which the room has the unskinned ones.
    #[inline(always)]
    fn measure_normals(&mut self, mixed: &Mixed, room: &Room) {
        for lane in 0..LANES {
            let (b, size) = (block::get(&mixed.transforms, lane).matrix3, mixed.size[lane]);
            let normal = block::vector(&room.normals, lane);
            let summed = block::vector(&self.of_normals, lane).length();
            self.steadiness[lane] = (reference::cofactor(&b) * normal).length() / (size * size * summed);
            self.is_side_certain[lane] = is_orientation_certain(&b, size);
        }
    }

    /// Turns the tangents, and multiplies the steadiness by theirs. The room has the moved normals.
    #[inline(always)]
    fn measure_tangents(&mut self, mixed: &Mixed, room: &Room) {
        for lane in 0..LANES {
            let (b, size) = (block::get(&mixed.transforms, lane).matrix3, mixed.size[lane]);
            let moved = block::vector(&room.moved, lane);
            let unskinned = block::vector(&self.tangents, lane);
            let turned = transform_tangent(&b, unskinned.extend(self.handedness[lane]), moved);
            let along = b * unskinned;
            let across = (along - moved * moved.dot(along)).length();
            let summed = block::vector(&self.of_tangents, lane).length();
            self.steadiness[lane] *= across / (size * summed);
            block::set_vector(&mut self.tangents, lane, turned.truncate());
            self.handedness[lane] = turned.w;
        }
    }
    /// Writes the tangents of a round.
    #[inline(always)]
    fn put_tangents(&self, round: &Round, out: &mut [[f64; 4]]) {
        let [x, y, z] = &self.tangents;
        for lane in 0..LANES {
            if let Some(out) = out.get_mut(round.vertices[lane] as usize) {
                *out = [x[lane], y[lane], z[lane], self.handedness[lane]];
            }
        }
    }

    /// Writes what is known of the directions of a round.
    #[inline(always)]
    fn put_certainty(&self, round: &Round, out: &mut Truth) {
        for lane in 0..LANES {
            let vertex = round.vertices[lane] as usize;
            let steady = self.steadiness[lane];
            if let Some(out) = out.steadiness.get_mut(vertex) {
                // A NaN is not steady.
                *out = if steady.is_nan() { 0.0 } else { steady.min(1.0) };
            }
            if let Some(out) = out.is_side_certain.get_mut(vertex) {
                *out = self.is_side_certain[lane];
            }
        }
    }
}
