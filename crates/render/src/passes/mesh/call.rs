//! The calls of a frame: each draw's pipeline, palette, surface and sides.

use std::ops::Range;

use glam::{DVec3, DVec4};

use crate::frame::cpu_vertices::{CpuSpans, CpuVertices};
use crate::frame::crowd_palettes::{CrowdPalettes, DrawPalette};
use crate::frame::instances::Instances;
use crate::frame::moving_colors::MovingColors;
use crate::frame::palettes::{Palettes, Winding, mode_of};
use crate::interface::features::Features;
use crate::interface::streams::Stream;
use crate::interface::surface_block::SurfaceBlock;
use crate::model::computed::ComputedSpans;
use crate::model::draws::Draw;
use crate::model::gpu_model::GpuModel;
use crate::model::wires::Lines;
pub(crate) use crate::passes::mesh::pipelines::LightWork;
use crate::passes::mesh::pipelines::{Outcome, PipelineKey, VertexWork};
use crate::passes::mesh::sides::Sides;
use crate::passes::mesh::stamps::Stamped;
use crate::upload::mesh_buffer::Batch;
use sinew_model::{AlphaMode, Material, Topology};
use sinew_scene::look::Quality;
use sinew_scene::scene::{PaletteIn, Processor};
use sinew_scene::shared::{SIDES_BY_RASTERIZER, Shows};
use sinew_scene::view::View;
use sinew_skinning::SkinningMode;
use sinew_vulkan::{DescriptorSet, vk};

/// The data that all draws of a frame share.
pub(crate) struct Frame<'a> {
    /// Offset of the frame's block in the model's ring.
    pub offset: u64,
    /// The mode of the figure.
    pub mode: SkinningMode,
    /// Vertices that the CPU has skinned, for draws with [`Feed::Cpu`].
    pub cpu_vertices: &'a CpuVertices,
    /// Palettes of a crowd, for draws with [`Feed::Crowd`].
    pub crowd: &'a CrowdPalettes,
    /// Slots of instances, for draws with [`Feed::Instances`].
    pub instances: &'a Instances,
    /// Number of figures that a crowd shows.
    pub figures: u32,
    /// Colours of the view that change with the pose.
    pub moving_colors: Option<&'a MovingColors>,
    /// Set 2.
    pub surroundings: DescriptorSet,
    /// Width and height of the drawn image.
    pub drawn: [u32; 2],
    /// The size of a window's pixel.
    pub unit: f32,
}

/// Look of a frame's meshes.
#[derive(Clone, Copy)]
pub(crate) struct Style<'a> {
    pub mode: SkinningMode,
    /// Buffer from which vertex shaders read slots.
    pub palette: PaletteIn,
    pub view: &'a View,
    pub quality: Quality,
    /// True if data views omit the soft light.
    pub flat: bool,
    /// True if the edges of triangles are drawn over their surface.
    pub edges: bool,
    /// True if points, lines and unlit surfaces have a rim.
    pub rims: bool,
    /// Further processing of light.
    pub light: LightWork,
    /// True if the file's own lights shine.
    pub file_lights: bool,
    pub samples: vk::SampleCountFlags,
    /// True to draw bytes directly, instead of light that is encoded later.
    pub encodes: bool,
    /// The eye; with w 0, the direction towards an infinitely distant eye.
    pub eye_in_world: DVec4,
}

/// Source of a draw's skinned vertices.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Feed {
    /// The vertex shader skins the one figure with a palette in the ring.
    One,
    /// The vertex shader skins the figures of a crowd, several per palette.
    Crowd(DrawPalette),
    /// The CPU has skinned all figures; its vertices replace the mesh's.
    Cpu(CpuSpans),
    /// `skin.comp` has skinned the one figure; its vertices replace the mesh's.
    Computed(ComputedSpans),
    /// `skin.comp` has skinned some figures of a crowd; its vertices replace the mesh's.
    ComputedCrowd,
    /// The vertex shader moves instances, each with its slot.
    Instances {
        /// The index of their row.
        row: usize,
        /// The only instance of the row to draw; `None` for all.
        only: Option<usize>,
    },
}

/// The processor or shader that skins a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SkinnedBy {
    VertexShader,
    Compute,
    Cpu,
}

/// The decisions about a draw before its call is built.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decided {
    /// Processor or shader that skins it.
    pub skinned_by: SkinnedBy,
    /// Effect of the joints on the winding of its triangles.
    pub winding: Winding,
}

