//! The costs of blocks and runs, by which windows are planned.

use crate::vectors::ROW;

/// Relative costs, some nanoseconds with AVX2: starting a run, and copying sixteen
/// vertices into the file's order.
pub const RUN_COST: usize = 5;
pub const COPY_COST: usize = 3;

/// Returns the cost of a block of vertices that share this many joints.
pub const fn shared_cost(joints: usize) -> usize {
    6 + joints
}

/// Returns the cost of a block of vertices with this many separate joints.
pub const fn mixed_cost(influences: usize) -> usize {
    9 + 3 * influences
}

/// Returns true if a separate, partly filled block of vertices that share their joints costs less than their part of a mixed
/// block.
pub fn is_worth_a_block(vertices: usize, joints: usize) -> bool {
    vertices * mixed_cost(joints) >= ROW * (shared_cost(joints) + RUN_COST)
}
