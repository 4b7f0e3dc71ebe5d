//! Signals that end a run: a window closes in order, everything else removes unfinished files and dies of the signal,
//! as shells expect. Files that grow too large become errors of writing.

use std::process::ExitStatus;
#[cfg(unix)]
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(unix)]
use std::sync::{Mutex, PoisonError};
#[cfg(unix)]
use std::time::Duration;

/// True since the first signal.
#[cfg(unix)]
static ENDS: AtomicBool = AtomicBool::new(false);

/// The longest time until a signal to several processes has reached each.
#[cfg(unix)]
const GRACE: Duration = Duration::from_millis(300);

/// The callback that closes the window in order.
#[cfg(unix)]
static TOLD: Mutex<Option<Box<dyn Fn() + Send>>> = Mutex::new(None);

/// Has `close` called at the first signal, in place of ending the run.
#[cfg(all(unix, feature = "window"))]
pub fn tell(close: impl Fn() + Send + 'static) {
    *TOLD.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(close));
}

/// Elsewhere the system ends the program at once.
#[cfg(all(not(unix), feature = "window"))]
pub fn tell(_: impl Fn() + Send + 'static) {}

/// Begins to listen.
#[cfg(unix)]
pub fn listen() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;

    // The system's own handler would end the program; with any other, the write fails.
    let too_large = signal_hook::flag::register(SIGXFSZ, std::sync::Arc::default());
    let ignored = ignored();
    // `nohup` and shells' background jobs have some ignored, and mean it.
    let heard = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let listener = Signals::new(heard)
        .and_then(|mut signals| crate::threads::spawn(move || signals.forever().for_each(end)));
    if let Err(error) = too_large.and(listener) {
        tracing::debug!("signals end the program at once: {error}");
    }
}

/// Elsewhere the system ends the program at once.
#[cfg(not(unix))]
pub fn listen() {}

#[cfg(unix)]
fn end(signal: i32) {
    ENDS.store(true, Ordering::Relaxed);
    // The next signal finds no callback.
    if let Some(close) = TOLD.lock().unwrap_or_else(PoisonError::into_inner).take() {
        return close();
    }
    crate::output::remove_unfinished(crate::image::end_encoders);
    // Never returns: each of these ends a program that does not listen.
    let _ = signal_hook::low_level::emulate_default_handler(signal);
}

/// After a process that such a signal ended, waits for it to end this one, too: a terminal sends it to both. Returns soon if it was
/// for the process alone.
#[cfg(unix)]
pub fn wait_for_own(ended: ExitStatus) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use std::os::unix::process::ExitStatusExt;

    if ended.signal().is_some_and(|signal| [SIGHUP, SIGINT, SIGTERM].contains(&signal)) {
        std::thread::sleep(GRACE);
        while ENDS.load(Ordering::Relaxed) {
            std::thread::sleep(GRACE);
        }
    }
}

/// Elsewhere the system ends the program at once.
#[cfg(not(unix))]
pub fn wait_for_own(_: ExitStatus) {}

/// Returns a bit mask of the signals that this process was started to ignore; 0 if the system does not list them.
#[cfg(unix)]
fn ignored() -> u64 {
    #[allow(clippy::disallowed_methods, reason = "a system file, not an input")]
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
