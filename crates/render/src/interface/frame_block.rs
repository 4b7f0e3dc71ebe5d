//! The uniform block that all draws of a frame share.

use bytemuck::{Pod, Zeroable};
use glam::{DMat4, DVec3};

use crate::interface::studio;
use sinew_scene::camera::Camera;
use sinew_scene::environment::Environment;
use sinew_scene::lighting::{Lighting, MapView, PlacedLight};
use sinew_scene::shared::MAX_LIGHTS;

/// `Frame` in `shaders/include/frame.glsl`; a test compares the two member by member.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct FrameBlock {
    /// World to clip.
    pub clip_from_world: [[f32; 4]; 4],
    /// World to the shadow map.
    pub shadow_from_world: [[f32; 4]; 4],
    /// World to the contact map, which holds the surfaces just above the ground.
    pub contact_from_world: [[f32; 4]; 4],
    /// Position of the eye; with w 0, the direction towards an infinitely distant eye.
    pub eye_in_world: [f32; 4],
    /// Unit vector towards the key light; the fourth is the size of a texel of the shadow map in metres.
    pub light_in_world: [f32; 4],
    /// Linear colour of the key light.
    pub light_color: [f32; 4],
    /// Cosine and sine of the studio's turn.
    pub studio_from_world: [f32; 4],
    /// The centre of the ground; the fourth is its visible radius.
    pub ground: [f32; 4],
    /// The light on a matt surface as a quadratic form of its normal; for coloured light, its red part.
    pub irradiance: [[f32; 4]; 4],
    /// Green part of coloured light.
    pub irradiance_green: [[f32; 4]; 4],
    /// Blue part of coloured light.
    pub irradiance_blue: [[f32; 4]; 4],
    /// Origin in the picture of the drawn part, in pixels; the third is the size of a window's pixel, the fourth the
    /// exposure factor.
    pub raster: [f32; 4],
    /// Number of the file's lights.
    pub light_count: [f32; 4],
    /// Parameters of the file's lights.
    pub lights: [LightBlock; MAX_LIGHTS],
}

const _: () = assert!(size_of::<FrameBlock>() == 6 * 64 + 7 * 16 + MAX_LIGHTS * 64);

/// `Light` in `shaders/include/frame.glsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct LightBlock {
    /// Position; with w 0, the direction towards the light.
    pub place: [f32; 4],
    /// Linear colour; the fourth is 1 / range², 0 for a light without a range.
    pub color: [f32; 4],
    /// The unit vector of its beam.
    pub direction: [f32; 4],
    /// Scale and offset of the cosine of the angle to that direction.
    pub cone: [f32; 4],
}

/// Inputs of a frame besides camera and light.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    /// The pixel of the picture where the drawn part begins.
    pub begin: [u32; 2],
    /// The size of a window's pixel.
    pub unit: f32,
    /// The exposure factor for light.
    pub brightness: f64,
    /// The surrounding light, in place of the studio.
    pub environment: Option<&'a Environment>,
}

impl FrameBlock {
    /// Returns the block for a camera and its light.
    pub fn new(camera: &Camera, lighting: &Lighting, setting: &Setting<'_>) -> Self {
        let Setting { begin, unit, brightness, environment } = *setting;
        let [left, top] = begin.map(|along| along as f32);
        // The studio turns with the viewer; an environment does not.
        let (numbers, turn) = match environment {
            Some(environment) => (environment.irradiance, [1.0, 0.0]),
            None => ([studio::IRRADIANCE; 3], lighting.studio_from_world),
        };
        let [red, green, blue] = numbers.map(|numbers| columns(&irradiance(numbers, turn)));
        let [cos, sin] = turn.map(|number| number as f32);
        let mut lights = [LightBlock::default(); MAX_LIGHTS];
        let count = lighting.others.len().min(MAX_LIGHTS);
        for (block, light) in lights.iter_mut().zip(&lighting.others) {
            *block = LightBlock::new(light);
        }
        Self {
            clip_from_world: columns(&(camera.clip_from_view * camera.view_from_world)),
            shadow_from_world: columns(&lighting.shadow.map_from_world()),
            contact_from_world: columns(&lighting.contact.map_from_world()),
            eye_in_world: camera.eye_in_world.as_vec4().to_array(),
            light_in_world: with(lighting.key_in_world, lighting.shadow.texel),
            light_color: with(lighting.key_color, 0.0),
            studio_from_world: [cos, sin, 0.0, 0.0],
            ground: with(lighting.ground, lighting.ground_radius),
            irradiance: red,
            irradiance_green: green,
            irradiance_blue: blue,
            raster: [left, top, unit, brightness as f32],
            light_count: [count as f32, 0.0, 0.0, 0.0],
            lights,
        }
    }

