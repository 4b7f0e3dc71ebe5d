//! Weights of all points for given transforms. What depends on points and poses alone is summed up once.

use std::collections::BTreeSet;

use glam::{DAffine3, DVec3};
use rayon::prelude::*;

use crate::problem::{Fit, Point, Problem};
use crate::quadratic::Quadratic;
use crate::sums::{Sums, products};

/// The points whose weights may change, the joints that each may follow, and how many of them.
pub struct Weights {
    /// For each point its part in `points`; `None` keeps its weights.
    slots: Vec<Option<usize>>,
    points: Vec<Active>,
    most: usize,
    size: f64,
    /// The motions of all joints.
    joints: Sums,
}

/// A point whose weights may change.
struct Active {
    index: usize,
    /// The joints that it may follow, besides helpers.
    joints: Vec<u32>,
    /// The products of its place with itself.
    products: [f64; 10],
    /// Its way from where the first joint moves it to its wanted place, pose by pose.
    ways: Vec<DVec3>,
    /// The sum of their squared lengths.
    squares: f64,
    /// The sum of the products of a joint's motion with them, for each joint.
    along: Vec<f64>,
}

/// Weights, and the squared error that they leave.
type Found = (Vec<(u32, f64)>, f64);

/// A point may follow the helpers of points that are at most this many edges away.
const RINGS: usize = 2;

/// The pull of weights to those of the file, as a share of the square of the size.
const PULL: f64 = 1e-10;

impl Weights {
    pub fn new(problem: &Problem, most: usize, is_active: &[bool]) -> Self {
        let own = |index: usize| problem.points[index].influences.iter().map(|(joint, _)| *joint);
        let around = |index: usize| -> Vec<u32> {
            let neighbours = &problem.points[index].neighbours;
            let around = neighbours.iter().map(|neighbour| *neighbour as usize);
            let around = around.filter(|one| !problem.points[*one].is_fixed).flat_map(own);
            own(index).chain(around).collect::<BTreeSet<u32>>().into_iter().collect()
        };
        let joints = Sums::of_joints(problem);
        let active = |index: usize| {
            let at = problem.points[index].at;
            let wanted = problem.wanted.iter().map(|wanted| wanted[index]);
            let ways: Vec<DVec3> =
                wanted.enumerate().map(|(pose, wanted)| wanted - joints.first(pose, at)).collect();
            let near = around(index);
            Active {
                index,
                products: products(at),
                squares: ways.iter().map(|way| way.length_squared()).sum(),
                along: near.iter().map(|joint| joints.along(*joint as usize, at, &ways)).collect(),
                joints: near,
                ways,
            }
        };
        let indices: Vec<usize> = (0..is_active.len()).filter(|index| is_active[*index]).collect();
        let mut slots = vec![None; is_active.len()];
        indices.iter().enumerate().for_each(|(slot, index)| slots[*index] = Some(slot));
        let least = problem.points.iter().fold(DVec3::MAX, |least, point| least.min(point.at));
        let most_at = problem.points.iter().fold(DVec3::MIN, |most, point| most.max(point.at));
        let points = indices.into_par_iter().map(active).collect();
        Self { slots, points, most, size: least.distance(most_at), joints }
    }

    /// Returns the diagonal of the box around all points.
    pub fn size(&self) -> f64 {
        self.size
    }

    /// Returns the points whose weights may change.
    pub fn active(&self) -> impl Iterator<Item = usize> {
        self.points.iter().map(|point| point.index)
    }

    /// Returns the motions of all joints, and of the helpers of a fit.
    pub fn sums(&self, fit: &Fit) -> Sums {
        let mut sums = self.joints.clone();
        fit.helpers.iter().for_each(|helper| sums.push(helper));
        sums
    }

    /// Finds the best weights of all points that may change, and returns the squared error that each point is left with, 0 for
    /// the others. A point may follow the helpers around it, and those from `newest` on.
    pub fn update(&self, problem: &Problem, fit: &mut Fit, newest: usize) -> Vec<f64> {
        let near = self.near(problem, fit, newest);
        let (sums, influences) = (self.sums(fit), &fit.influences);
        let solve =
            |point: &Active| self.solve(problem, point, &sums, &near[point.index], &influences[point.index]);
        let found: Vec<Found> = self.points.par_iter().map(solve).collect();
        let mut errors = vec![0.0; problem.points.len()];
        for (point, (influences, error)) in self.points.iter().zip(found) {
            (fit.influences[point.index], errors[point.index]) = (influences, error);
        }
        errors
    }

