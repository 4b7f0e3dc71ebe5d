//! Two files with their correspondences, and helpers for their findings.

use sinew_model::Model;
use sinew_skinning::pairing::joints::SharedJoints;
use sinew_skinning::pairing::{Pairing, Similarity};

use crate::corpus::asset::{Asset, Figure};

/// The share of the diagonal from which a distance shows.
pub const SHOWS: f64 = 1e-3;

/// Two files with their correspondences.
pub struct Sides<'a> {
    pub models: [&'a Model; 2],
    pub pairing: Pairing,
    pub joints: SharedJoints<'a>,
    /// The diagonal of the old model.
    pub size_m: f64,
    /// From the old rest pose to the new one: the identity unless the new one is scaled, turned or moved as a whole.
    pub new_from_old: Similarity,
}

/// Lists names, the first three.
pub fn listed<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    let count = names.len();
    let first: Vec<&str> = names.take(3).collect();
    let more = count.saturating_sub(first.len());
    match more {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}

/// Sets a figure of a distance as a share of the diagonal.
pub fn set_share(asset: &mut Asset, figure: Figure, distance_m: f64, size_m: f64) {
    if size_m > 0.0 {
        asset.set(figure, distance_m / size_m);
    }
}

/// Returns true for a similarity that neither scales nor turns. The clips of a rest pose that is only moved may not be moved.
pub fn only_moves(Similarity { scale, rotation, shift }: &Similarity) -> bool {
    shift.length() > 0.0 && (scale - 1.0).abs() < SHOWS && rotation.w.abs() > 1.0 - SHOWS
}
