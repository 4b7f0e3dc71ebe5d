//! Lengths as people write them: a number and a unit.

/// Units in metres, longest name first.
const UNITS: [(&str, f64); 4] = [("mm", 1e-3), ("cm", 1e-2), ("um", 1e-6), ("m", 1.0)];

/// Reads a length such as `5mm` in metres; `None` if it is none, negative or not finite.
pub fn read(text: &str) -> Option<f64> {
    let metres = |(unit, metres): (&str, f64)| Some(number(text.strip_suffix(unit)?)? * metres);
    UNITS.into_iter().find_map(metres)
}

/// Reads a number that is finite and not negative.
pub fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0)
}

/// The smallest of 1, 2 and 5 times a power of ten that is not below the number; zero for what is not positive.
pub fn round_up(number: f64) -> f64 {
    if !(number.is_finite() && number > 0.0) {
        return 0.0;
    }
    let ten = number.log10().floor();
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| format!("{step}e{ten}").parse().unwrap_or(number));
    // A logarithm next to a whole number may round to the wrong side; then ten times the power is enough.
    let fits = |step: &f64| step.is_finite() && *step >= number * (1.0 - 1e-12);
    steps.into_iter().find(fits).unwrap_or(number)
}

/// The smallest number with two digits that is not below the number; zero for what is not positive.
pub fn round_up_finely(number: f64) -> f64 {
    if !(number.is_finite() && number > 0.0) {
        return 0.0;
    }
    let ten = number.log10().floor() - 1.0;
    let step: f64 = format!("1e{ten}").parse().unwrap_or(number);
    let steps = (number / step - 1e-9).ceil();
    format!("{steps}e{ten}").parse().unwrap_or(number)
}

/// A length in the unit in which it has few digits: `12 mm`, `1.5 m`.
pub fn shown(metres: f64) -> String {
    let (unit, factor) = match metres.abs() {
        0.0 => ("m", 1.0),
        small if small < 1e-4 => ("µm", 1e6),
        small if small < 1.0 => ("mm", 1e3),
        _ => ("m", 1.0),
    };
    format!("{} {unit}", digits(metres * factor))
}

/// A number with up to four digits that count.
pub fn digits(number: f64) -> String {
    rounded(number).to_string()
}

/// A number with up to two digits that count.
pub fn short(number: f64) -> String {
    format!("{number:.1e}").parse().unwrap_or(number).to_string()
}

/// The nearest number with four digits that count.
pub fn rounded(number: f64) -> f64 {
    format!("{number:.3e}").parse().unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_units() {
        for (text, metres) in
            [("5mm", 0.005), ("0.5 cm", 0.005), ("12um", 12e-6), ("1e-3m", 0.001), ("0m", 0.0)]
        {
            assert!((read(text).unwrap() - metres).abs() < 1e-18, "{text}");
        }
        for wrong in ["", "5", "mm", "-1mm", "infm", "NaNm", "5 inches", "5%"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn scales_end_at_round_numbers() {
        for (number, up) in [
            (0.012, 0.02),
            (0.05, 0.05),
            (0.051, 0.1),
            (1.0, 1.0),
            (1e-3, 1e-3),
            (7.0, 10.0),
            (1000.0, 1000.0),
        ] {
            assert_eq!(round_up(number), up, "{number}");
        }
        for none in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(round_up(none), 0.0);
        }
        for (number, up) in [(0.0514, 0.052), (0.05, 0.05), (1.0, 1.0), (9.91, 10.0), (123.0, 130.0)] {
            assert_eq!(round_up_finely(number), up, "{number}");
        }
        assert_eq!(round_up_finely(-1.0), 0.0);
        assert!(round_up(3e-310) > 0.0 && round_up(1.5e308).is_finite());
    }

    #[test]
    fn lengths_are_shown_in_a_unit_that_fits() {
        for (metres, text) in [(0.012_345_6, "12.35 mm"), (1.5, "1.5 m"), (2e-5, "20 µm"), (0.0, "0 m")] {
            assert_eq!(shown(metres), text);
        }
    }
}
