//! The table of metrics: a row for each, from which everything else about it follows.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::facts::{Better, Facts, Unit};

/// Makes [`Metric`] from one row per metric, so that none can be missing from [`Metric::ALL`].
macro_rules! metrics {
    ($($(#[$meta:meta])* $variant:ident $facts:tt)+) => {
        /// A number of each frame in each mode.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "&'static str")]
        pub enum Metric {
            $($(#[$meta])* $variant,)+
        }

        impl Metric {
            /// Every metric, in the order of tables.
            pub const ALL: [Self; [$(stringify!($variant)),+].len()] = [$(Self::$variant),+];

            /// Returns the metric's row of the table.
            pub const fn facts(self) -> &'static Facts {
                match self {
                    $(Self::$variant => &Facts $facts,)+
                }
            }
        }
    };
}

metrics! {
    /// The smallest cross-section.
    SectionSmallest {
        name: "section_smallest",
        old: &[],
        title: "cross-section, smallest",
        column: Some("section"),
        chart: Some("section at {joint}"),
        plot: Some("cross-sections at joints, smallest and largest"),
        unit: Unit::Ratio,
        better: Better::Higher,
        limit: Some(0.2),
        needs_previous: false,
        help: "The plane through a joint, at right angles to its bones, cuts the surface in a loop. The metric is the loop's \
         size divided by its size in the bind pose, at the joint where that is smallest. 0 % is a candy wrapper.",
    }
    /// The largest cross-section.
    SectionLargest {
        name: "section_largest",
        old: &[],
        title: "cross-section, largest",
        column: None,
        chart: None,
        plot: Some("cross-sections at joints, smallest and largest"),
        unit: Unit::Ratio,
        better: Better::Lower,
        limit: Some(0.2),
        needs_previous: false,
        help: "The size of the same loops at the joint where it is largest. It shows how much a joint bulges.",
    }
    /// The smallest volume.
    VolumeSmallest {
        name: "volume_smallest",
        old: &[],
        title: "volume, smallest",
        column: Some("volume min"),
        chart: Some("volume"),
        plot: Some("volumes of closed parts, smallest and largest"),
        unit: Unit::Ratio,
        better: Better::Higher,
        limit: Some(0.1),
        needs_previous: false,
        help: "The volume of a closed part of the surface, divided by its volume in the bind pose, for the part where that \
         is smallest. Below 0 %, the part is inside out.",
    }
    /// The largest volume.
    VolumeLargest {
        name: "volume_largest",
        old: &[],
        title: "volume, largest",
        column: Some("max"),
        chart: None,
        plot: Some("volumes of closed parts, smallest and largest"),
        unit: Unit::Ratio,
        better: Better::Lower,
        limit: Some(0.1),
        needs_previous: false,
        help: "The volume of the closed part where it is largest.",
    }
    /// The first percentile of the edges' stretch.
    StretchP1 {
        name: "stretch_p1",
        old: &[],
        title: "edge length, 1st percentile",
        column: Some("stretch p1"),
        chart: None,
        plot: Some("edge lengths, 1st and 99th percentile"),
        unit: Unit::Ratio,
        better: Better::Higher,
        limit: Some(0.5),
        needs_previous: false,
        help: "Edge lengths divided by their lengths in the bind pose. One edge in a hundred is this short or shorter.",
    }
    /// The median of the edges' stretch.
    StretchP50 {
        name: "stretch_p50",
        old: &[],
        title: "edge length, median",
        column: None,
        chart: None,
        plot: None,
        unit: Unit::Ratio,
        better: Better::NearOne,
        limit: None,
        needs_previous: false,
        help: "Half of the edges are this short or shorter.",
    }
    /// The last percentile of the edges' stretch.
    StretchP99 {
        name: "stretch_p99",
        old: &[],
        title: "edge length, 99th percentile",
        column: Some("p99"),
        chart: Some("stretch p99"),
        plot: Some("edge lengths, 1st and 99th percentile"),
        unit: Unit::Ratio,
        better: Better::Lower,
        limit: Some(1.0),
        needs_previous: false,
        help: "One edge in a hundred is longer than this.",
    }
    /// Triangles turned inside out.
    TurnedTriangles {
        name: "turned_triangles",
        old: &["turned"],
        title: "turned triangles",
        column: Some("turned"),
        chart: Some("triangles turned"),
        plot: Some("turned triangles"),
        unit: Unit::Triangles,
        better: Better::Lower,
        limit: Some(0.005),
        needs_previous: false,
        help: "Triangles turned inside out. They face away from every direction to which one of their corners' joints \
         alone would turn them.",
    }
    /// The largest jump.
    Jump {
        name: "jump_m",
        old: &[],
        title: "jump",
        column: None,
        chart: None,
        plot: Some("largest jump"),
        unit: Unit::Metres,
        better: Better::Lower,
        limit: Some(0.01),
        needs_previous: true,
        help: "The largest step of a vertex since the previous frame, minus the largest step by one of its joints alone. \
         The first frame of a clip has none.",
    }
    /// The distance from linear blending.
    Distance {
        name: "distance_max_m",
        old: &["distance_m"],
        title: "distance from lbs",
        column: Some("distance"),
        chart: Some("distance to {against}"),
        plot: Some("largest distance from lbs"),
        unit: Unit::Metres,
        better: Better::Lower,
        limit: None,
        needs_previous: false,
        help: "The largest distance of a vertex from its position in linear blending. It shows where modes differ.",
    }
    /// Vertices without a position.
    LostVertices {
        name: "lost_vertices",
        old: &[],
        title: "lost vertices",
        column: None,
        chart: None,
        plot: Some("lost vertices"),
        unit: Unit::Vertices,
        better: Better::Lower,
        limit: Some(0.0),
        needs_previous: false,
        help: "Vertices whose position is not finite.",
    }
}

/// A word that is not the name of a metric.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no metric '{given}'")]
pub struct NoMetric {
    /// The word.
    pub given: String,
}

impl Metric {
    /// Returns the name in files and flags.
    pub const fn name(self) -> &'static str {
        self.facts().name
    }
}

impl FromStr for Metric {
    type Err = NoMetric;

    /// Finds a metric by its name or an earlier one.
    fn from_str(given: &str) -> Result<Self, NoMetric> {
        let is_named = |metric: &Self| metric.name() == given || metric.facts().old.contains(&given);
        Self::ALL.into_iter().find(is_named).ok_or_else(|| NoMetric { given: given.to_owned() })
    }
}

impl TryFrom<String> for Metric {
    type Error = NoMetric;

    fn try_from(given: String) -> Result<Self, NoMetric> {
        given.parse()
    }
}

impl From<Metric> for &'static str {
    fn from(metric: Metric) -> Self {
        metric.name()
    }
}
