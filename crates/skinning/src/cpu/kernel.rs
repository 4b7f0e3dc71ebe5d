//! Processes blocks run by run: blends, moves, turns, and lets the twin redo the vertices that the fast arithmetic cannot
//! compute.

use super::arithmetic::{Affines, Arithmetic, Motion, load3};
use super::blend::{
    Alike, Blend, PerVertex, Shared, SharedDualQuat, SharedLinear, SharedTurned, SharedTurning, Weights,
};
use super::fused::Fused;
use super::layout::{Blocks, Kind, MIXED_NO_JOINT, Run, WINDOW};
use super::own::{Own, OwnDualQuat, OwnLinear, OwnRigid, OwnTurning};
use super::placed::{OwnPlaced, SharedPlaced};
use super::sink::{Quads, Room, Sink, copy_quadruples, copy_triples};
use super::twin::Twin;
use super::{Exactness, Order};
use crate::vectors::{ROW, Row, Simd, Task};
use crate::{Affine, SkinningMode, Slot, VertexSkin, affine};
use std::cell::Cell;
use std::marker::PhantomData;
use std::ops::Range;

/// A span to write, if requested.
type Span<'a, const W: usize> = Option<&'a mut [[f32; W]]>;

/// The spans to write, whole or in parts.
pub struct Targets<'a> {
    pub positions: Span<'a, 3>,
    pub normals: Span<'a, 3>,
    pub tangents: Span<'a, 4>,
}

impl Targets<'_> {
    /// Splits into the targets of the first `count` vertices and those of the rest.
    pub fn split_at(self, count: usize) -> (Self, Self) {
        fn split<const W: usize>(span: Span<'_, W>, count: usize) -> (Span<'_, W>, Span<'_, W>) {
            span.and_then(|span| span.split_at_mut_checked(count)).unzip()
        }
        let (positions, later_positions) = split(self.positions, count);
        let (normals, later_normals) = split(self.normals, count);
        let (tangents, later_tangents) = split(self.tangents, count);
        let later = Self { positions: later_positions, normals: later_normals, tangents: later_tangents };
        (Self { positions, normals, tangents }, later)
    }
}

/// Some windows of a primitive to skin.
pub struct Work<'a> {
    pub blocks: &'a Blocks,
    pub windows: Range<usize>,
    pub mode: SkinningMode,
    /// At least as many slots as the blocks' joints need.
    pub slots: &'a [Slot],
    pub exactness: Exactness,
    pub order: Order,
    pub targets: Targets<'a>,
}

/// A window's results before they are copied into the file's order.
#[derive(Default)]
struct Tiles {
    positions: Vec<Quads>,
    normals: Vec<Quads>,
    tangents: Vec<Quads>,
}

thread_local! {
    /// Kept between calls, so that only a thread's first calls allocate.
    static TILES: Cell<Tiles> = const { Cell::new(Tiles { positions: Vec::new(), normals: Vec::new(), tangents: Vec::new() }) };
}

/// Makes a tile of this many blocks, if there is a span to copy it to.
fn tile<'a, const W: usize>(tile: &'a mut Vec<Quads>, blocks: usize, span: &Span<W>) -> Sink<'a, W> {
    if span.is_none() {
        return Sink::Nothing;
    }
    if tile.len() < blocks {
        tile.resize(blocks.max(WINDOW / ROW), Quads([[0.0; 4]; ROW]));
    }
    Sink::Tile(&mut tile[..blocks])
}

impl<S: Simd> Task<S> for Work<'_> {
    #[inline(always)]
    fn run(self, simd: S) {
        // Constants alone decide a branch here and below, so that the compiler makes no code for the other.
        if S::FUSES && self.exactness == Exactness::Bounds {
            return skin::<Fused, S>(simd, self);
        }
        skin::<Twin, S>(simd, self);
    }
}

struct Sinks<'a> {
    positions: Sink<'a, 3>,
    normals: Sink<'a, 3>,
    tangents: Sink<'a, 4>,
}

/// The destinations of one block's vertices.
struct Places<'a> {
    positions: Option<Room<'a, 3>>,
    normals: Option<Room<'a, 3>>,
    tangents: Option<Room<'a, 4>>,
}

#[inline(always)]
fn skin<A: Arithmetic, S: Simd>(simd: S, work: Work) {
    let Work { blocks, windows, mode, slots, order, mut targets, .. } = work;
    let mut tiles = TILES.take();
    let mut joints = RunJoints { joints: Shared::EMPTY, turned: SharedTurned::EMPTY, rooms: [S::ROOM; 2] };
    for window in windows {
        let (now, later) = targets.split_at(blocks.vertices_of(window).len());
        targets = later;
        let places = blocks.places_of(window).filter(|_| order == Order::Source);
        let Some(places) = places else {
            let mut sinks = Sinks {
                positions: Sink::in_order(now.positions),
                normals: Sink::in_order(now.normals),
                tangents: Sink::in_order(now.tangents),
            };
            skin_window::<A, S>(simd, blocks, window, mode, slots, &mut joints, &mut sinks);
            continue;
        };
        let count = blocks.blocks_in(window);
        let mut sinks = Sinks {
            positions: tile(&mut tiles.positions, count, &now.positions),
            normals: tile(&mut tiles.normals, count, &now.normals),
            tangents: tile(&mut tiles.tangents, count, &now.tangents),
        };
        skin_window::<A, S>(simd, blocks, window, mode, slots, &mut joints, &mut sinks);
        if let Some(out) = now.positions {
            copy_triples(&tiles.positions, places, out);
        }
        if let Some(out) = now.normals {
            copy_triples(&tiles.normals, places, out);
        }
        if let Some(out) = now.tangents {
            copy_quadruples(&tiles.tangents, places, out);
        }
    }
    TILES.set(tiles);
}

