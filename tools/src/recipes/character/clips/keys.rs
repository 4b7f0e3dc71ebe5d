//! Samples stances over time and keeps the keys that matter.

use glam::DQuat;
use sinew_model::{Channel, Clip, Interpolation, Property};

use super::super::skeleton::Skeleton;
use super::stance::{Pose, Stance, rest};

/// A key is dropped if its neighbours interpolate to its rotation within this (half the angle, radians).
const TURN_TOLERANCE: f64 = 0.0006;
/// The tolerance for positions, in metres.
const MOVE_TOLERANCE: f64 = 0.0002;

/// A clip of `stance`, sampled `rate` times a second.
pub fn record(skeleton: &Skeleton, name: &str, secs: f64, rate: f64, stance: &dyn Fn(f64) -> Stance) -> Clip {
    let count = (secs * rate).round() as usize;
    let times: Vec<f64> = (0..=count).map(|k| secs * k as f64 / count as f64).collect();
    let poses: Vec<Pose> = times.iter().map(|&t| stance(t).pose(skeleton)).collect();
    let rest = rest(skeleton);
    let mut channels = Vec::new();

    let hips = skeleton.joint("hips");
    let base = skeleton.joints[hips].at;
    let places: Vec<[f64; 4]> = poses.iter().map(|p| (base + p.hips).extend(0.0).to_array()).collect();
    let far = |a: &[f64; 4], b: &[f64; 4]| distance(a, b) > MOVE_TOLERANCE;
    if places.iter().any(|p| far(p, &base.extend(0.0).to_array())) {
        let kept = thin(&times, &places, &far);
        channels.push(channel(hips, Property::Translation, 3, &times, &places, &kept));
    }
    for (joint, &rest) in rest.iter().enumerate() {
        let mut turns: Vec<DQuat> = poses.iter().map(|p| p.local[joint].normalize()).collect();
        // Neighbouring keys on the same half of the sphere, so that blending goes the short way.
        for k in 1..turns.len() {
            if turns[k].dot(turns[k - 1]) < 0.0 {
                turns[k] = -turns[k];
            }
        }
        let turns: Vec<[f64; 4]> = turns.iter().map(|q| q.to_array()).collect();
        let far = |a: &[f64; 4], b: &[f64; 4]| distance(a, b) > TURN_TOLERANCE;
        let still = |q: &[f64; 4]| !far(q, &rest.to_array()) || !far(q, &(-rest).to_array());
        if !turns.iter().all(still) {
            let kept = thin(&times, &turns, &far);
            channels.push(channel(joint, Property::Rotation, 4, &times, &turns, &kept));
        }
    }
    // The figure's joints come after the mesh node.
    for channel in &mut channels {
        channel.node += 1;
    }
    Clip { name: name.into(), duration_secs: secs as f32, channels }
}

fn distance(a: &[f64; 4], b: &[f64; 4]) -> f64 {
    (0..4).map(|k| (a[k] - b[k]) * (a[k] - b[k])).sum::<f64>().sqrt()
}

/// Returns the needed keys: from each kept key, the furthest that a straight line still reaches within tolerance.
fn thin(times: &[f64], rows: &[[f64; 4]], far: &dyn Fn(&[f64; 4], &[f64; 4]) -> bool) -> Vec<usize> {
    let last = rows.len() - 1;
    let true_line = |from: usize, to: usize| {
        (from + 1..to).all(|k| {
            let t = (times[k] - times[from]) / (times[to] - times[from]);
            let mixed = std::array::from_fn(|c| rows[from][c] + (rows[to][c] - rows[from][c]) * t);
            !far(&mixed, &rows[k])
        })
    };
    let mut kept = vec![0];
    let mut from = 0;
    while from < last {
        let mut to = from + 1;
        while to < last && true_line(from, to + 1) {
            to += 1;
        }
        kept.push(to);
        from = to;
    }
    if (0..=last).all(|k| !far(&rows[0], &rows[k])) { vec![0] } else { kept }
}

fn channel(
    node: usize,
    property: Property,
    width: usize,
    times: &[f64],
    rows: &[[f64; 4]],
    kept: &[usize],
) -> Channel {
    Channel {
        node,
        property,
        interpolation: Interpolation::Linear,
        times: kept.iter().map(|&k| times[k] as f32).collect(),
        values: kept.iter().flat_map(|&k| rows[k][..width].iter().map(|&v| v as f32)).collect(),
    }
}
