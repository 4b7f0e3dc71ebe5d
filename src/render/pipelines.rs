//! The graphics pipelines, made when first needed and kept.
//! They must not know models, only what a draw's pipeline depends on.

use std::collections::HashMap;
use std::sync::Arc;

use super::shaders;
use super::streams::Stream;
use crate::model::Topology;
use crate::skinning::SkinningMode;
use crate::vulkan::{
    Device, GraphicsPipeline, GraphicsPipelineDesc, PipelineCache, PipelineLayout, ShaderModule, VulkanError,
    vk,
};

/// What a draw's pipeline depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// The vertex shader's mode.
    pub mode: SkinningMode,
    /// How many skinning spans it reads.
    pub spans: usize,
    /// Bit n: the n-th of [`Stream::ALL`] is in the mesh's buffer; the others read a default.
    pub present: u32,
    /// What the indices list.
    pub topology: Topology,
    /// Whether alpha mixes with what is behind.
    pub blend: bool,
}

impl Key {
    /// Whether the mesh's buffer has the stream.
    pub fn has(&self, stream: Stream) -> bool {
        self.present >> stream as u32 & 1 == 1
    }
}

/// Formats and samples that all pipelines draw to.
#[derive(Clone, Copy, Debug)]
pub struct TargetFormat {
    /// Colour.
    pub color: vk::Format,
    /// Depth.
    pub depth: vk::Format,
    /// Samples a pixel.
    pub samples: vk::SampleCountFlags,
}

/// A pipeline and the streams it reads, in binding order.
pub struct MeshPipeline {
    /// To bind.
    pub pipeline: GraphicsPipeline,
    /// What its vertex buffers are.
    pub streams: Vec<Stream>,
}

/// All pipelines made so far.
pub struct Pipelines {
    made: HashMap<Key, MeshPipeline>,
    target: TargetFormat,
}

impl Pipelines {
    /// None yet.
    pub fn new(target: TargetFormat) -> Self {
        Self { made: HashMap::new(), target }
    }

    /// Makes the pipeline if it is not there yet.
    pub fn prepare(
        &mut self,
        device: &Arc<Device>,
        cache: &PipelineCache,
        layout: &PipelineLayout,
        key: Key,
    ) -> Result<(), VulkanError> {
        if self.made.contains_key(&key) {
            return Ok(());
        }
        let name = format!("mesh {} x{} {:?}", key.mode.name(), key.spans, key.topology);
        let shader = shaders::mesh_vert(key.mode, key.spans);
        assert!(shader.is_some(), "no mesh.vert for {} spans", key.spans);
        let Some(shader) = shader else { return Ok(()) };
        let vertex = ShaderModule::new(device, &format!("{name} mesh.vert"), shader.spirv)?;
        let fragment = ShaderModule::new(device, &format!("{name} mesh.frag"), shaders::MESH_FRAG)?;
        let streams: Vec<Stream> = Stream::feeding(shader.inputs).collect();
        let bindings: Vec<_> = streams.iter().map(|&stream| stream.binding(key.has(stream))).collect();
        let pipeline = GraphicsPipeline::new(
            device,
            cache,
            &GraphicsPipelineDesc {
                name: &name,
                layout,
                vertex: &vertex,
                fragment: &fragment,
                streams: &bindings,
                topology: match key.topology {
                    Topology::Triangles => vk::PrimitiveTopology::TRIANGLE_LIST,
                    Topology::Lines => vk::PrimitiveTopology::LINE_LIST,
                    Topology::Points => vk::PrimitiveTopology::POINT_LIST,
                },
                samples: self.target.samples,
                color_format: self.target.color,
                depth_format: self.target.depth,
                blend: key.blend,
                depth_write: !key.blend,
            },
        )?;
        self.made.insert(key, MeshPipeline { pipeline, streams });
        Ok(())
    }

    /// A pipeline that was prepared.
    pub fn get(&self, key: &Key) -> Option<&MeshPipeline> {
        self.made.get(key)
    }
}
