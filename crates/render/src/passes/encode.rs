//! The last pass of a picture: encodes light as sRGB bytes.
//!
//! An attachment in an sRGB format would encode in the driver. But lavapipe computes the curve with an instruction
//! whose last bits depend on the processor's maker, so a golden from one machine would not match on another.

use std::sync::Arc;

use crate::interface::formats::PICTURE_FORMAT;
use crate::interface::shaders;
use sinew_vulkan::{
    CommandBuffer, Descriptor, DescriptorPool, DescriptorSet, DescriptorSetLayout, Device, GraphicsPipeline,
    GraphicsPipelineDesc, Image, PipelineCache, PipelineLayout, Sampler, SamplerDesc, ShaderModule,
    VulkanError, vk,
};

/// Encodes images of light.
pub(crate) struct EncodePass {
    set_layout: DescriptorSetLayout,
    layout: PipelineLayout,
    sampler: Sampler,
    /// Pipelines for one sample per pixel, and for several.
    pipelines: [Option<GraphicsPipeline>; 2],
}

/// An image of light, as bound to the shader.
pub(crate) struct Light {
    set: DescriptorSet,
    is_sampled: bool,
    _pool: DescriptorPool,
}

impl EncodePass {
    pub(crate) fn new(device: &Arc<Device>) -> Result<Self, VulkanError> {
        let set_layout = DescriptorSetLayout::new(
            device,
            "light",
            &[vk::DescriptorType::COMBINED_IMAGE_SAMPLER],
            vk::ShaderStageFlags::FRAGMENT,
        )?;
        let layout = PipelineLayout::new(device, "encode", &[&set_layout], vk::ShaderStageFlags::empty(), 0)?;
        // Never used: shaders fetch single pixels.
        let sampler = Sampler::new(
            device,
            "light",
            SamplerDesc {
                address: [vk::SamplerAddressMode::CLAMP_TO_EDGE; 2],
                mag: vk::Filter::NEAREST,
                min: vk::Filter::NEAREST,
                mip: None,
                compare: None,
            },
        )?;
        Ok(Self { set_layout, layout, sampler, pipelines: [None, None] })
    }

    /// Makes an image of light readable.
    pub(crate) fn light(&self, device: &Arc<Device>, image: &Image) -> Result<Light, VulkanError> {
        let pool = DescriptorPool::new(device, "light", &[(&self.set_layout, 1)])?;
        let descriptor = Descriptor::Image { image, sampler: &self.sampler };
        let set = pool.set("light", &self.set_layout, &[descriptor])?;
        Ok(Light { set, is_sampled: image.desc().samples != vk::SampleCountFlags::TYPE_1, _pool: pool })
    }

    /// Creates the pipeline if it is missing.
    pub(crate) fn prepare(
        &mut self,
        device: &Arc<Device>,
        cache: &PipelineCache,
        light: &Light,
    ) -> Result<(), VulkanError> {
        let (name, fragment) = match light.is_sampled {
            false => ("encode", shaders::ENCODE_FRAG),
            true => ("encode samples", shaders::ENCODE_SAMPLES_FRAG),
        };
        let pipeline = &mut self.pipelines[usize::from(light.is_sampled)];
        if pipeline.is_some() {
            return Ok(());
        }
        let vertex = ShaderModule::new(device, "encode.vert", &shaders::ENCODE_VERT.unpack())?;
        let fragment = ShaderModule::new(device, &format!("{name} frag"), &fragment.unpack())?;
        let desc = GraphicsPipelineDesc {
            name,
            layout: &self.layout,
            vertex: &vertex,
            fragment: Some(&fragment),
            constants: &[],
            streams: &[],
            topology: vk::PrimitiveTopology::TRIANGLE_LIST,
            samples: vk::SampleCountFlags::TYPE_1,
            color_format: Some(PICTURE_FORMAT),
            depth_format: None,
            blend: false,
            depth_write: false,
            recedes: false,
        };
        *pipeline = Some(GraphicsPipeline::new(device, cache, &desc)?);
        Ok(())
    }

    /// Encodes a whole picture.
    pub(crate) fn record(&self, commands: &mut CommandBuffer, light: &Light) {
        let pipeline = self.pipelines[usize::from(light.is_sampled)].as_ref();
        let pipeline = pipeline.expect("`prepare` made the pipeline for this image");
        commands.bind_graphics(pipeline, vk::CullModeFlags::NONE, vk::FrontFace::CLOCKWISE);
        commands.bind_set(vk::PipelineBindPoint::GRAPHICS, &self.layout, 0, light.set, &[]);
        commands.draw(3);
    }
}
