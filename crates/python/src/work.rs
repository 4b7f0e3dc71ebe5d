//! Long work: without Python's lock, with progress, and with an ear for Ctrl+C.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use sinew_system::threads::spawn;

/// A caller's function that takes the finished share of the work.
pub struct Progress<'a> {
    told: Option<&'a Py<PyAny>>,
}

impl<'a> Progress<'a> {
    /// Tells this function, if there is one.
    pub fn new(told: Option<&'a Py<PyAny>>) -> Self {
        Self { told }
    }

    /// Tells the share, and ends the work if Ctrl+C was pressed or the function raised.
    pub fn tell(&self, share: f64) -> PyResult<()> {
        Python::attach(|py| {
            py.check_signals()?;
            self.told.map_or(Ok(()), |told| told.call1(py, (share.clamp(0.0, 1.0),)).map(drop))
        })
    }
}

/// Runs work that cannot be stopped on another thread, and waits for it with an ear for Ctrl+C; `tell` is called with
/// the finished share.
pub fn aside<T: Send + 'static>(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&(dyn Fn(f64) + Sync)) -> T + Send + 'static,
) -> PyResult<T> {
    use std::sync::atomic::{AtomicU64, Ordering};
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
