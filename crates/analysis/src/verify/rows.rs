//! Rows of verification, one per mode, pose and primitive, and their bounds.

use std::fmt;

use serde::Serialize;

use super::Look;
use crate::compare::{Bits, DIRECTION_BOUND, Error};
use crate::measure::InFile;
use sinew_model::{Model, PrimitiveName};
use sinew_skinning::{Facts, SkinningMode, skin_of};

/// One mode, pose or clip, and primitive.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The mode's name.
    pub mode: &'static str,
    /// `bind`, `rest`, or the clip's name.
    pub pose: String,
    /// The number of times of the clip that were checked.
    pub times: usize,
    /// The number of times to choose from: each key of a channel that changes the picture, and one between every two.
    pub of_times: usize,
    /// The primitive's name; append `:` and a number to name a vertex.
    pub name: String,
    /// The primitive.
    #[serde(flatten)]
    pub in_file: InFile,
    /// The comparisons.
    #[serde(flatten)]
    pub figures: Figures,
    /// The values over their bounds; empty if there are none.
    pub faults: Vec<String>,
    /// Index into the model's instances.
    #[serde(skip)]
    instance: usize,
}

/// Comparisons of one primitive.
#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    /// The number of vertices.
    pub vertices: usize,
    /// The unit of position errors, see [`radius`](crate::compare::radius).
    pub radius: f64,
    /// The GPU against the CPU twin: positions, normals and tangents.
    pub gpu_twin: Bits,
    /// The largest distance of a position's coordinate between GPU and CPU twin.
    pub gpu_position_distance: f64,
    /// The GPU against the reference.
    pub gpu: Error,
    /// The CPU twin against the reference.
    pub twin: Error,
    /// The fast CPU path, set to give the twin's bits, against the twin.
    pub fast_twin: Bits,
    /// The fast CPU path against the reference.
    pub fast: Error,
}

/// The verification of one model.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// One row for each mode, pose or clip, and primitive.
    pub rows: Vec<Row>,
    /// The furthest vertex from the reference, for each mode.
    pub worst: Vec<Worst>,
}

/// The vertex of a mode furthest from the reference, on the path with the largest error.
#[derive(Clone, Debug, Serialize)]
pub struct Worst {
    /// The mode's name.
    pub mode: &'static str,
    /// The pose's or clip's name.
    pub pose: String,
    /// The time in the clip, in seconds.
    pub time: Option<f64>,
    /// The vertex's name, in the form that `--vertex` accepts.
    pub name: String,
    /// The mesh of the file.
    pub mesh: usize,
    /// The primitive of the mesh.
    pub primitive: usize,
    /// The vertex, in the file's order.
    pub vertex: usize,
    /// The error in units of r.
    pub error: f64,
    /// Names of its joints with their weights, largest first.
    pub influences: Vec<(String, f32)>,
}

impl fmt::Display for Worst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { mode, pose, time, name, error, influences, .. } = self;
        write!(f, "{mode}: {error:.1e} r at {name} in {pose}")?;
        if let Some(time_secs) = time {
            write!(f, " at {time_secs} s")?;
        }
        for (number, (joint, weight)) in influences.iter().enumerate() {
            write!(f, "{}{joint} {weight:.3}", if number == 0 { ": " } else { ", " })?;
        }
        Ok(())
    }
}

/// One primitive in one pose.
pub(super) struct Measured {
    pub instance: usize,
    pub primitive: usize,
    pub figures: Figures,
}

/// Starts a primitive's row with its first time; `None` if the model lacks the primitive.
pub(super) fn row(model: &Model, mode: SkinningMode, look: &Look, measured: Measured) -> Option<Row> {
    let Measured { instance, primitive, figures } = measured;
    Some(Row {
        mode: mode.name(),
        pose: look.name.clone(),
        times: look.choices.len(),
        of_times: look.of_times,
        name: PrimitiveName::of(model, instance, primitive).to_string(),
        in_file: InFile::of(model, (instance, primitive))?,
        figures,
        faults: Vec::new(),
        instance,
    })
}