#[inline(always)]
fn skin_window<A: Arithmetic, S: Simd>(
    simd: S,
    blocks: &Blocks,
    window: usize,
    mode: SkinningMode,
    slots: &[Slot],
    joints: &mut RunJoints<S>,
    sinks: &mut Sinks,
) {
    for run in blocks.runs_of(window) {
        let here = Here { blocks, run, mode, slots };
        match run.kind {
            Kind::Mixed => mixed::<A, S>(simd, &here, sinks),
            Kind::Uniform { derived } => uniform::<A, S>(simd, &here, derived, joints, sinks),
        }
    }
}

/// Skins a run of vertices with separate joints.
#[inline(always)]
fn mixed<A: Arithmetic, S: Simd>(simd: S, here: &Here, sinks: &mut Sinks) {
    // Keeps the index of "no joint" free of slots.
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
        SkinningMode::DualQuat => {
            skin_run::<A, S, _>(simd, here, sinks, |block| OwnDualQuat::<false>(own(block)));
        }
        SkinningMode::DualQuatRigid => {
            skin_run::<A, S, _>(simd, here, sinks, |block| OwnDualQuat::<true>(own(block)));
        }
        SkinningMode::Blended | SkinningMode::CenterOfRotation => {
            let blend = |block| OwnTurning { own: own(block), per_vertex: here.per_vertex(block) };
            skin_run::<A, S, _>(simd, here, sinks, blend);
        }
        SkinningMode::DualQuatBlender => {
            let blend = |block| OwnPlaced { own: own(block), positions: &here.blocks.positions[block] };
            skin_run::<A, S, _>(simd, here, sinks, blend);
        }
    }
}

