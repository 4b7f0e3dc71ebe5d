//! Repeats work on the GPU until its times are known.

use std::time::Instant;

use crate::render::kernels::{MAX_AT_ONCE, Times};
use crate::vulkan::VulkanError;

/// Seconds of the warm-up: for the first work of a device, whose clock is low, and for later work.
const WARM_SECS: [f64; 2] = [0.5, 0.1];

/// The minimum number of runs in the warm-up, and of measured runs.
const MIN_RUNS: [u32; 2] = [2, 5];

/// Seconds after which the minimum number of measured runs is enough.
const ENOUGH_SECS: f64 = 2.0;

/// The longest submission in seconds, unless one run takes longer.
const SUBMISSION_SECS: f64 = 0.2;

/// Measures runs, up to `most`, after a warm-up. `run` makes some at once.
pub fn runs(
    most: u32,
    is_first: bool,
    mut run: impl FnMut(u32) -> Result<Times, VulkanError>,
) -> Result<Times, VulkanError> {
    let start = Instant::now();
    let warm_secs = if is_first { WARM_SECS[0] } else { WARM_SECS[1] };
    let (mut warm, mut is_by_gpu) = (0, true);
    while warm < MIN_RUNS[0] || start.elapsed().as_secs_f64() < warm_secs {
        is_by_gpu = run(1)?.is_by_gpu;
        warm += 1;
    }
    let each_secs = start.elapsed().as_secs_f64() / f64::from(warm);
    // The host's clock sees submissions, not the runs in one.
    let most_at_once = if is_by_gpu { f64::from(MAX_AT_ONCE) } else { 1.0 };
    let at_once = (SUBMISSION_SECS / each_secs.max(1e-9)).clamp(1.0, most_at_once) as u32;
    let start = Instant::now();
    let mut all = Times { millis: Vec::new(), is_by_gpu: true };
    while (all.millis.len() as u32) < most {
        let left = most - all.millis.len() as u32;
        let has_enough = all.millis.len() as u32 >= MIN_RUNS[1];
        if has_enough && start.elapsed().as_secs_f64() > ENOUGH_SECS {
            break;
        }
        let Times { millis, is_by_gpu } = run(left.min(at_once))?;
        all.millis.extend(millis);
        all.is_by_gpu &= is_by_gpu;
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_runs_are_measured_as_were_asked_for() {
        for most in [1, 3, 60] {
            let mut made = 0;
            let run = |times: u32| {
                made += times;
                Ok(Times { millis: vec![1.0; times as usize], is_by_gpu: made < 40 })
            };
            let times = runs(most, false, run).unwrap();
            assert_eq!(times.millis.len(), most as usize);
            assert!(made >= most + MIN_RUNS[0]);
        }
    }
}
