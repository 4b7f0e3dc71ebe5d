//! The expected vertices of a case: its rig, posed and skinned by the `f64` reference.

use std::io::{self, Write};

use glam::{DVec3, DVec4};
use sinew_analysis::export::{Export, ExportError, Format, List};
use sinew_model::{LoadError, Model, Options, load_bytes};
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::posed::reference_model;
use sinew_skinning::{Normals, SkinningMode};

use crate::{Case, files};

/// The endings of files with expected vertices.
pub const FORMATS: [(&str, Format); 2] = [("json", Format::Json), ("npz", Format::Npz)];

/// Loads a case's rig.
///
/// # Errors
/// If the suite has no such file, or it is no model.
pub fn model(case: &Case) -> Result<Model, LoadError> {
    load(files::rig(&case.file).unwrap_or_default())
}

/// Loads a rig's bytes.
///
/// # Errors
/// If they are no model.
pub fn load(bytes: &[u8]) -> Result<Model, LoadError> {
    Ok(load_bytes(bytes, None, &Options::default())?.model)
}

/// Returns the pose of a case at a time.
pub fn choice(case: &Case, time_secs: f64) -> PoseChoice {
    case.clip.map_or(PoseChoice::Rest, |clip| PoseChoice::clip(clip, time_secs))
}

/// Skinned vertices of a whole model, primitive after primitive. A stream has NaN where a primitive lacks it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// World-space positions.
    pub positions: Vec<DVec3>,
    /// World-space normals.
    pub normals: Vec<DVec3>,
    /// World-space tangents.
    pub tangents: Vec<DVec4>,
}

impl Surface {
    /// Returns the largest distances of positions, normals and tangents. A NaN on one side alone is infinitely far.
    pub fn distances(a: &Self, b: &Self) -> [f64; 3] {
        let three = |a: &[DVec3], b: &[DVec3]| largest(a.iter().zip(b).map(|(a, b)| a.distance(*b)));
        let four = a.tangents.iter().zip(&b.tangents).map(|(a, b)| a.distance(*b));
        [three(&a.positions, &b.positions), three(&a.normals, &b.normals), largest(four)]
    }
}

fn largest(distances: impl Iterator<Item = f64>) -> f64 {
    distances.filter(|distance| !distance.is_nan()).fold(0.0, f64::max)
}

/// Skins a model by the reference.
pub fn surface(model: &Model, mode: SkinningMode, choice: &PoseChoice) -> Surface {
    let mut pose = Pose::default();
    pose.set(model, choice);
    let mut surface = Surface::default();
    for truth in reference_model(model, mode, &pose) {
        let skinned = truth.skinned;
        let count = skinned.positions.len();
        surface.positions.extend(skinned.positions.into_iter().map(DVec3::from));
        let normals = skinned.normals.unwrap_or_else(|| vec![[f64::NAN; 3]; count]);
        surface.normals.extend(normals.into_iter().map(DVec3::from));
        let tangents = skinned.tangents.unwrap_or_else(|| vec![[f64::NAN; 4]; count]);
        surface.tangents.extend(tangents.into_iter().map(DVec4::from));
    }
    surface
}

/// Writes the expected vertices of a case, all times in one file.
///
/// # Errors
/// If the stream fails.
pub fn write(
    case: &Case,
    model: &Model,
    mode: SkinningMode,
    format: Format,
    out: &mut dyn Write,
) -> Result<(), ExportError> {
    let list = List::new(format, case.times.len());
    let mut list = list.ok_or_else(|| io::Error::other("the format holds one moment only"))?;
    for &time in &case.times {
        let mut pose = Pose::default();
        let choice = choice(case, time);
        pose.set(model, &choice);
        let primitives: Vec<_> =
            reference_model(model, mode, &pose).into_iter().map(|truth| truth.skinned).collect();
        let export = Export {
            given: &case.file,
            model,
            mode,
            normals: Normals::Moved,
            pose: choice,
            on: "reference",
            primitives: &primitives,
        };
        list.add(&export, out)?;
    }
    list.end(out)
}
