//! Direct delta mush: a vertex turns with its surroundings, as smoothed weights move them. Twin of
//! `shaders/skinning/direct_delta_mush.glsl`.
//!
//! Le, Lewis, *Direct Delta Mush Skinning and Variants* (SIGGRAPH 2019). [`ddm`](super::ddm_terms) finds the terms of a vertex
//! about its centre. There `Σ_j M_j Ω_j` is `[Q q; 0 1]`, and R is the rotation nearest to Q. Where that is not defined, R is
//! that of the joint in slot 0, and without terms the vertex turns and shifts with that joint. A slot is that of [`turn`].

use super::affine::{add3, scale3, sub3};
use super::nearest_turn::nearest_turn;
use super::turn::{self, Columns, turn_of};
use super::{Affine, Facts, Slot, VertexSkin, slot::slot_of};
use glam::DMat4;
use sinew_model::DdmRow;

/// The facts of the mode.
pub const FACTS: Facts = Facts {
    name: "ddm",
    title: "direct delta mush",
    help: "each vertex turns with its smoothed surroundings, which keep their volume",
    slot: turn::SLOT,
    bound: 4e-6,
    gpu_roundings: 64.0,
    drops_scale: true,
    is_dialect: false,
    needs_centers: false,
    needs_ddm: true,
};

/// The slot of "no joint".
pub const NO_JOINT: Slot = turn::IDENTITY;

/// Returns a joint's slot: its matrix by rows, and the quaternion of its rotation.
pub fn slot(world_from_bind: &DMat4) -> Slot {
    turn::slot(world_from_bind)
}

/// Sums `Q` and `q` over the terms; then `B3 = R`, and the translation takes the centre to `q`.
pub fn blend(slots: &[Slot], vertex: &VertexSkin) -> Affine {
    let Some(DdmRow { center, terms }) = vertex.ddm else {
        return follow(slot_of(slots, vertex.heaviest(), &NO_JOINT));
    };
    // The first is that of slot 0.
    let first = slot_of(slots, terms.first().map_or(-1, |term| term.joint), &NO_JOINT);
    // Places as differences from slot 0's: what is far from the origin does not cancel.
    let start = moved(first, center);
    let mut sum = Columns::default();
    let mut q = [0.0; 3];
    for term in terms {
        let slot = slot_of(slots, term.joint, &NO_JOINT);
        let apart = sub3(moved(slot, center), start);
        let (x, y, z) = (column_of(slot, 0), column_of(slot, 1), column_of(slot, 2));
        let along = |[a, b, c]: [f32; 3], share: f32| {
            add3(add3(add3(scale3(x, a), scale3(y, b)), scale3(z, c)), scale3(apart, share))
        };
        let [xx, yy, zz, yz, xz, xy] = term.products;
        sum.x = add3(sum.x, along([xx, xy, xz], term.offset[0]));
        sum.y = add3(sum.y, along([xy, yy, yz], term.offset[1]));
        sum.z = add3(sum.z, along([xz, yz, zz], term.offset[2]));
        q = add3(q, along(term.offset, term.weight));
    }
    let Columns { x, y, z } = turn_of(nearest_turn(&sum, first.columns[3]));
    let [cx, cy, cz] = center;
    let turned = add3(add3(scale3(x, cx), scale3(y, cy)), scale3(z, cz));
    Affine { x, y, z, translation: add3(sub3(start, turned), q) }
}

/// Returns the transform of a joint without its scale.
fn follow(slot: &Slot) -> Affine {
    let Columns { x, y, z } = turn_of(slot.columns[3]);
    Affine { x, y, z, translation: column_of(slot, 3) }
}

/// Moves a point by a joint.
fn moved(slot: &Slot, [x, y, z]: [f32; 3]) -> [f32; 3] {
    let turned = add3(scale3(column_of(slot, 0), x), scale3(column_of(slot, 1), y));
    add3(add3(turned, scale3(column_of(slot, 2), z)), column_of(slot, 3))
}

/// Returns a column of a joint's matrix, of which the slot has the rows.
fn column_of(slot: &Slot, number: usize) -> [f32; 3] {
    let [x, y, z, _] = &slot.columns;
    [x[number], y[number], z[number]]
}
