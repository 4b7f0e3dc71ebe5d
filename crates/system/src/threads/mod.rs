//! Makes threads where the system may refuse to, and asks how many it would make. It must not know what they work on.

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

/// The most threads that `RAYON_NUM_THREADS` may ask for: more than any machine has cores, few enough to start at once.
const MAX: usize = 256;

/// Makes the threads that share long work: one for each core, or as many as `RAYON_NUM_THREADS` says, or as many as the
/// system gives. A pool that is there already stays.
///
/// # Errors
/// If the system gives none.
pub fn start_pool() -> io::Result<()> {
    let asked = std::env::var("RAYON_NUM_THREADS").ok().and_then(|count| count.parse().ok());
    let wanted = asked.filter(|count| *count > 0).unwrap_or_else(cores).min(MAX);
    // They wait for their part of a pool, the size of which has to be known before it is made.
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
    // An error says that there is a pool.
    let _ = pool.build_global();
    Ok(())
}

/// The stack that the program runs on where the system's limit is below [`ENOUGH`].
const STACK: usize = 8 << 20;

/// With a limit of at least so many bytes, the program runs on the stack that it has.
const ENOUGH: usize = 1 << 20;

/// Runs the program where it has room for its calls: a limit on the stack holds only for the first thread.
pub fn with_stack<R: Send + 'static>(program: fn() -> R) -> R {
    let is_enough = stack_limit().is_none_or(|limit| limit >= ENOUGH);
    let thread = if is_enough { None } else { Builder::new().stack_size(STACK).spawn(program).ok() };
    match thread.map(JoinHandle::join) {
        Some(Ok(result)) => result,
        Some(Err(panic)) => std::panic::resume_unwind(panic),
        None => program(),
    }
}

/// The bytes that the first thread's stack may have, where the system says it.
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

/// How many of `count` threads the system would make now.
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

/// How many threads Mesa's software driver may start: two pools of one for each core or of `LP_NUM_THREADS`, and a few
/// others.
pub fn of_software_driver() -> usize {
    const MAX: usize = 32;
    const OTHERS: usize = 4;
    let asked = std::env::var("LP_NUM_THREADS").ok().and_then(|count| count.parse::<usize>().ok());
    2 * asked.unwrap_or_else(cores).min(MAX) + OTHERS
}

/// Returns whether the system would give this much room, asked for as the stack of a thread, which takes nothing until it is
/// used. The answer is yes where the system makes no threads.
pub fn is_room(bytes: usize) -> bool {
    let is_made = |builder: Builder| builder.spawn(|| ()).is_ok_and(|thread| thread.join().is_ok());
    is_made(Builder::new().stack_size(bytes)) || !is_made(Builder::new().stack_size(1 << 16))
}

/// What work returns, unless it takes ten seconds: nobody waits for it then.
///
/// # Errors
/// If it takes longer, or there is no thread for it.
pub fn soon<R: Send + 'static>(work: impl FnOnce() -> R + Send + 'static) -> io::Result<R> {
    let (send, done) = channel();
    spawn(move || send.send(work()))?;
    done.recv_timeout(Duration::from_secs(10)).map_err(|_| io::ErrorKind::TimedOut.into())
}

/// Time without an answer after which a wait is reported.
const SLOW_TIMEOUT: Duration = Duration::from_secs(10);

/// Time between two questions.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// Asks until there is an answer, and calls `slow` once after ten seconds without one.
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

/// Opens a file, or a pipe that somebody has opened at its other end: opening any other would wait for ever. `nobody` says
/// that there is none.
///
/// # Errors
/// If it cannot be opened, or nobody comes for ten seconds.
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

/// How many threads share long work.
pub fn in_pool() -> usize {
    rayon::current_num_threads()
}

/// Starts a thread that works beside the others for long.
///
/// # Errors
/// If the system makes no more.
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
