//! Draws scenes: uploads models, fills the uniform ring, records one frame, and returns pixels. It is the only place
//! where models meet Vulkan; it must not depend on files, windows or command lines.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::print_stderr, clippy::print_stdout))]

mod choose_palette;
mod device;
mod draw;
mod feed;
mod frame;
mod in_flight;
mod interface;
pub mod kernels;
mod model;
mod palette_choice;
mod passes;
mod picture;
mod read;
mod renderer;
mod show;
mod upload;

pub use device::{NEEDS, open_device, open_presenting_device};
pub use frame::worker::{Counts, StageTimes};
pub use in_flight::FRAMES_IN_FLIGHT;
pub use interface::frame_block::{FrameBlock, LightBlock};
pub use interface::layouts::{FRAME_BINDINGS, MATERIAL_BINDINGS, PALETTE_WINDOW, SURROUNDINGS_BINDINGS};
pub use interface::material_block::MaterialBlock;
pub use interface::shaders;
pub use interface::streams::Stream;
pub use interface::surface_block::SurfaceBlock;
pub use model::figure::Figure;
pub use model::footprint::{Footprint, footprint};
pub use model::gpu_model::GpuModel;
pub use model::skin_chunk::SpanLayout;
pub use palette_choice::PaletteChoice;
pub use passes::mesh::pipelines::Forgotten;
pub use passes::overlay::{CropBlock, MARK_STREAMS};
pub use picture::paint::{PAINT_STREAMS, PaintBlock};
pub use picture::painting::{PaintTexture, PaintVertex, Painting, Piece};
pub use picture::tile::{MAX_AT_ONCE, TILE, Tile};
pub use renderer::Renderer;
pub use upload::mesh_buffer::{Batch, MeshBuffer, lay_out};
pub use upload::morph_buffer::Stretch;

/// Includes the README, so that its examples run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
