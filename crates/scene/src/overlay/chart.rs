//! Draws charts as an image, on the CPU: curves over a common axis, with round ticks and a label at each curve.

use super::letters::Letters;
use sinew_image::Image;
use sinew_text::writing::line;

/// A chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// The title, above the chart.
    pub title: String,
    /// The label at the end of the common axis.
    pub along: String,
    /// The smallest range of the vertical axis, so that noise does not fill the chart.
    pub least: f64,
    /// The curves, in drawing order.
    pub curves: Vec<Curve>,
}

/// A curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// The label at its end.
    pub name: String,
    /// Colour in sRGB.
    pub color: [u8; 3],
    /// Points, from left to right; a gap where a number is not finite.
    pub points: Vec<[f64; 2]>,
}

/// Colours that remain distinct for all kinds of colour vision (Okabe and Ito 2008).
pub const COLORS: [[u8; 3]; 6] =
    [[0, 114, 178], [213, 94, 0], [0, 158, 115], [204, 121, 167], [86, 180, 233], [0, 0, 0]];

const PAPER: [u8; 3] = [250, 250, 250];
pub(super) const TEXT: [u8; 3] = [40, 42, 46];
const LINES: [u8; 3] = [205, 207, 211];

/// Pixels around the plot area: left, top, right, bottom.
const MARGIN: [f64; 4] = [64.0, 44.0, 16.0, 30.0];

/// Text height in pixels.
const LETTERS: u32 = 14;

/// Draws a line of text as an image, to place above charts.
pub fn draw_text(text: &str, width: u32) -> Image {
    let mut canvas = Canvas::new(width.max(1), 2 * LETTERS);
    canvas.text(&line(text), 8.0, f64::from(LETTERS) + 6.0, TEXT);
    canvas.image
}

/// Draws charts of equal size side by side.
pub fn draw(charts: &[Chart], width: u32, height: u32) -> Image {
    let mut canvas = Canvas::new(width.max(1), height.max(1));
    let each = f64::from(width) / charts.len().max(1) as f64;
    for (number, chart) in charts.iter().enumerate() {
        canvas.chart(chart, number as f64 * each, each);
    }
    canvas.image
}

/// An image to draw on, with letters.
pub(super) struct Canvas {
    pub(super) image: Image,
    pub(super) letters: Letters,
}

impl Canvas {
    /// Creates an empty canvas.
    pub(super) fn new(width: u32, height: u32) -> Self {
        let [r, g, b] = PAPER;
        let rgba = [r, g, b, u8::MAX].repeat(width as usize * height as usize);
        let mut letters = Letters::default();
        letters.set_height(LETTERS);
        Self { image: Image { width, height, rgba }, letters }
    }

    fn chart(&mut self, chart: &Chart, left: f64, width: f64) {
        let height = f64::from(self.image.height);
        let field =
            Field::new(chart, [left + MARGIN[0], MARGIN[1]], [left + width - MARGIN[2], height - MARGIN[3]]);
        self.text(&line(&chart.title), left + 8.0, 16.0, TEXT);
        for tick in ticks(field.low[1], field.high[1], (field.end[1] - field.start[1]) / 36.0) {
            let [_, y] = field.place([field.low[0], tick.0]);
            self.line([field.start[0], y], [field.end[0], y], 1.0, LINES);
            let wide = f64::from(self.letters.width_of(&tick.1));
            self.text(&tick.1, field.start[0] - wide - 5.0, y + 5.0, TEXT);
        }
        for tick in ticks(field.low[0], field.high[0], (field.end[0] - field.start[0]) / 64.0) {
            let [x, _] = field.place([tick.0, field.low[1]]);
            self.line([x, field.start[1]], [x, field.end[1]], 1.0, LINES);
            let wide = f64::from(self.letters.width_of(&tick.1));
            self.text(&tick.1, x - wide * 0.5, field.end[1] + 16.0, TEXT);
        }
        let wide = f64::from(self.letters.width_of(&chart.along));
        self.text(&chart.along, field.end[0] - wide, field.end[1] + 28.0, TEXT);
        let mut pen = left + 8.0;
        for curve in &chart.curves {
            self.line([pen, 28.0], [pen + 16.0, 28.0], 3.0, curve.color);
            let name = line(&curve.name);
            self.text(&name, pen + 20.0, 33.0, TEXT);
            pen += 32.0 + f64::from(self.letters.width_of(&name));
            for pair in curve.points.windows(2) {
                if pair.iter().flatten().all(|number| number.is_finite()) {
                    self.line(field.place(pair[0]), field.place(pair[1]), 2.0, curve.color);
                }
            }
        }
    }

