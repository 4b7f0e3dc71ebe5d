//! Verification: for every mode, pose and primitive, the GPU against the CPU twin, and both and the fast
//! CPU path against the `f64` reference, with the bounds that must hold. It must not know who asks or how it is printed.

use std::fmt;

use serde::Serialize;

use super::compare::{Bits, DIRECTION_BOUND, Error, radius};
use crate::model::Model;
use crate::pose::{Pose, PoseChoice};
use crate::skinning::cpu::{self, Exactness, Settings};
use crate::skinning::posed::{PreparedModel, SkinnedPrimitive, Truth, reference_model, skin_model};
use crate::skinning::{SkinningMode, skin_of};

/// Where in a clip is looked, as parts of its length: both ends, and places no exporter puts a key.
const PARTS: [f64; 5] = [0.0, 0.236_067_977, 0.5, 0.763_932_023, 1.0];

/// One mode, pose or clip, and primitive.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The mode's name.
    pub mode: &'static str,
    /// `bind`, `rest`, or the clip's name.
    pub pose: String,
    /// The instance's node in the file.
    pub node: u32,
    /// Which mesh of the file.
    pub mesh: usize,
    /// Which primitive of the mesh.
    pub primitive: usize,
    /// How many vertices.
    pub vertices: usize,
    /// The unit of position errors, see [`radius`].
    pub radius: f64,
    /// GPU against CPU twin: positions, normals and tangents.
    pub gpu_twin: Bits,
    /// The largest distance of a position's coordinate between GPU and CPU twin.
    pub gpu_position_distance: f64,
    /// GPU against reference.
    pub gpu: Error,
    /// CPU twin against reference.
    pub twin: Error,
    /// The fast CPU path, asked for the twin's bits, against the twin.
    pub fast_twin: Bits,
    /// The fast CPU path against reference.
    pub fast: Error,
    /// What is over its bound, empty if nothing is.
    pub faults: Vec<String>,
}

/// Everything about one model.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// For each mode, pose or clip, and primitive.
    pub rows: Vec<Row>,
    /// For each mode the vertex that is furthest from the reference.
    pub worst: Vec<Worst>,
}

/// The vertex of a mode that is furthest from the reference, on whatever skinned it worst.
#[derive(Clone, Debug, Serialize)]
pub struct Worst {
    /// The mode's name.
    pub mode: &'static str,
    /// The pose's or clip's name.
    pub pose: String,
    /// Which mesh of the file.
    pub mesh: usize,
    /// Which primitive of the mesh.
    pub primitive: usize,
    /// Which vertex, in the file's order.
    pub vertex: usize,
    /// Its error in units of r.
    pub error: f64,
    /// Names of its joints with their weights, largest first.
    pub influences: Vec<(String, f32)>,
}

impl fmt::Display for Worst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { mode, pose, mesh, primitive, vertex, error, influences } = self;
        write!(
            f,
            "{mode}: {error:.1e} r at meshes[{mesh}].primitives[{primitive}] vertex {vertex} in {pose}"
        )?;
        for (number, (joint, weight)) in influences.iter().enumerate() {
            write!(f, "{}{joint} {weight:.3}", if number == 0 { ": " } else { ", " })?;
        }
        Ok(())
    }
}

/// The poses a model is checked in: bind, rest, and each clip several times.
pub fn poses(model: &Model) -> Vec<(String, Vec<PoseChoice>)> {
    let mut poses =
        vec![("bind".to_owned(), vec![PoseChoice::Bind]), ("rest".to_owned(), vec![PoseChoice::Rest])];
    for (clip, data) in model.clips.iter().enumerate() {
        let duration_secs = f64::from(data.duration_secs);
        let times = PARTS.map(|part| PoseChoice::clip(clip, part * duration_secs));
        let name = if data.name.is_empty() { format!("clip {clip}") } else { data.name.clone() };
        poses.push((name, times.to_vec()));
    }
    poses
}

