//! The memory layout of the fast path: blocks of sixteen vertices, a row for each component, and runs of blocks
//! that share their joints.

use super::simd::Permutation;
use super::vector::{ROW, Row};

/// "No joint" in a run whose vertices share their joints: a number that no palette reaches.
pub const NO_JOINT: u32 = u32::MAX;

/// "No joint" in a mixed run. In a palette that has a joint of this number, mixed runs hold no vertex that
/// names it.
pub const MIXED_NO_JOINT: u16 = u16::MAX;

/// The most influences a vertex can have.
pub const MAX_INFLUENCES: usize = 16;

/// How the vertices of a run are influenced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// All vertices have the same joints in the same order. With `derived`, the first weight of each is one
    /// minus the others and is not stored, so one influence needs no weights at all.
    Uniform {
        /// Whether the first weight is left out.
        derived: bool,
    },
    /// Each vertex has its own joints; all weights are stored.
    Mixed,
}

/// Blocks with the same number of influences. The last may be partly filled: its unused lanes repeat the run's
/// last vertex.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// How its vertices are influenced.
    pub kind: Kind,
    /// How many influences each vertex has.
    pub influences: u8,
    /// How many vertices.
    pub vertices: u32,
    /// Its first vertex, in the layout's order.
    pub first_vertex: u32,
    /// Its first block.
    pub first_block: u32,
    /// Where its joints start, in [`Blocks::joints`] or, for [`Kind::Mixed`], [`Blocks::mixed_joints`].
    pub joints: u32,
    /// Where its weights start in [`Blocks::weights`].
    pub weights: u32,
}

impl Run {
    /// How many blocks its vertices fill.
    pub fn blocks(&self) -> usize {
        (self.vertices as usize).div_ceil(ROW)
    }

    /// How many rows of weights each block has.
    pub fn weight_rows(&self) -> usize {
        match self.kind {
            Kind::Uniform { derived: true } => usize::from(self.influences) - 1,
            _ => usize::from(self.influences),
        }
    }
}

/// The blocks of a whole primitive.
#[derive(Clone, Debug, Default)]
pub struct Blocks {
    /// The runs, in the order of blocks and vertices.
    pub runs: Vec<Run>,
    /// Three rows a block.
    pub positions: Vec<[Row; 3]>,
    /// Three rows a block, or none at all.
    pub normals: Vec<[Row; 3]>,
    /// Four rows a block, or none at all.
    pub tangents: Vec<[Row; 4]>,
    /// A row a block, or none at all where every share is 1.
    pub shares: Vec<[Row; 1]>,
    /// Three rows a block, or none at all where every vertex is its own centre.
    pub centers: Vec<[Row; 3]>,
    /// Joints of uniform runs, one for each influence.
    pub joints: Vec<u32>,
    /// Joints of mixed runs, one row for each block and influence.
    pub mixed_joints: Vec<[u16; ROW]>,
    /// A row for each block and stored influence.
    pub weights: Vec<Row>,
    /// How many vertices there are.
    pub vertices: usize,
    /// How many slots a palette must have.
    pub palette: usize,
    /// The vertices' numbers in the file, if the layout's order differs.
    pub order: Option<Permutation>,
}

/// Joints and weights of one vertex.
#[derive(Clone, Copy, Debug)]
pub struct Influences {
    /// Joints; −1 from `count` on.
    pub joints: [i32; MAX_INFLUENCES],
    /// Weights; 0 from `count` on.
    pub weights: [f32; MAX_INFLUENCES],
}

impl Blocks {
    /// How many blocks there are.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// How many bytes skinning reads and writes, not counting the copy of results into another order.
    pub fn bytes(&self, positions: bool, normals: bool, tangents: bool) -> (usize, usize) {
        let influences = size_of_val(&self.weights[..])
            + size_of_val(&self.mixed_joints[..])
            + size_of_val(&self.joints[..])
            + size_of_val(&self.runs[..]);
        let mut bytes = (influences, 0);
        let spans = [
            (positions, size_of_val(&self.positions[..]), size_of::<[f32; 3]>()),
            (normals || tangents, size_of_val(&self.normals[..]), if normals { 12 } else { 0 }),
            (tangents, size_of_val(&self.tangents[..]), size_of::<[f32; 4]>()),
        ];
        for (_, read, written) in spans.into_iter().filter(|span| span.0) {
            bytes.0 += read;
            bytes.1 += written * self.vertices;
        }
        bytes
    }

