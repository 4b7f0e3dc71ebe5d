//! The loop of an animation library: linear blending as the documentation of ozz-animation describes its skinning job. Spans
//! of vertices one after the other, a loop for each number of influences, the last weight restored from the others, four
//! floats at a time, and normals and tangents by the blended matrix alone: neither of unit length nor by cofactors.

use crate::workload::{Influences, Parts, Workload};
use glam::{Mat4, Vec3, Vec3A};
use sinew::skinning::{SkinningMode, Slot};

/// Vertices with the same number of influences.
pub struct Group {
    pub influences: usize,
    /// As many per vertex as there are influences.
    pub joints: Vec<u16>,
    /// One per vertex fewer than there are influences.
    pub weights: Vec<f32>,
    pub positions: Vec<[f32; 3]>,
    pub normals: Vec<[f32; 3]>,
    pub tangents: Vec<[f32; 3]>,
}

/// The spans for a job's results.
#[derive(Clone)]
pub struct Moved {
    pub positions: Vec<[f32; 3]>,
    pub normals: Vec<[f32; 3]>,
    pub tangents: Vec<[f32; 3]>,
}

impl Moved {
    pub fn new(vertices: usize) -> Self {
        let span = vec![[1.0; 3]; vertices];
        Self { positions: span.clone(), normals: span.clone(), tangents: span }
    }
}

/// Returns a mesh as a single group or, as the documentation advises, as one for each number of influences.
pub fn groups(load: &Workload, is_partitioned: bool) -> Vec<Group> {
    let (joints, weights, most) = match &load.influences {
        Influences::One(joints, weights) => (joints.as_flattened(), weights.as_flattened(), 1),
        Influences::Two(joints, weights) => (joints.as_flattened(), weights.as_flattened(), 2),
        Influences::Four(joints, weights) => (joints.as_flattened(), weights.as_flattened(), 4),
        Influences::Eight(joints, weights) => (joints.as_flattened(), weights.as_flattened(), 8),
        Influences::Sixteen(joints, weights) => (joints.as_flattened(), weights.as_flattened(), 16),
    };
    let count = |vertex: usize| {
        let weights = &weights[vertex * most..][..most];
        weights.iter().rposition(|&weight| weight != 0.0).map_or(1, |last| last + 1)
    };
    let tangents: Vec<[f32; 3]> = load.tangents.iter().map(|&[x, y, z, _]| [x, y, z]).collect();
    let group = |influences: usize| {
        let is_in = |&vertex: &usize| !is_partitioned || count(vertex) == influences;
        let members: Vec<usize> = (0..load.positions.len()).filter(is_in).collect();
        let span = |from: &[[f32; 3]]| members.iter().map(|&vertex| from[vertex]).collect();
        let of = |&vertex: &usize| vertex * most..vertex * most + influences;
        let last = |range: std::ops::Range<usize>| range.start..range.end - 1;
        Group {
            influences,
            joints: members.iter().flat_map(|vertex| joints[of(vertex)].iter().copied()).collect(),
            weights: members.iter().flat_map(|vertex| weights[last(of(vertex))].iter().copied()).collect(),
            positions: span(&load.positions),
            normals: span(&load.normals),
            tangents: span(&tangents),
        }
    };
    let all = if is_partitioned { (1..=most).map(group).collect() } else { vec![group(most)] };
    all.into_iter().filter(|group| !group.positions.is_empty()).collect()
}

/// Returns the matrices of linear blending.
pub fn matrices(slots: &[Slot]) -> Vec<Mat4> {
    let affine = |slot: &Slot| {
        let [x, y, z, translation] = slot.columns.map(|[x, y, z, _]| Vec3::new(x, y, z));
        Mat4::from_cols(x.extend(0.0), y.extend(0.0), z.extend(0.0), translation.extend(1.0))
    };
    slots.iter().map(affine).collect()
}

/// The mode of the job.
pub const MODE: SkinningMode = SkinningMode::Linear;

/// Skins the groups one after the other.
pub fn skin(groups: &[Group], palette: &[Mat4], parts: Parts, out: &mut Moved) {
    let mut from = 0;
    for group in groups {
        let to = from + group.positions.len();
        let mut out = [&mut out.positions[from..to], &mut out.normals[from..to], &mut out.tangents[from..to]];
        from = to;
        match group.influences {
            1 => skin_group::<1, 0>(group, palette, parts, &mut out),
            2 => skin_group::<2, 1>(group, palette, parts, &mut out),
            3 => skin_group::<3, 2>(group, palette, parts, &mut out),
            _ => skin_group::<4, 3>(group, palette, parts, &mut out),
        }
    }
}

#[inline(never)]
fn skin_group<const K: usize, const STORED: usize>(
    group: &Group,
    palette: &[Mat4],
    parts: Parts,
    out: &mut [&mut [[f32; 3]]; 3],
) {
    match parts.0 {
        1 => loop_over::<K, STORED, 1>(group, palette, out),
        2 => loop_over::<K, STORED, 2>(group, palette, out),
        _ => loop_over::<K, STORED, 3>(group, palette, out),
    }
}

#[inline(always)]
fn loop_over<const K: usize, const STORED: usize, const PARTS: usize>(
    group: &Group,
    palette: &[Mat4],
    [positions, normals, tangents]: &mut [&mut [[f32; 3]]; 3],
) {
    let joints = group.joints.as_chunks::<K>().0;
    for (vertex, joints) in joints.iter().enumerate() {
        let weights: [f32; STORED] = match STORED {
            0 => [0.0; STORED],
            _ => group.weights.as_chunks::<STORED>().0[vertex],
        };
        let mut last = 1.0;
        for weight in weights {
            last -= weight;
        }
        let mut b = palette[usize::from(joints[K - 1])] * last;
        for (weight, &joint) in weights.into_iter().zip(joints) {
            b += palette[usize::from(joint)] * weight;
        }
        let moved = b.transform_point3a(Vec3A::from(group.positions[vertex]));
        positions[vertex] = moved.to_array();
        if PARTS > 1 {
            normals[vertex] = b.transform_vector3a(Vec3A::from(group.normals[vertex])).to_array();
        }
        if PARTS > 2 {
            tangents[vertex] = b.transform_vector3a(Vec3A::from(group.tangents[vertex])).to_array();
        }
    }
}
