//! The pass that draws meshes: decides for each draw its pipeline, palette and surface, and records it.
//! It must not know what it is drawn into, or where the pose comes from.

use std::cmp::Ordering;
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use glam::DVec4;

use super::Layouts;
use super::cpu_vertices::{CpuSpans, CpuVertices};
use super::features::Features;
use super::gpu_model::{Draw, GpuModel};
use super::palettes::{Palettes, Winding};
use super::pipelines::{Key, Outcome, Pipelines};
use super::streams::Stream;
use super::transfer::upload_buffer;
use super::wires::Lines;
use crate::look::Quality;
use crate::view::View;
use sinew_model::{AlphaMode, Material, Topology};
use sinew_skinning::{SkinningMode, Slot};
use sinew_vulkan::{
    Buffer, CommandBuffer, DescriptorSet, Device, PipelineCache, PipelineLayout, VulkanError, vk,
};

/// What a draw changes about its material: the push constants of `mesh.frag` and `view.frag`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct SurfaceBlock {
    /// Who knows which side a fragment shows: one of the constants below.
    pub sides: f32,
    /// 1 leaves out back sides, where the rasterizer cannot.
    pub hide_back: f32,
    /// 1 for what has no normals and cannot be shaded flat: shown without light, but with its glow.
    pub lightless: f32,
    /// What `view.frag` shows: 0 the vertices' colours, 1 normals, 2 tangents, 3 texture coordinates, 4 plain paper and
    /// 5 lines on it.
    pub view: f32,
}

const _: () = assert!(size_of::<SurfaceBlock>() == 16);

/// [`SurfaceBlock::sides`]: the rasterizer knows.
const SIDES_BY_RASTERIZER: f32 = 0.0;
/// [`SurfaceBlock::sides`]: the rasterizer is right except where the vertex is mirrored.
const SIDES_BY_VERTEX: f32 = 1.0;
/// [`SurfaceBlock::sides`]: nobody knows; the normal is taken to point to the viewer.
const SIDES_UNKNOWN: f32 = 2.0;

/// [`SurfaceBlock::view`]: plain, as what lines are drawn on.
const VIEW_PAPER: f32 = 4.0;
/// [`SurfaceBlock::view`]: lines.
const VIEW_LINES: f32 = 5.0;

/// Who leaves out back sides, and who tells them apart.
struct Sides {
    cull: vk::CullModeFlags,
    front: vk::FrontFace,
    /// For [`SurfaceBlock::sides`].
    known_by: f32,
    /// For [`SurfaceBlock::hide_back`].
    hide_back: f32,
}

impl Sides {
    /// Points and lines have no back.
    fn of_lines() -> Self {
        Self {
            cull: vk::CullModeFlags::NONE,
            front: vk::FrontFace::COUNTER_CLOCKWISE,
            known_by: SIDES_BY_RASTERIZER,
            hide_back: 0.0,
        }
    }

    fn new(material: &Material, topology: Topology, winding: Winding, by_shader: bool) -> Self {
        let rasterizer = |front| Self {
            cull: if material.double_sided { vk::CullModeFlags::NONE } else { vk::CullModeFlags::BACK },
            front,
            known_by: SIDES_BY_RASTERIZER,
            hide_back: 0.0,
        };
        let shader = |known_by, hide: bool| Self {
            cull: vk::CullModeFlags::NONE,
            front: vk::FrontFace::COUNTER_CLOCKWISE,
            known_by,
            hide_back: if hide { 1.0 } else { 0.0 },
        };
        match (topology, winding) {
            // Points and lines have no back.
            (Topology::Points | Topology::Lines, _) => rasterizer(vk::FrontFace::COUNTER_CLOCKWISE),
            (Topology::Triangles, Winding::Kept) => rasterizer(vk::FrontFace::COUNTER_CLOCKWISE),
            (Topology::Triangles, Winding::Turned) => rasterizer(vk::FrontFace::CLOCKWISE),
            (Topology::Triangles, Winding::Mixed) if by_shader => {
                shader(SIDES_BY_VERTEX, !material.double_sided)
            }
            // Vertices that the CPU has skinned no longer say which joints moved them. Showing both
            // sides loses nothing of a closed surface, whose back is behind its front.
            (Topology::Triangles, Winding::Mixed) => shader(SIDES_UNKNOWN, false),
        }
    }
}

/// What all draws of a frame share.
pub(super) struct Frame<'a> {
    /// Where the frame's blocks begin in the model's ring.
    pub offset: u64,
    /// Vertices that the CPU has skinned; `None` where the vertex shader skins.
    pub cpu_vertices: Option<&'a CpuVertices>,
    /// Set 2.
    pub surroundings: DescriptorSet,
}

