//! A model on the GPU: mesh buffers, materials, the ring of uniform blocks, and the list of draws.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use glam::DVec3;

use crate::interface::frame_block::FrameBlock;
use crate::interface::layouts::{Layouts, PALETTE_WINDOW, palette_alignment};
use crate::interface::streams::Stream;
use crate::model::computed::{Computed, MAX_COMPUTED};
use crate::model::computed_crowd::ComputedCrowd;
use crate::model::copies::Copies;
use crate::model::draws::{Draw, list_draws};
use crate::model::figure::Figure;
use crate::model::materials::GpuMaterials;
use crate::model::middles::Middles;
use crate::model::mode_streams::ModeStreams;
use crate::model::morphs::GpuMorphs;
use crate::model::repeats::find_repeats;
use crate::model::ring::Ring;
use crate::model::sharing::Sharing;
use crate::model::view_colors::ViewColors;
use crate::model::wires::Wires;
use crate::upload::mesh_buffer::{Batch, MeshBuffer};
use sinew_model::{Material, Model};
use sinew_scene::scene::{Framing, Retouch, Scene};
use sinew_scene::view::{Coloring, View};
use sinew_skinning::pairing::Pairing;
use sinew_skinning::pose::{PoseChoice, Shares};
use sinew_skinning::{SkinningMode, Slot};
use sinew_vulkan::{Buffer, Descriptor, DescriptorPool, DescriptorSet, Device, VulkanError};

/// Number of uploaded models.
static UPLOADED: AtomicU64 = AtomicU64::new(0);

/// A model ready to be drawn.
pub struct GpuModel {
    /// A unique identifier.
    pub(crate) number: u64,
    /// Number of drawn pictures of it.
    pub(crate) pictures: u64,
    /// The model itself, and its data on the CPU.
    pub(crate) figure: Figure,
    /// Buffers of the model's meshes.
    pub(crate) meshes: Vec<MeshBuffer>,
    /// Draws, one for each batch of each primitive of each instance.
    pub(crate) draws: Vec<Draw>,
    /// Draws that can be instances of one draw.
    pub(crate) sharing: Sharing,
    /// Uniform blocks of all frames in flight.
    pub(crate) ring: Ring,
    /// The centroids of blended draws.
    pub(crate) middles: Middles,
    /// The colours of the last view that colours vertices.
    pub(crate) view_colors: Option<ViewColors>,
    /// Streams for single modes, once these are drawn.
    mode_streams: ModeStreams,
    /// The edges of triangles, once a view has shown them.
    pub(crate) wires: Option<Wires>,
    /// Copies of data that figures of a crowd share, once the CPU has skinned one.
    pub(crate) copies: Option<Copies>,
    /// Vertices for `skin.comp`, for each mode that it has skinned in.
    pub(crate) computed: Vec<Computed>,
    /// Vertices of a crowd for `skin.comp`, in the last mode that it has skinned in.
    pub(crate) crowd: Option<ComputedCrowd>,
    /// The morphed streams, if the model has morph targets.
    pub(crate) morphs: Option<GpuMorphs>,
    /// The other of two files, if there is one.
    pub(crate) other: Option<Box<Other>>,
    /// Set 0: frame block and palette, both with dynamic offsets into the ring.
    pub(crate) frame_set: DescriptorSet,
    materials: GpuMaterials,
    _pool: DescriptorPool,
    device: Arc<Device>,
}

/// The other of two files.
pub(crate) struct Other {
    /// The uploaded model.
    pub gpu: GpuModel,
    /// Correspondence of the first file's vertices to it; computed when a view first needs it.
    pub pairing: Option<Pairing>,
}

impl Drop for GpuModel {
    fn drop(&mut self) {
        // A frame that was never waited for may still read all of this.
        self.device.finish();
    }
}

