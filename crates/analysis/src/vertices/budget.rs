//! Memory that a file may take besides its bytes, as for models.

use super::ReadError;

/// Memory for any file.
const BASE: u64 = 256 << 20;

/// Additional memory per byte of a file.
const PER_BYTE: u64 = 64;

const MAX: u64 = 4 << 30;

/// The memory that a file may still take.
pub struct Budget {
    limit: u64,
    left: u64,
}

impl Budget {
    /// Returns the budget of a file of this size.
    pub fn of(bytes: usize) -> Self {
        let limit = BASE.saturating_add(PER_BYTE.saturating_mul(bytes as u64)).min(MAX);
        Self { limit, left: limit }
    }

    /// Counts memory for `count` values of `size` bytes before it is allocated; errors name `place`.
    pub fn charge(&mut self, place: &str, count: u64, size: u64) -> Result<(), ReadError> {
        let left = count.checked_mul(size).and_then(|bytes| self.left.checked_sub(bytes));
        let too_large = || ReadError::TooLarge { place: place.to_owned(), limit_mib: self.limit >> 20 };
        self.left = left.ok_or_else(too_large)?;
        Ok(())
    }
}
