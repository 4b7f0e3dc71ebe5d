//! Progress bars on a terminal, with an estimate once one can be made.

use std::fmt;
use std::time::{Duration, Instant};

use indicatif::style::ProgressTracker;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle, WeakProgressBar};

use crate::cli::terminal::print::say;
use crate::threads;

/// The minimum number of items after the first that make an estimate.
const MIN_ITEMS: u64 = 2;

/// The minimum time after the first item that makes an estimate.
const MIN_TIME: Duration = Duration::from_secs(1);

/// The environment variable with which another program reads progress: bars print their share as lines.
const LINES: &str = "SINEW_PROGRESS";

/// Interval between the lines.
const LINE_INTERVAL: Duration = Duration::from_millis(100);

/// Makes a bar that counts items, such as "frames". It shows only on a terminal.
pub fn bar(count: u64, items: &str) -> ProgressBar {
    let bar = with_template(count, &format!("{{bar:40}} {{pos}}/{{len}} {items}{{left}}"));
    if std::env::var_os(LINES).is_some() {
        print_shares(bar.downgrade());
    }
    bar
}

/// Prints the finished share, such as `progress: 0.25`, whenever it has grown, until the bar is dropped.
fn print_shares(bar: WeakProgressBar) {
    let work = move || {
        let mut printed = 0.0;
        while let Some(bar) = bar.upgrade() {
            let share = bar.position() as f64 / bar.length().unwrap_or_default().max(1) as f64;
            drop(bar);
            if share > printed {
                say(&format!("progress: {share:.4}"));
                printed = share;
            }
            std::thread::sleep(LINE_INTERVAL);
        }
    };
    // Without a thread, no lines appear.
    let _ = threads::spawn(work);
}

/// Makes a bar that shows a share of the work in percent, in a thousand steps.
pub fn share_bar(work: &str) -> ProgressBar {
    with_template(1000, &format!("{{bar:40}} {{percent}} % of {work}{{left}}"))
}

fn with_template(count: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(count), ProgressDrawTarget::stderr());
    // If the template fails to parse, the default bar remains.
    let style = ProgressStyle::with_template(template).map(|style| style.with_key("left", Left::default()));
    style.map_or(bar.clone(), |style| bar.with_style(style))
}

/// The time that is left. It is measured from the first item on, which also pays for what all items need: the compilation of
/// pipelines, or the search for neighbours.
#[derive(Clone, Default)]
struct Left {
    first: Option<(Instant, u64)>,
    left: Option<Duration>,
}

impl Left {
    /// Records the number of finished items.
    fn note(&mut self, done: u64, of: u64, now: Instant) {
        let Some((since, first)) = self.first.filter(|(_, first)| *first <= done) else {
            self.first = (done > 0).then_some((now, done));
            self.left = None;
            return;
        };
        let (time, items) = (now.saturating_duration_since(since), done - first);
        if items >= MIN_ITEMS && time >= MIN_TIME {
            let secs = time.as_secs_f64() / items as f64 * of.saturating_sub(done) as f64;
            self.left = Duration::try_from_secs_f64(secs).ok();
        }
    }
}

impl ProgressTracker for Left {
    fn clone_box(&self) -> Box<dyn ProgressTracker> {
        Box::new(self.clone())
    }

    fn tick(&mut self, state: &ProgressState, now: Instant) {
        self.note(state.pos(), state.len().unwrap_or_default(), now);
    }

    fn reset(&mut self, _: &ProgressState, _: Instant) {
        *self = Self::default();
    }

    fn write(&self, _: &ProgressState, out: &mut dyn fmt::Write) {
        if let Some(left) = self.left {
            // What cannot be written is not shown.
            let _ = write!(out, ", {} left", words(left));
        }
    }
}

/// Writes a time: `8 s`, `3 min`, `1 h 5 min`.
fn words(time: Duration) -> String {
    let secs = time.as_secs_f64().round() as u64;
    match secs {
        0..100 => format!("{secs} s"),
        100..3600 => format!("{} min", (secs + 30) / 60),
        _ => format!("{} h {} min", secs / 3600, secs % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A first item that takes 25 s, then items of a fifth of a second: every estimate is within a factor of two.
    #[test]
    fn a_slow_first_item_is_not_taken_for_all() {
        let (start, of) = (Instant::now(), 600_u64);
        let mut left = Left::default();
        let time = |done: u64| Duration::from_millis(25_000 + 200 * (done - 1));
        left.note(0, of, start);
        for done in 1..=of {
            left.note(done, of, start + time(done));
            let actual = time(of) - time(done);
            match left.left {
                Some(shown) => assert!(shown <= actual * 2 && actual <= shown * 2, "{done}: {shown:?}"),
                None => assert!(done < 8, "{done}: no estimate"),
            }
        }
    }

    /// Threads that finish together bring items in bursts.
    #[test]
    fn nothing_is_said_before_enough_is_measured() {
        let (start, mut left) = (Instant::now(), Left::default());
        left.note(1, 100, start);
        left.note(8, 100, start + Duration::from_millis(1));
        assert_eq!(left.left, None);
        left.note(9, 100, start + Duration::from_secs(1));
        assert!(left.left.is_some());
        // A bar that begins again measures again.
        left.note(0, 100, start + Duration::from_secs(2));
        assert_eq!(left.left, None);
    }

    #[test]
    fn times_are_short() {
        let shown = [0.4, 8.0, 99.0, 100.0, 3599.0, 3900.0].map(|secs| words(Duration::from_secs_f64(secs)));
        assert_eq!(shown, ["0 s", "8 s", "99 s", "2 min", "60 min", "1 h 5 min"]);
    }
}
