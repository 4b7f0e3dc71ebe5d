//! Transforms of all helpers for given weights, pose by pose.

use glam::{DAffine3, DVec3};
use rayon::prelude::*;
use sinew_skinning::polar;

use crate::problem::{Fit, Problem};
use crate::transforms::{Moments, Ways, refine};

/// Steps towards the best transforms in a pose, from those in another one.
const STEPS: usize = 12;

/// The weights of helpers, ready for any number of poses.
pub struct Moves {
    /// The points that helpers move, with their helpers and weights.
    points: Vec<(usize, Vec<(u32, f64)>)>,
    /// The joint that each helper follows.
    pub homes: Vec<usize>,
    moments: Moments,
}

impl Moves {
    /// Prepares the weights of a fit.
    pub fn new(problem: &Problem, fit: &Fit) -> Self {
        let count = problem.joint_count();
        let of_helpers = |influences: &Vec<(u32, f64)>| {
            let helpers = influences.iter().filter(|(joint, _)| *joint as usize >= count);
            helpers.map(|(joint, weight)| (joint - count as u32, *weight)).collect::<Vec<_>>()
        };
        let points = fit.influences.iter().map(of_helpers).enumerate();
        let points: Vec<_> = points.filter(|(_, helpers)| !helpers.is_empty()).collect();
        let places = points.iter().map(|(index, helpers)| (problem.points[*index].at, helpers.as_slice()));
        let moments = Moments::new(fit.helpers.len(), places);
        Self { points, homes: homes(problem, fit), moments }
    }

    /// Improves the transforms of all helpers in a pose.
    fn improve(&self, problem: &Problem, fit: &Fit, pose: usize, helpers: &mut [DAffine3], steps: usize) {
        let (joints, wanted) = (&problem.joints[pose], &problem.wanted[pose]);
        let mut ways = Ways::new(helpers.len());
        for (index, weights) in &self.points {
            let at = problem.points[*index].at;
            let own = fit.influences[*index].iter().filter_map(|(joint, weight)| {
                joints.get(*joint as usize).map(|joint| joint.transform_point3(at) * *weight)
            });
            let of = |(helper, weight): &(u32, f64)| helpers[*helper as usize].transform_point3(at) * *weight;
            let way = wanted[*index] - own.sum::<DVec3>() - weights.iter().map(of).sum::<DVec3>();
            ways.add(at, weights, way);
        }
        let homes: Vec<DAffine3> = self.homes.iter().map(|joint| joints[*joint]).collect();
        refine(helpers, &homes, &self.moments, &ways, steps);
    }

    /// Finds the transforms in a pose of another problem with the same points, from the most similar pose that was fitted.
    pub fn carry(&self, (problem, fit): (&Problem, &Fit), other: &Problem, pose: usize) -> Vec<DAffine3> {
        let joints = &other.joints[pose];
        let apart = |known: &usize| -> f64 {
            let others = &problem.joints[*known];
            let apart = |home: &usize| {
                let turns = joints[*home].matrix3 - others[*home].matrix3;
                turns.to_cols_array().iter().map(|number| number * number).sum::<f64>()
            };
            self.homes.iter().map(apart).sum()
        };
        let nearest = (0..problem.joints.len()).min_by(|a, b| apart(a).total_cmp(&apart(b))).unwrap_or(0);
        let start = |(helper, home): (&Vec<DAffine3>, &usize)| {
            let there = problem.joints[nearest][*home];
            // A joint without size has no inverse.
            let moved = rigid(joints[*home] * there.inverse() * helper[nearest]);
            if moved.is_finite() { moved } else { helper[nearest] }
        };
        let mut helpers: Vec<DAffine3> = fit.helpers.iter().zip(&self.homes).map(start).collect();
        self.improve(other, fit, pose, &mut helpers, STEPS);
        helpers
    }

    /// Improves the transforms in all poses of a fit.
    pub fn improve_all(&self, problem: &Problem, fit: &mut Fit, steps: usize) {
        let moved: Vec<Vec<DAffine3>> = (0..problem.wanted.len())
            .into_par_iter()
            .map(|pose| {
                let mut helpers: Vec<DAffine3> = fit.helpers.iter().map(|helper| helper[pose]).collect();
                self.improve(problem, fit, pose, &mut helpers, steps);
                helpers
            })
            .collect();
        for (number, helper) in fit.helpers.iter_mut().enumerate() {
            for (transform, moved) in helper.iter_mut().zip(&moved) {
                *transform = moved[number];
            }
        }
    }
}

/// The rigid part of a transform.
fn rigid(transform: DAffine3) -> DAffine3 {
    let turn = polar::decompose(transform.matrix3).rotation;
    DAffine3::from_rotation_translation(turn, transform.translation)
}

/// The joint that each helper follows: the one with the most weight among its points.
fn homes(problem: &Problem, fit: &Fit) -> Vec<usize> {
    let count = problem.joint_count();
    let mut sums = vec![vec![0.0; count]; fit.helpers.len()];
    for (point, influences) in problem.points.iter().zip(&fit.influences) {
        for (helper, weight) in influences.iter().filter(|(joint, _)| *joint as usize >= count) {
            for (joint, own) in &point.influences {
                sums[*helper as usize - count][*joint as usize] += weight * own;
            }
        }
    }
    let best = |sums: &Vec<f64>| (0..count).max_by(|a, b| sums[*a].total_cmp(&sums[*b]).then(b.cmp(a)));
    sums.iter().map(|sums| best(sums).unwrap_or(0)).collect()
}
