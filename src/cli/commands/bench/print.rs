//! The figures of `sinew bench` as a table and as JSON.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::look::Samples;
use crate::render::StageTimes;
use crate::scene::Scene;
use crate::skinning::pose::PoseChoice;
use serde::Serialize;

use super::measure::Measured;

/// Everything above the runs.
#[derive(Serialize)]
pub struct Head {
    pub device: String,
    pub driver: String,
    /// Bytes read and written by copying, a second, in 10⁹.
    pub copy_gb_per_s: f64,
}

/// One mode with one number of figures in one setting.
#[derive(Serialize)]
pub struct Run {
    mode: &'static str,
    crowd: u32,
    pose: String,
    skin: &'static str,
    /// The processors that skinned, of each mode.
    skinned: BTreeMap<&'static str, Vec<&'static str>>,
    palette: &'static str,
    quality: &'static str,
    size: [u32; 2],
    msaa: u32,
    frames: u32,
    frame_ms: Spread,
    cpu_ms: Stages,
    gpu_ms: BTreeMap<String, f64>,
    vertices_per_s: f64,
    bytes_per_s: f64,
    figures: u64,
    draws: u64,
}

/// The middle and the slow end of some times.
#[derive(Clone, Copy, Serialize)]
pub struct Spread {
    pub median: f64,
    pub p95: f64,
}

impl Spread {
    /// Summarises times.
    pub fn of(times: &[f64]) -> Self {
        Self { median: share_of(times, 0.5), p95: share_of(times, 0.95) }
    }
}

/// Medians of the processor's stages, all threads together.
#[derive(Clone, Copy, Serialize)]
struct Stages {
    sample: f64,
    palette: f64,
    skin: f64,
    record: f64,
}

impl Run {
    /// Summarises the measurements.
    pub fn new(measured: &Measured, frames: u32) -> Self {
        let Measured { scene, palette, frames_ms, stages, passes, counts, skinned } = measured;
        let frame_ms = Spread::of(frames_ms);
        let stage = |of: fn(&StageTimes) -> f64| share_of(&stages.iter().map(of).collect::<Vec<_>>(), 0.5);
        let mut by_pass: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        for (pass, millis) in passes.iter().flatten() {
            by_pass.entry(pass.clone()).or_default().push(*millis);
        }
        let a_second = 1e3 / frame_ms.median.max(1e-9);
        Self {
            mode: scene.mode.name(),
            crowd: scene.crowd.map_or(1, |crowd| crowd.count),
            pose: pose(scene),
            skin: scene.skin.name(),
            skinned: skinned.names(),
            palette: palette.name(),
            quality: scene.look.quality.name(),
            size: scene.size,
            msaa: match scene.look.samples() {
                Samples::One => 1,
                Samples::Four => 4,
            },
            frames,
            frame_ms,
            cpu_ms: Stages {
                sample: stage(|times| times.sample),
                palette: stage(|times| times.palette),
                skin: stage(|times| times.skin),
                record: stage(|times| times.record),
            },
            gpu_ms: by_pass.into_iter().map(|(pass, millis)| (pass, share_of(&millis, 0.5))).collect(),
            vertices_per_s: counts.vertices as f64 * a_second,
            bytes_per_s: counts.bytes as f64 * a_second,
            figures: counts.figures,
            draws: counts.draws,
        }
    }

    /// The processors that skinned; a dash if nothing is skinned.
    fn skinned_by(&self) -> String {
        self.skinned.get(self.mode).map_or_else(|| "-".to_owned(), |names| names.join("+"))
    }
}

/// The pose as a flag names it.
fn pose(scene: &Scene) -> String {
    match &scene.pose {
        PoseChoice::Bind => "bind".to_owned(),
        PoseChoice::Rest | PoseChoice::SkinSpace(_) => "rest".to_owned(),
        PoseChoice::Clips(mix) if mix.clips.is_empty() => "rest".to_owned(),
        PoseChoice::Clips(mix) => {
            format!("clip {}", mix.clips.iter().map(usize::to_string).collect::<Vec<_>>().join("+"))
        }
    }
}

/// The smallest number that this share of all reach or stay below; 0 of none.
fn share_of(numbers: &[f64], share: f64) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let place = (sorted.len() as f64 * share).ceil() as usize;
    sorted.get(place.saturating_sub(1)).copied().unwrap_or(0.0)
}

/// Writes the names of the columns.
pub fn heading(head: &Head, out: &mut dyn Write) -> io::Result<()> {
    let Head { device, driver, copy_gb_per_s } = head;
    writeln!(out, "{device} ({driver}); this machine copies {copy_gb_per_s:.1} GB/s\n")?;
    writeln!(
        out,
        "{:<6} {:>7} {:<7} {:<10} {:>9} {:>9}   {:>8} {:>8} {:>8} {:>8}   {:>9} {:>9} {:>7} {:>6}",
        "mode",
        "figures",
        "pose",
        "skinned by",
        "frame ms",
        "p95",
        "sample",
        "palette",
        "skin",
        "record",
        "gpu ms",
        "Mvert/s",
        "draws",
        "copy %"
    )
}

/// Writes a line for each of the runs that took turns. Those in other settings follow with the ratio.
pub fn lines(runs: &[Run], against: Option<&str>, copy_gb_per_s: f64, out: &mut dyn Write) -> io::Result<()> {
    for (number, run) in runs.iter().enumerate() {
        let Run { frame_ms, cpu_ms, .. } = run;
        let gpu: f64 = run.gpu_ms.values().sum();
        let share = run.bytes_per_s / 1e7 / copy_gb_per_s.max(1e-9);
        writeln!(
            out,
            "{:<6} {:>7} {:<7} {:<10} {:>9.3} {:>9.3}   {:>8.3} {:>8.3} {:>8.3} {:>8.3}   {:>9.3} {:>9.1} {:>7} {:>6.1}",
            run.mode,
            run.crowd,
            run.pose,
            run.skinned_by(),
            frame_ms.median,
            frame_ms.p95,
            cpu_ms.sample,
            cpu_ms.palette,
            cpu_ms.skin,
            cpu_ms.record,
            gpu,
            run.vertices_per_s / 1e6,
            run.draws,
            share
        )?;
        if let (Some(first), Some(against), true) = (runs.first(), against, number > 0) {
            let ratio = frame_ms.median / first.frame_ms.median.max(1e-9);
            writeln!(out, "       {against}: {ratio:.2} times as long")?;
        }
    }
    Ok(())
}

/// The line below the table.
pub const FOOT: &str =
    "Medians. sample to record: CPU milliseconds of all threads; gpu: passes of frames drawn one by one.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_sorted_numbers() {
        let numbers: Vec<f64> = (1..=100).rev().map(f64::from).collect();
        assert_eq!([share_of(&numbers, 0.5), share_of(&numbers, 0.95)], [50.0, 95.0]);
        assert_eq!([share_of(&[7.0], 0.5), share_of(&[7.0], 0.95), share_of(&[], 0.5)], [7.0, 7.0, 0.0]);
    }
}
