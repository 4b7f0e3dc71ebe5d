//! A mesh on the GPU: one buffer in one allocation, split into spans for indices, positions, normals, texture
//! coordinates and the rest.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::interface::streams::Stream;
use crate::upload::equal_vertices::EqualVertices;
use crate::upload::transfer::{Content, upload_buffers};
use bytemuck::NoUninit;
use sinew_model::{Mesh, Primitive, Topology};
use sinew_skinning::SLOTS;
use sinew_skinning::partition::{Part, partition};
use sinew_vulkan::{Buffer, Device, VulkanError, vk};

/// Alignment of spans: enough for any format, and for shaders that read spans as storage.
const ALIGNMENT: usize = 16;

/// A mesh's vertex data.
pub struct MeshBuffer {
    /// Buffer with all spans of all primitives.
    pub buffer: Buffer,
    /// The batches of each primitive of the mesh.
    pub primitives: Vec<Vec<Batch>>,
}

/// The content of one draw: a primitive, or a part of one that needs more joints than a palette has slots.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// The skin's joint for each slot of the palette; only slot 0 for an unskinned primitive.
    pub joints: Vec<u32>,
    /// The joints of the whole mesh, whose terms of *ddm* any vertex may have.
    pub mesh_joints: Arc<[u32]>,
    /// True if the joints are a skin's.
    pub skinned: bool,
    /// True if "no joint" moves some vertex.
    pub has_no_joint: bool,
    /// Number of skinning spans, at least one.
    pub spans: usize,
    /// Triangles, lines or points.
    pub topology: Topology,
    /// The primitive's vertex for each vertex of the batch.
    pub vertices: Vec<u32>,
    /// True if these are all of the primitive's vertices, in its order.
    pub is_whole: bool,
    /// Number of indices.
    pub index_count: u32,
    /// Offset of the 32-bit indices in the buffer.
    pub index_offset: u64,
    /// Offset of the indices of the first equal vertices, for drawing; the same offset if no two are equal.
    pub drawn_offset: u64,
    /// The vertices that are equal.
    pub equal: EqualVertices,
    /// Offset of each stream in the buffer, in the order of [`Stream::ALL`]; `None` if the mesh lacks it.
    pub offsets: [Option<u64>; Stream::ALL.len()],
}

impl Batch {
    /// Returns the offset of the stream, or `None` if the mesh lacks it.
    pub fn offset(&self, stream: Stream) -> Option<u64> {
        self.offsets[stream as usize]
    }
}

impl MeshBuffer {
    /// Lays out meshes and uploads them.
    pub fn upload(device: &Arc<Device>, meshes: &[Mesh]) -> Result<Vec<Self>, VulkanError> {
        let usage = vk::BufferUsageFlags::VERTEX_BUFFER
            | vk::BufferUsageFlags::INDEX_BUFFER
            | vk::BufferUsageFlags::TRANSFER_SRC;
        let mut laid_out = Vec::with_capacity(meshes.len());
        let contents = meshes.iter().enumerate().map(|(number, mesh)| {
            let parts = parts_of(mesh);
            let (size, primitives) = fill(mesh, &parts, None);
            laid_out.push(primitives);
            Content {
                name: name_of(number, mesh),
                size,
                fill: Box::new(move |bytes: &mut [u8]| {
                    fill(mesh, &parts, Some(bytes));
                }),
            }
        });
        let buffers = upload_buffers(device, usage, contents)?;
        let pairs = buffers.into_iter().zip(laid_out);
        Ok(pairs.map(|(buffer, primitives)| Self { buffer, primitives }).collect())
    }
}

/// Returns the bytes of a mesh's buffer, and the batches of each of its primitives.
pub fn lay_out(mesh: &Mesh) -> (Vec<u8>, Vec<Vec<Batch>>) {
    let parts = parts_of(mesh);
    let (size, batches) = fill(mesh, &parts, None);
    let mut bytes = vec![0; size as usize];
    fill(mesh, &parts, Some(&mut bytes));
    (bytes, batches)
}

/// Returns the size of [`lay_out`]'s buffer, and the batches.
pub fn plan(mesh: &Mesh) -> (u64, Vec<Vec<Batch>>) {
    fill(mesh, &parts_of(mesh), None)
}

/// A part of a primitive, with its equal vertices.
type PartOf = (Part, EqualVertices);

/// Returns the parts of each primitive.
fn parts_of(mesh: &Mesh) -> Vec<Vec<PartOf>> {
    let parts_of = |primitive: &Primitive| {
        let parts = partition(primitive, SLOTS).into_iter();
        let with_equal = |part: Part| {
            let equal = EqualVertices::find(primitive, &part);
            (part, equal)
        };
        parts.map(with_equal).collect()
    };
    mesh.primitives.iter().map(parts_of).collect()
}