    /// Lists the helpers of each point and of those within two edges of it, numbered after the joints.
    fn near(&self, problem: &Problem, fit: &Fit, newest: usize) -> Vec<Vec<u32>> {
        let count = problem.joint_count();
        let own = |influences: &Vec<(u32, f64)>| {
            let helpers = influences.iter().map(|(joint, _)| *joint).filter(|joint| *joint as usize >= count);
            let new = (newest..fit.helpers.len()).map(|helper| (count + helper) as u32);
            helpers.chain(new).collect::<BTreeSet<u32>>()
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

    /// Returns how much the squared error of a point sinks with the last of some motions, which no point follows yet.
    pub fn gain(&self, problem: &Problem, fit: &Fit, index: usize, sums: &Sums, before: f64) -> f64 {
        let Some(slot) = self.slots[index] else { return 0.0 };
        let (influences, count) = (&fit.influences[index], problem.joint_count());
        let own = influences.iter().map(|(joint, _)| *joint).filter(|joint| *joint as usize >= count);
        let helpers: Vec<u32> = own.chain([sums.len() as u32 - 1]).collect();
        before - self.solve(problem, &self.points[slot], sums, &helpers, influences).1
    }

    /// Returns how much the squared error of all points would grow without each helper.
    pub fn uses(&self, problem: &Problem, fit: &Fit, errors: &[f64]) -> Vec<f64> {
        let (count, sums) = (problem.joint_count(), self.sums(fit));
        let of_point = |point: &Active| {
            let influences = &fit.influences[point.index];
            let helpers = influences.iter().map(|(joint, _)| *joint).filter(|joint| *joint as usize >= count);
            let helpers: Vec<u32> = helpers.collect();
            let without = |helper: &u32| {
                let others: Vec<u32> = helpers.iter().copied().filter(|other| other != helper).collect();
                let (_, error) = self.solve(problem, point, &sums, &others, influences);
                (*helper as usize - count, error - errors[point.index])
            };
            helpers.iter().map(without).collect::<Vec<_>>()
        };
        let grown: Vec<Vec<(usize, f64)>> = self.points.par_iter().map(of_point).collect();
        let mut uses = vec![0.0; fit.helpers.len()];
        for (helper, grown) in grown.into_iter().flatten() {
            uses[helper] += grown;
        }
        uses
    }

    /// Finds the best weights of a point that may follow its joints and some helpers, which are numbered after the joints. The
    /// search begins at the weights that it has.
    fn solve(
        &self,
        problem: &Problem,
        point: &Active,
        sums: &Sums,
        helpers: &[u32],
        before: &[(u32, f64)],
    ) -> Found {
        let stored = &problem.points[point.index];
        let names: Vec<u32> = point.joints.iter().chain(helpers).copied().collect();
        let new = helpers.iter().map(|helper| sums.along(*helper as usize, stored.at, &point.ways));
        let along: Vec<f64> = point.along.iter().copied().chain(new).collect();
        let product = |row: usize, column: usize| {
            let both = sums.product(names[row] as usize, names[column] as usize, &point.products);
            both - along[row] - along[column] + point.squares
        };
        let mut cost = Quadratic::new(names.len(), product);
        let of = |all: &[(u32, f64)], joint: u32| {
            all.iter().filter(|(one, _)| *one == joint).map(|(_, weight)| weight).sum::<f64>()
        };
        let pull = PULL * self.size * self.size * point.ways.len() as f64;
        let of_file = |joint: &u32| of(&stored.influences, *joint);
        cost.add_pull(pull, names.iter().map(of_file));
        let start: Vec<f64> = names.iter().map(|joint| of(before, *joint)).collect();
        let weights = cost.least(self.most, &start);
        let used: Vec<usize> = (0..names.len()).filter(|place| weights[*place] > 0.0).collect();
        let squares = used.iter().flat_map(|row| used.iter().map(move |column| (*row, *column)));
        let error: f64 =
            squares.map(|(row, column)| weights[row] * weights[column] * product(row, column)).sum();
        (used.into_iter().map(|place| (names[place], weights[place])).collect(), error.max(0.0))
    }
}

impl Sums {
    /// Sums up the motions of a problem's joints.
    fn of_joints(problem: &Problem) -> Self {
        let motion =
            |joint: usize| problem.joints.iter().map(|joints| joints[joint]).collect::<Vec<DAffine3>>();
        let mut sums = Self::default();
        (0..problem.joint_count()).for_each(|joint| sums.push(&motion(joint)));
        sums
    }
}
