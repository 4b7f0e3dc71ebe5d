//! Long work: it leaves Python's lock to others, reports progress and ends at Ctrl+C.

use std::sync::atomic::{AtomicU32, Ordering};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use sinew_system::threads::spawn;

/// A caller's function that takes the finished share of the work.
pub struct Progress<'a> {
    told: Option<&'a Py<PyAny>>,
}

impl<'a> Progress<'a> {
    /// Reports to this function, if there is one.
    pub fn new(told: Option<&'a Py<PyAny>>) -> Self {
        Self { told }
    }

    /// Reports the share, and ends the work if Ctrl+C was pressed or the function raised.
    pub fn tell(&self, share: f64) -> PyResult<()> {
        Python::attach(|py| {
            py.check_signals()?;
            self.told.map_or(Ok(()), |told| told.call1(py, (share.clamp(0.0, 1.0),)).map(drop))
        })
    }
}

/// Checks that this process has the threads that compute. Those of a process do not exist in its forks, which would wait
/// for them forever.
pub fn begin_work() -> PyResult<()> {
    static STARTED_IN: AtomicU32 = AtomicU32::new(0);
    let own = std::process::id();
    match STARTED_IN.compare_exchange(0, own, Ordering::Relaxed, Ordering::Relaxed) {
        Err(process) if process != own => Err(PyRuntimeError::new_err(
            "this process was forked after sinew had begun to compute; use multiprocessing.get_context(\"spawn\")",
        )),
        _ => Ok(()),
    }
}

/// Runs work on another thread, and waits for its end or for Ctrl+C. After Ctrl+C, the thread goes on until it is done,
/// because the work cannot be stopped.
pub fn aside<T: Send + 'static>(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&(dyn Fn(f64) + Sync)) -> T + Send + 'static,
) -> PyResult<T> {
    use std::sync::atomic::AtomicU64;
    use std::sync::{Arc, mpsc};
    use std::time::Duration;

    let share = Arc::new(AtomicU64::new(0));
    let (done, result) = mpsc::channel();
    let seen = Arc::clone(&share);
    let started = spawn(move || {
        let watch = |part: f64| seen.store(part.to_bits(), Ordering::Relaxed);
        // The call has ended by now if Ctrl+C was pressed.
        let _ = done.send(work(&watch));
    });
    started.map_err(|error| PyRuntimeError::new_err(format!("the system makes no thread: {error}")))?;
    let progress = Progress::new(progress);
    py.detach(move || {
        loop {
            match result.recv_timeout(Duration::from_millis(20)) {
                Ok(result) => break progress.tell(1.0).map(|()| result),
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    progress.tell(f64::from_bits(share.load(Ordering::Relaxed)))?;
                }
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    break Err(PyRuntimeError::new_err("the work ended early: please report this"));
                }
            }
        }
    })
}
