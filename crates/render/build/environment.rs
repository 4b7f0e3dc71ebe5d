//! The studio that lights pictures: computes at build time its light on matt surfaces and the mirror images
//! that surfaces of each roughness show.
//!
//! The studio is grey, so it tints nothing.

#[path = "../../scene/src/environment/prefilter.rs"]
mod prefilter;

use prefilter::SAMPLES;

#[allow(unused_imports, reason = "tests hold the studio against more of it than the build needs")]
pub use prefilter::{FACE, LEVELS, Vector, basis, half, texel_direction};

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

/// Light from a direction; a white sheet of paper reflects about 1.
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

/// [`prefilter::mirrored`] of grey light.
#[allow(dead_code, reason = "tests hold the studio against it")]
pub fn mirrored(light: impl Fn(Vector) -> f64, direction: Vector, roughness: f64) -> f64 {
    let [mirrored] = prefilter::mirrored(|from| [light(from)], direction, roughness, SAMPLES);
    mirrored
}

/// [`prefilter::irradiance`] of grey light.
pub fn irradiance(light: impl Fn(Vector) -> f64) -> [f64; 9] {
    let [numbers] = prefilter::irradiance(|from| [light(from)]);
    numbers
}

/// All faces of all levels, level by level, each number 16 bits wide (half precision, little-endian).
pub fn mirror_images() -> Vec<u8> {
    let faces = (0..LEVELS).flat_map(|level| (0..6).map(move |face| (level, face)));
    let texels = faces
        .flat_map(|(level, face)| prefilter::mirror_image(|from| [studio(from)], (level, face), SAMPLES));
    texels.flat_map(|[light]| half(light as f32).to_le_bytes()).collect()
}
