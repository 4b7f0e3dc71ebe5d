//! Vertices of a caller's own arrays, without a model: laid out once, skinned often. It must not know in which language the
//! arrays were made.

use std::fmt::Display;

use glam::{DMat4, DVec4};
use sinew_model::{MAX_INFLUENCES, RawSet, prepare_influences};

use crate::cpu::{Error, Out, Prepared, Settings, Source};
use crate::{SkinningMode, Slot};

/// Vertices in their bind pose.
#[derive(Clone, Copy, Debug)]
pub struct Arrays<'a, Joint> {
    /// Positions.
    pub positions: &'a [[f32; 3]],
    /// Normals.
    pub normals: Option<&'a [[f32; 3]]>,
    /// Tangents; used only if there are normals.
    pub tangents: Option<&'a [[f32; 4]]>,
    /// The length of a row of joints and of weights, from 1 to 16.
    pub influences: usize,
    /// Rows of joints, one row for each vertex.
    pub joints: &'a [Joint],
    /// Rows of weights, which are divided by their sum.
    pub weights: &'a [f32],
    /// Centres of rotation, which *cor* needs.
    pub centers: Option<&'a [[f32; 3]]>,
    /// Shares of dual quaternions, which *blend* takes.
    pub shares: Option<&'a [f32]>,
}

/// Arrays that do not fit each other.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BadArrays {
    /// An array has another length than the positions.
    #[error("{what}: {rows} rows for {vertices} positions")]
    Rows {
        /// The array.
        what: &'static str,
        /// Its length.
        rows: usize,
        /// The number of positions.
        vertices: usize,
    },
    /// A row has no influences or too many.
    #[error("{0} influences; there may be 1 to {MAX_INFLUENCES}")]
    Influences(usize),
    /// A joint with weight is negative, or beyond what any model has.
    #[error("joints: vertex {vertex} has joint {joint}")]
    Joint {
        /// The vertex.
        vertex: usize,
        /// The joint.
        joint: String,
    },
    /// There are fewer matrices than joints with weight.
    #[error("matrices: {matrices}, but a vertex has joint {joint}")]
    Matrices {
        /// The number of matrices.
        matrices: usize,
        /// The last joint with weight.
        joint: usize,
    },
    /// A matrix is not affine.
    #[error("matrices: the last row of joint {0} is not 0, 0, 0, 1")]
    LastRow(usize),
    /// A mode needs centres of rotation.
    #[error("{0} needs centers; those of a model are found by its poses")]
    Centers(SkinningMode),
    /// A mode reads the surroundings of vertices, which arrays do not have.
    #[error("{0} needs a mesh, not arrays")]
    DirectDeltaMush(SkinningMode),
    /// The memory is full.
    #[error("{0} vertices do not fit in memory")]
    Memory(usize),
    /// The layout refuses them.
    #[error(transparent)]
    Layout(#[from] Error),
}

/// Vertices laid out for skinning.
#[derive(Clone, Debug)]
pub struct Mesh {
    prepared: Prepared,
    has_normals: bool,
    has_tangents: bool,
}

impl Mesh {
    /// Lays out vertices.
    ///
    /// # Errors
    /// If the arrays do not fit each other.
    pub fn new<Joint>(given: &Arrays<'_, Joint>) -> Result<Self, BadArrays>
    where
        Joint: Copy + Display + TryInto<u16>,
    {
        let vertices = given.positions.len();
        let width = given.influences;
        if !(1..=MAX_INFLUENCES).contains(&width) {
            return Err(BadArrays::Influences(width));
        }
        for (what, rows) in [
            ("normals", given.normals.map(<[_]>::len)),
            ("tangents", given.tangents.map(<[_]>::len)),
            ("centers", given.centers.map(<[_]>::len)),
            ("shares", given.shares.map(<[_]>::len)),
        ] {
            if let Some(rows) = rows.filter(|rows| *rows != vertices) {
                return Err(BadArrays::Rows { what, rows, vertices });
            }
        }
        for (what, numbers) in [("joints", given.joints.len()), ("weights", given.weights.len())] {
            if vertices.checked_mul(width) != Some(numbers) {
                return Err(BadArrays::Rows { what, rows: numbers / width, vertices });
            }
        }
        let (sets, joints) = sets(given)?;
        let influences =
            prepare_influences(&sets, joints).expect("no joint is beyond their number").influences;
        let (joints_of, weights_of): (Vec<_>, Vec<_>) =
            influences.spans.iter().map(|span| (span.joints.as_slice(), span.weights.as_slice())).unzip();
        let &Arrays { positions, normals, tangents, .. } = given;
        let mut prepared = Prepared::new(&Source {
            positions,
            normals,
            tangents,
            joints: &joints_of,
            weights: &weights_of,
        })?;
        prepared.set_centers(given.centers)?;
        prepared.set_shares(given.shares)?;
        let has_normals = normals.is_some();
        Ok(Self { prepared, has_normals, has_tangents: has_normals && tangents.is_some() })
    }

    /// Returns the number of vertices.
    pub fn len(&self) -> usize {
        self.prepared.len()
    }

    /// Returns true if there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.prepared.is_empty()
    }

