//! Optimized centers of rotation: a vertex turns as in dual quaternion skinning, about a centre that linear blending moves.
//! Twin of `shaders/skinning/center_of_rotation.glsl`.
//!
//! Le, Hodgins, *Real-time Skeletal Skinning with Optimized Centers of Rotation* (SIGGRAPH 2016). The centre of a vertex is
//! the centre of the vertices around it with similar weights; [`centers`](super::centers) finds it. A slot is that of
//! [`turn`].

use super::affine::{add3, scale3, sub3};
use super::turn::{
    self, Columns, Rows, Stretch, add4, divide4, dot4, scale4, stretch_of, turn_of, turn_stretched,
};
use super::{Affine, Facts, Slot, VertexSkin, slot::slot_of};
use crate::shared::{CANCELLED, HALF_TURN};
use glam::DMat4;

/// The facts of the mode.
pub const FACTS: Facts = Facts {
    name: "cor",
    title: "optimized centers of rotation",
    help: "each vertex turns as in dqs about a centre that lbs moves",
    slot: turn::SLOT,
    bound: 4e-6,
    gpu_roundings: 64.0,
    drops_scale: false,
    is_dialect: false,
    needs_centers: true,
    needs_ddm: false,
};

/// The slot of "no joint".
pub const NO_JOINT: Slot = turn::IDENTITY;

/// Returns a joint's slot: its matrix by rows, and the quaternion of its rotation.
pub fn slot(world_from_bind: &DMat4) -> Slot {
    turn::slot(world_from_bind)
}

/// Blends `B3 = R(q) S`, with `L = Σ w_i M_{j_i}` and the centre c; the translation takes c to `L c`.
pub fn blend(slots: &[Slot], vertex: &VertexSkin) -> Affine {
    let first = slot_of(slots, vertex.heaviest(), &NO_JOINT);
    let pivot = first.columns[3];

    let mut rows = Rows::default();
    let mut q = [0.0; 4];
    let mut stretch = Stretch::default();
    for (joint, weight) in vertex.influences() {
        let slot = slot_of(slots, joint, &NO_JOINT);
        rows.add(slot, weight);
        let signed_weight = if dot4(slot.columns[3], pivot) < -HALF_TURN { -weight } else { weight };
        q = add4(q, scale4(slot.columns[3], signed_weight));
        stretch.add(&stretch_of(slot), weight);
    }

    let length_of_q = dot4(q, q).sqrt();
    if length_of_q > CANCELLED {
        q = divide4(q, length_of_q);
    } else {
        q = first.columns[3];
    }
    let Columns { x, y, z } = turn_stretched(&turn_of(q), &stretch);

    // L c - B3 c, as (L3 - B3) c + b: terms far from the origin do not cancel.
    let [cx, cy, cz] = vertex.center;
    let apart = add3(scale3(sub3(rows.column(0), x), cx), scale3(sub3(rows.column(1), y), cy));
    let translation = add3(add3(apart, scale3(sub3(rows.column(2), z), cz)), rows.column(3));
    Affine { x, y, z, translation }
}
