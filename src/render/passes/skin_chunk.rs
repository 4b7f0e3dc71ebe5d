//! Chunks of vertices that `skin.comp` skins: how they are laid out for it, and how they come back.

use bytemuck::{Pod, Zeroable};

use crate::render::interface::streams::Stream;
use crate::render::model::draws::Draw;
use crate::render::model::gpu_model::GpuModel;
use crate::render::upload::mesh_buffer::Batch;
use sinew_skinning::SkinningMode;
use sinew_skinning::posed::SkinnedPrimitive;
use sinew_vulkan::Buffer;

/// `Layout` in `skin.comp`: where spans start, in words.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct SpanLayout {
    /// How many vertices there are.
    pub vertex_count: u32,
    /// First word of the positions.
    pub position: u32,
    /// First word of the normals, or `ABSENT`.
    pub normal: u32,
    /// First word of the tangents, or `ABSENT`.
    pub tangent: u32,
    /// First word of each span's joints, or `ABSENT`.
    pub joints: [u32; 4],
    /// First word of each span's weights, or `ABSENT`.
    pub weights: [u32; 4],
    /// First word of the shares of *blend*, or `ABSENT`.
    pub share: u32,
    /// First word of the centres of *cor*, or `ABSENT`.
    pub center: u32,
}

pub use crate::shared::ABSENT;
/// `SkinnedVertex` in `skin.comp`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct SkinnedVertex {
    /// World position; the fourth is unused.
    pub position: [f32; 4],
    /// World normal; the fourth is unused.
    pub normal: [f32; 4],
    /// World tangent with handedness.
    pub tangent: [f32; 4],
}

/// The most vertices that one dispatch skins: devices with the smallest storage buffers Vulkan allows
/// (128 MiB) have room, whatever the mesh's size.
pub const CHUNK: u32 = 1 << 17;

/// Consecutive vertices of a batch: copied together, skinned by one dispatch.
pub struct Chunk {
    /// The draw whose batch it is of.
    pub draw: Draw,
    /// That draw's number.
    pub number: usize,
    /// How it is skinned.
    pub variant: Variant,
    /// The first of the batch's vertices.
    first: u32,
    /// Where the spans are once they are copied.
    pub spans: SpanLayout,
    /// From the mesh's buffer to the scratch buffer: first byte there, first byte here, length.
    pub copies: Vec<(u64, u64, u64)>,
    /// From the morphed streams to the scratch buffer.
    pub morphed: Vec<(u64, u64, u64)>,
    /// From the shares to the scratch buffer.
    pub shares: Vec<(u64, u64, u64)>,
    /// From the centres to the scratch buffer.
    pub centers: Vec<(u64, u64, u64)>,
    /// Where the skinned vertices go, in bytes.
    pub result: u64,
}

impl Chunk {
    /// How many bytes its spans take in the scratch buffer.
    pub fn scratch(&self) -> u64 {
        let all = [&self.copies, &self.morphed, &self.shares, &self.centers];
        all.into_iter().flatten().map(|(_, to, length)| to + length).max().unwrap_or(0)
    }

    /// How many bytes its skinned vertices take.
    pub fn result_size(&self) -> u64 {
        u64::from(self.spans.vertex_count) * size_of::<SkinnedVertex>() as u64
    }

    /// `count` of the batch's vertices from `first` on.
    pub fn new(
        gpu: &GpuModel,
        (number, batch): (usize, &Batch),
        variant: Variant,
        (first, count): (u32, u32),
        result: u64,
    ) -> Self {
        let draw = gpu.draws[number];
        let (mut copies, mut morphed, mut shares, mut centers) = Default::default();
        let mut end = 0u64;
        let mut copy = |stream: Stream| {
            let (offset, copies): (u64, &mut Vec<_>) = if let Some((_, offset)) = gpu.morphed(&draw, stream) {
                (offset, &mut morphed)
            } else if let Some((_, offset)) = gpu.of_mode(number, stream) {
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
        };
        if draw.skinned {
            for (number, [joints, weights]) in Stream::SKINNING.into_iter().enumerate() {
                spans.joints[number] = copy(joints);
                spans.weights[number] = copy(weights);
            }
            spans.share = copy(Stream::Share);
            spans.center = copy(Stream::Center);
        }
        Self { draw, number, variant, first, spans, copies, morphed, shares, centers, result }
    }
}

/// A variant of `skin.comp`: the mode and how many skinning spans.
pub type Variant = (SkinningMode, usize);

/// Puts the chunks' vertices back where the file has them.
pub fn collect(gpu: &GpuModel, chunks: &[Chunk], result: &Buffer) -> Vec<SkinnedPrimitive<f32>> {
    let bytes = result.bytes().expect("memory for `GpuToCpu` is mapped");
    let mut primitives = SkinnedPrimitive::all_of(gpu.model());
    let number_of = SkinnedPrimitive::numbers(&primitives);
    for chunk in chunks {
        // The list has every primitive of every instance, and draws are some of these.
        let primitive = &mut primitives[number_of[&(chunk.draw.instance, chunk.draw.primitive)]];
        let stretch = chunk.result as usize..(chunk.result + chunk.result_size()) as usize;
        let vertices = &gpu.batch(&chunk.draw).1.vertices[chunk.first as usize..];
        for (&vertex, bytes) in vertices.iter().zip(bytes[stretch].chunks_exact(size_of::<SkinnedVertex>())) {
            let skinned: SkinnedVertex = bytemuck::pod_read_unaligned(bytes);
            let [x, y, z, _] = skinned.position;
            put(&mut primitive.positions, vertex, [x, y, z]);
            let [x, y, z, _] = skinned.normal;
            if let Some(normals) = &mut primitive.normals {
                put(normals, vertex, [x, y, z]);
            }
            if let Some(tangents) = &mut primitive.tangents {
                put(tangents, vertex, skinned.tangent);
            }
        }
    }
    primitives
}

fn put<T>(stream: &mut [T], vertex: u32, value: T) {
    // The indices of a model built by hand may name vertices that it lacks.
    if let Some(place) = stream.get_mut(vertex as usize) {
        *place = value;
    }
}
