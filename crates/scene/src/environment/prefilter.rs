//! Prepares light from all directions for shading: the light on matt surfaces as nine coefficients, and mirror images
//! for each roughness. It must not depend on where the light comes from; the build includes this file for the studio.
//!
//! It uses only operations that every machine rounds alike (no sine, no power), so every build has identical bytes.

use std::ops::{Add, Mul};

/// Right, up, and towards the viewer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vector(pub f64, pub f64, pub f64);

impl Add for Vector {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0, self.1 + other.1, self.2 + other.2)
    }
}

impl Mul<f64> for Vector {
    type Output = Self;

    fn mul(self, factor: f64) -> Self {
        Self(self.0 * factor, self.1 * factor, self.2 * factor)
    }
}

impl Vector {
    /// Returns the dot product.
    pub fn dot(self, other: Self) -> f64 {
        self.0 * other.0 + self.1 * other.1 + self.2 * other.2
    }

    /// Returns the cross product.
    pub fn cross(self, other: Self) -> Self {
        Self(
            self.1 * other.2 - self.2 * other.1,
            self.2 * other.0 - self.0 * other.2,
            self.0 * other.1 - self.1 * other.0,
        )
    }

    /// Returns the vector scaled to length one.
    pub fn normalized(self) -> Self {
        self * (1.0 / self.dot(self).sqrt())
    }
}

/// Side in texels of the sharpest mirror image's faces. Each further level is half as wide, for roughness 0, ¼, ½, ¾
/// and 1.
pub const FACE: usize = 64;

/// The number of levels of roughness.
pub const LEVELS: usize = 5;

/// Number of directions that a rough surface samples per texel of its mirror image, for light at full sharpness.
pub const SAMPLES: usize = 512;

/// Returns the direction of the centre of a cube map's texel. Vulkan numbers the faces +x, −x, +y, −y, +z, −z.
pub fn texel_direction(face: usize, side: usize, column: usize, row: usize) -> Vector {
    let s = (2 * column + 1) as f64 / side as f64 - 1.0;
    let t = (2 * row + 1) as f64 / side as f64 - 1.0;
    match face {
        0 => Vector(1.0, -t, -s),
        1 => Vector(-1.0, -t, s),
        2 => Vector(s, 1.0, t),
        3 => Vector(s, -1.0, -t),
        4 => Vector(s, -t, 1.0),
        _ => Vector(-s, -t, -1.0),
    }
    .normalized()
}

/// Returns the light that a surface of a roughness reflects from the mirror direction (Karis, *Real Shading in Unreal
/// Engine 4*, 2013). The surface is seen face-on, with the distribution of glTF 2.0, appendix B. Light has `N`
/// colours.
pub fn mirrored<const N: usize>(
    light: impl Fn(Vector) -> [f64; N],
    direction: Vector,
    roughness: f64,
    samples: usize,
) -> [f64; N] {
    if roughness <= 0.0 {
        return light(direction);
    }
    let alpha_squared = roughness * roughness * roughness * roughness;
    let steepest = if direction.1.abs() < 0.9 { Vector(0.0, 1.0, 0.0) } else { Vector(1.0, 0.0, 0.0) };
    let right = steepest.cross(direction).normalized();
    let up = direction.cross(right);
    // Turns by the golden angle from sample to sample; a fixed angle needs no sine.
    let (cos_step, sin_step) = (-0.737_368_878_078_319_9, 0.675_490_294_261_523_8);
    let (mut cos, mut sin) = (1.0, 0.0);
    let (mut sums, mut weights) = ([0.0; N], 0.0);
    for number in 0..samples {
        let share = (2 * number + 1) as f64 / (2 * samples) as f64;
        let cos_tilt = ((1.0 - share) / (1.0 + (alpha_squared - 1.0) * share)).sqrt();
        let sin_tilt = (1.0 - cos_tilt * cos_tilt).max(0.0).sqrt();
        let half = right * (sin_tilt * cos) + up * (sin_tilt * sin) + direction * cos_tilt;
        (cos, sin) = (cos * cos_step - sin * sin_step, sin * cos_step + cos * sin_step);
        let from = half * (2.0 * direction.dot(half)) + direction * -1.0;
        let weight = direction.dot(from);
        if weight > 0.0 {
            for (sum, light) in sums.iter_mut().zip(light(from)) {
                *sum += light * weight;
            }
            weights += weight;
        }
    }
    sums.map(|sum| sum / weights)
}

/// Returns nine coefficients per colour for the light on a matt surface (Ramamoorthi, Hanrahan, *An Efficient
/// Representation for Irradiance Environment Maps*, 2001). They include the constants and a division by π, so that
/// light of 1 from all directions gives 1. They multiply 1, y, z, x, xy, yz, 3z² − 1, xz and x² − y² of the normal.
pub fn irradiance<const N: usize>(light: impl Fn(Vector) -> [f64; N]) -> [[f64; 9]; N] {
    const SIDE: usize = 64;
    let mut sums = [[0.0; 9]; N];
    let mut whole = 0.0;
    for face in 0..6 {
        for row in 0..SIDE {
            for column in 0..SIDE {
                let direction = texel_direction(face, SIDE, column, row);
                // The solid angle of a texel on a cube's face falls with the cube of its distance.
                let nearness = direction.0.abs().max(direction.1.abs()).max(direction.2.abs());
                let solid_angle = nearness * nearness * nearness;
                whole += solid_angle;
                for (sums, light) in sums.iter_mut().zip(light(direction)) {
                    let radiance = light * solid_angle;
                    for (sum, basis) in sums.iter_mut().zip(basis(direction)) {
                        *sum += radiance * basis;
                    }
                }
            }
        }
    }
    // For each band: the squared constant of the basis, times 4π, times the cosine's factor.
    let scale = [1.0, 2.0, 2.0, 2.0, 15.0 / 4.0, 15.0 / 4.0, 5.0 / 16.0, 15.0 / 4.0, 15.0 / 16.0];
    sums.map(|sums| std::array::from_fn(|number| sums[number] / whole * scale[number]))
}

/// Returns the values of the basis functions that [`irradiance`] sums.
pub fn basis(Vector(x, y, z): Vector) -> [f64; 9] {
    [1.0, y, z, x, x * y, y * z, 3.0 * z * z - 1.0, x * z, x * x - y * y]
}

/// Iterates over the texels of one face of a mirror image's level, row by row.
pub fn mirror_image<const N: usize>(
    light: impl Fn(Vector) -> [f64; N],
    (level, face): (usize, usize),
    samples: usize,
) -> impl Iterator<Item = [f64; N]> {
    let roughness = level as f64 / (LEVELS - 1) as f64;
    let side = FACE >> level;
    (0..side * side).map(move |texel| {
        mirrored(&light, texel_direction(face, side, texel % side, texel / side), roughness, samples)
    })
}

/// Converts a number between 2⁻¹⁴ and 65504 to half precision, rounded to nearest.
pub fn half(number: f32) -> u16 {
    let bits = number.clamp(6.2e-5, 65504.0).to_bits();
    // The exponent's bias changes from 127 to 15, and the fraction loses 13 bits.
    ((bits + 0x0fff + (bits >> 13 & 1) - (112 << 23)) >> 13) as u16
}
