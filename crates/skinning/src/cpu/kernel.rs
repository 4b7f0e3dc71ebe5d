//! Goes through blocks run by run: blends, moves, turns, and has the twin redo the vertices that the fast
//! arithmetic cannot do.

use super::Exactness;
use super::arithmetic::{Affines, Arithmetic, Motion};
use super::blend::{
    Alike, Blend, Own, OwnDualQuat, OwnLinear, OwnRigid, OwnTurning, PerVertex, Shared, SharedDualQuat,
    SharedLinear, SharedTurned, SharedTurning, Weights,
};
use super::fused::Fused;
use super::layout::{Blocks, Kind, MAX_INFLUENCES, MIXED_NO_JOINT, Run};
use super::sink::{Destination, Sink};
use super::twin::Twin;
use super::vector::{ROW, Row, Simd, Task, Vector};
use crate::{Affine, SkinningMode, Slot, VertexSkin, affine};
use std::marker::PhantomData;
use std::ops::Range;

/// The spans to write, whole or in parts.
pub struct Targets<'a> {
    pub positions: Destination<'a, 3>,
    pub normals: Destination<'a, 3>,
    pub tangents: Destination<'a, 4>,
}

impl Targets<'_> {
    /// Splits into the targets of the first `count` vertices and those of the rest.
    pub fn split_at(self, count: usize) -> (Self, Self) {
        let (positions, later_positions) = self.positions.split_at(count);
        let (normals, later_normals) = self.normals.split_at(count);
        let (tangents, later_tangents) = self.tangents.split_at(count);
        let later = Self { positions: later_positions, normals: later_normals, tangents: later_tangents };
        (Self { positions, normals, tangents }, later)
    }
}

/// Some blocks of a primitive to skin.
pub struct Work<'a> {
    pub blocks: &'a Blocks,
    pub range: Range<usize>,
    pub mode: SkinningMode,
    /// At least as many slots as the blocks' joints need.
    pub slots: &'a [Slot],
    pub exactness: Exactness,
    pub targets: Targets<'a>,
}

impl<S: Simd> Task<S> for Work<'_> {
    #[inline(always)]
    fn run(self, simd: S) {
        match self.exactness {
            Exactness::Bounds => skin::<Fused, S>(simd, self),
            Exactness::Twin => skin::<Twin, S>(simd, self),
        }
    }
}

struct Sinks<'a> {
    positions: Sink<'a, 3>,
    normals: Sink<'a, 3>,
    tangents: Sink<'a, 4>,
}

/// Where one block's vertices go.
struct Places<'a> {
    positions: Option<&'a mut [[f32; 3]; ROW]>,
    normals: Option<&'a mut [[f32; 3]; ROW]>,
    tangents: Option<&'a mut [[f32; 4]; ROW]>,
}

#[inline(always)]
fn skin<A: Arithmetic, S: Simd>(simd: S, work: Work) {
    let Work { blocks, range, mode, slots, targets, .. } = work;
    let mut sinks = Sinks {
        positions: Sink::new(targets.positions),
        normals: Sink::new(targets.normals),
        tangents: Sink::new(targets.tangents),
    };
    let first_run = blocks.run_of(range.start);
    for run in blocks.runs.iter().skip(first_run) {
        let from = (run.first_block as usize).max(range.start);
        let to = (run.first_block as usize + run.blocks()).min(range.end);
        if from >= to {
            break;
        }
        let here = Here { blocks, run, mode, slots, range: from..to };
        match run.kind {
            Kind::Mixed => mixed::<A, S>(simd, &here, &mut sinks),
            Kind::Uniform { derived } => uniform::<A, S>(simd, &here, derived, &mut sinks),
        }
    }
}

/// Skins a run whose vertices have joints of their own.
#[inline(always)]
fn mixed<A: Arithmetic, S: Simd>(simd: S, here: &Here, sinks: &mut Sinks) {
    // Keeps the number for "no joint" free of slots.
    let slots = &here.slots[..here.slots.len().min(usize::from(MIXED_NO_JOINT))];
    let no_joint = here.mode.no_joint();
    let own = |block| Own {
        slots,
        no_joint,
        joints: here.blocks.mixed_joints_of(here.run, block),
        weights: here.blocks.weights_of(here.run, block),
    };
    match here.mode {
        SkinningMode::Rigid => skin_run::<A, S, _>(simd, here, sinks, |block| OwnRigid(own(block))),
        SkinningMode::Linear => skin_run::<A, S, _>(simd, here, sinks, |block| OwnLinear(own(block))),
        SkinningMode::DualQuat => skin_run::<A, S, _>(simd, here, sinks, |block| OwnDualQuat(own(block))),
        SkinningMode::Blended | SkinningMode::CenterOfRotation => {
            let blend = |block| OwnTurning { own: own(block), per_vertex: here.per_vertex(block) };
            skin_run::<A, S, _>(simd, here, sinks, blend);
        }
    }
}