/// How a frame's meshes are to look.
#[derive(Clone, Copy)]
pub(super) struct Style<'a> {
    pub mode: SkinningMode,
    pub view: &'a View,
    pub quality: Quality,
    /// Whether the file's own lights shine.
    pub file_lights: bool,
    pub samples: vk::SampleCountFlags,
    /// Where it is seen from; with w 0, the direction in which that is infinitely far.
    pub eye_in_world: DVec4,
}

/// A draw with all that was decided about it for this frame.
pub(super) struct Call {
    draw: Draw,
    /// The draw's number, where the view has colours of its own for its vertices.
    colored: Option<usize>,
    key: Key,
    surface: SurfaceBlock,
    sides: Sides,
    /// Where the CPU's vertices are, which replace the mesh's.
    cpu: Option<CpuSpans>,
    /// Whether alpha mixes with what is behind, and if so, how far away it is.
    blended: Option<f64>,
    /// How its shadow is drawn, if it casts one.
    caster: Option<Key>,
    /// The edges that are drawn in the triangles' place.
    wires: Option<Lines>,
}

impl Call {
    /// Whether it mixes with what is behind.
    pub(super) fn is_blended(&self) -> bool {
        self.blended.is_some()
    }

    /// The edges of its triangles, which itself stands back behind.
    fn outlined(self, wires: Lines) -> [Self; 2] {
        let Self { draw, colored, key, cpu, blended, surface, .. } = self;
        let viewed = |recedes| match key.outcome {
            Outcome::Viewed { samples, .. } => Outcome::Viewed { samples, recedes },
            other => other,
        };
        let edges = Self {
            draw,
            colored,
            key: Key { topology: Topology::Lines, outcome: viewed(false), ..key },
            surface: SurfaceBlock { view: VIEW_LINES, sides: SIDES_BY_RASTERIZER, hide_back: 0.0, ..surface },
            sides: Sides::of_lines(),
            cpu,
            blended,
            caster: None,
            wires: Some(wires),
        };
        // From behind it hides what is behind it, too.
        let paper = Self {
            key: Key { outcome: viewed(true), ..key },
            surface: SurfaceBlock { view: VIEW_PAPER, hide_back: 0.0, ..surface },
            sides: Sides { cull: vk::CullModeFlags::NONE, ..self.sides },
            ..self
        };
        [paper, edges]
    }
}

/// Everything that drawing meshes needs besides the model.
pub(super) struct MeshPass {
    pipelines: Pipelines,
    layout: PipelineLayout,
    /// What meshes without a stream read instead.
    defaults: Buffer,
}

impl MeshPass {
    pub(super) fn new(device: &Arc<Device>, layouts: &Layouts) -> Result<Self, VulkanError> {
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

    /// Decides about every draw of the model, and writes their palettes into the ring.
    pub(super) fn prepare(
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
            let Some(call) = prepare_call(gpu, number, style, frame, palettes) else { continue };
            let wires = gpu.wires.as_ref().filter(|_| *style.view == View::Wireframe);
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
        // What mixes with what is behind comes after what is behind, the farthest first.
        calls.sort_by(|a, b| match (a.blended, b.blended) {
            (None, None) => Ordering::Equal,
            (None, Some(_)) => Ordering::Less,
            (Some(_), None) => Ordering::Greater,
            (Some(a), Some(b)) => b.total_cmp(&a),
        });
        Ok(calls)
    }

    /// Records the draws, in the order they have.
    pub(super) fn record<'a>(
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
                // Both sides are seen through each other: the back is behind.
                true => &[vk::CullModeFlags::FRONT, vk::CullModeFlags::BACK],
                false => &[cull],
            };
            for &cull in culls {
                self.record_call(commands, gpu, frame, call, &call.key, (cull, front), frame.offset);
            }
        }
    }

    /// Records what casts shadows, seen as the frame block at `block` says.
    pub(super) fn record_casters(
        &self,
        commands: &mut CommandBuffer,
        gpu: &GpuModel,
        frame: &Frame<'_>,
        calls: &[Call],
        block: u64,
    ) {
        for call in calls {
            if let Some(key) = &call.caster {
                // Both sides keep light away.
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
        key: &Key,
        (cull, front): (vk::CullModeFlags, vk::FrontFace),
        block: u64,
    ) {
        let Some((mesh, part)) = gpu.part(&call.draw) else { return };
        let (Some(pipeline), Some(material)) = (self.pipelines.get(key), gpu.material_set(&call.draw)) else {
            return;
        };
        let moved = frame.cpu_vertices.and_then(CpuVertices::buffer).zip(call.cpu.as_ref());
        let view = |&stream: &Stream| -> (&Buffer, u64) {
            let colors = gpu.view_colors.as_ref().zip(call.colored);
            if let (Stream::Color, Some((colors, number))) = (stream, colors)
                && let Some(view) = colors.of(number)
            {
                return view;
            }
            let by_other = match frame.cpu_vertices {
                Some(_) => moved.and_then(|(buffer, spans)| Some((buffer, spans.offset(stream)?))),
                None => gpu.morphed(&call.draw, stream),
            };
            match (by_other, part.offset(stream)) {
                (Some(view), _) => view,
                (None, Some(offset)) if key.has(stream) => (&mesh.buffer, offset),
                _ => (&self.defaults, stream.default_offset()),
            }
        };
        let views: Vec<(&Buffer, u64)> = pipeline.streams.iter().map(view).collect();
        let graphics = vk::PipelineBindPoint::GRAPHICS;
        let offsets = [block as u32, (frame.offset + call.draw.palette_offset) as u32];
        commands.bind_graphics(&pipeline.pipeline, cull, front);
        commands.bind_set(graphics, &self.layout, 0, gpu.frame_set, &offsets);
        commands.bind_set(graphics, &self.layout, 1, material, &[]);
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
                commands.bind_index_buffer(&mesh.buffer, part.index_offset);
                commands.draw_indexed(part.index_count);
            }
        }
    }
}

