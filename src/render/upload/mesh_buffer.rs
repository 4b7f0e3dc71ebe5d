//! A mesh on the GPU: one buffer in one allocation, split into spans for indices, positions,
//! normals, texture coordinates and the rest.

use std::sync::Arc;

use crate::render::interface::streams::Stream;
use crate::render::upload::transfer::upload_buffers;
use sinew_model::{Mesh, Primitive, Topology};
use sinew_skinning::SLOTS;
use sinew_skinning::partition::{Part, partition};
use sinew_vulkan::{Buffer, Device, VulkanError, vk};

/// Spans start at multiples of it: enough for any format, and for shaders that read spans as storage.
const ALIGNMENT: usize = 16;

/// A mesh's vertex data.
pub struct MeshBuffer {
    /// All spans of all primitives.
    pub buffer: Buffer,
    /// The batches of each primitive of the mesh.
    pub primitives: Vec<Vec<Batch>>,
}

/// What one draw draws: a primitive, or, of one that needs more joints than a palette has slots, a part that does not.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// The skin's joint for each slot of the palette; slot 0 only for an unskinned primitive.
    pub joints: Vec<u32>,
    /// Whether the joints are a skin's.
    pub skinned: bool,
    /// Whether "no joint" moves some vertex.
    pub has_no_joint: bool,
    /// How many skinning spans there are, at least one.
    pub spans: usize,
    /// Triangles, lines or points.
    pub topology: Topology,
    /// The primitive's vertex for each vertex of the batch.
    pub vertices: Vec<u32>,
    /// Whether these are all of the primitive's, in its order.
    pub is_whole: bool,
    /// How many indices.
    pub index_count: u32,
    /// Offset of the 32-bit indices in the buffer.
    pub index_offset: u64,
    /// Offset of each stream in the buffer, in the order of [`Stream::ALL`]; `None` where the mesh lacks it.
    pub offsets: [Option<u64>; Stream::ALL.len()],
}

impl Batch {
    /// Where the stream is, or `None` where the mesh lacks it.
    pub fn offset(&self, stream: Stream) -> Option<u64> {
        self.offsets[stream as usize]
    }
}

impl MeshBuffer {
    /// Lays meshes out and uploads them.
    pub fn upload(device: &Arc<Device>, meshes: &[Mesh]) -> Result<Vec<Self>, VulkanError> {
        let usage = vk::BufferUsageFlags::VERTEX_BUFFER
            | vk::BufferUsageFlags::INDEX_BUFFER
            | vk::BufferUsageFlags::TRANSFER_SRC;
        let mut laid_out = Vec::with_capacity(meshes.len());
        let contents = meshes.iter().enumerate().map(|(number, mesh)| {
            let (bytes, primitives) = lay_out(mesh);
            laid_out.push(primitives);
            (format!("mesh {number} '{}'", mesh.name), bytes)
        });
        let buffers = upload_buffers(device, usage, contents)?;
        let pairs = buffers.into_iter().zip(laid_out);
        Ok(pairs.map(|(buffer, primitives)| Self { buffer, primitives }).collect())
    }
}

/// The bytes of a mesh's buffer, and where the batches of each of its primitives lie in them.
pub fn lay_out(mesh: &Mesh) -> (Vec<u8>, Vec<Vec<Batch>>) {
    let mut bytes = Vec::new();
    let batches_of = |primitive: &Primitive, bytes: &mut Vec<u8>| {
        partition(primitive, SLOTS).iter().map(|part| lay_out_batch(primitive, part, bytes)).collect()
    };
    let primitives = mesh.primitives.iter().map(|primitive| batches_of(primitive, &mut bytes)).collect();
    (bytes, primitives)
}

fn lay_out_batch(primitive: &Primitive, part: &Part, bytes: &mut Vec<u8>) -> Batch {
    let mut offsets = [None; Stream::ALL.len()];
    let index_offset = append(bytes, &part.indices);
    let mut put = |stream: Stream, offset: u64| offsets[stream as usize] = Some(offset);
    put(Stream::Position, append(bytes, &part.gather(&primitive.positions)));
    if let Some(normals) = &primitive.normals {
        put(Stream::Normal, append(bytes, &part.gather(normals)));
    }
    for (stream, texcoords) in Stream::TEXCOORDS.into_iter().zip(&primitive.texcoords) {
        put(stream, append(bytes, &part.gather(texcoords)));
    }
    if let Some(tangents) = &primitive.tangents {
        put(Stream::Tangent, append(bytes, &part.gather(tangents)));
    }
    if let Some(colors) = &primitive.colors {
        let colors: Vec<[u16; 4]> = part.gather(colors).into_iter().map(fractions).collect();
        put(Stream::Color, append(bytes, &colors));
    }
    if let Some(influences) = &primitive.influences {
        for (span, ([joints_stream, weights_stream], joints)) in
            Stream::SKINNING.into_iter().zip(&part.spans).enumerate()
        {
            let weights = |&vertex: &u32| influences.of_vertex(span, vertex as usize).1;
            put(joints_stream, append(bytes, joints));
            put(weights_stream, append(bytes, &part.vertices.iter().map(weights).collect::<Vec<_>>()));
        }
    }
    Batch {
        joints: part.joints.clone(),
        skinned: primitive.influences.is_some(),
        has_no_joint: part.has_no_joint,
        spans: part.spans.len().clamp(1, Stream::SKINNING.len()),
        topology: primitive.topology,
        is_whole: part.vertices.iter().copied().eq(0..primitive.positions.len() as u32),
        vertices: part.vertices.clone(),
        index_count: part.indices.len() as u32,
        index_offset,
        offsets,
    }
}

/// A colour as the stream has it, in 16-bit fractions of 1.
pub fn fractions(color: [f32; 4]) -> [u16; 4] {
    color.map(|channel| (channel.clamp(0.0, 1.0) * 65535.0).round() as u16)
}

/// Appends a span and says where it starts.
fn append<T: bytemuck::NoUninit>(bytes: &mut Vec<u8>, span: &[T]) -> u64 {
    bytes.resize(bytes.len().next_multiple_of(ALIGNMENT), 0);
    let offset = bytes.len() as u64;
    bytes.extend_from_slice(bytemuck::cast_slice(span));
    offset
}
