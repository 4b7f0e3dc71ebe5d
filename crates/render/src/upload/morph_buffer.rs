//! The input of `morph.comp` for a mesh: for each stream that targets move, its base values and, vertex by vertex,
//! the deltas.

use bytemuck::{Pod, Zeroable};

use crate::interface::streams::Stream;
use crate::upload::mesh_buffer::Batch;
use sinew_model::{Deltas, Mesh, Primitive};

/// `Stretch` in `morph.comp`; starts are in words from the stretch's first one.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Stretch {
    /// Number of words to write.
    pub words: u32,
    /// Components of a vertex.
    pub width: u32,
    /// Number of components that targets can move, counted from the first.
    pub delta_width: u32,
    /// 1 writes pairs of 16-bit fractions of 1.
    pub packed: u32,
    /// First word of the ends of each vertex's entries.
    pub ends: u32,
    /// First word of the entries' targets.
    pub targets: u32,
    /// First word of the entries' deltas.
    pub deltas: u32,
    /// Index of the node's first weight in the buffer of all weights.
    pub first_weight: u32,
    /// Number of the node's weights.
    pub weight_count: u32,
}

const _: () = assert!(size_of::<Stretch>() == 36);

/// The largest number of vertices that one dispatch morphs, for a device with the smallest limits.
const CHUNK: usize = 1 << 16;

/// Alignment of stretches in vertices: a multiple of any alignment in bytes that a device may require (at most 256).
const STEP: usize = 64;

/// Consecutive vertices of a stream, morphed by one dispatch.
#[derive(Clone, Debug, PartialEq)]
pub struct Chunk {
    /// First byte in the mesh's morph buffer.
    pub source: u64,
    /// Size in the morph buffer, in bytes.
    pub source_size: u64,
    /// First byte of the result in the morphed stream.
    pub result: u64,
    /// The push constants, without the weights.
    pub stretch: Stretch,
    /// The largest number of entries of one vertex.
    pub most_entries: u64,
}

/// A stream of a batch that morph targets move.
#[derive(Clone, Debug, PartialEq)]
pub struct MorphedStream {
    /// Kind of stream.
    pub stream: Stream,
    /// Bytes of the morphed stream.
    pub size: u64,
    /// Chunks of its vertices, in order.
    pub chunks: Vec<Chunk>,
}

/// The morphed streams of each batch of each primitive of a mesh.
pub type MorphedPrimitives = Vec<Vec<Vec<MorphedStream>>>;

/// A device's limits on storage buffers.
#[derive(Clone, Copy, Debug)]
pub struct StorageLimits {
    /// Alignment of offsets.
    pub alignment: u64,
    /// The largest number of bytes that a shader sees.
    pub range: u64,
}

/// Returns the bytes for a mesh, and the streams that targets move for each batch of each of its primitives.
pub fn lay_out_morphs(
    mesh: &Mesh,
    batches: &[Vec<Batch>],
    limits: StorageLimits,
) -> (Vec<u8>, MorphedPrimitives) {
    let mut writer = Writer { bytes: Vec::new(), limits };
    let of_primitive = |(primitive, batches): (&Primitive, &Vec<Batch>)| {
        batches.iter().map(|batch| writer.batch(primitive, batch)).collect()
    };
    let streams = mesh.primitives.iter().zip(batches).map(of_primitive).collect();
    (writer.bytes, streams)
}

struct Writer {
    bytes: Vec<u8>,
    limits: StorageLimits,
}

impl Writer {
    /// Returns the morphed streams of a batch, in its order of vertices.
    fn batch(&mut self, primitive: &Primitive, batch: &Batch) -> Vec<MorphedStream> {
        let Some(morphs) = &primitive.morphs else { return Vec::new() };
        let mut streams = Vec::new();
        streams.extend(self.stream(Stream::Position, Some(&primitive.positions), &morphs.positions, batch));
        streams.extend(self.stream(Stream::Normal, primitive.normals.as_ref(), &morphs.normals, batch));
        streams.extend(self.stream(Stream::Tangent, primitive.tangents.as_ref(), &morphs.tangents, batch));
        for (set, stream) in Stream::TEXCOORDS.into_iter().enumerate() {
            // The file sets the number of texture coordinate sets of a primitive.
            let deltas = morphs.texcoords.get(set).unwrap_or(&None);
            streams.extend(self.stream(stream, primitive.texcoords.get(set), deltas, batch));
        }
        streams.extend(self.stream(Stream::Color, primitive.colors.as_ref(), &morphs.colors, batch));
        streams
    }

    fn stream<const N: usize, const D: usize>(
        &mut self,
        stream: Stream,
        base: Option<&Vec<[f32; N]>>,
        deltas: &Option<Deltas<D>>,
        batch: &Batch,
    ) -> Option<MorphedStream> {
        let (base, deltas) = base.zip(deltas.as_ref())?;
        let vertices = || batch.vertices.iter().map(|&vertex| vertex as usize);
        let base: Vec<[f32; N]> = vertices().filter_map(|vertex| base.get(vertex)).copied().collect();
        let deltas = deltas.pick(vertices());
        let size = u64::from(stream.size()) * base.len() as u64;
        if deltas.targets.is_empty() {
            return None;
        }
        let (mut chunks, mut first) = (Vec::new(), 0);
        while first < base.len() {
            let mut count = CHUNK.min(base.len() - first);
            while count > STEP && bytes::<N, D>(&deltas, first, count) > self.limits.range {
                count = (count / 2).next_multiple_of(STEP);
            }
            chunks.push(self.chunk(stream, &base, &deltas, first, count));
            first += count;
        }
        Some(MorphedStream { stream, size, chunks })
    }

