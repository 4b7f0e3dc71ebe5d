//! The pass that draws meshes: creates the pipelines of its calls, orders the calls, and records them.

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

use crate::frame::instances::Window;
use crate::frame::palettes::Palettes;
use crate::interface::layouts::{Layouts, frame_offsets};
use crate::interface::streams::Stream;
use crate::interface::surface_block::SurfaceBlock;
use crate::model::gpu_model::GpuModel;
use crate::model::groups::Piece;
use crate::passes::mesh::call::{Call, Decided, Feed, Frame, SkinnedBy, Style};
use crate::passes::mesh::pipelines::{Forgotten, Outcome, PipelineKey, Pipelines};
use crate::passes::mesh::sides::Sides;
use crate::passes::mesh::stamps::nudges;
use crate::upload::transfer::rewrite_buffer;
use sinew_model::Topology;
use sinew_vulkan::{
    Buffer, CommandBuffer, Device, MemoryLocation, PipelineCache, PipelineLayout, VulkanError, vk,
};

/// The pipelines of meshes, and the defaults of their streams.
pub(crate) struct MeshPass {
    pipelines: Pipelines,
    layout: PipelineLayout,
    /// Defaults of each stream, for meshes without it.
    defaults: Buffer,
}

impl MeshPass {
    pub(crate) fn new(device: &Arc<Device>, layouts: &Layouts) -> Result<Self, VulkanError> {
        let layout = PipelineLayout::new(
            device,
            "mesh",
            &[&layouts.frame, &layouts.material, &layouts.surroundings],
            vk::ShaderStageFlags::VERTEX | vk::ShaderStageFlags::FRAGMENT,
            size_of::<SurfaceBlock>() as u32,
        )?;
        let bytes = Stream::defaults();
        let usage = vk::BufferUsageFlags::VERTEX_BUFFER | vk::BufferUsageFlags::TRANSFER_DST;
        let (size, place) = (bytes.len() as u64, MemoryLocation::GpuOnly);
        let defaults = Buffer::lasting(device, "stream defaults", size, usage, place)?;
        rewrite_buffer(device, &defaults, &bytes)?;
        Ok(Self { pipelines: Pipelines::default(), layout, defaults })
    }

    /// Begins a picture.
    pub(crate) fn begin(&mut self, device: &Device) -> Result<(), VulkanError> {
        self.pipelines.begin(device)
    }

    /// Drops the pipelines that no picture has used since the previous call of this function.
    pub(crate) fn forget(&mut self, device: &Device) -> Result<Forgotten, VulkanError> {
        self.pipelines.forget(device)
    }

    /// Builds the call of every draw, writes the palettes of single figures into the ring, and sorts the calls.
    #[expect(clippy::too_many_arguments, reason = "the frame's parts, each once")]
    pub(crate) fn prepare(
        &mut self,
        device: &Arc<Device>,
        cache: &PipelineCache,
        gpu: &mut GpuModel,
        decided: &[Decided],
        style: &Style<'_>,
        frame: &Frame<'_>,
        palettes: &mut Palettes,
    ) -> Result<Vec<Call>, VulkanError> {
        // Many draws may be instances of one call.
        let mut calls = Vec::new();
        let mut add =
            |number: usize, (decided, feed): (Decided, Feed), figures: Range<u32>, gpu: &mut GpuModel| {
                let mut call = Call::new(gpu, number, (decided, feed, style), frame, palettes);
                call.figures = figures;
                let wires = gpu.wires.as_ref().filter(|_| style.view.has_wires() || style.edges);
                match wires.and_then(|wires| wires.of(number)) {
                    Some(wires) if style.view.has_wires() => calls.extend(call.outlined(wires)),
                    Some(wires) => calls.extend(call.with_edges(wires, style.view)),
                    None => calls.push(call),
                }
            };
        for (number, &decided) in decided.iter().enumerate() {
            if gpu.sharing.is_repeat(number) {
                continue;
            }
            match gpu.sharing.of(number) {
                // Vertices that the CPU has moved are no instances of one another.
                Some((list, is_first))
                    if frame.instances.has(list) && decided.skinned_by != SkinnedBy::Cpu =>
                {
                    for (row, instances) in frame.instances.of_list(list).filter(|_| is_first) {
                        let decided = Decided { winding: instances.winding, ..decided };
                        match instances.are_apart {
                            // Each draw has a position in the order of blending, or separate colours.
                            true => instances.draws.iter().enumerate().for_each(|(only, &draw)| {
                                let feed = Feed::Instances { row, only: Some(only) };
                                add(draw as usize, (decided, feed), 0..frame.figures, gpu);
                            }),
                            false => {
                                let feed = Feed::Instances { row, only: None };
                                add(number, (decided, feed), 0..frame.figures, gpu);
                            }
                        }
                    }
                }
                _ => {
                    let feed = Feed::of(number, decided, gpu, frame);
                    // Vertex shaders skin the figures that the compute shader has no room for.
                    let first = match feed {
                        Feed::ComputedCrowd => {
                            gpu.crowd.as_ref().map_or(0, |crowd| crowd.layout.groups.figures)
                        }
                        _ => frame.figures,
                    };
                    add(number, (decided, feed), 0..first, gpu);
                    if first < frame.figures {
                        let decided = Decided { skinned_by: SkinnedBy::VertexShader, ..decided };
                        let feed = Feed::of(number, decided, gpu, frame);
                        add(number, (decided, feed), first..frame.figures, gpu);
                    }
                }
            }
        }
        for call in &calls {
            for key in [Some(call.key), call.caster, call.rim].into_iter().flatten() {
                self.pipelines.prepare(device, cache, &self.layout, key)?;
            }
        }
        // Blended calls come after solid ones, the farthest first.
        calls.sort_by(|a, b| match (a.blended, b.blended) {
            (None, None) => Ordering::Equal,
            (None, Some(_)) => Ordering::Less,
            (Some(_), None) => Ordering::Greater,
            (Some(a), Some(b)) => b.total_cmp(&a),
        });
        Ok(calls)
    }

