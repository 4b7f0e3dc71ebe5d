//! Picks the visible figures and chooses CPU or GPU skinning for each draw, then makes the vertices, palettes and
//! slots.

use crate::frame::cpu_vertices::figures_together;
use crate::frame::members::Sight;
use crate::frame::palettes::{Winding, joints_of};
use crate::interface::streams::Stream;
use crate::model::computed::{MAX_COMPUTED, fits};
use crate::model::computed_crowd::VERTEX_BYTES;
use crate::model::draws::Draw;
use crate::model::gpu_model::GpuModel;
use crate::passes::mesh::call::{Call, Decided, Feed, SkinnedBy};
use crate::renderer::{FrameBuffers, Renderer};
use crate::upload::mesh_buffer::Batch;
use sinew_scene::camera::Camera;
use sinew_scene::look::Quality;
use sinew_scene::scene::{Framing, PaletteIn, Processor, Scene};
use sinew_skinning::{Normals, SLOTS, SkinningMode, Slot};
use sinew_vulkan::VulkanError;

/// The largest number of vertices, over all figures, that the CPU skins by choice for a frame: a gigabyte of
/// positions, normals and tangents.
const MAX_CPU_VERTICES: u64 = (1 << 30) / 40;

/// The largest number of a figure's vertices that the CPU skins for the first picture of a model.
const MAX_AT_FIRST: u64 = 200_000;

/// The number of a crowd's vertices from which on the compute shader skins them by choice, a millisecond's work of the
/// vertex shader on a large GPU. Fewer are not worth its passes through memory.
const MANY_VERTICES: u64 = 250_000;

/// Picks the preferred way to skin. `crowd` is the number of vertices of all figures of a crowd.
fn preferred(processor: Processor, is_software: bool, is_drawn_again: bool, crowd: Option<u64>) -> SkinnedBy {
    match processor {
        Processor::Gpu => SkinnedBy::VertexShader,
        Processor::Compute => SkinnedBy::Compute,
        Processor::Cpu => SkinnedBy::Cpu,
        Processor::Auto if is_software => SkinnedBy::Cpu,
        Processor::Auto if crowd.map_or(is_drawn_again, |vertices| vertices >= MANY_VERTICES) => {
            SkinnedBy::Compute
        }
        Processor::Auto => SkinnedBy::VertexShader,
    }
}

impl Renderer {
    /// Picks the figures to draw, and their order.
    pub(super) fn choose_figures(
        &mut self,
        gpu: &mut GpuModel,
        scene: &Scene,
        camera: &Camera,
        quality: Quality,
    ) {
        let Some(crowd) = &scene.crowd else { return self.members.one() };
        let farthest_first = gpu.draws.iter().any(|draw| gpu.material(draw).is_blended());
        // A figure outside the camera's view may cast a shadow into it.
        let sight = Sight { camera, culls: quality != Quality::Full, farthest_first };
        let period = scene.period(gpu.model());
        let hull = gpu.figure.hull(&scene.pose, Framing::Clip);
        self.members.crowd(crowd, hull, (scene.pose.time_secs(), period), &sight);
    }

