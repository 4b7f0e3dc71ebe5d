//! Skins workloads by the kernels of `skin.comp`, one dispatch for all figures where the device's limits allow it.

use std::ops::Range;
use std::sync::Arc;

use super::clock::{Clock, Times};
use super::packing::Packing;
use super::slots::SlotsIn;
use super::split::{Limits, Split};
use super::workload::{Outputs, Workload};
use crate::interface::layouts::{FRAME_BINDINGS, PALETTE_WINDOW, frame_offsets, palette_alignment};
use crate::interface::shaders;
use crate::model::computed::GROUP;
use crate::model::ddm_terms::{FIRST_POINT, MAX_POINTS, lay_out, size_of_terms};
use crate::model::skin_chunk::{ABSENT, SpanLayout};
use crate::renderer::Renderer;
use crate::upload::transfer::{run_once, upload_buffer};
use sinew_model::DdmRows;
use sinew_skinning::cpu::Exactness;
use sinew_skinning::posed::SkinnedPrimitive;
use sinew_skinning::{SLOTS, SkinningMode, Slot};
use sinew_vulkan::{
    Buffer, CommandBuffer, ComputePipeline, Descriptor, DescriptorPool, DescriptorSet, DescriptorSetLayout,
    Device, MemoryLocation, PipelineLayout, ShaderModule, VulkanError, vk,
};

/// Workloads on the GPU, with room for their results.
pub struct Kernels<'a> {
    // Field order is drop order: users before what they use.
    clock: Clock,
    kernel: Option<Kernel>,
    layout: PipelineLayout,
    /// The layout of set 0, the palettes, and of set 1, source and result.
    sets: [DescriptorSetLayout; 2],
    parts: Vec<Part<'a>>,
    result: Buffer,
    /// The terms that *ddm* reads; `None` for workloads without any.
    terms: Option<Buffer>,
    figures: u32,
    palette: SlotsIn,
    device: Arc<Device>,
}

/// A workload on the GPU.
struct Part<'a> {
    workload: Workload<'a>,
    /// The number of each vertex's point among all terms; empty without terms.
    points: Vec<f32>,
    /// The bytes of terms; none if a part before has the same.
    terms: u64,
    split: Split,
    chunks: Vec<Chunk>,
}

/// Consecutive vertices of a workload.
struct Chunk {
    first: u32,
    count: u32,
    /// The vertices for kernels of each [`kind`], once one reads them.
    sources: [Option<Source>; 4],
    /// Offset of the results of all dispatches.
    result: u64,
    /// Bytes from one dispatch's results to the next.
    stride: u64,
}

/// Returns the number of the vertices that a kernel reads: of its exactness, with shares or with the numbers of points.
fn kind((mode, exactness): (SkinningMode, Exactness)) -> usize {
    exactness as usize + if mode.facts().needs_ddm { 2 } else { 0 }
}

/// A chunk's vertices as kernels of a [`kind`] read them.
struct Source {
    buffer: Buffer,
    /// The layout of all streams.
    spans: SpanLayout,
}

/// The pipelines of a mode, and everything that its dispatches read.
struct Kernel {
    mode: (SkinningMode, Exactness),
    outputs: Outputs,
    pipelines: Vec<ComputePipeline>,
    dispatches: Vec<Dispatch>,
    frame_set: DescriptorSet,
    _pool: DescriptorPool,
    _palettes: Buffer,
}

/// A chunk of some figures.
struct Dispatch {
    part: usize,
    spans: SpanLayout,
    figures: u32,
    palette: u64,
    set: DescriptorSet,
}

/// The memory that a run must move at least once, in bytes, whatever caches hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Number of skinned vertices, of all figures.
    pub vertices: u64,
    /// The streams that the kernel reads.
    pub source: u64,
    /// The palettes of all figures.
    pub palettes: u64,
    /// The streams that the kernel writes.
    pub result: u64,
}

/// Vertices to read: up to [`UNSPLIT`] of one workload and figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Index of the workload.
    pub workload: usize,
    /// Index of the figure.
    pub figure: u32,
    /// The vertices. The first is a multiple of [`UNSPLIT`].
    pub vertices: Range<u32>,
}

/// The number of consecutive vertices that one dispatch always skins together.
pub const UNSPLIT: u32 = GROUP;

/// Bytes of the result, and where they are copied to.
struct Stretch {
    there: u64,
    here: u64,
    length: u64,
}