impl GpuModel {
    /// Uploads a model.
    pub(crate) fn new(
        device: &Arc<Device>,
        layouts: &Layouts,
        model: Arc<Model>,
    ) -> Result<Self, VulkanError> {
        let meshes = MeshBuffer::upload(device, &model.meshes)?;
        let alignment = palette_alignment(device);
        let batches: Vec<&[Vec<Batch>]> = meshes.iter().map(|mesh| mesh.primitives.as_slice()).collect();
        let (mut draws, stride) = list_draws(&model, &batches, alignment);
        let slots = draws.iter().map(|draw| batch(&meshes, draw).1.mesh_joints.len()).max().unwrap_or(0);
        let ring = Ring::new(device, stride, (slots * size_of::<Slot>()) as u64, alignment)?;
        let morphs = GpuMorphs::new(device, layouts, &model, &meshes, &mut draws)?;
        let materials = GpuMaterials::new(device, layouts, &model)?;
        let middles = Middles::new(&model, draws.iter().map(|draw| (draw, batch(&meshes, draw).1)));
        let pool = DescriptorPool::new(device, "model descriptors", &[(&layouts.frame, 1)])?;
        let window = |range| Descriptor::Buffer { buffer: ring.buffer(), offset: 0, range };
        let palette = window(PALETTE_WINDOW);
        let windows = [window(size_of::<FrameBlock>() as u64), palette, window(ring.window), palette];
        let frame_set = pool.set("frame", &layouts.frame, &windows)?;
        let repeats = find_repeats(&model);
        Ok(Self {
            figure: Figure::new(model),
            meshes,
            sharing: Sharing::new(&draws, |mesh, primitive| repeats[mesh][primitive]),
            draws,
            ring,
            middles,
            view_colors: None,
            mode_streams: ModeStreams::default(),
            wires: None,
            copies: None,
            computed: Vec::new(),
            crowd: None,
            pictures: 0,
            number: UPLOADED.fetch_add(1, Ordering::Relaxed),
            morphs,
            other: None,
            frame_set,
            materials,
            _pool: pool,
            device: Arc::clone(device),
        })
    }

    /// Sets the other of two files, for panes that show it and views that compare with it.
    pub fn set_other(&mut self, other: GpuModel) {
        self.other = Some(Box::new(Other { gpu: other, pairing: None }));
    }

    /// Returns the model it was made from.
    pub fn model(&self) -> &Arc<Model> {
        &self.figure.model
    }

    /// Returns the buffers of the model's meshes, in their order.
    pub fn meshes(&self) -> &[MeshBuffer] {
        &self.meshes
    }

    /// Returns the outermost points of the pose, or of the whole of its clips.
    pub fn hull(&mut self, pose: &PoseChoice) -> &[DVec3] {
        self.figure.hull(pose, Framing::Clip)
    }

    /// Returns the points that a scene's picture must contain.
    pub fn hull_of(&mut self, scene: &Scene) -> &[DVec3] {
        self.figure.hull_of(scene)
    }

    /// Returns the normal of the visible side of a flat figure.
    pub fn broad_side(&mut self, scene: &Scene) -> Option<DVec3> {
        self.figure.broad_side(scene)
    }

    /// Sets the hull that frames pictures of a pose, as returned by
    /// [`framing::hull_of`](sinew_scene::framing::hull_of).
    pub fn set_framing(&mut self, pose: &PoseChoice, framing: Framing, hull: Vec<DVec3>) {
        self.figure.set_hull(pose, framing, hull);
    }

    /// Uploads the wires or vertex colours of a view, unless the last picture left them there.
    pub(crate) fn prepare_view(
        &mut self,
        view: &View,
        shares: &Shares,
        flat: bool,
    ) -> Result<(), VulkanError> {
        if view.has_wires() {
            self.prepare_wires()?;
        }
        let is_there = |colors: &ViewColors| {
            colors.view == *view && colors.flat == flat && (!view.reads_shares() || colors.shares == *shares)
        };
        let is_there = self.view_colors.as_ref().is_some_and(is_there);
        if is_there || !view.is_by_vertex() || view.moving().is_some() {
            return Ok(());
        }
        // The GPU may still read the last view's.
        self.device.wait_idle()?;
        self.view_colors = None;
        let joints = self.figure.joint_colors();
        let model = &self.figure.model;
        let coloring = Coloring { rig: &model.rig, shares, joints: &joints, flat };
        let drawn = self.draws.iter().map(|draw| (draw, self.batch(draw).1));
        self.view_colors = Some(ViewColors::new(&self.device, model, (view, coloring), drawn)?);
        Ok(())
    }

