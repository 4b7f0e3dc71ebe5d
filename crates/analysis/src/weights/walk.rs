//! Walks over a surface from some points: shortest paths along edges, by Dijkstra's algorithm.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::surface::Surface;

/// Distances over one surface, in memory reused from one walk to the next.
#[derive(Clone, Debug)]
pub struct Walk {
    /// The distance of each point; infinite if the walk has not reached it.
    distances: Vec<f64>,
    touched: Vec<u32>,
    /// Distances as their bits, which sort alike.
    waiting: BinaryHeap<Reverse<(u64, u32)>>,
}

impl Walk {
    /// Allocates memory for walks over a surface.
    pub fn new(surface: &Surface) -> Self {
        let distances = vec![f64::INFINITY; surface.positions.len()];
        Self { distances, touched: Vec::new(), waiting: BinaryHeap::new() }
    }

    /// Walks from all starts at once, no further than `most`, until it has reached `wanted` points for which `is_wanted`
    /// holds. Each reached point takes one of the remaining steps; returns `false` if they do not suffice.
    pub fn go(
        &mut self,
        surface: &Surface,
        starts: impl Iterator<Item = u32>,
        most: f64,
        mut wanted: usize,
        is_wanted: impl Fn(u32) -> bool,
        steps: &mut usize,
    ) -> bool {
        self.waiting.clear();
        for point in self.touched.drain(..) {
            if let Some(distance) = self.distances.get_mut(point as usize) {
                *distance = f64::INFINITY;
            }
        }
        starts.for_each(|start| self.reach(start, 0.0));
        while wanted > 0
            && let Some(Reverse((bits, point))) = self.waiting.pop()
        {
            let distance = f64::from_bits(bits);
            if distance > self.distance(point) {
                continue;
            }
            let Some(left) = steps.checked_sub(1) else { return false };
            *steps = left;
            wanted -= usize::from(is_wanted(point));
            for neighbour in surface.neighbours.row(point as usize) {
                let further = distance + f64::from(neighbour.length);
                if further <= most {
                    self.reach(neighbour.point, further);
                }
            }
        }
        true
    }

    fn reach(&mut self, point: u32, distance: f64) {
        let Some(known) = self.distances.get_mut(point as usize).filter(|known| distance < **known) else {
            return;
        };
        *known = distance;
        self.touched.push(point);
        self.waiting.push(Reverse((distance.to_bits(), point)));
    }

    /// Returns the distance of a point; infinite if the walk has not reached it.
    pub fn distance(&self, point: u32) -> f64 {
        self.distances.get(point as usize).copied().unwrap_or(f64::INFINITY)
    }
}
