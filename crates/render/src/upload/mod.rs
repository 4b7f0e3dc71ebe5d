//! From plain data to bytes on the GPU: meshes, morph targets and mip levels are laid out and copied.
//! It must not know draws, poses or passes.

pub mod mesh_buffer;
pub mod mip;
pub mod morph_buffer;
pub mod transfer;
