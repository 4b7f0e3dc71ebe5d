//! The push constants that tell `mesh.frag` and `view.frag` what a draw changes about its material.

use bytemuck::{Pod, Zeroable};

/// What a draw changes about its material: the push constants of `mesh.frag` and `view.frag`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub struct SurfaceBlock {
    /// How a fragment knows which side it shows: one of `SIDES_…` in `src/shared.rs`.
    pub sides: u32,
    /// 1 discards back faces, where the rasterizer cannot cull them.
    pub hide_back: u32,
    /// 1 for points and lines without normals, which cannot be shaded flat: shown unlit, with their emission.
    pub lightless: u32,
    /// What `view.frag` shows: one of `SHOWS_…` in `src/shared.rs`.
    pub view: u32,
}

const _: () = assert!(size_of::<SurfaceBlock>() == 16);
