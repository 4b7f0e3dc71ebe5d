//! Finds vertices whose neighbours agree with each other but not with them: `outlier`.

use super::finding::{Fault, Kind};
use super::surface::Surface;
use sinew_skinning::pairing::influences::{Influence, NO_JOINT, distance, mean, pairs, weight_of};

/// The smallest sum of |Δw| to the neighbours' mean that counts.
const LEAST: f64 = 0.1;

/// The factor by which a vertex is further from the mean of its neighbours than they are from the mean of theirs.
const TIMES: f64 = 6.0;

/// The minimum number of neighbours that can outvote a vertex.
const FEWEST: usize = 3;

/// The maximum number of a neighbour's neighbours to compare.
const MAX_NEIGHBOURS: usize = 64;

/// Adds the outliers among points that `is_known` does not hold for. Known faults have no vote. Of neighbours that differ
/// from each other, the one with the largest difference is the outlier.
pub fn outliers(surface: &Surface, is_known: impl Fn(u32) -> bool, out: &mut Vec<Fault>) {
    let mut search = Search { surface, is_known, row: Vec::new() };
    let mut differences = vec![0.0; surface.positions.len()];
    for (point, difference) in (0..).zip(&mut differences) {
        *difference = search.difference(point).unwrap_or(0.0);
    }
    let of = |point: u32| differences.get(point as usize).copied().unwrap_or(0.0);
    for (point, difference) in (0..).zip(&differences).filter(|(_, difference)| **difference > 0.0) {
        let mut others = surface.neighbours.row(point as usize).iter();
        if others.all(|other| of(other.point) <= *difference) {
            search.middle(point, None);
            add(surface, point, &search.row, *difference, out);
        }
    }
}

struct Search<'a, K> {
    surface: &'a Surface,
    is_known: K,
    /// The most recent mean.
    row: Vec<Influence>,
}

impl<K: Fn(u32) -> bool> Search<'_, K> {
    /// Computes the mean weights of a point's neighbours, without one of them. Returns their number.
    fn middle(&mut self, point: u32, without: Option<u32>) -> usize {
        let neighbours = self.surface.neighbours.row(point as usize).iter().map(|other| other.point);
        let asked = neighbours.filter(|other| Some(*other) != without && !(self.is_known)(*other));
        mean(asked.clone().map(|other| self.surface.weights.row(other as usize)), &mut self.row);
        asked.count()
    }

    /// Returns the distance of a point from its neighbours; `None` if it is not an outlier.
    fn difference(&mut self, point: u32) -> Option<f64> {
        let surface = self.surface;
        if (self.is_known)(point) || self.middle(point, None) < FEWEST {
            return None;
        }
        let difference = distance(surface.weights.row(point as usize), &self.row);
        if difference < LEAST {
            return None;
        }
        let (mut sum, mut count) = (0.0, 0_usize);
        for neighbour in surface.neighbours.row(point as usize).iter().map(|other| other.point) {
            let is_asked = surface.neighbours.row(neighbour as usize).len() <= MAX_NEIGHBOURS
                && !(self.is_known)(neighbour);
            if is_asked && self.middle(neighbour, Some(point)) > 0 {
                sum += distance(surface.weights.row(neighbour as usize), &self.row);
                count += 1;
            }
        }
        (count >= FEWEST && difference > TIMES * sum / count as f64).then_some(difference)
    }
}

fn add(surface: &Surface, point: u32, middle: &[Influence], difference: f64, out: &mut Vec<Fault>) {
    // The joint with the largest excess; both lists sum to one, so there is one.
    let (mut joint, mut most) = (None, 0.0);
    pairs(surface.weights.row(point as usize), middle, |number, own, middle| {
        if own - middle > most {
            (joint, most) = (Some(number), own - middle);
        }
    });
    let joint = joint.filter(|joint| *joint != NO_JOINT);
    for &vertex in surface.vertices.row(point as usize) {
        let weight = joint.map_or(0.0, |joint| weight_of(surface.influences.row(vertex as usize), joint));
        out.push(Fault { kind: Kind::Outlier, joint, vertex, weight, difference: Some(difference) });
    }
}
