//! The stretch of edges: percentiles of their lengths relative to those in the bind pose.

use glam::DVec3;
use sinew_skinning::wide::{self, Work};

use super::frame::Stretch;
use crate::triangles::Surface;

/// An edge that has a length in the bind pose.
pub struct Rod {
    points: [u32; 2],
    /// One divided by the square of its length in the bind pose.
    inverse: f64,
}

/// Returns the edges to measure: each edge once, without those of length 0.
pub fn rods(surface: &Surface, bind: &[DVec3]) -> Vec<Rod> {
    let rod = |points: [u32; 2]| {
        let [a, b] = points.map(|point| bind[point as usize]);
        Rod { points, inverse: a.distance_squared(b).recip() }
    };
    let rods = surface.edges.iter().map(|edge| rod(edge.points));
    rods.filter(|rod| rod.inverse.is_normal()).collect()
}

/// Measures all edges; skips those without a finite length. `squares` is reused memory.
pub fn stretch(rods: &[Rod], points: &[DVec3], squares: &mut Vec<u64>) -> Option<Stretch> {
    squares.clear();
    let mut block = Block { ends: [[[0.0; LANES]; 3]; 2], inverses: [0.0; LANES], squares: [0.0; LANES] };
    for rods in rods.chunks(LANES) {
        for (lane, rod) in rods.iter().enumerate() {
            let lane = lane % LANES;
            for (of, point) in block.ends.iter_mut().zip(rod.points) {
                let place = points[point as usize];
                (of[0][lane], of[1][lane], of[2][lane]) = (place.x, place.y, place.z);
            }
            block.inverses[lane] = rod.inverse;
        }
        wide::run(&mut block);
        // Non-negative floats have the order of their bits, and of their squares.
        let finite = block.squares[..rods.len()].iter().filter(|square| square.is_finite());
        squares.extend(finite.map(|square| square.to_bits()));
    }
    let [p1, p50, p99] = percentiles(squares)?.map(|bits| f64::from_bits(bits).sqrt());
    Some(Stretch { p1, p50, p99 })
}

/// The number of edges that are measured at once.
const LANES: usize = 64;

/// Some edges in a pose.
struct Block {
    ends: [[[f64; LANES]; 3]; 2],
    inverses: [f64; LANES],
    squares: [f64; LANES],
}

impl Work for &mut Block {
    #[inline(always)]
    fn work(self) {
        let Block { ends: [a, b], inverses, squares } = self;
        for (lane, (square, inverse)) in squares.iter_mut().zip(inverses).enumerate() {
            let end = |of: &[[f64; LANES]; 3]| DVec3::new(of[0][lane], of[1][lane], of[2][lane]);
            *square = end(a).distance_squared(end(b)) * *inverse;
        }
    }
}

/// Returns the 1st, 50th and 99th percentile by nearest rank: the smallest number that this percentage does not exceed.
fn percentiles(numbers: &mut [u64]) -> Option<[u64; 3]> {
    let last = numbers.len().checked_sub(1)?;
    let [low, middle, high] = [1, 50, 99].map(|percent| (numbers.len() * percent).div_ceil(100) - 1);
    let (below, &mut p50, above) = numbers.select_nth_unstable(middle);
    let p1 = if low < middle { *below.select_nth_unstable(low).1 } else { p50 };
    let p99 = if high.min(last) > middle { *above.select_nth_unstable(high - middle - 1).1 } else { p50 };
    Some([p1, p50, p99])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_nearest_ranks() {
        for count in 1..250u64 {
            let sorted: Vec<u64> = (0..count).map(|number| number * number).collect();
            let mut mixed: Vec<u64> = (0..count).map(|number| (number * 7919 % count).pow(2)).collect();
            mixed.sort_by_key(|number| number % 13);
            let expected = [1, 50, 99].map(|percent| {
                let enough = |rank: &u64| 100 * rank >= percent * count;
                sorted[(1..=count).find(enough).unwrap() as usize - 1]
            });
            // 7919 is prime, so all numbers occur.
            assert_eq!(percentiles(&mut mixed), Some(expected), "{count}");
        }
        assert_eq!(percentiles(&mut []), None);
    }
}