/// Skins a run whose vertices share their joints.
#[inline(always)]
fn uniform<A: Arithmetic, S: Simd>(
    simd: S,
    here: &Here,
    derived: bool,
    joints: &mut RunJoints<S>,
    sinks: &mut Sinks,
) {
    let RunJoints { joints, turned, rooms } = joints;
    let own = here.blocks.joints_of(here.run);
    // Derived weights sum to one, so a single joint has the full weight.
    let is_alone = derived && own.len() == 1;
    let weights = |block| Weights { stored: here.blocks.weights_of(here.run, block), derived };
    let set = |joints: &mut Shared| joints.set(here.slots, own, here.mode.no_joint());
    match here.mode {
        SkinningMode::Rigid => alone::<A, S>(simd, here, sinks),
        SkinningMode::Linear | SkinningMode::DualQuat | SkinningMode::DualQuatRigid if is_alone => {
            alone::<A, S>(simd, here, sinks);
        }
        // For a single joint, the twins of these modes round terms that cancel, by share, centre and position.
        SkinningMode::Blended | SkinningMode::CenterOfRotation | SkinningMode::DualQuatBlender
            if A::FUSED && is_alone =>
        {
            alone::<A, S>(simd, here, sinks);
        }
        SkinningMode::Linear => {
            set(joints);
            // Slots as differences from the first give other bits than the twin's.
            if A::FUSED && derived {
                if joints.turn_from_first() {
                    let joints = joints.spread(simd, &mut rooms[0]);
                    let blend = |block| SharedLinear::<S, true> { joints, weights: weights(block) };
                    return skin_run::<A, S, _>(simd, here, sinks, blend);
                }
                set(joints);
            }
            let joints = joints.spread(simd, &mut rooms[0]);
            let blend = |block| SharedLinear::<S, false> { joints, weights: weights(block) };
            skin_run::<A, S, _>(simd, here, sinks, blend);
        }
        SkinningMode::DualQuat | SkinningMode::DualQuatRigid => {
            let drops_scale = here.mode.facts().drops_scale;
            set(joints);
            joints.turn_to_first();
            // Stretches of one sum to one as well.
            let is_rigid = drops_scale || joints.is_rigid();
            if A::FUSED && derived {
                if joints.turn_from_first() {
                    let joints = joints.spread(simd, &mut rooms[0]);
                    if is_rigid {
                        let blend =
                            |block| SharedDualQuat::<S, true, true> { joints, weights: weights(block) };
                        return skin_run::<A, S, _>(simd, here, sinks, blend);
                    }
                    let blend = |block| SharedDualQuat::<S, false, true> { joints, weights: weights(block) };
                    return skin_run::<A, S, _>(simd, here, sinks, blend);
                }
                set(joints);
                joints.turn_to_first();
            }
            let joints = joints.spread(simd, &mut rooms[0]);
            if drops_scale {
                let blend = |block| SharedDualQuat::<S, true, false> { joints, weights: weights(block) };
                return skin_run::<A, S, _>(simd, here, sinks, blend);
            }
            let blend = |block| SharedDualQuat::<S, false, false> { joints, weights: weights(block) };
            skin_run::<A, S, _>(simd, here, sinks, blend);
        }
        SkinningMode::DualQuatBlender => {
            set(joints);
            turned.set(joints);
            turned.leave_rotations_out(joints);
            let joints = turned.spread(simd, rooms);
            let blend = |block| SharedPlaced::<S> {
                joints,
                weights: weights(block),
                positions: &here.blocks.positions[block],
            };
            skin_run::<A, S, _>(simd, here, sinks, blend);
        }
        SkinningMode::Blended | SkinningMode::CenterOfRotation => {
            set(joints);
            turned.set(joints);
            if A::FUSED && derived {
                if turned.turn_from_first() {
                    let joints = turned.spread(simd, rooms);
                    let blend = |block| SharedTurning::<S, true> {
                        joints,
                        weights: weights(block),
                        per_vertex: here.per_vertex(block),
                    };
                    return skin_run::<A, S, _>(simd, here, sinks, blend);
                }
                turned.set(joints);
            }
            let joints = turned.spread(simd, rooms);
            let blend = |block| SharedTurning::<S, false> {
                joints,
                weights: weights(block),
                per_vertex: here.per_vertex(block),
            };
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

/// The slots of a run's joints, in memory used again for the next run.
struct RunJoints<S: Simd> {
    joints: Shared,
    turned: SharedTurned,
    rooms: [S::Room; 2],
}

/// Blocks of one run.
struct Here<'a> {
    blocks: &'a Blocks,
    run: &'a Run,
    mode: SkinningMode,
    slots: &'a [Slot],
}

impl Here<'_> {
    /// Returns the transform of the run's first joint alone, as the mode computes it.
    fn alone(&self) -> Affine {
        let first = self.blocks.joints_of(self.run).first().copied();
        let joint = first.and_then(|joint| i32::try_from(joint).ok()).unwrap_or(-1);
        self.mode.blend(self.slots, &VertexSkin::of_joint(&[[joint, -1, -1, -1]]))
    }

    /// Returns the input of *blend* or *cor* for a block's vertices.
    fn per_vertex(&self, block: usize) -> PerVertex<'_> {
        match self.mode {
            SkinningMode::CenterOfRotation => PerVertex::Centers(self.blocks.centers_of(block)),
            _ => PerVertex::Shares(self.blocks.shares_of(block)),
        }
    }

    /// Lets the twin skin the vertices of a block with a set bit.
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
            let position = at(&self.blocks.positions[block], lane);
            let vertex = VertexSkin { joints, weights, share, center, position };
            let b = self.mode.blend(self.slots, &vertex);
            if let Some(positions) = &mut places.positions {
                positions.set(lane, affine::transform_position(&b, position));
            }
            let Some(normal) = self.blocks.normals.get(block).map(|rows| at(rows, lane)) else { continue };
            let moved_normal = affine::transform_normal(&b, normal);
            if let Some(normals) = &mut places.normals {
                normals.set(lane, moved_normal);
            }
            let Some(tangent) = self.blocks.tangents.get(block).map(|rows| at(rows, lane)) else { continue };
            if let Some(tangents) = &mut places.tangents {
                tangents.set(lane, affine::transform_tangent(&b, tangent, moved_normal));
            }
        }
    }
}

/// Returns one vertex of a block.
fn at<const W: usize>(rows: &[Row; W], lane: usize) -> [f32; W] {
    rows.each_ref().map(|row| row.0[lane])
}

/// Processes the blocks of a run in a separate function, so that the compiler sees one blend at a time.
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
        let mut left = usize::from(here.run.vertices);
        let first = here.run.first_block as usize;
        for block in first..first + here.run.blocks() {
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

/// Skins vertices `at..at + LANES` of a block and returns a bit for each usable lane.
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
        positions.store(moved, at);
    }
    let Some(n) = here.blocks.normals.get(block) else { return usable };
    if places.normals.is_none() && places.tangents.is_none() {
        return usable;
    }
    let (moved_normal, orientation, good) = motion.normal(simd, load3(simd, n, at));
    usable &= good;
    if let Some(normals) = &mut places.normals {
        normals.store(moved_normal, at);
    }
    if let (Some(tangents), Some([x, y, z, w])) = (&mut places.tangents, here.blocks.tangents.get(block)) {
        let t = [simd.load(x, at), simd.load(y, at), simd.load(z, at)];
        let ([x, y, z], good) = motion.tangent(simd, t, moved_normal);
        usable &= good;
        let handedness = simd.load(w, at) * orientation;
        tangents.store([x, y, z, handedness], at);
    }
    usable
}
