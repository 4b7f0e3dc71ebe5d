//! A model on the GPU: mesh buffers, materials, the ring of uniform blocks, and the list of draws.
//! It must not know the mode or the pose; those come with each frame.

use std::sync::Arc;

use glam::DVec3;

use super::frame_block::FrameBlock;
use super::gpu_materials::GpuMaterials;
use super::mesh_buffer::{DrawPart, MeshBuffer};
use super::middles::Middles;
use super::morphs::GpuMorphs;
use super::streams::Stream;
use super::view_colors::ViewColors;
use super::wires::Wires;
use super::{FRAMES_IN_FLIGHT, Layouts};
use crate::camera::Bounds;
use crate::framing;
use crate::overlay::{Ghost, Onion};
use crate::scene::{Retouch, Scene, retouched};
use crate::view::View;
use sinew_model::{Material, Model};
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::posed::{AS_TWIN, PreparedModel, SkinnedPrimitive, skin_model};
use sinew_skinning::{SLOTS, SkinningMode, Slot};
use sinew_vulkan::{
    Buffer, Descriptor, DescriptorPool, DescriptorSet, Device, MemoryLocation, VulkanError, vk,
};

/// What the shaders see of the palette at once, whatever part of it is filled.
pub const PALETTE_WINDOW: u64 = (SLOTS * size_of::<Slot>()) as u64;

/// A model ready to be drawn.
pub struct GpuModel {
    /// The model it was made from.
    pub model: Arc<Model>,
    /// One buffer for each mesh of the model.
    pub meshes: Vec<MeshBuffer>,
    /// One draw for each part of each primitive of each instance.
    pub draws: Vec<Draw>,
    /// Uniform blocks of all frames in flight: for each frame its block, then the draws' palettes.
    pub ring: Buffer,
    /// Bytes from frame to frame in the ring.
    pub ring_stride: u64,
    /// Where the views' blocks are from there.
    pub view_offsets: [u64; 3],
    /// Where the middles of draws are that are drawn in the order of their distance.
    pub(super) middles: Middles,
    /// The colours of the last view that was by vertex.
    pub(super) view_colors: Option<ViewColors>,
    /// The figure at other times, as it was last shown, and what was asked for then.
    pub(super) ghosts: Option<(GhostsAsked, Arc<Vec<Ghost>>)>,
    /// The edges of triangles, once a view has shown them.
    pub(super) wires: Option<Wires>,
    /// Where morphed streams are, if the model has morph targets.
    pub(super) morphs: Option<GpuMorphs>,
    /// Set 0: frame block and palette, both with dynamic offsets into the ring.
    pub frame_set: DescriptorSet,
    /// Set 1 for each material that is drawn.
    materials: GpuMaterials,
    /// The model's materials as they are shown, and what was made of the file's.
    shown: Vec<Material>,
    retouches: Vec<Retouch>,
    /// The outermost points of the last pose or clip that was asked for.
    framed: Option<(PoseChoice, Vec<DVec3>)>,
    /// The same with the joints, which reach further than the mesh where it is not shown.
    framed_joints: Option<(PoseChoice, Vec<DVec3>)>,
    /// The box around what was last asked for, as it stands.
    bounded: Option<(SkinningMode, PoseChoice, Option<Bounds>)>,
    /// Laid out for the CPU once a frame asks for that; `None` inside where it cannot be.
    prepared: Option<Option<PreparedModel>>,
    _pool: DescriptorPool,
    device: Arc<Device>,
}

impl Drop for GpuModel {
    fn drop(&mut self) {
        // A frame that was never waited for may still read all of this.
        if let Err(error) = self.device.wait_idle() {
            tracing::error!("the device did not finish: {error}");
        }
    }
}

/// Of which figure outlines at other times are: how it is skinned, where it stands, and which times.
pub(super) type GhostsAsked = (SkinningMode, PoseChoice, Onion);

/// One draw call.
#[derive(Clone, Copy, Debug)]
pub struct Draw {
    /// Index into [`Model::instances`].
    pub instance: usize,
    /// Index into [`GpuModel::meshes`].
    pub mesh: usize,
    /// Which primitive of the mesh.
    pub primitive: usize,
    /// Which part of the primitive.
    pub part: usize,
    /// Where its palette is in a frame's stretch of the ring.
    pub palette_offset: u64,
    /// Which of the model's morphed streams are its own, where targets move some.
    pub morph: Option<usize>,
    /// Whether its instance has a skin and the part joints, so that the skin's pose moves it.
    pub skinned: bool,
}