/// Skins a run whose vertices share their joints.
#[inline(always)]
fn uniform<A: Arithmetic, S: Simd>(simd: S, here: &Here, derived: bool, sinks: &mut Sinks) {
    let mut joints = shared(here.slots, here.blocks.joints_of(here.run), here.mode.no_joint());
    let weights = |block| Weights { stored: here.blocks.weights_of(here.run, block), derived };
    match here.mode {
        SkinningMode::Rigid => alone::<A, S>(simd, here, sinks),
        // One joint that has all of the weight.
        SkinningMode::Linear | SkinningMode::DualQuat if derived && joints.count == 1 => {
            alone::<A, S>(simd, here, sinks);
        }
        // Their twins round what cancels for a single joint, by share and centre.
        SkinningMode::Blended | SkinningMode::CenterOfRotation
            if A::FUSED && derived && joints.count == 1 =>
        {
            alone::<A, S>(simd, here, sinks);
        }
        SkinningMode::Linear => {
            let blend = |block| SharedLinear { joints: &joints, weights: weights(block) };
            skin_run::<A, S, _>(simd, here, sinks, blend);
        }
        SkinningMode::DualQuat => {
            joints.turn_to_first();
            // Derived weights sum to one, and so do stretches of one.
            if A::FUSED && derived && joints.is_rigid() {
                let blend = |block| SharedDualQuat::<true> { joints: &joints, weights: weights(block) };
                skin_run::<A, S, _>(simd, here, sinks, blend);
            } else {
                let blend = |block| SharedDualQuat::<false> { joints: &joints, weights: weights(block) };
                skin_run::<A, S, _>(simd, here, sinks, blend);
            }
        }
        SkinningMode::Blended | SkinningMode::CenterOfRotation => {
            let joints = &SharedTurned::new(&joints);
            let blend =
                |block| SharedTurning { joints, weights: weights(block), per_vertex: here.per_vertex(block) };
            skin_run::<A, S, _>(simd, here, sinks, blend);
        }
    }
}

/// Skins a run whose vertices all follow its first joint.
#[inline(always)]
fn alone<A: Arithmetic, S: Simd>(simd: S, here: &Here, sinks: &mut Sinks) {
    let b = Affines::splat(simd, &here.alone());
    let cofactors = A::cofactors(simd, &b);
    skin_run::<A, S, _>(simd, here, sinks, |_| Alike { b, cofactors });
}

/// The slots of a run's joints in this palette.
fn shared(slots: &[Slot], joints: &[u32], no_joint: &Slot) -> Shared {
    let mut out = Shared { slots: [Slot::ZERO; MAX_INFLUENCES], count: joints.len() };
    for (out, &joint) in out.slots.iter_mut().zip(joints) {
        *out = *slots.get(joint as usize).unwrap_or(no_joint);
    }
    out
}

/// Blocks of one run.
struct Here<'a> {
    blocks: &'a Blocks,
    run: &'a Run,
    mode: SkinningMode,
    slots: &'a [Slot],
    range: Range<usize>,
}