    /// Chooses the processor that skins each draw, and the buffer of palettes.
    pub(super) fn decide(
        &mut self,
        gpu: &GpuModel,
        scene: &Scene,
        quality: Quality,
    ) -> (Vec<Decided>, PaletteIn) {
        let processor = scene.processor();
        // Shadows and contacts are separate passes.
        let is_drawn_again = quality == Quality::Full;
        let figures = self.members.shown().len() as u64;
        let skinned = gpu.draws.iter().filter(|draw| draw.skinned);
        let count: u64 = skinned.map(|draw| gpu.batch(draw).1.vertices.len() as u64).sum();
        let crowd = self.members.is_crowd().then(|| count.saturating_mul(figures));
        let preferred = preferred(processor, self.is_exact(), is_drawn_again, crowd);
        // A dispatch skins many figures.
        let palette = match (preferred, crowd) {
            (SkinnedBy::Compute, Some(_)) => PaletteIn::Storage,
            _ if gpu.draws.iter().any(|draw| is_long(draw, gpu.batch(draw).1, scene.mode)) => {
                PaletteIn::Storage
            }
            _ => self.palette_of(scene),
        };
        let Self { device, palettes, members, crowd_bytes, .. } = self;
        let (mut vertices, mut computed) = (0u64, 0u64);
        let mut decided: Vec<Decided> = Vec::with_capacity(gpu.draws.len());
        for (number, draw) in gpu.draws.iter().enumerate() {
            if gpu.sharing.is_repeat(number) {
                decided.push(Decided { skinned_by: SkinnedBy::VertexShader, winding: Winding::Kept });
                continue;
            }
            let (primitive, batch) = (draw.primitive_of(gpu.model()), gpu.batch(draw).1);
            let moves = draw.skinned || draw.morph.is_some() || scene.normals == Normals::Recomputed;
            let winding = palettes.winding(gpu.model(), draw, batch);
            // Only a vertex shader can tell which of its vertices are mirrored, or bend tangents without normals.
            let is_plain =
                winding != Winding::Mixed && (primitive.normals.is_some() || primitive.tangents.is_none());
            let count = batch.vertices.len();
            let skinned_by = match preferred {
                _ if members.is_crowd() && is_beyond_palettes(gpu, draw, scene.mode, palette) => {
                    SkinnedBy::Cpu
                }
                SkinnedBy::Cpu if moves && (is_plain || processor == Processor::Cpu) => SkinnedBy::Cpu,
                SkinnedBy::Compute if moves && is_plain && fits(device, count) => SkinnedBy::Compute,
                _ => SkinnedBy::VertexShader,
            };
            match skinned_by {
                SkinnedBy::Cpu => vertices += count as u64,
                SkinnedBy::Compute => computed += count as u64,
                SkinnedBy::VertexShader => {}
            }
            decided.push(Decided { skinned_by, winding });
        }
        // The vertices of a crowd may take too much memory, while palettes are small.
        let are_too_many = vertices.saturating_mul(figures) > MAX_CPU_VERTICES;
        // Laying out a large figure for the CPU takes longer than one picture saves.
        let is_first = gpu.pictures == 0 && figures <= 1 && vertices > MAX_AT_FIRST;
        if processor == Processor::Auto && (are_too_many || is_first) {
            let draws = gpu.draws.iter().zip(&mut decided);
            draws.for_each(|(draw, decided)| {
                if decided.skinned_by == SkinnedBy::Cpu && !is_beyond_palettes(gpu, draw, scene.mode, palette)
                {
                    decided.skinned_by = SkinnedBy::VertexShader;
                }
            });
        }
        // Vertex shaders store no vertices.
        let most = if members.is_crowd() { *crowd_bytes / VERTEX_BYTES } else { MAX_COMPUTED };
        if computed > most {
            for decided in decided.iter_mut().filter(|decided| decided.skinned_by == SkinnedBy::Compute) {
                decided.skinned_by = SkinnedBy::VertexShader;
            }
        }
        (decided, palette)
    }

    /// Skins on the CPU, and poses a crowd for vertex shaders, as decided.
    pub(super) fn feed(
        &mut self,
        gpu: &mut GpuModel,
        scene: &Scene,
        frame: usize,
        (decided, palette): (&[Decided], PaletteIn),
    ) -> Result<(), VulkanError> {
        let Self { device, layouts, members, workers, palettes, frames, .. } = self;
        let FrameBuffers { cpu_vertices, crowd, instances, .. } = &mut frames.get_mut(frame).own;
        let by_cpu = |draw: usize| decided[draw].skinned_by == SkinnedBy::Cpu;
        let by_compute = |draw: usize| decided[draw].skinned_by == SkinnedBy::Compute;
        let is_placed = |draw: usize| by_cpu(draw) || members.is_crowd() && by_compute(draw);
        let together = figures_together(gpu, scene, members, &is_placed);
        let posed = (scene, palettes.pose());
        cpu_vertices.fill(device, gpu, posed, (members, together, &by_cpu), workers)?;
        gpu.prepare_copies(together, is_placed)?;
        match members.is_crowd() {
            true => instances.clear(),
            false => {
                let is_moving = scene.view.moving().is_some();
                let is_apart = |draw: usize| is_moving || gpu.material(&gpu.draws[draw]).is_blended();
                let winding_of = |draw: usize| decided[draw].winding;
                let palettes = (&mut *palettes, palette);
                instances.fill(device, layouts, gpu, palettes, (&winding_of, &is_apart))?;
            }
        }
        let is_drawn = |draw: usize| !gpu.sharing.is_repeat(draw);
        let by_shader = |draw: usize| members.is_crowd() && is_drawn(draw) && !by_cpu(draw);
        let computed: u64 = (0..gpu.draws.len())
            .filter(|&draw| is_placed(draw) && by_compute(draw))
            .map(|draw| gpu.batch(&gpu.draws[draw]).1.vertices.len() as u64)
            .sum();
        // A group of figures must fit the compute shader's result.
        let most = self.crowd_bytes / (computed * VERTEX_BYTES).max(1);
        let shared = (palette, u32::try_from(most).unwrap_or(u32::MAX));
        crowd.fill(device, layouts, gpu, scene, (members, &by_shader), shared, workers)?;
        if computed == 0 {
            let is_crowd = members.is_crowd();
            return gpu.release_crowd(|there| !is_crowd || there.is_spare(0));
        }
        let posed = (scene.mode, &palettes.pose().skins.shares);
        self.passes.skin.prepare_crowd(
            device,
            &self.cache,
            gpu,
            posed,
            &by_compute,
            crowd,
            (together, self.crowd_bytes),
        )
    }

