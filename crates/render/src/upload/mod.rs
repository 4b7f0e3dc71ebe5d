//! Uploads: lays out meshes, morph targets and mip levels, and copies them to the GPU. It must not depend on draws, poses
//! or passes.

pub mod equal_vertices;
pub mod mesh_buffer;
pub mod mip;
pub mod morph_buffer;
pub mod transfer;
