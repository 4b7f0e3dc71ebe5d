//! The push constants that tell shaders what a draw changes about its material, and where its pixels are drawn.

use bytemuck::{Pod, Zeroable};

/// What a draw changes about its material, and where its pixels are drawn: the push constants of a mesh's shaders.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct SurfaceBlock {
    /// How a fragment knows which side it shows: one of `SIDES_…` in `src/shared.rs`.
    pub sides: u32,
    /// 1 discards back faces, where the rasterizer cannot cull them.
    pub hide_back: u32,
    /// 1 for points and lines without normals, which cannot be shaded flat: shown unlit, with their emission.
    pub lightless: u32,
    /// What `view.frag` shows: one of `SHOWS_…` in `src/shared.rs`.
    pub view: u32,
    /// How far points, lines and rims are drawn beside their place; the picture is 2 wide and high.
    pub nudge: [f32; 2],
}

const _: () = assert!(size_of::<SurfaceBlock>() == 24);