    /// Returns this block for drawing a map.
    pub fn seen_from(&self, view: &MapView) -> Self {
        Self { clip_from_world: columns(&(view.clip_from_view * view.view_from_world)), ..*self }
    }
}

impl LightBlock {
    fn new(light: &PlacedLight) -> Self {
        let [scale, offset] = light.cone;
        Self {
            place: light.place.as_vec4().to_array(),
            color: with(light.color, light.range.map_or(0.0, |range| 1.0 / (range * range))),
            direction: with(light.direction, 0.0),
            cone: [scale as f32, offset as f32, 0.0, 0.0],
        }
    }
}

/// Returns the matrix M for which (n, 1)ᵀ M (n, 1) is the light on a matt surface with normal n (Ramamoorthi,
/// Hanrahan 2001, formula 12). The nine coefficients are in the space of the studio, which is turned relative to the
/// world.
fn irradiance(numbers: [f32; 9], [cos, sin]: [f64; 2]) -> DMat4 {
    let [one, y, z, x, xy, yz, zz, xz, xx_yy] = numbers.map(f64::from);
    let in_studio = DMat4::from_cols_array_2d(&[
        [xx_yy, xy / 2.0, xz / 2.0, x / 2.0],
        [xy / 2.0, -xx_yy, yz / 2.0, y / 2.0],
        [xz / 2.0, yz / 2.0, 3.0 * zz, z / 2.0],
        [x / 2.0, y / 2.0, z / 2.0, one - zz],
    ]);
    let turn = DMat4::from_cols_array_2d(&[
        [cos, 0.0, sin, 0.0],
        [0.0, 1.0, 0.0, 0.0],
        [-sin, 0.0, cos, 0.0],
        [0.0, 0.0, 0.0, 1.0],
    ]);
    turn.transpose() * in_studio * turn
}

fn columns(matrix: &DMat4) -> [[f32; 4]; 4] {
    matrix.as_mat4().to_cols_array_2d()
}

fn with(vector: DVec3, last: f64) -> [f32; 4] {
    vector.extend(last).as_vec4().to_array()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with the sum of nine coefficients times nine functions of the normal, in the studio's space.
    #[test]
    fn the_quadratic_form_is_the_sum_of_nine() {
        let numbers = [0.5, 0.25, -0.125, 0.75, 0.0625, -0.5, 0.375, 0.875, -0.25];
        let (cos, sin) = (0.6, 0.8);
        let form = irradiance(numbers, [cos, sin]);
        for [x, y, z] in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.48, -0.6, 0.64]] {
            let n = DVec3::new(x, y, z).extend(1.0);
            let (x, z) = (cos * x - sin * z, sin * x + cos * z);
            let basis = [1.0, y, z, x, x * y, y * z, 3.0 * z * z - 1.0, x * z, x * x - y * y];
            let sum: f64 = basis.iter().zip(numbers).map(|(basis, number)| basis * f64::from(number)).sum();
            assert!((n.dot(form * n) - sum).abs() < 1e-12, "{n}");
        }
    }
}