    /// Uploads the edges of triangles, unless that is done.
    pub(crate) fn prepare_wires(&mut self) -> Result<(), VulkanError> {
        if self.wires.is_none() {
            self.wires = Some(Wires::new(&self.device, &self.figure.model, &self.draws)?);
        }
        Ok(())
    }

    /// Uploads a mode's inputs besides joints and weights, unless the last picture left them there. Computes centres
    /// of rotation if they are missing.
    pub(crate) fn prepare_mode(&mut self, mode: SkinningMode, shares: &Shares) -> Result<(), VulkanError> {
        let Self { device, figure, meshes, draws, mode_streams, .. } = self;
        let drawn = draws.iter().map(|draw| (draw, batch(meshes, draw).1));
        let number = mode_streams.ddm_number();
        mode_streams.prepare(device, &figure.model, mode, shares, drawn)?;
        if mode_streams.ddm_number() != number {
            // Whatever read other terms is made again.
            self.computed.retain(|computed| !computed.mode.facts().needs_ddm);
            self.crowd = self.crowd.take().filter(|crowd| !crowd.computed.mode.facts().needs_ddm);
            self.make_frame_set()?;
        }
        Ok(())
    }

    /// Makes set 0 again, for other terms of *ddm*.
    fn make_frame_set(&mut self) -> Result<(), VulkanError> {
        let window = |range| Descriptor::Buffer { buffer: self.ring.buffer(), offset: 0, range };
        let (frame, palette) = (window(size_of::<FrameBlock>() as u64), window(PALETTE_WINDOW));
        let layout = Layouts::frame(&self.device)?;
        let pool = DescriptorPool::new(&self.device, "model descriptors", &[(&layout, 1)])?;
        let set =
            pool.set("frame", &layout, &[frame, palette, window(self.ring.window), self.ddm_terms()])?;
        (self.frame_set, self._pool) = (set, pool);
        Ok(())
    }

