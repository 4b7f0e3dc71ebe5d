//! Dual quaternion skinning as Blender does it (*Preserve Volume* of its armatures). Twin of
//! `shaders/skinning/dual_quat_blender.glsl`.
//!
//! Each joint gives the rigid motion, with its rotation `R`, that takes this vertex where the joint alone would: `d_i = ½
//! (M_i p − R_i p, 0) q_i`. These are blended as in [`dual_quat`](super::dual_quat). Without scale they are the joint's own
//! motion for every vertex, and the two modes are equal. A slot is that of [`turn`].

use super::affine::{add3, scale3, sub3};
use super::turn::{self, Columns, Stretch, add4, apart_of, divide4, dot4, dual_from, scale4, stretch_of};
use super::turn::{translation_of, turn_of, turn_stretched};
use super::{Affine, Facts, Slot, VertexSkin, slot::slot_of};
use crate::shared::{CANCELLED, HALF_TURN};
use glam::DMat4;

/// The facts of the mode.
pub const FACTS: Facts = Facts {
    name: "dqs-blender",
    title: "dual quaternion skinning of Blender",
    help: "dqs as in Blender, where each joint scales the vertex's place before the average",
    slot: turn::SLOT,
    bound: 4e-6,
    gpu_roundings: 64.0,
    drops_scale: false,
    is_dialect: true,
    needs_centers: false,
    needs_ddm: false,
};

/// The slot of "no joint".
pub const NO_JOINT: Slot = turn::IDENTITY;

/// Returns a joint's slot: its matrix by rows, and the quaternion of its rotation.
pub fn slot(world_from_bind: &DMat4) -> Slot {
    turn::slot(world_from_bind)
}

/// Blends `q`, `d` of this vertex and `S`; then `B3 = R(q) S`, and the translation takes `p` to `R(q) p + 2 vec(d q*)`.
pub fn blend(slots: &[Slot], vertex: &VertexSkin) -> Affine {
    let first = slot_of(slots, vertex.heaviest(), &NO_JOINT);
    let pivot = first.columns[3];

    let mut q = [0.0; 4];
    let mut d = [0.0; 4];
    let mut stretch = Stretch::default();
    for (joint, weight) in vertex.influences() {
        let slot = slot_of(slots, joint, &NO_JOINT);
        let signed_weight = if dot4(slot.columns[3], pivot) < -HALF_TURN { -weight } else { weight };
        q = add4(q, scale4(slot.columns[3], signed_weight));
        let dual = dual_from(apart_of(slot, vertex.position), slot.columns[3]);
        d = add4(d, scale4(dual, signed_weight));
        stretch.add(&stretch_of(slot), weight);
    }

    let length_of_q = dot4(q, q).sqrt();
    if length_of_q > CANCELLED {
        q = divide4(q, length_of_q);
        d = divide4(d, length_of_q);
    } else {
        q = first.columns[3];
        d = dual_from(apart_of(first, vertex.position), first.columns[3]);
    }
    let r = turn_of(q);
    let Columns { x, y, z } = turn_stretched(&r, &stretch);

    // The point turns by R alone, directions by B3 = R S: the translation takes p to R p + 2 vec(d q*).
    let [px, py, pz] = vertex.position;
    let unstretched = add3(scale3(sub3(r.x, x), px), scale3(sub3(r.y, y), py));
    let unstretched = add3(unstretched, scale3(sub3(r.z, z), pz));
    Affine { x, y, z, translation: add3(unstretched, translation_of(q, d)) }
}
