//! What an explanation holds of loading.

use serde::Serialize;

use crate::inspect::Finding;

/// What loading changed of a vertex.
#[derive(Clone, Debug, Serialize)]
pub struct Loading {
    /// True if the stored weights sum to one, so that they are used as they are, up to rounding.
    pub sums_to_one: bool,
    /// The sum of the stored weights, where it is not one; `None` also if `f32` cannot hold it.
    pub stored_sum: Option<f64>,
    /// The stored joints and weights; `None` until they are read from the file.
    pub stored: Option<Stored>,
    /// What the loader says about the whole primitive.
    pub warnings: Vec<Finding>,
}

/// The stored influences of a vertex.
#[derive(Clone, Debug, Serialize)]
pub struct Stored {
    /// Every slot, in the file's order.
    pub slots: Vec<StoredSlot>,
    /// The sum of the weights above zero.
    pub sum: Option<f64>,
    /// What loading changed, in its order.
    pub changes: Vec<Change>,
}

/// One slot of a stored set.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct StoredSlot {
    /// The `n` of its `JOINTS_n`.
    pub set: usize,
    /// The joint's number in the skin.
    pub joint: u16,
    /// The weight; `None` if it is not finite.
    pub weight: Option<f64>,
}

/// Something that loading changed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum Change {
    /// The vertex has no skin, so its influences are not used.
    NotUsed,
    /// Weights that are not finite count as zero.
    NotFinite {
        /// How many.
        slots: usize,
    },
    /// Weights below zero count as zero.
    Negative {
        /// How many.
        slots: usize,
    },
    /// No weight is above zero, so the joint of the first slot, or joint 0, has all of it.
    NoWeight {
        /// That joint.
        joint: i32,
    },
    /// The order is the heaviest first.
    Sorted,
    /// Influences beyond the limit are dropped.
    Dropped {
        /// How many.
        slots: usize,
        /// Their share of the weight.
        share: Option<f64>,
    },
    /// Weights below a part in 2²⁴ are dropped.
    TooSmall {
        /// How many.
        slots: usize,
    },
    /// The weights are divided by their sum, because it is not one.
    Rescaled {
        /// The sum.
        sum: Option<f64>,
    },
    /// A joint that is named more than once stays so.
    Repeated {
        /// The joint.
        joint: u16,
        /// How often it is named.
        times: usize,
    },
}
