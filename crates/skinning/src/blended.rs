//! Between linear blend and dual quaternion skinning: each vertex takes a share of either result. Twin of
//! `shaders/skinning/blended.glsl`.
//!
//! Maya, 3ds Max and Houdini let artists paint such shares, to keep the volume of dual quaternions at a wrist without their
//! bulge at an elbow. The two are [`linear`](super::linear) and [`dual_quat`](super::dual_quat), which cite their papers. A
//! slot is that of [`turn`].

use super::affine::{add3, scale3, sub3};
use super::turn::{self, Rows, Stretch, add4, divide4, dot4, dual_of, scale4, stretch_of};
use super::turn::{translation_of, turn_of, turn_stretched};
use super::{Affine, Facts, Slot, VertexSkin, slot::slot_of};
use crate::shared::{CANCELLED, HALF_TURN};
use glam::DMat4;

/// The facts of the mode.
pub const FACTS: Facts = Facts {
    name: "blend",
    title: "blend of lbs and dqs",
    help: "each vertex takes a share of dqs and the rest of lbs",
    slot: turn::SLOT,
    bound: 4e-6,
    gpu_roundings: 64.0,
    drops_scale: false,
    is_dialect: false,
    needs_centers: false,
    needs_ddm: false,
};

/// The slot of "no joint".
pub const NO_JOINT: Slot = turn::IDENTITY;

/// Returns a joint's slot: its matrix by rows, and the quaternion of its rotation.
pub fn slot(world_from_bind: &DMat4) -> Slot {
    turn::slot(world_from_bind)
}

/// Returns `B = (1 − share) B_lbs + share B_dqs`.
pub fn blend(slots: &[Slot], vertex: &VertexSkin) -> Affine {
    let first = slot_of(slots, vertex.heaviest(), &NO_JOINT);
    let pivot = first.columns[3];

    let mut rows = Rows::default();
    let mut q = [0.0; 4];
    let mut d = [0.0; 4];
    let mut stretch = Stretch::default();
    for (joint, weight) in vertex.influences() {
        let slot = slot_of(slots, joint, &NO_JOINT);
        rows.add(slot, weight);
        let signed_weight = if dot4(slot.columns[3], pivot) < -HALF_TURN { -weight } else { weight };
        q = add4(q, scale4(slot.columns[3], signed_weight));
        d = add4(d, scale4(dual_of(slot), signed_weight));
        stretch.add(&stretch_of(slot), weight);
    }

    let length_of_q = dot4(q, q).sqrt();
    if length_of_q > CANCELLED {
        q = divide4(q, length_of_q);
        d = divide4(d, length_of_q);
    } else {
        q = first.columns[3];
        d = dual_of(first);
    }

    let turned = turn_stretched(&turn_of(q), &stretch);
    let turned_translation = translation_of(q, d);
    let column = |number: usize, turned| mixed(rows.column(number), turned, vertex.share);
    let (x, y, z) = (column(0, turned.x), column(1, turned.y), column(2, turned.z));
    Affine { x, y, z, translation: column(3, turned_translation) }
}

/// Returns `(1 − share) linear + share turned`, as `linear + (turned − linear) share`: in the bind pose nothing is rounded.
fn mixed(linear: [f32; 3], turned: [f32; 3], share: f32) -> [f32; 3] {
    add3(linear, scale3(sub3(turned, linear), share))
}
