//! The constants of a metric.

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
#[derive(Debug)]
pub struct Facts {
    /// The name in files and flags.
    pub name: &'static str,
    /// Earlier names, which are still read.
    pub old: &'static [&'static str],
    /// The displayed name.
    pub title: &'static str,
    /// The heading in the table of a sweep; `None` for a metric that only its data has.
    pub column: Option<&'static str>,
    /// The title of the chart of a sweep, with `{joint}` and `{against}` to replace; `None` without a chart.
    pub chart: Option<&'static str>,
    /// The title of the plot in a report, which several metrics may share; `None` for a metric that is only in its table.
    pub plot: Option<&'static str>,
    /// The unit.
    pub unit: Unit,
    /// The direction of better values.
    pub better: Better,
    /// The maximum distance of a good value from the best one: for a ratio, from one; else from zero, as a share of the
    /// diagonal, of all triangles or of all vertices. `None` for a metric that is not a fault.
    pub limit: Option<f64>,
    /// True if it compares a frame with the previous one, so that a pose alone has no value.
    pub needs_previous: bool,
    /// The explanation, in sentences.
    pub help: &'static str,
}