impl<'a> Kernels<'a> {
    /// Uploads workloads, each skinned by this number of figures.
    pub fn new(
        renderer: &Renderer,
        workloads: &[Workload<'a>],
        figures: u32,
        palette: SlotsIn,
    ) -> Result<Self, VulkanError> {
        let device = renderer.device();
        let (name, compute) = ("skinning kernels", vk::ShaderStageFlags::COMPUTE);
        let storage = vk::DescriptorType::STORAGE_BUFFER;
        let sets = [
            DescriptorSetLayout::new(device, name, &FRAME_BINDINGS, compute)?,
            DescriptorSetLayout::new(device, name, &[storage, storage], compute)?,
        ];
        let size = size_of::<SpanLayout>() as u32;
        let layout = PipelineLayout::new(device, name, &[&sets[0], &sets[1]], compute, size)?;
        let mut end = 0;
        let upload = |workload| Part::new(device, workload, (figures, palette), &mut end);
        let mut parts = workloads.iter().copied().map(upload).collect::<Result<Vec<_>, _>>()?;
        let terms = upload_terms(device, &mut parts)?;
        let usage = vk::BufferUsageFlags::STORAGE_BUFFER | vk::BufferUsageFlags::TRANSFER_SRC;
        let result = Buffer::new(device, "skinned vertices", end, usage, MemoryLocation::GpuOnly)?;
        let (clock, device) = (Clock::new(device, name)?, Arc::clone(device));
        Ok(Self { clock, kernel: None, layout, sets, parts, result, terms, figures, palette, device })
    }

    /// Selects the kernel of a mode. `palettes` has the slots of each workload: those of all figures in a row.
    pub fn select(
        &mut self,
        renderer: &Renderer,
        (mode, exactness): (SkinningMode, Exactness),
        outputs: Outputs,
        palettes: &[Vec<Slot>],
    ) -> Result<(), VulkanError> {
        self.kernel = None;
        self.parts.iter_mut().try_for_each(|part| part.upload(&self.device, (mode, exactness)))?;
        let (bytes, offsets, window) = self.lay_out_palettes(palettes);
        let usage = vk::BufferUsageFlags::UNIFORM_BUFFER | vk::BufferUsageFlags::STORAGE_BUFFER;
        // Dynamic offsets are 32 bits wide.
        self.device.check_limit("palettes", "bytes", bytes.len() as u64, u32::MAX.into())?;
        let palettes = upload_buffer(&self.device, "palettes", usage, &bytes)?;
        let kind = (mode, exactness, self.palette);
        let pipeline = |part: &Part| part.pipeline(&self.device, renderer, &self.layout, kind);
        let pipelines = self.parts.iter().map(pipeline).collect::<Result<Vec<_>, _>>()?;
        let count = self.parts.iter().zip(&offsets).map(|(part, pieces)| part.chunks.len() * pieces.len());
        let layouts = [(&self.sets[0], 1), (&self.sets[1], count.sum::<usize>().max(1) as u32)];
        let pool = DescriptorPool::new(&self.device, "kernel descriptors", &layouts)?;
        let shown = |range| Descriptor::Buffer { buffer: &palettes, offset: 0, range };
        let whole = |buffer| Descriptor::Buffer { buffer, offset: 0, range: buffer.size() };
        let terms = self.terms.as_ref().map_or(shown(PALETTE_WINDOW), whole);
        let windows = [shown(PALETTE_WINDOW), shown(PALETTE_WINDOW), shown(window), terms];
        let frame_set = pool.set("palettes", &self.sets[0], &windows)?;
        let mut dispatches = Vec::new();
        for (number, (part, pieces)) in self.parts.iter().zip(&offsets).enumerate() {
            for chunk in &part.chunks {
                let Source { buffer, spans } = chunk.source((mode, exactness));
                let spans = outputs.of(*spans);
                for (piece, &palette) in pieces.iter().enumerate() {
                    let figures = part.figures(piece, self.figures);
                    let offset = chunk.result + piece as u64 * chunk.stride;
                    let range = u64::from(figures) * u64::from(spans.vertex_count) * width(&spans);
                    let descriptors = [
                        Descriptor::Buffer { buffer, offset: 0, range: buffer.size() },
                        Descriptor::Buffer { buffer: &self.result, offset, range },
                    ];
                    let set = pool.set("kernel buffers", &self.sets[1], &descriptors)?;
                    dispatches.push(Dispatch { part: number, spans, figures, palette, set });
                }
            }
        }
        self.kernel = Some(Kernel {
            mode: (mode, exactness),
            outputs,
            pipelines,
            dispatches,
            frame_set,
            _pool: pool,
            _palettes: palettes,
        });
        Ok(())
    }

    /// Returns the bytes of all palettes, the offset of each dispatch's, and the size of the longest.
    fn lay_out_palettes(&self, palettes: &[Vec<Slot>]) -> (Vec<u8>, Vec<Vec<u64>>, u64) {
        let alignment = palette_alignment(&self.device);
        let (mut bytes, mut offsets, mut window) = (Vec::new(), Vec::new(), PALETTE_WINDOW);
        for (part, slots) in self.parts.iter().zip(palettes) {
            let of_piece = (part.split.figures as usize * part.workload.slots as usize).max(1);
            let mut of_part = Vec::new();
            for piece in slots.chunks(of_piece) {
                bytes.resize(bytes.len().next_multiple_of(alignment as usize), 0);
                of_part.push(bytes.len() as u64);
                bytes.extend_from_slice(bytemuck::cast_slice(piece));
                window = window.max(size_of_val(piece) as u64);
            }
            offsets.push(of_part);
        }
        // The shaders' window on the last palette extends beyond it.
        bytes.resize(bytes.len() + window as usize, 0);
        (bytes, offsets, window)
    }

    /// Runs the selected kernel some times, at most [`MAX_AT_ONCE`](super::MAX_AT_ONCE).
    pub fn run(&mut self, times: u32) -> Result<Times, VulkanError> {
        let Self { clock, kernel, layout, palette, .. } = self;
        let kernel = kernel.as_ref();
        clock.time(times, |commands| {
            if let Some(kernel) = kernel {
                kernel.record(commands, layout, palette.turns());
            }
        })
    }

    /// Returns the memory that a run of the selected kernel moves.
    pub fn traffic(&self) -> Traffic {
        let mut traffic = Traffic::default();
        let Some(kernel) = &self.kernel else { return traffic };
        for Part { workload, terms, .. } in &self.parts {
            let (count, figures) = (u64::from(workload.count()), u64::from(self.figures));
            let bytes = workload.moved_bytes(kernel.mode, kernel.outputs);
            traffic.vertices += count * figures;
            traffic.source += count * bytes.source;
            traffic.result += count * figures * bytes.result;
            traffic.source += if kernel.mode.0.facts().needs_ddm { *terms } else { 0 };
            traffic.palettes += figures * u64::from(workload.slots) * size_of::<Slot>() as u64;
        }
        traffic
    }

    /// Reads vertices that the last run wrote.
    pub fn read(&self, wanted: &[Wanted]) -> Result<Vec<SkinnedPrimitive<f32>>, VulkanError> {
        use vk::{AccessFlags2 as Access, PipelineStageFlags2 as Stage};
        let mut end = 0;
        let stretches: Vec<Vec<Stretch>> =
            wanted.iter().filter_map(|wanted| self.stretches(wanted, &mut end)).collect();
        let copies: Vec<(u64, u64, u64)> =
            stretches.iter().flatten().map(|stretch| (stretch.there, stretch.here, stretch.length)).collect();
        let usage = vk::BufferUsageFlags::TRANSFER_DST;
        let read = Buffer::new(&self.device, "checked vertices", end, usage, MemoryLocation::GpuToCpu)?;
        run_once(&self.device, "read vertices", |commands| {
            let written = (Stage::COMPUTE_SHADER, Access::SHADER_STORAGE_WRITE);
            commands.memory_barrier(written, (Stage::COPY, Access::TRANSFER_READ));
            commands.copy_buffer(&self.result, &read, &copies);
            let copied = (Stage::COPY, Access::TRANSFER_WRITE);
            commands.memory_barrier(copied, (Stage::HOST, Access::HOST_READ));
        })?;
        let bytes = read.bytes().expect("memory for `GpuToCpu` is mapped");
        let bytes_of =
            |stretch: &Stretch| &bytes[stretch.here as usize..(stretch.here + stretch.length) as usize];
        let primitive = |(streams, wanted): (&Vec<Stretch>, &Wanted)| SkinnedPrimitive {
            instance: wanted.figure as usize,
            primitive: wanted.workload,
            positions: streams.first().map(|stretch| elements(bytes_of(stretch))).unwrap_or_default(),
            normals: streams.get(1).map(|stretch| elements(bytes_of(stretch))),
            tangents: streams.get(2).map(|stretch| elements(bytes_of(stretch))),
        };
        assert_eq!(stretches.len(), wanted.len(), "wanted vertices are in one chunk each");
        Ok(stretches.iter().zip(wanted).map(primitive).collect())
    }

    /// Returns where wanted vertices are in the result, stream by stream, and puts them one after the other.
    fn stretches(&self, wanted: &Wanted, end: &mut u64) -> Option<Vec<Stretch>> {
        let Wanted { workload, figure, vertices } = wanted;
        let (kernel, part) = (self.kernel.as_ref()?, self.parts.get(*workload)?);
        let last = |chunk: &Chunk| chunk.first + chunk.count;
        let chunk = part.chunks.iter().find(|chunk| (chunk.first..last(chunk)).contains(&vertices.start))?;
        let spans = kernel.outputs.of(chunk.source(kernel.mode).spans);
        let all = u64::from(spans.vertex_count);
        let (piece, within) = (figure / part.split.figures, figure % part.split.figures);
        let begin = chunk.result + u64::from(piece) * chunk.stride;
        let of_piece = all * u64::from(part.figures(piece as usize, self.figures));
        let count = u64::from(vertices.end.min(last(chunk)).saturating_sub(vertices.start));
        let first = u64::from(vertices.start - chunk.first);
        // Bytes of a vertex in the streams before, and in this one.
        let mut streams = vec![(0, 12)];
        streams.extend((spans.normal != ABSENT).then_some((12, 12)));
        streams.extend((spans.tangent != ABSENT).then_some((24, 16)));
        let stretch = |(before, size): (u64, u64)| {
            let (here, length) = (*end, count * size);
            *end += length;
            let there = begin + of_piece * before + (u64::from(within) * all + first) * size;
            Stretch { there, here, length }
        };
        (*figure < self.figures && count == vertices.len() as u64)
            .then(|| streams.into_iter().map(stretch).collect())
    }
}

impl Kernel {
    fn record(&self, commands: &mut CommandBuffer, layout: &PipelineLayout, turns: u32) {
        let point = vk::PipelineBindPoint::COMPUTE;
        for Dispatch { part, spans, figures, palette, set } in &self.dispatches {
            commands.bind_compute(&self.pipelines[*part]);
            commands.bind_set(point, layout, 0, self.frame_set, &frame_offsets(0, *palette));
            commands.bind_set(point, layout, 1, *set, &[]);
            commands.push_constants(layout, bytemuck::bytes_of(spans));
            commands.dispatch([spans.vertex_count.div_ceil(GROUP * turns), *figures]);
        }
    }
}

impl<'a> Part<'a> {
    fn new(
        device: &Arc<Device>,
        workload: Workload<'a>,
        (figures, palette): (u32, SlotsIn),
        end: &mut u64,
    ) -> Result<Self, VulkanError> {
        let limits = &device.physical().limits;
        let range = u64::from(limits.max_storage_buffer_range);
        let slots = match palette {
            SlotsIn::Uniform => {
                let own = u64::from(workload.slots);
                device.check_limit("palette", "joints in a figure", own, SLOTS as u64)?;
                SLOTS as u64
            }
            SlotsIn::Storage => range / size_of::<Slot>() as u64,
            SlotsIn::Shared => {
                let most = u64::from(limits.max_compute_shared_memory_size) / size_of::<Slot>() as u64;
                device.check_limit("shared memory", "joints in a figure", workload.slots.into(), most)?;
                range / size_of::<Slot>() as u64
            }
        };
        let [columns, rows, _] = limits.max_compute_work_group_count;
        let limits = Limits { range, groups: [columns, rows], slots };
        let (count, bytes) = (workload.count(), workload.bytes());
        let split = Split::new((count, figures, workload.slots), bytes, GROUP, limits);
        let alignment = device.physical().limits.min_storage_buffer_offset_alignment.max(1);
        let mut chunks = Vec::new();
        for first in (0..count).step_by(split.vertices as usize) {
            let count = split.vertices.min(count - first);
            let of_figure = u64::from(count) * bytes.result;
            let stride = (of_figure * u64::from(split.figures)).next_multiple_of(alignment);
            let result = *end;
            *end += stride * u64::from(figures.div_ceil(split.figures));
            chunks.push(Chunk { first, count, sources: Default::default(), result, stride });
        }
        Ok(Self { workload, points: Vec::new(), terms: 0, split, chunks })
    }

