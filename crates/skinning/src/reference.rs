//! The definition of every mode in `f64`, to be read beside the formulas and never optimised. Tests compare the twins and
//! the GPU with it.

use super::ddm_terms::Exact;
pub(crate) use super::directions::is_orientation_certain;
pub use super::directions::{cofactor, orientation, transform_normal, transform_tangent};
use super::morph::morph_exactly;
use super::twin::Vertices;
use super::{SkinningMode, nearest_turn, polar, shared};
use glam::{DAffine3, DMat3, DMat4, DQuat, DVec3, DVec4};
use sinew_model::{DdmRow, Morphs};

/// Skinned vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reference {
    /// World-space positions.
    pub positions: Vec<DVec3>,
    /// World-space normals, if the primitive has normals.
    pub normals: Option<Vec<DVec3>>,
    /// World-space tangents, if the primitive has normals and tangents.
    pub tangents: Option<Vec<DVec4>>,
    /// The largest coordinate of a skinned position, or of the terms that sum to one. Joints far from their bind pose make
    /// large terms that cancel, and each term is rounded in proportion to its own size.
    pub reach: f64,
    /// The reach of each vertex, in *ddm*: rounding turns surroundings that are nearly a line about it, however small they are.
    pub reaches: Vec<f64>,
    /// A measure of the conditioning of each vertex's directions, if the primitive has normals. It is about 1 for a
    /// motion, and near 0 if blending nearly flattens the vertex's surroundings. Rounding of the blended terms turns the
    /// directions by up to its inverse times as much, in any arithmetic.
    pub steadiness: Vec<f64>,
    /// True if rounding of the blended terms cannot exchange each vertex's side, if the primitive has normals: the
    /// determinant of its transform is far enough from the mirroring limit. Otherwise, `f32` and `f64` may disagree on the
    /// direction of the normal and on the handedness of the tangent.
    pub is_side_certain: Vec<bool>,
}

/// Skins every vertex by the joints' transforms.
pub fn skin(mode: SkinningMode, world_from_bind: &[DMat4], source: &Vertices) -> Reference {
    skin_morphed(mode, world_from_bind, source, &Morphs::default(), &[])
}

/// Morphs every vertex with these weights, then skins it.
pub fn skin_morphed(
    mode: SkinningMode,
    world_from_bind: &[DMat4],
    source: &Vertices,
    morphs: &Morphs,
    weights: &[f64],
) -> Reference {
    let joints: Vec<JointMotion> = world_from_bind.iter().map(JointMotion::new).collect();
    let no_joint = JointMotion::new(&DMat4::IDENTITY);
    let joint = |number| joint_of(&joints, &no_joint, number);
    let mut influences = Vec::new();
    let mut normals = Vec::new();
    let mut tangents = Vec::new();
    let mut steadiness = Vec::new();
    let mut is_side_certain = Vec::new();
    let (mut reach, mut reaches) = (0.0f64, Vec::new());
    let mut positions = Vec::with_capacity(source.positions.len());
    for (vertex, &position) in source.positions.iter().enumerate() {
        influences_into(source, vertex, joint, &mut influences);
        let (position, summed) = morph_exactly(position, morphs.positions.as_ref(), vertex, weights);
        let Blended { b, size, summed: about } =
            transform(mode, &influences, source, vertex, position, joint);
        let skinned = b.transform_point3(DVec3::from_array(position));
        let largest = |v: DVec3| v.abs().max_element();
        reach = reach.max(largest(skinned));
        match mode.facts().needs_ddm {
            true => reaches.push(about),
            false => reach = reach.max(size * largest(DVec3::from_array(summed))).max(about),
        }
        positions.push(skinned);

        let Some(&normal) = source.normals.and_then(|normals| normals.get(vertex)) else { continue };
        // If the targets' deltas cancel, rounding determines the directions.
        let (normal, summed) = morph_exactly(normal, morphs.normals.as_ref(), vertex, weights);
        let (normal, summed) = (DVec3::from_array(normal), DVec3::from_array(summed));
        let moved = transform_normal(&b.matrix3, normal);
        normals.push(moved);
        let mut steady = (cofactor(&b.matrix3) * normal).length() / (size * size * summed.length());
        if let Some(&tangent) = source.tangents.and_then(|tangents| tangents.get(vertex)) {
            let (tangent, summed) = morph_exactly(tangent, morphs.tangents.as_ref(), vertex, weights);
            let (tangent, summed) = (DVec4::from_array(tangent), DVec4::from_array(summed));
            tangents.push(transform_tangent(&b.matrix3, tangent, moved));
            let along = b.matrix3 * tangent.truncate();
            let across = (along - moved * moved.dot(along)).length();
            // A tangent is made orthogonal to the normal and turns with it.
            steady *= across / (size * summed.truncate().length());
        }
        steadiness.push(if steady.is_nan() { 0.0 } else { steady.min(1.0) });
        is_side_certain.push(is_orientation_certain(&b.matrix3, size));
    }
    Reference {
        positions,
        normals: source.normals.map(|_| normals),
        tangents: source.normals.and(source.tangents).map(|_| tangents),
        reach,
        reaches,
        steadiness,
        is_side_certain,
    }
}

