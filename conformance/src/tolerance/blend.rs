//! Blending in every mode, with bounds of the errors: component by component for matrices, in norms for dual quaternions.

use glam::{DAffine3, DMat3, DMat4, DVec3};
use sinew_model::Skin;
use sinew_skinning::SkinningMode;
use sinew_skinning::reference::{self, JointMotion, Own, side};

use super::chain::{Rounded, UNIT, absolute, gamma};

/// Roundings of a polar decomposition and of the quaternion of its rotation.
const POLAR: u32 = 24;

/// A joint that moves vertices.
pub struct Joint {
    /// From bind space to the world.
    world_from_bind: Rounded,
    motion: JointMotion,
    /// The error of its quaternion, of the dual part and of the stretch.
    q: f64,
    d: f64,
    s: f64,
}

impl Joint {
    /// Returns the joints of a skin, or the node of a mesh without one.
    pub fn all(worlds: &[Rounded], node: usize, skin: Option<&Skin>) -> Vec<Self> {
        let world = |node: usize| worlds.get(node).copied().unwrap_or(Rounded::exact(DMat4::IDENTITY));
        let Some(skin) = skin else { return vec![Self::new(world(node))] };
        let of_mesh = world(node);
        let back = of_mesh.inverse();
        // Engines may skin in the space of the mesh's node, and then go to the world.
        let is_detour = of_mesh.m != DMat4::IDENTITY && back.m.is_finite() && back.e.is_finite();
        let joint = |(number, node): (usize, &usize)| {
            let bind = skin.joint_from_bind.get(number).copied().unwrap_or(DMat4::IDENTITY);
            let direct = world(*node).times(&Rounded::exact(bind));
            match is_detour {
                true => {
                    let detour = of_mesh.times(&back.times(&direct));
                    Self::new(Rounded { m: direct.m, e: detour.e })
                }
                false => Self::new(direct),
            }
        };
        skin.joints.iter().enumerate().map(joint).collect()
    }

    fn new(world_from_bind: Rounded) -> Self {
        let motion = JointMotion::new(&world_from_bind.m);
        let e = norm(&DMat3::from_mat4(world_from_bind.e));
        let inverse = norm(&motion.m.matrix3.inverse());
        let q = inverse * e / 8.0_f64.sqrt() + gamma(POLAR);
        let b = motion.m.translation.length();
        let of_b = world_from_bind.e.w_axis.truncate().length();
        let d = 0.5 * (of_b + b * q) + gamma(8) * b;
        let s = 2.0_f64.sqrt() * e + gamma(POLAR) * norm(&motion.s);
        Self { world_from_bind, motion, q, d, s }
    }

    fn none() -> Self {
        let motion = JointMotion::new(&DMat4::IDENTITY);
        Self { world_from_bind: Rounded::exact(DMat4::IDENTITY), motion, q: 0.0, d: 0.0, s: 0.0 }
    }
}

