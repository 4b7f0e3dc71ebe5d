//! The edges of a model's triangles as lists of lines, in a separate buffer.

use std::collections::HashMap;
use std::sync::Arc;

use crate::model::draws::Draw;
use crate::upload::transfer::upload_buffer;
use sinew_model::{Model, Topology};
use sinew_skinning::SLOTS;
use sinew_skinning::partition::{Part, partition};
use sinew_vulkan::{Buffer, Device, VulkanError, vk};

/// Position of one draw's lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lines {
    /// Offset of the indices in the buffer.
    pub offset: u64,
    /// Number of indices.
    pub count: u32,
}

/// Lines of a model.
pub(crate) struct Wires {
    /// The indices.
    pub(crate) buffer: Buffer,
    draws: Vec<Lines>,
}

impl Wires {
    /// Uploads the edges of a model's draws.
    pub(crate) fn new(device: &Arc<Device>, model: &Model, draws: &[Draw]) -> Result<Self, VulkanError> {
        let mut indices: Vec<u32> = Vec::new();
        // Lines for each batch of a primitive; instances of a mesh share them.
        let mut made: HashMap<(usize, usize), Vec<Lines>> = HashMap::new();
        let mut places = Vec::with_capacity(draws.len());
        for draw in draws {
            let lines = made.entry((draw.mesh, draw.primitive)).or_insert_with(|| {
                let primitive = draw.primitive_of(model);
                let batches = partition(primitive, SLOTS);
                let is_surface = primitive.topology == Topology::Triangles;
                let mut lines = |triangles: &[u32]| {
                    let edges = edges(triangles);
                    let lines = Lines { offset: indices.len() as u64 * 4, count: edges.len() as u32 * 2 };
                    indices.extend(edges.as_flattened());
                    lines
                };
                let edges_of = |part: &Part| lines(if is_surface { &part.indices } else { &[] });
                batches.iter().map(edges_of).collect()
            });
            places.push(lines[draw.batch]);
        }
        if indices.is_empty() {
            indices.push(0);
        }
        let usage = vk::BufferUsageFlags::INDEX_BUFFER;
        let buffer = upload_buffer(device, "wires", usage, bytemuck::cast_slice(&indices))?;
        Ok(Self { buffer, draws: places })
    }

    /// Returns a draw's lines; `None` if it has no triangles.
    pub(crate) fn of(&self, draw: usize) -> Option<Lines> {
        Some(self.draws[draw]).filter(|lines| lines.count > 0)
    }
}

/// Returns every edge of the triangles once, regardless of its direction and of the number of triangles that share
/// it.
fn edges(triangles: &[u32]) -> Vec<[u32; 2]> {
    let (triangles, _) = triangles.as_chunks::<3>();
    let mut edges: Vec<[u32; 2]> = triangles
        .iter()
        .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
        .filter(|[from, to]| from != to)
        .map(|[from, to]| [from.min(to), from.max(to)])
        .collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_edges_are_drawn_once() {
        assert_eq!(edges(&[0, 1, 2, 2, 1, 3]), [[0, 1], [0, 2], [1, 2], [1, 3], [2, 3]]);
        assert_eq!(edges(&[4, 4, 5, 7]), [[4, 5]]);
        assert_eq!(edges(&[]), [[0; 2]; 0]);
    }
}
