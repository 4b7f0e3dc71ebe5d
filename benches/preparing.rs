//! Times how long meshes take to lay out for the fast path, counts what the layout holds and needs at most, and prints the
//! table of `benches/RESULTS.md`.

#![allow(clippy::expect_used, reason = "a benchmark that cannot run has nothing else to say")]

mod counting;

use std::hint::black_box;
use std::sync::atomic::Ordering;
use std::time::Instant;

#[allow(dead_code, reason = "the benchmark of skinning needs the rest")]
#[path = "skinning/workload.rs"]
mod workload;

use sinew::skinning::cpu::{Prepared, Source};
use workload::{Joints, Parts, Workload};

use counting::{PEAK, USED};

const ROUNDS: usize = 5;

/// Milliseconds, bytes held and bytes at most.
fn measure(source: &Source<'_>) -> (f64, usize, usize) {
    let before = USED.load(Ordering::Relaxed);
    let (mut least, mut held, mut most) = (f64::INFINITY, 0, 0);
    for _ in 0..ROUNDS {
        PEAK.store(before, Ordering::Relaxed);
        let start = Instant::now();
        let prepared = black_box(Prepared::new(source)).expect("spans of equal length");
        least = least.min(start.elapsed().as_secs_f64() * 1e3);
        held = USED.load(Ordering::Relaxed) - before;
        most = PEAK.load(Ordering::Relaxed) - before;
        drop(prepared);
    }
    (least, held, most)
}

fn main() {
    println!("| 4 influences | ms, smallest | bytes a vertex held | at most |\n|---|---:|---:|---:|");
    for (vertices, name) in [(10_000, "10k"), (2_000_000, "2M")] {
        for joints in Joints::ALL {
            for parts in [Parts(1), Parts(3)] {
                let workload = Workload::new(vertices, 4, joints);
                let (least, held, most) = workload.with_source(parts, measure);
                let [held, most] = [held, most].map(|bytes| bytes / vertices);
                println!("| {name}, {joints}, {parts} | {least:.1} | {held} | {most} |");
            }
        }
    }
}
