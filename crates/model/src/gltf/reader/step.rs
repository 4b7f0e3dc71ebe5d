//! Finds the grid of stored numbers: of normalised integers, and of numbers that a decoder made from integers.

use super::accessor::NumberFormat;
use crate::gltf::component::Component;

/// Maximum number of bits of a grid.
const MAX_BITS: u32 = 20;

/// Minimum number of bits of a grid: coarser ones are those of boxes, whose corners rounding does not move.
const MIN_BITS: usize = 6;

/// Tolerance of a decoded number against its grid, as a share of the largest number: the rounding of `f32`.
const TOLERANCE: f64 = 4e-7;

/// The distance of neighbouring values of an accessor that has these; `None` where it stores floats.
pub fn of<const N: usize>(format: Option<NumberFormat>, values: &[[f32; N]]) -> Option<f32> {
    let NumberFormat { component, normalized, is_decoded } = format?;
    let largest = match component {
        Component::I8 => i8::MAX as u32,
        Component::U8 => u32::from(u8::MAX),
        Component::I16 => i16::MAX as u32,
        Component::U16 => u32::from(u16::MAX),
        Component::F32 if is_decoded => return of_lattice(values),
        Component::U32 | Component::F32 => return None,
    };
    if !normalized {
        return Some(1.0);
    }
    Some(1.0 / coarsest(largest, values) as f32)
}

/// Returns the steps of the narrowest number whose repeated bits give all values; `largest` if these use all of its
/// bits.
fn coarsest<const N: usize>(largest: u32, values: &[[f32; N]]) -> u32 {
    let stored = largest.count_ones();
    let whole = |value: f32| (value.abs() * largest as f32).round() as u32;
    let repeats = |bits: u32| {
        let (low, high) = (stored.saturating_sub(bits), bits.saturating_mul(2).saturating_sub(stored));
        values.as_flattened().iter().all(|value| {
            let stored = whole(*value);
            let kept = stored >> low;
            stored == (kept << low) | (kept >> high)
        })
    };
    let few = (stored.div_ceil(2)..stored).find(|bits| !values.is_empty() && repeats(*bits));
    // Values that fit the coarsest grid fit all: they do not tell.
    few.filter(|bits| *bits > stored.div_ceil(2)).map_or(largest, places)
}

/// The number of steps of a grid with this number of bits.
fn places(bits: u32) -> u32 {
    1_u32.checked_shl(bits).map_or(u32::MAX, |places| places.saturating_sub(1))
}

/// The step of a grid of 2ᵇ places along the longest side of the box around all values, for the smallest b that fits.
fn of_lattice<const N: usize>(values: &[[f32; N]]) -> Option<f32> {
    let (mut low, mut high) = ([f32::INFINITY; N], [f32::NEG_INFINITY; N]);
    for value in values {
        for ((low, high), value) in low.iter_mut().zip(&mut high).zip(value) {
            (*low, *high) = (low.min(*value), high.max(*value));
        }
    }
    let range =
        low.iter().zip(&high).map(|(low, high)| f64::from(*high) - f64::from(*low)).fold(0.0, f64::max);
    let reach = low.iter().chain(&high).map(|end| f64::from(end.abs())).fold(0.0, f64::max);
    if !(range > 0.0 && reach.is_finite()) {
        return None;
    }
    let fits = |step: f64| {
        values.iter().all(|value| {
            value.iter().zip(&low).all(|(value, low)| {
                let along = f64::from(*value) - f64::from(*low);
                (along - (along / step).round() * step).abs() <= TOLERANCE * (reach + range)
            })
        })
    };
    let step = |bits: u32| range / f64::from(places(bits));
    let steps = (1..=MAX_BITS).map(step).take_while(|step| *step > 8.0 * TOLERANCE * (reach + range));
    let (bits, step) = steps.enumerate().find(|(_, step)| fits(*step))?;
    // So few places that the values need not be rounded.
    (bits >= MIN_BITS).then_some(step as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integers(component: Component) -> Option<NumberFormat> {
        Some(NumberFormat { component, normalized: true, is_decoded: false })
    }

    #[test]
    fn integers_have_the_step_of_the_bits_they_use() {
        let stored = |values: &[i16]| -> Vec<[f32; 1]> {
            values.iter().map(|value| [f32::from(*value) / 32767.0]).collect()
        };
        let all = stored(&[1, 2, 3, -32767, 12345]);
        assert_eq!(of(integers(Component::I16), &all), Some(1.0 / 32767.0));
        assert_eq!(of(integers(Component::I16), &stored(&[0, 32767, -32767])), Some(1.0 / 32767.0));
        // 14 bits with the sign, repeated to fill 16.
        let few: Vec<i16> =
            [1_i16, 2, 77, 8191, 4096].iter().map(|kept| (kept << 2) | (kept >> 11)).collect();
        assert_eq!(of(integers(Component::I16), &stored(&few)), Some(1.0 / 8191.0));
        assert_eq!(of::<4>(integers(Component::U8), &[]), Some(1.0 / 255.0));
        let raw = NumberFormat { component: Component::U16, normalized: false, is_decoded: false };
        assert_eq!(of::<3>(Some(raw), &[]), Some(1.0));
        assert_eq!(of(integers(Component::F32), &all), None);
    }

    #[test]
    fn decoded_floats_have_the_step_of_their_box() {
        let decoded = NumberFormat { component: Component::F32, normalized: false, is_decoded: true };
        let step = 3.0 / 4095.0;
        let values: Vec<[f32; 3]> = (0..4096_u32)
            .map(|n| [n, n * 7 % 1000, n * 13 % 500].map(|n| (f64::from(n) * step - 1.0) as f32))
            .collect();
        let found = of(Some(decoded), &values).unwrap();
        assert!((f64::from(found) / step - 1.0).abs() < 1e-6, "{found}");
        let scattered: Vec<[f32; 3]> = values.iter().map(|[x, y, z]| [x * x, y.sin(), z + x * 0.3]).collect();
        assert_eq!(of(Some(decoded), &scattered), None);
        assert_eq!(of(Some(decoded), &[[1.0_f32; 3]]), None);
        assert_eq!(of(Some(decoded), &[[-1.0_f32; 3], [1.0; 3], [0.0; 3]]), None, "a box does not tell");
    }
}
