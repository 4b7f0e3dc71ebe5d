//! Moves several vertices side by side, and holds the code that both arithmetics of the fast path share.

use crate::Affine;
use crate::vectors::{Row, Simd, Vector};

/// The motion of a vector of vertices: points, normals and tangents. Directions come with one bit per lane, set if they are
/// usable; the twin computes the other lanes. Without `is_unit`, directions may have any length and angle.
pub trait Motion<S: Simd> {
    /// Moves points.
    fn position(&self, simd: S, p: [S::V; 3]) -> [S::V; 3];
    /// Turns normals to length one; also returns −1 for lanes whose motion mirrors, else 1.
    fn normal(&self, simd: S, n: [S::V; 3], is_unit: bool) -> ([S::V; 3], S::V, u32);
    /// Turns tangents to length one and makes them orthogonal to the moved normals.
    fn tangent(&self, simd: S, t: [S::V; 3], moved_normal: [S::V; 3], is_unit: bool) -> ([S::V; 3], u32);
}

/// An implementation of [`crate::affine`] and [`crate::dual_quat`] on vectors.
pub trait Arithmetic: Sized {
    /// True if it may add a product without rounding it first.
    const FUSED: bool;

    /// The motion of vertices by blended dual quaternions, without stretch if `RIGID`.
    type DualQuatMotion<S: Simd, const RIGID: bool>: Motion<S>;

    /// Returns the motion of blended dual quaternions, and the lanes in which they have not cancelled.
    fn motion<S: Simd, const RIGID: bool>(
        simd: S,
        sums: DualQuats<S::V>,
    ) -> (Self::DualQuatMotion<S, RIGID>, u32);

    /// Returns the rigid part of blended dual quaternions as matrices, and the lanes in which they have not cancelled.
    fn rotations<S: Simd>(simd: S, sums: &DualQuats<S::V>) -> (Affines<S::V>, u32);

    /// Returns rotations after the blended stretch.
    #[inline(always)]
    fn stretched<V: Vector>(r: &Affines<V>, sums: &DualQuats<V>) -> Affines<V> {
        let ([xx, yy, zz], [yz, xz, xy]) = (sums.diagonal, sums.off_diagonal);
        let columns = [r.x, r.y, r.z];
        Affines {
            x: Self::transform_linear(columns, [xx, xy, xz]),
            y: Self::transform_linear(columns, [xy, yy, yz]),
            z: Self::transform_linear(columns, [xz, yz, zz]),
            translation: r.translation,
        }
    }

    /// Returns the cofactors that turn the normals.
    fn cofactors<S: Simd>(simd: S, b: &Affines<S::V>) -> Cofactors<S::V>;

    /// Turns normals by their cofactors; length one.
    fn turn_normal<S: Simd>(simd: S, by: &Cofactors<S::V>, n: [S::V; 3]) -> ([S::V; 3], u32);

    /// Makes moved tangents orthogonal to the moved normals; length one. `t` holds the tangents before the
    /// motion.
    fn turn_tangent<S: Simd>(
        simd: S,
        moved: [S::V; 3],
        moved_normal: [S::V; 3],
        t: [S::V; 3],
    ) -> ([S::V; 3], u32);

    /// Returns `sum + a * b`.
    #[inline(always)]
    fn add_product<V: Vector>(sum: V, a: V, b: V) -> V {
        if Self::FUSED { a.mul_add(b, sum) } else { sum + a * b }
    }

    /// Returns `sum + column * factor`.
    #[inline(always)]
    fn add_scaled<V: Vector>(sum: [V; 3], column: [V; 3], factor: V) -> [V; 3] {
        [
            Self::add_product(sum[0], column[0], factor),
            Self::add_product(sum[1], column[1], factor),
            Self::add_product(sum[2], column[2], factor),
        ]
    }

    /// Applies the linear part alone.
    #[inline(always)]
    fn transform_linear<V: Vector>([x, y, z]: [[V; 3]; 3], v: [V; 3]) -> [V; 3] {
        let sum = scale3(x, v[0]);
        Self::add_scaled(Self::add_scaled(sum, y, v[1]), z, v[2])
    }

    /// Moves points.
    #[inline(always)]
    fn transform_position<V: Vector>(b: &Affines<V>, p: [V; 3]) -> [V; 3] {
        add3(Self::transform_linear([b.x, b.y, b.z], p), b.translation)
    }
}

