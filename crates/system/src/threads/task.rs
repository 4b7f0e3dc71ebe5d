//! Work on a thread of its own; where the system makes none, it is done at once, on the thread that asked.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::thread::{self, Builder, Scope, ScopedJoinHandle};

/// Work with a result, on a thread of its own or done already.
pub enum Task<R> {
    /// A thread does it.
    Runs(JoinHandle<R>),
    /// There was no thread for it.
    Done(R),
}

impl<R: Send + 'static> Task<R> {
    /// Begins work, or does it at once.
    pub fn begin(work: impl FnOnce() -> R + Send + 'static) -> Self {
        let (work, again) = shared(work);
        super::spawn(work).map_or_else(|_| Self::Done(again()), Self::Runs)
    }

    /// Whether it is done.
    pub fn is_done(&self) -> bool {
        match self {
            Self::Runs(thread) => thread.is_finished(),
            Self::Done(_) => true,
        }
    }

    /// Waits for the result; the panic of the thread, if it did.
    pub fn result(self) -> thread::Result<R> {
        match self {
            Self::Runs(thread) => thread.join(),
            Self::Done(result) => Ok(result),
        }
    }
}

/// Work that borrows from its surroundings, on a thread of its own or done already.
pub enum ScopedTask<'scope, R> {
    /// A thread does it.
    Runs(ScopedJoinHandle<'scope, R>),
    /// There was no thread for it.
    Done(R),
}

impl<'scope, R: Send + 'scope> ScopedTask<'scope, R> {
    /// Begins work, or does it at once.
    pub fn begin(scope: &'scope Scope<'scope, '_>, work: impl FnOnce() -> R + Send + 'scope) -> Self {
        let (work, again) = shared(work);
        Builder::new().spawn_scoped(scope, work).map_or_else(|_| Self::Done(again()), Self::Runs)
    }

    /// Waits for the result; the panic of the thread, if it did.
    pub fn result(self) -> thread::Result<R> {
        match self {
            Self::Runs(thread) => thread.join(),
            Self::Done(result) => Ok(result),
        }
    }
}

/// The same work twice, of which one is done: a thread that is not made drops its own.
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
