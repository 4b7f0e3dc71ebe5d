//! The metrics: their names, what they mean, which way is better, and how bad a value is.

use serde::{Deserialize, Serialize};

/// The largest score. A larger one says nothing more, and would not be finite where a limit is zero.
pub const MAX_SCORE: f64 = 1000.0;

/// What a metric counts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A share of what it is in the bind pose.
    Ratio,
    /// Metres.
    Metres,
    /// A number of triangles.
    Triangles,
    /// A number of vertices.
    Vertices,
}

/// Which values are better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// Larger ones.
    Higher,
    /// Smaller ones.
    Lower,
    /// Those near one.
    NearOne,
}

/// Constants of a metric.
pub struct Facts {
    /// The name in files.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// What it counts in.
    pub unit: Unit,
    /// Which values are better.
    pub better: Better,
    /// How far a value may be from the best one before it is a problem: for a ratio, from one; else from zero, as a
    /// share of the diagonal, of all triangles or of all vertices. `None` for a metric that is no fault.
    pub limit: Option<f64>,
    /// What it says, in sentences.
    pub help: &'static str,
}

/// Makes [`Metric`] from one entry a metric, so that none can be left out of [`Metric::ALL`].
macro_rules! metrics {
    ($($(#[$meta:meta])* $variant:ident $name:literal $facts:tt)+) => {
        /// A number that each frame has in each mode.
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
    /// The middle of the edges' stretch.
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
    /// Vertices without a place.
    LostVertices "lost_vertices" {
        "lost vertices", Vertices, Lower, Some(0.0),
        "Vertices whose position is not finite.",
    }
}

/// What shares of a model refer to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// The diagonal of the bind pose in metres.
    pub diagonal_m: f64,
    /// Number of triangles there are.
    pub triangles: f64,
    /// Number of vertices there are.
    pub vertices: f64,
}

impl Metric {
    /// The name in files.
    pub const fn name(self) -> &'static str {
        self.facts().name
    }

    /// The name for people.
    pub const fn title(self) -> &'static str {
        self.facts().title
    }

    /// Returns what it counts in.
    pub const fn unit(self) -> Unit {
        self.facts().unit
    }

    /// Returns which values are better.
    pub const fn better(self) -> Better {
        self.facts().better
    }

    /// Returns how far a value may be from the best, as [`Self::score`] measures it; `None` for a metric that is no fault.
    pub const fn limit(self) -> Option<f64> {
        self.facts().limit
    }

    /// Returns what it says, in sentences.
    pub const fn help(self) -> &'static str {
        self.facts().help
    }

    /// Returns how far a value is from the best one; larger is worse.
    pub fn deviation(self, value: f64) -> f64 {
        match (self.unit(), self.better()) {
            (Unit::Ratio, Better::Higher) => 1.0 - value,
            (Unit::Ratio, Better::Lower) => value - 1.0,
            (_, Better::NearOne) => (value - 1.0).abs(),
            (Unit::Metres | Unit::Triangles | Unit::Vertices, Better::Higher) => -value,
            (Unit::Metres | Unit::Triangles | Unit::Vertices, Better::Lower) => value,
        }
    }

    /// The last value that is no problem; `None` for a metric that is no fault.
    pub fn last_good(self, scale: &Scale) -> Option<f64> {
        let limit = self.limit()? * self.whole(scale);
        Some(match (self.unit(), self.better()) {
            (Unit::Ratio, Better::Higher) => 1.0 - limit,
            (Unit::Ratio, Better::Lower | Better::NearOne) => 1.0 + limit,
            (Unit::Metres | Unit::Triangles | Unit::Vertices, _) => limit,
        })
    }

    /// Returns how far a value is from the best one in multiples of its limit, from 0 to a thousand; above 1 it is a
    /// problem. `None` for a metric that is no fault, or a model without the size that it refers to.
    pub fn score(self, value: f64, scale: &Scale) -> Option<f64> {
        let limit = self.limit()?;
        let (deviation, whole) = (self.deviation(value), self.whole(scale));
        if deviation <= 0.0 {
            return Some(0.0);
        }
        (whole > 0.0).then(|| (deviation / (whole * limit)).min(MAX_SCORE))
    }

    /// Returns what the limit is a share of.
    fn whole(self, scale: &Scale) -> f64 {
        match self.unit() {
            Unit::Ratio => 1.0,
            Unit::Metres => scale.diagonal_m,
            Unit::Triangles => scale.triangles,
            Unit::Vertices => scale.vertices,
        }
    }
}

/// Returns whether a score says that there is a problem.
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
