//! Compares the studio's light, as built, with known integrals. Needs no Vulkan driver.

use crate::environment;

use environment::{
    FACE, LEVELS, Vector, basis, half, irradiance, mirror_images, mirrored, studio, texel_direction,
};

fn near(found: f64, wanted: f64, within: f64) {
    assert!((found - wanted).abs() <= within, "{found} is not {wanted}");
}

/// The light on a matte surface from its nine coefficients.
fn on_matt(numbers: &[f64; 9], normal: Vector) -> f64 {
    numbers.iter().zip(basis(normal)).map(|(number, basis)| number * basis).sum()
}

const UP: Vector = Vector(0.0, 1.0, 0.0);
const RIGHT: Vector = Vector(1.0, 0.0, 0.0);

#[test]
fn light_that_is_the_same_all_around_stays_so() {
    let numbers = irradiance(|_| 0.7);
    for normal in [UP, RIGHT, Vector(1.0, 2.0, -3.0).normalized()] {
        near(on_matt(&numbers, normal), 0.7, 1e-9);
        for roughness in [0.0, 0.25, 0.6, 1.0] {
            near(mirrored(|_| 0.7, normal, roughness), 0.7, 1e-12);
        }
    }
}

/// A sky of 1 above a black floor lights an upward face fully, a wall half and a downward face not at all, within the
/// error of second order for a step: at most 9 % according to Ramamoorthi and Hanrahan.
#[test]
fn half_a_sky_lights_a_wall_by_half() {
    let sky = |direction: Vector| if direction.1 > 0.0 { 1.0 } else { 0.0 };
    let numbers = irradiance(sky);
    near(on_matt(&numbers, UP), 1.0, 0.01);
    near(on_matt(&numbers, RIGHT), 0.5, 0.01);
    near(on_matt(&numbers, UP * -1.0), 0.0, 0.01);
}

/// By hand: light that is linear in direction keeps π·2/3 of itself on a surface that faces it, the second-order band
/// π/4.
#[test]
fn bands_are_weighed_as_the_cosine_weighs_them() {
    near(on_matt(&irradiance(|direction| direction.0), RIGHT), 2.0 / 3.0, 1e-3);
    let second = |direction: Vector| 3.0 * direction.2 * direction.2 - 1.0;
    near(on_matt(&irradiance(second), Vector(0.0, 0.0, 1.0)), 2.0 / 4.0, 1e-3);
    near(
        on_matt(&irradiance(|direction| direction.0 * direction.1), Vector(0.6, 0.8, 0.0)),
        0.48 / 4.0,
        1e-3,
    );
}

/// Nine coefficients match the integral over 40,000 directions within 4 % of the brightest value.
#[test]
fn nine_numbers_are_enough_for_the_studio() {
    let numbers = irradiance(studio);
    let count = 40_000;
    let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    let spiral = |number: usize| {
        let y = 1.0 - (2 * number + 1) as f64 / count as f64;
        let (sin, cos) = (golden * number as f64).sin_cos();
        let around = (1.0 - y * y).sqrt();
        Vector(around * cos, y, around * sin)
    };
    for normal in (0..count).step_by(1250).map(spiral) {
        let lit = |number: usize| {
            let direction = spiral(number);
            normal.dot(direction).max(0.0) * studio(direction)
        };
        let integral = (0..count).map(lit).sum::<f64>() / count as f64 * 4.0;
        near(on_matt(&numbers, normal), integral, 0.04 * on_matt(&numbers, UP));
    }
}

#[test]
fn rougher_surfaces_show_blurrier_images() {
    let spot = |direction: Vector| if direction.dot(UP) > 0.98 { 1.0 } else { 0.0 };
    let images: Vec<f64> = [0.0, 0.25, 0.5, 0.75, 1.0].map(|roughness| mirrored(spot, UP, roughness)).into();
    assert!(images.windows(2).all(|pair| pair[1] < pair[0]), "{images:?}");
    near(images[0], 1.0, 0.0);
    // Next to the spot the order is reversed at first.
    let beside = Vector(0.35, 1.0, 0.0).normalized();
    assert!(mirrored(spot, beside, 0.0) < mirrored(spot, beside, 0.5));
}

/// The inverse of Vulkan 1.3, 16.5.4, which maps a direction to a face and a place on it.
#[test]
fn faces_lie_as_vulkan_numbers_them() {
    let side = 8;
    for face in 0..6 {
        for (column, row) in [(0, 0), (7, 2), (3, 7)] {
            let Vector(x, y, z) = texel_direction(face, side, column, row);
            let (s, t, major) = match face {
                0 => (-z, -y, x),
                1 => (z, -y, -x),
                2 => (x, z, y),
                3 => (x, -z, -y),
                4 => (x, -y, z),
                _ => (-x, -y, -z),
            };
            let at = |along: f64| (along / major + 1.0) * 0.5 * side as f64 - 0.5;
            near(at(s), column as f64, 1e-9);
            near(at(t), row as f64, 1e-9);
        }
    }
}

#[test]
fn half_precision_is_the_nearest() {
    let back = |bits: u16| {
        let fraction = f64::from(bits & 0x3ff) / 1024.0;
        (1.0 + fraction) * 2f64.powi(i32::from(bits >> 10) - 15)
    };
    assert_eq!([half(1.0), half(0.5), half(65504.0)], [0x3c00, 0x3800, 0x7bff]);
    let mut number = 1e-3f32;
    while number < 100.0 {
        let error = (back(half(number)) - f64::from(number)).abs();
        assert!(error <= f64::from(number) / 2048.0, "{number}");
        number *= 1.0071;
    }
}

#[test]
fn all_levels_are_there_and_lit() {
    let bytes = mirror_images();
    let points: usize = (0..LEVELS).map(|level| 6 * (FACE >> level) * (FACE >> level)).sum();
    assert_eq!(bytes.len(), points * 2);
    let largest = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).max();
    assert!(largest < Some(half(8.0)), "nothing in it is blinding");
    assert!(studio(UP) > studio(UP * -1.0), "light comes from above");
}
