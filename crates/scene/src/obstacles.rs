//! Triangles that may hide something, tested against a ray many at once.

#![allow(clippy::needless_range_loop, reason = "a lane is an index into many arrays")]

use std::ops::Range;

use glam::DVec3;
use sinew_skinning::wide::{self, Work};

use crate::picking::Ray;

/// The number of triangles in a block.
const LANES: usize = 64;

/// A number of each triangle in a block.
type Number = [f64; LANES];

/// Triangles, prepared for rays.
#[derive(Default)]
pub struct Obstacles {
    /// The coordinates of each corner.
    blocks: Vec<[[Number; 3]; 3]>,
    count: usize,
}

impl Obstacles {
    /// Adds a triangle.
    pub fn add(&mut self, corners: [DVec3; 3]) {
        let lane = self.count % LANES;
        if lane == 0 {
            // A ray meets no triangle at NaN.
            self.blocks.push([[[f64::NAN; LANES]; 3]; 3]);
        }
        self.count += 1;
        let Some(block) = self.blocks.last_mut() else { return };
        for (of, to) in block.iter_mut().zip(corners) {
            (of[0][lane], of[1][lane], of[2][lane]) = (to.x, to.y, to.z);
        }
    }

    /// Returns true if a triangle is on the ray in this range of distances, in lengths of its direction, as
    /// [`Ray::to_triangle`] finds it. Leaves out the triangle that was added with an index.
    pub fn are_on(&self, ray: &Ray, range: &Range<f64>, except: Option<usize>) -> bool {
        (0..).step_by(LANES).zip(&self.blocks).any(|(first, block)| {
            let mut hits = [0.0; LANES];
            wide::run(Meet { ray, range, block, hits: &mut hits });
            let is_hit = |(at, hit): (usize, &f64)| *hit > 0.0 && Some(first + at) != except;
            hits.iter().sum::<f64>() > 0.0 && hits.iter().enumerate().any(is_hit)
        })
    }
}

/// Tests a block.
struct Meet<'a> {
    ray: &'a Ray,
    range: &'a Range<f64>,
    block: &'a [[Number; 3]; 3],
    /// Becomes 1 for each triangle on the ray.
    hits: &'a mut Number,
}

impl Work for Meet<'_> {
    /// The formula of [`Ray::to_triangle`] for each triangle, without branches, which would keep the loop from being vectorised.
    #[inline(always)]
    fn work(self) {
        let Self { ray: Ray { origin, direction }, range, block: [a, b, c], hits } = self;
        for lane in 0..LANES {
            let (a, b, c) = (vector(a, lane), vector(b, lane), vector(c, lane));
            let (ab, ac) = (b - a, c - a);
            let across = direction.cross(ac);
            let volume = ab.dot(across);
            let from = *origin - a;
            let u = from.dot(across) / volume;
            let up = from.cross(ab);
            let v = direction.dot(up) / volume;
            let along = ac.dot(up) / volume;
            let is_inside = (u >= 0.0) & (v >= 0.0) & (u + v <= 1.0) & (volume != 0.0) & volume.is_finite();
            let is_along = (along > 0.0) & along.is_finite() & (along >= range.start) & (along < range.end);
            hits[lane] = if is_inside & is_along { 1.0 } else { 0.0 };
        }
    }
}

#[inline(always)]
fn vector([x, y, z]: &[Number; 3], lane: usize) -> DVec3 {
    DVec3::new(x[lane], y[lane], z[lane])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rays_meet_what_they_meet_alone() {
        let mut number = 1u64;
        let mut random = || {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // Few values, so that corners, edges and flat triangles are met as well.
            (number >> 61) as f64 - 3.5
        };
        let mut point = || DVec3::new(random(), random(), random());
        let triangles: Vec<[DVec3; 3]> = (0..150).map(|_| [point(), point(), point()]).collect();
        let mut hits = 0;
        for count in [0, 1, 64, 65, 150] {
            let triangles = &triangles[..count];
            let mut obstacles = Obstacles::default();
            triangles.iter().for_each(|corners| obstacles.add(*corners));
            for _ in 0..200 {
                let ray = Ray { origin: point(), direction: point() };
                let meets = |corners: &[DVec3; 3]| {
                    ray.to_triangle(*corners).is_some_and(|along| (0.25..0.75).contains(&along))
                };
                let mut all = triangles.iter().map(meets);
                let first = all.position(|meets| meets);
                let is_another = first.is_some() && all.any(|meets| meets);
                assert_eq!(obstacles.are_on(&ray, &(0.25..0.75), None), first.is_some());
                assert_eq!(obstacles.are_on(&ray, &(0.25..0.75), first), is_another);
                hits += usize::from(first.is_some());
            }
        }
        assert!((100..900).contains(&hits), "{hits}");
    }
}
