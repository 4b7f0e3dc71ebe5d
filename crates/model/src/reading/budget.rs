//! Limits the memory of a file, and counts that of its JSON.

use sinew_gltf_rules::format::json;

use super::error::LoadError;

/// The memory that a file may still take. It bounds time as well, because every read is charged first.
#[derive(Debug)]
pub struct Budget {
    limit: u64,
    left: u64,
    /// Bytes of the file and of those that it refers to.
    bytes: u64,
    rate: Rate,
    /// Bytes taken by elements that the file does not store.
    unstored: u64,
}

/// Memory per byte of a file, and its maximum.
#[derive(Clone, Copy, Debug)]
struct Rate {
    per_byte: u64,
    max: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Self { limit: BASE, left: BASE, bytes: 0, rate: DATA, unstored: 0 }
    }
}

impl Budget {
    /// Creates the budget that a file's JSON leaves; `None` if the JSON alone exceeds it.
    pub fn beside(text: &[u8]) -> Option<Self> {
        let mut budget = Self::default();
        budget.add(text.len());
        budget.take(json::memory(text)).then_some(budget)
    }

    /// More bytes of the file, or of one it refers to. The same bytes must not be added again.
    pub fn add(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_add(bytes as u64);
        self.raise();
    }

    /// Switches to the rate of pictures. Their bytes allow more memory than others, and their charge includes all later
    /// copies.
    pub fn turn_to_pictures(&mut self) {
        self.rate = PICTURES;
        self.raise();
    }

    fn raise(&mut self) {
        let limit = self.rate.of(self.bytes);
        self.left = self.left.saturating_add(limit.saturating_sub(self.limit));
        self.limit = limit;
    }

    /// Counts memory before it is allocated, and returns true if the budget allows it.
    #[must_use]
    pub fn take(&mut self, bytes: u64) -> bool {
        let left = self.left.checked_sub(bytes);
        self.left = left.unwrap_or(self.left);
        left.is_some()
    }

    /// Charges for `count` values of `size` bytes; errors name `path`.
    pub fn charge(&mut self, path: &str, count: usize, size: usize) -> Result<(), LoadError> {
        if (count as u64).checked_mul(size as u64).is_some_and(|bytes| self.take(bytes)) {
            return Ok(());
        }
        Err(LoadError::TooLarge { path: path.to_owned(), elements: count, limit_mib: self.limit_mib() })
    }

    /// Counts memory that is about to be taken for `count` elements of `size` bytes that are zeros because the
    /// file stores none; errors name `path`. `charge` charges for them as well.
    pub fn charge_unstored(&mut self, path: &str, count: usize, size: usize) -> Result<(), LoadError> {
        let limit = UNSTORED_BASE.saturating_add(self.bytes.saturating_mul(UNSTORED_PER_BYTE));
        let taken = (count as u64).saturating_mul(size as u64).saturating_add(self.unstored);
        if taken > limit {
            return Err(LoadError::NotStored {
                path: path.to_owned(),
                elements: count,
                limit_mib: limit >> 20,
            });
        }
        self.unstored = taken;
        Ok(())
    }

    /// Returns the number of bytes left.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Returns the initial budget, in MiB.
    pub fn limit_mib(&self) -> u64 {
        self.limit >> 20
    }
}

/// Minimum budget of a file, however small it is: room for vertices that primitives share, and for a picture of 4096 by
/// 4096 pixels.
const BASE: u64 = 256 << 20;

/// Additional memory per byte of a file: 8-bit indices of a strip become twelve bytes, and vertices shared by several
/// primitives are stored for each of them.
const DATA: Rate = Rate { per_byte: 64, max: 4 << 30 };

/// Additional memory with pictures: seventeen pixels per byte, counting all copies. Photographs have two to ten.
const PICTURES: Rate = Rate { per_byte: 256, max: 16 << 30 };

/// Minimum budget of elements that no file stores: 350,000 positions.
const UNSTORED_BASE: u64 = 4 << 20;

/// Additional budget of such elements for each byte of the file.
const UNSTORED_PER_BYTE: u64 = 64;

impl Rate {
    fn of(self, bytes: u64) -> u64 {
        BASE.saturating_add(bytes.saturating_mul(self.per_byte)).min(self.max)
    }
}

/// Returns the budget of a file with this many bytes, including the files that it refers to.
pub fn of_file(bytes: usize) -> u64 {
    DATA.of(bytes as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_room_by_their_size() {
        assert_eq!(of_file(0), 268_435_456);
        assert_eq!(of_file(1000), 268_435_456 + 64_000);
        assert_eq!(of_file(usize::MAX), 4_294_967_296);
    }

    #[test]
    fn what_is_taken_is_gone() {
        let mut budget = Budget::beside(b"{}").unwrap();
        assert_eq!(budget.left, 268_435_456 + 2 * 64 - 768 - 2 * 32);
        assert!(budget.take(200_000_000) && !budget.take(100_000_000) && budget.take(60_000_000));
        budget.add(1 << 20);
        assert_eq!((budget.limit, budget.left), (335_544_448, 8_435_456 + 64 - 768 + (64 << 20)));
        budget.add(usize::MAX);
        assert_eq!(budget.limit, 4_294_967_296);
        assert!(Budget::beside("{},".repeat(2_000_000).as_bytes()).is_none());
    }

    #[test]
    fn pictures_have_four_times_as_much_a_byte() {
        let mut budget = Budget::default();
        budget.add(1000);
        assert!(budget.take(268_435_456));
        budget.turn_to_pictures();
        assert_eq!((budget.limit, budget.left), (268_435_456 + 256_000, 256_000));
        budget.add(10);
        assert_eq!(budget.left, 258_560);
    }

    #[test]
    fn little_is_made_of_nothing() {
        let mut budget = Budget::default();
        budget.add(1000);
        // 4 MiB and 64 for each byte: 4,258,304.
        budget.charge_unstored("x", 1_000_000, 4).unwrap();
        assert_eq!(
            budget.charge_unstored("x", 64_577, 4).unwrap_err().to_string(),
            "x: 64577 elements that the file does not store need, with all others, more than 4 MiB"
        );
        budget.charge_unstored("x", 64_576, 4).unwrap();
        assert!(budget.charge_unstored("x", 1, 1).is_err());
        assert!(Budget::default().charge_unstored("x", usize::MAX, 16).is_err());
    }
}
