//! Skins a whole model on the GPU by `skin.comp` and brings the vertices back in the file's order:
//! what verification compares with the CPU and what exports write. It must not know what for.

use std::collections::HashMap;
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};

use super::gpu_model::{Draw, GpuModel};
use super::mesh_buffer::DrawPart;
use super::morph_pass::MorphPass;
use super::palettes::Palettes;
use super::streams::Stream;
use super::transfer::run_once;
use super::{Layouts, shaders};
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::PoseChoice;
use sinew_skinning::posed::SkinnedPrimitive;
use sinew_vulkan::{
    Buffer, CommandBuffer, ComputePipeline, Descriptor, DescriptorPool, DescriptorSet, DescriptorSetLayout,
    Device, MemoryLocation, PipelineCache, PipelineLayout, ShaderModule, VulkanError, vk,
};

/// Vertices a work group skins: `local_size_x` in `skin.comp`.
const GROUP: u32 = 64;

/// `Layout` in `skin.comp`: where spans start, in words.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct SpanLayout {
    /// How many vertices there are.
    pub vertex_count: u32,
    /// First word of the positions.
    pub position: u32,
    /// First word of the normals, or [`ABSENT`].
    pub normal: u32,
    /// First word of the tangents, or [`ABSENT`].
    pub tangent: u32,
    /// First word of each span's joints, or [`ABSENT`].
    pub joints: [u32; 4],
    /// First word of each span's weights, or [`ABSENT`].
    pub weights: [u32; 4],
}

/// Marks a span the mesh lacks.
pub const ABSENT: u32 = u32::MAX;

/// `SkinnedVertex` in `skin.comp`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct SkinnedVertex {
    /// World position; the fourth is unused.
    pub position: [f32; 4],
    /// World normal; the fourth is unused.
    pub normal: [f32; 4],
    /// World tangent with handedness.
    pub tangent: [f32; 4],
}

/// Vertices that one dispatch skins: so many that devices with the smallest storage buffers Vulkan allows
/// (128 MiB) have room, whatever the mesh's size.
const CHUNK: u32 = 1 << 17;

/// A stretch of a part's vertices: copied together, skinned by one dispatch.
struct Chunk {
    draw: Draw,
    pipeline: PipelineKey,
    /// The first of the part's vertices.
    first: u32,
    /// Where the spans are once they are copied.
    spans: SpanLayout,
    /// From the mesh's buffer to the scratch buffer.
    copies: Vec<(u64, u64, u64)>,
    /// From the morphed streams to the scratch buffer.
    morphed: Vec<(u64, u64, u64)>,
    /// Where the skinned vertices go, in bytes.
    result: u64,
}

impl Chunk {
    /// How many bytes its spans take in the scratch buffer.
    fn scratch(&self) -> u64 {
        self.copies.iter().chain(&self.morphed).map(|(_, to, length)| to + length).max().unwrap_or(0)
    }

    fn result_size(&self) -> u64 {
        u64::from(self.spans.vertex_count) * size_of::<SkinnedVertex>() as u64
    }

    /// `count` of the part's vertices from `first` on.
    fn new(
        gpu: &GpuModel,
        (draw, part): (Draw, &DrawPart),
        pipeline: PipelineKey,
        (first, count): (u32, u32),
        result: u64,
    ) -> Self {
        let (mut copies, mut morphed) = (Vec::new(), Vec::new());
        let mut end = 0u64;
        let mut copy = |stream: Stream| {
            let (offset, copies) = match (gpu.morphed(&draw, stream), part.offset(stream)) {
                (Some((_, offset)), _) => (offset, &mut morphed),
                (None, Some(offset)) => (offset, &mut copies),
                (None, None) => return ABSENT,
            };
            let (size, to) = (u64::from(stream.size()), end.next_multiple_of(16));
            let length = u64::from(count) * size;
            copies.push((offset + u64::from(first) * size, to, length));
            end = to + length;
            (to / 4) as u32
        };
        let mut spans = SpanLayout {
            vertex_count: count,
            position: copy(Stream::Position),
            normal: copy(Stream::Normal),
            tangent: copy(Stream::Tangent),
            joints: [ABSENT; 4],
            weights: [ABSENT; 4],
        };
        if draw.skinned {
            for (number, [joints, weights]) in Stream::SKINNING.into_iter().enumerate() {
                spans.joints[number] = copy(joints);
                spans.weights[number] = copy(weights);
            }
        }
        Self { draw, pipeline, first, spans, copies, morphed, result }
    }
}

/// A variant of `skin.comp`: the mode and how many skinning spans.
type PipelineKey = (SkinningMode, usize);

