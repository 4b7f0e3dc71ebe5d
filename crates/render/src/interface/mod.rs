//! The interface between shaders and the program: compiled shaders, descriptor layouts, uniform blocks, vertex
//! streams, formats. It must not depend on models on the GPU or on the order of draws.

pub mod features;
pub mod formats;
pub mod frame_block;
pub mod layouts;
pub mod material_block;
pub mod packed;
pub mod shaders;
pub mod streams;
pub mod studio;
pub mod surface_block;
