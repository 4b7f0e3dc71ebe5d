//! Draws labelled bars as an image, on the CPU: one below the other, from zero.

use super::chart::{Canvas, TEXT};
use sinew_image::Image;
use sinew_text::words::fixed;
use sinew_text::writing::line;

/// A bar.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// The label before it.
    pub name: String,
    /// Its length, written behind it.
    pub value: f64,
    /// Colour in sRGB.
    pub color: [u8; 3],
}

/// Pixels from bar to bar, and the thickness of one.
const ROW: f64 = 18.0;
const THICK: f64 = 9.0;

/// Pixels above the bars, and around everything.
const TOP: f64 = 36.0;
const MARGIN: f64 = 10.0;

/// Pixels for a number behind a bar.
const NUMBER: f64 = 70.0;

/// Draws bars below a title. The longest fills the width.
pub fn draw_bars(title: &str, bars: &[Bar], width: u32) -> Image {
    let height = TOP + ROW * bars.len() as f64 + MARGIN;
    let mut canvas = Canvas::new(width.max(1), height as u32);
    canvas.text(&line(title), MARGIN, 20.0, TEXT);
    let wide = |canvas: &Canvas, text: &str| f64::from(canvas.letters.width_of(text));
    let names: Vec<String> = bars.iter().map(|bar| line(&bar.name).into_owned()).collect();
    let widest = names.iter().map(|name| wide(&canvas, name)).fold(0.0, f64::max);
    let left = (MARGIN * 2.0 + widest).min(f64::from(width) * 0.6);
    let room = (f64::from(width) - left - NUMBER - MARGIN).max(1.0);
    let longest = bars.iter().map(|bar| bar.value).filter(|value| value.is_finite()).fold(0.0, f64::max);
    for (number, (bar, name)) in bars.iter().zip(&names).enumerate() {
        let middle = TOP + ROW * (number as f64 + 0.5);
        canvas.text(name, left - MARGIN - wide(&canvas, name), middle + 5.0, TEXT);
        let share = if longest > 0.0 { (bar.value / longest).clamp(0.0, 1.0) } else { 0.0 };
        let end = left + if share.is_nan() { 0.0 } else { share * room };
        canvas.line([left, middle], [end, middle], THICK, bar.color);
        canvas.text(&fixed(bar.value, 3), end + MARGIN, middle + 5.0, TEXT);
    }
    canvas.image
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_long_as_its_value() {
        let bar = |value, color| Bar { name: "bar".to_owned(), value, color };
        let bars = [bar(4.0, [255, 0, 0]), bar(1.0, [0, 0, 255]), bar(f64::NAN, [0, 255, 0])];
        let image = draw_bars("title", &bars, 400);
        let is =
            |color: [u8; 3]| image.rgba.chunks_exact(4).filter(|pixel| pixel[..3] == color).count() as f64;
        let (long, short) = (is([255, 0, 0]), is([0, 0, 255]));
        assert!(long > 1000.0 && (0.2..0.35).contains(&(short / long)), "{long} {short}");
        assert_eq!(draw_bars("", &[], 0).width, 1);
    }
}