    /// Draws an antialiased line.
    pub(super) fn line(&mut self, from: [f64; 2], to: [f64; 2], wide: f64, color: [u8; 3]) {
        let reach = wide * 0.5 + 1.0;
        let bounds = |axis: usize, side: u32| {
            let first = (from[axis].min(to[axis]) - reach).floor().max(0.0);
            let last = (from[axis].max(to[axis]) + reach).ceil().min(f64::from(side));
            first as u32..last.max(0.0) as u32
        };
        let along = [to[0] - from[0], to[1] - from[1]];
        let squared = along[0] * along[0] + along[1] * along[1];
        for y in bounds(1, self.image.height) {
            for x in bounds(0, self.image.width) {
                let [px, py] = [f64::from(x) + 0.5 - from[0], f64::from(y) + 0.5 - from[1]];
                let t = if squared > 0.0 { (px * along[0] + py * along[1]) / squared } else { 0.0 };
                let t = t.clamp(0.0, 1.0);
                let apart = (px - along[0] * t).hypot(py - along[1] * t);
                self.blend(x, y, color, (wide * 0.5 + 0.5 - apart).clamp(0.0, 1.0));
            }
        }
    }

    /// Draws text from `x` on, above the line `base`.
    pub(super) fn text(&mut self, text: &str, x: f64, base: f64, color: [u8; 3]) {
        let mut pen = x.round() as i64;
        for letter in text.chars() {
            if let Some(place) = self.letters.place(letter, false) {
                let ([wide, _], coverage) = self.letters.coverage();
                let pixel = |row: u32, column: u32| {
                    let at = (place.at[1] + row) as usize * wide as usize + (place.at[0] + column) as usize;
                    coverage.get(at).copied().unwrap_or(0)
                };
                let rows =
                    (0..place.size[1]).flat_map(|row| (0..place.size[0]).map(move |column| (row, column)));
                let covered: Vec<(u32, u32, u8)> =
                    rows.map(|(row, column)| (row, column, pixel(row, column))).collect();
                for (row, column, covered) in covered {
                    let x = pen + i64::from(place.from_pen[0]) + i64::from(column);
                    let y = base.round() as i64 + i64::from(place.from_pen[1]) + i64::from(row);
                    if let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y)) {
                        self.blend(x, y, color, f64::from(covered) / 255.0);
                    }
                }
            }
            pen += self.letters.advance_of(letter) as i64;
        }
    }

    fn blend(&mut self, x: u32, y: u32, color: [u8; 3], share: f64) {
        if x >= self.image.width || y >= self.image.height {
            return;
        }
        let at = (y as usize * self.image.width as usize + x as usize) * 4;
        for (channel, color) in self.image.rgba.iter_mut().skip(at).zip(color) {
            let mixed = f64::from(*channel) * (1.0 - share) + f64::from(color) * share;
            *channel = mixed.round() as u8;
        }
    }
}

/// Maps values to positions on the canvas.
struct Field {
    low: [f64; 2],
    high: [f64; 2],
    start: [f64; 2],
    end: [f64; 2],
}

impl Field {
    fn new(chart: &Chart, start: [f64; 2], end: [f64; 2]) -> Self {
        let points = || chart.curves.iter().flat_map(|curve| &curve.points);
        let finite = |axis: usize| points().map(move |point| point[axis]).filter(|number| number.is_finite());
        let mut low = [0, 1].map(|axis| finite(axis).fold(f64::INFINITY, f64::min));
        let mut high = [0, 1].map(|axis| finite(axis).fold(f64::NEG_INFINITY, f64::max));
        for axis in [0, 1] {
            if low[axis] > high[axis] {
                (low[axis], high[axis]) = (0.0, 1.0);
            }
            let more = chart.least - (high[axis] - low[axis]);
            if axis == 1 && more > 0.0 {
                // Axes of values that cannot be negative begin at zero.
                let below = if low[axis] == 0.0 { 0.0 } else { more * 0.5 };
                (low[axis], high[axis]) = (low[axis] - below, high[axis] + (more - below));
            }
            if high[axis] - low[axis] < 1e-9 * high[axis].abs().max(1e-9) {
                let room = if high[axis] == 0.0 { 1.0 } else { high[axis].abs() * 0.5 };
                (low[axis], high[axis]) = (low[axis], high[axis] + room);
            }
        }
        let room = 0.06 * (high[1] - low[1]);
        (low[1], high[1]) = (low[1] - room, high[1] + room);
        Self { low, high, start, end }
    }

