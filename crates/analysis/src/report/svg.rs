//! Draws numbers against time as SVG. Each mode has a colour and a dash pattern, for readers who cannot distinguish colours.

use std::fmt::Write;

use super::reduce::reduced;
use super::ticks::{label, ticks};
use crate::metric::Unit;
use sinew_text::html::escaped;
use sinew_text::length;

/// The size of the picture.
const SIZE: [f64; 2] = [520.0, 230.0];

/// The positions of the axes: left, top, right, bottom.
const BOX: [f64; 4] = [44.0, 42.0, 488.0, 204.0];

/// The number of line styles; the page may set the colours `--mode-0`, `--mode-1` and so on.
pub const STYLES: usize = 6;

/// For each style a colour, if the page sets none, and a dash pattern. The colours are distinguishable with all common kinds
/// of colour blindness (Okabe and Ito, Color Universal Design).
const STYLE: [(&str, &str); STYLES] = [
    ("#d55e00", "2 3"),
    ("#cc79a7", "7 3"),
    ("#0072b2", ""),
    ("#009e73", "9 3 2 3"),
    ("#e69f00", "4 2"),
    ("#56b4e9", "1 2"),
];

/// A mode's lines.
pub struct Line<'a> {
    /// The mode.
    pub label: String,
    /// The index of its style.
    pub style: usize,
    /// The numbers at each time.
    pub series: Vec<&'a [Option<f64>]>,
}

/// The content of a plot.
pub struct Plot<'a> {
    /// The quantity.
    pub title: &'a str,
    /// The unit.
    pub unit: Unit,
    /// The times, ascending.
    pub times: &'a [f64],
    /// The modes.
    pub lines: Vec<Line<'a>>,
    /// The limits beyond which there is a problem.
    pub limits: Vec<f64>,
}

/// The conversion of numbers to pixels.
struct Axes {
    /// The factor for displayed numbers.
    factor: f64,
    /// The suffix of displayed numbers.
    unit: &'static str,
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Axes {
    /// Fits the axes to all numbers; `None` if there are none, or they are too large to be drawn.
    fn new(plot: &Plot) -> Option<Self> {
        let numbers = plot.lines.iter().flat_map(|line| &line.series).copied().flatten().flatten();
        let range = |range: Option<(f64, f64)>, &number: &f64| {
            let (low, high) = range.unwrap_or((number, number));
            Some((low.min(number), high.max(number)))
        };
        let (mut low, mut high) = numbers.filter(|number| number.is_finite()).fold(None, range)?;
        // The best value is always visible, and the noise around it stays small.
        let (best, least) = match plot.unit {
            Unit::Ratio => (1.0, 0.02),
            Unit::Metres => (0.0, 0.0),
            Unit::Triangles | Unit::Vertices => (0.0, 1.0),
        };
        (low, high) = (low.min(best), high.max(best + least));
        let (factor, unit) = match plot.unit {
            Unit::Ratio => (100.0, "%"),
            Unit::Metres => length::Unit::of([high]).factor_and_name(),
            Unit::Triangles | Unit::Vertices => (1.0, ""),
        };
        let margin = (high - low) * 0.03;
        let low = if low < best { low - margin } else { low };
        let (low, high) = (low * factor, (high + margin) * factor);
        let (from, to) = (*plot.times.first()?, *plot.times.last()?);
        let is_drawable =
            high - low > 0.0 && (high - low).is_finite() && to - from > 0.0 && (to - from).is_finite();
        is_drawable.then_some(Self { factor, unit, low, high, from, to })
    }

    fn x(&self, time: f64) -> f64 {
        BOX[0] + (time - self.from) / (self.to - self.from) * (BOX[2] - BOX[0])
    }

    /// Returns the height of a number that is already multiplied.
    fn y(&self, number: f64) -> f64 {
        BOX[3] - (number - self.low) / (self.high - self.low) * (BOX[3] - BOX[1])
    }
}

/// Draws a plot; `None` if there is nothing to draw: no numbers, or less than two times.
pub fn svg(plot: &Plot) -> Option<String> {
    let axes = Axes::new(plot)?;
    let [width, height] = SIZE;
    let unit = if axes.unit.is_empty() { String::new() } else { format!(", {}", axes.unit) };
    let title = escaped(&format!("{}{unit}", plot.title));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\" aria-label=\"{title}\" fill=\"currentColor\" \
         font-family=\"system-ui, sans-serif\" font-size=\"12\">\n\
         <text x=\"0\" y=\"13\" font-weight=\"600\">{title}</text>\n"
    );
    legend(&mut out, plot);
    grid(&mut out, &axes, &plot.limits);
    for line in &plot.lines {
        let (color, dashes) = STYLE[line.style % STYLES];
        for series in &line.series {
            let path = path(&axes, plot.times, series);
            let _ = writeln!(
                out,
                "<path d=\"{path}\" fill=\"none\" style=\"stroke:var(--mode-{},{color})\" stroke-width=\"1.6\" \
                 stroke-dasharray=\"{}\" stroke-linejoin=\"round\"/>",
                line.style % STYLES,
                if dashes.is_empty() { "none" } else { dashes },
            );
        }
    }
    out.push_str("</svg>\n");
    Some(out)
}

