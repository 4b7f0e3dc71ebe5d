//! Inputs of a frame, prepared before recording: camera, palettes, vertices skinned by the CPU, overlays. It must not
//! depend on passes or pipelines.

pub mod cpu_vertices;
pub mod crowd_palettes;
pub mod distances;
pub mod instances;
pub mod members;
pub mod moving_colors;
pub mod palette_buffer;
pub mod palettes;
pub mod sheet;
pub mod viewpoint;
pub mod worker;