    fn chunk<const N: usize, const D: usize>(
        &mut self,
        stream: Stream,
        base: &[[f32; N]],
        deltas: &Deltas<D>,
        first: usize,
        count: usize,
    ) -> Chunk {
        let alignment = self.limits.alignment.max(4) as usize;
        self.bytes.resize(self.bytes.len().next_multiple_of(alignment), 0);
        let source = self.bytes.len();
        let (begin, end) = (end_before(deltas, first), end_before(deltas, first + count));
        let ends: Vec<u32> =
            deltas.ends.iter().skip(first).take(count).map(|end| end - begin as u32).collect();
        let mut append = |bytes: &[u8]| {
            let word = (self.bytes.len() - source) / 4;
            self.bytes.extend_from_slice(bytes);
            word as u32
        };
        append(bytemuck::cast_slice(base[first..first + count].as_flattened()));
        let stretch = Stretch {
            words: count as u32 * stream.size() / 4,
            width: N as u32,
            delta_width: D as u32,
            packed: u32::from(stream.size() as usize != N * size_of::<f32>()),
            ends: append(bytemuck::cast_slice(&ends)),
            targets: append(bytemuck::cast_slice(&deltas.targets[begin..end])),
            deltas: append(bytemuck::cast_slice(deltas.values[begin..end].as_flattened())),
            first_weight: 0,
            weight_count: 0,
        };
        let most_entries = (first..first + count)
            .map(|vertex| end_before(deltas, vertex + 1) - end_before(deltas, vertex))
            .max()
            .unwrap_or(0);
        Chunk {
            most_entries: most_entries as u64,
            source: source as u64,
            source_size: (self.bytes.len() - source) as u64,
            result: first as u64 * u64::from(stream.size()),
            stretch,
        }
    }
}

/// Returns the end of the entries of earlier vertices.
fn end_before<const D: usize>(deltas: &Deltas<D>, vertex: usize) -> usize {
    vertex.checked_sub(1).map_or(0, |before| deltas.ends[before] as usize)
}

/// Returns the size of a stretch in bytes.
fn bytes<const N: usize, const D: usize>(deltas: &Deltas<D>, first: usize, count: usize) -> u64 {
    let entries = end_before(deltas, first + count) - end_before(deltas, first);
    4 * (count as u64 * (N as u64 + 1) + entries as u64 * (D as u64 + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::upload::mesh_buffer::lay_out;
    use sinew_model::Morphs;

    /// Returns points along x; target 0 moves every third, target 1 the last.
    fn mesh(vertices: usize) -> Mesh {
        let thirds = (0..vertices as u32).step_by(3).map(|v| (v, [0.0, 1.0 + v as f32, 0.0])).collect();
        let last = vec![(vertices as u32 - 1, [5.0, 6.0, 7.0])];
        let primitive = Primitive {
            positions: (0..vertices).map(|x| [x as f32, 0.0, 0.0]).collect(),
            normals: Some(vec![[0.0, 0.0, 1.0]; vertices]),
            indices: vec![0, 1, 2],
            morphs: Some(Morphs { positions: Deltas::new(vertices, &[thirds, last]), ..Morphs::default() }),
            ..Primitive::default()
        };
        Mesh { primitives: vec![primitive], ..Mesh::default() }
    }

    #[test]
    fn a_stretch_holds_base_and_entries() {
        let mesh = mesh(5);
        let limits = StorageLimits { alignment: 64, range: 1 << 27 };
        let (bytes, streams) = lay_out_morphs(&mesh, &lay_out(&mesh).1, limits);
        let [stream] = &streams[0][0][..] else { panic!("only positions move") };
        assert_eq!((stream.stream, stream.size, stream.chunks.len()), (Stream::Position, 60, 1));
        let Stretch { words, width, delta_width, packed, ends, targets, deltas, .. } =
            stream.chunks[0].stretch;
        assert_eq!((words, width, delta_width, packed), (15, 3, 3, 0));
        let word = |at: u32| bytemuck::pod_read_unaligned::<u32>(&bytes[at as usize * 4..][..4]);
        let float = |at: u32| f32::from_bits(word(at));
        assert_eq!((float(3), float(12)), (1.0, 4.0));
        assert_eq!((0..5).map(|v| word(ends + v)).collect::<Vec<_>>(), [1, 1, 1, 2, 3]);
        assert_eq!((0..3).map(|e| word(targets + e)).collect::<Vec<_>>(), [0, 0, 1]);
        let values: Vec<f32> = (0..9).map(|n| float(deltas + n)).collect();
        assert_eq!(values, [0.0, 1.0, 0.0, 0.0, 4.0, 0.0, 5.0, 6.0, 7.0]);
    }

    #[test]
    fn stretches_keep_to_the_limit_and_lose_no_vertex() {
        let mesh = mesh(1000);
        let limits = StorageLimits { alignment: 256, range: 4096 };
        let (bytes, streams) = lay_out_morphs(&mesh, &lay_out(&mesh).1, limits);
        let chunks = &streams[0][0][0].chunks;
        assert!(chunks.len() > 4);
        let (mut result, mut entries) = (0, 0);
        for chunk in chunks {
            assert_eq!((chunk.result, chunk.result % 256, chunk.source % 256), (result, 0, 0));
            assert!(chunk.source_size <= 4096);
            assert!(chunk.source + chunk.source_size <= bytes.len() as u64);
            result += u64::from(chunk.stretch.words) * 4;
            entries += (chunk.source_size / 4) as u32 - chunk.stretch.targets;
        }
        assert_eq!((result, entries), (12_000, (334 + 1) * 4));
    }
}