/// Three columns and a translation for each lane; [`Affine`] side by side.
#[derive(Clone, Copy)]
pub struct Affines<V> {
    pub x: [V; 3],
    pub y: [V; 3],
    pub z: [V; 3],
    pub translation: [V; 3],
}

impl<V: Vector> Affines<V> {
    /// Returns the same transform in all lanes.
    #[inline(always)]
    pub fn splat<S: Simd<V = V>>(simd: S, b: &Affine) -> Self {
        let (x, y) = (splat3(simd, b.x), splat3(simd, b.y));
        Self { x, y, z: splat3(simd, b.z), translation: splat3(simd, b.translation) }
    }
}

/// Weighted sums of dual quaternions and stretches, with each quaternion on the pivot's side.
#[derive(Clone, Copy)]
pub struct DualQuats<V> {
    pub q: [V; 4],
    pub d: [V; 4],
    pub diagonal: [V; 3],
    pub off_diagonal: [V; 3],
}

/// The transform of normals: the cofactor matrix, and −1 if the transform mirrors, else 1.
#[derive(Clone, Copy)]
pub struct Cofactors<V> {
    pub x: [V; 3],
    pub y: [V; 3],
    pub z: [V; 3],
    pub orientation: V,
}

/// Moves by affine transforms, whose cofactors may be computed beforehand.
pub struct ByMatrix<A, V> {
    pub b: Affines<V>,
    pub cofactors: Option<Cofactors<V>>,
    pub arithmetic: std::marker::PhantomData<A>,
}

impl<A, V> ByMatrix<A, V> {
    #[inline(always)]
    pub fn new(b: Affines<V>, cofactors: Option<Cofactors<V>>) -> Self {
        Self { b, cofactors, arithmetic: std::marker::PhantomData }
    }
}

impl<A: Arithmetic, S: Simd> Motion<S> for ByMatrix<A, S::V> {
    #[inline(always)]
    fn position(&self, _simd: S, p: [S::V; 3]) -> [S::V; 3] {
        A::transform_position(&self.b, p)
    }

    #[inline(always)]
    fn normal(&self, simd: S, n: [S::V; 3], is_unit: bool) -> ([S::V; 3], S::V, u32) {
        let cofactors = match self.cofactors {
            Some(cofactors) => cofactors,
            None => A::cofactors(simd, &self.b),
        };
        if A::FUSED && !is_unit {
            let moved = A::transform_linear([cofactors.x, cofactors.y, cofactors.z], n);
            return (scale3(moved, cofactors.orientation), cofactors.orientation, all_lanes::<S>());
        }
        let (turned, usable) = A::turn_normal(simd, &cofactors, n);
        (turned, cofactors.orientation, usable)
    }

    #[inline(always)]
    fn tangent(&self, simd: S, t: [S::V; 3], moved_normal: [S::V; 3], is_unit: bool) -> ([S::V; 3], u32) {
        let moved = A::transform_linear([self.b.x, self.b.y, self.b.z], t);
        if A::FUSED && !is_unit {
            return (moved, all_lanes::<S>());
        }
        A::turn_tangent(simd, moved, moved_normal, t)
    }
}

/// Returns one set bit per lane.
pub const fn all_lanes<S: Simd>() -> u32 {
    (1 << S::LANES) - 1
}

/// Loads vertices `at..at + LANES` of a block.
#[inline(always)]
pub fn load3<S: Simd>(simd: S, rows: &[Row; 3], at: usize) -> [S::V; 3] {
    [simd.load(&rows[0], at), simd.load(&rows[1], at), simd.load(&rows[2], at)]
}

#[inline(always)]
fn splat3<S: Simd>(simd: S, v: [f32; 3]) -> [S::V; 3] {
    [simd.splat(v[0]), simd.splat(v[1]), simd.splat(v[2])]
}

#[inline(always)]
pub fn add3<V: Vector>(a: [V; 3], b: [V; 3]) -> [V; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline(always)]
pub fn scale3<V: Vector>(a: [V; 3], factor: V) -> [V; 3] {
    [a[0] * factor, a[1] * factor, a[2] * factor]
}

#[inline(always)]
pub fn sub3<V: Vector>(a: [V; 3], b: [V; 3]) -> [V; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
pub fn largest<V: Vector>(v: [V; 3]) -> V {
    v[0].abs().max(v[1].abs()).max(v[2].abs())
}
