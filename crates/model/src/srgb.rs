//! The sRGB transfer curve (IEC 61966-2-1).

/// Decodes an sRGB level to linear light, both from 0 to 1.
pub fn to_linear(level: f64) -> f64 {
    if level <= 0.04045 { level / 12.92 } else { ((level + 0.055) / 1.055).powf(2.4) }
}

/// Encodes linear light as an sRGB level.
pub fn from_linear(light: f64) -> f64 {
    if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 }
}

/// Parses a colour written as `#rrggbb` or `#rgb`.
pub fn from_hex(text: &str) -> Option<[u8; 3]> {
    let digits = text.strip_prefix('#')?.chars().map(|digit| digit.to_digit(16).map(|digit| digit as u8));
    match *digits.collect::<Option<Vec<u8>>>()?.as_slice() {
        [a, b, c, d, e, f] => Some([a * 16 + b, c * 16 + d, e * 16 + f]),
        [r, g, b] => Some([r, g, b].map(|digit| digit * 17)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_passes_through_known_points_and_back() {
        assert_eq!([to_linear(0.0), to_linear(1.0)], [0.0, 1.0]);
        assert!((to_linear(0.5) - 0.214_041).abs() < 1e-6);
        assert!((from_linear(0.18) - 0.461_356).abs() < 1e-6);
        for byte in 0..=255 {
            let level = f64::from(byte) / 255.0;
            assert!((from_linear(to_linear(level)) - level).abs() < 1e-6, "{byte}");
        }
    }
}
