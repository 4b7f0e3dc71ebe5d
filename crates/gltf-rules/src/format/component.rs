//! The number types of accessors, and the conversion of their bytes.

/// The type of one component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Component {
    /// 8 bits, signed.
    I8,
    /// 8 bits.
    U8,
    /// 16 bits, signed.
    I16,
    /// 16 bits.
    U16,
    /// 32 bits.
    U32,
    /// IEEE single precision.
    F32,
}

impl Component {
    const ALL: [Self; 6] = [Self::I8, Self::U8, Self::I16, Self::U16, Self::U32, Self::F32];

    /// Every `componentType`.
    pub const CODES: [u32; 6] = [
        Self::I8.code(),
        Self::U8.code(),
        Self::I16.code(),
        Self::U16.code(),
        Self::U32.code(),
        Self::F32.code(),
    ];

    /// Every `componentType` that indices may have.
    pub const INDEX_CODES: [u32; 3] = [Self::U8.code(), Self::U16.code(), Self::U32.code()];

    /// Returns the type of a `componentType` code.
    pub fn from_code(code: usize) -> Option<Self> {
        Self::ALL.into_iter().find(|component| component.code() as usize == code)
    }

    /// Returns the type's `componentType` code.
    pub const fn code(self) -> u32 {
        match self {
            Self::I8 => 5120,
            Self::U8 => 5121,
            Self::I16 => 5122,
            Self::U16 => 5123,
            Self::U32 => 5125,
            Self::F32 => 5126,
        }
    }

    /// Returns true if indices may have this type.
    pub fn is_index(self) -> bool {
        Self::INDEX_CODES.contains(&self.code())
    }

    /// Returns true if the type may be normalised: integers of 8 and 16 bits.
    pub fn is_small(self) -> bool {
        self.size() < 4
    }

    /// Returns true if the type is a signed integer of 8 or 16 bits.
    pub fn is_signed(self) -> bool {
        matches!(self, Self::I8 | Self::I16)
    }

    /// The smallest and the largest whole number that it holds; `None` for floats.
    pub fn whole_range(self) -> Option<(f64, f64)> {
        match self {
            Self::I8 => Some((i8::MIN.into(), i8::MAX.into())),
            Self::U8 => Some((u8::MIN.into(), u8::MAX.into())),
            Self::I16 => Some((i16::MIN.into(), i16::MAX.into())),
            Self::U16 => Some((u16::MIN.into(), u16::MAX.into())),
            Self::U32 => Some((u32::MIN.into(), u32::MAX.into())),
            Self::F32 => None,
        }
    }

    /// Appends the bytes of a number; one that does not fit becomes the nearest that does.
    pub fn write(self, value: f64, out: &mut Vec<u8>) {
        match self {
            Self::I8 => out.extend((value as i8).to_le_bytes()),
            Self::U8 => out.extend((value as u8).to_le_bytes()),
            Self::I16 => out.extend((value as i16).to_le_bytes()),
            Self::U16 => out.extend((value as u16).to_le_bytes()),
            Self::U32 => out.extend((value as u32).to_le_bytes()),
            Self::F32 => out.extend((value as f32).to_le_bytes()),
        }
    }

    /// Returns the name for messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::I8 => "8-bit signed",
            Self::U8 => "8-bit",
            Self::I16 => "16-bit signed",
            Self::U16 => "16-bit",
            Self::U32 => "32-bit",
            Self::F32 => "float",
        }
    }

    /// Bytes a component.
    #[inline]
    pub fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// The number in little-endian bytes; every type fits `f64` exactly.
    /// `None` where there are too few bytes.
    #[inline]
    pub fn read(self, bytes: &[u8]) -> Option<f64> {
        Some(match self {
            Self::I8 => f64::from(i8::from_le_bytes(*bytes.first_chunk()?)),
            Self::U8 => f64::from(u8::from_le_bytes(*bytes.first_chunk()?)),
            Self::I16 => f64::from(i16::from_le_bytes(*bytes.first_chunk()?)),
            Self::U16 => f64::from(u16::from_le_bytes(*bytes.first_chunk()?)),
            Self::U32 => f64::from(u32::from_le_bytes(*bytes.first_chunk()?)),
            Self::F32 => f64::from(f32::from_le_bytes(*bytes.first_chunk()?)),
        })
    }

    /// An element of several numbers, each converted; zeros where there are too few bytes.
    pub fn element<T: Copy + Default, const N: usize>(
        self,
        bytes: &[u8],
        convert: &impl Fn(f64) -> T,
    ) -> [T; N] {
        let mut out = [T::default(); N];
        for (number, bytes) in out.iter_mut().zip(bytes.chunks_exact(self.size())) {
            *number = self.read(bytes).map_or_else(T::default, convert);
        }
        out
    }

    /// Converts a normalised component to the fraction that it represents. Floats are not normalised, even if the file
    /// says so.
    #[inline]
    pub fn fraction(self, value: f64) -> f64 {
        match self {
            Self::U8 => value / 255.0,
            Self::I8 => (value / 127.0).max(-1.0),
            Self::U16 => value / 65535.0,
            Self::I16 => (value / 32767.0).max(-1.0),
            Self::U32 | Self::F32 => value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_little_endian() {
        assert_eq!(Component::I8.read(&[0x80]), Some(-128.0));
        assert_eq!(Component::U8.read(&[0x80]), Some(128.0));
        assert_eq!(Component::I16.read(&[0x00, 0x80]), Some(-32768.0));
        assert_eq!(Component::U16.read(&[0x01, 0x02]), Some(513.0));
        assert_eq!(Component::U32.read(&[0xff; 4]), Some(4294967295.0));
        assert_eq!(Component::F32.read(&1.5f32.to_le_bytes()), Some(1.5));
        assert_eq!(Component::F32.read(&[0; 3]), None);
    }

    #[test]
    fn fractions_end_at_one() {
        for (component, value) in [
            (Component::I8, 127.0),
            (Component::U8, 255.0),
            (Component::I16, 32767.0),
            (Component::U16, 65535.0),
        ] {
            assert_eq!(component.fraction(value), 1.0);
        }
        assert_eq!(Component::I8.fraction(-128.0), -1.0);
        assert_eq!(Component::I16.fraction(-32768.0), -1.0);
        assert_eq!(Component::F32.fraction(7.0), 7.0);
    }

    #[test]
    fn ranges_hold_what_bytes_can_say() {
        for component in Component::ALL {
            let Some((low, high)) = component.whole_range() else { continue };
            for (number, beyond) in [(low, low - 1.0), (high, high + 1.0)] {
                let mut bytes = Vec::new();
                component.write(number, &mut bytes);
                component.write(beyond, &mut bytes);
                assert_eq!(bytes[..component.size()], bytes[component.size()..], "{component:?}");
                assert_eq!(component.read(&bytes), Some(number));
            }
        }
    }

    #[test]
    fn every_code_has_a_type() {
        for code in [5120, 5121, 5122, 5123, 5125, 5126] {
            let component = Component::from_code(code).unwrap();
            assert_eq!(component.code() as usize, code);
            let mut bytes = Vec::new();
            component.write(100.0, &mut bytes);
            assert_eq!((bytes.len(), component.read(&bytes)), (component.size(), Some(100.0)));
        }
        let mut bytes = Vec::new();
        Component::U8.write(300.0, &mut bytes);
        Component::I16.write(-1e9, &mut bytes);
        assert_eq!(bytes, [255, 0, 0x80]);
        assert_eq!(Component::from_code(5124), None);
        assert_eq!(Component::from_code(0), None);
    }
}