    /// Records solid calls, each for all figures.
    pub(crate) fn record_solid(
        &self,
        commands: &mut CommandBuffer,
        gpu: &GpuModel,
        frame: &Frame<'_>,
        calls: &[&Call],
    ) {
        for call in calls {
            let Sides { cull, front, .. } = call.sides;
            let recorded = Recorded { key: &call.key, sides: (cull, front), block: frame.offset };
            self.record_call(commands, gpu, frame, call, &recorded, call.figures.clone());
        }
    }

    /// Records the rims of calls; they cover only the background.
    pub(crate) fn record_rims(
        &self,
        commands: &mut CommandBuffer,
        gpu: &GpuModel,
        frame: &Frame<'_>,
        calls: &[Call],
    ) {
        for call in calls {
            if let Some(key) = &call.rim {
                let Sides { cull, front, .. } = call.sides;
                let recorded = Recorded { key, sides: (cull, front), block: frame.offset };
                self.record_call(commands, gpu, frame, call, &recorded, call.figures.clone());
            }
        }
    }

    /// Records blended calls in order, figure by figure.
    pub(crate) fn record_blended(
        &self,
        commands: &mut CommandBuffer,
        gpu: &GpuModel,
        frame: &Frame<'_>,
        calls: &[&Call],
    ) {
        if calls.is_empty() {
            return;
        }
        for figure in 0..frame.figures {
            for call in calls.iter().filter(|call| call.figures.contains(&figure)) {
                let Sides { cull, front, .. } = call.sides;
                let triangles = call.key.topology == Topology::Triangles;
                let culls: &[_] = match triangles && cull == vk::CullModeFlags::NONE {
                    // Both sides show through each other, so the back is drawn first.
                    true => &[vk::CullModeFlags::FRONT, vk::CullModeFlags::BACK],
                    false => &[cull],
                };
                for &cull in culls {
                    let recorded = Recorded { key: &call.key, sides: (cull, front), block: frame.offset };
                    self.record_call(commands, gpu, frame, call, &recorded, figure..figure + 1);
                }
            }
        }
    }

    /// Records the shadow casters for the view with the frame block at `block`.
    pub(crate) fn record_casters(
        &self,
        commands: &mut CommandBuffer,
        gpu: &GpuModel,
        frame: &Frame<'_>,
        calls: &[Call],
        block: u64,
    ) {
        for call in calls {
            if let Some(key) = &call.caster {
                // Both sides block light.
                let sides = (vk::CullModeFlags::NONE, vk::FrontFace::COUNTER_CLOCKWISE);
                let recorded = Recorded { key, sides, block };
                self.record_call(commands, gpu, frame, call, &recorded, call.figures.clone());
            }
        }
    }

