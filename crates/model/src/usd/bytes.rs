//! Bytes of a binary layer: numbers and lists at places, as far as the file has them.

/// The largest number of elements in a list that a byte of the file may tell of: its compression allows this much, and seldom
/// does it get near.
const PER_BYTE: u64 = 64;

/// Elements of a list that any file may have.
const FREE: u64 = 1 << 16;

/// The bytes of a layer.
#[derive(Clone, Copy)]
pub struct File<'a>(pub &'a [u8]);

impl<'a> File<'a> {
    /// A length, if a file of this size may have such a list.
    pub fn length(self, at: u64) -> Option<u64> {
        self.number(at).filter(|length| self.may_have(*length))
    }

    fn may_have(self, length: u64) -> bool {
        length <= FREE.saturating_add((self.0.len() as u64).saturating_mul(PER_BYTE))
    }

    /// The length of an array, and the place of its elements. Before version 0.5, the number of its dimensions comes first.
    pub fn array(self, at: u64) -> Option<(u64, u64)> {
        let at = if self.minor() < 5 { at.checked_add(4)? } else { at };
        match self.has_short_arrays() {
            true => Some((self.short(at).filter(|length| self.may_have(*length))?, at.checked_add(4)?)),
            false => Some((self.length(at)?, at.checked_add(8)?)),
        }
    }

    /// A packed block behind its length, and where it ends.
    pub fn packed(self, at: u64) -> Option<(&'a [u8], u64)> {
        let (size, start) = (self.number(at)?, at.checked_add(8)?);
        let block = self.from(start)?.get(..usize::try_from(size).ok()?)?;
        // Only blocks of a single piece are read.
        let is_single = block.first().is_none_or(|pieces| *pieces == 0);
        is_single.then_some((block, start.checked_add(size)?))
    }

    /// A list of 32-bit numbers behind its length, and where it ends.
    pub fn indices(self, at: u64) -> Option<(&'a [[u8; 4]], u64)> {
        self.indices_of(self.length(at)?, at.checked_add(8)?)
    }

    /// A list of `count` 32-bit numbers, and where it ends.
    pub fn indices_of(self, count: u64, start: u64) -> Option<(&'a [[u8; 4]], u64)> {
        let size = count.checked_mul(4)?;
        let list = self.from(start)?.get(..usize::try_from(size).ok()?)?;
        Some((list.as_chunks().0, start.checked_add(size)?))
    }

    /// A number of 64 bits.
    pub fn number(self, at: u64) -> Option<u64> {
        self.from(at)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
    }

    /// A number of 32 bits.
    pub fn short(self, at: u64) -> Option<u64> {
        self.from(at)?.first_chunk().map(|bytes| u64::from(u32::from_le_bytes(*bytes)))
    }

    /// The place that an offset names which is stored there.
    pub fn jump(self, at: u64) -> Option<u64> {
        at.checked_add_signed(self.number(at)?.cast_signed())
    }

    /// The second number of the version. The first is 0.
    pub fn minor(self) -> u8 {
        self.0.get(9).copied().unwrap_or(0)
    }

    /// Returns true if payloads have layer offsets, as from version 0.8 on.
    pub fn has_offsets(self) -> bool {
        self.minor() >= 8
    }

    /// Returns true if lengths of arrays have 32 bits, as before version 0.7.
    pub fn has_short_arrays(self) -> bool {
        self.minor() < 7
    }

    /// All bytes from a place on.
    pub fn from(self, at: u64) -> Option<&'a [u8]> {
        self.0.get(usize::try_from(at).ok()?..)
    }
}

/// Checks that numbers are below a count; the largest 32-bit number may stand for an end.
pub fn below(numbers: &[i64], count: u64, has_ends: bool) -> Option<()> {
    let is_right = |number: &i64| {
        let number = *number as u32;
        u64::from(number) < count || has_ends && number == u32::MAX
    };
    numbers.iter().all(is_right).then_some(())
}
