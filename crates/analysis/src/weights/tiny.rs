//! Finds weights that 8 bits cannot hold: `tiny`.

use super::finding::{Fault, Kind};
use super::surface::Surface;

/// The step of 8 bits, reduced by the error of dividing by an inexact sum.
pub const LEAST: f64 = 0.99 / 255.0;

/// Adds vertices with such weights.
pub fn tiny(surface: &Surface, out: &mut Vec<Fault>) {
    for (vertex, row) in (0..).zip(surface.influences.iter()) {
        let smallest = row.iter().min_by(|a, b| a.weight.total_cmp(&b.weight));
        if let Some(found) = smallest.filter(|smallest| smallest.weight < LEAST) {
            let weight = found.weight;
            out.push(Fault { kind: Kind::Tiny, joint: None, vertex, weight, difference: None });
        }
    }
}
