//! Dual quaternion skinning in two phases: the blended stretch first, then a blended rigid motion. Twin of
//! `shaders/skinning/dual_quat.glsl`.
//!
//! The rigid part is Kavan, Collins, Žára, O'Sullivan, *Geometric Skinning with Approximate Dual Quaternion
//! Blending* (TOG 2008), algorithm 1. Kavan et al. 2006 separate scale and shear by polar decomposition and
//! blend them linearly in bind space.
//!
//! A slot's columns, for `M = [A | b]` with `A = R S`:
//!
//! | column | x    | y    | z    | w |                              |
//! |--------|------|------|------|---|------------------------------|
//! | 0      | q.x  | q.y  | q.z  | q.w | the unit quaternion of `R` |
//! | 1      | d.x  | d.y  | d.z  | d.w | `½ (b, 0) q`               |
//! | 2      | S.xx | S.yy | S.zz | 0 | diagonal of the stretch      |
//! | 3      | S.yz | S.xz | S.xy | 0 | the rest of it; S is symmetric |

use super::polar::{self, Polar};
use super::turn::{
    Columns, Stretch, add4, divide4, dot4, scale4, settle, translation_of, turn_of, turn_stretched,
};
use super::{Affine, Facts, Slot, VertexSkin, slot::slot_of};
use crate::shared::{CANCELLED, HALF_TURN};
use glam::{DMat3, DMat4, DQuat, DVec4};

/// The facts of the mode.
pub const FACTS: Facts = Facts {
    name: "dqs",
    title: "dual quaternion skinning",
    help: "rigid motions are averaged as dual quaternions, scale separately",
    slot: "column 0 is q as x y z w, column 1 is d as x y z w, \
           column 2 is Sxx Syy Szz 0, column 3 is Syz Sxz Sxy 0",
    bound: 2e-6,
    gpu_roundings: 64.0,
    drops_scale: false,
    is_dialect: false,
    needs_centers: false,
    needs_ddm: false,
};

/// The slot of "no joint": the identity, which neither turns nor stretches.
pub const NO_JOINT: Slot = Slot { columns: [[0.0, 0.0, 0.0, 1.0], [0.0; 4], [1.0, 1.0, 1.0, 0.0], [0.0; 4]] };

/// Returns a joint's slot: rotation and translation as a dual quaternion, and the stretch.
pub fn slot(world_from_bind: &DMat4) -> Slot {
    slot_of_polar(world_from_bind, polar::decompose(DMat3::from_mat4(*world_from_bind)))
}

/// Makes a [`slot`] from a decomposed matrix.
pub fn slot_of_polar(world_from_bind: &DMat4, polar: Polar) -> Slot {
    let Polar { rotation: q, stretch: s } = polar;
    let b = world_from_bind.w_axis.truncate();
    let d = DQuat::from_xyzw(b.x, b.y, b.z, 0.0) * (q * 0.5);

    let largest_stretch = s.to_cols_array().into_iter().fold(0.0, |a: f64, v| a.max(v.abs()));
    let diagonal = DVec4::new(s.x_axis.x, s.y_axis.y, s.z_axis.z, 0.0);
    let off_diagonal = DVec4::new(s.z_axis.y, s.z_axis.x, s.y_axis.x, 0.0);
    let columns = [
        settle(q.into(), 1.0),
        settle(d.into(), DVec4::from(d).abs().max_element()),
        settle(diagonal, largest_stretch),
        settle(off_diagonal, largest_stretch),
    ];
    Slot { columns }
}

/// Blends `q`, `d` and `S`, each quaternion on slot 0's side of the sphere; then
/// `B p = R(q) (S p) + 2 vec(d q*)`.
pub fn blend(slots: &[Slot], vertex: &VertexSkin) -> Affine {
    let first = slot_of(slots, vertex.heaviest(), &NO_JOINT);
    let pivot = first.columns[0];

    let mut q = [0.0; 4];
    let mut d = [0.0; 4];
    let mut stretch = Stretch::default();
    for (joint, weight) in vertex.influences() {
        let slot = slot_of(slots, joint, &NO_JOINT);
        let signed_weight = if dot4(slot.columns[0], pivot) < -HALF_TURN { -weight } else { weight };
        q = add4(q, scale4(slot.columns[0], signed_weight));
        d = add4(d, scale4(slot.columns[1], signed_weight));
        stretch.add(&Stretch { diagonal: slot.xyz(2), off_diagonal: slot.xyz(3) }, weight);
    }

    let length_of_q = dot4(q, q).sqrt();
    if length_of_q > CANCELLED {
        q = divide4(q, length_of_q);
        d = divide4(d, length_of_q);
    } else {
        q = first.columns[0];
        d = first.columns[1];
    }

    let Columns { x, y, z } = turn_stretched(&turn_of(q), &stretch);
    Affine { x, y, z, translation: translation_of(q, d) }
}