    /// The source's number of a vertex: the one in this lane of a run's block, or for an unused lane the run's last.
    pub fn source_of(&self, run: &Run, number: usize, lane: usize) -> usize {
        let last = run.vertices as usize - 1;
        let place = run.first_vertex as usize + (number * ROW + lane).min(last);
        self.order.as_ref().map_or(place, |order| order.numbers()[place] as usize)
    }

    /// The number of the run that a block is in.
    pub fn run_of(&self, block: usize) -> usize {
        self.runs.partition_point(|run| run.first_block as usize <= block).saturating_sub(1)
    }

    /// The first vertex of a block, in the layout's order.
    pub fn first_vertex(&self, block: usize) -> usize {
        let Some(run) = self.runs.get(self.run_of(block)) else { return 0 };
        let before = (block - run.first_block as usize) * ROW;
        run.first_vertex as usize + before.min(run.vertices as usize)
    }

    /// The joints of a run whose vertices share them.
    pub fn joints_of(&self, run: &Run) -> &[u32] {
        let from = run.joints as usize;
        self.joints.get(from..from + usize::from(run.influences)).unwrap_or(&[])
    }

    /// The joints of a block of a mixed run.
    pub fn mixed_joints_of(&self, run: &Run, block: usize) -> &[[u16; ROW]] {
        let count = usize::from(run.influences);
        let from = run.joints as usize + (block - run.first_block as usize) * count;
        self.mixed_joints.get(from..from + count).unwrap_or(&[])
    }

    /// The stored weights of a block.
    pub fn weights_of(&self, run: &Run, block: usize) -> &[Row] {
        let count = run.weight_rows();
        let from = run.weights as usize + (block - run.first_block as usize) * count;
        self.weights.get(from..from + count).unwrap_or(&[])
    }

    /// The shares of a block; `None` if they are all 1.
    pub fn shares_of(&self, block: usize) -> Option<&Row> {
        self.shares.get(block).map(|[row]| row)
    }

    /// The centres of a block's vertices: if there are none, their positions.
    pub fn centers_of(&self, block: usize) -> &[Row; 3] {
        self.centers.get(block).unwrap_or(&self.positions[block])
    }

    /// The influences of one vertex.
    pub fn influences_of(&self, run: &Run, block: usize, lane: usize) -> Influences {
        let mut out = Influences { joints: [-1; MAX_INFLUENCES], weights: [0.0; MAX_INFLUENCES] };
        let signed = |joint: u32| i32::try_from(joint).unwrap_or(-1);
        let stored = self.weights_of(run, block).iter().map(|row| row.0[lane]);
        match run.kind {
            Kind::Mixed => {
                let joints = self.mixed_joints_of(run, block);
                let signed = |joint: u16| if joint == MIXED_NO_JOINT { -1 } else { i32::from(joint) };
                out.joints.iter_mut().zip(joints).for_each(|(out, row)| *out = signed(row[lane]));
            }
            Kind::Uniform { .. } => {
                let joints = self.joints_of(run);
                out.joints.iter_mut().zip(joints).for_each(|(out, &joint)| *out = signed(joint));
            }
        }
        if run.kind == (Kind::Uniform { derived: true }) {
            out.weights[0] = stored.clone().fold(1.0, |rest, weight| rest - weight);
            out.weights[1..].iter_mut().zip(stored).for_each(|(out, weight)| *out = weight);
        } else {
            out.weights.iter_mut().zip(stored).for_each(|(out, weight)| *out = weight);
        }
        out
    }
}
