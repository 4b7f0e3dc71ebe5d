//! Weights of all points for given transforms. What depends on points and poses alone is summed up once.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;
use rayon::prelude::*;

use crate::problem::{Fit, Point, Problem};
use crate::quadratic::Quadratic;
use crate::sums::{Helpers, Joints, Pair, product, products};

/// The points whose weights may change, the joints that each may follow, and how many of them.
pub struct Weights {
    /// For each point its part in `points`; `None` keeps its weights.
    slots: Vec<Option<usize>>,
    points: Vec<Active>,
    most: usize,
    size: f64,
    joints: Joints,
}

/// A point whose weights may change.
struct Active {
    index: usize,
    /// The joints that it may follow, besides helpers.
    joints: Vec<u32>,
    /// The products of its place with itself.
    products: Pair,
    /// Its way from where the first joint moves it to its wanted place, pose by pose.
    ways: Vec<DVec3>,
    /// The sum of their squared lengths.
    squares: f64,
    /// The sum of the products of a joint's motion with them, for each joint.
    along: Vec<f64>,
    /// The sum of the products of two joints' motions: for each joint those up to itself.
    own: Vec<f64>,
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
        let indices: Vec<usize> = (0..is_active.len()).filter(|index| is_active[*index]).collect();
        let near: Vec<Vec<u32>> = indices.par_iter().map(|index| around(*index)).collect();
        let joints = Joints::new(problem, near.iter().flatten().copied());
        let both: BTreeSet<(u32, u32)> = near.iter().flat_map(|near| halves(near)).collect();
        let both: Vec<(u32, u32)> = both.into_iter().collect();
        let pairs: Vec<Pair> = both.par_iter().map(|(one, other)| joints.pair(*one, *other)).collect();
        let pairs: BTreeMap<(u32, u32), Pair> = both.into_iter().zip(pairs).collect();
        let active = |(index, near): (&usize, Vec<u32>)| {
            let (index, at) = (*index, problem.points[*index].at);
            let wanted = problem.wanted.iter().map(|wanted| wanted[index]);
            let ways: Vec<DVec3> =
                wanted.enumerate().map(|(pose, wanted)| wanted - joints.first(pose, at)).collect();
            let products = products(at);
            Active {
                index,
                squares: ways.iter().map(|way| way.length_squared()).sum(),
                along: near.iter().map(|joint| joints.along(*joint, at, &ways)).collect(),
                own: halves(&near)
                    .map(|both| pairs.get(&both).map_or(0.0, |pair| product(pair, &products)))
                    .collect(),
                products,
                joints: near,
                ways,
            }
        };
        let mut slots = vec![None; is_active.len()];
        indices.iter().enumerate().for_each(|(slot, index)| slots[*index] = Some(slot));
        let least = problem.points.iter().fold(DVec3::MAX, |least, point| least.min(point.at));
        let most_at = problem.points.iter().fold(DVec3::MIN, |most, point| most.max(point.at));
        let points = indices.par_iter().zip(near).map(active).collect();
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

    /// Returns the motions of a fit's helpers.
    pub fn helpers(&self, fit: &Fit) -> Helpers<'_> {
        let mut helpers = Helpers::new(&self.joints);
        fit.helpers.iter().for_each(|helper| helpers.push(helper));
        helpers
    }

    /// Finds the best weights of all points that may change, and returns the squared error that each point is left with, 0 for
    /// the others. A point may follow the helpers around it, and those from `newest` on.
    pub fn update(&self, problem: &Problem, fit: &mut Fit, newest: usize) -> Vec<f64> {
        let near = self.near(problem, fit, newest);
        let (motions, influences) = (self.helpers(fit), &fit.influences);
        let solve = |point: &Active| {
            self.solve(problem, point, &motions, &near[point.index], &influences[point.index])
        };
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

    /// Returns how much the squared error of a point sinks with the last of some helpers, which no point follows yet.
    pub fn gain(&self, problem: &Problem, fit: &Fit, index: usize, motions: &Helpers, before: f64) -> f64 {
        let Some(slot) = self.slots[index] else { return 0.0 };
        let (influences, count) = (&fit.influences[index], problem.joint_count());
        let own = influences.iter().map(|(joint, _)| *joint).filter(|joint| *joint as usize >= count);
        let helpers: Vec<u32> = own.chain([(count + motions.len() - 1) as u32]).collect();
        before - self.solve(problem, &self.points[slot], motions, &helpers, influences).1
    }

    /// Returns how much the squared error of all points would grow without each helper.
    pub fn uses(&self, problem: &Problem, fit: &Fit, errors: &[f64]) -> Vec<f64> {
        let (count, motions) = (problem.joint_count(), self.helpers(fit));
        let of_point = |point: &Active| {
            let influences = &fit.influences[point.index];
            let helpers = influences.iter().map(|(joint, _)| *joint).filter(|joint| *joint as usize >= count);
            let helpers: Vec<u32> = helpers.collect();
            let without = |helper: &u32| {
                let others: Vec<u32> = helpers.iter().copied().filter(|other| other != helper).collect();
                let (_, error) = self.solve(problem, point, &motions, &others, influences);
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
        motions: &Helpers,
        helpers: &[u32],
        before: &[(u32, f64)],
    ) -> Found {
        let stored = &problem.points[point.index];
        let (own, count) = (point.joints.len(), problem.joint_count());
        let names: Vec<u32> = point.joints.iter().chain(helpers).copied().collect();
        let helper = |place: usize| names[place] as usize - count;
        let new = (own..names.len()).map(|place| motions.along(helper(place), stored.at, &point.ways));
        let along: Vec<f64> = point.along.iter().copied().chain(new).collect();
        let square = |one: usize, other: usize| {
            let (row, column) = (one.max(other), one.min(other));
            let both = if row < own {
                point.own[row * (row + 1) / 2 + column]
            } else if column < own {
                product(motions.with_joint(helper(row), names[column]), &point.products)
            } else {
                product(motions.with_helper(helper(row), helper(column)), &point.products)
            };
            both - along[row] - along[column] + point.squares
        };
        let mut cost = Quadratic::new(names.len(), square);
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
            squares.map(|(row, column)| weights[row] * weights[column] * square(row, column)).sum();
        // A broken motion is no gain.
        let error = if error.is_finite() { error.max(0.0) } else { f64::INFINITY };
        (used.into_iter().map(|place| (names[place], weights[place])).collect(), error)
    }
}

/// Each two of some joints, and each with itself: for each joint those up to itself.
fn halves(joints: &[u32]) -> impl Iterator<Item = (u32, u32)> {
    joints.iter().enumerate().flat_map(|(place, one)| joints[..=place].iter().map(|other| (*one, *other)))
}
