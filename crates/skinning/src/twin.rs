//! Skins whole primitives on the processor by the modes' twins; tests compare the GPU's output with it. Vertices are blended
//! one after the other, and then moved many at once, by loops that the compiler vectorises.

use super::affine::{transform_normal, transform_position, transform_tangent};
use super::{Affine, SkinningMode, Slot, VertexSkin};
use crate::vectors::{Level, Task};
use sinew_model::{DdmRow, DdmRows, Influences, Primitive};

/// The maximum number of spans of four influences of a vertex.
pub const MAX_SPANS: usize = 4;

/// Bind-space vertices, as slices of equal length.
#[derive(Clone, Copy, Debug)]
pub struct Vertices<'a> {
    /// Positions.
    pub positions: &'a [[f32; 3]],
    /// Normals.
    pub normals: Option<&'a [[f32; 3]]>,
    /// Tangents; moved only if there are normals, to which they are made orthogonal.
    pub tangents: Option<&'a [[f32; 4]]>,
    /// Joints and weights; `None` moves every vertex by the palette's only slot.
    pub influences: Option<&'a Influences>,
    /// Each vertex's share of dual quaternion skinning in *blend*; `None` is 1 everywhere.
    pub shares: Option<&'a [f32]>,
    /// Each vertex's centre of rotation, see [`centers`](crate::centers); `None` makes each vertex its own centre.
    pub centers: Option<&'a [[f32; 3]]>,
    /// The terms of the mesh for *ddm*, and the number of this primitive in it.
    pub ddm: Option<(&'a DdmRows, usize)>,
}

impl<'a> Vertices<'a> {
    /// Returns all vertices of a primitive.
    pub fn of(primitive: &'a Primitive) -> Self {
        Self {
            positions: &primitive.positions,
            normals: primitive.normals.as_deref(),
            tangents: primitive.tangents.as_deref(),
            influences: primitive.influences.as_ref(),
            shares: None,
            centers: None,
            ddm: None,
        }
    }

    /// Returns the joints and weights of a vertex, and the number of their spans that count. Without influences, joint 0 has
    /// weight 1.
    pub fn influences_of(&self, vertex: usize) -> ([[i32; 4]; MAX_SPANS], [[f32; 4]; MAX_SPANS], usize) {
        let mut joints = [[-1; 4]; MAX_SPANS];
        let mut weights = [[0.0; 4]; MAX_SPANS];
        let Some(influences) = self.influences.filter(|influences| !influences.spans.is_empty()) else {
            joints[0][0] = 0;
            weights[0][0] = 1.0;
            return (joints, weights, 1);
        };
        let count = influences.spans.len().min(MAX_SPANS);
        for (span, (joints, weights)) in joints.iter_mut().zip(&mut weights).enumerate().take(count) {
            (*joints, *weights) = influences.of_vertex(span, vertex);
        }
        (joints, weights, count)
    }

    /// Returns a vertex's share of dual quaternion skinning in *blend*.
    pub fn share_of(&self, vertex: usize) -> f32 {
        self.shares.and_then(|shares| shares.get(vertex)).copied().unwrap_or(1.0)
    }

    /// Returns a vertex's centre of rotation, if it is known.
    pub fn center_of(&self, vertex: usize) -> Option<[f32; 3]> {
        self.centers.and_then(|centers| centers.get(vertex)).copied()
    }

    /// Returns a vertex's terms for *ddm*, if they are known.
    pub fn ddm_of(&self, vertex: usize) -> Option<DdmRow<'a>> {
        self.ddm.and_then(|(rows, primitive)| rows.of(primitive, vertex))
    }
}

/// The slices for the results. Each is written up to its length or its source's, whichever is shorter.
#[derive(Debug, Default)]
pub struct Skinned<'a> {
    /// World-space positions.
    pub positions: &'a mut [[f32; 3]],
    /// World-space normals, length one.
    pub normals: Option<&'a mut [[f32; 3]]>,
    /// World-space tangents, length one.
    pub tangents: Option<&'a mut [[f32; 4]]>,
}

/// Skins every vertex.
pub fn skin(mode: SkinningMode, slots: &[Slot], source: &Vertices, out: Skinned) {
    skin_by(|vertex| mode.blend(slots, vertex), source, out);
}

/// A skinned vertex. Without a normal it has no tangent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkinnedVertex {
    /// World-space position.
    pub position: [f32; 3],
    /// World-space normal, length one.
    pub normal: Option<[f32; 3]>,
    /// World-space tangent, length one.
    pub tangent: Option<[f32; 4]>,
}

/// Skins one vertex; `None` if the source lacks it.
pub fn skin_vertex(
    mode: SkinningMode,
    slots: &[Slot],
    source: &Vertices,
    vertex: usize,
) -> Option<SkinnedVertex> {
    let position = *source.positions.get(vertex)?;
    Some(skin_at(&|vertex| mode.blend(slots, vertex), source, vertex, position))
}

