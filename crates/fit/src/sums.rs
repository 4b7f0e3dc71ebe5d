//! Sums over poses of the products of motions. Every motion is relative to that of one joint, so that little is lost to rounding.

use std::collections::BTreeSet;
use std::sync::Arc;

use glam::{DAffine3, DVec3, DVec4};
use rayon::prelude::*;

use crate::problem::Problem;

/// The rows of a matrix that moves places with a one at their end.
pub type Rows = [DVec4; 3];

/// The symmetric part of the sum over poses of the product of two motions.
pub type Pair = [f64; 10];

/// Returns the rows of a transform.
pub fn rows(transform: &DAffine3) -> Rows {
    let DAffine3 { matrix3, translation } = transform;
    [0, 1, 2].map(|axis| matrix3.row(axis).extend(translation[axis]))
}

/// Returns the products of a place, with a one at its end, and itself, as [`product`] takes them.
pub fn products(at: DVec3) -> Pair {
    let DVec3 { x, y, z } = at;
    let [xy, yz, xz, x1, y1, z1] = [x * y, y * z, x * z, x, y, z].map(|one| 2.0 * one);
    [x * x, y * y, z * z, xy, yz, xz, x1, y1, z1, 1.0]
}

/// Returns the sum over poses of the products of two motions of a place, by its [`products`].
pub fn product(pair: &Pair, products: &Pair) -> f64 {
    pair.iter().zip(products).map(|(a, b)| a * b).sum()
}

/// The motions of the joints that some points may follow, pose by pose.
pub struct Joints {
    /// The motion that others are relative to.
    first: Vec<Rows>,
    /// The place of each joint in `motions`.
    places: Vec<Option<usize>>,
    motions: Vec<Vec<Rows>>,
}

impl Joints {
    /// Takes the motions of these joints.
    pub fn new(problem: &Problem, used: impl Iterator<Item = u32>) -> Self {
        // Sorted, so that the order of points does not matter.
        let made: BTreeSet<usize> = used.map(|joint| joint as usize).collect();
        let made: Vec<usize> = made.into_iter().collect();
        let mut places = vec![None; problem.joint_count()];
        made.iter().enumerate().for_each(|(place, joint)| places[*joint] = Some(place));
        let of = |joint: usize| problem.joints.iter().map(move |joints| rows(&joints[joint]));
        let first: Vec<Rows> = made.first().map_or_else(Vec::new, |joint| of(*joint).collect());
        let motions = made.par_iter().map(|joint| less(of(*joint), &first)).collect();
        Self { first, places, motions }
    }

    /// Returns the place where the first motion moves a point in a pose.
    pub fn first(&self, pose: usize, at: DVec3) -> DVec3 {
        moved(&self.first[pose], at)
    }

    /// Returns the product of the motions of two joints.
    pub fn pair(&self, one: u32, other: u32) -> Pair {
        pair(self.motion(one), self.motion(other))
    }

    /// Returns the sum over poses of the product of a joint's motion of a place with a way.
    pub fn along(&self, joint: u32, at: DVec3, ways: &[DVec3]) -> f64 {
        along(self.motion(joint), at, ways)
    }

    fn motion(&self, joint: u32) -> &[Rows] {
        let place = self.places.get(joint as usize).copied().flatten();
        place.map_or(&[], |place| &self.motions[place])
    }
}

/// The motions of helpers, and their products with those of joints and of earlier helpers.
#[derive(Clone)]
pub struct Helpers<'a> {
    joints: &'a Joints,
    all: Vec<Arc<Helper>>,
}

struct Helper {
    motion: Vec<Rows>,
    with_joints: Vec<Pair>,
    with_helpers: Vec<Pair>,
}

impl<'a> Helpers<'a> {
    /// Begins without helpers.
    pub fn new(joints: &'a Joints) -> Self {
        Self { joints, all: Vec::new() }
    }

    /// Returns the number of helpers.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Adds a helper: a transform for each pose.
    pub fn push(&mut self, motion: &[DAffine3]) {
        let motion = less(motion.iter().map(rows), &self.joints.first);
        let with_joints = self.joints.motions.par_iter().map(|other| pair(&motion, other)).collect();
        let mut with_helpers: Vec<Pair> = self.all.iter().map(|other| pair(&motion, &other.motion)).collect();
        with_helpers.push(pair(&motion, &motion));
        self.all.push(Arc::new(Helper { motion, with_joints, with_helpers }));
    }

    /// Returns the product of the motions of a helper and a joint.
    pub fn with_joint(&self, helper: usize, joint: u32) -> &Pair {
        let place = self.joints.places.get(joint as usize).copied().flatten();
        place.map_or(&[0.0; 10], |place| &self.all[helper].with_joints[place])
    }

    /// Returns the product of the motions of two helpers.
    pub fn with_helper(&self, one: usize, other: usize) -> &Pair {
        &self.all[one.max(other)].with_helpers[one.min(other)]
    }

    /// Returns the sum over poses of the product of a helper's motion of a place with a way.
    pub fn along(&self, helper: usize, at: DVec3, ways: &[DVec3]) -> f64 {
        along(&self.all[helper].motion, at, ways)
    }
}

/// A motion less another one.
fn less(motion: impl Iterator<Item = Rows>, other: &[Rows]) -> Vec<Rows> {
    motion.zip(other).map(|(rows, first)| [0, 1, 2].map(|axis| rows[axis] - first[axis])).collect()
}

fn moved(rows: &Rows, at: DVec3) -> DVec3 {
    DVec3::from_array(rows.map(|row| row.truncate().dot(at) + row.w))
}

fn along(motion: &[Rows], at: DVec3, ways: &[DVec3]) -> f64 {
    motion.iter().zip(ways).map(|(rows, way)| moved(rows, at).dot(*way)).sum()
}

fn pair(one: &[Rows], other: &[Rows]) -> Pair {
    let mut sum = [0.0; 10];
    for (a, b) in one.iter().zip(other).flat_map(|(a, b)| a.iter().zip(b)) {
        let half = |i: usize, j: usize| 0.5 * (a[i] * b[j] + a[j] * b[i]);
        let own = [a.x * b.x, a.y * b.y, a.z * b.z, half(0, 1), half(1, 2), half(0, 2)];
        let with_one = [half(0, 3), half(1, 3), half(2, 3), a.w * b.w];
        for (sum, part) in sum.iter_mut().zip(own.into_iter().chain(with_one)) {
            *sum += part;
        }
    }
    sum
}
