//! Says on a terminal what is waited for, once that takes a while.

use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Nothing is said about what takes less.
const A_WHILE: Duration = Duration::from_millis(500);

/// Work that is under way until this is dropped.
pub struct Waiting {
    /// Closes when the work is done.
    done: Option<Sender<()>>,
    teller: Option<JoinHandle<()>>,
}

impl Waiting {
    /// Begins work, as in "reading fox.glb".
    pub fn begin(text: String) -> Self {
        match std::io::stderr().is_terminal() {
            true => Self::after(A_WHILE, move || {
                let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
                // If the template fails to parse, the default bar remains.
                let style = ProgressStyle::with_template("{msg} …");
                let bar = style.map_or(bar.clone(), |style| bar.with_style(style)).with_message(text);
                bar.tick();
                bar
            }),
            false => Self { done: None, teller: None },
        }
    }

    /// Calls `tell` after some time, and drops what it returns when the work is done.
    fn after<T: Finish>(time: Duration, tell: impl FnOnce() -> T + Send + 'static) -> Self {
        let (done, is_done) = channel::<()>();
        let teller = thread::spawn(move || {
            if is_done.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                let told = tell();
                // Returns when the other end is dropped.
                let _ = is_done.recv();
                told.finish();
            }
        });
        Self { done: Some(done), teller: Some(teller) }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        drop(self.done.take());
        if let Some(teller) = self.teller.take() {
            // What it says is no part of the work.
            let _ = teller.join();
        }
    }
}

/// What is on the screen until the work is done.
trait Finish {
    fn finish(self);
}

impl Finish for ProgressBar {
    fn finish(self) {
        self.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    struct Told(Arc<Mutex<Vec<&'static str>>>);

    impl Finish for Told {
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
            thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(*said.lock().unwrap(), ["told"]);
        drop(long);
        assert_eq!(*said.lock().unwrap(), ["told", "cleared"]);
    }
}
