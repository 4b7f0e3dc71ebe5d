//! The push constants that tell `mesh.frag` and `view.frag` what a draw changes about its material.

use bytemuck::{Pod, Zeroable};

/// What a draw changes about its material: the push constants of `mesh.frag` and `view.frag`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct SurfaceBlock {
    /// How a fragment knows which side it shows: one of the constants below.
    pub sides: f32,
    /// 1 discards back faces, where the rasterizer cannot cull them.
    pub hide_back: f32,
    /// 1 for points and lines without normals, which cannot be shaded flat: shown unlit, with their emission.
    pub lightless: f32,
    /// What `view.frag` shows: 0 the vertices' colours, 1 normals, 2 tangents, 3 texture coordinates, 4 plain paper and
    /// 5 lines on it.
    pub view: f32,
}

const _: () = assert!(size_of::<SurfaceBlock>() == 16);

/// [`SurfaceBlock::sides`]: the rasterizer knows.
pub const SIDES_BY_RASTERIZER: f32 = 0.0;
/// [`SurfaceBlock::sides`]: the rasterizer is right except where the vertex is mirrored.
pub const SIDES_BY_VERTEX: f32 = 1.0;
/// [`SurfaceBlock::sides`]: unknown; the normal is taken to point to the viewer.
pub const SIDES_UNKNOWN: f32 = 2.0;

/// [`SurfaceBlock::view`]: plain paper, on which lines are drawn.
pub const VIEW_PAPER: f32 = 4.0;
/// [`SurfaceBlock::view`]: lines.
pub const VIEW_LINES: f32 = 5.0;
