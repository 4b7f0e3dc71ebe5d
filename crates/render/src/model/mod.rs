//! A model on the GPU: its buffers, materials and draw calls, and its data on the CPU. It must not depend on passes or
//! pipelines.

pub mod computed;
pub mod computed_crowd;
pub mod copies;
pub mod ddm_terms;
pub mod draw_stream;
pub mod draws;
pub mod figure;
pub mod footprint;
pub mod gpu_model;
pub mod groups;
pub mod materials;
pub mod middles;
pub mod mode_streams;
pub mod morphs;
mod repeats;
pub mod ring;
pub mod sharing;
pub mod skin_chunk;
pub mod view_colors;
pub mod wires;
