//! The memory layout of the fast path: blocks of sixteen vertices, a row for each component, runs of blocks that
//! share their joints, and windows of runs.

use super::terms::Terms;
use crate::vectors::{ROW, Row};
use std::ops::Range;
use std::sync::Arc;

/// "No joint" in a run of vertices that share their joints: an index that no palette reaches.
pub const NO_JOINT: u32 = u32::MAX;

/// "No joint" in a mixed run.
pub const MIXED_NO_JOINT: u32 = u32::MAX;

/// The number of joints that vertices of mixed runs may have.
pub const MIXED_JOINTS: u32 = 1 << 16;

/// The maximum number of influences of a vertex.
pub const MAX_INFLUENCES: usize = 16;

/// The number of the file's vertices in a window; the last may have fewer. Its skinned vertices stay in a core's cache until
/// they are copied into the file's order, and a `u16` counts them even if each fills a block.
pub const WINDOW: usize = 4096;

const _: () = assert!(WINDOW * ROW <= 1 << 16 && WINDOW.is_multiple_of(ROW));

/// The arrangement of joints in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// All vertices have the same joints in the same order. With `derived`, the first weight of each is one
    /// minus the others and is not stored, so one influence needs no weights at all.
    Uniform {
        /// True if the first weight is left out.
        derived: bool,
    },
    /// Each vertex has its own joints; all weights are stored.
    Mixed,
}

/// The maximum number of joints that a mixed run's vertices may have in common.
pub const MAX_COMMON: usize = 8;

/// Blocks with the same number of influences. The last may be partly filled: its unused lanes repeat the run's
/// last vertex.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// The arrangement of its joints.
    pub kind: Kind,
    /// The number of influences of each vertex.
    pub influences: u8,
    /// The number of vertices.
    pub vertices: u16,
    /// Its first block.
    pub first_block: u32,
    /// The start of its joints in [`Blocks::joints`] or, for [`Kind::Mixed`], in [`Blocks::mixed_joints`].
    pub joints: u32,
    /// The start of its weights in [`Blocks::weights`].
    pub weights: u32,
    /// The joints of all vertices of a mixed run, if they are few.
    pub common: Common,
}

/// All joints of a mixed run, each once, with a weight for each vertex. Modes whose sums do not depend on the order of joints
/// blend them as those of vertices that share their joints.
#[derive(Clone, Copy, Debug, Default)]
pub struct Common {
    /// The number of joints; 0 if there are too many for the run's vertices.
    pub count: u8,
    /// The start of the joints in [`Blocks::joints`].
    pub joints: u32,
    /// The start of the weights in [`Blocks::weights`].
    pub weights: u32,
}

impl Run {
    /// Returns the number of blocks that its vertices fill.
    pub fn blocks(&self) -> usize {
        usize::from(self.vertices).div_ceil(ROW)
    }

    /// Returns the number of rows of weights in each block.
    pub fn weight_rows(&self) -> usize {
        match self.kind {
            Kind::Uniform { derived: true } => usize::from(self.influences) - 1,
            _ => usize::from(self.influences),
        }
    }
}

/// Runs of up to [`WINDOW`] consecutive vertices of the file.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// Its first run.
    pub first_run: u32,
    /// Its first block.
    pub first_block: u32,
    /// The start of its vertices' places in [`Blocks::places`], if the order in the runs differs from the file's.
    pub places: Option<u32>,
}

/// The blocks of a whole primitive.
#[derive(Clone, Debug, Default)]
pub struct Blocks {
    /// The windows, in the file's order.
    pub windows: Vec<Window>,
    /// The runs, in the order of blocks.
    pub runs: Vec<Run>,
    /// Three rows per block.
    pub positions: Vec<[Row; 3]>,
    /// Three rows per block, or none at all.
    pub normals: Vec<[Row; 3]>,
    /// Four rows per block, or none at all.
    pub tangents: Vec<[Row; 4]>,
    /// A row per block, or none at all if every share is 1.
    pub shares: Vec<[Row; 1]>,
    /// Three rows per block, or none at all if every vertex is its own centre.
    pub centers: Vec<[Row; 3]>,
    /// The terms for *ddm*.
    pub terms: Option<Arc<Terms>>,
    /// All joints of any vertex, each once.
    pub used_joints: Vec<u32>,
    /// Joints of uniform runs, one for each influence.
    pub joints: Vec<u32>,
    /// Joints of mixed runs, one row for each block and influence: where the joint's slot begins, as a number of floats.
    pub mixed_joints: Vec<[u32; ROW]>,
    /// A row for each block and stored influence.
    pub weights: Vec<Row>,
    /// For each vertex of the reordered windows, its place in its window's blocks.
    pub places: Vec<u16>,
    /// The number of vertices.
    pub vertices: usize,
    /// The minimum number of slots in a palette.
    pub palette: usize,
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
    /// Returns the number of blocks.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Returns the number of bytes that skinning reads and writes, without the copy of results into another order.
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

