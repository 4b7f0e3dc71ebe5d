//! The ground: a square that darkens the background under shadows.

use std::sync::Arc;

use crate::interface::formats::AttachmentFormats;
use crate::interface::layouts::{Layouts, frame_offsets};
use crate::interface::shaders;
use crate::passes::over_pipelines::{Over, OverPipelines};
use sinew_vulkan::{CommandBuffer, DescriptorSet, Device, PipelineCache, PipelineLayout, VulkanError, vk};

/// Draws the ground.
pub(crate) struct GroundPass {
    layout: PipelineLayout,
    pipelines: OverPipelines,
}

impl GroundPass {
    pub(crate) fn new(device: &Arc<Device>, layouts: &Layouts) -> Result<Self, VulkanError> {
        let sets = [&layouts.frame, &layouts.material, &layouts.surroundings];
        let layout = PipelineLayout::new(device, "ground", &sets, vk::ShaderStageFlags::empty(), 0)?;
        Ok(Self { layout, pipelines: OverPipelines::default() })
    }

    /// Creates the pipeline if it is missing.
    pub(crate) fn prepare(
        &mut self,
        device: &Arc<Device>,
        cache: &PipelineCache,
        format: AttachmentFormats,
    ) -> Result<(), VulkanError> {
        let over = Over {
            name: "ground",
            layout: &self.layout,
            vertex: shaders::GROUND_VERT,
            fragment: shaders::GROUND_FRAG,
            streams: &[],
            topology: vk::PrimitiveTopology::TRIANGLE_STRIP,
        };
        self.pipelines.prepare(device, cache, format, &over)
    }

    /// Draws the ground; it is invisible from below.
    pub(crate) fn record(
        &self,
        commands: &mut CommandBuffer,
        format: AttachmentFormats,
        frame_set: DescriptorSet,
        frame_offset: u64,
        surroundings: DescriptorSet,
    ) {
        let pipeline = self.pipelines.get(format);
        let graphics = vk::PipelineBindPoint::GRAPHICS;
        commands.bind_graphics(pipeline, vk::CullModeFlags::BACK, vk::FrontFace::CLOCKWISE);
        commands.bind_set(graphics, &self.layout, 0, frame_set, &frame_offsets(frame_offset, frame_offset));
        commands.bind_set(graphics, &self.layout, 2, surroundings, &[]);
        commands.draw(4);
    }
}
