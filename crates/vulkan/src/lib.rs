//! Thin owners of the Vulkan objects sinew uses, one noun a file, and all of its `unsafe`.
//! It must not know meshes, joints or anything else of ours: it could serve any program.
//!
//! The wrappers are safe to call in the sense of Rust's memory, not of the GPU's: a caller that
//! drops a buffer while the GPU still reads it is told by the validation layer, not by the compiler.
//! The renderer waits for its fences before it drops or rewrites anything.
#![allow(unsafe_code, reason = "every Vulkan call is unsafe; this crate is the place for them")]
#![cfg_attr(not(test), warn(clippy::print_stderr, clippy::print_stdout))]

mod bound;
mod buffer;
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

/// The README is tested with the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
