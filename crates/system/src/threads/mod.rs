//! Creates threads, which the system may refuse, and counts how many it would create. The module must not depend on
//! their work.

#![allow(clippy::disallowed_methods, reason = "threads are made here")]

use std::fs::File;
use std::io;
use std::num::NonZero;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, Builder, JoinHandle};
use std::time::{Duration, Instant};

use rayon::{ThreadBuilder, ThreadPoolBuilder};

mod task;

pub use task::{ScopedTask, Task};

/// Maximum for `RAYON_NUM_THREADS`: more than any machine has cores, and few enough to start at once.
const MAX: usize = 256;

/// Creates the thread pool for long work: one thread per core, or `RAYON_NUM_THREADS`, or as many as the system allows.
/// An existing pool stays.
///
/// # Errors
/// If the system allows no thread.
pub fn start_pool() -> io::Result<()> {
    let asked = std::env::var("RAYON_NUM_THREADS").ok().and_then(|count| count.parse().ok());
    let wanted = asked.filter(|count| *count > 0).unwrap_or_else(cores).min(MAX);
    // The threads wait for their part of the pool, because the pool's size must be known before it is created.
    let mut waiting = Vec::with_capacity(wanted);
    let mut refused = None;
    while waiting.len() < wanted && refused.is_none() {
        let (hand, part) = channel::<ThreadBuilder>();
        match spawn(move || part.recv().map(ThreadBuilder::run)) {
            Ok(_) => waiting.push(hand),
            Err(error) => refused = Some(error),
        }
    }
    if let (true, Some(error)) = (waiting.is_empty(), refused) {
        return Err(error);
    }
    let pool = ThreadPoolBuilder::new().num_threads(waiting.len()).spawn_handler(|part| {
        let hand = waiting.pop().ok_or(io::ErrorKind::WouldBlock)?;
        hand.send(part).map_err(|_| io::ErrorKind::BrokenPipe.into())
    });
    // An error means that a pool exists.
    let _ = pool.build_global();
    Ok(())
}

/// Stack size for the program if the system's limit is below [`MIN_STACK_BYTES`].
const STACK: usize = 8 << 20;

/// Stack limit from which the program runs on the stack that it has.
const MIN_STACK_BYTES: usize = 1 << 20;

/// Runs the program with enough stack: a limit on the stack holds only for the first thread.
pub fn with_stack<R: Send + 'static>(program: fn() -> R) -> R {
    let is_enough = stack_limit().is_none_or(|limit| limit >= MIN_STACK_BYTES);
    let thread = if is_enough { None } else { Builder::new().stack_size(STACK).spawn(program).ok() };
    match thread.map(JoinHandle::join) {
        Some(Ok(result)) => result,
        Some(Err(panic)) => std::panic::resume_unwind(panic),
        None => program(),
    }
}

/// Returns the limit on the first thread's stack in bytes, if the system reports it.
fn stack_limit() -> Option<usize> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    limits
        .lines()
        .find_map(|line| line.strip_prefix("Max stack size"))?
        .split_whitespace()
        .next()?
        .parse()
        .ok()
}

/// Returns the number of threads, up to `count`, that the system would create now.
pub fn possible(count: usize) -> usize {
    let mut made = Vec::with_capacity(count);
    while made.len() < count {
        let (end, ended): (_, Receiver<()>) = channel();
        match spawn(move || ended.recv()) {
            Ok(thread) => made.push((end, thread)),
            Err(_) => break,
        }
    }
    let possible = made.len();
    for (end, thread) in made {
        drop(end);
        let _ = thread.join();
    }
    possible
}

/// Returns the number of threads that Mesa's software driver may start: two pools with a thread per core, or of
/// `LP_NUM_THREADS`, and a few others.
pub fn of_software_driver() -> usize {
    const MAX: usize = 32;
    const OTHERS: usize = 4;
    let asked = std::env::var("LP_NUM_THREADS").ok().and_then(|count| count.parse::<usize>().ok());
    2 * asked.unwrap_or_else(cores).min(MAX) + OTHERS
}

/// Returns true if the system would give this much address space, requested as a thread's stack, which takes no memory
/// until it is used. The result is also true if the system creates no threads.
pub fn is_room(bytes: usize) -> bool {
    let is_made = |builder: Builder| builder.spawn(|| ()).is_ok_and(|thread| thread.join().is_ok());
    is_made(Builder::new().stack_size(bytes)) || !is_made(Builder::new().stack_size(1 << 16))
}

/// Returns the result of `work`, unless it takes ten seconds; the thread is abandoned then.
///
/// # Errors
/// If it takes longer, or no thread is available.
pub fn soon<R: Send + 'static>(work: impl FnOnce() -> R + Send + 'static) -> io::Result<R> {
    let (send, done) = channel();
    spawn(move || send.send(work()))?;
    done.recv_timeout(Duration::from_secs(10)).map_err(|_| io::ErrorKind::TimedOut.into())
}

/// Time without an answer after which a wait is reported.
const SLOW_TIMEOUT: Duration = Duration::from_secs(10);

/// Time between two polls.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// Polls until there is an answer, and calls `slow` once after ten seconds without one.
pub fn poll<R>(mut ask: impl FnMut() -> Option<R>, slow: impl FnOnce()) -> R {
    let start = Instant::now();
    let mut slow = Some(slow);
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        if start.elapsed() > SLOW_TIMEOUT
            && let Some(slow) = slow.take()
        {
            slow();
        }
        thread::sleep(POLL_INTERVAL);
    }
}

/// Opens a file, or a pipe that another process has opened at its other end: opening any other pipe would wait for
/// ever. The last argument is the error message for such a pipe.
///
/// # Errors
/// If it cannot be opened, or its other end stays closed for ten seconds.
pub fn open_soon(path: &Path, open: fn(&Path) -> io::Result<File>, nobody: &str) -> io::Result<File> {
    if !is_pipe(path)? {
        return open(path);
    }
    let pipe = path.to_path_buf();
    match soon(move || open(&pipe)) {
        Err(error) if error.kind() == io::ErrorKind::TimedOut => Err(io::Error::other(nobody)),
        opened => opened?,
    }
}

#[cfg(unix)]
fn is_pipe(path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::FileTypeExt;
    Ok(std::fs::metadata(path)?.file_type().is_fifo())
}

#[cfg(not(unix))]
fn is_pipe(_: &Path) -> io::Result<bool> {
    Ok(false)
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Returns the number of threads in the pool.
pub fn in_pool() -> usize {
    rayon::current_num_threads()
}

/// Starts a long-running background thread.
///
/// # Errors
/// If the system creates no more threads.
pub fn spawn<R: Send + 'static>(work: impl FnOnce() -> R + Send + 'static) -> io::Result<JoinHandle<R>> {
    Builder::new().spawn(work)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn possible_threads_are_counted_and_ended() {
        assert_eq!((possible(0), possible(9)), (0, 9));
    }
}
