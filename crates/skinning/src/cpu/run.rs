//! Processes the blocks of one run, and lets the twin redo the vertices that the fast arithmetic cannot compute.

use super::arithmetic::{Arithmetic, Motion, all_lanes, load3};
use super::blend::{Blend, PerVertex};
use super::layout::{Blocks, Common, Run};
use super::sink::Sink;
use crate::vectors::{ROW, Row, Simd, Task, Vector};
use crate::{Affine, SkinningMode, Slot, VertexSkin, affine};
use std::marker::PhantomData;
use std::ops::Range;

/// The destinations of a window.
pub struct Sinks<'a> {
    pub positions: Sink<'a, 3>,
    pub normals: Sink<'a, 3>,
    pub tangents: Sink<'a, 4>,
}

/// The destinations of one block's vertices.
struct Places<'a> {
    positions: Option<&'a mut [[f32; 3]; ROW]>,
    normals: Option<&'a mut [[f32; 3]; ROW]>,
    tangents: Option<&'a mut [[f32; 4]; ROW]>,
}

/// The input of all runs.
#[derive(Clone, Copy)]
pub struct All<'a> {
    pub blocks: &'a Blocks,
    pub mode: SkinningMode,
    pub slots: &'a [Slot],
    pub is_unit: bool,
}

/// Blocks of one run.
pub struct Here<'a> {
    pub all: All<'a>,
    pub run: &'a Run,
    /// The stored weights, as many rows per block as `weight_rows`.
    weights: &'a [Row],
    weight_rows: usize,
    pub positions: &'a [[Row; 3]],
    normals: &'a [[Row; 3]],
    tangents: &'a [[Row; 4]],
}

impl<'a> Here<'a> {
    pub fn new(all: All<'a>, run: &'a Run) -> Self {
        fn part<T>(stream: &[T], range: Range<usize>) -> &[T] {
            stream.get(range).unwrap_or(&[])
        }
        let (blocks, count, weight_rows) = (all.blocks, run.blocks(), run.weight_rows());
        let (first_row, first) = (run.weights as usize, run.first_block as usize);
        let its = first..first + count;
        Self {
            all,
            run,
            weights: part(&blocks.weights, first_row..first_row + count * weight_rows),
            weight_rows,
            positions: part(&blocks.positions, its.clone()),
            normals: part(&blocks.normals, its.clone()),
            tangents: part(&blocks.tangents, its),
        }
    }

    /// Returns the stored weights of a block of the run.
    #[inline(always)]
    pub fn weights(&self, number: usize) -> &'a [Row] {
        let from = number * self.weight_rows;
        self.weights.get(from..from + self.weight_rows).unwrap_or(&[])
    }

    /// Returns the weights of all joints of a mixed run, for a block of it.
    #[inline(always)]
    pub fn common_weights(&self, number: usize) -> &'a [Row] {
        let Common { count, weights, .. } = self.run.common;
        let from = weights as usize + number * usize::from(count);
        self.all.blocks.weights.get(from..from + usize::from(count)).unwrap_or(&[])
    }

    /// Returns the index among all blocks of a block of the run.
    #[inline(always)]
    pub fn block(&self, number: usize) -> usize {
        self.run.first_block as usize + number
    }

    /// Returns the transform of the run's first joint alone, as the mode computes it.
    pub fn alone(&self) -> Affine {
        let first = self.all.blocks.joints_of(self.run).first().copied();
        let joint = first.and_then(|joint| i32::try_from(joint).ok()).unwrap_or(-1);
        self.all.mode.blend(self.all.slots, &VertexSkin::of_joint(&[[joint, -1, -1, -1]]))
    }

    /// Returns the input of *blend* or *cor* for a block's vertices.
    pub fn per_vertex(&self, number: usize) -> PerVertex<'_> {
        let block = self.block(number);
        match self.all.mode {
            SkinningMode::CenterOfRotation => PerVertex::Centers(self.all.blocks.centers_of(block)),
            _ => PerVertex::Shares(self.all.blocks.shares_of(block)),
        }
    }

    /// Lets the twin skin the vertices of a block with a set bit.
    #[cold]
    #[inline(never)]
    fn redo(&self, number: usize, lanes: u32, places: &mut Places) {
        let block = self.block(number);
        let spans = usize::from(self.run.influences).div_ceil(4);
        let count = (usize::from(self.run.vertices) - number * ROW).min(ROW);
        for lane in (0..count).filter(|lane| lanes >> lane & 1 != 0) {
            let influences = self.all.blocks.influences_of(self.run, block, lane);
            let (joints, weights) = (influences.joints.as_chunks().0, influences.weights.as_chunks().0);
            let share = self.all.blocks.shares_of(block).map_or(1.0, |row| row.0[lane]);
            let center = at(self.all.blocks.centers_of(block), lane);
            let (joints, weights) = (&joints[..spans], &weights[..spans]);
            let position = at(&self.all.blocks.positions[block], lane);
            let ddm = self.all.blocks.terms.as_ref().and_then(|terms| terms.of(block, lane));
            let vertex = VertexSkin { joints, weights, share, center, position, ddm };
            let b = self.all.mode.blend(self.all.slots, &vertex);
            if let Some(positions) = &mut places.positions {
                positions[lane] = affine::transform_position(&b, position);
            }
            let Some(normal) = self.all.blocks.normals.get(block).map(|rows| at(rows, lane)) else {
                continue;
            };
            let moved_normal = affine::transform_normal(&b, normal);
            if let Some(normals) = &mut places.normals {
                normals[lane] = moved_normal;
            }
            let Some(tangent) = self.all.blocks.tangents.get(block).map(|rows| at(rows, lane)) else {
                continue;
            };
            if let Some(tangents) = &mut places.tangents {
                tangents[lane] = affine::transform_tangent(&b, tangent, moved_normal);
            }
        }
    }
}

