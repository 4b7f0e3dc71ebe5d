//! The ground: a square that darkens the background where shadows fall.
//! It must not know what casts them.

use std::sync::Arc;

use super::Layouts;
use super::pipelines::TargetFormat;
use super::shaders;
use super::surroundings::Surroundings;
use crate::vulkan::{
    CommandBuffer, DescriptorSet, Device, GraphicsPipeline, GraphicsPipelineDesc, PipelineCache,
    PipelineLayout, ShaderModule, VulkanError, vk,
};

/// Draws the ground.
pub(super) struct GroundPass {
    layout: PipelineLayout,
    made: Vec<(vk::SampleCountFlags, GraphicsPipeline)>,
}

impl GroundPass {
    pub(super) fn new(device: &Arc<Device>, layouts: &Layouts) -> Result<Self, VulkanError> {
        let sets = [&layouts.frame, &layouts.material, &layouts.surroundings];
        let layout = PipelineLayout::new(device, "ground", &sets, vk::ShaderStageFlags::empty(), 0)?;
        Ok(Self { layout, made: Vec::new() })
    }

    /// Makes the pipeline if it is not there yet.
    pub(super) fn prepare(
        &mut self,
        device: &Arc<Device>,
        cache: &PipelineCache,
        format: TargetFormat,
    ) -> Result<(), VulkanError> {
        if self.find(format).is_some() {
            return Ok(());
        }
        let vertex = ShaderModule::new(device, "ground.vert", shaders::GROUND_VERT)?;
        let fragment = ShaderModule::new(device, "ground.frag", shaders::GROUND_FRAG)?;
        let pipeline = GraphicsPipeline::new(
            device,
            cache,
            &GraphicsPipelineDesc {
                name: "ground",
                layout: &self.layout,
                vertex: &vertex,
                fragment: Some(&fragment),
                constants: &[],
                streams: &[],
                topology: vk::PrimitiveTopology::TRIANGLE_STRIP,
                samples: format.samples,
                color_format: Some(format.color),
                depth_format: format.depth,
                blend: true,
                depth_write: false,
                recedes: false,
            },
        )?;
        self.made.push((format.samples, pipeline));
        Ok(())
    }

    fn find(&self, format: TargetFormat) -> Option<&GraphicsPipeline> {
        self.made.iter().find(|(samples, _)| *samples == format.samples).map(|(_, pipeline)| pipeline)
    }

    /// Draws it, seen from above only.
    pub(super) fn record(
        &self,
        commands: &mut CommandBuffer,
        format: TargetFormat,
        frame_set: DescriptorSet,
        frame_offset: u64,
        surroundings: &Surroundings,
    ) {
        let Some(pipeline) = self.find(format) else { return };
        let graphics = vk::PipelineBindPoint::GRAPHICS;
        commands.bind_graphics(pipeline, vk::CullModeFlags::BACK, vk::FrontFace::CLOCKWISE);
        commands.bind_set(graphics, &self.layout, 0, frame_set, &[frame_offset as u32; 2]);
        commands.bind_set(graphics, &self.layout, 2, surroundings.set, &[]);
        commands.draw(4);
    }
}
