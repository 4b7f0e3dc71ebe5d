//! The vertices of a benchmark, and their layout in the source buffer of `skin.comp`.

use std::ops::Range;

use super::packing::{self, Packing};
use super::split::VertexBytes;
use crate::interface::shaders;
use crate::interface::streams::Stream;
use crate::model::skin_chunk::SpanLayout;
use sinew_model::Influences;
use sinew_scene::shared::ABSENT;
use sinew_skinning::SkinningMode;
use sinew_skinning::cpu::Exactness;
use sinew_skinning::twin::Vertices;

/// Vertices that one kernel skins, once for each figure.
#[derive(Clone, Copy, Debug)]
pub struct Workload<'a> {
    /// The vertices of a figure. Without influences, the only slot moves them.
    pub vertices: Vertices<'a>,
    /// Number of slots of a figure's palette.
    pub slots: u32,
}

/// The streams that a kernel writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outputs {
    /// Positions alone.
    Positions,
    /// Positions and normals.
    Normals,
    /// Positions, normals and tangents.
    Tangents,
}

impl Outputs {
    /// Every choice, the smallest first.
    pub const ALL: [Self; 3] = [Self::Positions, Self::Normals, Self::Tangents];

    /// Returns the last of the written streams, by which tables name the choice.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Positions => "positions",
            Self::Normals => "normals",
            Self::Tangents => "tangents",
        }
    }

    /// Returns true if a workload has all of the streams.
    pub fn are_of(self, workload: &Workload<'_>) -> bool {
        let Vertices { normals, tangents, .. } = workload.vertices;
        (self < Self::Normals || normals.is_some()) && (self < Self::Tangents || tangents.is_some())
    }

    /// Returns a layout of all streams without those that the kernel does not write.
    pub(super) fn of(self, mut spans: SpanLayout) -> SpanLayout {
        if self < Self::Normals {
            spans.normal = ABSENT;
        }
        if self < Self::Tangents || spans.normal == ABSENT {
            spans.tangent = ABSENT;
        }
        spans
    }
}

