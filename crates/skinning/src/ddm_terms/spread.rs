//! Smooths what is known at a few points over the surface around them.

use super::filter::Filter;
use super::surface::Surface;
use crate::vectors::{Level, Task};

/// The part of a surface that a filter reaches from some points, ring by ring.
#[derive(Default)]
pub struct Region {
    /// The points, the first ring first.
    pub points: Vec<u32>,
    /// The number of points up to each ring.
    rings: Vec<usize>,
    /// The end of each point's neighbours.
    ends: Vec<u32>,
    /// Neighbours by their number in this region, with their shares.
    neighbours: Vec<(u32, f64)>,
    /// The number of each point of the surface; [`ABSENT`] where it is not in the region.
    numbers: Vec<u32>,
}

const ABSENT: u32 = u32::MAX;

impl Region {
    /// Gathers the points at most this many edges away from the first ones.
    pub fn gather(&mut self, surface: &Surface, first: impl Iterator<Item = u32>, reach: usize) {
        for &point in &self.points {
            self.numbers[point as usize] = ABSENT;
        }
        self.numbers.resize(surface.points.len(), ABSENT);
        self.points.clear();
        self.rings.clear();
        first.for_each(|point| self.add(point));
        let mut start = 0;
        for _ in 0..=reach {
            let end = self.points.len();
            self.rings.push(end);
            for number in start..end {
                surface.around(self.points[number]).iter().for_each(|&(point, _)| self.add(point));
            }
            if end == self.points.len() {
                break;
            }
            start = end;
        }
        let reached = *self.rings.last().expect("one ring at least");
        self.points.drain(reached..).for_each(|point| self.numbers[point as usize] = ABSENT);
        self.ends.clear();
        self.neighbours.clear();
        for &point in &self.points {
            let own = surface.around(point).iter();
            let inside = own.map(|&(point, share)| (self.numbers[point as usize], share));
            self.neighbours.extend(inside.filter(|&(number, _)| number != ABSENT));
            self.ends.push(self.neighbours.len() as u32);
        }
    }

    fn add(&mut self, point: u32) {
        let number = &mut self.numbers[point as usize];
        if *number == ABSENT {
            *number = self.points.len() as u32;
            self.points.push(point);
        }
    }

    /// The number of points that are not zero after so many steps.
    fn reached(&self, steps: usize) -> usize {
        self.rings.get(steps).copied().unwrap_or(self.points.len())
    }
}

/// Values at a region's points: the terms of a Chebyshev series, and their sums.
#[derive(Default)]
pub struct Values<const N: usize> {
    now: Vec<[f64; N]>,
    last: Vec<[f64; N]>,
    /// The smoothed values.
    pub smooth: Vec<[f64; N]>,
    /// The last of them, smoothed by the second filter.
    pub other: Vec<f64>,
}

impl<const N: usize> Values<N> {
    /// Smooths the values of the region's first points by one filter, and the last column by a second.
    pub fn spread(
        &mut self,
        region: &Region,
        top: f64,
        [filter, second]: [&Filter; 2],
        first: impl Iterator<Item = [f64; N]>,
    ) {
        for values in [&mut self.now, &mut self.last, &mut self.smooth] {
            values.clear();
        }
        self.now.extend(first);
        for values in [&mut self.now, &mut self.last, &mut self.smooth] {
            values.resize(region.points.len(), [0.0; N]);
        }
        self.other.clear();
        self.other.resize(region.points.len(), 0.0);
        Level::Best.run(Steps { region, top, filter, second, values: self });
    }
}

struct Steps<'a, const N: usize> {
    region: &'a Region,
    top: f64,
    filter: &'a Filter,
    second: &'a Filter,
    values: &'a mut Values<N>,
}

impl<S, const N: usize> Task<S> for Steps<'_, N> {
    #[inline(always)]
    fn run(self, _simd: S) {
        let Self { region, top, filter, second, values } = self;
        let term = |filter: &Filter, number: usize| filter.terms.get(number).copied().unwrap_or(0.0);
        let [first, second_first] = [filter, second].map(|filter| term(filter, 0));
        for ((smooth, other), now) in values.smooth.iter_mut().zip(&mut values.other).zip(&values.now) {
            for (sum, value) in smooth.iter_mut().zip(now) {
                *sum = first * value;
            }
            *other = second_first * now[N - 1];
        }
        for step in 1..filter.terms.len().max(second.terms.len()) {
            let [term, second_term] = [filter, second].map(|filter| term(filter, step));
            // T1 = t, then T(k+1) = 2 t T(k) - T(k-1), with t = 2 L / top - 1.
            let (twice, before) = if step == 1 { (1.0, 0.0) } else { (2.0, 1.0) };
            let mut start = 0;
            for number in 0..region.reached(step) {
                let end = region.ends[number] as usize;
                let mut around = [0.0; N];
                let own = &region.neighbours[start..end];
                start = end;
                for &(neighbour, share) in own {
                    let value = &values.now[neighbour as usize];
                    for column in 0..N {
                        around[column] += share * value[column];
                    }
                }
                let connected = if own.is_empty() { 0.0 } else { 1.0 };
                let now = &values.now[number];
                let last = &mut values.last[number];
                let smooth = &mut values.smooth[number];
                for column in 0..N {
                    let moved = (connected * now[column] - around[column]) * (2.0 / top) - now[column];
                    last[column] = twice * moved - before * last[column];
                    smooth[column] += term * last[column];
                }
                values.other[number] += second_term * last[N - 1];
            }
            std::mem::swap(&mut values.now, &mut values.last);
        }
    }
}
