//! Skins windows run by run, and picks the kernel of each run by its mode and its joints.

use super::arithmetic::{Affines, Arithmetic};
use super::blend::{Alike, Shared, SharedDualQuat, SharedLinear, SharedTurned, SharedTurning, Weights};
use super::ddm::{AtPoints, Motions};
use super::fused::Fused;
use super::layout::{Blocks, Kind};
use super::own::{Own, OwnDualQuat, OwnLinear, OwnRigid, OwnTurning};
use super::placed::{OwnPlaced, SharedPlaced};
use super::run::{All, Here, Sinks, skin_by_twin, skin_run};
use super::sink::Sink;
use super::terms::OfWindow;
use super::twin::Twin;
use super::{Directions, Exactness, Order};
use crate::vectors::{Simd, Task, pick3, pick4};
use crate::{SkinningMode, Slot};
use std::cell::Cell;
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
    pub directions: Directions,
    pub targets: Targets<'a>,
}

/// A window's results before they are copied into the file's order.
#[derive(Default)]
struct Tiles {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    tangents: Vec<[f32; 4]>,
}

thread_local! {
    /// Kept between calls, so that only a thread's first calls allocate.
    static TILES: Cell<Tiles> = const { Cell::new(Tiles { positions: Vec::new(), normals: Vec::new(), tangents: Vec::new() }) };
    /// Kept likewise: the motions of points in *ddm*.
    static MOTIONS: Cell<Motions> = const { Cell::new(Motions::EMPTY) };
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

#[inline(always)]
fn skin<A: Arithmetic, S: Simd>(simd: S, work: Work) {
    let Work { blocks, windows, mode, slots, order, directions, mut targets, .. } = work;
    let all = All { blocks, mode, slots, is_unit: directions == Directions::Unit };
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
            skin_window::<A, S>(simd, all, window, &mut joints, &mut sinks);
            continue;
        };
        let count = blocks.blocks_in(window);
        let mut sinks = Sinks {
            positions: Sink::tile(&mut tiles.positions, count, &now.positions),
            normals: Sink::tile(&mut tiles.normals, count, &now.normals),
            tangents: Sink::tile(&mut tiles.tangents, count, &now.tangents),
        };
        skin_window::<A, S>(simd, all, window, &mut joints, &mut sinks);
        if let Some(out) = now.positions {
            pick3(&tiles.positions, places, out);
        }
        if let Some(out) = now.normals {
            pick3(&tiles.normals, places, out);
        }
        if let Some(out) = now.tangents {
            pick4(&tiles.tangents, places, out);
        }
    }
    TILES.set(tiles);
}

#[inline(always)]
fn skin_window<A: Arithmetic, S: Simd>(
    simd: S,
    all: All,
    window: usize,
    joints: &mut RunJoints<S>,
    sinks: &mut Sinks,
) {
    let terms = all.blocks.terms.as_ref().filter(|_| all.mode.facts().needs_ddm);
    if let Some(terms) = terms.and_then(|terms| terms.windows.get(window)) {
        return at_points::<A, S>(simd, all, window, terms, sinks);
    }
    for run in all.blocks.runs_of(window) {
        let here = Here::new(all, run);
        match run.kind {
            Kind::Mixed if A::FUSED && common::<A, S>(simd, &here, joints, sinks) => {}
            Kind::Mixed => mixed::<A, S>(simd, &here, sinks),
            Kind::Uniform { derived } => uniform::<A, S>(simd, &here, derived, joints, sinks),
        }
    }
}

/// Skins a window by the motions of its points.
#[inline(always)]
fn at_points<A: Arithmetic, S: Simd>(simd: S, all: All, window: usize, terms: &OfWindow, sinks: &mut Sinks) {
    let mut motions = MOTIONS.take();
    motions.set::<A, S>(simd, terms, all.slots);
    let mut first = 0;
    for run in all.blocks.runs_of(window) {
        let blend = |block| AtPoints { motions: &motions, places: terms.places_of(first + block) };
        skin_run::<A, S, _>(simd, &Here::new(all, run), sinks, blend);
        first += run.blocks();
    }
    MOTIONS.set(motions);
}