/// Skins every vertex by the transform that `blend` gives it.
pub(crate) fn skin_by(blend: impl Fn(&VertexSkin) -> Affine, source: &Vertices, mut out: Skinned) {
    let mut lanes = Lanes::default();
    let count = source.positions.len().min(out.positions.len());
    for begin in (0..count).step_by(LANES) {
        let vertices = begin..count.min(begin + LANES);
        for (lane, vertex) in vertices.clone().enumerate() {
            let position = source.positions.get(vertex).copied().unwrap_or_default();
            lanes.set(lane, source, vertex, &blend_at(&blend, source, vertex, position));
        }
        let (has_normals, has_tangents) = (source.normals.is_some(), source.tangents.is_some());
        Level::Best.run(MoveAll { lanes: &mut lanes, has_normals, has_tangents });
        for (lane, vertex) in vertices.enumerate() {
            if let Some(out) = out.positions.get_mut(vertex) {
                *out = lanes.positions.map(|of| of[lane]);
            }
            let Some(_) = source.normals.filter(|normals| vertex < normals.len()) else { continue };
            if let Some(out) = out.normals.as_mut().and_then(|normals| normals.get_mut(vertex)) {
                *out = lanes.normals.map(|of| of[lane]);
            }
            let Some(_) = source.tangents.filter(|tangents| vertex < tangents.len()) else { continue };
            if let Some(out) = out.tangents.as_mut().and_then(|tangents| tangents.get_mut(vertex)) {
                *out = lanes.tangents.map(|of| of[lane]);
            }
        }
    }
}

/// Blends the transform of a vertex at a position.
fn blend_at(
    blend: &impl Fn(&VertexSkin) -> Affine,
    source: &Vertices,
    vertex: usize,
    position: [f32; 3],
) -> Affine {
    let (joints, weights, spans) = source.influences_of(vertex);
    let share = source.share_of(vertex);
    let center = source.center_of(vertex).unwrap_or(position);
    let (joints, weights) = (&joints[..spans], &weights[..spans]);
    let ddm = source.ddm_of(vertex);
    blend(&VertexSkin { joints, weights, share, center, position, ddm })
}

/// Skins a vertex at a position.
fn skin_at(
    blend: &impl Fn(&VertexSkin) -> Affine,
    source: &Vertices,
    vertex: usize,
    position: [f32; 3],
) -> SkinnedVertex {
    let b = blend_at(blend, source, vertex, position);
    let moved_normal =
        source.normals.and_then(|normals| normals.get(vertex)).map(|n| transform_normal(&b, *n));
    let tangent = source.tangents.and_then(|tangents| tangents.get(vertex));
    SkinnedVertex {
        position: transform_position(&b, position),
        normal: moved_normal,
        tangent: moved_normal.zip(tangent).map(|(normal, tangent)| transform_tangent(&b, *tangent, normal)),
    }
}

/// The number of vertices that are moved at once.
const LANES: usize = 64;

/// A float of each vertex.
type Floats = [f32; LANES];

/// Some vertices, before and after they are moved.
struct Lanes {
    /// The columns and translations of their transforms.
    transforms: [Floats; 12],
    positions: [Floats; 3],
    normals: [Floats; 3],
    tangents: [Floats; 4],
}

impl Default for Lanes {
    fn default() -> Self {
        let zero = [0.0; LANES];
        Self { transforms: [zero; 12], positions: [zero; 3], normals: [zero; 3], tangents: [zero; 4] }
    }
}

impl Lanes {
    /// Sets a vertex and its transform.
    #[inline(always)]
    fn set(&mut self, lane: usize, source: &Vertices, vertex: usize, b: &Affine) {
        let numbers = [b.x, b.y, b.z, b.translation];
        for (of, number) in self.transforms.iter_mut().zip(numbers.as_flattened()) {
            of[lane] = *number;
        }
        let of = |stream: Option<&[[f32; 3]]>| stream.and_then(|stream| stream.get(vertex)).copied();
        let tangent = source.tangents.and_then(|tangents| tangents.get(vertex)).copied();
        put(&mut self.positions, lane, of(Some(source.positions)).unwrap_or_default());
        put(&mut self.normals, lane, of(source.normals).unwrap_or_default());
        put(&mut self.tangents, lane, tangent.unwrap_or_default());
    }

    #[inline(always)]
    fn transform(&self, lane: usize) -> Affine {
        let of = &self.transforms;
        let column = |at: usize| [of[at][lane], of[at + 1][lane], of[at + 2][lane]];
        Affine { x: column(0), y: column(3), z: column(6), translation: column(9) }
    }
}

#[inline(always)]
fn put<const N: usize>(of: &mut [Floats; N], lane: usize, to: [f32; N]) {
    for (of, to) in of.iter_mut().zip(to) {
        of[lane] = to;
    }
}

/// Moves all lanes.
struct MoveAll<'a> {
    lanes: &'a mut Lanes,
    has_normals: bool,
    has_tangents: bool,
}

impl<S> Task<S> for MoveAll<'_> {
    #[inline(always)]
    fn run(self, _simd: S) {
        let Self { lanes, has_normals, has_tangents } = self;
        for lane in 0..LANES {
            let (b, [x, y, z]) = (lanes.transform(lane), &lanes.positions);
            let moved = transform_position(&b, [x[lane], y[lane], z[lane]]);
            put(&mut lanes.positions, lane, moved);
        }
        if !has_normals {
            return;
        }
        for lane in 0..LANES {
            let (b, [x, y, z]) = (lanes.transform(lane), &lanes.normals);
            let moved = transform_normal(&b, [x[lane], y[lane], z[lane]]);
            put(&mut lanes.normals, lane, moved);
        }
        if !has_tangents {
            return;
        }
        for lane in 0..LANES {
            let (b, [x, y, z], t) = (lanes.transform(lane), &lanes.normals, &lanes.tangents);
            let tangent = [t[0][lane], t[1][lane], t[2][lane], t[3][lane]];
            let moved = transform_tangent(&b, tangent, [x[lane], y[lane], z[lane]]);
            put(&mut lanes.tangents, lane, moved);
        }
    }
}