    fn place(&self, point: [f64; 2]) -> [f64; 2] {
        let share = |axis: usize| (point[axis] - self.low[axis]) / (self.high[axis] - self.low[axis]);
        let [x, y] = [share(0), 1.0 - share(1)];
        [self.start[0] + x * (self.end[0] - self.start[0]), self.start[1] + y * (self.end[1] - self.start[1])]
    }
}

/// Returns round values in a range, at most `most`, with their labels.
fn ticks(low: f64, high: f64, most: f64) -> Vec<(f64, String)> {
    let wanted = (high - low) / most.max(1.0);
    let ten = wanted.log10().floor();
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * 10_f64.powf(ten));
    let Some(step) = steps.into_iter().find(|step| *step >= wanted * 0.999) else { return Vec::new() };
    let digits = (-step.log10().floor()).clamp(0.0, 9.0) as usize;
    let first = (low / step).ceil();
    let count = ((high / step).floor() - first).clamp(0.0, 100.0) as u32;
    let tick = |number: u32| {
        let at = (first + f64::from(number)) * step;
        // Avoids "-0".
        let at = if at.abs() < step * 1e-6 { 0.0 } else { at };
        (at, format!("{at:.digits$}"))
    };
    (0..=count).map(tick).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_few() {
        let labels =
            |low, high, most| ticks(low, high, most).into_iter().map(|(_, text)| text).collect::<Vec<_>>();
        assert_eq!(labels(0.0, 180.0, 4.0), ["0", "50", "100", "150"]);
        assert_eq!(labels(-0.06, 1.06, 6.0), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert!(labels(0.0, f64::INFINITY, 4.0).len() < 200);
    }

    #[test]
    fn a_curve_has_its_colour_where_its_numbers_are() {
        let points = vec![[0.0, 0.0], [1.0, 1.0], [2.0, f64::NAN]];
        let curve = Curve { name: "a".to_owned(), color: [255, 0, 0], points };
        let chart =
            Chart { title: "title".to_owned(), along: "degrees".to_owned(), least: 0.0, curves: vec![curve] };
        let image = draw(std::slice::from_ref(&chart), 300, 200);
        let field = Field::new(&chart, [MARGIN[0], MARGIN[1]], [300.0 - MARGIN[2], 200.0 - MARGIN[3]]);
        let [x, y] = field.place([0.5, 0.5]).map(|at| at as usize);
        let [red, green, blue] = [0, 1, 2].map(|channel| image.rgba[(y * 300 + x) * 4 + channel]);
        assert!(red > 200 && green < 100 && blue < 100, "{red} {green} {blue}");
        assert_eq!(draw(&[], 0, 0).rgba.len(), 4);
    }

    #[test]
    fn noise_stays_low() {
        let chart = |low: f64, high: f64| {
            let curve = Curve { name: String::new(), color: [0; 3], points: vec![[0.0, low], [1.0, high]] };
            Chart { title: String::new(), along: String::new(), least: 0.01, curves: vec![curve] }
        };
        let height = |low, high| {
            let field = Field::new(&chart(low, high), [0.0; 2], [100.0; 2]);
            (field.low[1], field.high[1])
        };
        for (low, high) in [(1.0, 1.0), (0.9999, 1.0002), (-0.001, 0.0)] {
            let (bottom, top) = height(low, high);
            assert!(top - bottom >= 0.01 && bottom < low && high < top, "{low} {high}: {bottom} {top}");
        }
        let (bottom, top) = height(0.0, 0.001);
        assert!(bottom > -0.001 && (0.01..0.012).contains(&top), "{bottom} {top}");
        let (bottom, top) = height(0.5, 1.0);
        assert!((top - bottom - 0.56).abs() < 1e-12, "only what is too low is made higher");
    }
}
