//! Numbers of some bits each, the lowest bit of each byte first.

/// Reads bits up to the end of the bytes.
pub struct Bits<'a> {
    bytes: &'a [u8],
    /// The number of bits that were read.
    read: usize,
}

impl<'a> Bits<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, read: 0 }
    }

    /// The next 32 bits or more, with zeros after the end, without reading them.
    pub fn ahead(&self) -> u64 {
        let rest = self.bytes.get(self.read / 8..).unwrap_or_default();
        let word = match rest.first_chunk() {
            Some(eight) => u64::from_le_bytes(*eight),
            None => rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
        };
        word.wrapping_shr(self.read as u32 % 8)
    }

    /// Goes on by so many bits; `None` beyond the end.
    pub fn skip(&mut self, count: u32) -> Option<()> {
        let read = self.read.checked_add(count as usize)?;
        if read > self.bytes.len().saturating_mul(8) {
            return None;
        }
        self.read = read;
        Some(())
    }

    /// Reads a number of up to 32 bits.
    pub fn take(&mut self, count: u32) -> Option<u32> {
        let number = low(self.ahead() as u32, count);
        self.skip(count)?;
        Some(number)
    }

    /// Reads a number in groups of bits. A bit after each group is set if another follows.
    pub fn grouped(&mut self, group: u32) -> Option<u32> {
        let mut number = 0;
        let mut shift: u32 = 0;
        while shift < u32::BITS {
            number |= self.take(group)?.wrapping_shl(shift);
            if self.take(1)? == 0 {
                break;
            }
            shift = shift.saturating_add(group);
        }
        Some(number)
    }
}

/// The lowest bits of a number.
pub fn low(bits: u32, count: u32) -> u32 {
    bits & !u32::MAX.checked_shl(count).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_come_from_the_lowest_on() {
        let mut bits = Bits::new(&[0b1010_0110, 0b0000_0011]);
        assert_eq!((bits.take(3), bits.take(0), bits.take(6)), (Some(6), Some(0), Some(0b11_0100)));
        assert_eq!(bits.ahead(), 1);
        assert_eq!((bits.take(8), bits.take(7), bits.take(1)), (None, Some(1), None));
        let many: Vec<u8> = (0..20).map(|at| at * 13).collect();
        let mut bits = Bits::new(&many);
        bits.skip(7).unwrap();
        assert_eq!(bits.take(32), Some(expected(&many, 7)));
        assert_eq!(low(0xffff_ffff, 32), 0xffff_ffff);
    }

    /// The 32 bits after so many.
    fn expected(bytes: &[u8], after: usize) -> u32 {
        (0..32)
            .map(|at| after + at)
            .fold(0, |number, bit| number | u32::from(bytes[bit / 8] >> (bit % 8) & 1) << (bit - after))
    }

    #[test]
    fn groups_follow_each_other() {
        // Four bits and a mark each: 5 and more, then 3.
        let mut bits = Bits::new(&[0b0111_0101, 0]);
        assert_eq!(bits.grouped(4), Some(5 | 3 << 4));
        // Marks without end stop at 32 bits, or at the end.
        assert!(Bits::new(&[0xff; 9]).grouped(4).is_some());
        assert_eq!(Bits::new(&[0xff; 3]).grouped(4), None);
    }
}
