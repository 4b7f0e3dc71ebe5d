//! The studio that lights pictures: computes at build time its light on matt surfaces and the mirror images
//! that surfaces of each roughness show.
//!
//! The studio is grey, so it tints nothing. It uses only operations that every machine rounds alike (no sine,
//! no power), so every build has the same bytes.

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
    /// The dot product.
    pub fn dot(self, other: Self) -> f64 {
        self.0 * other.0 + self.1 * other.1 + self.2 * other.2
    }

    /// The cross product.
    pub fn cross(self, other: Self) -> Self {
        Self(
            self.1 * other.2 - self.2 * other.1,
            self.2 * other.0 - self.0 * other.2,
            self.0 * other.1 - self.1 * other.0,
        )
    }

    /// The vector scaled to length one.
    pub fn normalized(self) -> Self {
        self * (1.0 / self.dot(self).sqrt())
    }
}

/// A soft box: a lit rectangle infinitely far away, one unit in front of the middle.
struct SoftBox {
    towards: Vector,
    /// Half its width and height, in units of its distance.
    half: [f64; 2],
    /// How far its edge fades.
    edge: f64,
    radiance: f64,
}

/// The lamps above floor and walls. The largest hangs above, a tall one stands in the direction of the key
/// light, and a narrow one behind draws an edge around the dark side.
const SOFT_BOXES: [SoftBox; 3] = [
    SoftBox { towards: Vector(0.0, 1.0, 0.15), half: [1.1, 0.8], edge: 0.35, radiance: 0.8 },
    SoftBox { towards: Vector(-0.75, 0.55, 0.55), half: [0.35, 0.7], edge: 0.15, radiance: 1.3 },
    SoftBox { towards: Vector(0.9, 0.35, -0.55), half: [0.25, 0.9], edge: 0.15, radiance: 1.3 },
];

/// Light from straight below, from the horizon, and from straight above between the boxes.
const FLOOR_HORIZON_CEILING: [f64; 3] = [0.15, 0.27, 0.25];

