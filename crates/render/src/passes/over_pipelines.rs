//! Pipelines that draw over the picture, one for each number of samples.

use std::sync::Arc;

use crate::interface::formats::AttachmentFormats;
use crate::interface::packed::Packed;
use sinew_vulkan::{
    Device, GraphicsPipeline, GraphicsPipelineDesc, PipelineCache, PipelineLayout, ShaderModule,
    VertexStream, VulkanError, vk,
};

/// A pipeline that blends over the picture without writing depth.
pub struct Over<'a> {
    /// The name in debuggers, and of both shaders' files.
    pub name: &'a str,
    /// Sets and push constants.
    pub layout: &'a PipelineLayout,
    /// The vertex shader.
    pub vertex: Packed,
    /// The fragment shader.
    pub fragment: Packed,
    /// The streams of the vertex shader.
    pub streams: &'a [VertexStream],
    /// Shape of the vertices.
    pub topology: vk::PrimitiveTopology,
}

/// Pipelines of one kind, for each number of samples.
#[derive(Default)]
pub struct OverPipelines {
    made: Vec<(vk::SampleCountFlags, GraphicsPipeline)>,
}

impl OverPipelines {
    /// Creates the pipeline if it is missing.
    pub fn prepare(
        &mut self,
        device: &Arc<Device>,
        cache: &PipelineCache,
        format: AttachmentFormats,
        over: &Over<'_>,
    ) -> Result<(), VulkanError> {
        if self.find(format).is_some() {
            return Ok(());
        }
        let vertex = ShaderModule::new(device, &format!("{}.vert", over.name), &over.vertex.unpack())?;
        let fragment = ShaderModule::new(device, &format!("{}.frag", over.name), &over.fragment.unpack())?;
        let pipeline = GraphicsPipeline::new(
            device,
            cache,
            &GraphicsPipelineDesc {
                name: over.name,
                layout: over.layout,
                vertex: &vertex,
                fragment: Some(&fragment),
                constants: &[],
                streams: over.streams,
                topology: over.topology,
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

    /// Returns a prepared pipeline.
    pub fn get(&self, format: AttachmentFormats) -> &GraphicsPipeline {
        self.find(format).expect("`prepare` made the pipeline for these formats")
    }

    fn find(&self, format: AttachmentFormats) -> Option<&GraphicsPipeline> {
        self.made.iter().find(|(samples, _)| *samples == format.samples).map(|(_, pipeline)| pipeline)
    }
}
