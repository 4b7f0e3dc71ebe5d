//! Finds patches of weight cut off from their joint's home: `far` and `island`.

use super::finding::{Fault, Kind};
use super::homes::Moved;
use super::surface::Surface;
use sinew_skinning::pairing::influences::weight_of;

/// The smallest weight that counts; less is invisible.
const LEAST: f64 = 0.02;

/// Adds the faults in the patches of one joint. `is_known` returns true for points that are already reported for it.
pub fn stray(
    surface: &Surface,
    joint: usize,
    moved: &Moved,
    is_known: impl Fn(u32) -> bool,
    out: &mut Vec<Fault>,
) {
    if !moved.is_measured {
        return;
    }
    let joint = joint as u32;
    for found in &moved.points {
        let Some(patch) = moved.patches.get(found.patch) else { continue };
        let kind = match (patch.has_home, patch.is_near, patch.is_on_home_piece) {
            (true, ..) => continue,
            (false, false, _) => Kind::Far,
            (false, true, true) => Kind::Island,
            // On a separate piece: a button, an eye.
            (false, true, false) => continue,
        };
        if patch.largest < LEAST || is_known(found.point) {
            continue;
        }
        for &vertex in surface.vertices.row(found.point as usize) {
            let weight = weight_of(surface.influences.row(vertex as usize), joint);
            if weight > 0.0 {
                out.push(Fault { kind, joint: Some(joint), vertex, weight, difference: None });
            }
        }
    }
}
