//! Finds vertices that have few joints in common, so that one run can blend all of them as if they shared these joints, with
//! weights of zero for the joints that a vertex lacks.

use super::cost::{RUN_COST, mixed_cost, shared_cost};
use super::layout::MAX_COMMON;
use crate::vectors::ROW;

/// The maximum number of clusters of a window, which bounds the search.
const MOST: usize = 32;

/// Joints that some vertices have in common.
#[derive(Clone, Copy, Default)]
pub struct Cluster {
    joints: [u32; MAX_COMMON],
    count: usize,
    vertices: usize,
    /// The cost of its vertices in mixed blocks, times [`ROW`].
    apart: usize,
}

impl Cluster {
    /// Returns its joints, each once.
    pub fn joints(&self) -> &[u32] {
        &self.joints[..self.count]
    }

    /// Returns the cluster with more joints, unless there are too many.
    fn with(mut self, joints: &[u32]) -> Option<Self> {
        for joint in joints {
            if !self.joints().contains(joint) {
                *self.joints.get_mut(self.count)? = *joint;
                self.count += 1;
            }
        }
        Some(self)
    }

    /// Returns the cost of its blocks, times [`ROW`] and without the unused part of the last.
    fn cost(&self) -> usize {
        self.vertices * shared_cost(self.count)
    }

    /// Returns true if a run for it costs less than mixed blocks.
    fn is_worth_a_run(&self) -> bool {
        let blocks = self.vertices.div_ceil(ROW);
        (blocks * shared_cost(self.count) + RUN_COST) * ROW < self.apart
    }
}

/// The clusters of a window.
#[derive(Default)]
pub struct Clusters {
    all: Vec<Cluster>,
    of_groups: Vec<Option<usize>>,
    order: Vec<usize>,
}

impl Clusters {
    /// Returns the clusters.
    pub fn all(&self) -> &[Cluster] {
        &self.all
    }

    /// Returns each group's cluster; `None` for a group in none.
    pub fn of_groups(&self) -> &[Option<usize>] {
        &self.of_groups
    }

    /// Finds clusters of groups, each with its vertices' joints and their number. Each group goes where it adds least to the
    /// cost; those with many joints come first, because the others fit into theirs, but no few vertices begin a cluster.
    pub fn find<'a>(&mut self, groups: impl Iterator<Item = (&'a [u32], usize)>) {
        let Self { all, of_groups, order } = self;
        all.clear();
        let groups: Vec<(&[u32], usize)> = groups.collect();
        of_groups.clear();
        of_groups.resize(groups.len(), None);
        // Vertices in random order have nothing in common.
        let vertices: usize = groups.iter().map(|(_, vertices)| vertices).sum();
        if vertices * 2 < groups.len() * 3 {
            return;
        }
        order.clear();
        order.extend(0..groups.len());
        order.sort_by_key(|&group| {
            std::cmp::Reverse((groups[group].1.min(3), groups[group].0.len(), groups[group].1))
        });
        for &group in order.iter() {
            let (joints, vertices) = groups[group];
            let apart = vertices * mixed_cost(joints.len());
            let grown = |cluster: &Cluster| {
                let mut grown = cluster.with(joints)?;
                (grown.vertices, grown.apart) = (cluster.vertices + vertices, cluster.apart + apart);
                Some(grown)
            };
            let options = all.iter().enumerate().filter_map(|(number, cluster)| {
                let grown = grown(cluster)?;
                Some((grown.cost() - cluster.cost(), number, grown))
            });
            let best = options.min_by_key(|(cost, number, _)| (*cost, *number));
            match best.filter(|(cost, ..)| *cost < apart) {
                Some((_, number, grown)) => (all[number], of_groups[group]) = (grown, Some(number)),
                None if all.len() < MOST => {
                    of_groups[group] = Some(all.len());
                    all.extend(grown(&Cluster::default()));
                    of_groups[group] = of_groups[group].filter(|&number| number < all.len());
                }
                None => {}
            }
        }
        for of in of_groups.iter_mut() {
            *of = of.filter(|&number| all[number].is_worth_a_run());
        }
    }
}
