//! The matrix of deviations: those that each case catches, because their vertices leave its tolerance.

use rayon::prelude::*;
use sinew_analysis::diagnose::{Deviation, Made, Recipe, made};
use sinew_model::{LoadError, Model};
use sinew_skinning::{Fault, SkinningMode};

use crate::expected::{choice, load};
use crate::tolerance::bounds;
use crate::{Case, Manifest, Tolerance};

/// A case for which no manifest can be made.
#[derive(Debug, thiserror::Error)]
pub enum Incomplete {
    /// The rig cannot be loaded.
    #[error("{0}: {1}")]
    Model(String, LoadError),
    /// The mode is unknown.
    #[error("{0}: no mode '{1}'")]
    Mode(String, String),
    /// Rounding decides where a vertex of this mode is.
    #[error("{0}: rounding decides where a vertex is in {1}")]
    Unbounded(String, SkinningMode),
}

/// Returns every deviation that a case may catch.
pub fn deviations() -> impl Iterator<Item = Deviation> {
    Deviation::all().chain(Deviation::of_directions())
}

/// Fills in tolerances and caught deviations; `rig` returns the bytes of a file.
///
/// # Errors
/// If a case has no rig, or a mode in which it cannot be judged.
pub fn complete(manifest: &mut Manifest, rig: &(dyn Fn(&str) -> Vec<u8> + Sync)) -> Result<(), Incomplete> {
    manifest.cases.par_iter_mut().try_for_each(|case| {
        let model = load(&rig(&case.file)).map_err(|error| Incomplete::Model(case.name.clone(), error))?;
        complete_case(case, &model)
    })
}

fn complete_case(case: &mut Case, model: &Model) -> Result<(), Incomplete> {
    let names: Vec<String> = case.modes.keys().cloned().collect();
    for name in names {
        let mode: SkinningMode =
            name.parse().map_err(|_| Incomplete::Mode(case.name.clone(), name.clone()))?;
        let bounds =
            bounds(case, model, mode).ok_or_else(|| Incomplete::Unbounded(case.name.clone(), mode))?;
        let Some(tolerance) = case.modes.get_mut(&name) else { continue };
        tolerance.positions = bounds.positions;
        tolerance.normals = bounds.normals;
        tolerance.tangents = bounds.tangents;
        let tolerance = *tolerance;
        case.catches.insert(name, catches(case, model, mode, &tolerance));
    }
    Ok(())
}

/// Returns the names of the deviations that leave the tolerance at one of the times.
pub fn catches(case: &Case, model: &Model, mode: SkinningMode, tolerance: &Tolerance) -> Vec<String> {
    let right: Vec<Vec<Made>> =
        case.times.iter().map(|&time| made(model, &Recipe::of(mode), &choice(case, time))).collect();
    let is_caught = |deviation: &Deviation| {
        let Some(recipe) = recipe(mode, *deviation) else { return false };
        case.times.iter().zip(&right).any(|(&time, right)| {
            let wrong = made(model, &recipe, &choice(case, time));
            let mut pairs = right.iter().zip(&wrong);
            pairs.any(|(right, wrong)| is_beyond(right, wrong, tolerance))
        })
    };
    deviations().filter(is_caught).map(|deviation| deviation.to_string()).collect()
}

/// Returns a mode with a deviation; `None` if the mode cannot have it.
pub fn recipe(mode: SkinningMode, deviation: Deviation) -> Option<Recipe> {
    match deviation {
        // A search takes it for an earlier moment.
        Deviation::Fault(Fault::StalePalette) => {
            Some(Recipe { deviations: vec![deviation], ..Recipe::of(mode) })
        }
        _ => Recipe::of(mode).with(deviation),
    }
}

fn is_beyond(right: &Made, wrong: &Made, tolerance: &Tolerance) -> bool {
    let within = |apart: f64, most: f64| apart <= most;
    let is_within = within(distance(right.position, wrong.position), tolerance.positions)
        && tolerance.normals.is_none_or(|most| {
            right.normal.zip(wrong.normal).is_none_or(|(a, b)| within(distance(a, b), most))
        })
        && tolerance.tangents.is_none_or(|most| {
            right.tangent.zip(wrong.tangent).is_none_or(|(a, b)| within(distance(a, b), most))
        });
    !is_within
}

/// Returns the distance of two points; NaN if one is.
pub(crate) fn distance<const N: usize>(a: [f64; N], b: [f64; N]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::files;

    /// Deviations that no case catches.
    const UNCAUGHT: [(&str, &str); 3] = [
        ("handedness-kept", "glTF does not say what w becomes where a joint mirrors"),
        ("no-joint-as-zero", "glTF has no joint that is none"),
        ("unorthogonalised-tangents", "tangents that are perpendicular to their normals stay so"),
    ];

    #[test]
    fn every_other_deviation_is_caught_by_a_case() {
        let manifest = files::manifest();
        let caught: BTreeSet<&str> = manifest
            .cases
            .iter()
            .flat_map(|case| case.catches.values().flatten().map(String::as_str))
            .collect();
        let known: Vec<String> = deviations().map(|deviation| deviation.to_string()).collect();
        let mut uncaught: Vec<&str> =
            known.iter().map(String::as_str).filter(|name| !caught.contains(name)).collect();
        uncaught.sort_unstable();
        assert_eq!(uncaught, UNCAUGHT.map(|(name, _)| name));
    }

    #[test]
    fn a_case_lists_its_vertices_in_the_order_of_the_model() {
        for case in &files::manifest().cases {
            let model = crate::expected::model(case).expect("the suite's own rig");
            let meshes = model.instances.iter().map(|instance| &model.meshes[instance.mesh]);
            let drawn: Vec<usize> =
                meshes.flat_map(|mesh| &mesh.primitives).map(|primitive| primitive.positions.len()).collect();
            let listed: Vec<usize> = case.primitives.iter().map(|part| part.vertices).collect();
            assert_eq!(drawn, listed, "{}", case.name);
        }
    }
}