/// A draw with all decisions for this frame.
pub(crate) struct Call {
    pub draw: Draw,
    /// The draw's index.
    pub number: usize,
    /// True if the view replaces the vertices' colours.
    pub is_colored: bool,
    pub key: PipelineKey,
    pub surface: SurfaceBlock,
    pub sides: Sides,
    /// Source of its skinned vertices.
    pub feed: Feed,
    /// The figures that it draws.
    pub figures: Range<u32>,
    /// Distance from the eye, if the draw is blended.
    pub blended: Option<f64>,
    /// The pipeline that draws its shadow, if it casts one.
    pub caster: Option<PipelineKey>,
    /// The pipeline that draws the rim around it, if it has one.
    pub rim: Option<PipelineKey>,
    /// The edges to draw instead of the triangles.
    pub edges: Option<Edges>,
}

/// Edges of triangles.
#[derive(Clone, Copy)]
pub(crate) struct Edges {
    pub lines: Lines,
    /// True for edges over a visible surface, false for a wireframe view.
    pub is_over: bool,
}

impl Feed {
    /// Returns the source of vertices for a draw that is not an instance.
    pub(crate) fn of(number: usize, decided: Decided, gpu: &GpuModel, frame: &Frame<'_>) -> Self {
        let computed = || gpu.computed(frame.mode)?.spans(number);
        let prepared = "`prepare_drawn` made room for every draw that was decided for";
        match (decided.skinned_by, frame.cpu_vertices.spans(number), frame.crowd.of(number)) {
            (SkinnedBy::Cpu, Some(spans), _) => Self::Cpu(spans),
            (SkinnedBy::VertexShader, _, Some(palette)) => Self::Crowd(palette),
            (SkinnedBy::Compute, _, Some(_)) => Self::ComputedCrowd,
            (SkinnedBy::Compute, ..) => Self::Computed(computed().expect(prepared)),
            _ => Self::One,
        }
    }

    /// Returns the processor that skins a skinned draw.
    pub(crate) fn processor(&self) -> Processor {
        match self {
            Self::Cpu(_) => Processor::Cpu,
            Self::Computed(_) | Self::ComputedCrowd => Processor::Compute,
            Self::One | Self::Crowd(_) | Self::Instances { .. } => Processor::Gpu,
        }
    }
}