impl GpuModel {
    /// Uploads everything.
    pub(super) fn new(
        device: &Arc<Device>,
        layouts: &Layouts,
        model: Arc<Model>,
    ) -> Result<Self, VulkanError> {
        let meshes = model
            .meshes
            .iter()
            .enumerate()
            .map(|(number, mesh)| MeshBuffer::new(device, &format!("mesh {number} '{}'", mesh.name), mesh))
            .collect::<Result<Vec<_>, _>>()?;

        let alignment = device.physical().limits.min_uniform_buffer_offset_alignment.max(1);
        let parts: Vec<&[Vec<DrawPart>]> = meshes.iter().map(|mesh| mesh.primitives.as_slice()).collect();
        let (mut draws, ring_stride) = list_draws(&model, &parts, alignment);
        // After the last palette the shaders' window still reaches a whole palette further.
        let size = ring_stride * FRAMES_IN_FLIGHT as u64 + PALETTE_WINDOW;
        let usage = vk::BufferUsageFlags::UNIFORM_BUFFER;
        // Dynamic offsets are 32 bits wide.
        device.check_limit("uniform ring", "a size in bytes of", size, u32::MAX.into())?;
        let ring = Buffer::new(device, "uniform ring", size, usage, MemoryLocation::CpuToGpu)?;

        let morphs = GpuMorphs::new(device, layouts, &model, &meshes, &mut draws)?;
        let materials = GpuMaterials::new(device, layouts, &model)?;
        let drawn = draws.iter().filter_map(|draw| {
            let part = meshes.get(draw.mesh)?.primitives.get(draw.primitive)?.get(draw.part)?;
            Some((draw, part))
        });
        let middles = Middles::new(&model, drawn);
        let pool = DescriptorPool::new(device, "model descriptors", &[(&layouts.frame, 1)])?;
        let block = size_of::<FrameBlock>() as u64;
        let frame_set = pool.set(
            "frame",
            &layouts.frame,
            &[
                Descriptor::Buffer { buffer: &ring, offset: 0, range: block },
                Descriptor::Buffer { buffer: &ring, offset: 0, range: PALETTE_WINDOW },
            ],
        )?;
        Ok(Self {
            shown: model.materials.clone(),
            retouches: Vec::new(),
            model,
            meshes,
            draws,
            ring,
            ring_stride,
            view_offsets: view_offsets(alignment),
            middles,
            view_colors: None,
            ghosts: None,
            wires: None,
            morphs,
            frame_set,
            materials,
            framed: None,
            framed_joints: None,
            bounded: None,
            prepared: None,
            _pool: pool,
            device: Arc::clone(device),
        })
    }

    /// The outermost points of the pose, or of the whole of its clips: looked for once, not each frame.
    pub fn outline(&mut self, pose: &PoseChoice) -> &[DVec3] {
        // Every time in a clip has the same outline.
        let kept = self.framed.take().filter(|(framed, _)| framed.is_same_motion(pose));
        let framed = kept.unwrap_or_else(|| (pose.clone(), framing::outline(&self.model, pose)));
        &self.framed.insert(framed).1
    }

    /// What a scene's picture has to hold: joints, too, where it shows nothing else.
    pub fn outline_of(&mut self, scene: &Scene) -> &[DVec3] {
        if scene.view != View::Skeleton {
            return self.outline(&scene.pose);
        }
        let kept = self.framed_joints.take().filter(|(framed, _)| framed.is_same_motion(&scene.pose));
        let framed = kept.unwrap_or_else(|| {
            let mut points = self.outline(&scene.pose).to_vec();
            points.extend(framing::joints(&self.model, &scene.pose));
            (scene.pose.clone(), points)
        });
        &self.framed_joints.insert(framed).1
    }

    /// The box around everything the model draws, as it stands.
    pub(super) fn bounds(&mut self, mode: SkinningMode, choice: &PoseChoice, pose: &Pose) -> Option<Bounds> {
        // Every part of a large picture asks again.
        if let Some((_, _, bounds)) = self.bounded.as_ref().filter(|(m, p, _)| *m == mode && p == choice) {
            return *bounds;
        }
        let mut bounds = Bounds::EMPTY;
        let skinned = self.skin_on_cpu(mode, pose);
        for position in skinned.iter().flat_map(|primitive| &primitive.positions) {
            bounds.add(DVec3::from(position.map(f64::from)));
        }
        let bounds = bounds.min.cmple(bounds.max).all().then_some(bounds);
        self.bounded = Some((mode, choice.clone(), bounds));
        bounds
    }

    /// Lets go of the model's pictures, which are on the GPU, where nobody else has the model.
    pub(super) fn release_pictures(&mut self) {
        if let Some(model) = Arc::get_mut(&mut self.model) {
            model.pictures.iter_mut().for_each(|picture| *picture = None);
        }
    }

    /// Takes an outline that was looked for elsewhere.
    pub fn frame(&mut self, pose: &PoseChoice, outline: Vec<DVec3>) {
        self.framed = Some((pose.clone(), outline));
    }