    /// Uploads the vertices as kernels of a mode and an exactness read them, unless that is done.
    fn upload(
        &mut self,
        device: &Arc<Device>,
        (mode, exactness): (SkinningMode, Exactness),
    ) -> Result<(), VulkanError> {
        let kind = kind((mode, exactness));
        let points = mode.facts().needs_ddm.then_some(&self.points[..]);
        let missing = |chunk: &&mut Chunk| chunk.sources[kind].is_none();
        let missing: Vec<&mut Chunk> = self.chunks.iter_mut().filter(missing).collect();
        let is_rounded = exactness == Exactness::Bounds && !missing.is_empty();
        let rounded = is_rounded.then(|| self.workload.rounded()).flatten();
        let workload = rounded.as_ref().map_or(self.workload, |rounded| self.workload.with(Some(rounded)));
        for Chunk { first, count, sources, .. } in missing {
            let range = *first as usize..(*first + *count) as usize;
            let (bytes, spans) = workload.lay_out(range, exactness, points);
            let usage = vk::BufferUsageFlags::STORAGE_BUFFER;
            let buffer = upload_buffer(device, "vertices to skin", usage, &bytes)?;
            sources[kind] = Some(Source { buffer, spans });
        }
        Ok(())
    }

    /// Returns the number of figures in a piece.
    fn figures(&self, piece: usize, all: u32) -> u32 {
        all.saturating_sub(piece as u32 * self.split.figures).min(self.split.figures)
    }