/// Everything that skinning into buffers needs besides the model.
pub(super) struct SkinPass {
    buffers: DescriptorSetLayout,
    layout: PipelineLayout,
    pipelines: HashMap<PipelineKey, ComputePipeline>,
}

impl SkinPass {
    pub(super) fn new(device: &Arc<Device>, layouts: &Layouts) -> Result<Self, VulkanError> {
        let compute = vk::ShaderStageFlags::COMPUTE;
        let storage = vk::DescriptorType::STORAGE_BUFFER;
        let buffers = DescriptorSetLayout::new(device, "skin buffers", &[storage, storage], compute)?;
        let size = size_of::<SpanLayout>() as u32;
        let layout = PipelineLayout::new(device, "skin", &[&layouts.frame, &buffers], compute, size)?;
        Ok(Self { buffers, layout, pipelines: HashMap::new() })
    }

    /// Skins everything the model draws, in the order of its instances and their primitives.
    #[expect(clippy::too_many_arguments, reason = "the renderer's parts, each once")]
    pub(super) fn run(
        &mut self,
        device: &Arc<Device>,
        cache: &PipelineCache,
        palettes: &mut Palettes,
        morph_pass: &mut MorphPass,
        gpu: &mut GpuModel,
        mode: SkinningMode,
        pose: &PoseChoice,
    ) -> Result<Vec<SkinnedPrimitive<f32>>, VulkanError> {
        palettes.set_pose(&gpu.model, pose);
        let mut chunks = Vec::new();
        let mut end = 0u64;
        for draw in gpu.draws.clone() {
            self.prepare(device, cache, palettes, gpu, draw, mode, &mut chunks, &mut end)?;
        }
        // One scratch buffer serves all chunks in turn; the results lie one after the other.
        let scratch_size = chunks.iter().map(Chunk::scratch).max().unwrap_or(0);
        let storage = vk::BufferUsageFlags::STORAGE_BUFFER;
        let usage = storage | vk::BufferUsageFlags::TRANSFER_DST;
        let scratch = Buffer::new(device, "vertices to skin", scratch_size, usage, MemoryLocation::GpuOnly)?;
        let result = Buffer::new(device, "skinned vertices", end, storage, MemoryLocation::GpuToCpu)?;
        let pool =
            DescriptorPool::new(device, "skin descriptors", &[(&self.buffers, chunks.len().max(1) as u32)])?;
        let set = |chunk: &Chunk| {
            let descriptors = [
                Descriptor::Buffer { buffer: &scratch, offset: 0, range: scratch.size() },
                Descriptor::Buffer { buffer: &result, offset: chunk.result, range: chunk.result_size() },
            ];
            pool.set("skin buffers", &self.buffers, &descriptors)
        };
        let sets = chunks.iter().map(set).collect::<Result<Vec<_>, _>>()?;
        // All frames are done, so that the first one's weights may be written over.
        let morphs = morph_pass.prepare(device, cache, gpu, 0, palettes.pose())?;
        run_once(device, "skin", |commands| {
            if morphs {
                morph_pass.record(commands, gpu, 0);
            }
            for (chunk, set) in chunks.iter().zip(sets) {
                self.record(commands, gpu, &scratch, chunk, set);
            }
            commands.memory_barrier(
                (vk::PipelineStageFlags2::COMPUTE_SHADER, vk::AccessFlags2::SHADER_STORAGE_WRITE),
                (vk::PipelineStageFlags2::HOST, vk::AccessFlags2::HOST_READ),
            );
        })?;
        if morphs {
            gpu.settle_morphs();
        }
        Ok(collect(gpu, &chunks, &result))
    }

    fn record(
        &self,
        commands: &mut CommandBuffer,
        gpu: &GpuModel,
        scratch: &Buffer,
        chunk: &Chunk,
        set: DescriptorSet,
    ) {
        use vk::{AccessFlags2 as Access, PipelineStageFlags2 as Stage};
        let Some((mesh, _)) = gpu.part(&chunk.draw) else { return };
        let Some(pipeline) = self.pipelines.get(&chunk.pipeline) else { return };
        // The chunk before is read from the scratch buffer before this one is copied over it.
        commands.memory_barrier((Stage::COMPUTE_SHADER, Access::NONE), (Stage::COPY, Access::NONE));
        for (from, copies) in [
            (Some(&mesh.buffer), &chunk.copies),
            (gpu.morphs.as_ref().map(|morphs| &morphs.result), &chunk.morphed),
        ] {
            if let Some(from) = from.filter(|_| !copies.is_empty()) {
                commands.copy_buffer(from, scratch, copies);
            }
        }
        commands.memory_barrier(
            (Stage::COPY, Access::TRANSFER_WRITE),
            (Stage::COMPUTE_SHADER, Access::SHADER_STORAGE_READ),
        );
        let point = vk::PipelineBindPoint::COMPUTE;
        commands.bind_compute(pipeline);
        commands.bind_set(point, &self.layout, 0, gpu.frame_set, &[0, chunk.draw.palette_offset as u32]);
        commands.bind_set(point, &self.layout, 1, set, &[]);
        commands.push_constants(&self.layout, bytemuck::bytes_of(&chunk.spans));
        commands.dispatch(chunk.spans.vertex_count.div_ceil(GROUP));
    }