    /// Everything the model draws, skinned by the CPU.
    pub fn skin_on_cpu(&mut self, mode: SkinningMode, pose: &Pose) -> Vec<SkinnedPrimitive<f32>> {
        let model = &self.model;
        let prepared = self.prepared.get_or_insert_with(|| PreparedModel::new(model).ok());
        let skinned = prepared.as_mut().map(|prepared| prepared.skin(model, mode, pose, &AS_TWIN));
        match skinned {
            Some(Ok(skinned)) => skinned,
            // The twin takes longer and gives the same bits.
            Some(Err(_)) | None => skin_model(model, mode, pose),
        }
    }

    /// Makes what a view shows besides the mesh, where the last picture did not show the same.
    pub(super) fn prepare_view(&mut self, view: &View) -> Result<(), VulkanError> {
        if *view == View::Wireframe && self.wires.is_none() {
            self.wires = Some(Wires::new(&self.device, &self.model, &self.draws)?);
        }
        let is_there = self.view_colors.as_ref().is_some_and(|colors| colors.view == *view);
        if is_there || !view.is_by_vertex() {
            return Ok(());
        }
        // The GPU may still read the last view's.
        self.device.wait_idle()?;
        self.view_colors = None;
        let drawn = self.draws.iter().filter_map(|draw| Some((draw, self.part(draw)?.1)));
        self.view_colors = Some(ViewColors::new(&self.device, &self.model, view, drawn)?);
        Ok(())
    }

    /// What a draw draws.
    pub fn part(&self, draw: &Draw) -> Option<(&MeshBuffer, &DrawPart)> {
        let mesh = self.meshes.get(draw.mesh)?;
        Some((mesh, mesh.primitives.get(draw.primitive)?.get(draw.part)?))
    }

    /// Where a draw's stream is that morph targets move: as they last moved it.
    pub fn morphed(&self, draw: &Draw, stream: Stream) -> Option<(&Buffer, u64)> {
        let morphs = self.morphs.as_ref()?;
        Some((&morphs.result, morphs.offset(draw, stream)?))
    }

    /// Notes that what was recorded for the last weights is on its way.
    pub(super) fn settle_morphs(&mut self) {
        if let Some(morphs) = &mut self.morphs {
            morphs.settle();
        }
    }

    /// Shows materials with other factors than the file's; frames that are on their way are waited for.
    pub(super) fn retouch(&mut self, retouches: &[Retouch]) -> Result<(), VulkanError> {
        if self.retouches == retouches {
            return Ok(());
        }
        self.device.wait_idle()?;
        let shown = retouched(&self.model.materials, retouches);
        self.materials.write(&self.device, &shown)?;
        (self.shown, self.retouches) = (shown, retouches.to_vec());
        Ok(())
    }

    /// How many bytes of joints' matrices a frame's draws read.
    pub fn palette_bytes(&self) -> u64 {
        self.draws.iter().map(|draw| draw.palette_offset).min().map_or(0, |first| self.ring_stride - first)
    }

    /// The number of a draw's material, `None` for the default one.
    fn material_number(&self, draw: &Draw) -> Option<usize> {
        self.model.meshes.get(draw.mesh)?.primitives.get(draw.primitive)?.material
    }

    /// The material of a draw, `None` for the default one.
    pub fn material(&self, draw: &Draw) -> Option<&Material> {
        self.shown.get(self.material_number(draw)?)
    }

    /// Set 1 of a draw.
    pub fn material_set(&self, draw: &Draw) -> Option<DescriptorSet> {
        self.materials.set(self.material_number(draw))
    }
}

/// Where the blocks of a frame's views are in its stretch of the ring: the camera's, the shadow map's and
/// the contact map's.
pub fn view_offsets(alignment: u64) -> [u64; 3] {
    let stride = (size_of::<FrameBlock>() as u64).next_multiple_of(alignment);
    [0, stride, stride * 2]
}

/// One draw a part, palettes packed one after the other behind the frame blocks; and the bytes of all.
pub fn list_draws(model: &Model, meshes: &[&[Vec<DrawPart>]], alignment: u64) -> (Vec<Draw>, u64) {
    let mut draws = Vec::new();
    let [_, second, third] = view_offsets(alignment);
    let mut end = third + second;
    for (number, instance) in model.instances.iter().enumerate() {
        let Some(primitives) = meshes.get(instance.mesh) else { continue };
        for (primitive, parts) in primitives.iter().enumerate() {
            for (part, draw_part) in parts.iter().enumerate() {
                let skinned = instance.skin.is_some() && draw_part.skinned;
                draws.push(Draw {
                    instance: number,
                    mesh: instance.mesh,
                    primitive,
                    part,
                    palette_offset: end,
                    morph: None,
                    skinned,
                });
                // A part whose instance has no skin still reads the slots its joints name.
                let slots = draw_part.joints.len().max(1) as u64;
                end = (end + slots * size_of::<Slot>() as u64).next_multiple_of(alignment);
            }
        }
    }
    (draws, end)
}
