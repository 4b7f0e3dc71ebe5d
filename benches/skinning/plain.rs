//! The plain scalar loop to beat, as fair as possible: one vertex after the other, arrays of structures, the
//! formulas of the fast path, no SIMD.

use crate::workload::{Influences, Parts, SHARE, Spans, Workload, center};
use sinew::skinning::{SkinningMode, Slot, VertexSkin, affine};

type V3 = [f32; 3];

#[inline(always)]
fn dot(a: V3, b: V3) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
fn cross(a: V3, b: V3) -> V3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline(always)]
fn scaled(a: V3, s: f32) -> V3 {
    [a[0] * s, a[1] * s, a[2] * s]
}

#[inline(always)]
fn transform([x, y, z]: [V3; 3], v: V3) -> V3 {
    [
        x[0] * v[0] + y[0] * v[1] + z[0] * v[2],
        x[1] * v[0] + y[1] * v[1] + z[1] * v[2],
        x[2] * v[0] + y[2] * v[1] + z[2] * v[2],
    ]
}

/// Three columns and a translation.
type Matrix = ([V3; 3], V3);

/// A mode, as a type so that the compiler inlines everything into its loop.
trait Blend<const K: usize> {
    fn blend(slots: &[Slot], joints: &[u16; K], weights: &[f32; K]) -> Matrix;
}

struct Linear;
struct DualQuat<const STRETCH: bool>;

impl<const K: usize> Blend<K> for Linear {
    #[inline(always)]
    fn blend(slots: &[Slot], joints: &[u16; K], weights: &[f32; K]) -> Matrix {
        linear(slots, joints, weights)
    }
}

impl<const K: usize, const STRETCH: bool> Blend<K> for DualQuat<STRETCH> {
    #[inline(always)]
    fn blend(slots: &[Slot], joints: &[u16; K], weights: &[f32; K]) -> Matrix {
        dual_quat::<K, STRETCH>(slots, joints, weights)
    }
}

#[inline(always)]
fn linear<const K: usize>(slots: &[Slot], joints: &[u16; K], weights: &[f32; K]) -> Matrix {
    let mut b = [[0.0; 3]; 4];
    for k in 0..K {
        let (m, w) = (&slots[usize::from(joints[k])].columns, weights[k]);
        for i in 0..4 {
            b[i][0] += m[i][0] * w;
            b[i][1] += m[i][1] * w;
            b[i][2] += m[i][2] * w;
        }
    }
    ([b[0], b[1], b[2]], b[3])
}

#[inline(always)]
fn dual_quat<const K: usize, const STRETCH: bool>(
    slots: &[Slot],
    joints: &[u16; K],
    weights: &[f32; K],
) -> Matrix {
    let pivot = slots[usize::from(joints[0])].columns[0];
    let mut sums = [[0.0; 4]; 4];
    for (&joint, &weight) in joints.iter().zip(weights) {
        let [q, d, diagonal, off_diagonal] = &slots[usize::from(joint)].columns;
        let dot = q[0] * pivot[0] + q[1] * pivot[1] + q[2] * pivot[2] + q[3] * pivot[3];
        let signed = if dot < 0.0 { -weight } else { weight };
        for i in 0..4 {
            sums[0][i] += q[i] * signed;
            sums[1][i] += d[i] * signed;
        }
        if STRETCH {
            for i in 0..3 {
                sums[2][i] += diagonal[i] * weight;
                sums[3][i] += off_diagonal[i] * weight;
            }
        }
    }
    let [[x, y, z, w], [dx, dy, dz, dw], [sxx, syy, szz, _], [syz, sxz, sxy, _]] = sums;
    let two = 2.0 / (x * x + y * y + z * z + w * w);
    let (tx, ty, tz) = (x * two, y * two, z * two);
    let (xx, yy, zz, xy, xz, yz) = (x * tx, y * ty, z * tz, x * ty, x * tz, y * tz);
    let (wx, wy, wz) = (w * tx, w * ty, w * tz);
    let r = [
        [1.0 - (yy + zz), xy + wz, xz - wy],
        [xy - wz, 1.0 - (xx + zz), yz + wx],
        [xz + wy, yz - wx, 1.0 - (xx + yy)],
    ];
    let turned = cross([x, y, z], [dx, dy, dz]);
    let translation = [
        (w * dx - dw * x + turned[0]) * two,
        (w * dy - dw * y + turned[1]) * two,
        (w * dz - dw * z + turned[2]) * two,
    ];
    if !STRETCH {
        return (r, translation);
    }
    let rs = [transform(r, [sxx, sxy, sxz]), transform(r, [sxy, syy, syz]), transform(r, [sxz, syz, szz])];
    (rs, translation)
}