/// Returns the Frobenius norm.
fn norm(m: &DMat3) -> f64 {
    m.to_cols_array().iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Errors of a 3×3 matrix.
#[derive(Clone, Copy, Debug)]
enum Spread {
    Entries(DMat3),
    Norm(f64),
}

impl Spread {
    /// Bounds the length of its product with a vector.
    fn of(&self, v: DVec3) -> f64 {
        match self {
            Self::Entries(e) => (*e * v.abs()).length(),
            Self::Norm(e) => e * v.length(),
        }
    }

    fn transposed(self) -> Self {
        match self {
            Self::Entries(e) => Self::Entries(e.transpose()),
            norm @ Self::Norm(_) => norm,
        }
    }

    fn norm(&self) -> f64 {
        match self {
            Self::Entries(e) => norm(e),
            Self::Norm(e) => *e,
        }
    }
}

/// A moved vertex with the error of its position and of the matrix that moves directions.
#[derive(Clone, Copy, Debug)]
pub struct Moved {
    /// The 3×3 matrix.
    pub b: DMat3,
    /// The error of the position.
    pub position: f64,
    e: Spread,
}

impl Moved {
    /// Bounds the length that an error before skinning has after it.
    pub fn size_of(&self, error: DVec3) -> f64 {
        (DMat3::from_cols_array(&self.b.to_cols_array().map(f64::abs)) * error).length()
    }

    /// Bounds the turn of a normal with an error before skinning.
    pub fn turn_of_normal(&self, n: DVec3, error: DVec3) -> f64 {
        let inverse = self.b.inverse();
        let g = inverse.transpose() * n;
        let [x, y, z] = [self.b.x_axis, self.b.y_axis, self.b.z_axis].map(DVec3::abs);
        // Cofactors with sums in place of differences.
        let cross = |a: DVec3, b: DVec3| {
            DVec3::new(a.y * b.z + a.z * b.y, a.z * b.x + a.x * b.z, a.x * b.y + a.y * b.x)
        };
        let size = cross(y, z) * n.x.abs() + cross(z, x) * n.y.abs() + cross(x, y) * n.z.abs();
        let cofactors = size.length() / (g.length() * self.b.determinant().abs());
        let turned = norm(&inverse) * self.e.transposed().of(g) / g.length();
        turned + cofactors * gamma(12) + norm(&inverse) * error.length() / g.length() + gamma(8)
    }

    /// Bounds the turn of a tangent with an error before skinning, besides that of the normal to which it is made orthogonal.
    pub fn turn_of_tangent(&self, t: DVec3, n: DVec3, error: DVec3) -> f64 {
        let along = self.b * t;
        let across = (along - n * n.dot(along)).length();
        (self.e.of(t) + self.size_of(error) + gamma(8) * self.size_of(t.abs())) / across + gamma(16)
    }
}

/// Moves a vertex by a mode. `size` has the absolute values of the position's terms.
pub fn moved(
    mode: SkinningMode,
    joints: &[Joint],
    influences: &[(i32, f64)],
    own: &Own,
    (p, size): (DVec3, DVec3),
) -> Moved {
    let none = Joint::none();
    let joint =
        |number: i32| usize::try_from(number).ok().and_then(|number| joints.get(number)).unwrap_or(&none);
    let all: Vec<(&Joint, f64)> =
        influences.iter().map(|&(number, weight)| (joint(number), weight)).collect();
    let motions: Vec<(&JointMotion, f64)> =
        all.iter().map(|(joint, weight)| (&joint.motion, *weight)).collect();
    let b = reference::blended(mode, &motions, own).b;
    let linear = |of: &[(&Joint, f64)]| Sums::of(of).linear(p, size);
    let dual = || Duals::of(&all, None);
    match mode {
        SkinningMode::Rigid => Moved {
            b: b.matrix3,
            ..linear(&all.first().map(|(joint, _)| (*joint, 1.0)).into_iter().collect::<Vec<_>>())
        },
        SkinningMode::Linear => linear(&all),
        // No case has terms, without which *ddm* turns and shifts.
        SkinningMode::DualQuat | SkinningMode::DualQuatRigid | SkinningMode::DirectDeltaMush => {
            dual().moved(&b, p, mode == SkinningMode::DualQuat)
        }
        SkinningMode::DualQuatBlender => {
            let duals = Duals::of(&all, Some(p));
            let rigid =
                duals.moved(&DAffine3 { matrix3: b.matrix3, translation: b.transform_point3(p) }, p, false);
            Moved { b: b.matrix3, e: duals.moved(&b, p, true).e, ..rigid }
        }
        SkinningMode::Blended => {
            let (one, other) = (linear(&all), dual().moved(&b, p, true));
            let mix = |a: f64, b: f64| a * (1.0 - own.share) + b * own.share;
            let position =
                mix(one.position, other.position) + gamma(3) * (b.transform_point3(p).length() + p.length());
            Moved { b: b.matrix3, position, e: Spread::Norm(mix(one.e.norm(), other.e.norm())) }
        }
        SkinningMode::CenterOfRotation => {
            let c = own.center;
            let (of_center, turned) = (Sums::of(&all).linear(c, c.abs()).position, dual().moved(&b, p, true));
            let sizes = norm(&b.matrix3) * (p.length() + 2.0 * c.length()) + b.translation.length();
            let position = of_center + turned.e.of(p - c) + gamma(12) * sizes;
            Moved { position, ..turned }
        }
    }
}

/// Returns the error of a weight of so many, in a sum of products: the sum of weights and the division by it, and the sum.
fn of_weight(weight: f64, count: usize) -> f64 {
    weight.abs() * gamma(2 * count as u32 + 1) + UNIT
}

/// Sums of matrices: the result, its error, and the sum of absolute values.
struct Sums {
    m: DMat4,
    e: DMat4,
    size: DMat4,
}

impl Sums {
    fn of(all: &[(&Joint, f64)]) -> Self {
        let mut sums = Self { m: DMat4::ZERO, e: DMat4::ZERO, size: DMat4::ZERO };
        // A single weight is 1 in every program.
        let is_one = all.len() == 1;
        for &(joint, weight) in all {
            let Rounded { m, e } = joint.world_from_bind;
            let of_weight = if is_one { 0.0 } else { of_weight(weight, all.len()) };
            sums.m += m * weight;
            sums.size += absolute(&m) * weight.abs();
            sums.e += e * weight.abs() + absolute(&m) * of_weight;
        }
        sums
    }

    fn linear(&self, p: DVec3, size: DVec3) -> Moved {
        let sum = self.e + self.size * gamma(4);
        let position = (sum * size.max(p.abs()).extend(1.0)).truncate().length();
        Moved { b: DMat3::from_mat4(self.m), position, e: Spread::Entries(DMat3::from_mat4(self.e)) }
    }
}

/// Sums of dual quaternions, after the division by the length.
struct Duals {
    /// The error of the rotation's matrix.
    rotation: f64,
    /// The error of the quaternion, and of the dual part.
    q: f64,
    d: f64,
    /// The length of the dual part.
    dual: f64,
    /// The norm and the error of the stretch.
    stretch: f64,
    s: f64,
}

impl Duals {
    /// Sums up the joints; at a position, the dual parts are Blender's, which move that position.
    fn of(all: &[(&Joint, f64)], at: Option<DVec3>) -> Self {
        let (mut q, mut d, mut s, mut dual, mut stretch) = (0.0, 0.0, 0.0, 0.0, 0.0);
        let first = all.first().map(|(joint, _)| *joint);
        for &(joint, weight) in all {
            let of_weight = if all.len() == 1 { 0.0 } else { of_weight(weight, all.len()) };
            let (own, of_own) = match at {
                None => (joint.motion.d.length(), joint.d),
                Some(p) => {
                    let JointMotion { m, q, .. } = joint.motion;
                    let apart = m.transform_point3(p) - q * p;
                    let e = (joint.world_from_bind.e * p.abs().extend(1.0)).truncate().length();
                    let sizes = norm(&m.matrix3) * p.length() + m.translation.length() + p.length();
                    let error = e + 2.0 * joint.q * p.length() + gamma(12) * sizes;
                    (
                        0.5 * apart.length(),
                        0.5 * (error + apart.length() * joint.q) + gamma(8) * apart.length(),
                    )
                }
            };
            q += weight * joint.q + of_weight;
            d += weight * of_own + of_weight * own;
            s += weight * joint.s + of_weight * norm(&joint.motion.s);
            dual += weight * own;
            stretch += weight * norm(&joint.motion.s);
            // A sign that rounding decides may throw the vertex to the other side.
            if let Some(first) = first.filter(|first| !std::ptr::eq(*first, joint)) {
                let is_certain = side(&joint.motion, &first.motion).dot.abs() > joint.q + first.q + gamma(8);
                q = if is_certain { q } else { f64::INFINITY };
            }
        }
        let motions: Vec<(&JointMotion, f64)> =
            all.iter().map(|(joint, weight)| (&joint.motion, *weight)).collect();
        let length = first.map_or(1.0, |first| reference::blend_dual_quats(&first.motion, &motions).length);
        let (dual, of_q) = (dual / length, q / length + gamma(8));
        let rotation = 2.0 * of_q + 3.0 * gamma(8);
        Self { rotation, q: of_q, d: d / length + dual * of_q + gamma(8) * dual, dual, stretch, s }
    }

    /// Moves a position by the blend `b`, with its stretch or by the rotation alone.
    fn moved(&self, b: &DAffine3, p: DVec3, is_stretched: bool) -> Moved {
        let stretched = self.rotation * self.stretch + self.s + 3.0 * gamma(4) * self.stretch;
        let e = if is_stretched { stretched } else { self.rotation };
        let translation = 2.0 * (self.d + self.dual * self.q) + gamma(8) * 4.0 * self.dual;
        let sizes = 2.0 * norm(&b.matrix3) * p.length() + b.translation.length();
        let position = e * p.length() + translation + gamma(4) * sizes;
        Moved { b: b.matrix3, position, e: Spread::Norm(e) }
    }
}