/// Calls `each` with the position in [`skin_morphed`] of some vertices; `None` for one that does not exist. Prepares the
/// joints once.
pub fn positions_of(
    mode: SkinningMode,
    world_from_bind: &[DMat4],
    source: &Vertices,
    (morphs, weights): (&Morphs, &[f64]),
    vertices: impl IntoIterator<Item = usize>,
    mut each: impl FnMut(Option<DVec3>),
) {
    let joints: Vec<JointMotion> = world_from_bind.iter().map(JointMotion::new).collect();
    let no_joint = JointMotion::new(&DMat4::IDENTITY);
    let joint = |number| joint_of(&joints, &no_joint, number);
    let mut influences = Vec::new();
    for vertex in vertices {
        let Some(&position) = source.positions.get(vertex) else {
            each(None);
            continue;
        };
        influences_into(source, vertex, joint, &mut influences);
        let (position, _) = morph_exactly(position, morphs.positions.as_ref(), vertex, weights);
        let Blended { b, .. } = transform(mode, &influences, source, vertex, position, joint);
        each(Some(b.transform_point3(DVec3::from_array(position))));
    }
}

/// Computes the positions and normals of [`skin_morphed`] alone, into reused memory. Without normals in the source,
/// `normals` stays empty.
pub fn surface_into(
    mode: SkinningMode,
    world_from_bind: &[DMat4],
    source: &Vertices,
    morphs: &Morphs,
    weights: &[f64],
    positions: &mut Vec<[f64; 3]>,
    normals: &mut Vec<[f64; 3]>,
) {
    let joints: Vec<JointMotion> = world_from_bind.iter().map(JointMotion::new).collect();
    let no_joint = JointMotion::new(&DMat4::IDENTITY);
    let joint = |number| joint_of(&joints, &no_joint, number);
    let mut influences = Vec::new();
    positions.clear();
    normals.clear();
    for (vertex, &position) in source.positions.iter().enumerate() {
        influences_into(source, vertex, joint, &mut influences);
        let (position, _) = morph_exactly(position, morphs.positions.as_ref(), vertex, weights);
        let Blended { b, .. } = transform(mode, &influences, source, vertex, position, joint);
        positions.push(b.transform_point3(DVec3::from_array(position)).to_array());
        if let Some(&normal) = source.normals.and_then(|normals| normals.get(vertex)) {
            let (normal, _) = morph_exactly(normal, morphs.normals.as_ref(), vertex, weights);
            normals.push(transform_normal(&b.matrix3, DVec3::from_array(normal)).to_array());
        }
    }
}

/// A joint's `M = [A | b]`, and `A = R S` with `q`, `d` of its rigid part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointMotion {
    /// `M`, from bind space to the world.
    pub m: DAffine3,
    /// The unit quaternion of `R`.
    pub q: DQuat,
    /// `½ (b, 0) q`.
    pub d: DQuat,
    /// `S`, symmetric.
    pub s: DMat3,
    /// The stretch of `A` and of `S`, for [`Blended::size`].
    sizes: [f64; 2],
}

impl JointMotion {
    /// Decomposes a joint's transform.
    pub fn new(world_from_bind: &DMat4) -> Self {
        Self::of(world_from_bind, polar::decompose(DMat3::from_mat4(*world_from_bind)))
    }

    /// Makes it of a joint's transform and the decomposition of that.
    pub fn of(world_from_bind: &DMat4, polar: polar::Polar) -> Self {
        let m = DAffine3::from_mat4(*world_from_bind);
        let polar::Polar { rotation: q, stretch: s } = polar;
        let b = DQuat::from_vec4(m.translation.extend(0.0));
        Self { m, q, d: b * q * 0.5, s, sizes: [size_of(&m.matrix3), size_of(&s)] }
    }