/// Writes a draw's palette into the ring and decides how it is drawn.
fn prepare_call(
    gpu: &mut GpuModel,
    number: usize,
    style: &Style<'_>,
    frame: &Frame<'_>,
    palettes: &mut Palettes,
) -> Option<Call> {
    let draw = *gpu.draws.get(number)?;
    let instance = gpu.model.instances.get(draw.instance)?;
    let (_, part) = gpu.part(&draw)?;
    let palette = palettes.of_draw(&gpu.model, instance, &draw, part, style.mode);
    let default_material = Material::default();
    let material = gpu.material(&draw).unwrap_or(&default_material);
    let cpu = frame.cpu_vertices.and_then(|vertices| vertices.spans(number));
    // Vertices that the CPU has skinned are where they should be: one joint that does nothing.
    let by_shader = draw.skinned && cpu.is_none();

    let mut present = 0u32;
    for stream in Stream::ALL {
        let skinning = Stream::SKINNING.as_flattened().contains(&stream);
        let read = part.offset(stream).is_some() && (by_shader || !skinning);
        present |= u32::from(read) << stream as u32;
    }
    let sides = Sides::new(material, part.topology, palette.winding, cpu.is_none());
    // Points and lines without normals are not lit, but they glow (glTF 2.0, 3.9.6).
    let lightless = part.topology != Topology::Triangles && part.offset(Stream::Normal).is_none();
    let is_viewed = !style.view.is_shaded();
    let is_colored = style.view.is_by_vertex();
    if is_colored {
        present |= 1 << Stream::Color as u32;
    }
    let blended = (material.alpha == AlphaMode::Blend && !is_viewed).then(|| {
        let middle = gpu.middles.of(number, palette.world_from_bind);
        // How far along the line of sight, or, for an eye infinitely far away, against it.
        match style.eye_in_world.w {
            0.0 => -middle.dot(style.eye_in_world.truncate()),
            _ => middle.distance(style.eye_in_world.truncate()),
        }
    });
    let odd_sides = lightless || sides.known_by != SIDES_BY_RASTERIZER || sides.hide_back != 0.0;
    let features = Features::new(material, style.quality, style.file_lights, odd_sides);
    let key = Key {
        mode: if by_shader { style.mode } else { SkinningMode::Rigid },
        spans: if by_shader { part.spans } else { 1 },
        present,
        topology: part.topology,
        outcome: match is_viewed {
            true => Outcome::Viewed { samples: style.samples, recedes: false },
            false => Outcome::Shaded { features, blend: blended.is_some(), samples: style.samples },
        },
    };
    let casts = style.quality == Quality::Full && part.topology == Topology::Triangles;
    let caster =
        casts.then(|| Key { outcome: Outcome::Shadow { holes: material.alpha != AlphaMode::Opaque }, ..key });
    let call = Call {
        draw,
        colored: is_colored.then_some(number),
        key,
        surface: SurfaceBlock {
            sides: sides.known_by,
            hide_back: sides.hide_back,
            lightless: if lightless { 1.0 } else { 0.0 },
            view: match style.view {
                View::Normals => 1.0,
                View::Tangents => 2.0,
                View::Uv => 3.0,
                View::SkinSpace => VIEW_PAPER,
                View::Wireframe => VIEW_LINES,
                _ => 0.0,
            },
        },
        sides,
        cpu,
        blended,
        caster,
        wires: None,
    };
    let still = [SkinningMode::Rigid.slot(&glam::DMat4::IDENTITY)];
    let slots: &[Slot] = if cpu.is_some() { &still } else { palette.slots };
    let offset = frame.offset + draw.palette_offset;
    gpu.ring.write(offset as usize, bytemuck::cast_slice(slots));
    Some(call)
}
