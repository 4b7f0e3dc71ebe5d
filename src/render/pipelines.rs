//! The graphics pipelines, made when first needed and kept.
//! They must not know models, only what a draw's pipeline depends on.

use std::collections::HashMap;
use std::sync::Arc;

use super::features::Features;
use super::shaders;
use super::streams::Stream;
use super::target::{DEPTH_FORMAT, LIGHT_FORMAT};
use sinew_model::Topology;
use sinew_skinning::SkinningMode;
use sinew_vulkan::{
    Device, GraphicsPipeline, GraphicsPipelineDesc, PipelineCache, PipelineLayout, ShaderModule,
    VertexStream, VulkanError, vk,
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
    /// What becomes of its fragments.
    pub outcome: Outcome,
}

/// What becomes of a draw's fragments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// They are shaded.
    Shaded {
        /// What the shader computes.
        features: Features,
        /// Whether alpha mixes with what is behind.
        blend: bool,
        /// Samples a pixel.
        samples: vk::SampleCountFlags,
    },
    /// They show what the surface is.
    Viewed {
        /// Samples a pixel.
        samples: vk::SampleCountFlags,
        /// Whether they stand back behind lines that are drawn on them.
        recedes: bool,
    },
    /// They cast a shadow.
    Shadow {
        /// Whether the material has holes in it.
        holes: bool,
    },
}

impl Key {
    /// Whether the mesh's buffer has the stream.
    pub fn has(&self, stream: Stream) -> bool {
        self.present >> stream as u32 & 1 == 1
    }
}

/// Formats and samples that are drawn to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TargetFormat {
    /// Colour.
    pub color: vk::Format,
    /// Depth, where there is any.
    pub depth: Option<vk::Format>,
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
#[derive(Default)]
pub struct Pipelines {
    made: HashMap<Key, MeshPipeline>,
}

impl Pipelines {
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
        let (file, shader) = match key.outcome {
            Outcome::Shaded { .. } | Outcome::Viewed { .. } => {
                ("mesh.vert", shaders::mesh_vert(key.mode, key.spans))
            }
            Outcome::Shadow { .. } => ("caster.vert", shaders::caster_vert(key.mode, key.spans)),
        };
        assert!(shader.is_some(), "no {file} for {} spans", key.spans);
        let Some(shader) = shader else { return Ok(()) };
        let vertex = ShaderModule::new(device, &format!("{name} {file}"), shader.spirv)?;
        let fragment = match key.outcome {
            Outcome::Shaded { .. } => Some(("mesh.frag", shaders::MESH_FRAG)),
            Outcome::Viewed { .. } => Some(("view.frag", shaders::VIEW_FRAG)),
            Outcome::Shadow { holes: true } => Some(("shadow.frag", shaders::SHADOW_FRAG)),
            Outcome::Shadow { holes: false } => None,
        };
        let fragment = fragment
            .map(|(file, spirv)| ShaderModule::new(device, &format!("{name} {file}"), spirv))
            .transpose()?;
        let streams: Vec<Stream> = Stream::feeding(shader.inputs).collect();
        let bindings: Vec<_> = streams.iter().map(|&stream| stream.binding(key.has(stream))).collect();
        let (samples, color_format, blend, constants) = match key.outcome {
            Outcome::Shaded { features, blend, samples } => {
                (samples, Some(LIGHT_FORMAT), blend, features.constants().to_vec())
            }
            Outcome::Viewed { samples, .. } => {
                (samples, Some(LIGHT_FORMAT), false, Features::without_light().constants().to_vec())
            }
            Outcome::Shadow { holes } => {
                let features = Features { alpha: holes, ..Features::without_light() };
                (vk::SampleCountFlags::TYPE_1, None, false, features.constants().to_vec())
            }
        };
        let pipeline = GraphicsPipeline::new(
            device,
            cache,
            &GraphicsPipelineDesc {
                name: &name,
                layout,
                vertex: &vertex,
                fragment: fragment.as_ref(),
                constants: &constants,
                streams: &bindings,
                topology: match key.topology {
                    Topology::Triangles => vk::PrimitiveTopology::TRIANGLE_LIST,
                    Topology::Lines => vk::PrimitiveTopology::LINE_LIST,
                    Topology::Points => vk::PrimitiveTopology::POINT_LIST,
                },
                samples,
                color_format,
                depth_format: Some(DEPTH_FORMAT),
                blend,
                depth_write: !blend,
                recedes: matches!(key.outcome, Outcome::Viewed { recedes: true, .. }),
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

/// What lays something over what is drawn: mixed with it, and hiding nothing.
pub struct Over<'a> {
    /// Shown by debuggers, and the name of both shaders' files.
    pub name: &'a str,
    /// Sets and push constants.
    pub layout: &'a PipelineLayout,
    /// The vertex shader.
    pub vertex: &'a [u8],
    /// The fragment shader.
    pub fragment: &'a [u8],
    /// What feeds the vertex shader.
    pub streams: &'a [VertexStream],
    /// What the vertices form.
    pub topology: vk::PrimitiveTopology,
}

/// One such pipeline for each number of samples.
#[derive(Default)]
pub struct OverPipelines {
    made: Vec<(vk::SampleCountFlags, GraphicsPipeline)>,
}

impl OverPipelines {
    /// Makes the pipeline if it is not there yet.
    pub fn prepare(
        &mut self,
        device: &Arc<Device>,
        cache: &PipelineCache,
        format: TargetFormat,
        over: &Over<'_>,
    ) -> Result<(), VulkanError> {
        if self.get(format).is_some() {
            return Ok(());
        }
        let vertex = ShaderModule::new(device, &format!("{}.vert", over.name), over.vertex)?;
        let fragment = ShaderModule::new(device, &format!("{}.frag", over.name), over.fragment)?;
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

    /// A pipeline that was prepared.
    pub fn get(&self, format: TargetFormat) -> Option<&GraphicsPipeline> {
        self.made.iter().find(|(samples, _)| *samples == format.samples).map(|(_, pipeline)| pipeline)
    }
}