impl Workload<'_> {
    /// Returns the mode that skins the vertices.
    pub fn mode(&self, mode: SkinningMode) -> SkinningMode {
        if self.vertices.influences.is_some() { mode } else { SkinningMode::Rigid }
    }

    /// Returns the influences as kernels read them whose operations the driver may fuse: with weights of 16 bits.
    pub fn rounded(&self) -> Option<Influences> {
        self.vertices.influences.map(packing::rounded)
    }

    /// Returns the same vertices with other influences.
    pub fn with<'a>(&'a self, influences: Option<&'a Influences>) -> Workload<'a> {
        Workload { vertices: Vertices { influences, ..self.vertices }, ..*self }
    }

    /// Returns the widths of joints and weights in a kernel's source.
    pub(super) fn packing(&self, exactness: Exactness) -> Packing {
        Packing::new(self.slots, exactness)
    }

    /// Returns the number of spans of four influences.
    pub(super) fn spans(&self) -> usize {
        self.vertices
            .influences
            .map_or(1, |influences| influences.spans.len())
            .clamp(1, Stream::SKINNING.len())
    }

    /// Returns the number of vertices.
    pub(super) fn count(&self) -> u32 {
        // More would not fit any buffer.
        self.vertices.positions.len().min(u32::MAX as usize) as u32
    }

    /// Returns the streams that it has.
    fn streams(&self) -> Vec<Stream> {
        let Vertices { normals, tangents, influences, shares, centers, ddm, .. } = self.vertices;
        let mut streams = vec![Stream::Position];
        let optional = [
            (Stream::Normal, normals.is_some()),
            (Stream::Tangent, normals.is_some() && tangents.is_some()),
            (Stream::Share, influences.is_some() && (shares.is_some() || ddm.is_some())),
            (Stream::Center, influences.is_some() && centers.is_some()),
        ];
        streams.extend(optional.into_iter().filter(|(_, is_present)| *is_present).map(|(stream, _)| stream));
        let spans = influences.map_or(0, |influences| influences.spans.len());
        streams.extend(Stream::SKINNING.into_iter().take(spans).flatten());
        streams
    }

    /// Returns the bytes of a vertex in all streams, at their widest.
    pub(super) fn bytes(&self) -> VertexBytes {
        let size = |streams: &[Stream]| streams.iter().map(|stream| u64::from(stream.size())).sum::<u64>();
        let streams = self.streams();
        let (skinned, rest): (Vec<_>, Vec<_>) =
            streams.into_iter().partition(|stream| Stream::SKINNED.contains(stream));
        VertexBytes { source: size(&skinned) + size(&rest), result: size(&skinned) }
    }

    /// Returns the bytes of a vertex that the kernel of a mode reads and writes.
    pub(super) fn moved_bytes(
        &self,
        (mode, exactness): (SkinningMode, Exactness),
        outputs: Outputs,
    ) -> VertexBytes {
        let packing = self.packing(exactness);
        // The vertex shader of the mode has the same code, and the compiler lists the streams that are left of it.
        let shader = shaders::mesh_vert(self.mode(mode), self.spans());
        let inputs = shader.map_or(&[][..], |shader| shader.inputs);
        let is_skinned = |stream: Stream| match stream {
            Stream::Normal => outputs >= Outputs::Normals,
            Stream::Tangent => outputs >= Outputs::Tangents,
            _ => stream == Stream::Position,
        };
        let mut bytes = VertexBytes { source: 0, result: 0 };
        for stream in self.streams() {
            let (size, is_written) = (packing.size(stream), is_skinned(stream));
            let is_input = !Stream::SKINNED.contains(&stream) && inputs.contains(&stream.location());
            bytes.source += if is_written || is_input { size } else { 0 };
            bytes.result += if is_written { size } else { 0 };
        }
        bytes
    }

    /// Returns some vertices as the kernel reads them, with all streams. The numbers of points replace the shares.
    pub(super) fn lay_out(
        &self,
        range: Range<usize>,
        exactness: Exactness,
        points: Option<&[f32]>,
    ) -> (Vec<u8>, SpanLayout) {
        let Vertices { positions, normals, tangents, influences, shares, centers, .. } = self.vertices;
        let mut bytes = Vec::new();
        let mut layout = SpanLayout {
            vertex_count: range.len() as u32,
            position: ABSENT,
            normal: ABSENT,
            tangent: ABSENT,
            joints: [ABSENT; 4],
            weights: [ABSENT; 4],
            share: ABSENT,
            center: ABSENT,
            slots: self.slots,
            result: 0,
        };
        let streams = self.streams();
        let has = |stream: Stream| streams.contains(&stream);
        layout.position = put(&mut bytes, Some(positions), &range);
        layout.normal = put(&mut bytes, normals, &range);
        layout.tangent = put(&mut bytes, tangents.filter(|_| has(Stream::Tangent)), &range);
        let spans = influences.map_or(&[][..], |influences| &influences.spans);
        let places = layout.joints.iter_mut().zip(&mut layout.weights);
        let (packing, all) = (self.packing(exactness), 0..range.len());
        for (span, (joints, weights)) in spans.iter().zip(places) {
            let of_vertex = |four: &[i32; 4]| four.map(|joint| self.packed(joint));
            let shorts = within(&span.joints, &range).iter().map(of_vertex);
            *joints = match packing.byte_joints {
                true => put(&mut bytes, Some(&shorts.map(packing::bytes).collect::<Vec<_>>()), &all),
                false => put(&mut bytes, Some(&shorts.collect::<Vec<_>>()), &all),
            };
            *weights = match packing.short_weights {
                true => {
                    let shorts = within(&span.weights, &range).iter().map(packing::shorts);
                    put(&mut bytes, Some(&shorts.collect::<Vec<_>>()), &all)
                }
                false => put(&mut bytes, Some(&span.weights), &range),
            };
        }
        layout.share = put(&mut bytes, points.or(shares).filter(|_| has(Stream::Share)), &range);
        layout.center = put(&mut bytes, centers.filter(|_| has(Stream::Center)), &range);
        (bytes, layout)
    }

    /// Returns a joint as the shader reads it; "no joint" if the palette lacks it.
    fn packed(&self, joint: i32) -> i16 {
        let is_there = u32::try_from(joint).is_ok_and(|joint| joint < self.slots);
        i16::try_from(joint).ok().filter(|_| is_there).unwrap_or(-1)
    }
}

/// Appends some elements of a stream and returns their first word. A stream that is too short ends in zeros.
fn put<T: bytemuck::Pod>(bytes: &mut Vec<u8>, stream: Option<&[T]>, range: &Range<usize>) -> u32 {
    let Some(stream) = stream else { return ABSENT };
    bytes.resize(bytes.len().next_multiple_of(16), 0);
    let word = (bytes.len() / 4) as u32;
    let end = bytes.len() + range.len() * size_of::<T>();
    bytes.extend_from_slice(bytemuck::cast_slice(within(stream, range)));
    bytes.resize(end, 0);
    word
}

/// Returns the elements of a range that a stream has.
fn within<'a, T>(stream: &'a [T], range: &Range<usize>) -> &'a [T] {
    stream.get(range.start..range.end.min(stream.len())).unwrap_or_default()
}
