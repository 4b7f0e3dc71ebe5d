//! The uniform block that all draws of a frame share.
//! It must not know the mesh.

use bytemuck::{Pod, Zeroable};
use glam::DMat4;

use crate::camera::Camera;

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
    /// Where the eye is; with w 0, the direction in which it is infinitely far.
    pub eye_in_world: [f32; 4],
    /// Unit vector towards the light.
    pub light_in_world: [f32; 4],
    /// Linear colour of the light.
    pub light_color: [f32; 4],
    /// Linear colour of the light from above.
    pub sky_color: [f32; 4],
    /// Linear colour of the light from below.
    pub ground_color: [f32; 4],
}

const _: () = assert!(size_of::<FrameBlock>() == 3 * 64 + 5 * 16);

impl FrameBlock {
    /// The block for a camera. The light stands over the viewer's left shoulder, so that it models
    /// the form from every side.
    pub fn new(camera: &Camera) -> Self {
        let world_from_view = camera.view_from_world.inverse();
        let light = (world_from_view.x_axis * -0.45 + world_from_view.z_axis * 0.75).truncate();
        let light = (light + glam::DVec3::Y * 0.9).normalize();
        Self {
            world_from_model: columns(&DMat4::IDENTITY),
            view_from_world: columns(&camera.view_from_world),
            clip_from_view: columns(&camera.clip_from_view),
            eye_in_world: camera.eye_in_world.as_vec4().to_array(),
            light_in_world: light.extend(0.0).as_vec4().to_array(),
            light_color: [2.6, 2.5, 2.35, 0.0],
            sky_color: [0.50, 0.53, 0.58, 0.0],
            ground_color: [0.20, 0.19, 0.18, 0.0],
        }
    }
}

fn columns(matrix: &DMat4) -> [[f32; 4]; 4] {
    matrix.as_mat4().to_cols_array_2d()
}
