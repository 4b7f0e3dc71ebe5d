//! LDR-FLIP: the visibility of a difference when a viewer flips between two pictures.
//!
//! Andersson, Nilsson, Akenine-Möller, Oskarsson, Åström, Fairchild, *FLIP: A Difference Evaluator for Alternating Images*
//! (HPG 2020). Every filter of the paper is separable, or a sum of two separable ones, and runs as rows and columns.

use super::Image;
use sinew_model::srgb;

/// Pixels per degree of vision on a 4K screen 0.7 m wide, from 0.7 m away.
const PIXELS_PER_DEGREE: f32 = 67.020_64;

/// Exponents and break points from section 4 of the paper.
const COLOR_EXPONENT: f32 = 0.7;
const FEATURE_EXPONENT: f32 = 0.5;
const BREAK_IN: f32 = 0.4;
const BREAK_OUT: f32 = 0.95;
/// Width, in degrees, of the edges and points that a viewer notices.
const FEATURE_DEGREES: f32 = 0.082;

/// A colour, or any three numbers.
type Triple = [f32; 3];

/// A plane of values, row after row.
struct Plane<T> {
    width: usize,
    height: usize,
    values: Vec<T>,
}

/// Returns the difference of each pixel, from 0 (equal) to 1, row after row, for two pictures of one size. If any pixels are
/// transparent, compares both over black and over white, and the larger difference counts.
pub fn flip(reference: &Image, test: &Image) -> Vec<f32> {
    assert!(
        (reference.width, reference.height) == (test.width, test.height),
        "only pictures of one size can be laid over each other"
    );
    if reference.rgba.is_empty() {
        return Vec::new();
    }
    let over = |ground: f32| flip_over(&opponent(reference, ground), &opponent(test, ground));
    let is_opaque = |image: &Image| image.rgba.iter().skip(3).step_by(4).all(|alpha| *alpha == 255);
    let mut values = over(0.0);
    if !(is_opaque(reference) && is_opaque(test)) {
        values.iter_mut().zip(over(1.0)).for_each(|(value, other)| *value = value.max(other));
    }
    values
}

/// Returns the difference of each pixel of two opaque pictures.
fn flip_over(reference: &Plane<Triple>, test: &Plane<Triple>) -> Vec<f32> {
    let [colors, other_colors] = [reference, test].map(|plane| perceived(filtered(plane)));
    let [features, other_features] = [reference, test].map(features);
    let largest = hyab(lab_hunt([0.0, 1.0, 0.0]), lab_hunt([0.0, 0.0, 1.0])).powf(COLOR_EXPONENT);
    let colors = colors.iter().zip(&other_colors);
    let features = features.iter().zip(&other_features);
    colors
        .zip(features)
        .map(|((a, b), (f, g))| {
            let color = spread(hyab(*a, *b).powf(COLOR_EXPONENT), largest);
            let feature = (f[0] - g[0]).abs().max((f[1] - g[1]).abs());
            let feature = (feature * std::f32::consts::FRAC_1_SQRT_2).powf(FEATURE_EXPONENT);
            color.powf((1.0 - feature).max(0.0))
        })
        .collect()
}

/// Compresses large colour differences into the last twentieth of the range.
fn spread(difference: f32, largest: f32) -> f32 {
    let knee = BREAK_IN * largest;
    if difference < knee {
        BREAK_OUT / knee * difference
    } else {
        BREAK_OUT + (difference - knee) / (largest - knee) * (1.0 - BREAK_OUT)
    }
}

/// Returns the distance in lightness plus the distance in colour, which suits large differences better than one root.
fn hyab(a: Triple, b: Triple) -> f32 {
    (a[0] - b[0]).abs() + (a[1] - b[1]).hypot(a[2] - b[2])
}

/// Returns white: the sum of the primaries.
fn white() -> Triple {
    xyz_from_linear([1.0; 3])
}

fn xyz_from_linear([r, g, b]: Triple) -> Triple {
    [
        0.412_390_8 * r + 0.357_584_33 * g + 0.180_480_8 * b,
        0.212_639 * r + 0.715_168_65 * g + 0.072_192_32 * b,
        0.019_330_818 * r + 0.119_194_78 * g + 0.950_532_14 * b,
    ]
}

fn linear_from_xyz([x, y, z]: Triple) -> Triple {
    [
        3.240_97 * x - 1.537_383_2 * y - 0.498_610_76 * z,
        -0.969_243_65 * x + 1.875_967_5 * y + 0.041_555_06 * z,
        0.055_630_08 * x - 0.203_976_96 * y + 1.056_971_5 * z,
    ]
}

