//! Work on a background thread, or on the calling thread if the system creates no other.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::thread::{self, Builder, Scope, ScopedJoinHandle};

/// Work with a result, on a background thread or done already.
pub enum Task<R> {
    /// Work on a thread.
    Runs(JoinHandle<R>),
    /// Work done by the caller, because no thread is available.
    Done(R),
}

impl<R: Send + 'static> Task<R> {
    /// Starts work on a thread, or does it at once.
    pub fn begin(work: impl FnOnce() -> R + Send + 'static) -> Self {
        let (work, again) = shared(work);
        super::spawn(work).map_or_else(|_| Self::Done(again()), Self::Runs)
    }

    /// Returns true if the work is done.
    pub fn is_done(&self) -> bool {
        match self {
            Self::Runs(thread) => thread.is_finished(),
            Self::Done(_) => true,
        }
    }

    /// Waits for the result, or the thread's panic.
    pub fn result(self) -> thread::Result<R> {
        match self {
            Self::Runs(thread) => thread.join(),
            Self::Done(result) => Ok(result),
        }
    }
}

/// Work that borrows from its surroundings, on a background thread or done already.
pub enum ScopedTask<'scope, R> {
    /// Work on a thread.
    Runs(ScopedJoinHandle<'scope, R>),
    /// Work done by the caller, because no thread is available.
    Done(R),
}

impl<'scope, R: Send + 'scope> ScopedTask<'scope, R> {
    /// Starts work on a thread, or does it at once.
    pub fn begin(scope: &'scope Scope<'scope, '_>, work: impl FnOnce() -> R + Send + 'scope) -> Self {
        let (work, again) = shared(work);
        Builder::new().spawn_scoped(scope, work).map_or_else(|_| Self::Done(again()), Self::Runs)
    }

    /// Waits for the result, or the thread's panic.
    pub fn result(self) -> thread::Result<R> {
        match self {
            Self::Runs(thread) => thread.join(),
            Self::Done(result) => Ok(result),
        }
    }
}

/// Splits work into two closures; only one runs it. A thread that is not created drops its closure.
fn shared<R, W: FnOnce() -> R + Send>(work: W) -> (impl FnOnce() -> R + Send, impl FnOnce() -> R) {
    let here = Arc::new(Mutex::new(Some(work)));
    let there = Arc::clone(&here);
    let once = |work: &Mutex<Option<W>>| {
        let work = work.lock().unwrap_or_else(PoisonError::into_inner).take();
        work.expect("either a thread does it or, without one, its maker")()
    };
    (move || once(&there), move || once(&here))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_is_done_on_a_thread_or_at_once() {
        let here = thread::current().id();
        let task = Task::begin(|| thread::current().id());
        assert_ne!(task.result().unwrap(), here);
        let (work, again) = shared(|| 7);
        drop(work);
        let task: Task<i32> = Task::Done(again());
        assert!(task.is_done() && task.result().unwrap() == 7);
        let borrowed = [1, 2];
        let sum = thread::scope(|scope| ScopedTask::begin(scope, || borrowed.iter().sum::<i32>()).result());
        assert_eq!(sum.unwrap(), 3);
    }
}
