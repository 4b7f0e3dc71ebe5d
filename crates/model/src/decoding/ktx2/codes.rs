//! Huffman codes of BasisLZ: canonical, as in Deflate, with a table of lengths that is itself packed.

use super::bits::Bits;

/// The number of bits of the longest code.
const MAX_BITS: usize = 16;
/// Lengths of codes for the table of lengths come in this order.
const ORDER: [usize; 21] = [17, 18, 19, 20, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15, 16];

/// A code per symbol.
#[derive(Debug, Default)]
pub struct Codes {
    /// The number of codes of each length.
    counts: [u32; MAX_BITS + 1],
    /// Symbols in the order of their codes.
    symbols: Vec<u16>,
}

impl Codes {
    /// Reads a table. An empty one has no codes.
    pub fn read(bits: &mut Bits) -> Option<Self> {
        let count = bits.take(14)? as usize;
        if count == 0 {
            return Some(Self::default());
        }
        let mut first = [0; ORDER.len()];
        let used = bits.take(5)? as usize;
        for symbol in ORDER.get(..used)? {
            *first.get_mut(*symbol)? = bits.take(3)? as u8;
        }
        let first = Self::new(&first)?;
        let mut lengths: Vec<u8> = Vec::new();
        while lengths.len() < count {
            let (length, times) = match first.next(bits)? {
                17 => (0, bits.take(3)?.saturating_add(3)),
                18 => (0, bits.take(7)?.saturating_add(11)),
                19 => (repeated(&lengths)?, bits.take(2)?.saturating_add(3)),
                20 => (repeated(&lengths)?, bits.take(7)?.saturating_add(7)),
                length => (length as u8, 1),
            };
            lengths.resize(lengths.len().saturating_add(times as usize), length);
        }
        if lengths.len() > count { None } else { Self::new(&lengths) }
    }

    /// Makes codes of their lengths, 0 for symbols without; they must leave no bits without meaning, except for a single
    /// symbol.
    fn new(lengths: &[u8]) -> Option<Self> {
        let mut counts = [0_u32; MAX_BITS + 1];
        let mut symbols = Vec::new();
        for length in 1..=MAX_BITS {
            let of_length = lengths.iter().enumerate().filter(|(_, other)| usize::from(**other) == length);
            let before = symbols.len();
            symbols.extend(of_length.map(|(symbol, _)| symbol as u16));
            *counts.get_mut(length)? = symbols.len().saturating_sub(before) as u32;
        }
        let taken = counts.iter().fold(0_u64, |taken, count| (taken << 1).saturating_add((*count).into()));
        let is_whole = taken == 1 << MAX_BITS;
        if is_whole || symbols.len() == 1 { Some(Self { counts, symbols }) } else { None }
    }

    /// Reads a symbol.
    pub fn next(&self, bits: &mut Bits) -> Option<u32> {
        let ahead = bits.ahead();
        let (mut code, mut first, mut before) = (0_u32, 0_u32, 0_u32);
        for (length, count) in (0_u32..).zip(self.counts).skip(1) {
            code = code << 1 | (ahead.wrapping_shr(length.wrapping_sub(1)) & 1) as u32;
            let past = code.wrapping_sub(first);
            if past < count {
                bits.skip(length)?;
                return self.symbols.get(before.wrapping_add(past) as usize).map(|symbol| (*symbol).into());
            }
            before = before.wrapping_add(count);
            first = first.wrapping_add(count) << 1;
            code &= u32::MAX >> 1;
        }
        None
    }
}

/// The last length, which cannot be none.
fn repeated(lengths: &[u8]) -> Option<u8> {
    lengths.last().copied().filter(|length| *length > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_canonical() {
        // Symbols 1, 0, 2 and 3: 0, 10, 110 and 111.
        let codes = Codes::new(&[2, 1, 3, 3]).unwrap();
        let mut bits = Bits::new(&[0b1101_1010, 0b1]);
        let read: Vec<u32> = std::iter::from_fn(|| codes.next(&mut bits)).collect();
        assert_eq!(read, [1, 0, 2, 3, 1, 1, 1, 1, 1, 1, 1]);
        assert!(Codes::new(&[1, 2]).is_none(), "bits without meaning");
        assert!(Codes::new(&[1, 1, 1]).is_none(), "too many codes");
        assert!(Codes::new(&[0, 0]).is_none(), "no code");
        let one = Codes::new(&[0, 0, 1]).unwrap();
        assert_eq!(one.next(&mut Bits::new(&[0])), Some(2));
        assert_eq!(one.next(&mut Bits::new(&[1])), None);
        assert_eq!(Codes::default().next(&mut Bits::new(&[0; 8])), None);
    }
}
