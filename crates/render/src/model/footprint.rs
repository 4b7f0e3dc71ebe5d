//! Size of a model on the GPU, from the layout that uploading uses, without a device. Excludes overhead of drivers.

use crate::in_flight::FRAMES_IN_FLIGHT;
use crate::interface::layouts::PALETTE_WINDOW;
use crate::model::draws::list_draws;
use crate::upload::mesh_buffer::{Batch, plan};
use crate::upload::morph_buffer::{StorageLimits, lay_out_morphs};
use crate::upload::transfer::texture_levels;
use sinew_model::Model;

/// The coarsest alignment of uniform blocks that Vulkan allows a device to require.
const ALIGNMENT: u64 = 256;

/// Bytes on the GPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Vertices and indices of all meshes.
    pub meshes: u64,
    /// Morph targets, and the vertices they have moved.
    pub morphs: u64,
    /// Textures with their mip levels.
    pub pictures: u64,
    /// Frame blocks and palettes of all frames in flight.
    pub palettes: u64,
}

/// Returns the sizes of a model after upload.
pub fn footprint(model: &Model) -> Footprint {
    let mut meshes = 0;
    let mut primitives: Vec<Vec<Vec<Batch>>> = Vec::with_capacity(model.meshes.len());
    for mesh in &model.meshes {
        let (size, batches) = plan(mesh);
        meshes += size;
        primitives.push(batches);
    }
    let morphs = morph_bytes(model, &primitives);
    let batches: Vec<&[Vec<Batch>]> = primitives.iter().map(Vec::as_slice).collect();
    let (_, stride) = list_draws(model, &batches, ALIGNMENT);
    let sizes = model.pictures.iter().flatten().map(|picture| [picture.width, picture.height]);
    Footprint {
        meshes,
        morphs,
        // The last one is the white pixel that replaces a missing picture.
        pictures: sizes.chain([[1, 1]]).map(texture_bytes).sum(),
        palettes: stride * FRAMES_IN_FLIGHT as u64 + PALETTE_WINDOW,
    }
}

/// Returns the size of morph targets, once per mesh, and of the moved vertices, once per instance.
fn morph_bytes(model: &Model, primitives: &[Vec<Vec<Batch>>]) -> u64 {
    let limits = StorageLimits { alignment: ALIGNMENT, range: u64::MAX };
    let mut of_mesh: Vec<(u64, u64)> = Vec::with_capacity(model.meshes.len());
    for (mesh, batches) in model.meshes.iter().zip(primitives) {
        let (bytes, streams) = lay_out_morphs(mesh, batches, limits);
        let moved = streams.iter().flatten().flatten().map(|stream| stream.size).sum();
        of_mesh.push((bytes.len() as u64, moved));
    }
    let moved = model.instances.iter().filter_map(|instance| of_mesh.get(instance.mesh)).map(|mesh| mesh.1);
    of_mesh.iter().map(|mesh| mesh.0).sum::<u64>() + moved.sum::<u64>()
}

/// Returns the size of a texture: four bytes per pixel of each level.
fn texture_bytes([width, height]: [u32; 2]) -> u64 {
    let side = |side: u32, level: u32| u64::from((side >> level).max(1));
    (0..texture_levels([width, height])).map(|level| side(width, level) * side(height, level) * 4).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_model::{Instance, Mesh, Picture, Primitive, Rig};

    #[test]
    fn bytes_are_those_of_the_layout() {
        let positions = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0; 3]];
        let triangle = Primitive { positions, indices: vec![0, 1, 2], ..Primitive::default() };
        let model = Model {
            rig: Rig::default(),
            meshes: vec![Mesh { name: String::new(), primitives: vec![triangle], ..Mesh::default() }],
            instances: vec![Instance { node: 0, mesh: 0, skin: None }; 3],
            pictures: vec![None, Some(Picture { width: 4, height: 2, rgba: Vec::new() })],
            ..Model::default()
        };
        let found = footprint(&model);
        // Three indices, up to 16 bytes, three for drawing, because two vertices are equal, and three positions.
        assert_eq!(found.meshes, 16 + 16 + 36);
        // 4 x 2, 2 x 1, 1 x 1, and the white pixel.
        assert_eq!(found.pictures, (8 + 2 + 1 + 1) * 4);
        // The blocks of three views and three palettes of one slot, each aligned to 256 bytes.
        let block = (size_of::<crate::interface::frame_block::FrameBlock>() as u64).next_multiple_of(256);
        assert_eq!(found.palettes, 2 * (3 * block + 3 * 256) + 512 * 64);
    }
}