/// Skins every vertex.
pub fn skin(mode: SkinningMode, slots: &[Slot], load: &Workload, parts: Parts, out: &mut Spans) {
    match &load.influences {
        Influences::One(joints, weights) => by(mode, slots, load, joints, weights, parts, out),
        Influences::Two(joints, weights) => by(mode, slots, load, joints, weights, parts, out),
        Influences::Four(joints, weights) => by(mode, slots, load, joints, weights, parts, out),
        Influences::Eight(joints, weights) => by(mode, slots, load, joints, weights, parts, out),
    }
}

fn by<const K: usize>(
    mode: SkinningMode,
    slots: &[Slot],
    load: &Workload,
    joints: &[[u16; K]],
    weights: &[[f32; K]],
    parts: Parts,
    out: &mut Spans,
) {
    // A loop for each mode and each set of parts, with no branches on them inside.
    match (mode, load.is_stretched) {
        (SkinningMode::DualQuat, false) => {
            with::<K, DualQuat<false>>(slots, load, joints, weights, parts, out)
        }
        (SkinningMode::DualQuat, true) => with::<K, DualQuat<true>>(slots, load, joints, weights, parts, out),
        // A plain loop for rigid is the linear one with one joint.
        (SkinningMode::Rigid | SkinningMode::Linear, _) => {
            with::<K, Linear>(slots, load, joints, weights, parts, out)
        }
        // Nobody has a plain loop for these; the twin is what there is.
        (SkinningMode::Blended | SkinningMode::CenterOfRotation, _) => {
            twin(mode, slots, load, joints, weights, parts, out);
        }
    }
}

/// Skins every vertex by the mode's twin, with the workload's shares and centres.
fn twin<const K: usize>(
    mode: SkinningMode,
    slots: &[Slot],
    load: &Workload,
    joints: &[[u16; K]],
    weights: &[[f32; K]],
    parts: Parts,
    out: &mut Spans,
) {
    let mut places = [[-1; 4]; 2];
    let mut shares = [[0.0; 4]; 2];
    for vertex in 0..load.positions.len() {
        let all = places.as_flattened_mut().iter_mut().zip(shares.as_flattened_mut());
        for ((place, share), (&joint, &weight)) in all.zip(joints[vertex].iter().zip(&weights[vertex])) {
            (*place, *share) = (i32::from(joint), weight);
        }
        let (joints, weights) = (&places[..K.div_ceil(4)], &shares[..K.div_ceil(4)]);
        let center = center(load.positions[vertex]);
        let b = mode.blend(slots, &VertexSkin { joints, weights, share: SHARE, center });
        out.positions[vertex] = affine::transform_position(&b, load.positions[vertex]);
        if parts.normals() {
            out.normals[vertex] = affine::transform_normal(&b, load.normals[vertex]);
        }
        if parts.tangents() {
            out.tangents[vertex] = affine::transform_tangent(&b, load.tangents[vertex], out.normals[vertex]);
        }
    }
}

fn with<const K: usize, B: Blend<K>>(
    slots: &[Slot],
    load: &Workload,
    joints: &[[u16; K]],
    weights: &[[f32; K]],
    parts: Parts,
    out: &mut Spans,
) {
    match parts {
        Parts(1) => each::<K, 1, B>(slots, load, joints, weights, out),
        Parts(2) => each::<K, 2, B>(slots, load, joints, weights, out),
        _ => each::<K, 3, B>(slots, load, joints, weights, out),
    }
}

#[inline(never)]
fn each<const K: usize, const PARTS: usize, B: Blend<K>>(
    slots: &[Slot],
    load: &Workload,
    joints: &[[u16; K]],
    weights: &[[f32; K]],
    out: &mut Spans,
) {
    let influences = joints.iter().zip(weights);
    let vertices = load.positions.iter().zip(&load.normals).zip(&load.tangents);
    let outs = out.positions.iter_mut().zip(&mut out.normals).zip(&mut out.tangents);
    for (((joints, weights), ((p, n), t)), ((p_out, n_out), t_out)) in influences.zip(vertices).zip(outs) {
        let (b3, translation) = B::blend(slots, joints, weights);
        let moved = transform(b3, *p);
        *p_out = [moved[0] + translation[0], moved[1] + translation[1], moved[2] + translation[2]];
        if PARTS < 2 {
            continue;
        }
        let [x, y, z] = b3;
        let cofactor = [cross(y, z), cross(z, x), cross(x, y)];
        let sign = if dot(x, cofactor[0]) < 0.0 { -1.0 } else { 1.0 };
        let moved = transform(cofactor, *n);
        let normal = scaled(moved, sign / dot(moved, moved).sqrt());
        *n_out = normal;
        if PARTS < 3 {
            continue;
        }
        let along = transform(b3, [t[0], t[1], t[2]]);
        let shared = dot(normal, along);
        let part = scaled(normal, shared);
        let across = [along[0] - part[0], along[1] - part[1], along[2] - part[2]];
        let [tx, ty, tz] = scaled(across, 1.0 / dot(across, across).sqrt());
        *t_out = [tx, ty, tz, t[3] * sign];
    }
}
