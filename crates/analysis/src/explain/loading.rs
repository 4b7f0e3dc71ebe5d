//! Finds the loader's changes to a vertex and its primitive.

use super::changes::Loading;
use super::explanation::Explanation;
use super::place::one;
use super::stored::stored;
use crate::inspect::Finding;
use sinew_model::gltf::StoredSet;
use sinew_model::{Instance, Model, Owner, Primitive, PrimitiveName};

/// Returns the changes that the model records.
pub fn of(model: &Model, instance: &Instance, primitive: &Primitive, vertex: usize) -> Loading {
    let sums = &primitive.unequal_sums;
    let found = sums.binary_search_by_key(&vertex, |(vertex, _)| *vertex as usize).ok();
    let sum = found.and_then(|found| sums.get(found)).map(|(_, sum)| f64::from(*sum));
    let named = PrimitiveName { owner: Owner::Mesh(instance.mesh), primitive: primitive.file_index };
    let findings = model.warnings.iter().chain(&model.faults);
    let of_primitive = findings.filter(|finding| PrimitiveName::at(&finding.path) == Some(named));
    Loading {
        sums_to_one: sum.is_none(),
        stored_sum: sum.and_then(one),
        stored: None,
        warnings: of_primitive.map(Finding::from).collect(),
    }
}

/// Adds the stored influences, which `sinew_model::gltf::stored_influences` reads, and their changes during loading.
pub fn add_stored(explanation: &mut Explanation, sets: &[StoredSet]) {
    explanation.loading.stored = Some(stored(sets, &explanation.mover, &explanation.influences));
}
