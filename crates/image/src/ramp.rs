//! Perceptually even colour scales: two from 0 to 1, one from −1 to 1, and colours by their hue.

use sinew_model::srgb;

/// Returns the colour for a number from 0 to 1, in sRGB, from black through violet and orange to pale yellow. Clamps other
/// numbers; NaN counts as 0.
///
/// Lightness and hue change evenly in Oklab (Ottosson 2020), so equal steps look equal, the scale works in grey, and
/// colour-blind people see the same order.
pub fn heat(number: f32) -> [u8; 3] {
    let number = if number.is_nan() { 0.0 } else { number.clamp(0.0, 1.0) };
    // Oklab lightness matches CIE lightness except for an offset at black.
    let lightness = 0.97 * (0.14 + 0.86 * number);
    // The chroma is as high as the gamut allows: low in the dark and in the light.
    let chroma = (0.4 * number).min(0.03 + 0.3 * number).min(0.148).min(0.05 + 0.95 * (1.0 - number));
    let hue = (300.0 + 165.0 * number).to_radians();
    let color = srgb_from_oklab([lightness, chroma * hue.cos(), chroma * hue.sin()]);
    color.map(|channel| (channel.clamp(0.0, 1.0) * 255.0).round() as u8)
}

/// Returns the same scale from a dark violet on, for softly lit surfaces: on black no light would show.
pub fn glow(number: f32) -> [u8; 3] {
    let number = if number.is_nan() { 0.0 } else { number.clamp(0.0, 1.0) };
    let lightness = 0.97 * (0.42 + 0.58 * number);
    let chroma = (0.04 + 0.3 * number).min(0.148).min(0.05 + 0.95 * (1.0 - number));
    let hue = (300.0 + 165.0 * number).to_radians();
    let color = srgb_from_oklab([lightness, chroma * hue.cos(), chroma * hue.sin()]);
    color.map(|channel| (channel.clamp(0.0, 1.0) * 255.0).round() as u8)
}

/// Returns a colour for a number from −1 to 1, in sRGB: blue through light grey to orange, equally far from grey on both
/// sides.
pub fn balance(number: f32) -> [u8; 3] {
    let number = if number.is_nan() { 0.0 } else { number.clamp(-1.0, 1.0) };
    let off = number.abs();
    let lightness = 0.92 - 0.40 * off;
    let chroma = 0.135 * off.sqrt().min(off * 2.0);
    let hue = if number < 0.0 { 255.0_f32 } else { 50.0 }.to_radians();
    let color = srgb_from_oklab([lightness, chroma * hue.cos(), chroma * hue.sin()]);
    color.map(|channel| (channel.clamp(0.0, 1.0) * 255.0).round() as u8)
}

/// Returns the colour with a hue in degrees and a lightness, both of Oklab, in sRGB. At 0.6 to 0.8 every hue is within the
/// gamut.
pub fn hue(degrees: f32, lightness: f32) -> [u8; 3] {
    let hue = degrees.to_radians();
    let color = srgb_from_oklab([lightness, 0.115 * hue.cos(), 0.115 * hue.sin()]);
    color.map(|channel| (channel.clamp(0.0, 1.0) * 255.0).round() as u8)
}

fn srgb_from_oklab([lightness, a, b]: [f32; 3]) -> [f32; 3] {
    let l = (lightness + 0.396_337_78 * a + 0.215_803_76 * b).powi(3);
    let m = (lightness - 0.105_561_346 * a - 0.063_854_17 * b).powi(3);
    let s = (lightness - 0.089_484_18 * a - 1.291_485_5 * b).powi(3);
    let linear = [
        4.076_741_7 * l - 3.307_711_6 * m + 0.230_969_94 * s,
        -1.268_438 * l + 2.609_757_4 * m - 0.341_319_4 * s,
        -0.004_196_086_3 * l - 0.703_418_6 * m + 1.707_614_7 * s,
    ];
    linear.map(|channel| srgb::from_linear(f64::from(channel)) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hues_are_told_apart_all_around() {
        let distance = |a: [u8; 3], b: [u8; 3]| {
            a.into_iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(b))).max().unwrap()
        };
        for lightness in [0.6, 0.7, 0.8] {
            for degrees in (0_u16..360).step_by(5) {
                let [one, other] = [0.0, 30.0].map(|by| hue(f32::from(degrees) + by, lightness));
                assert!(distance(one, other) > 20, "{degrees} at {lightness}: {one:?} {other:?}");
            }
        }
    }

    /// Returns the CIE lightness of a colour.
    fn lightness(color: [u8; 3]) -> f32 {
        let linear = color.map(|channel| srgb::to_linear(f64::from(channel) / 255.0) as f32);
        let y = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
        if y > 0.008_856 { 116.0 * y.cbrt() - 16.0 } else { 903.3 * y }
    }

    #[test]
    fn it_rises_evenly_from_black_to_nearly_white() {
        let steps: Vec<f32> = (0..=20).map(|step| lightness(heat(step as f32 / 20.0))).collect();
        assert!(heat(0.0).iter().all(|channel| *channel < 12), "{:?}", heat(0.0));
        assert!(steps[20] > 92.0, "{steps:?}");
        for pair in steps.windows(2) {
            let rise = pair[1] - pair[0];
            // Near black, eight bits leave few steps.
            assert!((2.5..6.0).contains(&rise), "{rise} in {steps:?}");
        }
    }

    #[test]
    fn the_scale_for_lit_surfaces_rises_as_evenly_from_dark_violet() {
        let steps: Vec<f32> = (0..=20).map(|step| lightness(glow(step as f32 / 20.0))).collect();
        assert!((26.0..40.0).contains(&steps[0]) && steps[20] > 92.0, "{steps:?}");
        for pair in steps.windows(2) {
            let rise = pair[1] - pair[0];
            assert!((1.8..5.0).contains(&rise), "{rise} in {steps:?}");
        }
        assert_eq!((glow(f32::NAN), glow(7.0)), (glow(0.0), glow(1.0)));
    }

    #[test]
    fn both_sides_of_a_balance_darken_alike() {
        assert_eq!(balance(0.0), balance(f32::NAN));
        let grey = balance(0.0);
        assert!(grey.iter().all(|channel| channel.abs_diff(grey[0]) <= 1), "{grey:?}");
        for step in 0_u8..10 {
            let off = f32::from(step) / 10.0;
            for side in [-1.0, 1.0] {
                let [near, far] = [off, off + 0.1].map(|off| lightness(balance(side * off)));
                assert!((2.5..6.5).contains(&(near - far)), "{near} {far} at {off}");
            }
            let apart = lightness(balance(off)) - lightness(balance(-off));
            assert!(apart.abs() < 4.0, "{apart} at {off}");
        }
        let [blue, orange] = [balance(-1.0), balance(1.0)];
        assert!(blue[2] > blue[0] + 60 && orange[0] > orange[2] + 60, "{blue:?} {orange:?}");
    }

    #[test]
    fn what_is_no_number_from_0_to_1_is_brought_inside() {
        assert_eq!(heat(f32::NAN), heat(0.0));
        assert_eq!(heat(-3.0), heat(0.0));
        assert_eq!(heat(f32::INFINITY), heat(1.0));
    }
}
