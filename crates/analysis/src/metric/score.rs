//! The distance of a metric's values from the best, and their scores.

use super::facts::{Better, Unit};
use super::table::Metric;

/// The maximum score. A larger one has no more meaning, and would not be finite if a limit is zero.
pub const MAX_SCORE: f64 = 1000.0;

/// The totals that shares of a model refer to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// The diagonal of the bind pose in metres.
    pub diagonal_m: f64,
    /// The number of triangles.
    pub triangles: f64,
    /// The number of vertices.
    pub vertices: f64,
}

impl Metric {
    /// Returns the distance of a value from the best one; larger is worse.
    pub fn deviation(self, value: f64) -> f64 {
        match (self.facts().unit, self.facts().better) {
            (Unit::Ratio, Better::Higher) => 1.0 - value,
            (Unit::Ratio, Better::Lower) => value - 1.0,
            (_, Better::NearOne) => (value - 1.0).abs(),
            (Unit::Metres | Unit::Triangles | Unit::Vertices, Better::Higher) => -value,
            (Unit::Metres | Unit::Triangles | Unit::Vertices, Better::Lower) => value,
        }
    }

    /// Returns the last value that is not a problem; `None` for a metric that is not a fault.
    pub fn last_good(self, scale: &Scale) -> Option<f64> {
        let limit = self.facts().limit? * self.whole(scale);
        Some(match (self.facts().unit, self.facts().better) {
            (Unit::Ratio, Better::Higher) => 1.0 - limit,
            (Unit::Ratio, Better::Lower | Better::NearOne) => 1.0 + limit,
            (Unit::Metres | Unit::Triangles | Unit::Vertices, _) => limit,
        })
    }

    /// Returns the distance of a value from the best one in multiples of its limit, from 0 to a thousand; above 1 it is a
    /// problem. `None` for a metric that is not a fault, or a model without the total that it refers to.
    pub fn score(self, value: f64, scale: &Scale) -> Option<f64> {
        let limit = self.facts().limit?;
        let (deviation, whole) = (self.deviation(value), self.whole(scale));
        if deviation <= 0.0 {
            return Some(0.0);
        }
        (whole > 0.0).then(|| (deviation / (whole * limit)).min(MAX_SCORE))
    }

    /// Returns the total that the limit is a share of.
    pub fn whole(self, scale: &Scale) -> f64 {
        match self.facts().unit {
            Unit::Ratio => 1.0,
            Unit::Metres => scale.diagonal_m,
            Unit::Triangles => scale.triangles,
            Unit::Vertices => scale.vertices,
        }
    }
}

/// Returns true if a score is a problem.
pub fn is_problem(score: Option<f64>) -> bool {
    score.is_some_and(|score| score > 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_are_scored_by_their_limits() {
        let scale = Scale { diagonal_m: 2.0, triangles: 1000.0, vertices: 500.0 };
        let limits = [
            (Metric::SectionSmallest, 0.81, 0.79),
            (Metric::SectionLargest, 1.19, 1.21),
            (Metric::VolumeSmallest, 0.91, -3.0),
            (Metric::VolumeLargest, 1.09, 1.11),
            (Metric::StretchP1, 0.51, 0.0),
            (Metric::StretchP99, 1.99, 1e300),
            (Metric::TurnedTriangles, 5.0, 6.0),
            (Metric::Jump, 0.019, 0.021),
            (Metric::LostVertices, 0.0, 1.0),
        ];
        let (with_limit, without): (Vec<_>, Vec<_>) =
            Metric::ALL.into_iter().partition(|metric| metric.facts().limit.is_some());
        assert_eq!(limits.map(|(metric, ..)| metric).to_vec(), with_limit);
        for (metric, good, bad) in limits {
            assert!(
                !is_problem(metric.score(good, &scale)) && is_problem(metric.score(bad, &scale)),
                "{metric:?}"
            );
            assert!(metric.score(bad, &scale).unwrap() <= 1000.0);
            let last = metric.last_good(&scale).unwrap();
            assert!(
                metric.deviation(good) <= metric.deviation(last)
                    && metric.deviation(last) < metric.deviation(bad)
            );
        }
        for metric in without {
            assert_eq!((metric.score(1e9, &scale), metric.last_good(&scale)), (None, None));
        }
        assert_eq!(Metric::Jump.score(1.0, &Scale { diagonal_m: 0.0, ..scale }), None);
    }
}
