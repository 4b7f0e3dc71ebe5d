//! A model on the GPU: mesh buffers, textures, the ring of uniform blocks, and the list of draws.
//! It must not know the mode or the pose; those come with each frame.

use std::sync::Arc;

use glam::DVec3;

use super::frame_block::FrameBlock;
use super::mesh_buffer::{DrawPart, MeshBuffer};
use super::transfer::upload_texture;
use super::{FRAMES_IN_FLIGHT, Layouts};
use crate::framing;
use crate::model::{Material, Model};
use crate::pose::{Pose, PoseChoice};
use crate::skinning::posed::{AS_TWIN, PreparedModel, SkinnedPrimitive, skin_model};
use crate::skinning::{SLOTS, SkinningMode, Slot};
use crate::vulkan::{
    Buffer, Descriptor, DescriptorPool, DescriptorSet, Device, Image, MemoryLocation, Sampler, VulkanError,
    vk,
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
    /// Set 0: frame block and palette, both with dynamic offsets into the ring.
    pub frame_set: DescriptorSet,
    /// Set 1 for each picture of the model; the last one is plain white.
    pub texture_sets: Vec<DescriptorSet>,
    /// The outermost points of the last pose or clip that was asked for.
    framed: Option<(PoseChoice, Vec<DVec3>)>,
    /// Laid out for the CPU once a frame asks for that; `None` inside where it cannot be.
    prepared: Option<Option<PreparedModel>>,
    _textures: Vec<Image>,
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
    /// Whether its instance has a skin and the part joints, so that the skin's pose moves it.
    pub skinned: bool,
}

impl GpuModel {
    /// Uploads everything.
    pub(super) fn new(
        device: &Arc<Device>,
        layouts: &Layouts,
        sampler: &Sampler,
        model: Arc<Model>,
    ) -> Result<Self, VulkanError> {
        let meshes = model
            .meshes
            .iter()
            .enumerate()
            .map(|(number, mesh)| MeshBuffer::new(device, &format!("mesh {number} '{}'", mesh.name), mesh))
            .collect::<Result<Vec<_>, _>>()?;

        let alignment = device.physical().limits.min_uniform_buffer_offset_alignment.max(1);
        let (draws, ring_stride) = list_draws(&model, &meshes, alignment);
        // After the last palette the shaders' window still reaches a whole palette further.
        let size = ring_stride * FRAMES_IN_FLIGHT as u64 + PALETTE_WINDOW;
        let usage = vk::BufferUsageFlags::UNIFORM_BUFFER;
        // Dynamic offsets are 32 bits wide.
        device.check_limit("uniform ring", "a size in bytes of", size, u32::MAX.into())?;
        let ring = Buffer::new(device, "uniform ring", size, usage, MemoryLocation::CpuToGpu)?;

        let mut textures = Vec::new();
        let mut set_of_picture = Vec::new();
        for (number, picture) in model.pictures.iter().enumerate() {
            set_of_picture.push(picture.as_ref().map(|_| textures.len()));
            if let Some(picture) = picture {
                let size = [picture.width, picture.height];
                textures.push(upload_texture(device, &format!("picture {number}"), size, &picture.rgba)?);
            }
        }
        textures.push(upload_texture(device, "plain white", [1, 1], &[u8::MAX; 4])?);

        let texture_count = textures.len() as u32;
        let layout_counts = [(&layouts.frame, 1), (&layouts.texture, texture_count)];
        let pool = DescriptorPool::new(device, "model descriptors", &layout_counts)?;
        let block = size_of::<FrameBlock>() as u64;
        let frame_set = pool.set(
            "frame",
            &layouts.frame,
            &[
                Descriptor::Buffer { buffer: &ring, offset: 0, range: block },
                Descriptor::Buffer { buffer: &ring, offset: 0, range: PALETTE_WINDOW },
            ],
        )?;
        let sets = textures
            .iter()
            .map(|image| pool.set("texture", &layouts.texture, &[Descriptor::Image { image, sampler }]))
            .collect::<Result<Vec<_>, _>>()?;
        let white = sets.len().saturating_sub(1);
        let texture_sets = set_of_picture
            .into_iter()
            .chain([Some(white)])
            .filter_map(|set| sets.get(set.unwrap_or(white)).copied())
            .collect();
        Ok(Self {
            model,
            meshes,
            draws,
            ring,
            ring_stride,
            frame_set,
            texture_sets,
            framed: None,
            prepared: None,
            _textures: textures,
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

    /// Everything the model draws, skinned by the CPU.
    pub fn skin_on_cpu(&mut self, mode: SkinningMode, pose: &Pose) -> Vec<SkinnedPrimitive<f32>> {
        let model = &self.model;
        let prepared = self.prepared.get_or_insert_with(|| PreparedModel::new(model).ok());
        let skinned = prepared.as_ref().map(|prepared| prepared.skin(model, mode, pose, &AS_TWIN));
        match skinned {
            Some(Ok(skinned)) => skinned,
            // The twin takes longer and gives the same bits.
            Some(Err(_)) | None => skin_model(model, mode, pose),
        }
    }

    /// What a draw draws.
    pub fn part(&self, draw: &Draw) -> Option<(&MeshBuffer, &DrawPart)> {
        let mesh = self.meshes.get(draw.mesh)?;
        Some((mesh, mesh.primitives.get(draw.primitive)?.get(draw.part)?))
    }

    /// The material of a draw, `None` for the default one.
    pub fn material(&self, draw: &Draw) -> Option<&Material> {
        let primitive = self.model.meshes.get(draw.mesh)?.primitives.get(draw.primitive)?;
        self.model.materials.get(primitive.material?)
    }

    /// The texture set of a material: its base colour, or plain white.
    pub fn texture_set(&self, material: &Material) -> Option<DescriptorSet> {
        let picture = material.base_color_texture.map(|texture| texture.picture);
        picture.and_then(|picture| self.texture_sets.get(picture)).or(self.texture_sets.last()).copied()
    }
}

/// One draw a part, palettes packed one after the other behind the frame block; and the bytes of all.
fn list_draws(model: &Model, meshes: &[MeshBuffer], alignment: u64) -> (Vec<Draw>, u64) {
    let mut draws = Vec::new();
    let mut end = (size_of::<FrameBlock>() as u64).next_multiple_of(alignment);
    for (number, instance) in model.instances.iter().enumerate() {
        let Some(mesh) = meshes.get(instance.mesh) else { continue };
        for (primitive, parts) in mesh.primitives.iter().enumerate() {
            for (part, draw_part) in parts.iter().enumerate() {
                let skinned = instance.skin.is_some() && draw_part.skinned;
                draws.push(Draw {
                    instance: number,
                    mesh: instance.mesh,
                    primitive,
                    part,
                    palette_offset: end,
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