    /// Counts figures, draws, vertices and bytes of the picture, and notes the processors that skinned it.
    pub(super) fn count(&mut self, gpu: &GpuModel, scene: &Scene, frame: usize, calls: &[Call]) {
        let is_for_software = self.is_exact() && scene.processor() == Processor::Auto;
        let own = &self.frames.get_mut(frame).own;
        let figures = self.members.shown().len() as u64;
        self.counts.figures += figures;
        let moved = |offset: &dyn Fn(Stream) -> Option<u64>| -> u64 {
            let streams = Stream::SKINNED.into_iter().filter(|&stream| offset(stream).is_some());
            streams.map(|stream| u64::from(stream.size())).sum()
        };
        for call in calls {
            if call.draw.skinned {
                let processor = call.feed.processor();
                self.skinned.add(scene.mode, processor);
                self.skinned.is_for_software |= is_for_software && processor == Processor::Cpu;
            }
            let (groups, drawn, wrote) = match call.feed {
                Feed::One => (1, 1, 0),
                Feed::Crowd(_) => {
                    let pieces = own.crowd.groups().pieces(call.figures.clone()).count() as u32;
                    (pieces, call.figures.len() as u64, 0)
                }
                Feed::Cpu(spans) => {
                    (own.cpu_vertices.groups().count(), figures, moved(&|stream| spans.offset(stream)))
                }
                Feed::Computed(spans) => (1, 1, moved(&|stream| spans.offset(stream))),
                Feed::ComputedCrowd => gpu.crowd.as_ref().map_or((0, 0, 0), |crowd| {
                    let pieces = crowd.layout.pieces(call.figures.clone()).count() as u32;
                    let wrote = moved(&|stream| crowd.moves(call.number, stream).then_some(0));
                    (pieces, call.figures.len() as u64, wrote)
                }),
                Feed::Instances { row, only } => {
                    let row = own.instances.row(row);
                    let drawn = only.map_or(0..row.draws.len(), |only| only..only + 1);
                    (row.windows(drawn.clone()).count() as u32, drawn.len() as u64, 0)
                }
            };
            let blended = if call.is_blended() { call.figures.len() as u64 } else { groups.into() };
            let (_, batch) = gpu.batch(&call.draw);
            let vertices = batch.vertices.len() as u64 * drawn;
            let streams = |wanted: &dyn Fn(Stream) -> bool| -> u64 {
                Stream::ALL
                    .into_iter()
                    .filter(|&stream| wanted(stream))
                    .map(|stream| u64::from(stream.size()))
                    .sum()
            };
            let is_read = |stream| {
                Stream::SKINNED.contains(&stream) || Stream::SKINNING.as_flattened().contains(&stream)
            };
            let read = streams(&|stream| is_read(stream) && batch.offset(stream).is_some());
            let palettes =
                joints_of(&call.draw, batch, scene.mode).len() as u64 * size_of::<Slot>() as u64 * drawn;
            self.counts.draws += blended;
            self.counts.vertices += vertices;
            self.counts.bytes += vertices * (read + wrote) + palettes;
        }
    }
}

/// Returns true if a uniform buffer does not show the whole palette.
fn is_long(draw: &Draw, batch: &Batch, mode: SkinningMode) -> bool {
    joints_of(draw, batch, mode).len() > SLOTS
}

/// Returns true if the figures of a crowd cannot share a palette. `morph.comp` morphs by the weights of one figure, and a full
/// palette has no slot for a figure's position.
fn is_beyond_palettes(gpu: &GpuModel, draw: &Draw, mode: SkinningMode, palette: PaletteIn) -> bool {
    let varies = gpu.morphs.as_ref().is_some_and(|morphs| morphs.varies(draw));
    varies || palette == PaletteIn::Uniform && joints_of(draw, gpu.batch(draw).1, mode).len() >= SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_crowds_are_computed_on_gpus_alone() {
        let auto = |is_software, is_drawn_again, crowd| {
            preferred(Processor::Auto, is_software, is_drawn_again, crowd)
        };
        for (crowd, is_drawn_again, expected) in [
            (None, false, SkinnedBy::VertexShader),
            (None, true, SkinnedBy::Compute),
            (Some(MANY_VERTICES - 1), true, SkinnedBy::VertexShader),
            (Some(MANY_VERTICES), false, SkinnedBy::Compute),
        ] {
            assert_eq!(auto(false, is_drawn_again, crowd), expected, "{crowd:?}");
            assert_eq!(auto(true, is_drawn_again, crowd), SkinnedBy::Cpu);
            assert_eq!(preferred(Processor::Gpu, false, is_drawn_again, crowd), SkinnedBy::VertexShader);
            assert_eq!(preferred(Processor::Compute, true, is_drawn_again, crowd), SkinnedBy::Compute);
        }
    }
}