/// Checks everything the model draws. `skin_on_gpu` is the GPU; `exact` says that it rounds every
/// operation as the CPU does, so that its bits must be the same; `progress` hears of each mode and pose
/// before it is looked at.
pub fn verify<E: From<cpu::Error>>(
    model: &Model,
    exact: bool,
    mut skin_on_gpu: impl FnMut(SkinningMode, &PoseChoice) -> Result<Vec<SkinnedPrimitive<f32>>, E>,
    mut progress: impl FnMut(SkinningMode, &str),
) -> Result<Report, E> {
    let prepared = PreparedModel::new(model)?;
    let as_twin = Settings { exactness: Exactness::Twin, ..Settings::default() };
    let mut rows = Vec::new();
    let mut pose = Pose::default();
    for mode in SkinningMode::ALL {
        for (name, choices) in poses(model) {
            progress(mode, &name);
            let first = rows.len();
            for choice in choices {
                pose.set(model, &choice);
                let results = Results {
                    gpu: skin_on_gpu(mode, &choice)?,
                    twin: skin_model(model, mode, &pose),
                    fast: prepared.skin(model, mode, &pose, &Settings::default())?,
                    fast_as_twin: prepared.skin(model, mode, &pose, &as_twin)?,
                    truth: reference_model(model, mode, &pose),
                };
                for (number, truth) in results.truth.iter().enumerate() {
                    let measured = results.measure(number, truth);
                    match rows.get_mut(first + number) {
                        Some(row) => merge(row, &measured),
                        None => rows.extend(row(model, mode, &name, &truth.skinned, measured)),
                    }
                }
            }
            for row in rows.iter_mut().skip(first) {
                row.faults = faults(row, mode, exact);
            }
        }
    }
    let worst = SkinningMode::ALL.iter().filter_map(|mode| worst(model, &rows, mode.name())).collect();
    Ok(Report { rows, worst })
}

/// Everything the model draws, by everybody who skins.
struct Results {
    gpu: Vec<SkinnedPrimitive<f32>>,
    twin: Vec<SkinnedPrimitive<f32>>,
    fast: Vec<SkinnedPrimitive<f32>>,
    fast_as_twin: Vec<SkinnedPrimitive<f32>>,
    truth: Vec<Truth>,
}

impl Results {
    fn measure(&self, number: usize, truth: &Truth) -> Measured {
        // A primitive that somebody has lost has lost all its vertices, which no comparison forgives.
        let lost = SkinnedPrimitive {
            instance: truth.skinned.instance,
            primitive: truth.skinned.primitive,
            positions: Vec::new(),
            normals: None,
            tangents: None,
        };
        let [gpu, twin, fast, fast_as_twin] = [&self.gpu, &self.twin, &self.fast, &self.fast_as_twin]
            .map(|primitives| primitives.get(number).unwrap_or(&lost));
        Measured {
            radius: radius(truth),
            gpu_twin: Bits::between(gpu, twin),
            gpu_position_distance: Bits::of_positions(gpu, twin).max_abs,
            gpu: Error::of(gpu, truth),
            twin: Error::of(twin, truth),
            fast_twin: Bits::between(fast_as_twin, twin),
            fast: Error::of(fast, truth),
        }
    }
}

/// One primitive in one pose.
struct Measured {
    radius: f64,
    gpu_twin: Bits,
    gpu_position_distance: f64,
    gpu: Error,
    twin: Error,
    fast_twin: Bits,
    fast: Error,
}

fn row(
    model: &Model,
    mode: SkinningMode,
    pose: &str,
    skinned: &SkinnedPrimitive<f64>,
    measured: Measured,
) -> Option<Row> {
    let instance = model.instances.get(skinned.instance)?;
    let primitive = model.meshes.get(instance.mesh)?.primitives.get(skinned.primitive)?;
    Some(Row {
        mode: mode.name(),
        pose: pose.to_owned(),
        node: model.rig.file_index.get(instance.node).copied().unwrap_or_default(),
        mesh: instance.mesh,
        primitive: primitive.file_index,
        vertices: skinned.positions.len(),
        radius: measured.radius,
        gpu_twin: measured.gpu_twin,
        gpu_position_distance: measured.gpu_position_distance,
        gpu: measured.gpu,
        twin: measured.twin,
        fast_twin: measured.fast_twin,
        fast: measured.fast,
        faults: Vec::new(),
    })
}

