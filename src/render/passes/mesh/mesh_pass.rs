//! The pass that draws meshes: makes the pipelines of its calls, orders the calls, and records them.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::render::frame::palettes::Palettes;
use crate::render::interface::layouts::Layouts;
use crate::render::interface::streams::Stream;
use crate::render::interface::surface_block::SurfaceBlock;
use crate::render::model::gpu_model::GpuModel;
use crate::render::passes::mesh::call::{Call, Frame, Style};
use crate::render::passes::mesh::pipelines::{Outcome, PipelineKey, Pipelines};
use crate::render::passes::mesh::sides::Sides;
use crate::render::upload::transfer::upload_buffer;
use sinew_model::Topology;
use sinew_vulkan::{Buffer, CommandBuffer, Device, PipelineCache, PipelineLayout, VulkanError, vk};

/// The pipelines of meshes, and the defaults of their streams.
pub(crate) struct MeshPass {
    pipelines: Pipelines,
    layout: PipelineLayout,
    /// One element of each stream, for meshes without it.
    defaults: Buffer,
}

impl MeshPass {
    pub(crate) fn new(device: &Arc<Device>, layouts: &Layouts) -> Result<Self, VulkanError> {
        let layout = PipelineLayout::new(
            device,
            "mesh",
            &[&layouts.frame, &layouts.material, &layouts.surroundings],
            vk::ShaderStageFlags::FRAGMENT,
            size_of::<SurfaceBlock>() as u32,
        )?;
        let usage = vk::BufferUsageFlags::VERTEX_BUFFER;
        let defaults = upload_buffer(device, "stream defaults", usage, &Stream::defaults())?;
        Ok(Self { pipelines: Pipelines::default(), layout, defaults })
    }

    /// Makes a call of every draw, writes their palettes into the ring, and sorts them.
    pub(crate) fn prepare(
        &mut self,
        device: &Arc<Device>,
        cache: &PipelineCache,
        gpu: &mut GpuModel,
        style: &Style<'_>,
        frame: &Frame<'_>,
        palettes: &mut Palettes,
    ) -> Result<Vec<Call>, VulkanError> {
        let mut calls = Vec::with_capacity(gpu.draws.len());
        for number in 0..gpu.draws.len() {
            let call = Call::new(gpu, number, style, frame, palettes);
            let wires = gpu.wires.as_ref().filter(|_| style.view.has_wires());
            match wires.and_then(|wires| wires.of(number)) {
                Some(wires) => calls.extend(call.outlined(wires)),
                None => calls.push(call),
            }
        }
        for call in &calls {
            for key in [Some(call.key), call.caster].into_iter().flatten() {
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

    /// Records calls in their order.
    pub(crate) fn record<'a>(
        &self,
        commands: &mut CommandBuffer,
        gpu: &GpuModel,
        frame: &Frame<'_>,
        calls: impl Iterator<Item = &'a Call>,
    ) {
        for call in calls {
            let Sides { cull, front, .. } = call.sides;
            let triangles = call.key.topology == Topology::Triangles;
            let culls: &[_] = match call.is_blended() && triangles && cull == vk::CullModeFlags::NONE {
                // Both sides show through each other: the back is drawn first.
                true => &[vk::CullModeFlags::FRONT, vk::CullModeFlags::BACK],
                false => &[cull],
            };
            for &cull in culls {
                self.record_call(commands, gpu, frame, call, &call.key, (cull, front), frame.offset);
            }
        }
    }

    /// Records the shadow casters, through the view whose frame block is at `block`.
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
                self.record_call(commands, gpu, frame, call, key, sides, block);
            }
        }
    }

    #[allow(clippy::too_many_arguments, reason = "one draw from all that was decided about it")]
    fn record_call(
        &self,
        commands: &mut CommandBuffer,
        gpu: &GpuModel,
        frame: &Frame<'_>,
        call: &Call,
        key: &PipelineKey,
        (cull, front): (vk::CullModeFlags, vk::FrontFace),
        block: u64,
    ) {
        let (mesh, batch) = gpu.batch(&call.draw);
        let pipeline = self.pipelines.get(key);
        let view = |&stream: &Stream| self.view(gpu, frame, call, key, stream);
        let views: Vec<(&Buffer, u64)> = pipeline.streams.iter().map(view).collect();
        let graphics = vk::PipelineBindPoint::GRAPHICS;
        let offsets = [block as u32, (frame.offset + call.draw.palette_offset) as u32];
        commands.bind_graphics(&pipeline.pipeline, cull, front);
        commands.bind_set(graphics, &self.layout, 0, gpu.frame_set, &offsets);
        commands.bind_set(graphics, &self.layout, 1, gpu.material_set(&call.draw), &[]);
        if matches!(key.outcome, Outcome::Shaded { .. }) {
            commands.bind_set(graphics, &self.layout, 2, frame.surroundings, &[]);
        }
        commands.push_constants(&self.layout, bytemuck::bytes_of(&call.surface));
        commands.bind_vertex_buffers(&views);
        match gpu.wires.as_ref().zip(call.wires) {
            Some((wires, lines)) => {
                commands.bind_index_buffer(&wires.buffer, lines.offset);
                commands.draw_indexed(lines.count);
            }
            None => {
                commands.bind_index_buffer(&mesh.buffer, batch.index_offset);
                commands.draw_indexed(batch.index_count);
            }
        }
    }

    /// The buffer and offset that feed a stream of a call: colours of the view, vertices that the CPU or morph targets
    /// have moved, what the mode alone reads, the mesh's own, or the default.
    fn view<'a>(
        &'a self,
        gpu: &'a GpuModel,
        frame: &Frame<'a>,
        call: &Call,
        key: &PipelineKey,
        stream: Stream,
    ) -> (&'a Buffer, u64) {
        let colored = (call.is_colored && stream == Stream::Color).then_some(call.number);
        if let Some((colors, number)) = frame.moving_colors.zip(colored) {
            return colors.of(number);
        }
        let colors = gpu.view_colors.as_ref().zip(colored);
        if let Some(view) = colors.and_then(|(colors, number)| colors.of(number)) {
            return view;
        }
        let moved = match frame.cpu_vertices.zip(call.cpu) {
            Some((vertices, spans)) => spans.offset(stream).map(|offset| (vertices.buffer(), offset)),
            None => gpu.morphed(&call.draw, stream),
        };
        let (mesh, batch) = gpu.batch(&call.draw);
        let of_mode = gpu.of_mode(call.number, stream).filter(|_| key.has(stream));
        match (moved.or(of_mode), batch.offset(stream)) {
            (Some(view), _) => view,
            (None, Some(offset)) if key.has(stream) => (&mesh.buffer, offset),
            _ => (&self.defaults, stream.default_offset()),
        }
    }
}
