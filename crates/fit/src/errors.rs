//! Distances of a fit, joint by joint.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::problem::{Fit, Point, Problem};

/// The distances of the vertices that one joint moves most, over all fitted poses, each place counted once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointErrors {
    /// The node of the joint.
    pub node: usize,
    /// The number of places.
    pub points: usize,
    /// The distances of the original.
    pub before: Errors,
    /// The distances with helpers.
    pub after: Errors,
}

/// Distances in the unit of the points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Errors {
    /// The largest.
    pub max: f64,
    /// The 99th percentile, by the nearest rank.
    pub p99: f64,
    /// The root of the mean square.
    pub rms: f64,
}

impl Errors {
    fn of(mut all: Vec<f64>) -> Self {
        all.sort_by(f64::total_cmp);
        let squares: f64 = all.iter().map(|one| one * one).sum();
        let rank = (all.len() * 99).div_ceil(100).saturating_sub(1);
        Self {
            max: all.last().copied().unwrap_or_default(),
            p99: all.get(rank).copied().unwrap_or_default(),
            rms: (squares / all.len().max(1) as f64).sqrt(),
        }
    }
}

/// Measures each joint; `node` names that of a joint. The joint with the largest sum of squares before comes first.
pub fn by_joint(
    problem: &Problem,
    fit: &Fit,
    node: impl Fn(usize) -> Option<usize> + Sync,
) -> Vec<JointErrors> {
    let heaviest = |influences: &Vec<(u32, f64)>| {
        let heaviest = influences.iter().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        heaviest.map(|(joint, _)| *joint as usize)
    };
    // Joints of two skins may be one node.
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, point) in problem.points.iter().enumerate() {
        if let Some(node) = heaviest(&point.influences).and_then(&node) {
            groups.entry(node).or_default().push(index);
        }
    }
    let measure = |(node, group): (&usize, &Vec<usize>)| {
        let apart = |is_fitted: bool| {
            let of = |index: &usize| {
                let Point { at, influences, .. } = &problem.points[*index];
                let influences = if is_fitted { &fit.influences[*index] } else { influences };
                let place = |pose: usize| problem.place(pose, *at, influences, &fit.helpers);
                let poses = 0..problem.wanted.len();
                poses.map(|pose| place(pose).distance(problem.wanted[pose][*index])).collect::<Vec<f64>>()
            };
            Errors::of(group.iter().flat_map(of).collect())
        };
        let (before, after) = (apart(false), apart(true));
        JointErrors { node: *node, points: group.len(), before, after }
    };
    let mut found: Vec<JointErrors> = groups.par_iter().map(measure).collect();
    let squares = |one: &JointErrors| one.before.rms * one.before.rms * one.points as f64;
    found.sort_by(|a, b| squares(b).total_cmp(&squares(a)).then(a.node.cmp(&b.node)));
    found
}
