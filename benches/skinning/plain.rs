//! The loop to beat: one vertex after the other over `glam`'s vectors and matrices, which use SSE2 by themselves. It is what
//! a good engineer writes who has not set out to write SIMD.

use crate::workload::{Influences, Parts, SHARE, Spans, Workload, center};
use glam::{Mat3A, Mat4, Quat, Vec3A, Vec4, Vec4Swizzles};
use sinew::skinning::{SkinningMode, Slot, VertexSkin, affine};

/// How a vertex moves.
trait Motion {
    fn position(&self, p: Vec3A) -> Vec3A;
    /// Turns a normal to length one, and says whether the motion mirrors: −1 or 1.
    fn normal(&self, n: Vec3A) -> (Vec3A, f32);
    /// Turns a tangent to length one, orthogonal to the moved normal.
    fn tangent(&self, t: Vec3A, moved_normal: Vec3A) -> Vec3A;
}

struct ByMatrix {
    linear: Mat3A,
    translation: Vec3A,
}

impl Motion for ByMatrix {
    #[inline(always)]
    fn position(&self, p: Vec3A) -> Vec3A {
        self.linear * p + self.translation
    }

    #[inline(always)]
    fn normal(&self, n: Vec3A) -> (Vec3A, f32) {
        let Mat3A { x_axis: x, y_axis: y, z_axis: z } = self.linear;
        let cofactors = Mat3A::from_cols(y.cross(z), z.cross(x), x.cross(y));
        let sign = 1.0_f32.copysign(x.dot(cofactors.x_axis));
        let moved = cofactors * n;
        (moved * (sign / moved.length()), sign)
    }

    #[inline(always)]
    fn tangent(&self, t: Vec3A, moved_normal: Vec3A) -> Vec3A {
        let along = self.linear * t;
        (along - moved_normal * moved_normal.dot(along)).normalize()
    }
}

/// A rigid motion keeps lengths and angles.
struct ByQuaternion {
    q: Quat,
    translation: Vec3A,
}

impl Motion for ByQuaternion {
    #[inline(always)]
    fn position(&self, p: Vec3A) -> Vec3A {
        self.q * p + self.translation
    }

    #[inline(always)]
    fn normal(&self, n: Vec3A) -> (Vec3A, f32) {
        (self.q * n, 1.0)
    }

    #[inline(always)]
    fn tangent(&self, t: Vec3A, _moved_normal: Vec3A) -> Vec3A {
        self.q * t
    }
}

/// A mode, as a type so that the compiler inlines everything into its loop.
trait Blend<const K: usize> {
    type Motion: Motion;
    fn blend(slots: &[Mat4], joints: &[u16; K], weights: &[f32; K]) -> Self::Motion;
}

struct Linear;
struct DualQuat;
struct StretchedDualQuat;

impl<const K: usize> Blend<K> for Linear {
    type Motion = ByMatrix;

    #[inline(always)]
    fn blend(slots: &[Mat4], joints: &[u16; K], weights: &[f32; K]) -> ByMatrix {
        let mut b = slots[usize::from(joints[0])] * weights[0];
        for k in 1..K {
            b += slots[usize::from(joints[k])] * weights[k];
        }
        ByMatrix { linear: Mat3A::from_mat4(b), translation: b.w_axis.truncate().into() }
    }
}

/// The blended dual quaternion, as a rotation and a translation.
#[inline(always)]
fn rigid<const K: usize>(slots: &[Mat4], joints: &[u16; K], weights: &[f32; K]) -> (Quat, Vec3A) {
    let pivot = slots[usize::from(joints[0])].x_axis;
    let (mut q, mut d) = (Vec4::ZERO, Vec4::ZERO);
    for (&joint, &weight) in joints.iter().zip(weights) {
        let slot = &slots[usize::from(joint)];
        let signed = weight.copysign(slot.x_axis.dot(pivot));
        q += slot.x_axis * signed;
        d += slot.y_axis * signed;
    }
    let inverse_length = q.length_recip();
    let (q, d) = (q * inverse_length, d * inverse_length);
    let (q_xyz, d_xyz) = (Vec3A::from(q.xyz()), Vec3A::from(d.xyz()));
    let half_translation = d_xyz * q.w - q_xyz * d.w + q_xyz.cross(d_xyz);
    (Quat::from_vec4(q), half_translation * 2.0)
}

impl<const K: usize> Blend<K> for DualQuat {
    type Motion = ByQuaternion;

    #[inline(always)]
    fn blend(slots: &[Mat4], joints: &[u16; K], weights: &[f32; K]) -> ByQuaternion {
        let (q, translation) = rigid(slots, joints, weights);
        ByQuaternion { q, translation }
    }
}

impl<const K: usize> Blend<K> for StretchedDualQuat {
    type Motion = ByMatrix;