    /// Returns the terms of *ddm* for set 0; any buffer before they are uploaded.
    pub(crate) fn ddm_terms(&self) -> Descriptor<'_> {
        let unread = || Descriptor::Buffer { buffer: self.ring.buffer(), offset: 0, range: PALETTE_WINDOW };
        self.mode_streams.ddm_terms().unwrap_or_else(unread)
    }

    /// Returns a number that changes with the terms of *ddm*.
    pub(crate) fn ddm_number(&self) -> u64 {
        self.mode_streams.ddm_number()
    }

    /// Uploads `each` copies of data that figures of a crowd share, for the requested draws, unless that is done.
    pub(crate) fn prepare_copies(
        &mut self,
        each: u32,
        is_wanted: impl Fn(usize) -> bool,
    ) -> Result<(), VulkanError> {
        let wanted = (0..self.draws.len()).filter(|draw| is_wanted(*draw));
        if each <= 1 || self.copies.as_ref().is_some_and(|copies| copies.serve(each, wanted)) {
            return Ok(());
        }
        // The GPU may still read the earlier ones.
        self.device.wait_idle()?;
        self.copies = None;
        let numbered = self.draws.iter().enumerate();
        let draws = numbered.map(|(number, draw)| (draw, self.batch(draw).1, is_wanted(number)));
        self.copies = Some(Copies::new(&self.device, &self.figure.model, each, draws)?);
        Ok(())
    }

    /// Returns the buffer and offset of a draw's copied stream, if each draw call draws several figures.
    pub(crate) fn copied(&self, each: u32, draw: usize, stream: Stream) -> Option<(&Buffer, u64)> {
        let copies = self.copies.as_ref().filter(|_| each > 1)?;
        Some((&copies.buffer, copies.of(draw)?.offset(stream)?))
    }

    /// Returns the buffer and offset of a mode's own stream of a draw's vertices; `None` for its default.
    pub(crate) fn of_mode(&self, mode: SkinningMode, draw: usize, stream: Stream) -> Option<(&Buffer, u64)> {
        self.mode_streams.of(mode, draw, stream)
    }

    /// Returns the batch of a draw, and its mesh buffer.
    pub(crate) fn batch(&self, draw: &Draw) -> (&MeshBuffer, &Batch) {
        batch(&self.meshes, draw)
    }

    /// Returns the buffer and offset of a draw's morphed stream, in its last state; `None` if no target moves it.
    pub(crate) fn morphed(&self, draw: &Draw, stream: Stream) -> Option<(&Buffer, u64)> {
        let morphs = self.morphs.as_ref()?;
        Some((&morphs.result, morphs.offset(draw, stream)?))
    }

    /// Returns the vertices of `skin.comp` in a mode.
    pub(crate) fn computed(&self, mode: SkinningMode) -> Option<&Computed> {
        self.computed.iter().find(|computed| computed.mode == mode)
    }

    /// Keeps the vertices of `skin.comp` in a mode, and those of other modes while there is room. The GPU must have
    /// finished with all.
    pub(crate) fn keep_computed(&mut self, computed: Computed) {
        let vertices = |of: &[Computed]| of.iter().map(Computed::vertices).sum::<u64>();
        while !self.computed.is_empty() && vertices(&self.computed) + computed.vertices() > MAX_COMPUTED {
            self.computed.remove(0);
        }
        self.computed.push(computed);
    }

    /// Notes that the commands that skin in a mode were submitted.
    pub(crate) fn settle_computed(&mut self, mode: SkinningMode) {
        let of_mode = self.computed.iter_mut().find(|computed| computed.mode == mode);
        of_mode.expect("settled after it was prepared").is_filled = true;
    }

    /// Notes that the commands that skin a crowd were submitted.
    pub(crate) fn settle_crowd(&mut self) {
        self.crowd.as_mut().expect("settled after it was prepared").computed.is_filled = true;
    }

    /// Frees the vertices of a crowd if they are spare. The next crowd that `skin.comp` skins gets new ones.
    pub(crate) fn release_crowd(
        &mut self,
        is_spare: impl FnOnce(&mut ComputedCrowd) -> bool,
    ) -> Result<(), VulkanError> {
        if self.crowd.as_mut().is_some_and(is_spare) {
            // The GPU may still read them. They go before others come, because both together may not fit.
            self.device.wait_idle()?;
            self.crowd = None;
        }
        Ok(())
    }

    /// Returns the size of the buffers for a crowd that `skin.comp` skins, in bytes.
    pub fn crowd_bytes(&self) -> u64 {
        let computed = self.crowd.as_ref().map(|crowd| &crowd.computed);
        computed.map_or(0, |computed| computed.sources.size() + computed.result.size())
    }

    /// Notes that the commands that morph by the last weights were submitted.
    pub(crate) fn settle_morphs(&mut self) {
        if let Some(morphs) = &mut self.morphs {
            morphs.settle();
        }
    }

    /// Applies edited factors to materials; waits for frames in flight.
    pub(crate) fn retouch(&mut self, retouches: &[Retouch]) -> Result<(), VulkanError> {
        self.materials.retouch(&self.device, &self.figure.model.materials, retouches)
    }

    /// Returns the size of the joints' slots that a frame's draws read, in bytes.
    pub fn palette_bytes(&self) -> u64 {
        self.draws.iter().map(|draw| draw.palette_offset).min().map_or(0, |first| self.ring.stride - first)
    }

    /// Returns the current material of a draw; the default one if its primitive has none.
    pub(crate) fn material(&self, draw: &Draw) -> &Material {
        self.materials.shown(draw.primitive_of(&self.figure.model).material)
    }

    /// Returns set 1 of a draw.
    pub(crate) fn material_set(&self, draw: &Draw) -> DescriptorSet {
        self.materials.set(draw.primitive_of(&self.figure.model).material)
    }
}

/// Draws are listed from these meshes, so their indices are in range.
fn batch<'a>(meshes: &'a [MeshBuffer], draw: &Draw) -> (&'a MeshBuffer, &'a Batch) {
    let mesh = &meshes[draw.mesh];
    (mesh, &mesh.primitives[draw.primitive][draw.batch])
}
