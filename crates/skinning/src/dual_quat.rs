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

use super::affine::{add3, cross3, scale3, sub3};
use super::{Affine, Facts, Slot, palette::slot_of, polar};
use crate::shared::{CANCELLED, HALF_TURN};
use glam::{DMat3, DMat4, DQuat, DVec4};

/// The facts of the mode.
pub const FACTS: Facts = Facts {
    name: "dqs",
    title: "dual quaternion skinning",
    help: "rigid motions are averaged as dual quaternions, scale apart",
    slot: "column 0 is q as x y z w, column 1 is d as x y z w, \
           column 2 is Sxx Syy Szz 0, column 3 is Syz Sxz Sxy 0",
    bound: 2e-6,
    gpu_roundings: 64.0,
};

/// The slot of "no joint": the identity, which neither turns nor stretches.
pub const NO_JOINT: Slot = Slot { columns: [[0.0, 0.0, 0.0, 1.0], [0.0; 4], [1.0, 1.0, 1.0, 0.0], [0.0; 4]] };

/// Numbers this far below their largest neighbour are noise of the decomposition (2⁻⁴⁰). Zeros in their place
/// keep planes flat; as 1e-17, a product of three would be denormal, which some devices flush to zero and
/// others do not.
const NOISE: f64 = crate::shared::NOISE as f64;

/// A joint's slot: rotation and translation as a dual quaternion, and the stretch.
pub fn slot(world_from_bind: &DMat4) -> Slot {
    let polar::Polar { rotation: q, stretch: s } = polar::decompose(DMat3::from_mat4(*world_from_bind));
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

/// Rounds to `f32`, and noise beside `largest` to zero.
fn settle(v: DVec4, largest: f64) -> [f32; 4] {
    v.to_array().map(|x| if x.abs() < largest * NOISE { 0.0 } else { x as f32 })
}

fn add4(a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]]
}

fn scale4(a: [f32; 4], factor: f32) -> [f32; 4] {
    a.map(|v| v * factor)
}

fn divide4(a: [f32; 4], divisor: f32) -> [f32; 4] {
    a.map(|v| v / divisor)
}

fn dot4(a: [f32; 4], b: [f32; 4]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

/// Blends `q`, `d` and `S`, each quaternion on slot 0's side of the sphere; then
/// `B p = R(q) (S p) + 2 vec(d q*)`.
pub fn blend(slots: &[Slot], joints: &[[i32; 4]], weights: &[[f32; 4]]) -> Affine {
    let first = slot_of(slots, joints.first().map_or(-1, |span| span[0]), &NO_JOINT);
    let pivot = first.columns[0];

    let mut q = [0.0; 4];
    let mut d = [0.0; 4];
    let mut diagonal = [0.0; 3];
    let mut off_diagonal = [0.0; 3];
    for (joints, weights) in joints.iter().zip(weights) {
        for (&joint, &weight) in joints.iter().zip(weights) {
            let slot = slot_of(slots, joint, &NO_JOINT);
            let signed_weight = if dot4(slot.columns[0], pivot) < -HALF_TURN { -weight } else { weight };
            q = add4(q, scale4(slot.columns[0], signed_weight));
            d = add4(d, scale4(slot.columns[1], signed_weight));
            diagonal = add3(diagonal, scale3(slot.xyz(2), weight));
            off_diagonal = add3(off_diagonal, scale3(slot.xyz(3), weight));
        }
    }

    let length_of_q = dot4(q, q).sqrt();
    if length_of_q > CANCELLED {
        q = divide4(q, length_of_q);
        d = divide4(d, length_of_q);
    } else {
        q = first.columns[0];
        d = first.columns[1];
    }

    // R(q), by columns.
    let [qx, qy, qz, qw] = q;
    let rx = [1.0 - 2.0 * (qy * qy + qz * qz), 2.0 * (qx * qy + qw * qz), 2.0 * (qx * qz - qw * qy)];
    let ry = [2.0 * (qx * qy - qw * qz), 1.0 - 2.0 * (qx * qx + qz * qz), 2.0 * (qy * qz + qw * qx)];
    let rz = [2.0 * (qx * qz + qw * qy), 2.0 * (qy * qz - qw * qx), 1.0 - 2.0 * (qx * qx + qy * qy)];

    // R(q) S, by columns: S is symmetric, so its columns are (xx xy xz), (xy yy yz), (xz yz zz).
    let [xx, yy, zz] = diagonal;
    let [yz, xz, xy] = off_diagonal;
    let x = add3(add3(scale3(rx, xx), scale3(ry, xy)), scale3(rz, xz));
    let y = add3(add3(scale3(rx, xy), scale3(ry, yy)), scale3(rz, yz));
    let z = add3(add3(scale3(rx, xz), scale3(ry, yz)), scale3(rz, zz));

    // 2 vec(d q*)
    let (q_xyz, d_xyz) = ([qx, qy, qz], [d[0], d[1], d[2]]);
    let half_translation = add3(sub3(scale3(d_xyz, qw), scale3(q_xyz, d[3])), cross3(q_xyz, d_xyz));
    let translation = scale3(half_translation, 2.0);
    Affine { x, y, z, translation }
}
