//! Loops over many numbers, compiled for the best instructions of this processor. They only go faster: nothing is fused, so the
//! bits are those of every processor.

use crate::vectors::{Level, Task};

/// Work for the best instructions.
pub trait Work {
    /// Does the work. This must be `inline(always)`, and so must be what it calls, to be compiled for these instructions.
    fn work(self);
}

struct Wide<W>(W);

impl<S, W: Work> Task<S> for Wide<W> {
    #[inline(always)]
    fn run(self, _simd: S) {
        self.0.work();
    }
}

/// Does some work with the best instructions.
pub fn run(work: impl Work) {
    Level::Best.run(Wide(work));
}