impl Call {
    /// Chooses the pipeline of a draw, and writes its palette into the ring.
    pub fn new(
        gpu: &mut GpuModel,
        number: usize,
        (decided, feed, style): (Decided, Feed, &Style<'_>),
        frame: &Frame<'_>,
        palettes: &mut Palettes,
    ) -> Self {
        let draw = gpu.draws[number];
        let (_, batch) = gpu.batch(&draw);
        let material = gpu.material(&draw);
        let by_shader = decided.skinned_by == SkinnedBy::VertexShader;
        let sides = Sides::new(material, batch.topology, decided.winding, by_shader);
        // Points and lines without normals are not lit, but they emit light (glTF 2.0, 3.9.6).
        let lightless = batch.topology != Topology::Triangles && batch.offset(Stream::Normal).is_none();
        let is_blended = material.is_blended() && style.view.is_shaded();
        let blended = is_blended.then(|| {
            let matrices = palettes.matrices(&gpu.figure.model, &draw);
            away(gpu.middles.of(number, matrices), style.eye_in_world)
        });
        let vertices = match feed {
            Feed::Cpu(_) | Feed::Computed(_) | Feed::ComputedCrowd => VertexWork::Place,
            Feed::One | Feed::Crowd(_) | Feed::Instances { .. } => VertexWork::Skin {
                mode: mode_of(&draw, style.mode),
                spans: if draw.skinned { batch.spans } else { 1 },
                slots_per_member: match feed {
                    Feed::Crowd(palette) => palette.slots,
                    Feed::Instances { .. } => 1,
                    Feed::One | Feed::Cpu(_) | Feed::Computed(_) | Feed::ComputedCrowd => 0,
                },
                stored: style.palette == PaletteIn::Storage,
            },
        };
        let key = PipelineKey {
            vertices,
            present: present(gpu, (number, batch), draw.skinned && by_shader, style),
            topology: batch.topology,
            outcome: outcome(style, material, &sides, lightless, is_blended),
        };
        let casts = style.quality == Quality::Full && batch.topology == Topology::Triangles;
        // Lighting shows the form of other surfaces, and with it their outline.
        let has_rim = style.rims && (material.unlit || batch.topology != Topology::Triangles);
        let rim = key.outcome.rim().filter(|_| has_rim);
        let shadow = Outcome::Shadow { holes: material.alpha != AlphaMode::Opaque };
        if let Feed::One | Feed::Computed(_) = feed {
            let slots = palettes.slots(&gpu.figure.model, &draw, batch, style.mode);
            gpu.ring.write(frame.offset + draw.palette_offset, bytemuck::cast_slice(slots));
        }
        Self {
            draw,
            number,
            is_colored: style.view.is_by_vertex(),
            key,
            surface: SurfaceBlock {
                sides: sides.known_by,
                hide_back: sides.hide_back,
                lightless: u32::from(lightless),
                view: style.view.facts().surface.shows(style.flat) as u32,
                nudge: [0.0; 2],
            },
            sides,
            feed,
            figures: 0..frame.figures,
            blended,
            caster: casts.then_some(PipelineKey { outcome: shadow, ..key }),
            rim: rim.map(|outcome| PipelineKey { outcome, ..key }),
            edges: None,
        }
    }

    /// Returns the kind of repeated drawing that makes a pipeline's result visible, if any.
    pub(crate) fn stamped(&self, key: &PipelineKey) -> Option<Stamped> {
        if let Outcome::Rim { .. } = key.outcome {
            return Some(Stamped::Rim(key.topology));
        }
        match (self.edges, self.key.topology) {
            (Some(Edges { is_over, .. }), _) => is_over.then_some(Stamped::Edges),
            (None, Topology::Points) => Some(Stamped::Points),
            (None, Topology::Lines) => Some(Stamped::Lines),
            (None, Topology::Triangles) => None,
        }
    }

    /// Returns true if it is blended with the surfaces behind it.
    pub(crate) fn is_blended(&self) -> bool {
        self.blended.is_some()
    }

    /// Returns the call for the edges of its triangles.
    fn of_edges(&self, edges: Edges, shows: Shows) -> Self {
        let Self { draw, number, is_colored, key, feed, blended, surface, .. } = *self;
        let figures = self.figures.clone();
        let outcome = Outcome::Viewed { samples: key.outcome.samples(), recedes: false };
        Self {
            draw,
            number,
            is_colored,
            key: PipelineKey { topology: Topology::Lines, outcome, ..key },
            surface: SurfaceBlock { view: shows as u32, sides: SIDES_BY_RASTERIZER, hide_back: 0, ..surface },
            sides: Sides::of_lines(),
            feed,
            figures,
            blended,
            caster: None,
            rim: None,
            edges: Some(edges),
        }
    }

    /// Returns this call, slightly receded, and the edges of its triangles over it.
    pub fn with_edges(self, lines: Lines, view: &View) -> [Self; 2] {
        let edges = self.of_edges(Edges { lines, is_over: true }, view.facts().surface.edges());
        [Self { key: PipelineKey { outcome: self.key.outcome.receding(), ..self.key }, ..self }, edges]
    }

    /// Returns this call as plain paper, slightly receded, and the edges of its triangles in front of it.
    pub fn outlined(self, lines: Lines) -> [Self; 2] {
        let edges = self.of_edges(Edges { lines, is_over: false }, Shows::Lines);
        let Self { key, surface, .. } = self;
        // The paper hides everything behind it from either side.
        let paper = Self {
            key: PipelineKey { outcome: key.outcome.receding(), ..key },
            surface: SurfaceBlock { view: Shows::Paper as u32, hide_back: 0, ..surface },
            sides: Sides { cull: vk::CullModeFlags::NONE, ..self.sides },
            ..self
        };
        [paper, edges]
    }
}

/// Returns a sort key that grows with the distance from the eye, even for an infinitely distant one.
fn away(place: DVec3, eye: DVec4) -> f64 {
    match eye.w {
        0.0 => -place.dot(eye.truncate()),
        _ => place.distance(eye.truncate()),
    }
}

/// Returns the streams that the pipeline reads per vertex, for [`PipelineKey::present`].
fn present(gpu: &GpuModel, (number, batch): (usize, &Batch), by_shader: bool, style: &Style<'_>) -> u32 {
    let mut present = 0u32;
    for stream in Stream::ALL {
        let skinning =
            Stream::SKINNING.as_flattened().contains(&stream) || Stream::OF_MODES.contains(&stream);
        let is_there = batch.offset(stream).is_some() || gpu.of_mode(style.mode, number, stream).is_some();
        let read = is_there && (by_shader || !skinning);
        present |= u32::from(read) << stream as u32;
    }
    if style.view.is_by_vertex() {
        present |= 1 << Stream::Color as u32;
    }
    present
}

fn outcome(style: &Style<'_>, material: &Material, sides: &Sides, lightless: bool, blend: bool) -> Outcome {
    if !style.view.is_shaded() {
        return Outcome::Viewed { samples: style.samples, recedes: false };
    }
    let odd_sides = lightless || sides.known_by != SIDES_BY_RASTERIZER || sides.hide_back != 0;
    let features = Features::new(material, style.quality, style.file_lights, odd_sides);
    match style.quality {
        Quality::Full | Quality::Draft => {
            let light = style.light;
            Outcome::Shaded { features, blend, samples: style.samples, recedes: false, light }
        }
        Quality::Plain => Outcome::Plain {
            features: features.plain(),
            blend,
            samples: style.samples,
            encodes: style.encodes,
            recedes: false,
            light: style.light,
        },
    }
}
