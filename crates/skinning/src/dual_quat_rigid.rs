//! Dual quaternion skinning without scale: joints move as if they only turned and shifted. Twin of
//! `shaders/skinning/dual_quat_rigid.glsl`.
//!
//! The first published code of Kavan et al. and most patches for game engines skin so: they make a dual quaternion of each
//! joint's rotation and translation, and lose the rest of its matrix. The formulas are those of [`dual_quat`] with `S = 1`.
//! A slot's columns 0 and 1 are also those of [`dual_quat`]; the others are zero.

use super::polar::{self, Polar};
use super::turn::{Columns, add4, divide4, dot4, scale4, translation_of, turn_of};
use super::{Affine, Facts, Slot, VertexSkin, dual_quat, slot::slot_of};
use crate::shared::{CANCELLED, HALF_TURN};
use glam::{DMat3, DMat4};

/// The facts of the mode.
pub const FACTS: Facts = Facts {
    name: "dqs-rigid",
    title: "dual quaternion skinning without scale",
    help: "dqs as in most engines, where joints turn and shift but do not scale",
    slot: "column 0 is q as x y z w, column 1 is d as x y z w, columns 2 and 3 are 0",
    bound: 2e-6,
    gpu_roundings: 64.0,
    drops_scale: true,
    is_dialect: true,
    needs_centers: false,
    needs_ddm: false,
};

/// The slot of "no joint": the identity, which does not turn.
pub const NO_JOINT: Slot = Slot { columns: [[0.0, 0.0, 0.0, 1.0], [0.0; 4], [0.0; 4], [0.0; 4]] };

/// Returns a joint's slot: rotation and translation as a dual quaternion.
pub fn slot(world_from_bind: &DMat4) -> Slot {
    slot_of_polar(world_from_bind, polar::decompose(DMat3::from_mat4(*world_from_bind)))
}

/// Makes a [`slot`] from a decomposed matrix.
pub fn slot_of_polar(world_from_bind: &DMat4, polar: Polar) -> Slot {
    let Slot { columns: [q, d, ..] } = dual_quat::slot_of_polar(world_from_bind, polar);
    Slot { columns: [q, d, [0.0; 4], [0.0; 4]] }
}

/// Blends `q` and `d`, each quaternion on slot 0's side of the sphere; then `B p = R(q) p + 2 vec(d q*)`.
pub fn blend(slots: &[Slot], vertex: &VertexSkin) -> Affine {
    let first = slot_of(slots, vertex.heaviest(), &NO_JOINT);
    let pivot = first.columns[0];

    let mut q = [0.0; 4];
    let mut d = [0.0; 4];
    for (joint, weight) in vertex.influences() {
        let slot = slot_of(slots, joint, &NO_JOINT);
        let signed_weight = if dot4(slot.columns[0], pivot) < -HALF_TURN { -weight } else { weight };
        q = add4(q, scale4(slot.columns[0], signed_weight));
        d = add4(d, scale4(slot.columns[1], signed_weight));
    }

    let length_of_q = dot4(q, q).sqrt();
    if length_of_q > CANCELLED {
        q = divide4(q, length_of_q);
        d = divide4(d, length_of_q);
    } else {
        q = first.columns[0];
        d = first.columns[1];
    }

    let Columns { x, y, z } = turn_of(q);
    Affine { x, y, z, translation: translation_of(q, d) }
}