/// Draws a sample of each mode's line with its name.
fn legend(out: &mut String, plot: &Plot) {
    let mut x = BOX[0];
    for line in &plot.lines {
        let (color, dashes) = STYLE[line.style % STYLES];
        let _ = writeln!(
            out,
            "<path d=\"M{x:.0} 28h26\" style=\"stroke:var(--mode-{},{color})\" stroke-width=\"2\" \
             stroke-dasharray=\"{}\"/><text x=\"{:.0}\" y=\"32\">{}</text>",
            line.style % STYLES,
            if dashes.is_empty() { "none" } else { dashes },
            x + 31.0,
            escaped(&line.label),
        );
        x += 52.0 + 7.0 * line.label.chars().count().min(20) as f64;
    }
}

/// Draws both axes with round numbers, and the limits of problems.
fn grid(out: &mut String, axes: &Axes, limits: &[f64]) {
    let [left, top, right, bottom] = BOX;
    let (numbers, digits) = ticks(axes.low, axes.high, 5);
    for tick in numbers {
        let y = axes.y(tick);
        let _ = writeln!(
            out,
            "<path d=\"M{left} {y:.1}H{right}\" stroke=\"currentColor\" stroke-opacity=\".14\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\" opacity=\".75\">{}</text>",
            left - 6.0,
            y + 4.0,
            label(tick, digits),
        );
    }
    let (times, digits) = ticks(axes.from, axes.to, 8);
    for (at, &tick) in times.iter().enumerate() {
        let x = axes.x(tick);
        let unit = if at + 1 == times.len() { " s" } else { "" };
        let _ = writeln!(
            out,
            "<path d=\"M{x:.1} {bottom}v4\" stroke=\"currentColor\" stroke-opacity=\".5\"/>\
             <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\" opacity=\".75\">{}{unit}</text>",
            bottom + 17.0,
            label(tick, digits),
        );
    }
    let shown = |limit: &&f64| (axes.low..=axes.high).contains(&(**limit * axes.factor));
    for limit in limits.iter().filter(shown) {
        let y = axes.y(limit * axes.factor);
        let _ = writeln!(
            out,
            "<path d=\"M{left} {y:.1}H{right}\" style=\"stroke:var(--bad,#c02b3c)\" stroke-opacity=\".6\"/>\
             <text x=\"{}\" y=\"{:.1}\" font-size=\"11\" style=\"fill:var(--bad,#c02b3c)\">limit</text>",
            right + 4.0,
            y + 4.0,
        );
    }
    let _ =
        writeln!(out, "<path d=\"M{left} {top}V{bottom}H{right}\" fill=\"none\" stroke=\"currentColor\"/>");
}

/// Draws a line through the numbers, with gaps for missing ones.
fn path(axes: &Axes, times: &[f64], series: &[Option<f64>]) -> String {
    let mut path = String::new();
    let mut is_open = false;
    let points = times.iter().zip(series).map(|(&time, number)| {
        let number = number.filter(|number| number.is_finite())?;
        Some([axes.x(time), axes.y(number * axes.factor)])
    });
    for point in reduced(points) {
        let Some([x, y]) = point else {
            is_open = false;
            continue;
        };
        let _ = write!(path, "{}{x:.1} {y:.1}", if is_open { "L" } else { "M" });
        is_open = true;
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot<'a>(times: &'a [f64], series: &'a [Option<f64>]) -> Plot<'a> {
        let line = Line { label: "dqs <&>".to_owned(), style: 2, series: vec![series] };
        Plot { title: "a \"b\" <c>", unit: Unit::Metres, times, lines: vec![line], limits: vec![0.5] }
    }

    #[test]
    fn thousands_of_frames_become_few_points_and_keep_their_peak() {
        let times: Vec<f64> = (0..100_000).map(|frame| f64::from(frame) / 30.0).collect();
        let mut series: Vec<Option<f64>> =
            times.iter().map(|time| Some(0.3 + 0.1 * (time * 0.01).sin())).collect();
        series[61_803] = Some(1.0);
        series[61_804] = Some(0.0);
        let plot = plot(&times, &series);
        let axes = Axes::new(&plot).unwrap();
        let text = svg(&plot).unwrap();
        let line = text.lines().find(|line| line.contains("fill=\"none\" style")).unwrap();
        for peak in [1.0, 0.0] {
            let [x, y] = [axes.x(61_803.5 / 30.0), axes.y(peak * axes.factor)];
            assert!(line.contains(&format!("{x:.1} {y:.1}")), "{peak} {x} {y}");
        }
        assert!(text.len() < 20_000 && !text.contains("NaN") && !text.contains("inf"));
    }

    #[test]
    fn gaps_stay_and_names_are_text() {
        let series = [None, Some(0.1), Some(0.2), None, None, Some(f64::NAN), Some(0.9), None];
        let times = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
        let text = svg(&plot(&times, &series)).unwrap();
        let lines: Vec<&str> = text.lines().filter(|line| line.contains("fill=\"none\" style")).collect();
        assert_eq!((lines.len(), lines[0].matches('M').count(), lines[0].matches('L').count()), (1, 2, 1));
        assert!(text.contains("dqs &lt;&amp;&gt;") && text.contains("a &quot;b&quot; &lt;c&gt;"), "{text}");
        assert!(text.contains("limit"));
    }

    #[test]
    fn what_cannot_be_drawn_is_left_out() {
        assert!(svg(&plot(&[0.0], &[Some(1.0)])).is_none());
        assert!(svg(&plot(&[0.0, 1.0], &[None, None])).is_none());
        assert!(svg(&plot(&[0.0, 1.0], &[Some(-1e308), Some(1e308)])).is_none());
        assert!(svg(&plot(&[], &[])).is_none());
    }
}
