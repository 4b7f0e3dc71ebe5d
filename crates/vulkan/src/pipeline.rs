//! Graphics and compute pipelines and their layouts.

use std::sync::Arc;

use ash::vk;

use super::descriptor::DescriptorSetLayout;
use super::device::Device;
use super::error::{Named, VulkanError};
use super::owned::Owned;
use super::pipeline_cache::PipelineCache;
use super::shader::ShaderModule;

/// Descriptor set layouts and push constants of a pipeline.
pub struct PipelineLayout {
    pub(super) raw: vk::PipelineLayout,
    pub(super) push_stages: vk::ShaderStageFlags,
    device: Owned,
}

impl PipelineLayout {
    /// Creates a layout with sets numbered from 0, and `push_bytes` of push constants for `push_stages`.
    pub fn new(
        device: &Arc<Device>,
        name: &str,
        sets: &[&DescriptorSetLayout],
        push_stages: vk::ShaderStageFlags,
        push_bytes: u32,
    ) -> Result<Self, VulkanError> {
        let limit = device.physical.limits.max_push_constants_size;
        device.check_limit(name, "bytes of push constants", push_bytes.into(), limit.into())?;
        let sets: Vec<_> = sets.iter().map(|set| set.raw).collect();
        let ranges = [vk::PushConstantRange { stage_flags: push_stages, offset: 0, size: push_bytes }];
        let mut info = vk::PipelineLayoutCreateInfo::default().set_layouts(&sets);
        if push_bytes > 0 {
            info = info.push_constant_ranges(&ranges);
        }
        // SAFETY: the device and the set layouts are alive.
        let raw = unsafe { device.raw.create_pipeline_layout(&info, None) }
            .named("vkCreatePipelineLayout", name)?;
        device.set_name(raw, name);
        Ok(Self { raw, push_stages, device: Owned::new(device, name) })
    }
}

impl Drop for PipelineLayout {
    fn drop(&mut self) {
        // SAFETY: the handle is destroyed once; pipelines made with it do not need it any more.
        unsafe { self.device.raw.destroy_pipeline_layout(self.raw, None) };
    }
}

/// One vertex buffer binding, which feeds one location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VertexStream {
    /// The shader's location.
    pub location: u32,
    /// Element format.
    pub format: vk::Format,
    /// Bytes between elements, a multiple of four above 0. Portability drivers support no others
    /// (VK_KHR_portability_subset).
    pub stride: u32,
    /// True if each vertex has its element; false if all vertices of an instance share one.
    pub per_vertex: bool,
}

/// The properties of a graphics pipeline; all others are dynamic or fixed.
pub struct GraphicsPipelineDesc<'a> {
    /// Name for debuggers.
    pub name: &'a str,
    /// Descriptor sets and push constants.
    pub layout: &'a PipelineLayout,
    /// Vertex shader, entry point `main`.
    pub vertex: &'a ShaderModule,
    /// Fragment shader, entry point `main`; without one the pipeline writes only depth.
    pub fragment: Option<&'a ShaderModule>,
    /// Values of the specialization constants of both shaders, by index.
    pub constants: &'a [u32],
    /// Vertex buffers; binding n is the n-th stream.
    pub streams: &'a [VertexStream],
    /// Triangles, lines or points.
    pub topology: vk::PrimitiveTopology,
    /// Samples per pixel.
    pub samples: vk::SampleCountFlags,
    /// Format of the colour attachment, if there is one.
    pub color_format: Option<vk::Format>,
    /// Format of the depth attachment, if there is one.
    pub depth_format: Option<vk::Format>,
    /// True if fragments are blended by their premultiplied alpha.
    pub blend: bool,
    /// True if fragments write depth.
    pub depth_write: bool,
    /// True if triangles are offset back a little, so that lines on them are in front.
    pub recedes: bool,
}

/// A graphics pipeline. Viewport, scissor, cull mode and front face are dynamic.
pub struct GraphicsPipeline {
    pub(super) raw: vk::Pipeline,
    device: Owned,
}

