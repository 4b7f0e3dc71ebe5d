//! The instruction sets of the fast path, and their detection.

use super::portable::Portable;
#[cfg(target_arch = "x86_64")]
use super::simd::{Avx2, Avx512};
use super::vector::{Simd, Task};
use std::fmt;

/// A set of instructions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// The best that this processor has.
    #[default]
    Best,
    /// Instructions that every processor has.
    Portable,
    /// AVX2 and FMA: 8 floats at a time.
    Avx2,
    /// AVX-512F: 16 floats at a time.
    Avx512,
}

impl Level {
    /// The levels with specific instructions, slowest first.
    pub const NAMED: [Self; 3] = [Self::Portable, Self::Avx2, Self::Avx512];

    /// Returns true if this processor supports it.
    pub fn is_available(self) -> bool {
        match self {
            Self::Best | Self::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => Avx2::detect().is_some(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => Avx512::detect().is_some(),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2 | Self::Avx512 => false,
        }
    }

    /// Returns the level that [`Level::Best`] means on this processor.
    pub fn best() -> Self {
        let available = Self::NAMED.into_iter().rev().find(|level| level.is_available());
        available.unwrap_or(Self::Portable)
    }

    /// Runs the task with these instructions, or with the best available.
    pub(crate) fn run(self, work: impl AnyTask) {
        let level = if self == Self::Best { Self::best() } else { self };
        #[cfg(target_arch = "x86_64")]
        if let (Self::Avx512, Some(simd)) = (level, Avx512::detect()) {
            return simd.run(work);
        }
        #[cfg(target_arch = "x86_64")]
        if let (Self::Avx2 | Self::Avx512, Some(simd)) = (level, Avx2::detect()) {
            return simd.run(work);
        }
        Portable.run(work);
    }
}

/// Work for any level.
#[cfg(target_arch = "x86_64")]
pub(crate) trait AnyTask: Task<Portable> + Task<Avx2> + Task<Avx512> {}
#[cfg(target_arch = "x86_64")]
impl<T: Task<Portable> + Task<Avx2> + Task<Avx512>> AnyTask for T {}

/// Work for any level.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) trait AnyTask: Task<Portable> {}
#[cfg(not(target_arch = "x86_64"))]
impl<T: Task<Portable>> AnyTask for T {}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Best => "the best",
            Self::Portable => "portable",
            Self::Avx2 => "AVX2",
            Self::Avx512 => "AVX-512",
        })
    }
}
