//! A model's morph targets on the GPU: the morphed streams of each draw, and their last weights.

use std::collections::HashMap;
use std::sync::Arc;

use crate::in_flight::FRAMES_IN_FLIGHT;
use crate::interface::layouts::Layouts;
use crate::interface::streams::Stream;
use crate::model::draws::Draw;
use crate::upload::mesh_buffer::{MeshBuffer, name_of};
use crate::upload::morph_buffer::{
    Chunk, MorphedPrimitives, MorphedStream, StorageLimits, Stretch, lay_out_morphs,
};
use crate::upload::transfer::upload_buffer;
use sinew_model::{Model, Property};
use sinew_skinning::morph;
use sinew_skinning::pose::Pose;
use sinew_vulkan::{
    Buffer, Descriptor, DescriptorPool, DescriptorSet, Device, MemoryLocation, VulkanError, vk,
};

/// The largest number of entries of one vertex that software drivers sum. The shader takes four in a round, and two
/// numbers for a word of pairs.
const MAX_ENTRIES: u64 = 4 * 65_535 / 2;

/// The offsets of a draw's morphed streams in their buffer.
type Spans = [Option<u64>; Stream::ALL.len()];

/// The morph targets of a model.
pub(crate) struct GpuMorphs {
    /// The morphed streams of all draws. Nodes that share a mesh have separate streams.
    pub result: Buffer,
    /// Dispatches that fill the streams.
    pub dispatches: Vec<Dispatch>,
    spans: Vec<Spans>,
    /// True where a clip moves the weights.
    varies: Vec<bool>,
    /// Weights of every node, for each frame in flight.
    weights: Buffer,
    weight_count: usize,
    /// The weights of the current morphed streams; `None` before the first time.
    held: Option<Vec<f32>>,
    pending: Vec<f32>,
    _sources: Vec<Option<Buffer>>,
    _pool: DescriptorPool,
}

/// A stretch of a stream.
pub(crate) struct Dispatch {
    /// Source, weights and result.
    pub set: DescriptorSet,
    /// The push constants, with the weights of the first frame.
    pub stretch: Stretch,
}

/// A dispatch before buffers exist: the mesh, its chunk, and the position of the result.
struct Job {
    mesh: usize,
    chunk: Chunk,
    result: u64,
}

impl GpuMorphs {
    /// Uploads morph targets and assigns morphed streams to draws; `None` for a model without morph targets.
    pub(crate) fn new(
        device: &Arc<Device>,
        layouts: &Layouts,
        model: &Model,
        meshes: &[MeshBuffer],
        draws: &mut [Draw],
    ) -> Result<Option<Self>, VulkanError> {
        let morphs = |primitive: &sinew_model::Primitive| primitive.morphs.is_some();
        if !model.meshes.iter().any(|mesh| mesh.primitives.iter().any(morphs)) {
            return Ok(None);
        }
        let limits = &device.physical().limits;
        let limits = StorageLimits {
            alignment: limits.min_storage_buffer_offset_alignment.max(1),
            range: limits.max_storage_buffer_range.into(),
        };
        let (sources, streams) = upload_sources(device, model, meshes, limits)?;
        let mut plan = Plan { alignment: limits.alignment, ..Plan::default() };
        for draw in draws {
            draw.morph = plan.draw(model, draw, &streams[draw.mesh][draw.primitive][draw.batch]);
        }

        let weight_count = model.rig.rest_weights.len();
        let weights_size = (weight_count * FRAMES_IN_FLIGHT * size_of::<f32>()) as u64;
        device.check_limit("morph weights", "bytes", weights_size, limits.range)?;
        let storage = vk::BufferUsageFlags::STORAGE_BUFFER;
        let weights = Buffer::new(device, "morph weights", weights_size, storage, MemoryLocation::CpuToGpu)?;
        let usage = storage | vk::BufferUsageFlags::VERTEX_BUFFER | vk::BufferUsageFlags::TRANSFER_SRC;
        let result = Buffer::new(device, "morphed vertices", plan.end, usage, MemoryLocation::GpuOnly)?;
        let count = plan.jobs.len().max(1) as u32;
        let pool = DescriptorPool::new(device, "morph descriptors", &[(&layouts.morph, count)])?;
        let dispatch = |job: &Job| {
            let source = sources[job.mesh].as_ref().expect("a mesh with morphed streams has a source buffer");
            let size = job.chunk.source_size;
            device.check_limit(source.name(), "bytes in a stretch", size, limits.range)?;
            if device.physical().is_software() {
                let most = job.chunk.most_entries;
                device.check_limit(source.name(), "morph targets on one vertex", most, MAX_ENTRIES)?;
            }
            let written = u64::from(job.chunk.stretch.words) * 4;
            let buffers = [
                Descriptor::Buffer { buffer: source, offset: job.chunk.source, range: size },
                Descriptor::Buffer { buffer: &weights, offset: 0, range: weights.size() },
                Descriptor::Buffer { buffer: &result, offset: job.result, range: written },
            ];
            let set = pool.set("morph", &layouts.morph, &buffers)?;
            Ok(Dispatch { set, stretch: job.chunk.stretch })
        };
        let dispatches = plan.jobs.iter().map(dispatch).collect::<Result<_, VulkanError>>()?;
        Ok(Some(Self {
            result,
            dispatches,
            spans: plan.spans,
            varies: plan.varies,
            weights,
            weight_count,
            held: None,
            pending: Vec::new(),
            _sources: sources,
            _pool: pool,
        }))
    }