impl Here<'_> {
    /// The transform of the run's first joint alone, as the mode computes it.
    fn alone(&self) -> Affine {
        let first = self.blocks.joints_of(self.run).first().copied();
        let joint = first.and_then(|joint| i32::try_from(joint).ok()).unwrap_or(-1);
        self.mode.blend(self.slots, &VertexSkin::of_joint(&[[joint, -1, -1, -1]]))
    }

    /// What *blend* or *cor* reads of a block's vertices.
    fn per_vertex(&self, block: usize) -> PerVertex<'_> {
        match self.mode {
            SkinningMode::CenterOfRotation => PerVertex::Centers(self.blocks.centers_of(block)),
            _ => PerVertex::Shares(self.blocks.shares_of(block)),
        }
    }

    /// Has the twin skin the vertices of a block whose bits are set.
    #[cold]
    #[inline(never)]
    fn redo(&self, block: usize, lanes: u32, places: &mut Places) {
        let spans = usize::from(self.run.influences).div_ceil(4);
        for lane in (0..ROW).filter(|lane| lanes >> lane & 1 != 0) {
            let influences = self.blocks.influences_of(self.run, block, lane);
            let (joints, weights) = (influences.joints.as_chunks().0, influences.weights.as_chunks().0);
            let share = self.blocks.shares_of(block).map_or(1.0, |row| row.0[lane]);
            let center = at(self.blocks.centers_of(block), lane);
            let (joints, weights) = (&joints[..spans], &weights[..spans]);
            let b = self.mode.blend(self.slots, &VertexSkin { joints, weights, share, center });
            if let Some(positions) = &mut places.positions {
                positions[lane] = affine::transform_position(&b, at(&self.blocks.positions[block], lane));
            }
            let Some(normal) = self.blocks.normals.get(block).map(|rows| at(rows, lane)) else { continue };
            let moved_normal = affine::transform_normal(&b, normal);
            if let Some(normals) = &mut places.normals {
                normals[lane] = moved_normal;
            }
            let Some(tangent) = self.blocks.tangents.get(block).map(|rows| at(rows, lane)) else { continue };
            if let Some(tangents) = &mut places.tangents {
                tangents[lane] = affine::transform_tangent(&b, tangent, moved_normal);
            }
        }
    }
}

/// One vertex of a block.
fn at<const W: usize>(rows: &[Row; W], lane: usize) -> [f32; W] {
    rows.each_ref().map(|row| row.0[lane])
}

/// Goes through the blocks of a run in a function of its own, so that the compiler sees one blend at a time.
#[inline(always)]
fn skin_run<A: Arithmetic, S: Simd, B: Blend<A, S>>(
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
        let before = (here.range.start - here.run.first_block as usize) * ROW;
        let mut left = here.run.vertices as usize - before;
        for block in here.range.clone() {
            let count = left.min(ROW);
            left -= count;
            let blend = (self.blend)(block);
            let mut places = Places {
                positions: sinks.positions.room(),
                normals: sinks.normals.room(),
                tangents: sinks.tangents.room(),
            };
            let mut usable = 0;
            for step in 0..ROW / S::LANES {
                let at = step * S::LANES;
                usable |= skin_lanes::<A, S, B>(simd, here, block, at, &blend, &mut places) << at;
            }
            let left_over = !usable & ((1 << count) - 1);
            if left_over != 0 {
                here.redo(block, left_over, &mut places);
            }
            sinks.positions.commit(count);
            sinks.normals.commit(count);
            sinks.tangents.commit(count);
        }
    }
}

/// Skins vertices `at..at + LANES` of a block and returns which of them are usable.
#[inline(always)]
fn skin_lanes<A: Arithmetic, S: Simd, B: Blend<A, S>>(
    simd: S,
    here: &Here,
    block: usize,
    at: usize,
    blend: &B,
    places: &mut Places,
) -> u32 {
    let (motion, mut usable) = blend.motion(simd, at);
    if let (Some(positions), Some(p)) = (&mut places.positions, here.blocks.positions.get(block)) {
        let moved = motion.position(simd, load3(simd, p, at));
        <S::V as Vector>::store3(moved, &mut positions[at..at + S::LANES]);
    }
    let Some(n) = here.blocks.normals.get(block) else { return usable };
    if places.normals.is_none() && places.tangents.is_none() {
        return usable;
    }
    let (moved_normal, orientation, good) = motion.normal(simd, load3(simd, n, at));
    usable &= good;
    if let Some(normals) = &mut places.normals {
        <S::V as Vector>::store3(moved_normal, &mut normals[at..at + S::LANES]);
    }
    if let (Some(tangents), Some([x, y, z, w])) = (&mut places.tangents, here.blocks.tangents.get(block)) {
        let t = [simd.load(x, at), simd.load(y, at), simd.load(z, at)];
        let ([x, y, z], good) = motion.tangent(simd, t, moved_normal);
        usable &= good;
        let handedness = simd.load(w, at) * orientation;
        <S::V as Vector>::store4([x, y, z, handedness], &mut tangents[at..at + S::LANES]);
    }
    usable
}

#[inline(always)]
fn load3<S: Simd>(simd: S, rows: &[Row; 3], at: usize) -> [S::V; 3] {
    [simd.load(&rows[0], at), simd.load(&rows[1], at), simd.load(&rows[2], at)]
}