/// Lets the twin skin all vertices of a run.
pub fn skin_by_twin(here: &Here, sinks: &mut Sinks) {
    let mut positions = sinks.positions.rooms();
    let (mut normals, mut tangents) = (sinks.normals.rooms(), sinks.tangents.rooms());
    for number in 0..here.positions.len() {
        let mut places = Places {
            positions: positions.as_mut().map(|rooms| rooms.block(number)),
            normals: normals.as_mut().map(|rooms| rooms.block(number)),
            tangents: tangents.as_mut().map(|rooms| rooms.block(number)),
        };
        here.redo(number, u32::MAX, &mut places);
    }
    let vertices = usize::from(here.run.vertices);
    sinks.positions.commit(vertices);
    sinks.normals.commit(vertices);
    sinks.tangents.commit(vertices);
}

/// Returns one vertex of a block.
fn at<const W: usize>(rows: &[Row; W], lane: usize) -> [f32; W] {
    rows.each_ref().map(|row| row.0[lane])
}

/// Processes the blocks of a run in a separate function, so that the compiler sees one blend at a time.
#[inline(always)]
pub fn skin_run<A: Arithmetic, S: Simd, B: Blend<A, S>>(
    simd: S,
    here: &Here,
    sinks: &mut Sinks,
    blend: impl Fn(usize) -> B,
) {
    simd.run(SkinRun { here, sinks, blend, arithmetic: PhantomData::<(A, B)> });
}

struct SkinRun<'a, 'b, F, A> {
    here: &'a Here<'a>,
    sinks: &'a mut Sinks<'b>,
    blend: F,
    arithmetic: PhantomData<A>,
}

impl<A: Arithmetic, S: Simd, B: Blend<A, S>, F: Fn(usize) -> B> Task<S> for SkinRun<'_, '_, F, (A, B)> {
    #[inline(always)]
    fn run(self, simd: S) {
        let Self { here, sinks, .. } = self;
        let vertices = usize::from(here.run.vertices);
        let mut room = B::ROOM;
        let mut positions = sinks.positions.rooms();
        let (mut normals, mut tangents) = (sinks.normals.rooms(), sinks.tangents.rooms());
        let has_directions = normals.is_some() || tangents.is_some();
        for number in 0..here.positions.len() {
            let blend = (self.blend)(number);
            let mut places = Places {
                positions: positions.as_mut().map(|rooms| rooms.block(number)),
                normals: normals.as_mut().map(|rooms| rooms.block(number)),
                tangents: tangents.as_mut().map(|rooms| rooms.block(number)),
            };
            let block = Block {
                positions: here.positions.get(number),
                normals: here.normals.get(number).filter(|_| has_directions),
                tangents: here.tangents.get(number),
            };
            let mut usable = 0;
            for step in 0..ROW / S::LANES {
                let at = step * S::LANES;
                let (motion, blended) = blend.motion(simd, at, &mut room);
                usable |=
                    (blended & skin_lanes(simd, &block, at, &motion, here.all.is_unit, &mut places)) << at;
            }
            if usable != (1 << ROW) - 1 {
                here.redo(number, !usable, &mut places);
            }
        }
        sinks.positions.commit(vertices);
        sinks.normals.commit(vertices);
        sinks.tangents.commit(vertices);
    }
}

/// The vertices of one block in the bind pose.
struct Block<'a> {
    positions: Option<&'a [Row; 3]>,
    normals: Option<&'a [Row; 3]>,
    tangents: Option<&'a [Row; 4]>,
}

/// Moves vertices `at..at + LANES` of a block and returns a bit for each usable lane.
#[inline(always)]
fn skin_lanes<S: Simd>(
    simd: S,
    block: &Block,
    at: usize,
    motion: &impl Motion<S>,
    is_unit: bool,
    places: &mut Places,
) -> u32 {
    let mut usable = all_lanes::<S>();
    if let (Some(positions), Some(p)) = (&mut places.positions, block.positions) {
        let moved = motion.position(simd, load3(simd, p, at));
        S::V::store3(moved, &mut positions[at..]);
    }
    let Some(n) = block.normals else { return usable };
    let (moved_normal, orientation, good) = motion.normal(simd, load3(simd, n, at), is_unit);
    usable &= good;
    if let Some(normals) = &mut places.normals {
        S::V::store3(moved_normal, &mut normals[at..]);
    }
    if let (Some(tangents), Some([x, y, z, w])) = (&mut places.tangents, block.tangents) {
        let t = [simd.load(x, at), simd.load(y, at), simd.load(z, at)];
        let ([x, y, z], good) = motion.tangent(simd, t, moved_normal, is_unit);
        usable &= good;
        let handedness = simd.load(w, at) * orientation;
        S::V::store4([x, y, z, handedness], &mut tangents[at..]);
    }
    usable
}
