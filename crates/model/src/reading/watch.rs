//! Progress of a long read, and its cancellation.

use std::fmt;
use std::sync::Arc;

use super::error::LoadError;

/// Callback with the finished share of a read, from 0 to 1. It returns false to end the read.
type Told = dyn Fn(f64) -> bool + Send + Sync;

/// An optional progress callback.
#[derive(Clone, Default)]
pub struct Watch(Option<Arc<Told>>);

impl Watch {
    /// Calls `told` with the share that is read, from 0 to 1. The read ends with [`LoadError::Stopped`] once it returns
    /// false.
    pub fn new(told: impl Fn(f64) -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(told)))
    }

    /// Reports the finished share, and returns true if the read should continue.
    pub fn tell(&self, share: f64) -> bool {
        self.0.as_ref().is_none_or(|told| told(share))
    }

    /// Reports the progress of one part of the work; each part has its range of the whole.
    ///
    /// # Errors
    /// If the read is cancelled.
    pub(crate) fn part(
        &self,
        stretch: std::ops::Range<f64>,
        done: usize,
        of: usize,
    ) -> Result<(), LoadError> {
        let share = stretch.start + (stretch.end - stretch.start) * done as f64 / of.max(1) as f64;
        if self.tell(share) { Ok(()) } else { Err(LoadError::Stopped) }
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Watch").field(&self.0.is_some()).finish()
    }
}
