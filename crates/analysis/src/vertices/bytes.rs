//! Numbers from bytes, in either order, that end where the bytes end.

/// Bytes that are not read yet.
#[derive(Clone, Copy)]
pub struct Bytes<'a>(pub &'a [u8]);

impl<'a> Bytes<'a> {
    /// Takes the next bytes.
    pub fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    /// Takes a little-endian number.
    pub fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    /// Takes a little-endian number.
    pub fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    /// Takes a little-endian number as a size.
    pub fn size(&mut self) -> Option<usize> {
        self.u32().and_then(|number| usize::try_from(number).ok())
    }

    /// Takes a big-endian number as a size.
    pub fn big_size(&mut self) -> Option<usize> {
        self.array().and_then(|bytes| usize::try_from(u32::from_be_bytes(bytes)).ok())
    }
}

/// A type of numbers in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    F16,
    F32,
    F64,
}

impl Kind {
    /// Returns the bytes of a number.
    pub const fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 | Self::F16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::F64 => 8,
        }
    }

    /// Takes a number; those beyond 2⁵³ are rounded.
    pub fn take(self, bytes: &mut Bytes<'_>, is_big: bool) -> Option<f64> {
        macro_rules! taken {
            ($kind:ty) => {{
                let array = bytes.array()?;
                if is_big { <$kind>::from_be_bytes(array) } else { <$kind>::from_le_bytes(array) }
            }};
        }
        Some(match self {
            Self::I8 => taken!(i8).into(),
            Self::U8 => taken!(u8).into(),
            Self::I16 => taken!(i16).into(),
            Self::U16 => taken!(u16).into(),
            Self::I32 => taken!(i32).into(),
            Self::U32 => taken!(u32).into(),
            Self::I64 => taken!(i64) as f64,
            Self::F16 => half(taken!(u16)),
            Self::F32 => taken!(f32).into(),
            Self::F64 => taken!(f64),
        })
    }
}

/// Returns the value of a half float's bits.
fn half(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f64::from(bits & 0x3ff));
    let magnitude = match exponent {
        0 => fraction * 2_f64.powi(-24),
        0x1f if fraction == 0.0 => f64::INFINITY,
        0x1f => f64::NAN,
        _ => (1024.0 + fraction) * 2_f64.powi(exponent.saturating_sub(25)),
    };
    if bits >> 15 == 0 { magnitude } else { -magnitude }
}

/// Takes rows of little- or big-endian numbers until the bytes end.
pub fn rows<const N: usize>(kind: Kind, is_big: bool, bytes: &[u8]) -> Vec<[f64; N]> {
    let row = |bytes: &[u8]| {
        let mut bytes = Bytes(bytes);
        // A chunk has a whole row.
        std::array::from_fn(|_| kind.take(&mut bytes, is_big).unwrap_or_default())
    };
    let size = kind.size().saturating_mul(N).max(1);
    bytes.chunks_exact(size).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_floats_have_their_values() {
        for (bits, value) in [
            (0x0000, 0.0),
            (0x0001, 2_f64.powi(-24)),
            (0x03ff, 1023.0 * 2_f64.powi(-24)),
            (0x0400, 2_f64.powi(-14)),
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x3555, 0.333251953125),
            (0x7bff, 65504.0),
            (0xfc00, f64::NEG_INFINITY),
        ] {
            assert_eq!(half(bits), value, "{bits:#06x}");
        }
        assert!(half(0x7e00).is_nan());
    }

    #[test]
    fn numbers_end_with_the_bytes() {
        let mut bytes = Bytes(&[1, 0, 0xff, 0xfe, 9]);
        assert_eq!(Kind::I16.take(&mut bytes, false), Some(1.0));
        assert_eq!(Kind::I16.take(&mut bytes, true), Some(-2.0));
        assert_eq!(Kind::U16.take(&mut bytes, false), None);
        assert_eq!(Kind::U8.take(&mut bytes, false), Some(9.0));
        assert_eq!((bytes.take(1), bytes.u32()), (None, None));
    }
}
