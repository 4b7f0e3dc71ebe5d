//! A vertex stream of all draws, in a separate buffer.

use std::sync::Arc;

use crate::model::draws::Draw;
use crate::upload::mesh_buffer::Batch;
use crate::upload::transfer::upload_buffer;
use sinew_vulkan::{Buffer, Device, VulkanError, vk};

/// Alignment of draws in the buffer, in bytes.
const ALIGNMENT: usize = 16;

/// A stream of all draws; `None` for draws that read its default.
pub(crate) struct DrawStream {
    pub buffer: Buffer,
    pub offsets: Vec<Option<u64>>,
}

impl DrawStream {
    pub fn new<'a, T: bytemuck::Pod>(
        device: &Arc<Device>,
        name: &str,
        draws: impl Iterator<Item = (&'a Draw, &'a Batch)>,
        of: impl Fn(&Draw) -> Option<Vec<T>>,
    ) -> Result<Self, VulkanError> {
        let mut bytes: Vec<u8> = Vec::new();
        let mut offsets = Vec::new();
        for (draw, batch) in draws {
            offsets.push(of(draw).map(|values| {
                bytes.resize(bytes.len().next_multiple_of(ALIGNMENT), 0);
                let offset = bytes.len() as u64;
                for &vertex in &batch.vertices {
                    // The indices of a hand-built model may name vertices that it lacks.
                    let value = values.get(vertex as usize).copied().unwrap_or(T::zeroed());
                    bytes.extend_from_slice(bytemuck::bytes_of(&value));
                }
                offset
            }));
        }
        bytes.resize(bytes.len().max(ALIGNMENT), 0);
        let usage = vk::BufferUsageFlags::VERTEX_BUFFER | vk::BufferUsageFlags::TRANSFER_SRC;
        Ok(Self { buffer: upload_buffer(device, name, usage, &bytes)?, offsets })
    }
}