    /// Cuts a draw's vertices into chunks, makes their pipeline, and writes their palette.
    #[expect(clippy::too_many_arguments, reason = "a draw's chunks are made of all of these")]
    fn prepare(
        &mut self,
        device: &Arc<Device>,
        cache: &PipelineCache,
        palettes: &mut Palettes,
        gpu: &mut GpuModel,
        draw: Draw,
        mode: SkinningMode,
        chunks: &mut Vec<Chunk>,
        end: &mut u64,
    ) -> Result<(), VulkanError> {
        let Some(instance) = gpu.model.instances.get(draw.instance) else { return Ok(()) };
        let Some((_, part)) = gpu.part(&draw) else { return Ok(()) };
        let key = if draw.skinned { (mode, part.spans) } else { (SkinningMode::Rigid, 1) };
        self.make_pipeline(device, cache, key)?;
        let alignment = device.physical().limits.min_storage_buffer_offset_alignment.max(1);
        let count = part.vertices.len() as u32;
        for first in (0..count).step_by(CHUNK as usize) {
            *end = end.next_multiple_of(alignment);
            let stretch = (first, CHUNK.min(count - first));
            let chunk = Chunk::new(gpu, (draw, part), key, stretch, *end);
            *end += chunk.result_size();
            chunks.push(chunk);
        }
        let palette = palettes.of_draw(&gpu.model, instance, &draw, part, mode);
        gpu.ring.write(draw.palette_offset as usize, bytemuck::cast_slice(palette.slots));
        Ok(())
    }

    fn make_pipeline(
        &mut self,
        device: &Arc<Device>,
        cache: &PipelineCache,
        key: PipelineKey,
    ) -> Result<(), VulkanError> {
        let (mode, spans) = key;
        if self.pipelines.contains_key(&key) {
            return Ok(());
        }
        let shader = shaders::skin_comp(mode, spans);
        assert!(shader.is_some(), "no skin.comp for {spans} spans");
        let Some(shader) = shader else { return Ok(()) };
        let name = format!("skin {mode} x{spans}");
        let shader = ShaderModule::new(device, &name, shader.spirv)?;
        self.pipelines.insert(key, ComputePipeline::new(device, cache, &name, &self.layout, &shader)?);
        Ok(())
    }
}

/// Puts the chunks' vertices back where the file has them.
fn collect(gpu: &GpuModel, chunks: &[Chunk], result: &Buffer) -> Vec<SkinnedPrimitive<f32>> {
    let mut primitives = SkinnedPrimitive::all_of(&gpu.model);
    let number_of = SkinnedPrimitive::numbers(&primitives);
    for chunk in chunks {
        let Some((_, part)) = gpu.part(&chunk.draw) else { continue };
        let number = number_of.get(&(chunk.draw.instance, chunk.draw.primitive));
        let Some(primitive) = number.and_then(|&number| primitives.get_mut(number)) else { continue };
        let stretch = chunk.result as usize..(chunk.result + chunk.result_size()) as usize;
        let bytes = result.bytes().and_then(|all| all.get(stretch)).unwrap_or_default();
        let vertices = part.vertices.iter().skip(chunk.first as usize);
        for (&vertex, bytes) in vertices.zip(bytes.chunks_exact(size_of::<SkinnedVertex>())) {
            let skinned: SkinnedVertex = bytemuck::pod_read_unaligned(bytes);
            let [x, y, z, _] = skinned.position;
            put(&mut primitive.positions, vertex, [x, y, z]);
            let [x, y, z, _] = skinned.normal;
            if let Some(normals) = &mut primitive.normals {
                put(normals, vertex, [x, y, z]);
            }
            if let Some(tangents) = &mut primitive.tangents {
                put(tangents, vertex, skinned.tangent);
            }
        }
    }
    primitives
}

fn put<T>(stream: &mut [T], vertex: u32, value: T) {
    if let Some(slot) = stream.get_mut(vertex as usize) {
        *slot = value;
    }
}
