//! Checks KHR_materials_variants: each variant gives a primitive one material.

use std::collections::BTreeSet;

use super::notes::{Mapping, Notes};
use crate::sink::Sink;

/// Checks the mappings of all primitives.
pub fn check(notes: &Notes, warnings: &mut dyn Sink) {
    let is_same = |a: &Mapping, b: &Mapping| (a.mesh, a.primitive) == (b.mesh, b.primitive);
    for mappings in notes.mappings.chunk_by(is_same) {
        let mut known = BTreeSet::new();
        for mapping in mappings {
            for (number, variant) in mapping.variants.iter().enumerate() {
                if !known.insert(variant) {
                    let path = format!("{}.variants[{number}]", mapping.place);
                    let message = format!("variant {variant} has a material of this primitive already");
                    warnings.fault("KHR_MATERIALS_VARIANTS_NON_UNIQUE_VARIANT", &path, message);
                }
            }
        }
    }
}
