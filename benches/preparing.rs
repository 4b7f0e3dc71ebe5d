//! Times how long meshes take to lay out for the fast path, counts what the layout holds and needs at most, and prints the
//! table of `docs/performance.md`.

#![allow(unsafe_code, reason = "an allocator is an unsafe trait; this one hands on to the system's")]
#![allow(clippy::expect_used, reason = "a benchmark that cannot run has nothing else to say")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

#[allow(dead_code, reason = "the benchmark of skinning needs the rest")]
#[path = "skinning/workload.rs"]
mod workload;

use sinew::skinning::cpu::{Prepared, Source};
use workload::{Joints, Parts, Workload};

const ROUNDS: usize = 5;

/// Bytes in use, and the most since [`PEAK`] was last set.
static USED: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

struct Counting;

// SAFETY: the system's allocator does all the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let used = USED.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(used, Ordering::Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        USED.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

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
