//! Shows the current work on a terminal, once it takes a while.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::cli::terminal::print::plain;
use crate::threads;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The delay before a message appears.
const A_WHILE: Duration = Duration::from_millis(500);

/// The interval between progress updates.
const UPDATE_INTERVAL: Duration = Duration::from_millis(100);

/// Work that is under way until this is dropped.
pub struct Waiting {
    /// Closes when the work is done.
    done: Option<Sender<()>>,
    /// The progress in percent; 0 if unknown.
    percent: Arc<AtomicU32>,
    teller: Option<JoinHandle<()>>,
}

impl Waiting {
    /// Begins work, as in "reading fox.glb". The text stays one line for any file name.
    pub fn begin(text: &str) -> Self {
        let text = plain(text);
        match std::io::stderr().is_terminal() {
            true => Self::after(A_WHILE, move || {
                let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
                // If the template fails to parse, the default bar remains.
                let style = ProgressStyle::with_template("{msg}");
                let bar = style.map_or(bar.clone(), |style| bar.with_style(style));
                Line { text, bar }
            }),
            false => Self { done: None, percent: Arc::default(), teller: None },
        }
    }

    /// Returns the counter for the progress in percent.
    pub fn done(&self) -> Arc<AtomicU32> {
        Arc::clone(&self.percent)
    }

    /// Calls `tell` after some time, reports the progress to the result, and finishes that when the work is done.
    fn after<T: Tell>(time: Duration, tell: impl FnOnce() -> T + Send + 'static) -> Self {
        let (done, is_done) = channel::<()>();
        let percent = Arc::new(AtomicU32::new(0));
        let so_far = Arc::clone(&percent);
        let teller = threads::spawn(move || {
            let goes_on = |time| is_done.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
            if goes_on(time) {
                let told = tell();
                told.tell(so_far.load(Ordering::Relaxed));
                while goes_on(UPDATE_INTERVAL) {
                    told.tell(so_far.load(Ordering::Relaxed));
                }
                told.finish();
            }
        });
        // Without a thread, no message appears.
        Self { done: Some(done), percent, teller: teller.ok() }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        drop(self.done.take());
        if let Some(teller) = self.teller.take() {
            // The messages are no part of the work.
            let _ = teller.join();
        }
    }
}

/// The message on the screen until the work is done.
trait Tell {
    fn tell(&self, percent: u32);
    fn finish(self);
}

struct Line {
    text: String,
    bar: ProgressBar,
}

impl Tell for Line {
    fn tell(&self, percent: u32) {
        self.bar.set_message(match percent {
            0 => format!("{} …", self.text),
            percent => format!("{} … {percent} %", self.text),
        });
        self.bar.tick();
    }

    fn finish(self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    struct Told(Arc<Mutex<Vec<&'static str>>>);

    impl Tell for Told {
        fn tell(&self, percent: u32) {
            if percent == 7 {
                self.0.lock().unwrap().push("7 %");
            }
        }

        fn finish(self) {
            self.0.lock().unwrap().push("cleared");
        }
    }

    #[test]
    fn only_long_work_is_told_and_it_is_cleared() {
        let said = Arc::new(Mutex::new(Vec::new()));
        let begin = |time| {
            let said = Arc::clone(&said);
            Waiting::after(time, move || {
                said.lock().unwrap().push("told");
                Told(said)
            })
        };
        drop(begin(Duration::from_secs(60)));
        assert_eq!(*said.lock().unwrap(), [""; 0]);
        let long = begin(Duration::ZERO);
        while said.lock().unwrap().is_empty() {
            std::thread::sleep(Duration::from_millis(1));
        }
        long.done().store(7, Ordering::Relaxed);
        while said.lock().unwrap().len() < 2 {
            std::thread::sleep(Duration::from_millis(1));
        }
        drop(long);
        let said = said.lock().unwrap();
        assert_eq!((&said[..2], said.last()), (&["told", "7 %"][..], Some(&"cleared")));
    }
}