impl Figures {
    /// Merges a measurement at another time.
    pub(super) fn merge(&mut self, other: &Self) {
        self.radius = self.radius.max(other.radius);
        self.gpu_twin.merge(&other.gpu_twin);
        self.gpu_position_distance = self.gpu_position_distance.max(other.gpu_position_distance);
        self.gpu.merge(&other.gpu);
        self.twin.merge(&other.twin);
        self.fast_twin.merge(&other.fast_twin);
        self.fast.merge(&other.fast);
    }
}

/// Returns the mode's vertex with the largest error.
pub(super) fn worst(model: &Model, rows: &[Row], mode: &str) -> Option<Worst> {
    let of_mode = rows.iter().filter(|row| row.mode == mode);
    let errors = of_mode.flat_map(|row| {
        let Figures { gpu, twin, fast, .. } = &row.figures;
        [(row, gpu), (row, twin), (row, fast)]
    });
    let (row, error) = errors.max_by(|(_, a), (_, b)| a.max.total_cmp(&b.max))?;
    let vertex = error.worst_vertex;
    let InFile { mesh, primitive: number, .. } = row.in_file;
    let primitives = &model.meshes.get(mesh)?.primitives;
    let primitive = primitives.iter().find(|primitive| primitive.file_index == number)?;
    let instance = model.instances.get(row.instance)?;
    let skin = skin_of(model, instance, primitive.influences.is_some());
    let spans = primitive.influences.iter().flat_map(|influences| &influences.spans);
    let pairs = spans
        .filter_map(|span| Some((span.joints.get(vertex)?, span.weights.get(vertex)?)))
        .flat_map(|(joints, weights)| joints.iter().zip(weights));
    let named = |(&joint, &weight): (&i32, &f32)| {
        let Ok(number) = usize::try_from(joint) else { return Some(("no joint".to_owned(), weight)) };
        let node = *skin?.joints.get(number)?;
        let name = model.rig.names.get(node).filter(|name| !name.is_empty());
        Some((name.cloned().unwrap_or_else(|| format!("joint {joint}")), weight))
    };
    Some(Worst {
        mode: row.mode,
        pose: row.pose.clone(),
        time: error.worst_time,
        name: format!("{}:{vertex}", row.name),
        mesh,
        primitive: number,
        vertex,
        error: error.max,
        influences: pairs.filter(|(_, weight)| **weight > 0.0).filter_map(named).collect(),
    })
}

/// Returns the violated bounds.
pub(super) fn faults(row: &Row, mode: SkinningMode, exact: bool) -> Vec<String> {
    let mut faults = Vec::new();
    let figures = &row.figures;
    // On a device that fuses or divides differently, each position may be a few roundings off.
    let facts = mode.facts();
    let Facts { bound: position_bound, .. } = *facts;
    if exact && figures.gpu_twin.differing > 0 {
        faults.push(format!(
            "{} numbers differ between the GPU and the CPU twin, by up to {} ulp",
            figures.gpu_twin.differing, figures.gpu_twin.max_ulp
        ));
    }
    let gpu_bound = facts.gpu_bound(figures.radius);
    if !exact && figures.gpu_position_distance > gpu_bound {
        faults.push(format!(
            "positions of the GPU and the CPU twin are {:.1e} apart (bound {gpu_bound:.1e})",
            figures.gpu_position_distance
        ));
    }
    if figures.fast_twin.differing > 0 {
        faults.push(format!(
            "{} numbers differ between the fast CPU path and the CPU twin",
            figures.fast_twin.differing
        ));
    }
    for (name, error) in
        [("GPU", &figures.gpu), ("CPU twin", &figures.twin), ("fast CPU path", &figures.fast)]
    {
        if error.max > position_bound {
            let when = error.worst_time.map_or_else(String::new, |time_secs| format!(" at {time_secs} s"));
            faults.push(format!(
                "{name} positions are off by {:.1e} r (bound {position_bound:.0e}), most at {}:{}{when}",
                error.max, row.name, error.worst_vertex
            ));
        }
        if error.max_direction > DIRECTION_BOUND {
            faults.push(format!(
                "{name} directions are off by {:.1e} (bound {DIRECTION_BOUND:.0e})",
                error.max_direction
            ));
        }
    }
    faults
}