    /// Returns the vertices of a window, by their indices in the file.
    pub fn vertices_of(&self, window: usize) -> Range<usize> {
        (window * WINDOW).min(self.vertices)..((window + 1) * WINDOW).min(self.vertices)
    }

    /// Returns the runs of a window.
    pub fn runs_of(&self, window: usize) -> &[Run] {
        let first = |number: usize| self.windows.get(number).map(|window| window.first_run as usize);
        let end = first(window + 1).unwrap_or(self.runs.len());
        self.runs.get(first(window).unwrap_or(end)..end).unwrap_or(&[])
    }

    /// Returns the number of blocks in a window.
    pub fn blocks_in(&self, window: usize) -> usize {
        let first = |number: usize| self.windows.get(number).map(|window| window.first_block as usize);
        let end = first(window + 1).unwrap_or(self.len());
        end - first(window).unwrap_or(end)
    }

    /// Returns the places of a window's vertices in its blocks; `None` if these have the file's order.
    pub fn places_of(&self, window: usize) -> Option<&[u16]> {
        let start = self.windows.get(window)?.places? as usize;
        self.places.get(start..start + self.vertices_of(window).len())
    }

    /// Visits the vertices of a window in the file's order, each with its index in the file, its block and its lane.
    pub fn each_vertex(&self, window: usize, mut visit: impl FnMut(usize, usize, usize)) {
        let numbers = self.vertices_of(window);
        match (self.windows.get(window), self.places_of(window)) {
            (Some(window), Some(places)) => {
                for (number, &place) in numbers.zip(places) {
                    let place = usize::from(place);
                    visit(number, window.first_block as usize + place / ROW, place % ROW);
                }
            }
            _ => {
                let within =
                    |run: &Run| (0..usize::from(run.vertices)).map(|vertex| (vertex / ROW, vertex % ROW));
                let lanes = self.runs_of(window).iter().flat_map(|run| {
                    within(run).map(|(block, lane)| (run.first_block as usize + block, lane))
                });
                numbers.zip(lanes).for_each(|(number, (block, lane))| visit(number, block, lane));
            }
        }
    }

    /// Returns the joints of a run whose vertices share them.
    pub fn joints_of(&self, run: &Run) -> &[u32] {
        let from = run.joints as usize;
        self.joints.get(from..from + usize::from(run.influences)).unwrap_or(&[])
    }

    /// Returns all joints of a mixed run; none if there are too many.
    pub fn common_joints_of(&self, run: &Run) -> &[u32] {
        let from = run.common.joints as usize;
        self.joints.get(from..from + usize::from(run.common.count)).unwrap_or(&[])
    }

    /// Returns the joints of a block of a mixed run.
    pub fn mixed_joints_of(&self, run: &Run, block: usize) -> &[[u32; ROW]] {
        let count = usize::from(run.influences);
        let from = run.joints as usize + (block - run.first_block as usize) * count;
        self.mixed_joints.get(from..from + count).unwrap_or(&[])
    }

    /// Returns the stored weights of a block.
    pub fn weights_of(&self, run: &Run, block: usize) -> &[Row] {
        let count = run.weight_rows();
        let from = run.weights as usize + (block - run.first_block as usize) * count;
        self.weights.get(from..from + count).unwrap_or(&[])
    }

    /// Returns the shares of a block; `None` if they are all 1.
    pub fn shares_of(&self, block: usize) -> Option<&Row> {
        self.shares.get(block).map(|[row]| row)
    }

    /// Returns the centres of a block's vertices, or their positions if there are none.
    pub fn centers_of(&self, block: usize) -> &[Row; 3] {
        self.centers.get(block).unwrap_or(&self.positions[block])
    }

    /// Returns the influences of one vertex.
    pub fn influences_of(&self, run: &Run, block: usize, lane: usize) -> Influences {
        let mut out = Influences { joints: [-1; MAX_INFLUENCES], weights: [0.0; MAX_INFLUENCES] };
        let signed = |joint: u32| i32::try_from(joint).unwrap_or(-1);
        let stored = self.weights_of(run, block).iter().map(|row| row.0[lane]);
        match run.kind {
            Kind::Mixed => {
                let joints = self.mixed_joints_of(run, block);
                let signed =
                    |joint: u32| if joint == MIXED_NO_JOINT { -1 } else { (joint / ROW as u32) as i32 };
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
