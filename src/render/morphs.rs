//! A model's morph targets on the GPU: where the morphed streams of each draw are, and with which weights
//! they were last computed. It must not know poses beyond their weights.

use std::collections::HashMap;
use std::sync::Arc;

use super::gpu_model::Draw;
use super::mesh_buffer::MeshBuffer;
use super::morph_buffer::{Chunk, MorphedStream, StorageLimits, Stretch, lay_out_morphs};
use super::streams::Stream;
use super::transfer::upload_buffer;
use super::{FRAMES_IN_FLIGHT, Layouts};
use sinew_model::Model;
use sinew_skinning::morph;
use sinew_skinning::pose::Pose;
use sinew_vulkan::{
    Buffer, Descriptor, DescriptorPool, DescriptorSet, Device, MemoryLocation, VulkanError, vk,
};

/// Where the streams of a draw that targets move are in the buffer of morphed streams.
type Spans = [Option<u64>; Stream::ALL.len()];

/// The morph targets of a model that has some.
pub(super) struct GpuMorphs {
    /// The morphed streams of all draws. Nodes that share a mesh have streams of their own.
    pub result: Buffer,
    /// All dispatches that fill it.
    pub dispatches: Vec<Dispatch>,
    spans: Vec<Spans>,
    /// All nodes' weights, for each frame in flight.
    weights: Buffer,
    weight_count: usize,
    /// The weights that the morphed streams were computed with, once they were.
    held: Option<Vec<f32>>,
    pending: Vec<f32>,
    _sources: Vec<Option<Buffer>>,
    _pool: DescriptorPool,
}

/// One stretch of a stream.
pub(super) struct Dispatch {
    /// Source, weights and result.
    pub set: DescriptorSet,
    /// What the shader is told, with weights as in the first frame.
    pub stretch: Stretch,
}

/// A dispatch before there are buffers: the mesh and what is read of it, and where the result goes.
struct Job {
    mesh: usize,
    chunk: Chunk,
    result: u64,
}

impl GpuMorphs {
    /// Uploads what targets move and tells each draw its spans; `None` for a model without morph targets.
    pub(super) fn new(
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
        let (mut sources, mut streams) = (Vec::new(), Vec::new());
        for (number, (mesh, buffer)) in model.meshes.iter().zip(meshes).enumerate() {
            let (bytes, of_mesh) = lay_out_morphs(mesh, &buffer.primitives, limits);
            let name = format!("morph targets of mesh {number} '{}'", mesh.name);
            let usage = vk::BufferUsageFlags::STORAGE_BUFFER;
            let source = (!bytes.is_empty()).then(|| upload_buffer(device, &name, usage, &bytes));
            sources.push(source.transpose()?);
            streams.push(of_mesh);
        }
        let mut plan = Plan { alignment: limits.alignment, ..Plan::default() };
        for draw in draws {
            let primitives = streams.get(draw.mesh).and_then(|mesh| mesh.get(draw.primitive));
            if let Some(streams) = primitives.and_then(|parts| parts.get(draw.part)) {
                draw.morph = plan.draw(model, draw, streams);
            }
        }

        let weight_count = model.rig.rest_weights.len();
        let weights_size = (weight_count * FRAMES_IN_FLIGHT * size_of::<f32>()) as u64;
        device.check_limit("morph weights", "a size in bytes of", weights_size, limits.range)?;
        let storage = vk::BufferUsageFlags::STORAGE_BUFFER;
        let weights = Buffer::new(device, "morph weights", weights_size, storage, MemoryLocation::CpuToGpu)?;
        let usage = storage | vk::BufferUsageFlags::VERTEX_BUFFER | vk::BufferUsageFlags::TRANSFER_SRC;
        let result = Buffer::new(device, "morphed vertices", plan.end, usage, MemoryLocation::GpuOnly)?;
        let count = plan.jobs.len().max(1) as u32;
        let pool = DescriptorPool::new(device, "morph descriptors", &[(&layouts.morph, count)])?;
        let mut dispatches = Vec::with_capacity(plan.jobs.len());
        for Job { mesh, chunk, result: to } in plan.jobs {
            let Some(source) = sources.get(mesh).and_then(Option::as_ref) else { continue };
            device.check_limit(source.name(), "a stretch in bytes of", chunk.source_size, limits.range)?;
            let written = u64::from(chunk.stretch.words) * 4;
            let set = pool.set(
                "morph",
                &layouts.morph,
                &[
                    Descriptor::Buffer { buffer: source, offset: chunk.source, range: chunk.source_size },
                    Descriptor::Buffer { buffer: &weights, offset: 0, range: weights.size() },
                    Descriptor::Buffer { buffer: &result, offset: to, range: written },
                ],
            )?;
            dispatches.push(Dispatch { set, stretch: chunk.stretch });
        }
        Ok(Some(Self {
            result,
            dispatches,
            spans: plan.spans,
            weights,
            weight_count,
            held: None,
            pending: Vec::new(),
            _sources: sources,
            _pool: pool,
        }))
    }

