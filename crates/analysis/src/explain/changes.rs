//! The loading part of an explanation.

use serde::Serialize;

use crate::inspect::Finding;

/// The changes to a vertex during loading.
#[derive(Clone, Debug, Serialize)]
pub struct Loading {
    /// True if the stored weights sum to one, up to rounding, so that they are used as they are.
    pub sums_to_one: bool,
    /// The sum of the stored weights, if it is not one; `None` also if `f32` cannot hold it.
    pub stored_sum: Option<f64>,
    /// The stored joints and weights; `None` until they are read from the file.
    pub stored: Option<Stored>,
    /// The loader's findings about the whole primitive.
    pub warnings: Vec<Finding>,
}

/// The stored influences of a vertex.
#[derive(Clone, Debug, Serialize)]
pub struct Stored {
    /// Every slot, in the file's order.
    pub slots: Vec<StoredSlot>,
    /// The sum of the weights above zero.
    pub sum: Option<f64>,
    /// The changes during loading, in their order.
    pub changes: Vec<Change>,
}

/// One slot of a stored set.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct StoredSlot {
    /// The `n` of its `JOINTS_n`.
    pub set: usize,
    /// The joint's index in the skin.
    pub joint: u16,
    /// The weight; `None` if it is not finite.
    pub weight: Option<f64>,
}

/// A change during loading.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum Change {
    /// The vertex has no skin, so its influences are not used.
    NotUsed,
    /// Weights that are not finite count as zero.
    NotFinite {
        /// The number of slots.
        slots: usize,
    },
    /// Weights below zero count as zero.
    Negative {
        /// The number of slots.
        slots: usize,
    },
    /// No weight is above zero, so the joint of the first slot, or joint 0, has the full weight.
    NoWeight {
        /// The joint with the full weight.
        joint: i32,
    },
    /// Influences are sorted, the heaviest first.
    Sorted,
    /// Influences beyond the limit are dropped.
    Dropped {
        /// The number of slots.
        slots: usize,
        /// Their share of the weight.
        share: Option<f64>,
    },
    /// Weights below a part in 2²⁴ are dropped.
    TooSmall {
        /// The number of slots.
        slots: usize,
    },
    /// The weights are divided by their sum, because it is not one.
    Rescaled {
        /// The sum.
        sum: Option<f64>,
    },
    /// A joint that appears more than once stays so.
    Repeated {
        /// The joint.
        joint: u16,
        /// The number of times that it appears.
        times: usize,
    },
}
