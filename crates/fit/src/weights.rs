//! Weights of all points for given transforms.

use std::collections::BTreeSet;

use glam::{DAffine3, DVec3};
use rayon::prelude::*;

use crate::problem::{Fit, Point, Problem};
use crate::quadratic::Quadratic;

/// The joints that each point may follow, and how many of them.
pub struct Weights {
    /// The joints that a point may follow, besides helpers.
    joints: Vec<Vec<u32>>,
    most: usize,
    size: f64,
    /// True for points whose weights may change.
    pub active: Vec<bool>,
}

/// A point may follow the helpers of points that are at most this many edges away.
const RINGS: usize = 2;

/// The pull of weights to those of the file, as a share of the square of the size.
const PULL: f64 = 1e-10;

impl Weights {
    pub fn new(problem: &Problem, most: usize, active: Vec<bool>) -> Self {
        let own = |index: usize| problem.points[index].influences.iter().map(|(joint, _)| *joint);
        let around = |index: usize| {
            let neighbours = &problem.points[index].neighbours;
            let around = neighbours.iter().map(|neighbour| *neighbour as usize);
            let around = around.filter(|one| !problem.points[*one].is_fixed).flat_map(own);
            own(index).chain(around).collect::<BTreeSet<u32>>().into_iter().collect()
        };
        let least = problem.points.iter().fold(DVec3::MAX, |least, point| least.min(point.at));
        let most_at = problem.points.iter().fold(DVec3::MIN, |most, point| most.max(point.at));
        Self {
            joints: (0..problem.points.len()).map(around).collect(),
            most,
            size: least.distance(most_at),
            active,
        }
    }

    /// Returns the diagonal of the box around all points.
    pub fn size(&self) -> f64 {
        self.size
    }

    /// Finds the best weights of all points that may change. A point may follow the helpers around it, and those from
    /// `newest` on.
    pub fn update(&self, problem: &Problem, fit: &mut Fit, newest: usize) {
        let near = self.near(problem, fit, newest);
        let helpers = &fit.helpers;
        fit.influences.par_iter_mut().zip(near).enumerate().for_each(|(index, (influences, near))| {
            if self.active[index] {
                let motions: Vec<&[DAffine3]> =
                    near.iter().map(|helper| helpers[*helper as usize].as_slice()).collect();
                let count = problem.joint_count();
                let name = |place: usize| count + near[place] as usize;
                *influences = self.of(problem, index, &motions, name, influences);
            }
        });
    }

    /// Lists the helpers of each point and of those within two edges of it.
    fn near(&self, problem: &Problem, fit: &Fit, newest: usize) -> Vec<Vec<u32>> {
        let count = problem.joint_count() as u32;
        let own = |influences: &Vec<(u32, f64)>| {
            let helpers = influences.iter().filter_map(|(joint, _)| joint.checked_sub(count));
            helpers.chain((newest..fit.helpers.len()).map(|one| one as u32)).collect::<BTreeSet<u32>>()
        };
        let mut near: Vec<BTreeSet<u32>> = fit.influences.iter().map(own).collect();
        for _ in 0..RINGS {
            let around = |(index, point): (usize, &Point)| {
                let neighbours = point.neighbours.iter().flat_map(|neighbour| &near[*neighbour as usize]);
                near[index].iter().chain(neighbours).copied().collect()
            };
            near = problem.points.par_iter().enumerate().map(around).collect();
        }
        near.into_iter().map(|set| set.into_iter().collect()).collect()
    }

    /// Returns how much the squared error of a point sinks with one more helper.
    pub fn gain(&self, problem: &Problem, fit: &Fit, index: usize, motion: &[DAffine3], before: f64) -> f64 {
        let count = problem.joint_count();
        let own = fit.influences[index].iter().filter_map(|(joint, _)| (*joint as usize).checked_sub(count));
        let motions: Vec<&[DAffine3]> =
            own.map(|helper| fit.helpers[helper].as_slice()).chain([motion]).collect();
        before - self.least(problem, index, &motions)
    }

