//! Skins arrays that `crates/python/bench.py` has written, once for each line of its standard input, and prints the seconds:
//! of laying out, and of skinning all frames by lbs.

#![allow(clippy::expect_used, reason = "a benchmark that cannot run has nothing else to say")]

use std::io::BufRead;
use std::path::Path;
use std::time::Instant;

use glam::DMat4;
use rayon::prelude::*;
use sinew_skinning::SkinningMode;
use sinew_skinning::cpu::{Out, Prepared, Settings, Source, Threads};

fn main() {
    // Cargo passes `--bench`, too.
    let folder = std::env::args().nth(1).expect("the folder of the arrays");
    let read = |name: &str| std::fs::read(Path::new(&folder).join(name)).expect("an array");
    let floats = |name: &str| -> Vec<f32> {
        read(name).as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
    };
    let joints: Vec<i32> =
        read("joints").as_chunks().0.iter().map(|bytes| i32::from_le_bytes(*bytes)).collect();
    let matrices: Vec<f64> =
        read("matrices").as_chunks().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect();
    let matrices: Vec<DMat4> =
        matrices.as_chunks().0.iter().map(|rows| DMat4::from_cols_array(rows).transpose()).collect();
    let (positions, weights) = (floats("positions"), floats("weights"));
    let source = Source {
        positions: positions.as_chunks().0,
        normals: None,
        tangents: None,
        joints: &[joints.as_chunks().0],
        weights: &[weights.as_chunks().0],
    };
    let frames: Vec<&[DMat4]> = matrices.chunks(1 + *joints.iter().max().expect("joints") as usize).collect();
    // The results are the caller's memory.
    let mut skinned = vec![0.0; frames.len() * positions.len()];
    for _ in std::io::stdin().lock().lines() {
        let start = Instant::now();
        let prepared = Prepared::new(&source).expect("spans of equal length");
        let laid = start.elapsed().as_secs_f64();
        let start = Instant::now();
        skin(&prepared, &frames, &mut skinned);
        println!("{laid} {}", start.elapsed().as_secs_f64());
    }
}

/// Skins all frames, on all cores.
fn skin(prepared: &Prepared, frames: &[&[DMat4]], out: &mut [f32]) {
    let settings = Settings { threads: Threads::Caller, ..Settings::default() };
    out.par_chunks_mut(3 * prepared.len()).zip(frames).for_each(|(positions, matrices)| {
        let mut slots = Vec::new();
        SkinningMode::Linear.slots_into(matrices, &mut slots);
        let out = Out { positions: Some(positions.as_chunks_mut().0), ..Out::default() };
        prepared.skin(SkinningMode::Linear, &slots, out, &settings).expect("as many positions");
    });
}
