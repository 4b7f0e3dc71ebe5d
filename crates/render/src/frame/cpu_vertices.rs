//! Vertices that the CPU skins into a host-written buffer each frame: of one figure, or of all visible figures of a
//! crowd, group by group. The GPU draws them unchanged.

use std::sync::Arc;

use bytemuck::Pod;
use rayon::prelude::*;

use crate::frame::members::{Members, Shown};
use crate::frame::palettes::joints_of;
use crate::frame::worker::{StageTimes, Worker};
use crate::interface::streams::Stream;
use crate::model::draws::Draw;
use crate::model::gpu_model::GpuModel;
use crate::model::groups::Groups;
use crate::upload::mesh_buffer::{Batch, fractions};
use sinew_model::Primitive;
use sinew_scene::scene::Scene;
use sinew_skinning::cpu::{Error, Out, Settings, Threads};
use sinew_skinning::delta_mush::DeltaMush;
use sinew_skinning::morph::{self, Surface};
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::posed::{AS_TWIN, Drawn, PreparedModel, SkinnedPrimitive, Skinner, skin_model};
use sinew_skinning::{Fault, MeshNormals, Normals, Yardstick};
use sinew_vulkan::{Buffer, Device, Stopwatch, VulkanError, vk};

/// Target size of a group in vertices: enough for a draw, few enough for a processor's cache.
const GROUP: u64 = 32_768;

/// Alignment of spans in bytes.
const ALIGNMENT: u64 = 16;

/// Offsets of one draw's vertices in a group's block, figure after figure.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CpuSpans {
    positions: u64,
    normals: Option<u64>,
    tangents: Option<u64>,
    texcoords: [Option<u64>; 2],
    colors: Option<u64>,
    /// Number of vertices per figure.
    vertices: u64,
}

impl CpuSpans {
    /// Lays a draw's spans out behind earlier ones.
    fn lay_out(primitive: &Primitive, batch: &Batch, each: u32, end: &mut u64) -> Self {
        let vertices = batch.vertices.len() as u64;
        let mut span = |stream: Stream| {
            let begin = *end;
            *end =
                (begin + vertices * u64::from(each) * u64::from(stream.size())).next_multiple_of(ALIGNMENT);
            begin
        };
        let morphs = primitive.morphs.as_ref();
        let moves = |set: usize| {
            let deltas = morphs.and_then(|morphs| morphs.texcoords.get(set)?.as_ref());
            deltas.is_some() && primitive.texcoords.get(set).is_some()
        };
        let moves_colors = morphs.is_some_and(|morphs| morphs.colors.is_some()) && primitive.colors.is_some();
        let has_normals = primitive.normals.is_some();
        Self {
            positions: span(Stream::Position),
            normals: has_normals.then(|| span(Stream::Normal)),
            tangents: (has_normals && primitive.tangents.is_some()).then(|| span(Stream::Tangent)),
            texcoords: [0, 1].map(|set| moves(set).then(|| span(Stream::TEXCOORDS[set]))),
            colors: moves_colors.then(|| span(Stream::Color)),
            vertices,
        }
    }

    /// Returns the stream's offset, if skinning or morph targets move it.
    pub(crate) fn offset(&self, stream: Stream) -> Option<u64> {
        match stream {
            Stream::Position => Some(self.positions),
            Stream::Normal => self.normals,
            Stream::Tangent => self.tangents,
            Stream::Texcoord => self.texcoords[0],
            Stream::Texcoord1 => self.texcoords[1],
            Stream::Color => self.colors,
            Stream::Joints
            | Stream::Weights
            | Stream::Joints1
            | Stream::Weights1
            | Stream::Joints2
            | Stream::Weights2
            | Stream::Joints3
            | Stream::Weights3
            | Stream::Share
            | Stream::Center => None,
        }
    }

    /// Returns a figure's part of a span that begins at `offset` in its group's block.
    fn of<'a, T: Pod>(&self, block: &'a mut [u8], offset: u64, figure: usize) -> &'a mut [T] {
        let size = self.vertices as usize * size_of::<T>();
        let begin = offset as usize + figure * size;
        bytemuck::cast_slice_mut(&mut block[begin..begin + size])
    }

    /// Returns a figure's positions, normals and tangents, whose spans lie in this order.
    fn out<'a>(&self, block: &'a mut [u8], figure: usize) -> Out<'a> {
        let split = |block: &'a mut [u8], offset: Option<u64>| match offset {
            Some(offset) => {
                let (before, after) = block.split_at_mut(offset as usize);
                (before, Some(after))
            }
            None => (block, None),
        };
        let (block, tangents) = split(block, self.tangents);
        let (block, normals) = split(block, self.normals);
        Out {
            positions: Some(self.of(block, self.positions, figure)),
            normals: normals.map(|normals| self.of(normals, 0, figure)),
            tangents: tangents.map(|tangents| self.of(tangents, 0, figure)),
        }
    }
}

