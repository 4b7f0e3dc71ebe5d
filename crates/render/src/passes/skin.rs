//! Skins on the GPU with `skin.comp`: the draws of several passes or of a crowd once a frame, or a whole model, whose
//! vertices are returned in the file's order.

use std::collections::HashMap;
use std::sync::Arc;

use crate::frame::crowd_palettes::CrowdPalettes;
use crate::frame::palettes::{Palettes, joints_of};
use crate::interface::layouts::{Layouts, frame_offsets};
use crate::interface::shaders;
use crate::interface::streams::Stream;
use crate::model::computed::{Computed, GROUP, Work};
use crate::model::computed_crowd::{ComputedCrowd, CrowdLayout, Spare, with_room};
use crate::model::gpu_model::GpuModel;
use crate::model::skin_chunk::{CHUNK, Chunk, SpanLayout, Variant};
use crate::passes::chunk_layout::{chunk_of, collect, variant_of};
use crate::passes::morph::MorphPass;
use crate::upload::transfer::run_once;
use sinew_skinning::cpu::Exactness;
use sinew_skinning::pose::{PoseChoice, Shares};
use sinew_skinning::posed::SkinnedPrimitive;
use sinew_skinning::{Fault, SLOTS, SkinningMode};
use sinew_vulkan::{
    Buffer, CommandBuffer, ComputePipeline, Descriptor, DescriptorPool, DescriptorSet, DescriptorSetLayout,
    Device, MemoryLocation, PipelineCache, PipelineLayout, ShaderModule, VulkanError, vk,
};

/// The pipelines of `skin.comp`.
pub(crate) struct SkinPass {
    buffers: DescriptorSetLayout,
    layout: PipelineLayout,
    pipelines: HashMap<(Variant, Use), ComputePipeline>,
}

/// A use of `skin.comp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Use {
    /// One figure.
    Figure,
    /// One figure, by operations that the driver may fuse.
    Fused,
    /// One figure whose joints only a storage buffer holds.
    Stored,
    /// The figures of a crowd.
    Crowd,
}

/// Work of a draw in each group of a crowd.
struct CrowdRoom<'a> {
    palettes: &'a CrowdPalettes,
    /// Size of the result in bytes.
    size: u64,
}

impl SkinPass {
    pub(crate) fn new(device: &Arc<Device>, layouts: &Layouts) -> Result<Self, VulkanError> {
        let compute = vk::ShaderStageFlags::COMPUTE;
        let storage = vk::DescriptorType::STORAGE_BUFFER;
        let buffers = DescriptorSetLayout::new(device, "skin buffers", &[storage, storage], compute)?;
        let size = size_of::<SpanLayout>() as u32;
        let layout = PipelineLayout::new(device, "skin", &[&layouts.frame, &buffers], compute, size)?;
        Ok(Self { buffers, layout, pipelines: HashMap::new() })
    }

