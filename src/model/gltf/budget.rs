//! The memory that a file may unfold to, counted before it is taken.
//! It must not know what it is taken for.

use super::buffer::Buffers;
use super::error::LoadError;

/// What a file may always unfold to in memory, however small it is: room for 16 million vectors
/// in accessors that have no bytes at all, and for vertices that primitives share.
const BASE: u64 = 256 << 20;

/// What each byte of a file may unfold to on top: 8-bit indices of a strip become twelve bytes,
/// and vertices shared by several primitives are stored for each of them.
const PER_BYTE: u64 = 64;

/// What no file may unfold to.
const MOST: u64 = 4 << 30;

/// Memory that a file may still take.
#[derive(Debug)]
pub struct Budget {
    total: u64,
    left: u64,
}

impl Budget {
    /// For a file with those buffers and that much JSON.
    pub fn new(buffers: &Buffers<'_>, json_bytes: usize) -> Self {
        let buffer_bytes: usize = buffers.iter().flatten().map(|bytes| bytes.len()).sum();
        let bytes = buffer_bytes.saturating_add(json_bytes) as u64;
        let total = BASE.saturating_add(bytes.saturating_mul(PER_BYTE)).min(MOST);
        Self { total, left: total }
    }

    /// How many bytes may still be taken.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Counts memory that is about to be taken for `count` values of `size` bytes.
    pub fn charge(&mut self, path: &str, count: usize, size: usize) -> Result<(), LoadError> {
        let bytes = (count as u64).checked_mul(size as u64);
        let Some(left) = bytes.and_then(|bytes| self.left.checked_sub(bytes)) else {
            return Err(LoadError::TooLarge {
                path: path.to_owned(),
                elements: count,
                limit_mib: self.total >> 20,
            });
        };
        self.left = left;
        Ok(())
    }
}