    /// Returns the stretch of `A` and of `S`.
    pub(crate) fn sizes(&self) -> [f64; 2] {
        self.sizes
    }
}

/// Lists the joints that move a vertex, with their weights; slot 0 first. "No joint" is a joint that does not move.
fn influences_into<'a>(
    source: &Vertices,
    vertex: usize,
    joint: impl Fn(i32) -> &'a JointMotion,
    out: &mut Vec<(&'a JointMotion, f64)>,
) {
    let (numbers, weights, spans) = source.influences_of(vertex);
    let (numbers, weights) = (numbers[..spans].as_flattened(), weights[..spans].as_flattened());
    out.clear();
    let mut all = numbers.iter().map(|&number| joint(number)).zip(weights.iter().map(|&w| f64::from(w)));
    out.extend(all.next());
    // The other joints add nothing without weight.
    out.extend(all.filter(|(_, w)| *w != 0.0));
}

/// Returns a joint by its number, or the one that stands still.
pub(crate) fn joint_of<'a>(joints: &'a [JointMotion], none: &'a JointMotion, number: i32) -> &'a JointMotion {
    usize::try_from(number).ok().and_then(|number| joints.get(number)).unwrap_or(none)
}

/// Returns the transform of a vertex at a position after morph targets.
fn transform<'a>(
    mode: SkinningMode,
    influences: &[(&JointMotion, f64)],
    source: &Vertices,
    vertex: usize,
    position: [f64; 3],
    joint: impl Fn(i32) -> &'a JointMotion,
) -> Blended {
    match source.ddm_of(vertex).filter(|_| mode.facts().needs_ddm) {
        Some(row) => turn_with_surroundings(&row, DVec3::from(position), joint),
        None => blended(mode, influences, &Own::of(source, vertex, position)),
    }
}

/// A mode's input for a vertex besides joints and weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Own {
    /// Its share of dual quaternion skinning in *blend*.
    pub share: f64,
    /// Its centre of rotation in bind space.
    pub center: DVec3,
    /// Its position in bind space, after morph targets.
    pub position: DVec3,
}

impl Own {
    /// Returns the input for a vertex with this position after morph targets; without a known centre it is its own.
    pub fn of(source: &Vertices, vertex: usize, position: [f64; 3]) -> Self {
        let stored = source.positions.get(vertex).copied().unwrap_or_default();
        let center = source.center_of(vertex).unwrap_or(stored).map(f64::from);
        let share = f64::from(source.share_of(vertex));
        Self { share, center: DVec3::from(center), position: DVec3::from(position) }
    }
}

/// The transform of one vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blended {
    /// From bind space to the world.
    pub b: DAffine3,
    /// The size of the summands. If the sum is much smaller, its digits are their rounding.
    pub size: f64,
    /// The size of the translation's summands, if a centre of rotation moves; else zero.
    pub summed: f64,
}

/// The side of a joint's quaternion relative to the pivot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Side {
    /// The dot product of the joint's `q` with the pivot's.
    pub dot: f64,
    /// True if the joint's quaternions change sign.
    pub is_flipped: bool,
    /// True if the two are half a turn apart within rounding; the sign then stays.
    pub is_tie: bool,
}

/// Returns the side of a joint; the pivot is the joint of slot 0.
pub fn side(joint: &JointMotion, pivot: &JointMotion) -> Side {
    let dot = joint.q.dot(pivot.q);
    let tie = f64::from(shared::HALF_TURN);
    Side { dot, is_flipped: dot < -tie, is_tie: dot.abs() <= tie }
}

/// Dual quaternions, blended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DualQuatBlend {
    /// The transform that they make.
    pub blended: Blended,
    /// `R(q)` alone.
    pub rotation: DMat3,
    /// The length of `Σ ±w_i q_i`.
    pub length: f64,
    /// True if the quaternions cancelled, so that slot 0's replaced them.
    pub is_cancelled: bool,
}

impl DualQuatBlend {
    /// Returns the divisor of the sums.
    fn divisor(&self) -> f64 {
        if self.is_cancelled { 1.0 } else { self.length }
    }
}

/// Returns the length of the longest column, roughly the stretch of a matrix.
pub fn size_of(matrix: &DMat3) -> f64 {
    let [x, y, z] = matrix.to_cols_array_2d().map(|column| DVec3::from(column).length());
    x.max(y).max(z)
}

