//! The grids on which a file stores positions and weights.

use serde::Serialize;

use super::parts::Part;

/// Steps between the values that a file can store; null if it stores floats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Grid {
    /// The coarsest of positions, in metres.
    pub positions_m: Option<f64>,
    /// The coarsest of weights.
    pub weights: Option<f64>,
}

/// The number of a vertex's influences that a grid of weights rounds, each by at most one step.
const INFLUENCES: f64 = 8.0;

impl Grid {
    /// Returns the grids of some parts.
    pub(super) fn of(parts: &[Part]) -> Self {
        let coarsest = |steps: &mut dyn Iterator<Item = f64>| {
            steps.filter(|step| step.is_finite()).max_by(f64::total_cmp)
        };
        Self {
            positions_m: coarsest(&mut parts.iter().filter_map(|part| part.step_m)),
            weights: coarsest(
                &mut parts.iter().filter_map(|part| part.found.primitive.steps.weights.map(f64::from)),
            ),
        }
    }

    /// Returns true if rounding to the grid alone can change weights by that sum of |Δw|.
    pub fn rounds_weights(&self, apart: f64) -> bool {
        self.weights.is_some_and(|step| apart <= INFLUENCES * step)
    }
}