    fn pipeline(
        &self,
        device: &Arc<Device>,
        renderer: &Renderer,
        layout: &PipelineLayout,
        (mode, exactness, palette): (SkinningMode, Exactness, SlotsIn),
    ) -> Result<ComputePipeline, VulkanError> {
        let (mode, spans) = (self.workload.mode(mode), self.workload.spans());
        let shader = shaders::skin_comp(mode, spans);
        let shader = shader.expect("a workload has 1 to 4 spans, and each number is compiled");
        let name = format!("kernel {mode} x{spans}");
        let exact = shader.spirv.unpack();
        let spirv = if exactness == Exactness::Twin { exact } else { shaders::fused(&exact) };
        let shader = ShaderModule::new(device, &name, &spirv)?;
        let is_stored = u32::from(palette != SlotsIn::Uniform);
        let staged = if palette == SlotsIn::Shared { self.workload.slots.max(1) } else { 1 };
        let Packing { byte_joints, short_weights } = self.workload.packing(exactness);
        let narrow = [byte_joints, short_weights].map(u32::from);
        let constants = [is_stored, 0, staged, palette.turns(), narrow[0], narrow[1]];
        ComputePipeline::new(device, &renderer.cache, &name, layout, &shader, &constants)
    }
}

impl Chunk {
    /// Returns the vertices as kernels of a mode and an exactness read them.
    fn source(&self, mode: (SkinningMode, Exactness)) -> &Source {
        self.sources[kind(mode)].as_ref().expect("`select` uploads before it creates a kernel")
    }
}

/// Uploads the terms of all workloads that have any, and numbers their points.
fn upload_terms(device: &Arc<Device>, parts: &mut [Part<'_>]) -> Result<Option<Buffer>, VulkanError> {
    // Primitives of a mesh have their terms in common.
    let mut known: Vec<(&DdmRows, u32)> = Vec::new();
    let mut count = 0;
    for Part { workload, points, terms, .. } in &mut *parts {
        let Some((rows, primitive)) = workload.vertices.ddm else { continue };
        let first = known.iter().find(|(other, _)| std::ptr::eq(*other, rows)).map(|(_, first)| *first);
        let first = first.unwrap_or_else(|| {
            known.push((rows, count));
            *terms = size_of_terms(rows);
            let next = count.saturating_add(rows.centers.len() as u32);
            std::mem::replace(&mut count, next)
        });
        // Whole numbers up to 2^24 are floats.
        device.check_limit("ddm", "points", count.into(), MAX_POINTS)?;
        let of = rows.points.get(primitive).map_or(&[][..], Vec::as_slice);
        points.extend(of.iter().map(|point| (FIRST_POINT + first + point) as f32));
    }
    if known.is_empty() {
        return Ok(None);
    }
    let slots = parts.iter().map(|part| part.workload.slots).max().unwrap_or(0);
    let joints: Vec<u32> = (0..slots).collect();
    let quads = lay_out(known.into_iter().map(|(rows, _)| (rows, &joints[..])), count as usize);
    let most = device.physical().limits.max_storage_buffer_range;
    device.check_limit("terms of ddm", "bytes", size_of_val(&quads[..]) as u64, most.into())?;
    let usage = vk::BufferUsageFlags::STORAGE_BUFFER;
    upload_buffer(device, "terms of ddm", usage, bytemuck::cast_slice(&quads)).map(Some)
}

/// Returns the elements of a stream.
fn elements<T: bytemuck::Pod>(bytes: &[u8]) -> Vec<T> {
    bytes.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect()
}

/// Returns the bytes of a skinned vertex.
fn width(spans: &SpanLayout) -> u64 {
    match (spans.normal != ABSENT, spans.tangent != ABSENT) {
        (false, _) => 12,
        (true, false) => 24,
        (true, true) => 40,
    }
}
