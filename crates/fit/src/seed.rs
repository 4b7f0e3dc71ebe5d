//! Places of new helpers: the patch of points that one more rigid motion helps most.

use glam::{DAffine3, DMat3, DVec3};
use rayon::prelude::*;
use sinew_skinning::polar;

use crate::problem::{Fit, Problem};
use crate::weights::Weights;

/// Radii of patches, as shares of the size of all points.
const RADII: [f64; 7] = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 1.0];

/// Maximum number of points around which a place is searched, and their least distance as a share of the size of all points.
const MAX_CENTERS: usize = 4;
const APART: f64 = 0.05;

/// Maximum number of points by which a patch's motion is found, and on which patches are compared.
const MAX_TRIED: usize = 400;

/// Finds the rigid motion that helps most around one of the points with the largest errors; `None` if none helps.
pub fn seed(problem: &Problem, fit: &Fit, weights: &Weights, errors: &[f64]) -> Option<Vec<DAffine3>> {
    let smooth = |index: &usize| {
        let neighbours = &problem.points[*index].neighbours;
        let around: f64 = neighbours.iter().map(|one| errors[*one as usize]).sum();
        (errors[*index] + around) / (neighbours.len() + 1) as f64
    };
    let centers = centers(problem, errors, smooth, APART * weights.size());
    let mut tried: Vec<usize> = (0..errors.len()).filter(|index| errors[*index] > 0.0).collect();
    tried.sort_by(|a, b| errors[*b].total_cmp(&errors[*a]).then(a.cmp(b)));
    tried.truncate(MAX_TRIED);
    tried.sort_unstable();
    let all = weights.helpers(fit);
    let patches: Vec<(usize, f64)> =
        centers.into_iter().flat_map(|center| RADII.map(|radius| (center, radius))).collect();
    let motions = patches.into_par_iter().filter_map(|(center, radius)| {
        let patch = patch(problem, center, radius * weights.size());
        let motion = motion(problem, &patch, errors)?;
        let mut helpers = all.clone();
        helpers.push(&motion);
        let gain: f64 = tried
            .par_iter()
            .map(|index| weights.gain(problem, fit, *index, &helpers, errors[*index]))
            .collect::<Vec<f64>>()
            .iter()
            .sum();
        Some((gain, motion))
    });
    let motions: Vec<(f64, Vec<DAffine3>)> = motions.collect();
    let best = motions.into_iter().filter(|(gain, _)| *gain > 0.0).max_by(|a, b| a.0.total_cmp(&b.0));
    best.map(|(_, motion)| motion)
}

/// The points with the largest errors that are some distance from each other.
fn centers(problem: &Problem, errors: &[f64], smooth: impl Fn(&usize) -> f64, apart: f64) -> Vec<usize> {
    let mut free: Vec<(usize, f64)> =
        (0..errors.len()).filter(|index| errors[*index] > 0.0).map(|index| (index, smooth(&index))).collect();
    let mut centers = Vec::new();
    while centers.len() < MAX_CENTERS {
        let worst = free.iter().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        let Some((worst, _)) = worst.copied() else { break };
        let at = problem.points[worst].at;
        free.retain(|(index, _)| problem.points[*index].at.distance(at) > apart);
        centers.push(worst);
    }
    centers
}

/// The points around one that edges connect to it within a distance.
fn patch(problem: &Problem, center: usize, radius: f64) -> Vec<usize> {
    let at = problem.points[center].at;
    let (mut patch, mut seen) = (vec![center], vec![false; problem.points.len()]);
    seen[center] = true;
    let mut next = 0;
    while let Some(point) = patch.get(next).copied() {
        next += 1;
        for neighbour in &problem.points[point].neighbours {
            let neighbour = *neighbour as usize;
            if !seen[neighbour] && problem.points[neighbour].at.distance(at) <= radius {
                seen[neighbour] = true;
                patch.push(neighbour);
            }
        }
    }
    patch
}

/// The rigid motion nearest to the wanted one of a patch, pose by pose; `None` if the patch is too small for one.
fn motion(problem: &Problem, patch: &[usize], errors: &[f64]) -> Option<Vec<DAffine3>> {
    if patch.len() < 4 {
        return None;
    }
    let step = patch.len().div_ceil(MAX_TRIED);
    let patch: Vec<usize> = patch.iter().copied().step_by(step).collect();
    let share = |index: usize| errors[index].max(f64::MIN_POSITIVE);
    let of = |wanted: &Vec<DVec3>| {
        rigid(patch.iter().map(|index| (problem.points[*index].at, wanted[*index], share(*index))))
    };
    problem.wanted.iter().map(of).collect()
}

/// The rigid motion that takes points nearest to others (Horn 1987).
pub fn rigid(pairs: impl Iterator<Item = (DVec3, DVec3, f64)> + Clone) -> Option<DAffine3> {
    let (mut from, mut to, mut total) = (DVec3::ZERO, DVec3::ZERO, 0.0);
    for (a, b, weight) in pairs.clone() {
        from += a * weight;
        to += b * weight;
        total += weight;
    }
    let (from, to) = (from / total, to / total);
    let mut product = DMat3::ZERO;
    for (a, b, weight) in pairs {
        let (a, b) = (a - from, (b - to) * weight);
        product += DMat3::from_cols(b * a.x, b * a.y, b * a.z);
    }
    let (rotation, _) = polar::nearest(product)?;
    Some(DAffine3::from_rotation_translation(rotation, to - rotation * from))
}
