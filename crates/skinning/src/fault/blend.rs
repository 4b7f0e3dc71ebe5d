//! Faulty blending: of dual quaternions, of "no joint" in every mode, and of normals in every mode.

use super::Fault;
use crate::affine::{add3, scale3};
use crate::twin::Vertices;
use crate::{Affine, SkinningMode, Slot, VertexSkin, dual_quat, slot::slot_of};
use sinew_model::{DdmRow, DdmTerm};

/// Returns the transform of one vertex with a fault in the mode's blending; other faults leave it right.
pub(crate) fn blend(fault: Fault, mode: SkinningMode, slots: &[Slot], vertex: &VertexSkin) -> Affine {
    match fault {
        Fault::NoAntipodal => {
            // One slot that holds the sum as it is; as the only slot it is its own pivot.
            let sum = sum(slots, vertex, |_| 1.0);
            dual_quat::blend(&[sum], &VertexSkin::of_joint(&[[0, -1, -1, -1]]))
        }
        Fault::NoNormalise => {
            let first = *slot_of(slots, vertex.heaviest(), &dual_quat::NO_JOINT);
            let side = |slot: &Slot| if dot(slot, &first) < 0.0 { -1.0 } else { 1.0 };
            let sum = sum(slots, vertex, side);
            unnormalised(dual_quat::blend(slots, vertex), &sum)
        }
        Fault::NoJointAsZero => first_for_none(mode, slots, vertex),
        _ => mode.blend(slots, vertex),
    }
}

/// Blends with the first joint in place of "no joint". Slots without weight stay, so that other vertices keep their bits.
fn first_for_none(mode: SkinningMode, slots: &[Slot], vertex: &VertexSkin) -> Affine {
    let terms = vertex.ddm.map_or(&[][..], |row| row.terms);
    let is_moved = vertex.influences().any(|(joint, weight)| joint < 0 && weight > 0.0);
    if !is_moved && terms.iter().all(|term| term.joint >= 0) {
        return mode.blend(slots, vertex);
    }
    let joints: Vec<[i32; 4]> = vertex.joints.iter().map(|span| span.map(|joint| joint.max(0))).collect();
    let terms: Vec<DdmTerm> =
        terms.iter().map(|term| DdmTerm { joint: term.joint.max(0), ..*term }).collect();
    let ddm = vertex.ddm.map(|row| DdmRow { terms: &terms, ..row });
    mode.blend(slots, &VertexSkin { joints: &joints, ddm, ..*vertex })
}

/// Multiplies normals by the 3×3 part of each vertex's transform.
pub(crate) fn plain_normals(mode: SkinningMode, slots: &[Slot], source: &Vertices, normals: &mut [[f32; 3]]) {
    let all = normals.iter_mut().zip(source.normals.unwrap_or_default()).zip(source.positions);
    for (vertex, ((out, normal), position)) in all.enumerate() {
        let (joints, weights, count) = source.influences_of(vertex);
        let skin = VertexSkin {
            joints: joints.get(..count).unwrap_or_default(),
            weights: weights.get(..count).unwrap_or_default(),
            share: source.share_of(vertex),
            center: source.center_of(vertex).unwrap_or(*position),
            position: *position,
            ddm: source.ddm_of(vertex),
        };
        let Affine { x, y, z, .. } = mode.blend(slots, &skin);
        let [a, b, c] = *normal;
        let turned = add3(add3(scale3(x, a), scale3(y, b)), scale3(z, c));
        let length = turned.iter().map(|n| n * n).sum::<f32>().sqrt();
        *out = if length > 0.0 { scale3(turned, 1.0 / length) } else { turned };
    }
}

/// Applies the formulas for unit quaternions to a sum of length l. A rotation matrix is one minus squares and products of q,
/// so it comes out as l² R + (1 − l²) I, and the translation as l² times the right one.
fn unnormalised(right: Affine, sum: &Slot) -> Affine {
    let squared = dot(sum, sum);
    let [xx, yy, zz] = sum.xyz(2);
    let [yz, xz, xy] = sum.xyz(3);
    let mix = |turned, stretched| add3(scale3(turned, squared), scale3(stretched, 1.0 - squared));
    Affine {
        x: mix(right.x, [xx, xy, xz]),
        y: mix(right.y, [xy, yy, yz]),
        z: mix(right.z, [xz, yz, zz]),
        translation: scale3(right.translation, squared),
    }
}

/// Returns the weighted sum of the slots; `sign` multiplies the dual quaternion of each.
fn sum(slots: &[Slot], vertex: &VertexSkin, sign: impl Fn(&Slot) -> f32) -> Slot {
    let mut sum = Slot::ZERO;
    for (joint, weight) in vertex.influences() {
        let slot = slot_of(slots, joint, &dual_quat::NO_JOINT);
        let signed = weight * sign(slot);
        let factors = [signed, signed, weight, weight];
        for ((sum, column), factor) in sum.columns.iter_mut().zip(&slot.columns).zip(factors) {
            sum.iter_mut().zip(column).for_each(|(sum, number)| *sum += number * factor);
        }
    }
    sum
}

/// Returns the dot product of the quaternions.
fn dot(a: &Slot, b: &Slot) -> f32 {
    a.columns[0].iter().zip(&b.columns[0]).map(|(a, b)| a * b).sum()
}