/// Returns the transform of one vertex by the joints and weights of all its slots; the identity without any.
pub fn blended(mode: SkinningMode, influences: &[(&JointMotion, f64)], own: &Own) -> Blended {
    let Some(&(first, _)) = influences.first() else {
        return Blended { b: DAffine3::IDENTITY, size: 1.0, summed: 0.0 };
    };
    match mode {
        // B = M_{j_0}
        SkinningMode::Rigid => Blended { b: first.m, size: first.sizes[0], summed: 0.0 },
        SkinningMode::Linear => blend_matrices(influences),
        SkinningMode::DualQuat => blend_dual_quats(first, influences).blended,
        // B = (1 - b) B_lbs + b B_dqs
        SkinningMode::Blended => {
            let (linear, turned) = (blend_matrices(influences), blend_dual_quats(first, influences).blended);
            let mix = |linear: f64, turned: f64| linear * (1.0 - own.share) + turned * own.share;
            let b = between(&linear.b, &turned.b, own.share);
            Blended { b, size: mix(linear.size, turned.size), summed: 0.0 }
        }
        // B3 = R(q) S, and the translation L c - B3 c takes the centre where L does
        SkinningMode::CenterOfRotation => {
            let (linear, turned) = (blend_matrices(influences), blend_dual_quats(first, influences).blended);
            let b = about(&linear.b, &turned.b, own.center);
            let summed = linear.size.max(turned.size) * own.center.abs().max_element();
            Blended { b, size: turned.size, summed }
        }
        // d_i = ½ (M_i p - R_i p, 0) q_i; p' = R(q) p + 2 vec(d q*); B3 = R(q) S
        SkinningMode::DualQuatBlender => {
            let p = own.position;
            let dual = |joint: &JointMotion| {
                let apart = joint.m.transform_point3(p) - joint.q * p;
                DQuat::from_vec4(apart.extend(0.0)) * joint.q * 0.5
            };
            let turned = blend_duals(first, influences, dual);
            let Blended { mut b, size, .. } = turned.blended;
            b.translation += turned.rotation * p - b.matrix3 * p;
            Blended { b, size, summed: p.abs().max_element() / turned.divisor() }
        }
        // p' = R(q) p + 2 vec(d q*); B3 = R(q)
        SkinningMode::DualQuatRigid => {
            let turned = blend_dual_quats(first, influences);
            let b = DAffine3 { matrix3: turned.rotation, ..turned.blended.b };
            Blended { b, size: 1.0 / turned.divisor(), summed: 0.0 }
        }
        // Without terms, slot 0 turns and shifts the vertex; [`turn_with_surroundings`] reads them.
        SkinningMode::DirectDeltaMush => {
            let b = DAffine3 { matrix3: DMat3::from_quat(first.q), translation: first.m.translation };
            Blended { b, size: 1.0, summed: 0.0 }
        }
    }
}

/// Returns the transform of one vertex in direct delta mush.
pub fn turn_with_surroundings<'a>(
    row: &DdmRow,
    position: DVec3,
    joint: impl Fn(i32) -> &'a JointMotion,
) -> Blended {
    let mut size = 0.0;
    let sums = Surroundings::of(row, joint, |motion, products, outer| {
        size += motion.sizes[0] * size_of(products) + size_of(outer);
    });
    let gap = nearest_turn::exactly(&sums.big).map(|(_, gap)| gap);
    // Rounding of the terms turns R by their size over what tells its axes apart.
    let unsteady = gap.map_or(1.0, |gap| (size / (size_of(&sums.big) * gap)).max(1.0));
    let summed = (position - sums.center).abs().max_element() * unsteady;
    Blended { b: sums.turned(), size: unsteady.sqrt(), summed }
}

/// Returns the transform of [`turn_with_surroundings`] alone, in less time.
pub fn turned_with_surroundings<'a>(row: &DdmRow, joint: impl Fn(i32) -> &'a JointMotion) -> DAffine3 {
    Surroundings::of(row, joint, |_, _, _| ()).turned()
}

/// The sums over a vertex's terms: `Σ M_j Ω_j = [Q q; 0 1]` about the centre, where p = 0.
struct Surroundings {
    big: DMat3,
    small: DVec3,
    /// The place of the centre as the joint of slot 0 moves it, from which `small` counts.
    start: DVec3,
    center: DVec3,
    /// The rotation of that joint.
    first: DQuat,
}

