//! The metrics: their names, meanings, better directions, and scores.

use serde::{Deserialize, Serialize};

/// The maximum score. A larger one has no more meaning, and would not be finite if a limit is zero.
pub const MAX_SCORE: f64 = 1000.0;

/// The unit of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A ratio to the value in the bind pose.
    Ratio,
    /// Metres.
    Metres,
    /// A number of triangles.
    Triangles,
    /// A number of vertices.
    Vertices,
}

/// The direction of better values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// Larger ones.
    Higher,
    /// Smaller ones.
    Lower,
    /// Values near one.
    NearOne,
}

/// Constants of a metric.
pub struct Facts {
    /// The name in files.
    pub name: &'static str,
    /// The displayed name.
    pub title: &'static str,
    /// The unit.
    pub unit: Unit,
    /// The direction of better values.
    pub better: Better,
    /// The maximum distance of a good value from the best one: for a ratio, from one; else from zero, as a share of the
    /// diagonal, of all triangles or of all vertices. `None` for a metric that is not a fault.
    pub limit: Option<f64>,
    /// The explanation, in sentences.
    pub help: &'static str,
}

/// Makes [`Metric`] from one entry per metric, so that none can be missing from [`Metric::ALL`].
macro_rules! metrics {
    ($($(#[$meta:meta])* $variant:ident $name:literal $facts:tt)+) => {
        /// A number of each frame in each mode.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum Metric {
            $($(#[$meta])* #[serde(rename = $name)] $variant,)+
        }

        impl Metric {
            /// Every metric, in the order of tables.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            const fn facts(self) -> &'static Facts {
                match self {
                    $(Self::$variant => &metrics!(@facts $name $facts),)+
                }
            }
        }
    };
    (@facts $name:literal {
        $title:literal, $unit:ident, $better:ident, $limit:expr, $help:literal $(,)?
    }) => {
        Facts {
            name: $name,
            title: $title,
            unit: Unit::$unit,
            better: Better::$better,
            limit: $limit,
            help: $help,
        }
    };
}

metrics! {
    /// The smallest cross-section.
    SectionSmallest "section_smallest" {
        "cross-section, smallest", Ratio, Higher, Some(0.2),
        "The plane through a joint, at right angles to its bones, cuts the surface in a loop. Its size in the pose, \
         through its size in the bind pose, at the joint where that is smallest. 0 % is a candy wrapper.",
    }
    /// The largest cross-section.
    SectionLargest "section_largest" {
        "cross-section, largest", Ratio, Lower, Some(0.2),
        "The same at the joint where it is largest: how much a joint bulges.",
    }
    /// The smallest volume.
    VolumeSmallest "volume_smallest" {
        "volume, smallest", Ratio, Higher, Some(0.1),
        "The volume of a closed part of the surface, through its volume in the bind pose, of the part where that is \
         smallest. Below 0 % the part is inside out.",
    }
    /// The largest volume.
    VolumeLargest "volume_largest" {
        "volume, largest", Ratio, Lower, Some(0.1),
        "The same of the part where it is largest.",
    }
    /// The first percentile of the edges' stretch.
    StretchP1 "stretch_p1" {
        "edge length, 1st percentile", Ratio, Higher, Some(0.5),
        "Lengths of edges through their lengths in the bind pose: one edge in a hundred is this short or shorter.",
    }
    /// The median of the edges' stretch.
    StretchP50 "stretch_p50" {
        "edge length, median", Ratio, NearOne, None,
        "Half of the edges are this short or shorter.",
    }
    /// The last percentile of the edges' stretch.
    StretchP99 "stretch_p99" {
        "edge length, 99th percentile", Ratio, Lower, Some(1.0),
        "One edge in a hundred is longer than this.",
    }
    /// Triangles turned inside out.
    TurnedTriangles "turned_triangles" {
        "turned triangles", Triangles, Lower, Some(0.005),
        "Triangles turned inside out: they face away from every direction in which one of their corners' joints \
         alone would turn them.",
    }
    /// The largest jump.
    Jump "jump_m" {
        "jump", Metres, Lower, Some(0.01),
        "The largest step of a vertex since the previous frame, less the largest step that one of its joints alone \
         would have made. The first frame of a clip has none.",
    }
    /// The distance from linear blending.
    Distance "distance_m" {
        "distance from lbs", Metres, Lower, None,
        "The largest distance of a vertex from where linear blending puts it. Not a fault: it says where modes differ.",
    }
    /// Vertices without a position.
    LostVertices "lost_vertices" {
        "lost vertices", Vertices, Lower, Some(0.0),
        "Vertices whose position is not finite.",
    }
}

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
    /// Returns the name in files.
    pub const fn name(self) -> &'static str {
        self.facts().name
    }

    /// Returns the displayed name.
    pub const fn title(self) -> &'static str {
        self.facts().title
    }

    /// Returns the unit.
    pub const fn unit(self) -> Unit {
        self.facts().unit
    }

    /// Returns the direction of better values.
    pub const fn better(self) -> Better {
        self.facts().better
    }

    /// Returns the maximum distance of a good value from the best, as [`Self::score`] measures it; `None` for a metric that
    /// is not a fault.
    pub const fn limit(self) -> Option<f64> {
        self.facts().limit
    }

    /// Returns the explanation, in sentences.
    pub const fn help(self) -> &'static str {
        self.facts().help
    }

    /// Returns the distance of a value from the best one; larger is worse.
    pub fn deviation(self, value: f64) -> f64 {
        match (self.unit(), self.better()) {
            (Unit::Ratio, Better::Higher) => 1.0 - value,
            (Unit::Ratio, Better::Lower) => value - 1.0,
            (_, Better::NearOne) => (value - 1.0).abs(),
            (Unit::Metres | Unit::Triangles | Unit::Vertices, Better::Higher) => -value,
            (Unit::Metres | Unit::Triangles | Unit::Vertices, Better::Lower) => value,
        }
    }

    /// Returns the last value that is not a problem; `None` for a metric that is not a fault.
    pub fn last_good(self, scale: &Scale) -> Option<f64> {
        let limit = self.limit()? * self.whole(scale);
        Some(match (self.unit(), self.better()) {
            (Unit::Ratio, Better::Higher) => 1.0 - limit,
            (Unit::Ratio, Better::Lower | Better::NearOne) => 1.0 + limit,
            (Unit::Metres | Unit::Triangles | Unit::Vertices, _) => limit,
        })
    }

    /// Returns the distance of a value from the best one in multiples of its limit, from 0 to a thousand; above 1 it is a
    /// problem. `None` for a metric that is not a fault, or a model without the total that it refers to.
    pub fn score(self, value: f64, scale: &Scale) -> Option<f64> {
        let limit = self.limit()?;
        let (deviation, whole) = (self.deviation(value), self.whole(scale));
        if deviation <= 0.0 {
            return Some(0.0);
        }
        (whole > 0.0).then(|| (deviation / (whole * limit)).min(MAX_SCORE))
    }

    /// Returns the total that the limit is a share of.
    fn whole(self, scale: &Scale) -> f64 {
        match self.unit() {
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
        for (metric, good, bad) in [
            (Metric::SectionSmallest, 0.81, 0.79),
            (Metric::SectionLargest, 1.19, 1.21),
            (Metric::VolumeSmallest, 0.91, -3.0),
            (Metric::VolumeLargest, 1.09, 1.11),
            (Metric::StretchP1, 0.51, 0.0),
            (Metric::StretchP99, 1.99, 1e300),
            (Metric::TurnedTriangles, 5.0, 6.0),
            (Metric::Jump, 0.019, 0.021),
            (Metric::LostVertices, 0.0, 1.0),
        ] {
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
        for metric in [Metric::StretchP50, Metric::Distance] {
            assert_eq!((metric.score(1e9, &scale), metric.last_good(&scale)), (None, None));
        }
        assert_eq!(Metric::Jump.score(1.0, &Scale { diagonal_m: 0.0, ..scale }), None);
        for metric in Metric::ALL {
            assert_eq!(serde_json::to_string(&metric).unwrap(), format!("\"{}\"", metric.name()));
        }
    }
}
