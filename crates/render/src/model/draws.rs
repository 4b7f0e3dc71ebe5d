//! The draw calls of a model, and their palettes in the ring of uniform blocks.

use std::collections::HashMap;

use crate::interface::frame_block::FrameBlock;
use crate::upload::mesh_buffer::Batch;
use sinew_model::{Instance, Model, Primitive};
use sinew_skinning::Slot;
#[cfg(doc)]
use sinew_skinning::posed::SkinnedPrimitive;

/// A draw call.
#[derive(Clone, Copy, Debug)]
pub struct Draw {
    /// Index of the primitive among those of all instances, in the order of [`SkinnedPrimitive::all_of`].
    pub number: usize,
    /// Index into [`Model::instances`].
    pub instance: usize,
    /// Index into [`Model::meshes`] and into the mesh buffers.
    pub mesh: usize,
    /// Index of the primitive in the mesh.
    pub primitive: usize,
    /// Index of the batch in the primitive.
    pub batch: usize,
    /// Offset of its palette in a frame's block of the ring. Draws of one instance may share it.
    pub palette_offset: u64,
    /// The index of its morphed streams, if targets move some.
    pub morph: Option<usize>,
    /// True if a skin's pose moves it: its instance has a skin, and the batch has joints.
    pub skinned: bool,
}

impl Draw {
    /// Returns its primitive, in the model it was listed for.
    pub fn primitive_of<'a>(&self, model: &'a Model) -> &'a Primitive {
        &model.meshes[self.mesh].primitives[self.primitive]
    }

    /// Returns its instance, in the model it was listed for.
    pub fn instance_of<'a>(&self, model: &'a Model) -> &'a Instance {
        &model.instances[self.instance]
    }
}

/// Returns the offsets of a frame's views in its block of the ring: the camera's, the shadow map's and the contact
/// map's.
pub fn view_offsets(alignment: u64) -> [u64; 3] {
    let stride = (size_of::<FrameBlock>() as u64).next_multiple_of(alignment);
    [0, stride, stride * 2]
}

/// Lists one draw per batch, and the size of a frame's block. Palettes follow the frame blocks. Draws of an instance
/// with equal joints share a palette.
pub fn list_draws(model: &Model, meshes: &[&[Vec<Batch>]], alignment: u64) -> (Vec<Draw>, u64) {
    let mut draws = Vec::new();
    let mut primitives_before = 0;
    let [_, second, third] = view_offsets(alignment);
    let mut end = third + second;
    let mut palettes = HashMap::new();
    for (number, instance) in model.instances.iter().enumerate() {
        palettes.clear();
        // A hand-built model may name a mesh that it lacks, of which nothing is drawn.
        let Some(primitives) = meshes.get(instance.mesh) else { continue };
        for (primitive, batches) in primitives.iter().enumerate() {
            primitives_before += 1;
            for (number_of_batch, batch) in batches.iter().enumerate() {
                let skinned = instance.skin.is_some() && batch.skinned;
                let palette_offset =
                    *palettes.entry((skinned, batch.joints.as_slice(), &batch.mesh_joints)).or_insert(end);
                if palette_offset == end {
                    // A batch whose instance has no skin still reads the slots of its joints.
                    let most = if skinned { batch.mesh_joints.len() } else { 1 };
                    let slots = batch.joints.len().max(most) as u64;
                    end = (end + slots * size_of::<Slot>() as u64).next_multiple_of(alignment);
                }
                draws.push(Draw {
                    number: primitives_before - 1,
                    instance: number,
                    mesh: instance.mesh,
                    primitive,
                    batch: number_of_batch,
                    palette_offset,
                    morph: None,
                    skinned,
                });
            }
        }
    }
    (draws, end)
}
