//! Measures this machine's memory bandwidth: the limit that skinning is compared with.

use std::time::Instant;

use rayon::prelude::*;

/// Bytes that are copied: more than caches hold.
const SIZE: usize = 128 << 20;

/// A thread's piece.
const PIECE: usize = 1 << 20;

/// The number of measurements.
const ROUNDS: u32 = 4;

/// Bytes read and written a second by all threads, in 10⁹: the best of some rounds.
pub fn gigabytes_per_second() -> f64 {
    let (from, mut to) = (vec![1u8; SIZE], vec![0u8; SIZE]);
    let mut best = 0.0f64;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let pieces = to.par_chunks_mut(PIECE).zip(from.par_chunks(PIECE));
        pieces.for_each(|(to, from)| to.copy_from_slice(from));
        best = best.max(2.0 * SIZE as f64 / start.elapsed().as_secs_f64() / 1e9);
        std::hint::black_box(&mut to);
    }
    best
}