/// Converts the picture over a grey background to Y, Cx, Cz. That space is linear in light, so blurring it matches vision.
fn opponent(image: &Image, ground: f32) -> Plane<Triple> {
    let white = white();
    let values = image
        .rgba
        .chunks_exact(4)
        .map(|pixel| {
            let alpha = f32::from(pixel[3]) / 255.0;
            let over = |channel: usize| f32::from(pixel[channel]) / 255.0 * alpha + ground * (1.0 - alpha);
            let linear = [0, 1, 2].map(|channel| linear_from_srgb(over(channel)));
            let [x, y, z] = xyz_from_linear(linear);
            let [x, y, z] = [x / white[0], y / white[1], z / white[2]];
            [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
        })
        .collect();
    Plane { width: image.width as usize, height: image.height as usize, values }
}

fn linear_from_srgb(value: f32) -> f32 {
    srgb::to_linear(f64::from(value)) as f32
}

/// Returns the detail that is visible at that distance, in linear colour.
fn filtered(plane: &Plane<Triple>) -> Vec<Triple> {
    // Amplitude and width of the contrast sensitivity for lightness, red-green and blue-yellow. Only the last is a sum
    // of two bells.
    const LIGHTNESS: (f32, f32) = (1.0, 0.0047);
    const RED_GREEN: (f32, f32) = (1.0, 0.0053);
    const BLUE_YELLOW: [(f32, f32); 2] = [(34.1, 0.04), (13.5, 0.025)];

    let radius = (3.0 * (BLUE_YELLOW[0].1 / (2.0 * std::f32::consts::PI.powi(2))).sqrt() * PIXELS_PER_DEGREE)
        .ceil() as i32;
    let bell = |width: f32| {
        kernel(radius, |degrees| (-std::f32::consts::PI.powi(2) * degrees * degrees / width).exp())
    };
    let blur = |kernel: &[f32], channel: usize| convolve(plane, kernel, kernel, |value| value[channel]);
    let one = |(_, width): (f32, f32)| normalized(bell(width));
    let lightness = blur(&one(LIGHTNESS), 0);
    let red_green = blur(&one(RED_GREEN), 1);
    // Weight of each bell in the sum over the whole kernel.
    let shares = BLUE_YELLOW.map(|(amplitude, width)| {
        amplitude * (std::f32::consts::PI / width).sqrt() * bell(width).iter().sum::<f32>().powi(2)
    });
    let all = shares[0] + shares[1];
    let blue_yellow = BLUE_YELLOW.map(|bell| blur(&one(bell), 2));
    let white = white();
    (0..plane.values.len())
        .map(|i| {
            let cz = (blue_yellow[0][i] * shares[0] + blue_yellow[1][i] * shares[1]) / all;
            let y = (lightness[i] + 16.0) / 116.0;
            let x = y + red_green[i] / 500.0;
            let z = y - cz / 200.0;
            linear_from_xyz([x * white[0], y * white[1], z * white[2]])
        })
        .collect()
}

fn perceived(colors: Vec<Triple>) -> Vec<Triple> {
    colors.into_iter().map(|color| lab_hunt(color.map(|channel| channel.clamp(0.0, 1.0)))).collect()
}

/// Converts to CIE L*a*b* with the Hunt effect: colours matter less in the dark.
fn lab_hunt(linear: Triple) -> Triple {
    let xyz = xyz_from_linear(linear);
    let white = white();
    let f = |axis: usize| {
        let t = xyz[axis] / white[axis];
        const DELTA: f32 = 6.0 / 29.0;
        if t > DELTA.powi(3) { t.cbrt() } else { t / (3.0 * DELTA * DELTA) + 4.0 / 29.0 }
    };
    let (x, y, z) = (f(0), f(1), f(2));
    let lightness = 116.0 * y - 16.0;
    [lightness, 0.01 * lightness * 500.0 * (x - y), 0.01 * lightness * 200.0 * (y - z)]
}

/// Returns the strength of edges and of points at each pixel.
fn features(plane: &Plane<Triple>) -> Vec<[f32; 2]> {
    let deviation = 0.5 * FEATURE_DEGREES * PIXELS_PER_DEGREE;
    let radius = (3.0 * deviation).ceil() as i32;
    let bell = |x: f32| (-x * x / (2.0 * deviation * deviation)).exp();
    let offsets = || (-radius..=radius).map(|x| x as f32);
    let across = normalized(offsets().map(bell).collect());
    let edge = signs_normalized(offsets().map(|x| -x * bell(x)).collect());
    let point =
        signs_normalized(offsets().map(|x| (x * x / (deviation * deviation) - 1.0) * bell(x)).collect());
    let gray = |value: Triple| (value[0] + 16.0) / 116.0;
    let along_x = |kernel: &[f32]| convolve(plane, kernel, &across, gray);
    let along_y = |kernel: &[f32]| convolve(plane, &across, kernel, gray);
    let (edge_x, edge_y) = (along_x(&edge), along_y(&edge));
    let (point_x, point_y) = (along_x(&point), along_y(&point));
    (0..plane.values.len()).map(|i| [edge_x[i].hypot(edge_y[i]), point_x[i].hypot(point_y[i])]).collect()
}

/// Samples a kernel of `2 · radius + 1` pixels from a function of degrees.
fn kernel(radius: i32, of_degrees: impl Fn(f32) -> f32) -> Vec<f32> {
    (-radius..=radius).map(|pixel| of_degrees(pixel as f32 / PIXELS_PER_DEGREE)).collect()
}

fn normalized(mut kernel: Vec<f32>) -> Vec<f32> {
    let sum: f32 = kernel.iter().sum();
    kernel.iter_mut().for_each(|weight| *weight /= sum);
    kernel
}

/// Normalizes positive weights to a sum of 1, negative ones to −1.
fn signs_normalized(mut kernel: Vec<f32>) -> Vec<f32> {
    let positive: f32 = kernel.iter().filter(|weight| **weight > 0.0).sum();
    let negative: f32 = kernel.iter().filter(|weight| **weight < 0.0).sum();
    kernel.iter_mut().for_each(|weight| *weight /= if *weight > 0.0 { positive } else { -negative });
    kernel
}

/// Convolves one value of each pixel with a row and a column of weights; edge pixels repeat beyond the edge.
fn convolve(plane: &Plane<Triple>, row: &[f32], column: &[f32], value: impl Fn(Triple) -> f32) -> Vec<f32> {
    let (width, height) = (plane.width, plane.height);
    let mut rows = vec![0.0; plane.values.len()];
    let mut line = Vec::new();
    for (from, to) in plane.values.chunks_exact(width).zip(rows.chunks_exact_mut(width)) {
        let beyond = |x: usize| x.saturating_sub(row.len() / 2).min(width - 1);
        line.clear();
        line.extend((0..width + row.len()).map(|x| value(from[beyond(x)])));
        row.iter().enumerate().for_each(|(offset, weight)| add_scaled(to, &line[offset..], *weight));
    }
    let mut columns = vec![0.0; plane.values.len()];
    for (y, to) in columns.chunks_exact_mut(width).enumerate() {
        for (offset, weight) in column.iter().enumerate() {
            let from = (y + offset).saturating_sub(column.len() / 2).min(height - 1);
            add_scaled(to, &rows[from * width..], *weight);
        }
    }
    columns
}

/// Adds a line of values, a weight at a time, so that the compiler vectorises it.
fn add_scaled(to: &mut [f32], from: &[f32], weight: f32) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += weight * from);
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: u32 = 96;
    const HEIGHT: u32 = 80;

    /// Makes a picture with waves of a different length in each channel, changed by `change`.
    fn waves(change: impl Fn(u32, u32, [f64; 3]) -> [f64; 3]) -> Image {
        let pixel = |i: u32| {
            let (x, y) = (i % WIDTH, i / WIDTH);
            let (across, down) = (f64::from(x), f64::from(y));
            let wave = [
                128.0 + 100.0 * (across / 7.0).sin(),
                128.0 + 90.0 * (down / 9.0).cos(),
                128.0 + 80.0 * ((across + down) / 11.0).sin(),
            ];
            let [r, g, b] = change(x, y, wave).map(|channel| channel as u8);
            [r, g, b, 255]
        };
        Image { width: WIDTH, height: HEIGHT, rgba: (0..WIDTH * HEIGHT).flat_map(pixel).collect() }
    }

    fn mean(reference: &Image, test: &Image) -> f64 {
        let values = flip(reference, test);
        values.iter().copied().map(f64::from).sum::<f64>() / values.len() as f64
    }

    /// The means equal those of the authors' program (flip-evaluator 1.7) for the same pixels.
    #[test]
    fn means_are_those_of_the_authors() {
        let base = waves(|_, _, wave| wave);
        let brighter = waves(|_, _, wave| wave.map(|channel| channel + 1.0));
        let in_patch = |x, y| (30..50).contains(&x) && (20..40).contains(&y);
        let patched = waves(|x, y, wave| if in_patch(x, y) { [255.0, 0.0, 0.0] } else { wave });
        let mut shifted = base.clone();
        shifted.rgba.chunks_exact_mut(WIDTH as usize * 4).for_each(|row| row.rotate_right(4));
        for (test, authors) in [(&brighter, 0.040_581), (&patched, 0.067_013), (&shifted, 0.152_059)] {
            let mean = mean(&base, test);
            assert!((mean - authors).abs() < 5e-6, "{mean} is not {authors}");
        }
        assert_eq!(mean(&base, &base), 0.0);
    }

    #[test]
    fn black_and_white_are_as_different_as_can_be_and_what_is_clear_counts() {
        let plain = |pixel: [u8; 4]| Image { width: 8, height: 8, rgba: pixel.repeat(64) };
        let (black, white, clear) = (plain([0, 0, 0, 255]), plain([255; 4]), plain([0; 4]));
        assert!(mean(&black, &white) > 0.95);
        // Over black the two look the same.
        assert!(mean(&black, &clear) > 0.95);
        let nothing = Image { width: 0, height: 0, rgba: Vec::new() };
        assert!(flip(&nothing, &nothing).is_empty());
    }
}
