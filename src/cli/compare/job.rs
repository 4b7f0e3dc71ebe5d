//! A comparison: what is measured, and the loop over its frames.

use std::io;
use std::sync::Arc;

use super::motions::Motion;
use crate::analysis::measure::{Frame, Plan, Summary, compare_modes};
use crate::cli::args::CompareArgs;
use crate::model::Model;
use crate::skinning::Drawn;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Everything that is compared.
pub struct Job<'a> {
    pub args: &'a CompareArgs,
    pub given: String,
    pub model: &'a Arc<Model>,
    pub drawn: Drawn,
    pub plan: Plan,
    pub motions: Vec<Motion>,
    pub diagonal_m: f64,
}

/// How many of the worst places are listed.
pub const MOST_WORST: usize = 10;

/// What happens while motions are measured.
pub enum Step<'a> {
    /// A motion begins.
    Motion(usize, &'a Motion),
    /// A frame is measured.
    Frame { frame: Frame, is_first: bool },
    /// The motion has ended.
    MotionDone,
}

impl Job<'_> {
    /// Measures every frame of every motion; `each` hears of every step.
    pub fn frames(&self, each: &mut dyn FnMut(Step, &Summary) -> io::Result<()>) -> io::Result<Summary> {
        let mut summary = Summary::default();
        let bar = bar(self.motions.iter().map(|motion| motion.times.seconds.len() as u64).sum());
        for (number, motion) in self.motions.iter().enumerate() {
            summary.start(&self.plan.modes);
            each(Step::Motion(number, motion), &summary)?;
            let mut is_first = true;
            let times = &motion.times.seconds;
            compare_modes(self.model, &self.drawn, &self.plan, &motion.choice, times, |frame| {
                summary.add(self.model, &frame);
                each(Step::Frame { frame, is_first: std::mem::take(&mut is_first) }, &summary)?;
                bar.inc(1);
                Ok::<(), io::Error>(())
            })?;
            each(Step::MotionDone, &summary)?;
        }
        bar.finish_and_clear();
        Ok(summary)
    }
}

/// A progress bar; it shows only on a terminal.
fn bar(frames: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(frames), ProgressDrawTarget::stderr());
    // If the template fails to parse, the default bar remains.
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} frames, {eta} left");
    style.map_or(bar.clone(), |style| bar.with_style(style))
}