/// 0 below 0, 1 above 1, and smooth between.
fn smooth(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

/// Light from a direction; 1 is about what a white sheet of paper reflects.
pub fn studio(direction: Vector) -> f64 {
    let [floor, horizon, ceiling] = FLOOR_HORIZON_CEILING;
    let walls = match direction.1 >= 0.0 {
        true => horizon + (ceiling - horizon) * smooth(direction.1),
        false => horizon + (floor - horizon) * smooth(-direction.1 * 2.5),
    };
    let boxes = SOFT_BOXES.iter().map(|soft_box| {
        let forward = soft_box.towards.normalized();
        let near = direction.dot(forward);
        if near <= 0.0 {
            return 0.0;
        }
        // Level boxes: their own right lies in the floor's plane.
        let right = Vector(0.0, 1.0, 0.0).cross(forward);
        let right = if right.dot(right) < 1e-6 { Vector(1.0, 0.0, 0.0) } else { right.normalized() };
        let up = forward.cross(right);
        let [half_width, half_height] = soft_box.half;
        let inside = |along: f64, half: f64| smooth((half - (along / near).abs()) / soft_box.edge + 0.5);
        let lit = inside(direction.dot(right), half_width) * inside(direction.dot(up), half_height);
        lit * soft_box.radiance
    });
    walls + boxes.sum::<f64>()
}

/// Side in texels of the sharpest mirror image's faces. Each further level is half as wide, for roughness 0, ¼,
/// ½, ¾ and 1.
pub const FACE: usize = 64;

/// The number of levels of roughness.
pub const LEVELS: usize = 5;

/// How many directions a rough surface samples for one texel of its mirror image.
const SAMPLES: usize = 512;

/// The direction of the centre of a cube map's texel; Vulkan numbers the faces +x, −x, +y, −y, +z, −z.
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

/// The light that a surface of a roughness reflects from the mirror direction: Karis, *Real Shading in Unreal
/// Engine 4* (2013), seen face-on, with the distribution of glTF 2.0, appendix B.
pub fn mirrored(light: impl Fn(Vector) -> f64, direction: Vector, roughness: f64) -> f64 {
    if roughness <= 0.0 {
        return light(direction);
    }
    let alpha_squared = roughness * roughness * roughness * roughness;
    let steepest = if direction.1.abs() < 0.9 { Vector(0.0, 1.0, 0.0) } else { Vector(1.0, 0.0, 0.0) };
    let right = steepest.cross(direction).normalized();
    let up = direction.cross(right);
    // Turn by the golden angle from sample to sample: a turn by a fixed angle needs no sine.
    let (cos_step, sin_step) = (-0.737_368_878_078_319_9, 0.675_490_294_261_523_8);
    let (mut cos, mut sin) = (1.0, 0.0);
    let (mut sum, mut weights) = (0.0, 0.0);
    for number in 0..SAMPLES {
        let share = (2 * number + 1) as f64 / (2 * SAMPLES) as f64;
        let cos_tilt = ((1.0 - share) / (1.0 + (alpha_squared - 1.0) * share)).sqrt();
        let sin_tilt = (1.0 - cos_tilt * cos_tilt).max(0.0).sqrt();
        let half = right * (sin_tilt * cos) + up * (sin_tilt * sin) + direction * cos_tilt;
        (cos, sin) = (cos * cos_step - sin * sin_step, sin * cos_step + cos * sin_step);
        let from = half * (2.0 * direction.dot(half)) + direction * -1.0;
        let weight = direction.dot(from);
        if weight > 0.0 {
            sum += light(from) * weight;
            weights += weight;
        }
    }
    sum / weights
}

/// The nine numbers that give the light on a matt surface: Ramamoorthi, Hanrahan, *An Efficient Representation
/// for Irradiance Environment Maps* (2001), with the constants multiplied in, and divided by π, so that light
/// of 1 all around gives 1. They multiply 1, y, z, x, xy, yz, 3z² − 1, xz and x² − y² of the normal.
pub fn irradiance(light: impl Fn(Vector) -> f64) -> [f64; 9] {
    const SIDE: usize = 64;
    let mut sums = [0.0; 9];
    let mut whole = 0.0;
    for face in 0..6 {
        for row in 0..SIDE {
            for column in 0..SIDE {
                let direction = texel_direction(face, SIDE, column, row);
                // The solid angle of a texel on a cube's face falls with the cube of its distance.
                let nearness = direction.0.abs().max(direction.1.abs()).max(direction.2.abs());
                let solid_angle = nearness * nearness * nearness;
                let radiance = light(direction) * solid_angle;
                whole += solid_angle;
                for (sum, basis) in sums.iter_mut().zip(basis(direction)) {
                    *sum += radiance * basis;
                }
            }
        }
    }
    // Band by band: the squared constant of the basis, times 4π, times the cosine's own factor.
    let scale = [1.0, 2.0, 2.0, 2.0, 15.0 / 4.0, 15.0 / 4.0, 5.0 / 16.0, 15.0 / 4.0, 15.0 / 16.0];
    std::array::from_fn(|number| sums[number] / whole * scale[number])
}

/// The functions that [`irradiance`] sums up.
pub fn basis(Vector(x, y, z): Vector) -> [f64; 9] {
    [1.0, y, z, x, x * y, y * z, 3.0 * z * z - 1.0, x * z, x * x - y * y]
}

/// All faces of all levels, level by level, each number 16 bits wide (half precision, little-endian).
pub fn mirror_images() -> Vec<u8> {
    let mut bytes = Vec::new();
    for level in 0..LEVELS {
        let roughness = level as f64 / (LEVELS - 1) as f64;
        let side = FACE >> level;
        for face in 0..6 {
            for row in 0..side {
                for column in 0..side {
                    let direction = texel_direction(face, side, column, row);
                    bytes.extend(half(mirrored(studio, direction, roughness) as f32).to_le_bytes());
                }
            }
        }
    }
    bytes
}

/// A number between 2⁻¹⁴ and 65504 in half precision, rounded to nearest.
pub fn half(number: f32) -> u16 {
    let bits = number.clamp(6.2e-5, 65504.0).to_bits();
    // The exponent's bias changes from 127 to 15, and 13 bits of the fraction go.
    ((bits + 0x0fff + (bits >> 13 & 1) - (112 << 23)) >> 13) as u16
}
