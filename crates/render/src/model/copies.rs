//! Repeated indices, texture coordinates and colours, so that one draw can draw several figures whose positions the
//! CPU has written in a row.

use std::sync::Arc;

use bytemuck::NoUninit;

use crate::interface::streams::Stream;
use crate::model::draws::Draw;
use crate::upload::mesh_buffer::{Batch, fractions};
use crate::upload::transfer::upload_buffer;
use sinew_model::{Model, Primitive};
use sinew_vulkan::{Buffer, Device, VulkanError, vk};

/// The copies for some draws of a model.
pub(crate) struct Copies {
    /// Number of copies.
    pub(crate) each: u32,
    /// Buffer with all copies.
    pub(crate) buffer: Buffer,
    draws: Vec<Option<CopySpans>>,
}

/// Offsets of one draw's copies.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CopySpans {
    /// The 32-bit indices.
    pub indices: u64,
    texcoords: [Option<u64>; 2],
    colors: Option<u64>,
}

impl CopySpans {
    /// Returns the stream's offset, if it is copied and the mesh has it.
    pub(crate) fn offset(&self, stream: Stream) -> Option<u64> {
        match stream {
            Stream::Texcoord => self.texcoords[0],
            Stream::Texcoord1 => self.texcoords[1],
            Stream::Color => self.colors,
            _ => None,
        }
    }
}

impl Copies {
    /// Uploads `each` copies for the requested draws, whose batches are whole primitives.
    pub(crate) fn new<'a>(
        device: &Arc<Device>,
        model: &Model,
        each: u32,
        draws: impl Iterator<Item = (&'a Draw, &'a Batch, bool)>,
    ) -> Result<Self, VulkanError> {
        let mut writer = Writer { bytes: Vec::new(), each };
        let of = |(draw, batch, is_wanted): (&Draw, &Batch, bool)| {
            is_wanted.then(|| writer.copy(draw.primitive_of(model), batch))
        };
        let draws = draws.map(of).collect();
        let usage = vk::BufferUsageFlags::VERTEX_BUFFER | vk::BufferUsageFlags::INDEX_BUFFER;
        let mut bytes = writer.bytes;
        bytes.resize(bytes.len().max(16), 0);
        Ok(Self { each, buffer: upload_buffer(device, "copies for a crowd", usage, &bytes)?, draws })
    }

    /// Returns the offsets of a draw's copies.
    pub(crate) fn of(&self, draw: usize) -> Option<CopySpans> {
        self.draws[draw]
    }

    /// Returns true if every requested draw has this number of copies.
    pub(crate) fn serve(&self, each: u32, mut wanted: impl Iterator<Item = usize>) -> bool {
        self.each == each && wanted.all(|draw| self.draws[draw].is_some())
    }
}

struct Writer {
    bytes: Vec<u8>,
    each: u32,
}

impl Writer {
    /// Copies a batch that is its whole primitive.
    fn copy(&mut self, primitive: &Primitive, batch: &Batch) -> CopySpans {
        let vertices = batch.vertices.len() as u32;
        let texcoords = [0, 1].map(|set| {
            let stream = primitive.texcoords.get(set)?;
            Some(self.put(&pick(stream, batch)))
        });
        let colors = primitive.colors.as_ref().map(|colors| {
            let colors: Vec<[u16; 4]> = pick(colors, batch).into_iter().map(fractions).collect();
            self.put(&colors)
        });
        let begin = self.begin();
        for copy in 0..self.each {
            let drawn = |&index: &u32| batch.equal.first(index).wrapping_add(copy * vertices);
            let indices = primitive.indices.iter().map(drawn);
            self.bytes.extend(indices.flat_map(u32::to_ne_bytes));
        }
        CopySpans { indices: begin, texcoords, colors }
    }

    fn begin(&mut self) -> u64 {
        self.bytes.resize(self.bytes.len().next_multiple_of(16), 0);
        self.bytes.len() as u64
    }

    fn put<T: NoUninit>(&mut self, span: &[T]) -> u64 {
        let begin = self.begin();
        for _ in 0..self.each {
            self.bytes.extend_from_slice(bytemuck::cast_slice(span));
        }
        begin
    }
}

fn pick<T: Copy + Default>(stream: &[T], batch: &Batch) -> Vec<T> {
    let of = |&vertex: &u32| stream.get(vertex as usize).copied().unwrap_or_default();
    batch.vertices.iter().map(of).collect()
}
