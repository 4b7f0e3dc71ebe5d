//! The metrics: one table of their names, units, directions and limits, and their values in a frame. `report` and `sweep`
//! take all names from it. This module must not depend on the presentation of results.

mod facts;
mod reading;
mod score;
mod table;

#[cfg(test)]
mod tests;

pub use facts::{Better, Facts, Unit};
pub use reading::{At, Row};
pub use score::{MAX_SCORE, Scale, is_problem};
pub use table::{Metric, NoMetric};