    /// Returns how much the squared error of all points would grow without each helper.
    pub fn uses(&self, problem: &Problem, fit: &Fit) -> Vec<f64> {
        let count = problem.joint_count() as u32;
        let errors = problem.errors(fit);
        let of_point = |(index, influences): (usize, &Vec<(u32, f64)>)| {
            let helpers: Vec<u32> =
                influences.iter().filter_map(|(joint, _)| joint.checked_sub(count)).collect();
            let without = |helper: &u32| {
                let others = helpers.iter().filter(|other| *other != helper);
                let motions: Vec<&[DAffine3]> =
                    others.map(|other| fit.helpers[*other as usize].as_slice()).collect();
                (*helper, self.least(problem, index, &motions) - errors[index])
            };
            helpers.iter().map(without).collect::<Vec<_>>()
        };
        let grown: Vec<Vec<(u32, f64)>> = fit.influences.par_iter().enumerate().map(of_point).collect();
        let mut uses = vec![0.0; fit.helpers.len()];
        for (helper, grown) in grown.into_iter().flatten() {
            uses[helper as usize] += grown;
        }
        uses
    }

    /// Returns the least squared error of a point that may follow its joints and some helpers.
    fn least(&self, problem: &Problem, index: usize, motions: &[&[DAffine3]]) -> f64 {
        let count = problem.joint_count();
        let influences = self.of(problem, index, motions, |place| count + place, &[]);
        let at = problem.points[index].at;
        let of = |pose: usize| {
            let moved = |(joint, weight): &(u32, f64)| {
                let joint = *joint as usize;
                let transform = match joint.checked_sub(count) {
                    Some(place) => motions[place][pose],
                    None => problem.joints[pose][joint],
                };
                transform.transform_point3(at) * *weight
            };
            influences.iter().map(moved).sum::<DVec3>().distance_squared(problem.wanted[pose][index])
        };
        (0..problem.wanted.len()).map(of).sum()
    }

    /// Finds the best weights of a point that may follow its joints and some helpers, which `name` numbers. The search begins at
    /// the weights that it has.
    fn of(
        &self,
        problem: &Problem,
        index: usize,
        motions: &[&[DAffine3]],
        name: impl Fn(usize) -> usize,
        before: &[(u32, f64)],
    ) -> Vec<(u32, f64)> {
        let point = &problem.points[index];
        let own = &self.joints[index];
        let mut cost = Quadratic::zero(own.len() + motions.len());
        let mut apart = Vec::with_capacity(own.len() + motions.len());
        for (pose, (joints, wanted)) in problem.joints.iter().zip(&problem.wanted).enumerate() {
            let joints = own.iter().map(|joint| &joints[*joint as usize]);
            let all = joints.chain(motions.iter().map(|motion| &motion[pose]));
            apart.clear();
            apart.extend(all.map(|transform| transform.transform_point3(point.at) - wanted[index]));
            cost.add_square(&apart);
        }
        let of = |all: &[(u32, f64)], joint: u32| {
            all.iter().filter(|(one, _)| *one == joint).map(|(_, weight)| weight).sum::<f64>()
        };
        let pull = PULL * self.size * self.size * problem.wanted.len() as f64;
        let in_file = own.iter().map(|joint| of(&point.influences, *joint));
        cost.add_pull(pull, in_file.chain(motions.iter().map(|_| 0.0)));
        let helpers = (0..motions.len()).map(|place| name(place) as u32);
        let names: Vec<u32> = own.iter().copied().chain(helpers).collect();
        let start: Vec<f64> = names.iter().map(|joint| of(before, *joint)).collect();
        let found = names.into_iter().zip(cost.least(self.most, &start));
        found.filter(|(_, weight)| *weight > 0.0).collect()
    }
}