impl Surroundings {
    /// Sums the terms; `each` gets the two parts of each with its joint.
    #[inline(always)]
    fn of<'a>(
        row: &DdmRow,
        joint: impl Fn(i32) -> &'a JointMotion,
        mut each: impl FnMut(&JointMotion, &DMat3, &DMat3),
    ) -> Self {
        let center = DVec3::from(row.center.map(f64::from));
        let first = joint(row.terms.first().map_or(-1, |term| term.joint));
        let start = first.m.transform_point3(center);
        let (mut big, mut small) = (DMat3::ZERO, DVec3::ZERO);
        for term in row.terms {
            let (motion, Exact { products, offset, weight }) = (joint(term.joint), Exact::from(term));
            let apart = motion.m.transform_point3(center) - start;
            let outer = DMat3::from_cols(apart * offset.x, apart * offset.y, apart * offset.z);
            big += motion.m.matrix3 * products + outer;
            small += motion.m.matrix3 * offset + apart * weight;
            each(motion, &products, &outer);
        }
        Self { big, small, start, center, first: first.q }
    }

    /// Returns `p' = R p + q - R c`, with the rotation of slot 0 if there is no other.
    fn turned(&self) -> DAffine3 {
        let rotation = DMat3::from_quat(nearest_turn::closely(&self.big).unwrap_or(self.first));
        DAffine3 { matrix3: rotation, translation: self.start - rotation * self.center + self.small }
    }
}

/// Returns `(1 - share) linear + share turned`.
pub fn between(linear: &DAffine3, turned: &DAffine3, share: f64) -> DAffine3 {
    DAffine3 {
        matrix3: linear.matrix3 * (1.0 - share) + turned.matrix3 * share,
        translation: linear.translation * (1.0 - share) + turned.translation * share,
    }
}

/// Returns the matrix of `turned`, with the translation that takes a centre where `linear` does.
pub fn about(linear: &DAffine3, turned: &DAffine3, center: DVec3) -> DAffine3 {
    let translation = linear.transform_point3(center) - turned.matrix3 * center;
    DAffine3 { matrix3: turned.matrix3, translation }
}

/// Returns the transform of one vertex in linear blend skinning: `B = Σ w_i M_{j_i}`.
fn blend_matrices(influences: &[(&JointMotion, f64)]) -> Blended {
    let zero = DAffine3 { matrix3: DMat3::ZERO, translation: DVec3::ZERO };
    let size = influences.iter().map(|(joint, w)| joint.sizes[0] * w).sum();
    let b = influences.iter().fold(zero, |sum, &(joint, w)| DAffine3 {
        matrix3: sum.matrix3 + joint.m.matrix3 * w,
        translation: sum.translation + joint.m.translation * w,
    });
    Blended { b, size, summed: 0.0 }
}

/// Returns the transform of one vertex in dual quaternion skinning; `first` is the joint of slot 0.
pub fn blend_dual_quats(first: &JointMotion, influences: &[(&JointMotion, f64)]) -> DualQuatBlend {
    blend_duals(first, influences, |joint| joint.d)
}

/// Returns the transform with other dual parts than the joints' own.
fn blend_duals(
    first: &JointMotion,
    influences: &[(&JointMotion, f64)],
    dual: impl Fn(&JointMotion) -> DQuat,
) -> DualQuatBlend {
    // q = Σ ±w_i q_i, d = Σ ±w_i d_i, S = Σ w_i S_i
    let none = DQuat::from_vec4(DVec4::ZERO);
    let (mut q, mut d, mut s) = (none, none, DMat3::ZERO);
    let mut size = 0.0;
    for &(joint, w) in influences {
        let signed = if side(joint, first).is_flipped { -w } else { w };
        q += joint.q * signed;
        d += dual(joint) * signed;
        s += joint.s * w;
        size += joint.sizes[1] * w;
    }
    let length = q.length();
    let is_cancelled = length.is_nan() || length <= f64::from(shared::CANCELLED);
    if is_cancelled {
        (q, d) = (first.q, dual(first));
    } else {
        (q, d) = (q / length, d / length);
        size /= length;
    }
    // p' = R(q) (S p) + 2 vec(d q*)
    let translation = (d * q.conjugate()).xyz() * 2.0;
    let rotation = DMat3::from_quat(q);
    let b = DAffine3 { matrix3: rotation * s, translation };
    DualQuatBlend { blended: Blended { b, size, summed: 0.0 }, rotation, length, is_cancelled }
}