impl GraphicsPipeline {
    /// Compiles the pipeline, or finds it in the cache.
    pub fn new(
        device: &Arc<Device>,
        cache: &PipelineCache,
        desc: &GraphicsPipelineDesc<'_>,
    ) -> Result<Self, VulkanError> {
        let constants = Constants::new(desc.constants);
        let info = constants.info();
        let mut stages = vec![stage(vk::ShaderStageFlags::VERTEX, desc.vertex, &info)];
        stages.extend(desc.fragment.map(|shader| stage(vk::ShaderStageFlags::FRAGMENT, shader, &info)));
        let (bindings, attributes) = vertex_input(desc.streams);
        let vertex_input = vk::PipelineVertexInputStateCreateInfo::default()
            .vertex_binding_descriptions(&bindings)
            .vertex_attribute_descriptions(&attributes);
        let assembly = vk::PipelineInputAssemblyStateCreateInfo::default().topology(desc.topology);
        let viewport = vk::PipelineViewportStateCreateInfo::default().viewport_count(1).scissor_count(1);
        let multisample =
            vk::PipelineMultisampleStateCreateInfo::default().rasterization_samples(desc.samples);
        let raster = rasterization(desc.recedes);
        let depth = depth_test(desc.depth_format.is_some(), desc.depth_write);
        let blend = [blending(desc.blend)];
        let attachments = if desc.color_format.is_some() { blend.as_slice() } else { &[] };
        let color = vk::PipelineColorBlendStateCreateInfo::default().attachments(attachments);
        let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&DYNAMIC);
        let color_formats: Vec<_> = desc.color_format.into_iter().collect();
        let mut rendering = vk::PipelineRenderingCreateInfo::default()
            .color_attachment_formats(&color_formats)
            .depth_attachment_format(desc.depth_format.unwrap_or(vk::Format::UNDEFINED));
        let info = vk::GraphicsPipelineCreateInfo::default()
            .stages(&stages)
            .vertex_input_state(&vertex_input)
            .input_assembly_state(&assembly)
            .viewport_state(&viewport)
            .rasterization_state(&raster)
            .multisample_state(&multisample)
            .depth_stencil_state(&depth)
            .color_blend_state(&color)
            .dynamic_state(&dynamic)
            .layout(desc.layout.raw)
            .push_next(&mut rendering);
        // SAFETY: everything `info` points to lives until the call returns.
        let made = unsafe { device.raw.create_graphics_pipelines(cache.raw, &[info], None) };
        let raw = only(made).named("vkCreateGraphicsPipelines", desc.name)?;
        device.set_name(raw, desc.name);
        Ok(Self { raw, device: Owned::new(device, desc.name) })
    }
}

/// Dynamic state.
const DYNAMIC: [vk::DynamicState; 4] = [
    vk::DynamicState::VIEWPORT,
    vk::DynamicState::SCISSOR,
    vk::DynamicState::CULL_MODE,
    vk::DynamicState::FRONT_FACE,
];

/// Specialization constants, numbered from 0; 1 is true.
struct Constants {
    values: Vec<u32>,
    entries: Vec<vk::SpecializationMapEntry>,
}

impl Constants {
    fn new(constants: &[u32]) -> Self {
        let size = size_of::<u32>();
        let entry = |constant_id: u32| {
            let offset = constant_id * size as u32;
            vk::SpecializationMapEntry { constant_id, offset, size }
        };
        Self { values: constants.to_vec(), entries: (0..constants.len() as u32).map(entry).collect() }
    }

    fn info(&self) -> vk::SpecializationInfo<'_> {
        vk::SpecializationInfo::default().map_entries(&self.entries).data(bytemuck::cast_slice(&self.values))
    }
}

fn stage<'a>(
    stage: vk::ShaderStageFlags,
    shader: &ShaderModule,
    constants: &'a vk::SpecializationInfo<'a>,
) -> vk::PipelineShaderStageCreateInfo<'a> {
    vk::PipelineShaderStageCreateInfo::default()
        .stage(stage)
        .module(shader.raw)
        .name(c"main")
        .specialization_info(constants)
}

