//! The push constants of a mesh's shaders: a draw's overrides of its material, and the offset of its pixels.

use bytemuck::{Pod, Zeroable};

/// A draw's overrides of its material, and the offset of its pixels: the push constants of a mesh's shaders.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct SurfaceBlock {
    /// Source of a fragment's side: one of `SIDES_…` in `shared.rs`.
    pub sides: u32,
    /// 1 discards back faces, if the rasterizer cannot cull them.
    pub hide_back: u32,
    /// 1 for points and lines without normals, which cannot be shaded flat: they are unlit, with their emission.
    pub lightless: u32,
    /// Content of `view.frag`: a `Shows` of `shared.rs`.
    pub view: u32,
    /// Offset for redrawing points, lines and rims; the picture is 2 wide and high.
    pub nudge: [f32; 2],
}

const _: () = assert!(size_of::<SurfaceBlock>() == 24);
