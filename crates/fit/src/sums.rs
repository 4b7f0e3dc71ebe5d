//! Sums over poses of the products of motions. Every motion is relative to the first one, so that little is lost to rounding.

use glam::{DAffine3, DVec3, DVec4};
use rayon::prelude::*;

/// The rows of a matrix that moves places with a one at their end.
pub type Rows = [DVec4; 3];

/// Returns the rows of a transform.
pub fn rows(transform: &DAffine3) -> Rows {
    let DAffine3 { matrix3, translation } = transform;
    [0, 1, 2].map(|axis| matrix3.row(axis).extend(translation[axis]))
}

/// Motions, and for two each the sum of their products.
#[derive(Clone, Debug, Default)]
pub struct Sums {
    first: Vec<Rows>,
    /// Each motion less the first one, pose by pose.
    motions: Vec<Vec<Rows>>,
    /// The symmetric part of the product of two motions' matrices, for each motion with those up to itself.
    pairs: Vec<[f64; 10]>,
}

/// Returns the products of a place, with a one at its end, and itself, as [`Sums::product`] takes them.
pub fn products(at: DVec3) -> [f64; 10] {
    let DVec3 { x, y, z } = at;
    let twice = [x * y, y * z, x * z, x, y, z].map(|one| 2.0 * one);
    let [xy, yz, xz, x1, y1, z1] = twice;
    [x * x, y * y, z * z, xy, yz, xz, x1, y1, z1, 1.0]
}

impl Sums {
    /// Returns the number of motions.
    pub fn len(&self) -> usize {
        self.motions.len()
    }

    /// Adds a motion: a transform for each pose.
    pub fn push(&mut self, motion: &[DAffine3]) {
        if self.motions.is_empty() {
            self.first = motion.iter().map(rows).collect();
        }
        let apart = |(one, first): (&DAffine3, &Rows)| {
            let rows = rows(one);
            [0, 1, 2].map(|axis| rows[axis] - first[axis])
        };
        self.motions.push(motion.iter().zip(&self.first).map(apart).collect());
        let Some(newest) = self.motions.last() else { return };
        let pairs: Vec<[f64; 10]> = self.motions.par_iter().map(|other| pair(newest, other)).collect();
        self.pairs.extend(pairs);
    }

    /// Returns the place where the first motion moves a point in a pose.
    pub fn first(&self, pose: usize, at: DVec3) -> DVec3 {
        moved(&self.first[pose], at)
    }

    /// Returns the sum over poses of the products of two motions of a place, by its [`products`].
    pub fn product(&self, one: usize, other: usize, products: &[f64; 10]) -> f64 {
        let (most, least) = (one.max(other), one.min(other));
        let pair = &self.pairs[most * (most + 1) / 2 + least];
        pair.iter().zip(products).map(|(a, b)| a * b).sum()
    }

    /// Returns the sum over poses of the product of a motion of a place with a way.
    pub fn along(&self, motion: usize, at: DVec3, ways: &[DVec3]) -> f64 {
        self.motions[motion].iter().zip(ways).map(|(rows, way)| moved(rows, at).dot(*way)).sum()
    }
}

fn moved(rows: &Rows, at: DVec3) -> DVec3 {
    DVec3::from_array(rows.map(|row| row.truncate().dot(at) + row.w))
}

fn pair(one: &[Rows], other: &[Rows]) -> [f64; 10] {
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
