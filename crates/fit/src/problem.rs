//! The wanted deformation: points, the motion of joints that are there, and the places where points should be.

use glam::{DAffine3, DVec3};
use rayon::prelude::*;

/// A wanted deformation of points.
#[derive(Clone, Debug, Default)]
pub struct Problem {
    /// The points; vertices at one place with the same joints and weights are one.
    pub points: Vec<Point>,
    /// The transform of each joint from the bind pose, pose by pose.
    pub joints: Vec<Vec<DAffine3>>,
    /// The wanted place of each point, pose by pose.
    pub wanted: Vec<Vec<DVec3>>,
}

/// A point of the surface in the bind pose.
#[derive(Clone, Debug, Default)]
pub struct Point {
    /// Its place.
    pub at: DVec3,
    /// Its joints and weights, which sum to one.
    pub influences: Vec<(u32, f64)>,
    /// Points that an edge joins to it.
    pub neighbours: Vec<u32>,
    /// True if its weights must stay.
    pub is_fixed: bool,
}

/// Joints that are added, and the weights of all points with them.
#[derive(Clone, Debug, Default)]
pub struct Fit {
    /// The transform of each helper from the bind pose, pose by pose.
    pub helpers: Vec<Vec<DAffine3>>,
    /// The joints and weights of each point. Helpers are numbered after the joints.
    pub influences: Vec<Vec<(u32, f64)>>,
}

impl Fit {
    /// Removes a helper, whose points keep the rest of their weights.
    pub(crate) fn remove(&mut self, joints: usize, helper: usize) {
        self.helpers.remove(helper);
        let removed = (joints + helper) as u32;
        for influences in &mut self.influences {
            influences.retain(|(joint, _)| *joint != removed);
            for (joint, _) in influences.iter_mut().filter(|(joint, _)| *joint > removed) {
                *joint -= 1;
            }
        }
    }
}

impl Problem {
    /// Returns the problem with every Nth pose.
    pub(crate) fn one_in(&self, step: usize) -> Self {
        let joints = self.joints.iter().step_by(step).cloned().collect();
        let wanted = self.wanted.iter().step_by(step).cloned().collect();
        Self { points: self.points.clone(), joints, wanted }
    }

    /// Returns the number of joints that are there.
    pub fn joint_count(&self) -> usize {
        self.joints.first().map_or(0, Vec::len)
    }

    /// Returns the place where joints and helpers move a point in a pose.
    pub fn place(
        &self,
        pose: usize,
        at: DVec3,
        influences: &[(u32, f64)],
        helpers: &[Vec<DAffine3>],
    ) -> DVec3 {
        let of = |(joint, weight): &(u32, f64)| {
            self.transform(pose, *joint as usize, helpers).transform_point3(at) * *weight
        };
        influences.iter().map(of).sum()
    }

    /// Returns the transform of a joint or helper in a pose.
    pub fn transform(&self, pose: usize, joint: usize, helpers: &[Vec<DAffine3>]) -> DAffine3 {
        let joints = &self.joints[pose];
        joints.get(joint).copied().unwrap_or_else(|| helpers[joint - joints.len()][pose])
    }

    /// Returns the sum of the squared distances of each point from its wanted places.
    pub fn errors(&self, fit: &Fit) -> Vec<f64> {
        self.of_each(fit, |apart| apart.map(|apart| apart.length_squared()).sum())
    }

    /// Returns the largest distance of each point from its wanted places.
    pub fn largest(&self, fit: &Fit) -> Vec<f64> {
        self.of_each(fit, |apart| apart.map(DVec3::length).fold(0.0, f64::max))
    }

    /// Sums up the ways of each point to its wanted places.
    fn of_each(&self, fit: &Fit, sum: impl Fn(&mut dyn Iterator<Item = DVec3>) -> f64 + Sync) -> Vec<f64> {
        let of_point = |index: usize| {
            let (at, influences) = (self.points[index].at, &fit.influences[index]);
            let apart =
                |pose: usize| self.wanted[pose][index] - self.place(pose, at, influences, &fit.helpers);
            sum(&mut (0..self.wanted.len()).map(apart))
        };
        (0..self.points.len()).into_par_iter().map(of_point).collect()
    }
}
