//! Finds vertices of one side that a joint of the other side moves: `leak`.

use super::bones::Bones;
use super::finding::{Fault, Kind};
use super::homes::Moved;
use super::surface::Surface;
use sinew_skinning::pairing::influences::weight_of;

/// The smallest weight that counts; less is invisible.
const LEAST: f64 = 0.03;

/// The least distance of a vertex beyond the middle, as a share of the twin's distance from it.
const BEYOND: f64 = 0.5;

/// The factor by which the twin's bones are nearer.
const TIMES: f64 = 2.5;

/// Adds the points that a joint moves although its twin is much nearer; returns them, sorted.
pub fn leaks(
    surface: &Surface,
    bones: &Bones,
    joint: usize,
    twin: usize,
    moved: &Moved,
    out: &mut Vec<Fault>,
) -> Vec<u32> {
    let place = |joint: usize| bones.positions.get(joint).copied().flatten();
    let (Some(own), Some(other)) = (place(joint), place(twin)) else { return Vec::new() };
    let middle = (own + other) * 0.5;
    let half = own.distance(other) * 0.5;
    let Some(across) = (other - own).try_normalize() else { return Vec::new() };
    let number = joint as u32;
    let mut points = Vec::new();
    for found in moved.points.iter().filter(|found| found.weight >= LEAST) {
        let at = surface.position(found.point);
        // Across the middle, both sides blend.
        if (at - middle).dot(across) <= BEYOND * half {
            continue;
        }
        let (Some(own), Some(twins)) = (bones.distance(joint, at), bones.distance(twin, at)) else {
            continue;
        };
        if own <= TIMES * twins {
            continue;
        }
        points.push(found.point);
        for &vertex in surface.vertices.row(found.point as usize) {
            let weight = weight_of(surface.influences.row(vertex as usize), number);
            if weight > 0.0 {
                out.push(Fault { kind: Kind::Leak, joint: Some(number), vertex, weight, difference: None });
            }
        }
    }
    points.sort_unstable();
    points
}