    /// Records a call for a range of figures, repeated if that is needed for visibility. A frame without a crowd has
    /// one figure.
    fn record_call(
        &self,
        commands: &mut CommandBuffer,
        gpu: &GpuModel,
        frame: &Frame<'_>,
        call: &Call,
        recorded: &Recorded<'_>,
        figures: Range<u32>,
    ) {
        let Some(stamped) = call.stamped(recorded.key) else {
            return self.record_once(commands, gpu, frame, (call, &call.surface), recorded, figures);
        };
        for nudge in nudges(stamped, frame.drawn, frame.unit) {
            let surface = SurfaceBlock { nudge, ..call.surface };
            self.record_once(commands, gpu, frame, (call, &surface), recorded, figures.clone());
        }
    }

    fn record_once(
        &self,
        commands: &mut CommandBuffer,
        gpu: &GpuModel,
        frame: &Frame<'_>,
        (call, surface): (&Call, &SurfaceBlock),
        recorded: &Recorded<'_>,
        figures: Range<u32>,
    ) {
        let Recorded { key, sides: (cull, front), block } = *recorded;
        let graphics = vk::PipelineBindPoint::GRAPHICS;
        commands.bind_graphics(&self.pipelines.get(key).pipeline, cull, front);
        commands.bind_set(graphics, &self.layout, 1, gpu.material_set(&call.draw), &[]);
        if matches!(key.outcome, Outcome::Shaded { .. }) {
            commands.bind_set(graphics, &self.layout, 2, frame.surroundings, &[]);
        }
        commands.push_constants(&self.layout, bytemuck::bytes_of(surface));
        match call.feed {
            Feed::One | Feed::Cpu(_) | Feed::Computed(_) | Feed::ComputedCrowd => {
                let palette = frame.offset + call.draw.palette_offset;
                commands.bind_set(graphics, &self.layout, 0, gpu.frame_set, &frame_offsets(block, palette));
            }
            Feed::Crowd(_) | Feed::Instances { .. } => {}
        }
        match call.feed {
            Feed::One | Feed::Computed(_) => {
                self.bind_vertices(commands, gpu, frame, (call, key), WHOLE);
                let (indices, offset, count) = indices(gpu, call);
                commands.bind_index_buffer(indices, offset);
                commands.draw_indexed(0..count);
            }
            Feed::ComputedCrowd => {
                let (indices, offset, count) = indices(gpu, call);
                commands.bind_index_buffer(indices, offset);
                for piece in gpu.crowd.iter().flat_map(|crowd| crowd.layout.pieces(figures.clone())) {
                    self.bind_vertices(commands, gpu, frame, (call, key), piece);
                    commands.draw_indexed(0..piece.count * count);
                }
            }
            Feed::Crowd(palette) => {
                self.bind_vertices(commands, gpu, frame, (call, key), WHOLE);
                let (indices, offset, count) = indices(gpu, call);
                commands.bind_index_buffer(indices, offset);
                for Piece { group, first, count: figures } in frame.crowd.groups().pieces(figures) {
                    let palette = frame.crowd.groups().offset(group) + palette.offset;
                    let offsets = frame_offsets(block, palette);
                    commands.bind_set(graphics, &self.layout, 0, frame.crowd.set(), &offsets);
                    commands.draw_instances(0..count, first..first + figures);
                }
            }
            Feed::Instances { row, only } => {
                self.bind_vertices(commands, gpu, frame, (call, key), WHOLE);
                let (indices, offset, count) = indices(gpu, call);
                commands.bind_index_buffer(indices, offset);
                let row = frame.instances.row(row);
                let drawn = only.map_or(0..row.draws.len(), |only| only..only + 1);
                for Window { offset, first, count: instances } in row.windows(drawn) {
                    let offsets = frame_offsets(block, offset);
                    commands.bind_set(graphics, &self.layout, 0, frame.instances.set(), &offsets);
                    commands.draw_instances(0..count, first..first + instances);
                }
            }
            Feed::Cpu(_) => {
                let (indices, offset, count) = indices(gpu, call);
                commands.bind_index_buffer(indices, offset);
                let groups = frame.cpu_vertices.groups();
                for piece in groups.pieces(figures) {
                    self.bind_vertices(commands, gpu, frame, (call, key), piece);
                    let Piece { first, count: figures, .. } = piece;
                    commands.draw_indexed(first * count..(first + figures) * count);
                }
            }
        }
    }