/// Describes one binding with one attribute for each stream, in their order.
fn vertex_input(
    streams: &[VertexStream],
) -> (Vec<vk::VertexInputBindingDescription>, Vec<vk::VertexInputAttributeDescription>) {
    let binding = |(binding, stream): (u32, &VertexStream)| vk::VertexInputBindingDescription {
        binding,
        stride: stream.stride,
        input_rate: match stream.per_vertex {
            true => vk::VertexInputRate::VERTEX,
            false => vk::VertexInputRate::INSTANCE,
        },
    };
    let attribute = |(binding, stream): (u32, &VertexStream)| vk::VertexInputAttributeDescription {
        location: stream.location,
        binding,
        format: stream.format,
        offset: 0,
    };
    let numbered = || (0u32..).zip(streams);
    (numbered().map(binding).collect(), numbered().map(attribute).collect())
}

fn rasterization(recedes: bool) -> vk::PipelineRasterizationStateCreateInfo<'static> {
    vk::PipelineRasterizationStateCreateInfo::default()
        .polygon_mode(vk::PolygonMode::FILL)
        .line_width(1.0)
        .depth_bias_enable(recedes)
        .depth_bias_constant_factor(-4.0)
        .depth_bias_slope_factor(-1.5)
}

/// Sets up reversed depth: 1 is near and 0 is infinitely far, where floats have precision to spare.
fn depth_test(has_depth: bool, writes: bool) -> vk::PipelineDepthStencilStateCreateInfo<'static> {
    vk::PipelineDepthStencilStateCreateInfo::default()
        .depth_test_enable(has_depth)
        .depth_write_enable(has_depth && writes)
        .depth_compare_op(vk::CompareOp::GREATER_OR_EQUAL)
}

/// Sets up blending by premultiplied alpha.
fn blending(is_enabled: bool) -> vk::PipelineColorBlendAttachmentState {
    vk::PipelineColorBlendAttachmentState::default()
        .blend_enable(is_enabled)
        .src_color_blend_factor(vk::BlendFactor::ONE)
        .dst_color_blend_factor(vk::BlendFactor::ONE_MINUS_SRC_ALPHA)
        .src_alpha_blend_factor(vk::BlendFactor::ONE)
        .dst_alpha_blend_factor(vk::BlendFactor::ONE_MINUS_SRC_ALPHA)
        .color_write_mask(vk::ColorComponentFlags::RGBA)
}

impl Drop for GraphicsPipeline {
    fn drop(&mut self) {
        // SAFETY: the renderer has waited for the GPU; the handle is destroyed once.
        unsafe { self.device.raw.destroy_pipeline(self.raw, None) };
    }
}

/// A compute pipeline.
pub struct ComputePipeline {
    pub(super) raw: vk::Pipeline,
    device: Owned,
}

impl ComputePipeline {
    /// Compiles the pipeline, or finds it in the cache. The shader's specialization constants are numbered from 0.
    pub fn new(
        device: &Arc<Device>,
        cache: &PipelineCache,
        name: &str,
        layout: &PipelineLayout,
        shader: &ShaderModule,
        constants: &[u32],
    ) -> Result<Self, VulkanError> {
        let constants = Constants::new(constants);
        let constants = constants.info();
        let stage = stage(vk::ShaderStageFlags::COMPUTE, shader, &constants);
        let info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout.raw);
        // SAFETY: everything `info` points to lives until the call returns.
        let made = unsafe { device.raw.create_compute_pipelines(cache.raw, &[info], None) };
        let raw = only(made).named("vkCreateComputePipelines", name)?;
        device.set_name(raw, name);
        Ok(Self { raw, device: Owned::new(device, name) })
    }
}

impl Drop for ComputePipeline {
    fn drop(&mut self) {
        // SAFETY: the renderer has waited for the GPU; the handle is destroyed once.
        unsafe { self.device.raw.destroy_pipeline(self.raw, None) };
    }
}

/// Returns the only pipeline of a call that created one.
fn only(
    made: Result<Vec<vk::Pipeline>, (Vec<vk::Pipeline>, vk::Result)>,
) -> Result<vk::Pipeline, vk::Result> {
    // `ash` returns as many pipelines as the call requested.
    made.map(|pipelines| pipelines[0]).map_err(|(_, result)| result)
}
