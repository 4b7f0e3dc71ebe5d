//! The affine transform to which every skinning mode blends, and its effect on positions, normals and tangents.
//!
//! Twin of `shaders/include/affine.glsl`: the same names and the same order of operations in plain `f32`. A driver that
//! rounds every operation therefore gives the same bits. The code uses arrays, because a vector type might compute a product
//! in another way.

use crate::shared::{FLAT, NOISE, PARALLEL, SMALLEST};

/// Three columns and a translation: world from bind, for one vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Affine {
    /// The image of the x axis.
    pub x: [f32; 3],
    /// The image of the y axis.
    pub y: [f32; 3],
    /// The image of the z axis.
    pub z: [f32; 3],
    /// The image of the origin.
    pub translation: [f32; 3],
}

#[inline(always)]
pub(super) fn add3(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline(always)]
pub(super) fn sub3(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
pub(super) fn scale3(a: [f32; 3], factor: f32) -> [f32; 3] {
    [a[0] * factor, a[1] * factor, a[2] * factor]
}

#[inline(always)]
fn divide3(a: [f32; 3], divisor: f32) -> [f32; 3] {
    [a[0] / divisor, a[1] / divisor, a[2] / divisor]
}

#[inline(always)]
pub(super) fn dot3(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
pub(super) fn cross3(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline(always)]
pub(super) fn largest(v: [f32; 3]) -> f32 {
    v[0].abs().max(v[1].abs()).max(v[2].abs())
}

/// Normalises `v`; a zero `v` gives the fallback. Divides by the largest component first, so the square neither
/// overflows nor vanishes. Noise becomes zero.
#[inline(always)]
fn direction(v: [f32; 3], fallback: [f32; 3]) -> [f32; 3] {
    let size = largest(v);
    if size > SMALLEST {
        let scaled = divide3(v, size);
        let length_of_scaled = dot3(scaled, scaled).sqrt();
        divide3(scaled, length_of_scaled).map(|x| if x.abs() < NOISE { 0.0 } else { x })
    } else {
        fallback
    }
}

/// Scales the columns so that their largest number is one: products of two or three numbers then neither
/// overflow nor vanish, however small a joint is scaled.
#[inline(always)]
fn at_size_one(b: &Affine) -> Affine {
    let size = largest(b.x).max(largest(b.y)).max(largest(b.z));
    if size > SMALLEST {
        let x = divide3(b.x, size);
        let y = divide3(b.y, size);
        let z = divide3(b.z, size);
        Affine { x, y, z, translation: b.translation }
    } else {
        *b
    }
}

/// Returns −1 if the transform, at size one, mirrors; else 1. It is 1 also for a flat transform, where rounding alone would
/// decide the sign.
#[inline(always)]
fn orientation(b: &Affine) -> f32 {
    let determinant = dot3(b.x, cross3(b.y, b.z));
    let noise = largest(b.x) * largest(b.y) * largest(b.z) * FLAT;
    if determinant < -noise { -1.0 } else { 1.0 }
}

#[inline(always)]
fn transform_linear(b: &Affine, v: [f32; 3]) -> [f32; 3] {
    add3(add3(scale3(b.x, v[0]), scale3(b.y, v[1])), scale3(b.z, v[2]))
}

/// Moves a point.
#[inline(always)]
pub fn transform_position(b: &Affine, p: [f32; 3]) -> [f32; 3] {
    add3(transform_linear(b, p), b.translation)
}

/// Turns a normal by the cofactor matrix, whose columns are these cross products: the direction of the inverse
/// transpose, without dividing by a determinant that may be zero. The result has length one; if it would be
/// zero, the normal stays as it is.
#[inline(always)]
pub fn transform_normal(b: &Affine, n: [f32; 3]) -> [f32; 3] {
    let s = at_size_one(b);
    let moved = add3(
        add3(scale3(cross3(s.y, s.z), n[0]), scale3(cross3(s.z, s.x), n[1])),
        scale3(cross3(s.x, s.y), n[2]),
    );
    let turned = scale3(moved, orientation(&s));
    direction(turned, n)
}

/// Turns a tangent with the surface and makes it orthogonal to `moved_normal`, the result of
/// [`transform_normal`] for the same vertex. Mirroring flips the handedness.
#[inline(always)]
pub fn transform_tangent(b: &Affine, t: [f32; 4], moved_normal: [f32; 3]) -> [f32; 4] {
    let unskinned = [t[0], t[1], t[2]];
    let along = direction(transform_linear(b, unskinned), unskinned);
    let across = sub3(along, scale3(moved_normal, dot3(moved_normal, along)));
    let kept = if largest(across) > PARALLEL { direction(across, unskinned) } else { unskinned };
    let handedness = t[3] * orientation(&at_size_one(b));
    [kept[0], kept[1], kept[2], handedness]
}
