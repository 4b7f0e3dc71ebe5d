//! Reads a byte stream from front to back, never past its end.

/// Description of a defect in a stream.
pub type Fault = &'static str;

/// The rest of a stream.
#[derive(Clone, Copy, Debug)]
pub struct Bytes<'a>(pub &'a [u8]);

impl<'a> Bytes<'a> {
    /// The next bytes.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], Fault> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or("the stream ends too early")?;
        self.0 = rest;
        Ok(taken)
    }

    /// The next byte.
    pub fn byte(&mut self) -> Result<u8, Fault> {
        let (byte, rest) = self.0.split_first().ok_or("the stream ends too early")?;
        self.0 = rest;
        Ok(*byte)
    }

    /// A number in up to five bytes of seven bits, lowest first.
    pub fn number(&mut self) -> Result<u32, Fault> {
        let mut number = 0;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.byte()?;
            number |= u32::from(byte & 0x7f).wrapping_shl(shift);
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err("a number takes more than five bytes")
    }

    /// Checks that all bytes were read.
    pub fn finish(self) -> Result<(), Fault> {
        if self.0.is_empty() { Ok(()) } else { Err("the stream continues after its last element") }
    }
}

/// A stream's header byte, its body, and its tail.
pub fn split(stream: &[u8], tail: usize) -> Result<(u8, Bytes<'_>, &[u8]), Fault> {
    let (header, rest) = stream.split_first().ok_or("the stream is empty")?;
    let middle = rest.len().checked_sub(tail).ok_or("the stream is too short")?;
    let (middle, tail) = rest.split_at_checked(middle).ok_or("the stream is too short")?;
    Ok((*header, Bytes(middle), tail))
}

/// A FIFO of 16. A stream may read only entries that it wrote.
#[derive(Clone, Copy, Debug)]
pub struct Fifo<T>([Option<T>; 16], usize);

impl<T: Copy> Fifo<T> {
    pub fn new() -> Self {
        Self([None; 16], 0)
    }

    pub fn push(&mut self, value: T) {
        if let Some(slot) = self.0.get_mut(self.1 & 15) {
            *slot = Some(value);
        }
        self.1 = self.1.wrapping_add(1);
    }

    /// The value that was pushed `back` values before the last one.
    pub fn get(&self, back: u8) -> Result<T, Fault> {
        let at = self.1.wrapping_sub(1).wrapping_sub(back.into()) & 15;
        self.0.get(at).copied().flatten().ok_or("it refers to a triangle before the first")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_end_at_five_bytes() {
        let number = |bytes| Bytes(bytes).number();
        assert_eq!(number(&[0x7f]), Ok(0x7f));
        assert_eq!(number(&[0x81, 0x04]), Ok(0x201));
        assert_eq!(number(&[0xff, 0xa0, 0x05]), Ok(0x1507f));
        assert_eq!(number(&[0xff, 0xff, 0xff, 0xff, 0x0f]), Ok(u32::MAX));
        assert!(number(&[0xff; 5]).is_err() && number(&[0x80]).is_err());
    }

    #[test]
    fn only_what_was_pushed_can_be_read() {
        let mut fifo = Fifo::new();
        assert!(fifo.get(0).is_err());
        (0..20).for_each(|value| fifo.push(value));
        assert_eq!((fifo.get(0), fifo.get(15)), (Ok(19), Ok(4)));
        let mut fifo = Fifo::new();
        fifo.push(7);
        assert!(fifo.get(0) == Ok(7) && fifo.get(1).is_err());
    }
}