    /// Returns true if figures of a crowd differ in the weights of a draw's targets, because a clip moves them.
    pub(crate) fn varies(&self, draw: &Draw) -> bool {
        draw.morph.is_some_and(|morph| self.varies[morph])
    }

    /// Returns the offset of a draw's stream, if targets move it.
    pub(crate) fn offset(&self, draw: &Draw, stream: Stream) -> Option<u64> {
        self.spans[draw.morph?][stream as usize]
    }

    /// Sets the pose's weights for a frame, which the GPU must have finished. Returns true if the morphed streams
    /// must be recomputed.
    pub(crate) fn set_pose(&mut self, frame: usize, pose: &Pose) -> bool {
        morph::weights_into(pose, &mut self.pending);
        self.pending.resize(self.weight_count, 0.0);
        if self.held.as_ref() == Some(&self.pending) {
            return false;
        }
        // The buffer's content is undefined until the commands are submitted.
        self.held = None;
        let offset = frame * self.weight_count * size_of::<f32>();
        self.weights.write(offset, bytemuck::cast_slice(&self.pending));
        true
    }

    /// Returns the index of a frame's first weight.
    pub(crate) fn first_weight(&self, frame: usize) -> u32 {
        (frame * self.weight_count) as u32
    }

    /// Notes that the morphed streams have the last weights.
    pub(crate) fn settle(&mut self) {
        self.held = Some(self.pending.clone());
    }
}

/// Uploads the input of `morph.comp` for each mesh, `None` for a mesh without morphed streams. Returns the streams
/// for each batch of each primitive.
fn upload_sources(
    device: &Arc<Device>,
    model: &Model,
    meshes: &[MeshBuffer],
    limits: StorageLimits,
) -> Result<(Vec<Option<Buffer>>, Vec<MorphedPrimitives>), VulkanError> {
    let (mut sources, mut streams) = (Vec::new(), Vec::new());
    for (number, (mesh, buffer)) in model.meshes.iter().zip(meshes).enumerate() {
        let (bytes, of_mesh) = lay_out_morphs(mesh, &buffer.primitives, limits);
        let name = format!("morph targets of {}", name_of(number, mesh));
        let usage = vk::BufferUsageFlags::STORAGE_BUFFER;
        let source = (!bytes.is_empty()).then(|| upload_buffer(device, &name, usage, &bytes));
        sources.push(source.transpose()?);
        streams.push(of_mesh);
    }
    Ok((sources, streams))
}

/// Morphed streams in a row, each computed once for all draws of a batch at one node.
#[derive(Default)]
struct Plan {
    numbers: HashMap<(usize, usize, usize, usize), usize>,
    spans: Vec<Spans>,
    varies: Vec<bool>,
    jobs: Vec<Job>,
    end: u64,
    alignment: u64,
}

impl Plan {
    fn draw(&mut self, model: &Model, draw: &Draw, streams: &[MorphedStream]) -> Option<usize> {
        if streams.is_empty() {
            return None;
        }
        let node = draw.instance_of(model).node;
        let key = (node, draw.mesh, draw.primitive, draw.batch);
        if let Some(&number) = self.numbers.get(&key) {
            return Some(number);
        }
        // The rig of a hand-built model may name more weights than it has, which the shader must not read.
        let weights = model.rig.weights_of(node);
        let end = weights.end.min(model.rig.rest_weights.len());
        let weights = weights.start.min(end)..end;
        let mut spans = Spans::default();
        for stream in streams {
            let begin = self.end.next_multiple_of(self.alignment);
            self.end = begin + stream.size;
            spans[stream.stream as usize] = Some(begin);
            for chunk in &stream.chunks {
                let mut chunk = chunk.clone();
                chunk.stretch.first_weight = weights.start as u32;
                chunk.stretch.weight_count = weights.len() as u32;
                self.jobs.push(Job { mesh: draw.mesh, result: begin + chunk.result, chunk });
            }
        }
        self.spans.push(spans);
        self.varies.push(is_animated(model, node));
        self.numbers.insert(key, self.spans.len() - 1);
        Some(self.spans.len() - 1)
    }
}

/// Returns true if a clip moves the weights of a node's targets.
fn is_animated(model: &Model, node: usize) -> bool {
    let own = model.rig.weights_of(node);
    let channels = model.clips.iter().flat_map(|clip| &clip.channels);
    let mut weights = channels.filter(|channel| channel.property == Property::Weights);
    weights.any(|channel| model.rig.weights_of(channel.node) == own)
}
