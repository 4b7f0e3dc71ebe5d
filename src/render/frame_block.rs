//! The uniform block that all draws of a frame share.
//! It must not know the mesh.

use bytemuck::{Pod, Zeroable};
use glam::{DMat4, DVec3};

use super::studio;
use crate::camera::Camera;
use crate::lighting::{Lighting, MAX_LIGHTS, MapView, PlacedLight};

/// `Frame` in `shaders/include/frame.glsl`; a test compares the two member by member.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct FrameBlock {
    /// Moves the whole model.
    pub world_from_model: [[f32; 4]; 4],
    /// World to view.
    pub view_from_world: [[f32; 4]; 4],
    /// View to clip.
    pub clip_from_view: [[f32; 4]; 4],
    /// World to the shadow map.
    pub shadow_from_world: [[f32; 4]; 4],
    /// World to the map of what stands on the ground.
    pub contact_from_world: [[f32; 4]; 4],
    /// Where the eye is; with w 0, the direction in which it is infinitely far.
    pub eye_in_world: [f32; 4],
    /// Unit vector towards the key light, and metres from point to point of the shadow map.
    pub light_in_world: [f32; 4],
    /// Linear colour of the key light.
    pub light_color: [f32; 4],
    /// Cosine and sine of the studio's turn; how strong it is.
    pub studio_from_world: [f32; 4],
    /// The ground's middle, and how far it is seen.
    pub ground: [f32; 4],
    /// The light on a matt surface as nine numbers.
    pub irradiance: [[f32; 4]; 3],
    /// How many lights the file has.
    pub light_count: [f32; 4],
    /// Those lights.
    pub lights: [LightBlock; MAX_LIGHTS],
}

const _: () = assert!(size_of::<FrameBlock>() == 5 * 64 + 9 * 16 + MAX_LIGHTS * 64);

/// `Light` in `shaders/include/frame.glsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct LightBlock {
    /// Where it is; with w 0, the direction towards it.
    pub place: [f32; 4],
    /// Linear colour, and one over the square of how far it reaches.
    pub color: [f32; 4],
    /// Where it shines.
    pub direction: [f32; 4],
    /// What the cosine is multiplied with and added to.
    pub cone: [f32; 4],
}

impl FrameBlock {
    /// The block for a camera and its light.
    pub fn new(camera: &Camera, lighting: &Lighting) -> Self {
        let [a, b, c, d, e, f, g, h, i] = studio::IRRADIANCE;
        let [cos, sin] = lighting.studio_from_world.map(|number| number as f32);
        let mut lights = [LightBlock::default(); MAX_LIGHTS];
        let count = lighting.others.len().min(MAX_LIGHTS);
        for (block, light) in lights.iter_mut().zip(&lighting.others) {
            *block = LightBlock::new(light);
        }
        Self {
            world_from_model: columns(&DMat4::IDENTITY),
            view_from_world: columns(&camera.view_from_world),
            clip_from_view: columns(&camera.clip_from_view),
            shadow_from_world: columns(&lighting.shadow.map_from_world()),
            contact_from_world: columns(&lighting.contact.map_from_world()),
            eye_in_world: camera.eye_in_world.as_vec4().to_array(),
            light_in_world: with(lighting.key_in_world, lighting.shadow.texel),
            light_color: with(lighting.key_color, 0.0),
            studio_from_world: [cos, sin, 1.0, 0.0],
            ground: with(lighting.ground, lighting.ground_radius),
            irradiance: [[a, b, c, d], [e, f, g, h], [i, 0.0, 0.0, 0.0]],
            light_count: [count as f32, 0.0, 0.0, 0.0],
            lights,
        }
    }

    /// The same block for drawing a map.
    pub fn seen_from(&self, view: &MapView) -> Self {
        Self {
            view_from_world: columns(&view.view_from_world),
            clip_from_view: columns(&view.clip_from_view),
            ..*self
        }
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

fn columns(matrix: &DMat4) -> [[f32; 4]; 4] {
    matrix.as_mat4().to_cols_array_2d()
}

fn with(vector: DVec3, last: f64) -> [f32; 4] {
    vector.extend(last).as_vec4().to_array()
}
