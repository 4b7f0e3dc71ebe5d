//! Times poses of the built-in figure and prints the table of `benches/RESULTS.md`.

#![allow(clippy::expect_used, reason = "a benchmark that cannot run has nothing else to say")]

use std::hint::black_box;
use std::time::Instant;

use glam::{DMat4, DQuat, DVec3, EulerRot};
use sinew::model::{Model, builtin, gltf};
use sinew::skinning::SkinningMode;
use sinew::skinning::pose::{Blend, ClipMix, Pose, PoseChoice};

/// How many poses are timed together, each at another time of the clip.
const POSES: u32 = 100;

const ROUNDS: usize = 2000;

/// The smallest and the median time of a pose, in microseconds.
fn micros(model: &Model, choice: &PoseChoice) -> (f64, f64) {
    let mut pose = Pose::default();
    let mut choice = choice.clone();
    let mut round = || {
        let begin = Instant::now();
        for frame in 0..POSES {
            if let PoseChoice::Clips(mix) = &mut choice {
                mix.time_secs = f64::from(frame) / f64::from(POSES);
            }
            pose.set(black_box(model), &choice);
            black_box(&pose);
        }
        begin.elapsed().as_secs_f64() * 1e6 / f64::from(POSES)
    };
    let mut times: Vec<f64> = (0..ROUNDS).map(|_| round()).collect();
    times.sort_by(f64::total_cmp);
    (times[0], times[ROUNDS / 2])
}

/// How many joints a palette has here.
const JOINTS: usize = 64;

/// The smallest and the median time of a palette's slots, in microseconds.
fn slot_micros(mode: SkinningMode, joints: &[DMat4]) -> (f64, f64) {
    let mut slots = Vec::new();
    let mut round = || {
        let begin = Instant::now();
        for _ in 0..POSES {
            mode.slots_into(black_box(joints), &mut slots);
            black_box(&slots);
        }
        begin.elapsed().as_secs_f64() * 1e6 / f64::from(POSES)
    };
    let mut times: Vec<f64> = (0..ROUNDS / 10).map(|_| round()).collect();
    times.sort_by(f64::total_cmp);
    (times[0], times[times.len() / 2])
}

/// Joints turned each in its own way, scaled alike along all axes and then each along its own.
fn joints(own_scales: bool) -> Vec<DMat4> {
    let joint = |number: u32| {
        let [x, y, z] = [1.0, 1.7, 2.9].map(|step| (f64::from(number) * step).sin());
        let turn = DQuat::from_euler(EulerRot::XYZ, x * 3.0, y, z * 3.0);
        let scale = if own_scales {
            DVec3::new(1.0 + 0.2 * x, 1.0 + 0.2 * y, 1.0 + 0.2 * z)
        } else {
            DVec3::splat(1.0 + 0.2 * x)
        };
        DMat4::from_scale_rotation_translation(scale, turn, DVec3::new(x, y, z))
    };
    (0..JOINTS as u32).map(joint).collect()
}

fn main() {
    let glb = builtin::glb("character").expect("a built-in model");
    let model = gltf::load_bytes(&glb, None).expect("a sound model");
    let clip =
        |name: &str| model.clips.iter().position(|clip| clip.name == name).expect("a clip of the model");
    let (walk, wave, idle) = (clip("walk"), clip("wave"), clip("idle"));
    let mix = |clips: &[usize], blends: &[usize]| {
        let blends = blends.iter().map(|&clip| Blend { clip, weight: 0.3 }).collect();
        PoseChoice::Clips(ClipMix { clips: clips.to_vec(), blends, ..ClipMix::default() })
    };
    println!("{} nodes, {} channels in walk\n", model.rig.len(), model.clips[walk].channels.len());
    println!("| pose | µs, smallest | median |\n|---|---:|---:|");
    for (name, choice) in [
        ("rest", PoseChoice::Rest),
        ("walk", mix(&[walk], &[])),
        ("walk, wave over it", mix(&[walk, wave], &[])),
        ("walk, 0.3 idle blended over it", mix(&[walk], &[idle])),
        ("walk and wave, 0.3 idle blended over both", mix(&[walk, wave], &[idle])),
    ] {
        let (least, median) = micros(&model, &choice);
        println!("| {name} | {least:.2} | {median:.2} |");
    }
    println!("\n| slots of {JOINTS} joints | µs, smallest | median |\n|---|---:|---:|");
    for (joints, what) in [(joints(false), "turned, scaled alike"), (joints(true), "scaled along their axes")]
    {
        for mode in SkinningMode::ALL {
            let (least, median) = slot_micros(mode, &joints);
            println!("| {mode}, {what} | {least:.2} | {median:.2} |");
        }
    }
}