/// The vertices of one frame.
#[derive(Default)]
pub(crate) struct CpuVertices {
    buffer: Option<Buffer>,
    groups: Groups,
    /// `None` for draws whose vertices the CPU does not skin; ends with the last one that it does.
    draws: Vec<Option<CpuSpans>>,
    /// Key of the current vertices, if a later picture may reuse them.
    still: Option<Still>,
}

/// The inputs of vertices in a still pose.
#[derive(PartialEq)]
struct Still {
    model: u64,
    drawn: Yardstick,
    normals: Normals,
    pose: PoseChoice,
    fault: Option<Fault>,
    shown: Vec<Shown>,
    groups: Groups,
    draws: Vec<bool>,
}

impl Still {
    /// Returns the key of a frame's vertices; `None` for a moving pose.
    fn of(gpu: &GpuModel, scene: &Scene, members: &Members, filled: &CpuVertices) -> Option<Self> {
        let moves = matches!(&scene.pose, PoseChoice::Clips(mix) if mix.all().next().is_some());
        (!moves).then(|| Self {
            model: gpu.number,
            drawn: scene.drawn(),
            normals: scene.normals,
            pose: scene.pose.clone(),
            fault: scene.inject,
            shown: members.shown().to_vec(),
            groups: filled.groups,
            draws: filled.draws.iter().map(Option::is_some).collect(),
        })
    }
}

/// Returns the number of figures whose vertices a draw call draws, if these draws are skinned before.
pub(crate) fn figures_together(
    gpu: &GpuModel,
    scene: &Scene,
    members: &Members,
    is_wanted: &dyn Fn(usize) -> bool,
) -> u32 {
    let numbered = gpu.draws.iter().enumerate().filter(|(number, _)| is_wanted(*number));
    let batches: Vec<&Batch> = numbered.map(|(_, draw)| gpu.batch(draw).1).collect();
    let vertices: u64 = batches.iter().map(|batch| batch.vertices.len() as u64).sum();
    // Several groups per thread, so that no thread waits for the last.
    let few = (members.shown().len() as u32).div_ceil(rayon::current_num_threads() as u32 * 4).max(1);
    // Data with only one copy is drawn figure by figure: colours of a view, parts of a primitive.
    let is_alone =
        scene.view.is_by_vertex() || scene.view.has_wires() || batches.iter().any(|batch| !batch.is_whole);
    if is_alone { 1 } else { (GROUP / vertices.max(1)).clamp(1, u64::from(few)) as u32 }
}

impl CpuVertices {
    /// Skins the requested draws, for every figure, `each` of them per group. The GPU must have finished with the earlier vertices.
    pub(crate) fn fill(
        &mut self,
        device: &Arc<Device>,
        gpu: &mut GpuModel,
        (scene, pose): (&Scene, &Pose),
        (members, each, is_wanted): (&Members, u32, &dyn Fn(usize) -> bool),
        workers: &mut Vec<Worker>,
    ) -> Result<(), VulkanError> {
        self.lay_out(gpu, members, each, is_wanted);
        let Groups { each, stride, .. } = self.groups;
        let still = Still::of(gpu, scene, members, self);
        if self.groups.size() == 0 || still.is_some() && still == self.still {
            return Ok(());
        }
        // The buffer's content is undefined until it is filled.
        self.still = None;
        let usage = vk::BufferUsageFlags::VERTEX_BUFFER;
        let name = "vertices skinned by the CPU";
        let mut buffer = Buffer::with_room(device, name, self.buffer.take(), self.groups.size(), usage)?;
        let bytes = buffer.bytes_mut().expect("made where the host sees it");
        workers.resize_with(workers.len().max(self.groups.count() as usize), Worker::default);
        let prepared = gpu.figure.prepare(scene, pose);
        let mush = gpu.figure.measure(scene.drawn()).mush;
        let normals = gpu.figure.mesh_normals(scene.normals);
        let (prepared_model, mush, normals) = (prepared.as_ref(), mush.as_deref(), normals.as_deref());
        let job = Job { gpu, draws: &self.draws, scene, pose, prepared: prepared_model, mush, normals };
        let run = |job: &Job<'_>, bytes: &mut [u8], workers: &mut [Worker]| {
            let blocks = bytes.par_chunks_exact_mut(stride as usize);
            let groups = blocks.zip(members.shown().par_chunks(each as usize)).zip(workers.par_iter_mut());
            groups.try_for_each(|((block, figures), worker)| {
                job.skin(block, figures, members.is_crowd(), worker)
            })
        };
        // The fast path may reject a hand-built model; the twin accepts any, but takes longer.
        if run(&job, bytes, workers).is_err() {
            let by_twin = run(&Job { prepared: None, ..job }, bytes, workers);
            by_twin.expect("the twin takes any model");
        }
        if let Some(prepared) = prepared {
            gpu.figure.keep(prepared);
        }
        (self.buffer, self.still) = (Some(buffer), still);
        Ok(())
    }

    fn lay_out(&mut self, gpu: &GpuModel, members: &Members, each: u32, is_wanted: &dyn Fn(usize) -> bool) {
        let wanted = || gpu.draws.iter().enumerate().filter(|(number, _)| is_wanted(*number));
        let figures = members.shown().len() as u32;
        let mut end = 0;
        self.draws.clear();
        for (number, draw) in wanted() {
            let (primitive, batch) = (draw.primitive_of(gpu.model()), gpu.batch(draw).1);
            self.draws.resize(number, None);
            self.draws.push(Some(CpuSpans::lay_out(primitive, batch, each, &mut end)));
        }
        self.groups = Groups { each, figures, stride: end };
    }

    /// Returns the groups of figures that share draws.
    pub(crate) fn groups(&self) -> &Groups {
        &self.groups
    }

    /// Returns the buffer, once it was filled.
    pub(crate) fn buffer(&self) -> &Buffer {
        self.buffer.as_ref().expect("`fill` came before")
    }

    /// Returns the offsets of a draw's vertices in a group, if the CPU has skinned them.
    pub(crate) fn spans(&self, draw: usize) -> Option<CpuSpans> {
        self.draws.get(draw).copied().flatten()
    }
}