    /// Returns the minimum number of matrices: one more than the largest joint with weight.
    pub fn joints(&self) -> usize {
        self.prepared.palette()
    }

    /// Returns true if normals can be skinned.
    pub fn has_normals(&self) -> bool {
        self.has_normals
    }

    /// Returns true if tangents can be skinned.
    pub fn has_tangents(&self) -> bool {
        self.has_tangents
    }

    /// Skins the vertices by matrices from the bind pose to the world. `slots` is memory that calls may share.
    ///
    /// # Errors
    /// If the matrices or results do not fit the vertices.
    pub fn skin(
        &self,
        mode: SkinningMode,
        matrices: &[DMat4],
        out: Out<'_>,
        settings: &Settings,
        slots: &mut Vec<Slot>,
    ) -> Result<(), BadArrays> {
        if mode.facts().needs_centers && !self.prepared.has_centers() {
            return Err(BadArrays::Centers(mode));
        }
        if mode.facts().needs_ddm {
            return Err(BadArrays::DirectDeltaMush(mode));
        }
        if matrices.len() < self.joints() {
            return Err(BadArrays::Matrices {
                matrices: matrices.len(),
                joint: self.joints().saturating_sub(1),
            });
        }
        if let Some(joint) = matrices.iter().position(|matrix| matrix.row(3) != DVec4::W) {
            return Err(BadArrays::LastRow(joint));
        }
        mode.slots_into(matrices, slots);
        Ok(self.prepared.skin(mode, slots, out, settings)?)
    }
}

/// Cuts rows into sets of four, and returns one more than the largest joint with weight.
fn sets<Joint>(given: &Arrays<'_, Joint>) -> Result<(Vec<RawSet>, usize), BadArrays>
where
    Joint: Copy + Display + TryInto<u16>,
{
    let (vertices, width) = (given.positions.len(), given.influences);
    let mut sets = vec![RawSet::default(); width.div_ceil(4)];
    for set in &mut sets {
        if set.joints.try_reserve_exact(vertices).is_err() || set.weights.try_reserve_exact(vertices).is_err()
        {
            return Err(BadArrays::Memory(vertices));
        }
    }
    let mut joints = 0;
    let rows = given.joints.chunks(width).zip(given.weights.chunks(width));
    for (vertex, (row, weights)) in rows.enumerate() {
        for (set, (of_set, weights)) in sets.iter_mut().zip(row.chunks(4).zip(weights.chunks(4))) {
            let (mut known, mut kept) = ([0; 4], [0.0; 4]);
            for (slot, (&joint, &weight)) in of_set.iter().zip(weights).enumerate() {
                kept[slot] = weight;
                match joint.try_into() {
                    Ok(index) => {
                        known[slot] = index;
                        joints = joints.max(if weight > 0.0 { usize::from(index) + 1 } else { 0 });
                    }
                    // A slot without weight may have any joint.
                    Err(_) if weight > 0.0 => {
                        return Err(BadArrays::Joint { vertex, joint: joint.to_string() });
                    }
                    Err(_) => {}
                }
            }
            set.joints.push(known);
            set.weights.push(kept);
        }
    }
    Ok((sets, joints))
}