/// Lays out a mesh's buffer, and fills the bytes if there are any.
fn fill(mesh: &Mesh, parts: &[Vec<PartOf>], bytes: Option<&mut [u8]>) -> (u64, Vec<Vec<Batch>>) {
    let mut spans = Spans { end: 0, bytes };
    let skinned = mesh.primitives.iter().zip(parts).filter(|(primitive, _)| primitive.influences.is_some());
    let joints: BTreeSet<u32> =
        skinned.flat_map(|(_, parts)| parts).flat_map(|(part, _)| &part.joints).copied().collect();
    let mesh_joints: Arc<[u32]> = joints.into_iter().collect();
    let batches = mesh.primitives.iter().zip(parts).map(|(primitive, parts)| {
        parts.iter().map(|part| lay_out_batch(primitive, part, &mesh_joints, &mut spans)).collect()
    });
    let batches = batches.collect();
    (spans.end as u64, batches)
}

/// Consecutive spans, and the bytes to write them to, if any.
struct Spans<'a> {
    end: usize,
    bytes: Option<&'a mut [u8]>,
}

impl Spans<'_> {
    /// Adds a span of `count` elements from `element`, and returns its offset.
    fn add<T: NoUninit>(&mut self, count: usize, element: impl Fn(usize) -> T) -> u64 {
        let start = self.end.next_multiple_of(ALIGNMENT);
        self.end = start + count * size_of::<T>();
        if let Some(bytes) = &mut self.bytes {
            let room = bytes[start..self.end].chunks_exact_mut(size_of::<T>());
            room.enumerate()
                .for_each(|(number, room)| room.copy_from_slice(bytemuck::bytes_of(&element(number))));
        }
        start as u64
    }

    /// Adds a complete span.
    fn add_all<T: NoUninit>(&mut self, span: &[T]) -> u64 {
        let start = self.end.next_multiple_of(ALIGNMENT);
        self.end = start + size_of_val(span);
        if let Some(bytes) = &mut self.bytes {
            bytes[start..self.end].copy_from_slice(bytemuck::cast_slice(span));
        }
        start as u64
    }

    /// Adds a stream's elements for the vertices of a part. Omits elements that a hand-built model lacks.
    fn gather<T: NoUninit>(&mut self, part: &Part, stream: &[T]) -> u64 {
        match part.vertices.iter().copied().eq(0..stream.len() as u32) {
            true => self.add_all(stream),
            false => self.add_all(&part.gather(stream)),
        }
    }
}

fn lay_out_batch(
    primitive: &Primitive,
    (part, equal): &PartOf,
    mesh_joints: &Arc<[u32]>,
    spans: &mut Spans<'_>,
) -> Batch {
    let mut offsets = [None; Stream::ALL.len()];
    let index_offset = spans.add_all(&part.indices);
    let drawn_offset = match equal.is_empty() {
        true => index_offset,
        false => spans.add(part.indices.len(), |number| equal.first(part.indices[number])),
    };
    let mut put = |stream: Stream, offset: u64| offsets[stream as usize] = Some(offset);
    put(Stream::Position, spans.gather(part, &primitive.positions));
    if let Some(normals) = &primitive.normals {
        put(Stream::Normal, spans.gather(part, normals));
    }
    for (stream, texcoords) in Stream::TEXCOORDS.into_iter().zip(&primitive.texcoords) {
        put(stream, spans.gather(part, texcoords));
    }
    if let Some(tangents) = &primitive.tangents {
        put(Stream::Tangent, spans.gather(part, tangents));
    }
    if let Some(colors) = &primitive.colors {
        let colors: Vec<[u16; 4]> = part.gather(colors).into_iter().map(fractions).collect();
        put(Stream::Color, spans.add_all(&colors));
    }
    if let Some(influences) = &primitive.influences {
        for (span, ([joints_stream, weights_stream], joints)) in
            Stream::SKINNING.into_iter().zip(&part.spans).enumerate()
        {
            let weights = |number: usize| influences.of_vertex(span, part.vertices[number] as usize).1;
            put(joints_stream, spans.add_all(joints));
            put(weights_stream, spans.add(part.vertices.len(), weights));
        }
    }
    Batch {
        joints: part.joints.clone(),
        mesh_joints: mesh_joints.clone(),
        skinned: primitive.influences.is_some(),
        has_no_joint: part.has_no_joint,
        spans: part.spans.len().clamp(1, Stream::SKINNING.len()),
        topology: primitive.topology,
        is_whole: part.vertices.iter().copied().eq(0..primitive.positions.len() as u32),
        vertices: part.vertices.clone(),
        index_count: part.indices.len() as u32,
        index_offset,
        drawn_offset,
        equal: equal.clone(),
        offsets,
    }
}

/// Converts a colour to the stream's format, 16-bit fractions of 1.
pub fn fractions(color: [f32; 4]) -> [u16; 4] {
    color.map(|channel| (channel.clamp(0.0, 1.0) * 65535.0).round() as u16)
}

/// Returns a mesh's name for messages.
pub(crate) fn name_of(number: usize, mesh: &Mesh) -> String {
    match mesh.name.as_str() {
        "" => format!("mesh {number}"),
        name => format!("mesh {number} '{name}'"),
    }
}