fn merge(row: &mut Row, measured: &Measured) {
    row.radius = row.radius.max(measured.radius);
    row.gpu_twin.merge(&measured.gpu_twin);
    row.gpu_position_distance = row.gpu_position_distance.max(measured.gpu_position_distance);
    row.gpu.merge(&measured.gpu);
    row.twin.merge(&measured.twin);
    row.fast_twin.merge(&measured.fast_twin);
    row.fast.merge(&measured.fast);
}

/// The mode's vertex with the largest error.
fn worst(model: &Model, rows: &[Row], mode: &str) -> Option<Worst> {
    let of_mode = rows.iter().filter(|row| row.mode == mode);
    let errors = of_mode.flat_map(|row| [(row, &row.gpu), (row, &row.twin), (row, &row.fast)]);
    let (row, error) = errors.max_by(|(_, a), (_, b)| a.max.total_cmp(&b.max))?;
    let vertex = error.worst_vertex;
    let primitives = &model.meshes.get(row.mesh)?.primitives;
    let primitive = primitives.iter().find(|primitive| primitive.file_index == row.primitive)?;
    let instance = model.instances.iter().find(|instance| {
        instance.mesh == row.mesh && model.rig.file_index.get(instance.node) == Some(&row.node)
    });
    let skin = instance.and_then(|instance| skin_of(model, instance, primitive.influences.is_some()));
    let spans = primitive.influences.iter().flat_map(|influences| &influences.spans);
    let pairs = spans
        .filter_map(|span| Some((span.joints.get(vertex)?, span.weights.get(vertex)?)))
        .flat_map(|(joints, weights)| joints.iter().zip(weights));
    let named = |(&joint, &weight): (&i32, &f32)| {
        let node = *skin?.joints.get(usize::try_from(joint).ok()?)?;
        let name = model.rig.names.get(node).filter(|name| !name.is_empty());
        Some((name.cloned().unwrap_or_else(|| format!("joint {joint}")), weight))
    };
    Some(Worst {
        mode: row.mode,
        pose: row.pose.clone(),
        mesh: row.mesh,
        primitive: row.primitive,
        vertex,
        error: error.max,
        influences: pairs.filter(|(_, weight)| **weight > 0.0).filter_map(named).collect(),
    })
}

fn faults(row: &Row, mode: SkinningMode, exact: bool) -> Vec<String> {
    let mut faults = Vec::new();
    // Where a device fuses or divides in its own way, each position may be a few roundings off.
    let roundings = match mode {
        SkinningMode::Rigid | SkinningMode::Linear => 8.0,
        SkinningMode::DualQuat => 64.0,
    };
    if exact && row.gpu_twin.differing > 0 {
        faults.push(format!(
            "{} numbers differ between GPU and CPU, by up to {} ulp",
            row.gpu_twin.differing, row.gpu_twin.max_ulp
        ));
    }
    let gpu_bound = roundings * f64::from(f32::EPSILON) / 2.0 * (1.0 + row.radius);
    if !exact && row.gpu_position_distance > gpu_bound {
        faults.push(format!(
            "GPU and CPU positions are {:.1e} apart (bound {gpu_bound:.1e})",
            row.gpu_position_distance
        ));
    }
    let position_bound = match mode {
        SkinningMode::Rigid | SkinningMode::Linear => 1e-6,
        SkinningMode::DualQuat => 2e-6,
    };
    if row.fast_twin.differing > 0 {
        faults.push(format!("{} numbers differ between fast and plain CPU", row.fast_twin.differing));
    }
    for (name, error) in [("GPU", &row.gpu), ("CPU", &row.twin), ("fast CPU", &row.fast)] {
        if error.max > position_bound {
            faults.push(format!(
                "{name} positions are off by {:.1e} r (bound {position_bound:.0e})",
                error.max
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