/// The inputs of skinning figures.
#[derive(Clone, Copy)]
struct Job<'a> {
    gpu: &'a GpuModel,
    draws: &'a [Option<CpuSpans>],
    scene: &'a Scene,
    pose: &'a Pose,
    /// The model in the layout of the fast path; without it, the twin skins.
    prepared: Option<&'a PreparedModel>,
    /// Delta mush, if the scene draws it.
    mush: Option<&'a DeltaMush>,
    /// The model's smooth groups, if the scene draws recomputed normals.
    normals: Option<&'a MeshNormals>,
}

impl Job<'_> {
    /// Skins the figures of a group.
    fn skin(
        &self,
        block: &mut [u8],
        figures: &[Shown],
        is_crowd: bool,
        Worker { skinner, times }: &mut Worker,
    ) -> Result<(), Error> {
        let Self { gpu, scene, pose, .. } = *self;
        let mut watch = Stopwatch::start();
        // One figure alone uses all threads.
        let threads = if is_crowd { Threads::Caller } else { Threads::Pool };
        let settings = Settings { threads, ..AS_TWIN };
        for (number, figure) in figures.iter().enumerate() {
            match is_crowd {
                true => skinner.set_pose(gpu.model(), &scene.pose, figure.time_secs, scene.inject),
                false => skinner.take_pose(pose),
            }
            times.sample += watch.lap();
            match (self.prepared, self.normals) {
                (Some(prepared), None) => {
                    self.by_fast_path(prepared, block, number, (skinner, times, &mut watch), &settings)?
                }
                (Some(prepared), Some(_)) => {
                    let whole = self.whole(prepared, skinner, &settings)?;
                    self.gather_whole(whole, block, number, skinner.pose());
                }
                (None, _) => self.gather_whole(self.by_twin(skinner.pose()), block, number, skinner.pose()),
            }
            for (draw, spans) in self.wanted() {
                if figure.place != [0.0; 3] {
                    let positions: &mut [[f32; 3]] = spans.of(block, spans.positions, number);
                    for position in positions {
                        *position = [0, 1, 2].map(|axis| position[axis] + figure.place[axis]);
                    }
                }
                self.write_surface(draw, spans, block, number, skinner.pose());
            }
            times.skin += watch.lap();
        }
        Ok(())
    }

    fn wanted(&self) -> impl Iterator<Item = (&Draw, &CpuSpans)> {
        self.gpu.draws.iter().zip(self.draws).filter_map(|(draw, spans)| Some((draw, spans.as_ref()?)))
    }

    fn by_fast_path(
        &self,
        prepared: &PreparedModel,
        block: &mut [u8],
        figure: usize,
        (skinner, times, watch): (&mut Skinner, &mut StageTimes, &mut Stopwatch),
        settings: &Settings,
    ) -> Result<(), Error> {
        let model = self.gpu.model();
        // A primitive in several batches is skinned once.
        let mut whole: Option<SkinnedPrimitive<f32>> = None;
        for (draw, spans) in self.wanted() {
            let (primitive, batch) = (draw.primitive_of(model), self.gpu.batch(draw).1);
            let drawn = Drawn { number: draw.number, instance: draw.instance, primitive };
            times.skin += watch.lap();
            let joints = joints_of(draw, batch, self.scene.mode);
            skinner.slots(model, draw.instance, draw.skinned, self.scene.mode, joints);
            times.palette += watch.lap();
            if batch.is_whole {
                let out = spans.out(block, figure);
                prepared.skin_primitive(skinner, model, drawn, self.scene.mode, out, settings)?;
                continue;
            }
            let is_there = |whole: &SkinnedPrimitive<f32>| {
                (whole.instance, whole.primitive) == (draw.instance, draw.primitive)
            };
            let skinned = match whole.take().filter(is_there) {
                Some(skinned) => skinned,
                None => {
                    let mut room = SkinnedPrimitive::of(primitive, draw.instance, draw.primitive);
                    prepared.skin_primitive(skinner, model, drawn, self.scene.mode, room.out(), settings)?;
                    room
                }
            };
            gather(spans, batch, &skinned, block, figure);
            whole = Some(skinned);
        }
        Ok(())
    }

    /// Skins the whole figure by the fast path.
    fn whole(
        &self,
        prepared: &PreparedModel,
        skinner: &mut Skinner,
        settings: &Settings,
    ) -> Result<Vec<SkinnedPrimitive<f32>>, Error> {
        let model = self.gpu.model();
        let mut whole = SkinnedPrimitive::all_of(model);
        for (number, own) in whole.iter_mut().enumerate() {
            let mesh = model.instances.get(own.instance).and_then(|instance| model.meshes.get(instance.mesh));
            let Some(primitive) = mesh.and_then(|mesh| mesh.primitives.get(own.primitive)) else { continue };
            let drawn = Drawn { number, instance: own.instance, primitive };
            prepared.skin_primitive(skinner, model, drawn, self.scene.mode, own.out(), settings)?;
        }
        Ok(whole)
    }

    /// Skins the whole figure by delta mush or by the reference definition, with the pose's fault if it has one.
    fn by_twin(&self, pose: &Pose) -> Vec<SkinnedPrimitive<f32>> {
        match self.mush {
            Some(mush) => mush.skin(self.gpu.model(), pose),
            None => skin_model(self.gpu.model(), self.scene.mode, pose),
        }
    }

    /// Copies the vertices of a whole figure, with the normals of the scene.
    fn gather_whole(
        &self,
        mut whole: Vec<SkinnedPrimitive<f32>>,
        block: &mut [u8],
        figure: usize,
        pose: &Pose,
    ) {
        if let Some(normals) = self.normals {
            normals.apply(self.gpu.model(), pose, &mut whole);
        }
        for (draw, spans) in self.wanted() {
            gather(spans, self.gpu.batch(draw).1, &whole[draw.number], block, figure);
        }
    }

    /// Writes texture coordinates and colours that morph targets move.
    fn write_surface(&self, draw: &Draw, spans: &CpuSpans, block: &mut [u8], figure: usize, pose: &Pose) {
        if spans.texcoords == [None; 2] && spans.colors.is_none() {
            return;
        }
        let (model, batch) = (self.gpu.model(), self.gpu.batch(draw).1);
        let mut weights = Vec::new();
        morph::weights_into(pose, &mut weights);
        let primitive = draw.primitive_of(model);
        let surface =
            Surface::of(primitive, morph::weights_of(&model.rig, draw.instance_of(model), &weights));
        for (set, offset) in spans.texcoords.iter().enumerate() {
            let moved = surface.texcoords.get(set).and_then(Option::as_ref);
            if let (Some(offset), Some(stream)) = (offset, moved.or(primitive.texcoords.get(set))) {
                pick(stream, batch, spans.of(block, *offset, figure));
            }
        }
        if let (Some(offset), Some(colors)) =
            (spans.colors, surface.colors.as_ref().or(primitive.colors.as_ref()))
        {
            let colors: Vec<[u16; 4]> = colors.iter().copied().map(fractions).collect();
            pick(&colors, batch, spans.of(block, offset, figure));
        }
    }
}

/// Copies a batch's vertices from those of its primitive.
fn gather(spans: &CpuSpans, batch: &Batch, skinned: &SkinnedPrimitive<f32>, block: &mut [u8], figure: usize) {
    let Out { positions, normals, tangents } = spans.out(block, figure);
    if let Some(positions) = positions {
        pick(&skinned.positions, batch, positions);
    }
    if let (Some(from), Some(normals)) = (&skinned.normals, normals) {
        pick(from, batch, normals);
    }
    if let (Some(from), Some(tangents)) = (&skinned.tangents, tangents) {
        pick(from, batch, tangents);
    }
}

fn pick<T: Copy + Default>(from: &[T], batch: &Batch, out: &mut [T]) {
    for (out, &vertex) in out.iter_mut().zip(&batch.vertices) {
        // The indices of a hand-built model may name vertices that it lacks.
        *out = from.get(vertex as usize).copied().unwrap_or_default();
    }
}