/// Skins a run of vertices with separate joints.
#[inline(always)]
fn mixed<A: Arithmetic, S: Simd>(simd: S, here: &Here, sinks: &mut Sinks) {
    let no_joint = here.all.mode.no_joint();
    let own = |block| Own {
        slots: here.all.slots,
        no_joint,
        joints: here.all.blocks.mixed_joints_of(here.run, here.block(block)),
        weights: here.weights(block),
    };
    match here.all.mode {
        SkinningMode::DirectDeltaMush => skin_by_twin(here, sinks),
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
            let blend = |block| OwnPlaced { own: own(block), positions: &here.positions[block] };
            skin_run::<A, S, _>(simd, here, sinks, blend);
        }
    }
}

/// Skins a run of vertices with separate joints as if they shared all of them; most weights are zero then. Returns false, with
/// nothing done, if they have no joints in common, or if the order of joints matters.
#[inline(always)]
fn common<A: Arithmetic, S: Simd>(
    simd: S,
    here: &Here,
    joints: &mut RunJoints<S>,
    sinks: &mut Sinks,
) -> bool {
    let own = here.all.blocks.common_joints_of(here.run);
    if own.is_empty() {
        return false;
    }
    let RunJoints { joints, turned, rooms } = joints;
    let weights = |block| Weights { stored: here.common_weights(block), derived: false };
    joints.set(here.all.slots, own, here.all.mode.no_joint());
    // Zero times infinity is not zero.
    if !joints.is_finite() {
        return false;
    }
    match here.all.mode {
        SkinningMode::DirectDeltaMush => return false,
        SkinningMode::Linear => {
            let joints = joints.spread(simd, &mut rooms[0]);
            let blend = |block| SharedLinear::<S, false> { joints, weights: weights(block) };
            skin_run::<A, S, _>(simd, here, sinks, blend);
        }
        SkinningMode::DualQuat | SkinningMode::DualQuatRigid => {
            joints.turn_to_first();
            if !joints.is_on_one_side() {
                return false;
            }
            let is_rigid = here.all.mode.facts().drops_scale;
            let joints = joints.spread(simd, &mut rooms[0]);
            if is_rigid {
                let blend = |block| SharedDualQuat::<S, true, false> { joints, weights: weights(block) };
                skin_run::<A, S, _>(simd, here, sinks, blend);
            } else {
                let blend = |block| SharedDualQuat::<S, false, false> { joints, weights: weights(block) };
                skin_run::<A, S, _>(simd, here, sinks, blend);
            }
        }
        SkinningMode::Blended | SkinningMode::CenterOfRotation => {
            turned.set(joints);
            if !turned.is_on_one_side() {
                return false;
            }
            let joints = turned.spread(simd, rooms);
            let blend = |block| SharedTurning::<S, false> {
                joints,
                weights: weights(block),
                per_vertex: here.per_vertex(block),
            };
            skin_run::<A, S, _>(simd, here, sinks, blend);
        }
        SkinningMode::Rigid | SkinningMode::DualQuatBlender => return false,
    }
    true
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
    let own = here.all.blocks.joints_of(here.run);
    // Derived weights sum to one, so a single joint has the full weight.
    let is_alone = derived && own.len() == 1;
    let weights = |block| Weights { stored: here.weights(block), derived };
    let set = |joints: &mut Shared| joints.set(here.all.slots, own, here.all.mode.no_joint());
    match here.all.mode {
        SkinningMode::DirectDeltaMush => skin_by_twin(here, sinks),
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
            let drops_scale = here.all.mode.facts().drops_scale;
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
                positions: &here.positions[block],
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
