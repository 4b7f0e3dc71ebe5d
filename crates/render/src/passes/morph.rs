//! The morph pass: updates the streams that targets move before anything reads them.

use std::sync::Arc;

use crate::interface::layouts::Layouts;
use crate::interface::shaders;
use crate::model::gpu_model::GpuModel;
use crate::upload::morph_buffer::Stretch;
use sinew_skinning::pose::Pose;
use sinew_vulkan::{
    CommandBuffer, ComputePipeline, Device, PipelineCache, PipelineLayout, ShaderModule, VulkanError, vk,
};

/// Words per work group: `local_size_x` in `morph.comp`.
const GROUP: u32 = 64;

/// The pipeline of `morph.comp`.
pub(crate) struct MorphPass {
    layout: PipelineLayout,
    /// Created for the first model with morph targets.
    pipeline: Option<ComputePipeline>,
}

impl MorphPass {
    pub(crate) fn new(device: &Arc<Device>, layouts: &Layouts) -> Result<Self, VulkanError> {
        let compute = vk::ShaderStageFlags::COMPUTE;
        let size = size_of::<Stretch>() as u32;
        let layout = PipelineLayout::new(device, "morph", &[&layouts.morph], compute, size)?;
        Ok(Self { layout, pipeline: None })
    }

    /// Sets the pose's weights for a frame. Returns true if there is anything to record.
    pub(crate) fn prepare(
        &mut self,
        device: &Arc<Device>,
        cache: &PipelineCache,
        gpu: &mut GpuModel,
        frame: usize,
        pose: &Pose,
    ) -> Result<bool, VulkanError> {
        let Some(morphs) = &mut gpu.morphs else { return Ok(false) };
        if self.pipeline.is_none() {
            let shader = ShaderModule::new(device, "morph.comp", &shaders::MORPH_COMP.unpack())?;
            self.pipeline = Some(ComputePipeline::new(device, cache, "morph", &self.layout, &shader, &[])?);
        }
        Ok(morphs.set_pose(frame, pose))
    }

    /// Records all dispatches, after earlier reads of the streams and before later ones.
    pub(crate) fn record(&self, commands: &mut CommandBuffer, gpu: &GpuModel, frame: usize) {
        use vk::{AccessFlags2 as Access, PipelineStageFlags2 as Stage};
        let morphs = gpu.morphs.as_ref().expect("recorded only where `prepare` found morph targets");
        let pipeline = self.pipeline.as_ref().expect("`prepare` made the pipeline");
        let readers = Stage::VERTEX_ATTRIBUTE_INPUT | Stage::COPY;
        // Earlier frames have read the streams that are now written, and earlier dispatches have written them.
        commands.memory_barrier(
            (readers | Stage::COMPUTE_SHADER, Access::SHADER_STORAGE_WRITE),
            (Stage::COMPUTE_SHADER, Access::SHADER_STORAGE_WRITE),
        );
        commands.bind_compute(pipeline);
        for dispatch in &morphs.dispatches {
            let mut stretch = dispatch.stretch;
            stretch.first_weight += morphs.first_weight(frame);
            commands.bind_set(vk::PipelineBindPoint::COMPUTE, &self.layout, 0, dispatch.set, &[]);
            commands.push_constants(&self.layout, bytemuck::bytes_of(&stretch));
            commands.dispatch([stretch.words.div_ceil(GROUP), 1]);
        }
        commands.memory_barrier(
            (Stage::COMPUTE_SHADER, Access::SHADER_STORAGE_WRITE),
            (readers, Access::VERTEX_ATTRIBUTE_READ | Access::TRANSFER_READ),
        );
    }
}
