//! The ground: a square that darkens the background where shadows fall.
//! It must not know what casts them.

use std::sync::Arc;

use super::Layouts;
use super::pipelines::{Over, OverPipelines, TargetFormat};
use super::shaders;
use super::surroundings::Surroundings;
use sinew_vulkan::{CommandBuffer, DescriptorSet, Device, PipelineCache, PipelineLayout, VulkanError, vk};

/// Draws the ground.
pub(super) struct GroundPass {
    layout: PipelineLayout,
    pipelines: OverPipelines,
}

impl GroundPass {
    pub(super) fn new(device: &Arc<Device>, layouts: &Layouts) -> Result<Self, VulkanError> {
        let sets = [&layouts.frame, &layouts.material, &layouts.surroundings];
        let layout = PipelineLayout::new(device, "ground", &sets, vk::ShaderStageFlags::empty(), 0)?;
        Ok(Self { layout, pipelines: OverPipelines::default() })
    }

    /// Makes the pipeline if it is not there yet.
    pub(super) fn prepare(
        &mut self,
        device: &Arc<Device>,
        cache: &PipelineCache,
        format: TargetFormat,
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

    /// Draws it, seen from above only.
    pub(super) fn record(
        &self,
        commands: &mut CommandBuffer,
        format: TargetFormat,
        frame_set: DescriptorSet,
        frame_offset: u64,
        surroundings: &Surroundings,
    ) {
        let Some(pipeline) = self.pipelines.get(format) else { return };
        let graphics = vk::PipelineBindPoint::GRAPHICS;
        commands.bind_graphics(pipeline, vk::CullModeFlags::BACK, vk::FrontFace::CLOCKWISE);
        commands.bind_set(graphics, &self.layout, 0, frame_set, &[frame_offset as u32; 2]);
        commands.bind_set(graphics, &self.layout, 2, surroundings.set, &[]);
        commands.draw(4);
    }
}
