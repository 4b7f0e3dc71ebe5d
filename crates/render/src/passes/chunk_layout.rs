//! Lays out chunks of a model's vertices for `skin.comp`, and returns them to the file's order.

use bytemuck::Pod;

use crate::interface::streams::Stream;
use crate::model::gpu_model::GpuModel;
use crate::model::skin_chunk::{Chunk, SpanLayout, Variant};
use crate::upload::mesh_buffer::Batch;
use sinew_scene::shared::ABSENT;
use sinew_skinning::SkinningMode;
use sinew_skinning::posed::SkinnedPrimitive;
use sinew_vulkan::Buffer;

/// Returns the variant of `skin.comp` that skins a draw.
pub fn variant_of(gpu: &GpuModel, number: usize, mode: SkinningMode) -> Variant {
    let draw = &gpu.draws[number];
    if draw.skinned { (mode, gpu.batch(draw).1.spans) } else { (SkinningMode::Rigid, 1) }
}

/// Returns a chunk of `count` of a batch's vertices, starting at `first`.
pub fn chunk_of(
    gpu: &GpuModel,
    (number, batch): (usize, &Batch),
    variant: Variant,
    (first, count): (u32, u32),
    result: u64,
) -> Chunk {
    let draw = gpu.draws[number];
    let (mut copies, mut morphed, mut shares, mut centers) = Default::default();
    let mut end = 0u64;
    let mut copy = |stream: Stream| {
        let (offset, copies): (u64, &mut Vec<_>) = if let Some((_, offset)) = gpu.morphed(&draw, stream) {
            (offset, &mut morphed)
        } else if let Some((_, offset)) = gpu.of_mode(variant.0, number, stream) {
            (offset, if stream == Stream::Share { &mut shares } else { &mut centers })
        } else if let Some(offset) = batch.offset(stream) {
            (offset, &mut copies)
        } else {
            return ABSENT;
        };
        let (size, to) = (u64::from(stream.size()), end.next_multiple_of(16));
        let length = u64::from(count) * size;
        copies.push((offset + u64::from(first) * size, to, length));
        end = to + length;
        (to / 4) as u32
    };
    let mut spans = SpanLayout {
        vertex_count: count,
        position: copy(Stream::Position),
        normal: copy(Stream::Normal),
        tangent: copy(Stream::Tangent),
        joints: [ABSENT; 4],
        weights: [ABSENT; 4],
        share: ABSENT,
        center: ABSENT,
        slots: 0,
        result: 0,
    };
    if draw.skinned {
        for (number, [joints, weights]) in Stream::SKINNING.into_iter().enumerate() {
            spans.joints[number] = copy(joints);
            spans.weights[number] = copy(weights);
        }
        spans.share = copy(Stream::Share);
        spans.center = copy(Stream::Center);
    }
    Chunk { draw, number, variant, first, spans, copies, morphed, shares, centers, result }
}

/// Copies the chunks' vertices to their positions in the file's order.
pub fn collect(gpu: &GpuModel, chunks: &[Chunk], result: &Buffer) -> Vec<SkinnedPrimitive<f32>> {
    let bytes = result.bytes().expect("memory for `GpuToCpu` is mapped");
    let mut primitives = SkinnedPrimitive::all_of(gpu.model());
    let number_of = SkinnedPrimitive::numbers(&primitives);
    for chunk in chunks {
        // The list has every primitive of every instance, and draws are some of these.
        let primitive = &mut primitives[number_of[&(chunk.draw.instance, chunk.draw.primitive)]];
        let stretch = chunk.result as usize..(chunk.result + chunk.result_size()) as usize;
        let vertices = &gpu.batch(&chunk.draw).1.vertices[chunk.first as usize..];
        let (bytes, spans) = (&bytes[stretch], chunk.result_spans());
        put(&mut primitive.positions, vertices, bytes);
        if let (Some(normals), Some(from)) = (&mut primitive.normals, spans.normals) {
            put(normals, vertices, &bytes[from as usize..]);
        }
        if let (Some(tangents), Some(from)) = (&mut primitive.tangents, spans.tangents) {
            put(tangents, vertices, &bytes[from as usize..]);
        }
    }
    primitives
}

/// Copies a span's elements to the indices of these vertices.
fn put<T: Pod>(stream: &mut [T], vertices: &[u32], span: &[u8]) {
    for (&vertex, bytes) in vertices.iter().zip(span.chunks_exact(size_of::<T>())) {
        // The indices of a hand-built model may name vertices that it lacks.
        if let Some(place) = stream.get_mut(vertex as usize) {
            *place = bytemuck::pod_read_unaligned(bytes);
        }
    }
}
