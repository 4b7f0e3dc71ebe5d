//! Thin owners of the Vulkan objects that sinew uses, one noun per file. All unsafe Vulkan code is here. The crate must
//! not depend on meshes, joints or other concepts of sinew: it could serve any program.
//!
//! The wrappers are memory-safe for Rust, but not for the GPU. The validation layer, not the compiler, reports a buffer
//! that is dropped while the GPU reads it. The renderer waits for its fences before it drops or rewrites anything.
#![allow(unsafe_code, reason = "every Vulkan call is unsafe; this crate is the place for them")]
#![cfg_attr(not(test), warn(clippy::print_stderr, clippy::print_stdout))]

mod bound;
mod buffer;
mod cache_file;
mod commands;
mod copies;
mod descriptor;
mod device;
#[cfg(target_os = "linux")]
mod driver_cache;
mod error;
#[cfg(feature = "faults")]
pub mod faults;
mod image;
mod instance;
mod living;
mod memory;
mod messages;
mod owned;
mod physical;
mod pipeline;
mod pipeline_cache;
mod preload;
mod presenter;
mod sampler;
mod shader;
mod stopwatch;
mod surface;
mod sync;
mod timestamps;

pub use ash::vk;
pub use buffer::Buffer;
pub use cache_file::CacheFile;
pub use commands::{Attachment, CommandBuffer, DepthAttachment, ImageBarrier, Rendering};
pub use descriptor::{Descriptor, DescriptorPool, DescriptorSet, DescriptorSetLayout};
pub use device::Device;
#[cfg(target_os = "linux")]
pub use driver_cache::spare_full_disk;
pub use error::VulkanError;
pub use gpu_allocator::MemoryLocation;
pub use image::{Image, ImageDesc, Layers};
pub use instance::{Instance, InstanceOptions, Validation};
pub use messages::Messages;
pub use physical::{DeviceChoice, Needs, PhysicalDevice};
pub use pipeline::{ComputePipeline, GraphicsPipeline, GraphicsPipelineDesc, PipelineLayout, VertexStream};
pub use pipeline_cache::PipelineCache;
pub use preload::Preload;
pub use presenter::{Pacing, Presenter, Shown};
pub use sampler::{Sampler, SamplerDesc};
pub use shader::ShaderModule;
pub use stopwatch::Stopwatch;
pub use surface::Surface;
pub use sync::Fence;
pub use timestamps::{PassTime, Timestamps};

/// Tests the README's examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