    /// Where a stream of a draw is, if targets move it.
    pub(super) fn offset(&self, draw: &Draw, stream: Stream) -> Option<u64> {
        self.spans.get(draw.morph?)?.get(stream as usize).copied().flatten()
    }

    /// Takes the pose's weights for a frame, which the GPU must be done with; whether the morphed streams
    /// have to be computed again.
    pub(super) fn set_pose(&mut self, frame: usize, pose: &Pose) -> bool {
        morph::weights_into(pose, &mut self.pending);
        self.pending.resize(self.weight_count, 0.0);
        if self.held.as_ref() == Some(&self.pending) {
            return false;
        }
        // Until it is submitted, nobody knows what the buffer will hold.
        self.held = None;
        let offset = frame * self.weight_count * size_of::<f32>();
        self.weights.write(offset, bytemuck::cast_slice(&self.pending));
        true
    }

    /// The number of a frame's first weight.
    pub(super) fn first_weight(&self, frame: usize) -> u32 {
        (frame * self.weight_count) as u32
    }

    /// Notes that the morphed streams are computed with the weights that were taken last.
    pub(super) fn settle(&mut self) {
        let mut held = self.held.take().unwrap_or_default();
        held.clone_from(&self.pending);
        self.held = Some(held);
    }
}

/// Morphed streams one after the other, each computed once for all draws of the same part at the same node.
#[derive(Default)]
struct Plan {
    numbers: HashMap<(usize, usize, usize, usize), usize>,
    spans: Vec<Spans>,
    jobs: Vec<Job>,
    end: u64,
    alignment: u64,
}

impl Plan {
    fn draw(&mut self, model: &Model, draw: &Draw, streams: &[MorphedStream]) -> Option<usize> {
        if streams.is_empty() {
            return None;
        }
        let node = model.instances.get(draw.instance)?.node;
        let key = (node, draw.mesh, draw.primitive, draw.part);
        if let Some(&number) = self.numbers.get(&key) {
            return Some(number);
        }
        let weights = model.rig.weights_of(node);
        let mut spans = Spans::default();
        for stream in streams {
            let begin = self.end.next_multiple_of(self.alignment);
            self.end = begin + stream.size;
            if let Some(span) = spans.get_mut(stream.stream as usize) {
                *span = Some(begin);
            }
            for chunk in &stream.chunks {
                let mut chunk = chunk.clone();
                chunk.stretch.first_weight = weights.start as u32;
                chunk.stretch.weight_count = weights.len() as u32;
                self.jobs.push(Job { mesh: draw.mesh, result: begin + chunk.result, chunk });
            }
        }
        self.spans.push(spans);
        self.numbers.insert(key, self.spans.len() - 1);
        Some(self.spans.len() - 1)
    }
}
