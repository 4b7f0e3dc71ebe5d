//! Skins whole primitives on the processor by the modes' twins, one vertex after the other; tests compare the GPU's output
//! with it.

use super::affine::{transform_normal, transform_position, transform_tangent};
use super::{Affine, SkinningMode, Slot, VertexSkin};
use sinew_model::{Influences, Primitive};

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
    for (vertex, (&position, moved)) in source.positions.iter().zip(out.positions.iter_mut()).enumerate() {
        let skinned = skin_at(&blend, source, vertex, position);
        *moved = skinned.position;
        let normals = out.normals.as_mut().and_then(|normals| normals.get_mut(vertex));
        if let (Some(out), Some(normal)) = (normals, skinned.normal) {
            *out = normal;
        }
        let tangents = out.tangents.as_mut().and_then(|tangents| tangents.get_mut(vertex));
        if let (Some(out), Some(tangent)) = (tangents, skinned.tangent) {
            *out = tangent;
        }
    }
}

/// Skins a vertex at a position.
fn skin_at(
    blend: &impl Fn(&VertexSkin) -> Affine,
    source: &Vertices,
    vertex: usize,
    position: [f32; 3],
) -> SkinnedVertex {
    let (joints, weights, spans) = source.influences_of(vertex);
    let share = source.share_of(vertex);
    let center = source.center_of(vertex).unwrap_or(position);
    let (joints, weights) = (&joints[..spans], &weights[..spans]);
    let b = blend(&VertexSkin { joints, weights, share, center, position });
    let moved_normal =
        source.normals.and_then(|normals| normals.get(vertex)).map(|n| transform_normal(&b, *n));
    let tangent = source.tangents.and_then(|tangents| tangents.get(vertex));
    SkinnedVertex {
        position: transform_position(&b, position),
        normal: moved_normal,
        tangent: moved_normal.zip(tangent).map(|(normal, tangent)| transform_tangent(&b, *tangent, normal)),
    }
}
