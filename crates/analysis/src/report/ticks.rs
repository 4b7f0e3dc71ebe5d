//! Round numbers along an axis.

use sinew_text::length::round_up;

/// Returns round numbers from `low` to `high`, at most one more than `most`, and their number of digits after the point.
pub fn ticks(low: f64, high: f64, most: usize) -> (Vec<f64>, usize) {
    let step = round_up((high - low) / most.max(1) as f64);
    let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
    if !(step > 0.0 && first.is_finite() && last.is_finite()) {
        return (Vec::new(), 0);
    }
    // Adding zero makes −0 of a label 0. The cast saturates.
    let count = (last - first + 1.0).clamp(0.0, most as f64 + 1.0) as usize;
    let numbers = (0..count).map(|number| (first + number as f64) * step + 0.0).collect();
    (numbers, (-step.log10() - 1e-9).ceil().clamp(0.0, 12.0) as usize)
}

/// Formats a tick.
pub fn label(tick: f64, digits: usize) -> String {
    match tick.abs() < 1e6 {
        true => format!("{tick:.digits$}"),
        false => format!("{tick:.1e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_few() {
        let labels = |low, high, most| {
            let (ticks, digits) = ticks(low, high, most);
            ticks.iter().map(|&tick| label(tick, digits)).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(labels(0.0, 1.0, 5), "0.0 0.2 0.4 0.6 0.8 1.0");
        assert_eq!(labels(0.03, 1.37, 5), "0.5 1.0");
        assert_eq!(labels(0.0, 133.0, 5), "0 50 100");
        assert_eq!(labels(97.0, 102.0, 5), "97 98 99 100 101 102");
        assert_eq!(labels(-0.02, 0.03, 4), "-0.02 0.00 0.02");
        assert_eq!(labels(0.0, 4e7, 2), "0 2.0e7 4.0e7");
        for (low, high) in [(0.0, 0.0), (1.0, -1.0), (0.0, f64::NAN), (0.0, f64::INFINITY), (-1e308, 1e308)] {
            assert!(ticks(low, high, 5).0.len() <= 6, "{low} {high}");
        }
        assert!(ticks(1e300, 1e300 * (1.0 + 1e-15), 5).0.len() <= 6);
    }
}
