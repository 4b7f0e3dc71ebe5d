//! The edges of a surface, and smoothing along them.

use super::settings::{Settings, Weights};
use glam::DVec3;
use std::collections::HashSet;

/// The points of a surface, joined by the edges of its triangles.
#[derive(Default)]
pub struct Graph {
    /// The end of each point's neighbours.
    ends: Vec<u32>,
    /// Neighbours, each once per point.
    neighbours: Vec<u32>,
    /// Triangles between three different points, each once.
    pub triangles: Vec<[u32; 3]>,
}

impl Graph {
    /// Joins points. An edge counts once, however many triangles it has.
    pub fn new(points: usize, mut triangles: Vec<[u32; 3]>) -> Self {
        let pairs = |&[a, b, c]: &[u32; 3]| [(a, b), (b, a), (b, c), (c, b), (c, a), (a, c)];
        let mut halves: Vec<(u32, u32)> = triangles.iter().flat_map(pairs).filter(|(a, b)| a != b).collect();
        halves.sort_unstable();
        halves.dedup();
        let mut known = HashSet::new();
        triangles.retain(|triangle| {
            let mut sorted = *triangle;
            sorted.sort_unstable();
            let [a, b, c] = sorted;
            a != b && b != c && known.insert(sorted)
        });
        let mut ends = vec![0; points];
        for &(point, _) in &halves {
            ends[point as usize] += 1;
        }
        let mut sum = 0;
        for end in &mut ends {
            sum += *end;
            *end = sum;
        }
        Self { ends, neighbours: halves.into_iter().map(|(_, neighbour)| neighbour).collect(), triangles }
    }

    /// Smooths places; `other` is memory. Points without neighbours stay.
    pub fn smooth(&self, settings: &Settings, places: &mut Vec<DVec3>, other: &mut Vec<DVec3>) {
        let Settings { iterations, factor, weights } = *settings;
        for _ in 0..iterations {
            match weights {
                Weights::Uniform => self.step(places, other, |from, around| {
                    let sum: DVec3 = around.iter().map(|&to| places[to as usize] - from).sum();
                    sum * (factor / around.len() as f64)
                }),
                Weights::Lengths => self.step(places, other, |from, around| {
                    let (mut sum, mut whole) = (DVec3::ZERO, 0.0);
                    for &to in around {
                        let edge = places[to as usize] - from;
                        let length = edge.length();
                        sum += edge * length;
                        whole += length;
                    }
                    // Neighbours at its very place do not move a point.
                    if whole == 0.0 { sum } else { sum * (2.0 * factor / (around.len() as f64 * whole)) }
                }),
            }
            std::mem::swap(places, other);
        }
    }

    /// Moves each point by a function of its place and its neighbours.
    fn step(&self, places: &[DVec3], out: &mut Vec<DVec3>, moved: impl Fn(DVec3, &[u32]) -> DVec3) {
        out.clear();
        let mut start = 0;
        out.extend(places.iter().zip(&self.ends).map(|(&place, &end)| {
            let around = &self.neighbours[start as usize..end as usize];
            start = end;
            if around.is_empty() { place } else { place + moved(place, around) }
        }));
    }
}