    /// Skins everything the model draws, in the order of its instances and their primitives.
    #[expect(clippy::too_many_arguments, reason = "the renderer's parts, each once")]
    pub(crate) fn run(
        &mut self,
        device: &Arc<Device>,
        cache: &PipelineCache,
        palettes: &mut Palettes,
        morph_pass: &mut MorphPass,
        gpu: &mut GpuModel,
        (mode, exactness): (SkinningMode, Exactness),
        (pose, fault): (&PoseChoice, Option<Fault>),
    ) -> Result<Vec<SkinnedPrimitive<f32>>, VulkanError> {
        let used = if exactness == Exactness::Twin { Use::Figure } else { Use::Fused };
        palettes.set_pose(gpu.model(), pose, fault);
        gpu.prepare_mode(mode, &palettes.pose().skins.shares)?;
        let mut chunks = Vec::new();
        let mut end = 0u64;
        for number in 0..gpu.draws.len() {
            self.prepare(device, cache, palettes, gpu, number, (mode, used), &mut chunks, &mut end)?;
        }
        // Shared scratch buffer for all chunks in turn; the results are stored in a row.
        let scratch_size = chunks.iter().map(Chunk::source_size).max().unwrap_or(0);
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
        // No frame is in flight, so the first one's weights may be overwritten.
        let morphs = morph_pass.prepare(device, cache, gpu, 0, palettes.pose())?;
        run_once(device, "skin", |commands| {
            if morphs {
                morph_pass.record(commands, gpu, 0);
            }
            for (chunk, set) in chunks.iter().zip(sets) {
                let used = use_of(gpu, chunk.number, chunk.variant.0, used);
                self.record(commands, gpu, &scratch, (chunk, used), set);
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

    /// Prepares to skin the requested draws of a model.
    pub(crate) fn prepare_drawn(
        &mut self,
        device: &Arc<Device>,
        cache: &PipelineCache,
        gpu: &mut GpuModel,
        (mode, shares): (SkinningMode, &Shares),
        is_wanted: &dyn Fn(usize) -> bool,
    ) -> Result<(), VulkanError> {
        for number in (0..gpu.draws.len()).filter(|&number| is_wanted(number)) {
            self.make_pipeline(
                device,
                cache,
                variant_of(gpu, number, mode),
                use_of(gpu, number, mode, Use::Figure),
            )?;
        }
        if gpu.computed(mode).is_some_and(|computed| computed.serves(shares, is_wanted)) {
            return Ok(());
        }
        // The GPU may still read the last one. Free it before creating the new one: both together may not fit.
        device.wait_idle()?;
        gpu.computed.retain(|there| there.mode != mode);
        let made = self.compute(device, gpu, (mode, shares), is_wanted, None)?;
        gpu.keep_computed(made);
        Ok(())
    }

    /// Prepares to skin the requested draws of as many figures of a crowd as fit `room` bytes. `together` figures share a draw call.
    #[expect(clippy::too_many_arguments, reason = "the frame's parts, each once")]
    pub(crate) fn prepare_crowd(
        &mut self,
        device: &Arc<Device>,
        cache: &PipelineCache,
        gpu: &mut GpuModel,
        (mode, shares): (SkinningMode, &Shares),
        is_wanted: &dyn Fn(usize) -> bool,
        palettes: &CrowdPalettes,
        (together, room): (u32, u64),
    ) -> Result<(), VulkanError> {
        for number in (0..gpu.draws.len()).filter(|&number| is_wanted(number)) {
            self.make_pipeline(device, cache, variant_of(gpu, number, mode), Use::Crowd)?;
        }
        let size_of = |number: usize| {
            let batch = gpu.batch(&gpu.draws[number]).1;
            let all = (0, batch.vertices.len() as u32);
            let chunk = || chunk_of(gpu, (number, batch), variant_of(gpu, number, mode), all, 0);
            if is_wanted(number) { chunk().result_size() } else { 0 }
        };
        let layout = CrowdLayout::new((0..gpu.draws.len()).map(size_of), palettes.groups(), together, room);
        let size = layout.groups.size();
        let fits = |ComputedCrowd { computed: there, .. }: &ComputedCrowd| {
            there.mode == mode && there.serves(shares, is_wanted) && there.result.size() >= size
        };
        gpu.release_crowd(|there| !fits(there) || there.is_spare(size))?;
        let (computed, spare) = match gpu.crowd.take() {
            Some(there) => (there.computed, there.spare),
            None => {
                let room = CrowdRoom { palettes, size: with_room(size, room) };
                (self.compute(device, gpu, (mode, shares), is_wanted, Some(room))?, Spare::default())
            }
        };
        gpu.crowd = Some(ComputedCrowd { computed, layout, spare });
        Ok(())
    }

    /// Allocates buffers for the requested draws: of one figure, or of a crowd, whose dispatches share a result.
    fn compute(
        &self,
        device: &Arc<Device>,
        gpu: &GpuModel,
        (mode, shares): (SkinningMode, &Shares),
        is_wanted: &dyn Fn(usize) -> bool,
        crowd: Option<CrowdRoom<'_>>,
    ) -> Result<Computed, VulkanError> {
        let alignment = device.physical().limits.min_storage_buffer_offset_alignment.max(1);
        let (mut end, mut result_end) = (0u64, 0u64);
        let chunk = |number: usize| {
            let batch = gpu.batch(&gpu.draws[number]).1;
            let all = (0, batch.vertices.len() as u32);
            let mut chunk = chunk_of(gpu, (number, batch), variant_of(gpu, number, mode), all, result_end);
            if let Some(CrowdRoom { palettes, .. }) = crowd {
                chunk.spans.slots = palettes.of(number).map_or(0, |palette| palette.slots);
            }
            let from = end;
            end = (end + chunk.source_size()).next_multiple_of(alignment);
            result_end = (result_end + chunk.result_size()).next_multiple_of(alignment);
            (chunk, from)
        };
        let wanted: Vec<_> = (0..gpu.draws.len()).filter(|&number| is_wanted(number)).map(chunk).collect();
        let (storage, name) = (vk::BufferUsageFlags::STORAGE_BUFFER, "vertices to skin");
        let usage = storage | vk::BufferUsageFlags::TRANSFER_DST;
        let sources = Buffer::new(device, name, end, usage, MemoryLocation::GpuOnly)?;
        let (usage, name) = (storage | vk::BufferUsageFlags::VERTEX_BUFFER, "vertices skinned by compute");
        let result_size = crowd.as_ref().map_or(result_end, |crowd| crowd.size);
        let result = Buffer::new(device, name, result_size, usage, MemoryLocation::GpuOnly)?;
        let pool = DescriptorPool::new(device, name, &[(&self.buffers, wanted.len() as u32)])?;
        let mut draws: Vec<Option<Work>> = (0..gpu.draws.len()).map(|_| None).collect();
        for (chunk, from) in wanted {
            let descriptors = [
                Descriptor::Buffer { buffer: &sources, offset: from, range: chunk.source_size() },
                match crowd {
                    None => Descriptor::Buffer {
                        buffer: &result,
                        offset: chunk.result,
                        range: chunk.result_size(),
                    },
                    Some(_) => Descriptor::Buffer { buffer: &result, offset: 0, range: result_size },
                },
            ];
            let (number, set) = (chunk.number, pool.set(name, &self.buffers, &descriptors)?);
            draws[number] = Some(Work { chunk, from, set });
        }
        let shares = shares.clone();
        Ok(Computed { mode, shares, draws, sources, result, is_filled: false, _pool: pool })
    }

    /// Skins the draws with the palettes of the frame whose blocks begin at `offset` in the model's ring.
    pub(crate) fn record_drawn(
        &self,
        commands: &mut CommandBuffer,
        gpu: &GpuModel,
        mode: SkinningMode,
        offset: u64,
    ) {
        let computed = gpu.computed(mode).expect("recorded only where `prepare_drawn` made it");
        between_frames(commands, gpu, computed, |commands| {
            for Work { chunk, set, .. } in computed.work() {
                let used = use_of(gpu, chunk.number, chunk.variant.0, Use::Figure);
                self.dispatch(commands, gpu, (chunk, used), *set, offset);
            }
        });
    }

    /// Skins the draws of a crowd, one dispatch for each group of its palettes.
    pub(crate) fn record_crowd(
        &self,
        commands: &mut CommandBuffer,
        gpu: &GpuModel,
        palettes: &CrowdPalettes,
    ) {
        let ComputedCrowd { computed, layout, .. } =
            gpu.crowd.as_ref().expect("recorded only where `prepare_crowd` made it");
        let point = vk::PipelineBindPoint::COMPUTE;
        between_frames(commands, gpu, computed, |commands| {
            for Work { chunk, set, .. } in computed.work() {
                let Some(palette) = palettes.of(chunk.number) else { continue };
                commands.bind_compute(&self.pipelines[&(chunk.variant, Use::Crowd)]);
                commands.bind_set(point, &self.layout, 1, *set, &[]);
                for group in 0..layout.groups.count() {
                    let offset = palettes.groups().offset(group) + palette.offset;
                    commands.bind_set(point, &self.layout, 0, palettes.set(), &frame_offsets(0, offset));
                    let result = (layout.begin(chunk.number, group) / 4) as u32;
                    let spans = SpanLayout { result, ..chunk.spans };
                    commands.push_constants(&self.layout, bytemuck::bytes_of(&spans));
                    commands.dispatch([spans.vertex_count.div_ceil(GROUP), layout.figures_in(group)]);
                }
            }
        });
    }

    fn record(
        &self,
        commands: &mut CommandBuffer,
        gpu: &GpuModel,
        scratch: &Buffer,
        (chunk, used): (&Chunk, Use),
        set: DescriptorSet,
    ) {
        use vk::{AccessFlags2 as Access, PipelineStageFlags2 as Stage};
        // The last chunk is copied to the scratch buffer and read from it before this one overwrites it.
        commands.memory_barrier(
            (Stage::COPY | Stage::COMPUTE_SHADER, Access::TRANSFER_WRITE),
            (Stage::COPY, Access::TRANSFER_WRITE),
        );
        copy(commands, gpu, chunk, (scratch, 0), true);
        commands.memory_barrier(
            (Stage::COPY, Access::TRANSFER_WRITE),
            (Stage::COMPUTE_SHADER, Access::SHADER_STORAGE_READ),
        );
        self.dispatch(commands, gpu, (chunk, used), set, 0);
    }

    /// Skins a chunk with its palette in the frame whose blocks begin at `offset` in the model's ring.
    fn dispatch(
        &self,
        commands: &mut CommandBuffer,
        gpu: &GpuModel,
        (chunk, used): (&Chunk, Use),
        set: DescriptorSet,
        offset: u64,
    ) {
        let point = vk::PipelineBindPoint::COMPUTE;
        let offsets = frame_offsets(offset, offset + chunk.draw.palette_offset);
        commands.bind_compute(&self.pipelines[&(chunk.variant, used)]);
        commands.bind_set(point, &self.layout, 0, gpu.frame_set, &offsets);
        commands.bind_set(point, &self.layout, 1, set, &[]);
        commands.push_constants(&self.layout, bytemuck::bytes_of(&chunk.spans));
        commands.dispatch([chunk.spans.vertex_count.div_ceil(GROUP), 1]);
    }

    /// Splits a draw's vertices into chunks, creates their pipeline, and writes their palette.
    #[expect(clippy::too_many_arguments, reason = "a draw's chunks are made of all of these")]
    fn prepare(
        &mut self,
        device: &Arc<Device>,
        cache: &PipelineCache,
        palettes: &mut Palettes,
        gpu: &mut GpuModel,
        number: usize,
        (mode, used): (SkinningMode, Use),
        chunks: &mut Vec<Chunk>,
        end: &mut u64,
    ) -> Result<(), VulkanError> {
        let draw = gpu.draws[number];
        let (_, batch) = gpu.batch(&draw);
        let variant = variant_of(gpu, number, mode);
        self.make_pipeline(device, cache, variant, use_of(gpu, number, mode, used))?;
        let alignment = device.physical().limits.min_storage_buffer_offset_alignment.max(1);
        let count = batch.vertices.len() as u32;
        for first in (0..count).step_by(CHUNK as usize) {
            *end = end.next_multiple_of(alignment);
            let stretch = (first, CHUNK.min(count - first));
            let chunk = chunk_of(gpu, (number, batch), variant, stretch, *end);
            *end += chunk.result_size();
            chunks.push(chunk);
        }
        let slots = palettes.slots(&gpu.figure.model, &draw, batch, mode);
        gpu.ring.write(draw.palette_offset, bytemuck::cast_slice(slots));
        Ok(())
    }

    fn make_pipeline(
        &mut self,
        device: &Arc<Device>,
        cache: &PipelineCache,
        variant: Variant,
        used: Use,
    ) -> Result<(), VulkanError> {
        let (mode, spans) = variant;
        if self.pipelines.contains_key(&(variant, used)) {
            return Ok(());
        }
        let shader = shaders::skin_comp(mode, spans);
        let shader = shader.expect("a batch has 1 to 4 spans, and each number is compiled");
        let name = format!("skin {mode} x{spans}");
        let exact = shader.spirv.unpack();
        let spirv = if used == Use::Fused { shaders::fused(&exact) } else { exact };
        let shader = ShaderModule::new(device, &name, &spirv)?;
        // A crowd's slots are in the storage buffer, and the last of each figure says where it stands.
        let constants = [used == Use::Stored || used == Use::Crowd, used == Use::Crowd].map(u32::from);
        let pipeline = ComputePipeline::new(device, cache, &name, &self.layout, &shader, &constants)?;
        self.pipelines.insert((variant, used), pipeline);
        Ok(())
    }
}

/// Returns the use for a draw, whose palette may be longer than a uniform buffer shows.
fn use_of(gpu: &GpuModel, number: usize, mode: SkinningMode, used: Use) -> Use {
    let draw = &gpu.draws[number];
    let slots = joints_of(draw, gpu.batch(draw).1, mode).len();
    if slots > SLOTS { Use::Stored } else { used }
}

/// Copies a chunk's spans to the source buffer of `skin.comp`: those that morph targets move, and if `all`, the
/// others.
fn copy(commands: &mut CommandBuffer, gpu: &GpuModel, chunk: &Chunk, (to, begin): (&Buffer, u64), all: bool) {
    let own = |stream| gpu.of_mode(chunk.variant.0, chunk.number, stream).map(|(buffer, _)| buffer);
    let morphs = gpu.morphs.as_ref().map(|morphs| &morphs.result);
    for (from, copies, is_wanted) in [
        (morphs, &chunk.morphed, true),
        (Some(&gpu.batch(&chunk.draw).0.buffer), &chunk.copies, all),
        (own(Stream::Share), &chunk.shares, all),
        (own(Stream::Center), &chunk.centers, all),
    ] {
        if let Some(from) = from.filter(|_| is_wanted && !copies.is_empty()) {
            let moved: Vec<_> =
                copies.iter().map(|&(there, here, length)| (there, begin + here, length)).collect();
            commands.copy_buffer(from, to, &moved);
        }
    }
}

/// Copies what changed to the sources, and skins by `dispatch`, after earlier frames and before this frame's draws.
fn between_frames(
    commands: &mut CommandBuffer,
    gpu: &GpuModel,
    computed: &Computed,
    dispatch: impl FnOnce(&mut CommandBuffer),
) {
    use vk::{AccessFlags2 as Access, PipelineStageFlags2 as Stage};
    // Earlier frames have read and written the buffers that are now written.
    commands.memory_barrier(
        (
            Stage::VERTEX_ATTRIBUTE_INPUT | Stage::COPY | Stage::COMPUTE_SHADER,
            Access::TRANSFER_WRITE | Access::SHADER_STORAGE_WRITE,
        ),
        (Stage::COPY | Stage::COMPUTE_SHADER, Access::TRANSFER_WRITE | Access::SHADER_STORAGE_WRITE),
    );
    for Work { chunk, from, .. } in computed.work() {
        copy(commands, gpu, chunk, (&computed.sources, *from), !computed.is_filled);
    }
    commands.memory_barrier(
        (Stage::COPY, Access::TRANSFER_WRITE),
        (Stage::COMPUTE_SHADER, Access::SHADER_STORAGE_READ),
    );
    dispatch(commands);
    commands.memory_barrier(
        (Stage::COMPUTE_SHADER, Access::SHADER_STORAGE_WRITE),
        (Stage::VERTEX_ATTRIBUTE_INPUT, Access::VERTEX_ATTRIBUTE_READ),
    );
}