    /// Binds the inputs of a call's pipeline for a piece of a crowd.
    fn bind_vertices(
        &self,
        commands: &mut CommandBuffer,
        gpu: &GpuModel,
        frame: &Frame<'_>,
        (call, key): (&Call, &PipelineKey),
        piece: Piece,
    ) {
        let view = |&stream: &Stream| self.view(gpu, frame, (call, key), stream, piece);
        let views: Vec<(&Buffer, u64)> = self.pipelines.get(key).streams.iter().map(view).collect();
        commands.bind_vertex_buffers(&views);
    }

    /// Returns the buffer and offset for a stream of a call. This is the first available of: colours of the view,
    /// vertices already skinned or morphed, copies for a crowd, the mode's own stream, the mesh's own, the default.
    fn view<'a>(
        &'a self,
        gpu: &'a GpuModel,
        frame: &Frame<'a>,
        (call, key): (&Call, &PipelineKey),
        stream: Stream,
        piece: Piece,
    ) -> (&'a Buffer, u64) {
        let colored = (call.is_colored && stream == Stream::Color).then_some(call.number);
        if let Some((colors, number)) = frame.moving_colors.zip(colored) {
            return colors.of(number);
        }
        let colors = gpu.view_colors.as_ref().zip(colored);
        if let Some(view) = colors.and_then(|(colors, number)| colors.of(number)) {
            return view;
        }
        let moved = match call.feed {
            Feed::Cpu(spans) => {
                let group = frame.cpu_vertices.groups().offset(piece.group);
                let own = spans.offset(stream).map(|offset| (frame.cpu_vertices.buffer(), group + offset));
                own.or_else(|| gpu.copied(frame.cpu_vertices.groups().each, call.number, stream))
            }
            Feed::ComputedCrowd => gpu.crowd.as_ref().and_then(|crowd| {
                let own = crowd.offset(call.number, stream, piece);
                let own = own.map(|offset| (&crowd.computed.result, offset));
                own.or_else(|| gpu.copied(crowd.layout.together, call.number, stream))
            }),
            Feed::Computed(spans) => {
                let computed = gpu.computed(frame.mode).map(|computed| &computed.result);
                computed.zip(spans.offset(stream)).or_else(|| gpu.morphed(&call.draw, stream))
            }
            Feed::One | Feed::Crowd(_) | Feed::Instances { .. } => gpu.morphed(&call.draw, stream),
        };
        let (mesh, batch) = gpu.batch(&call.draw);
        let of_mode = gpu.of_mode(frame.mode, call.number, stream).filter(|_| key.has(stream));
        match (moved.or(of_mode), batch.offset(stream)) {
            (Some(view), _) => view,
            (None, Some(offset)) if key.has(stream) => (&mesh.buffer, offset),
            _ => (&self.defaults, stream.default_offset()),
        }
    }
}

/// The only figure of a frame without a crowd, or figures that share a binding.
const WHOLE: Piece = Piece { group: 0, first: 0, count: 1 };

/// Parameters for recording a call.
struct Recorded<'a> {
    key: &'a PipelineKey,
    sides: (vk::CullModeFlags, vk::FrontFace),
    /// Offset of the view's frame block.
    block: u64,
}

/// Returns the indices of a call, their offset, and their number per figure: edges, copies for a crowd, or the mesh's
/// own. Vertices that are equal otherwise may have different colours in a view.
fn indices<'a>(gpu: &'a GpuModel, call: &Call) -> (&'a Buffer, u64, u32) {
    if let Some((wires, edges)) = gpu.wires.as_ref().zip(call.edges) {
        return (&wires.buffer, edges.lines.offset, edges.lines.count);
    }
    let (mesh, batch) = gpu.batch(&call.draw);
    if call.is_colored {
        return (&mesh.buffer, batch.index_offset, batch.index_count);
    }
    let copies = match call.feed {
        Feed::Cpu(_) | Feed::ComputedCrowd => {
            gpu.copies.as_ref().and_then(|copies| Some((&copies.buffer, copies.of(call.number)?.indices)))
        }
        Feed::One | Feed::Computed(_) | Feed::Crowd(_) | Feed::Instances { .. } => None,
    };
    let (buffer, offset) = copies.unwrap_or((&mesh.buffer, batch.drawn_offset));
    (buffer, offset, batch.index_count)
}
