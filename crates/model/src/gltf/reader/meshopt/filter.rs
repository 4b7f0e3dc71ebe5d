//! Undoes filters: directions, rotations, numbers and colours stored in fewer bits.
//!
//! The formulas are those of appendix B of KHR_meshopt_compression.

/// A filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    /// Nothing is done.
    None,
    /// Unit vectors on an octahedron.
    Octahedral,
    /// Quaternions without their largest component.
    Quaternion,
    /// Floats of a byte of exponent and three of mantissa.
    Exponential,
    /// Colours as brightness and two differences.
    Color,
}

impl Filter {
    /// The filter a file names.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "NONE" => Self::None,
            "OCTAHEDRAL" => Self::Octahedral,
            "QUATERNION" => Self::Quaternion,
            "EXPONENTIAL" => Self::Exponential,
            "COLOR" => Self::Color,
            _ => return None,
        })
    }

    /// Returns true if the filter applies to elements of this size.
    pub fn fits(self, stride: usize) -> bool {
        match self {
            Self::None => true,
            Self::Octahedral | Self::Color => matches!(stride, 4 | 8),
            Self::Quaternion => stride == 8,
            Self::Exponential => stride.is_multiple_of(4),
        }
    }

    /// Applies the filter to elements of `stride` bytes, which it must fit.
    pub fn apply(self, bytes: &mut [u8], stride: usize) {
        match (self, stride) {
            (Self::None, _) => {}
            (Self::Octahedral, 4) => each_byte(bytes, |v| octahedral(v.map(|x| f32::from(x as i8)), 127.0)),
            (Self::Octahedral, _) => {
                each_half(bytes, |v| octahedral(v.map(|x| f32::from(x as i16)), 32767.0))
            }
            (Self::Color, 4) => each_byte(bytes, |[y, co, cg, a]| {
                color([y.into(), (co as i8).into(), (cg as i8).into(), a.into()], 255.0)
            }),
            (Self::Color, _) => each_half(bytes, |[y, co, cg, a]| {
                color([y.into(), (co as i16).into(), (cg as i16).into(), a.into()], 65535.0)
            }),
            (Self::Quaternion, _) => each_half(bytes, quaternion),
            (Self::Exponential, _) => {
                for element in bytes.as_chunks_mut::<4>().0 {
                    *element = exponential(u32::from_le_bytes(*element)).to_le_bytes();
                }
            }
        }
    }
}

/// Four 8-bit components at a time; the results are rounded.
fn each_byte(bytes: &mut [u8], filter: impl Fn([u8; 4]) -> [f32; 4]) {
    for element in bytes.as_chunks_mut::<4>().0 {
        // A negative component wraps to its two's complement.
        *element = filter(*element).map(|x| x.round() as i16 as u8);
    }
}

/// Four 16-bit components at a time.
fn each_half(bytes: &mut [u8], filter: impl Fn([u16; 4]) -> [f32; 4]) {
    for element in bytes.as_chunks_mut::<8>().0 {
        let [a, b, c, d, e, f, g, h] = *element;
        let halves = [[a, b], [c, d], [e, f], [g, h]].map(u16::from_le_bytes);
        let [[a, b], [c, d], [e, f], [g, h]] =
            filter(halves).map(|x| (x.round() as i32 as u16).to_le_bytes());
        *element = [a, b, c, d, e, f, g, h];
    }
}

/// Decodes a direction. The third component is the value of 1, and the fourth is unchanged.
fn octahedral([x, y, one, w]: [f32; 4], max: f32) -> [f32; 4] {
    let (x, y) = (x / one, y / one);
    let z = 1.0 - x.abs() - y.abs();
    let below = z.min(0.0);
    let (x, y) = (x - below.copysign(x), y - below.copysign(y));
    let length = (x * x + y * y + z * z).sqrt();
    [x / length * max, y / length * max, z / length * max, w]
}

/// Three components as parts of √½, and the value of 1, with the index of the fourth component in its lowest bits.
fn quaternion(input: [u16; 4]) -> [f32; 4] {
    let [a, b, c, one] = input.map(|half| half as i16);
    let range = std::f32::consts::FRAC_1_SQRT_2 / f32::from(one | 3);
    let [x, y, z] = [a, b, c].map(|part| f32::from(part) * range);
    let w = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
    let [x, y, z, w] = [x, y, z, w].map(|part| part * 32767.0);
    match one & 3 {
        0 => [w, x, y, z],
        1 => [z, w, x, y],
        2 => [y, z, w, x],
        _ => [x, y, z, w],
    }
}

/// Mantissa times two to the exponent, both signed.
fn exponential(bits: u32) -> f32 {
    let exponent = (bits as i32) >> 24;
    let mantissa = (bits.wrapping_shl(8) as i32) >> 8;
    // Powers of two and 24-bit numbers are exact in double precision, and so is their product.
    (f64::from(mantissa) * 2.0_f64.powi(exponent)) as f32
}

/// Decodes a colour: brightness, two differences, and an opacity whose highest set bit gives the number of bits.
fn color([y, co, cg, a]: [i32; 4], max: f32) -> [f32; 4] {
    let bits = 32_u32.saturating_sub(a.leading_zeros());
    let scale = 1_i32.wrapping_shl(bits).wrapping_sub(1);
    let (y, co, cg) = (y as f32, co as f32, cg as f32);
    let a = a & (scale >> 1);
    let a = (a.wrapping_shl(1) | (a & 1)) as f32;
    let step = if scale > 0 { max / scale as f32 } else { 0.0 };
    [(y + co - cg) * step, (y + cg) * step, (y - co - cg) * step, a * step].map(|x| x.clamp(0.0, max))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_with_exponents() {
        assert_eq!(exponential(0x00_00_00_01), 1.0);
        assert_eq!(exponential(0xff_00_00_03), 1.5);
        assert_eq!(exponential(0x02_ff_ff_ff), -4.0);
        assert_eq!(exponential(0x9c_00_00_01), 2.0_f32.powi(-100));
    }

    #[test]
    fn directions_on_an_octahedron() {
        assert_eq!(octahedral([0.0, 0.0, 127.0, 5.0], 127.0), [0.0, 0.0, 127.0, 5.0]);
        assert_eq!(octahedral([127.0, 0.0, 127.0, 0.0], 127.0), [127.0, 0.0, 0.0, 0.0]);
        // The corner of the square is straight down.
        assert_eq!(octahedral([1.0, 1.0, 1.0, 0.0], 127.0)[2], -127.0);
    }

    #[test]
    fn what_makes_no_sense_does_no_harm() {
        for filter in [Filter::Octahedral, Filter::Quaternion, Filter::Exponential, Filter::Color] {
            for byte in [0, 1, 0x7f, 0x80, 0xff] {
                let mut bytes = [byte; 16];
                filter.apply(&mut bytes, 8);
                filter.apply(&mut bytes, 4);
            }
        }
    }
}