    #[inline(always)]
    fn blend(slots: &[Mat4], joints: &[u16; K], weights: &[f32; K]) -> ByMatrix {
        let (q, translation) = rigid(slots, joints, weights);
        let (mut diagonal, mut off_diagonal) = (Vec4::ZERO, Vec4::ZERO);
        for (&joint, &weight) in joints.iter().zip(weights) {
            let slot = &slots[usize::from(joint)];
            diagonal += slot.z_axis * weight;
            off_diagonal += slot.w_axis * weight;
        }
        let ([xx, yy, zz, _], [yz, xz, xy, _]) = (diagonal.to_array(), off_diagonal.to_array());
        let stretch =
            Mat3A::from_cols(Vec3A::new(xx, xy, xz), Vec3A::new(xy, yy, yz), Vec3A::new(xz, yz, zz));
        ByMatrix { linear: Mat3A::from_quat(q) * stretch, translation }
    }
}

/// A palette as the loops read it.
pub struct Palette {
    slots: Vec<Slot>,
    /// The same, aligned.
    aligned: Vec<Mat4>,
}

impl Palette {
    pub fn new(slots: &[Slot]) -> Self {
        let aligned = slots.iter().map(|slot| Mat4::from_cols_array_2d(&slot.columns)).collect();
        Self { slots: slots.to_vec(), aligned }
    }
}

/// Skins every vertex.
pub fn skin(mode: SkinningMode, slots: &Palette, load: &Workload, parts: Parts, out: &mut Spans) {
    match &load.influences {
        Influences::One(joints, weights) => by(mode, slots, load, joints, weights, parts, out),
        Influences::Two(joints, weights) => by(mode, slots, load, joints, weights, parts, out),
        Influences::Four(joints, weights) => by(mode, slots, load, joints, weights, parts, out),
        Influences::Eight(joints, weights) => by(mode, slots, load, joints, weights, parts, out),
        Influences::Sixteen(joints, weights) => by(mode, slots, load, joints, weights, parts, out),
    }
}

fn by<const K: usize>(
    mode: SkinningMode,
    slots: &Palette,
    load: &Workload,
    joints: &[[u16; K]],
    weights: &[[f32; K]],
    parts: Parts,
    out: &mut Spans,
) {
    let aligned = &slots.aligned[..];
    // A loop for each mode and each set of parts, with no branches on them inside.
    match (mode, load.is_stretched) {
        (SkinningMode::DualQuat, false) | (SkinningMode::DualQuatRigid, _) => {
            with::<K, DualQuat>(aligned, load, joints, weights, parts, out)
        }
        (SkinningMode::DualQuat, true) => {
            with::<K, StretchedDualQuat>(aligned, load, joints, weights, parts, out)
        }
        // A plain loop for rigid is the linear one with one joint.
        (SkinningMode::Rigid | SkinningMode::Linear, _) => {
            with::<K, Linear>(aligned, load, joints, weights, parts, out)
        }
        // Nobody has such a loop for these; the twin is what there is.
        (
            SkinningMode::Blended
            | SkinningMode::CenterOfRotation
            | SkinningMode::DualQuatBlender
            | SkinningMode::DirectDeltaMush,
            _,
        ) => {
            twin(mode, &slots.slots, load, joints, weights, parts, out);
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
    let mut places = [[-1; 4]; 4];
    let mut shares = [[0.0; 4]; 4];
    for vertex in 0..load.positions.len() {
        let all = places.as_flattened_mut().iter_mut().zip(shares.as_flattened_mut());
        for ((place, share), (&joint, &weight)) in all.zip(joints[vertex].iter().zip(&weights[vertex])) {
            (*place, *share) = (i32::from(joint), weight);
        }
        let (joints, weights) = (&places[..K.div_ceil(4)], &shares[..K.div_ceil(4)]);
        let position = load.positions[vertex];
        let center = center(position);
        let b = mode.blend(slots, &VertexSkin { joints, weights, share: SHARE, center, position, ddm: None });
        out.positions[vertex] = affine::transform_position(&b, position);
        if parts.normals() {
            out.normals[vertex] = affine::transform_normal(&b, load.normals[vertex]);
        }
        if parts.tangents() {
            out.tangents[vertex] = affine::transform_tangent(&b, load.tangents[vertex], out.normals[vertex]);
        }
    }
}

fn with<const K: usize, B: Blend<K>>(
    slots: &[Mat4],
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
    slots: &[Mat4],
    load: &Workload,
    joints: &[[u16; K]],
    weights: &[[f32; K]],
    out: &mut Spans,
) {
    let influences = joints.iter().zip(weights);
    let vertices = load.positions.iter().zip(&load.normals).zip(&load.tangents);
    let outs = out.positions.iter_mut().zip(&mut out.normals).zip(&mut out.tangents);
    for (((joints, weights), ((p, n), t)), ((p_out, n_out), t_out)) in influences.zip(vertices).zip(outs) {
        let motion = B::blend(slots, joints, weights);
        *p_out = motion.position(Vec3A::from_array(*p)).to_array();
        if PARTS < 2 {
            continue;
        }
        let (normal, sign) = motion.normal(Vec3A::from_array(*n));
        *n_out = normal.to_array();
        if PARTS < 3 {
            continue;
        }
        let tangent = motion.tangent(Vec3A::new(t[0], t[1], t[2]), normal);
        *t_out = tangent.extend(t[3] * sign).to_array();
    }
}
