//! Lengths as users write them: a number and a unit.

/// Units in metres, longest name first.
const UNITS: [(&str, f64); 4] = [("mm", 1e-3), ("cm", 1e-2), ("um", 1e-6), ("m", 1.0)];

/// Parses a length such as `5mm` in metres; `None` if it is invalid, negative or not finite.
pub fn read(text: &str) -> Option<f64> {
    let metres = |(unit, metres): (&str, f64)| Some(number(text.strip_suffix(unit)?)? * metres);
    UNITS.into_iter().find_map(metres)
}

/// Parses a number that is finite and not negative.
pub fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0)
}

/// Rounds up to 1, 2 or 5 times a power of ten; zero if the number is not positive.
pub fn round_up(number: f64) -> f64 {
    if !(number.is_finite() && number > 0.0) {
        return 0.0;
    }
    let ten = number.log10().floor();
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| format!("{step}e{ten}").parse().unwrap_or(number));
    // A logarithm next to a whole number may round to the wrong side; ten times the power suffices then.
    let fits = |step: &f64| step.is_finite() && *step >= number * (1.0 - 1e-12);
    steps.into_iter().find(fits).unwrap_or(number)
}

/// Rounds up to two digits; zero if the number is not positive.
pub fn round_up_finely(number: f64) -> f64 {
    if !(number.is_finite() && number > 0.0) {
        return 0.0;
    }
    let ten = number.log10().floor() - 1.0;
    let step: f64 = format!("1e{ten}").parse().unwrap_or(number);
    let steps = (number / step - 1e-9).ceil();
    format!("{steps}e{ten}").parse().unwrap_or(number)
}

/// A unit for output.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    name: &'static str,
    per_metre: f64,
}

/// The units and the lengths from which they apply, rounded to three digits. The smallest is the micrometre: a
/// nanometre is less than the rounding error of `f32` for a model's size.
const SHOWN_IN: [(f64, Unit); 4] = [
    (1e3, Unit { name: "km", per_metre: 1e-3 }),
    (1.0, Unit { name: "m", per_metre: 1.0 }),
    (1e-4, Unit { name: "mm", per_metre: 1e3 }),
    (0.0, Unit { name: "µm", per_metre: 1e6 }),
];

impl Unit {
    /// Picks the unit that suits the largest of some lengths, in metres. A table column has one unit.
    pub fn of(lengths: impl IntoIterator<Item = f64>) -> Self {
        let largest =
            lengths.into_iter().map(f64::abs).filter(|length| length.is_finite()).fold(0.0, f64::max);
        let largest: f64 = format!("{largest:.2e}").parse().unwrap_or(largest);
        let fits = |(from, _): &&(f64, Self)| largest >= *from && largest > 0.0;
        SHOWN_IN.iter().find(fits).map_or(Self { name: "mm", per_metre: 1e3 }, |(_, unit)| *unit)
    }

    /// Returns the factor from metres to the unit, and its name, for axes of plots.
    pub fn factor_and_name(self) -> (f64, &'static str) {
        (self.per_metre, self.name)
    }

    /// Formats a length with its unit: three significant digits, and at most three decimals. Zero needs no unit.
    pub fn shown(self, metres: f64) -> String {
        match metres == 0.0 {
            true => "0".to_owned(),
            false => format!("{} {}", three_digits(metres * self.per_metre), self.name),
        }
    }

    /// Formats a length and its share of a model's diagonal, if that has one.
    pub fn shown_with_share(self, metres: f64, diagonal_m: f64) -> String {
        match metres != 0.0 && diagonal_m > 0.0 {
            true => format!("{} ({} %)", self.shown(metres), three_digits(100.0 * metres / diagonal_m)),
            false => self.shown(metres),
        }
    }
}

/// Formats one length in the unit that suits it, without trailing zeros: `12.3 mm`, `1.5 m`.
pub fn shown(metres: f64) -> String {
    shown_by(metres, three_digits)
}

/// Formats the sides of a box in one unit: `25.2 x 79.0 x 155 m`.
pub fn shown_sides(sides: [f64; 3]) -> String {
    let unit = Unit::of(sides);
    let numbers = sides.map(|side| three_digits(side * unit.per_metre)).join(" x ");
    if sides == [0.0; 3] { numbers } else { format!("{numbers} {}", unit.name) }
}

/// Formats a length with six digits, for comparisons with a limit that it may just miss.
pub fn shown_finely(metres: f64) -> String {
    shown_by(metres, |number| format!("{number:.5e}").parse().unwrap_or(number).to_string())
}

fn shown_by(metres: f64, write: impl Fn(f64) -> String) -> String {
    if metres == 0.0 {
        return "0".to_owned();
    }
    let Unit { name, per_metre } = Unit::of([metres]);
    let number = write(metres * per_metre);
    let short = match number.contains('.') && !number.contains('e') {
        true => number.trim_end_matches('0').trim_end_matches('.'),
        false => &number,
    };
    format!("{short} {name}")
}

/// Formats a number with three significant digits, and at most three decimals: `0.012`. A number that would round to 0
/// is `<0.001`.
pub fn three_digits(number: f64) -> String {
    let number: f64 = format!("{number:.2e}").parse().unwrap_or(number);
    match number.abs() {
        0.0 => "0".to_owned(),
        size if size < 0.0005 => (if number > 0.0 { "<0.001" } else { ">-0.001" }).to_owned(),
        size if size < 1.0 => format!("{number:.3}"),
        size if size < 10.0 => format!("{number:.2}"),
        size if size < 100.0 => format!("{number:.1}"),
        size if size < 1e6 => format!("{number:.0}"),
        _ => format!("{number:.2e}"),
    }
}

/// Formats a number with up to four significant digits.
pub fn digits(number: f64) -> String {
    rounded(number).to_string()
}

/// Formats a number with up to two significant digits.
pub fn short(number: f64) -> String {
    format!("{number:.1e}").parse().unwrap_or(number).to_string()
}

/// Rounds to four significant digits.
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
        for (metres, text) in [
            (0.012_345_6, "12.3 mm"),
            (1.5, "1.5 m"),
            (2e-5, "20 µm"),
            (0.0, "0"),
            (-0.0, "0"),
            (2.648e-15, "<0.001 µm"),
            (1e-9, "0.001 µm"),
            (9.996e-5, "0.1 mm"),
            (0.9996, "1 m"),
            (-0.25, "-250 mm"),
            (1900.0, "1.9 km"),
            (1e12, "1.00e9 km"),
            (f64::INFINITY, "inf mm"),
        ] {
            assert_eq!(shown(metres), text);
        }
        assert_eq!((shown_finely(0.005), shown_finely(0.005_000_012)), ("5 mm".into(), "5.00001 mm".into()));
    }

    #[test]
    fn the_sides_of_a_box_have_one_unit() {
        for (sides, text) in [
            ([25.188, 79.031, 154.72], "25.2 x 79.0 x 155 m"),
            ([0.5, 0.25, 0.0], "500 x 250 x 0 mm"),
            ([1.8, 0.012, 0.3], "1.80 x 0.012 x 0.300 m"),
            ([0.0; 3], "0 x 0 x 0"),
            ([-0.0; 3], "0 x 0 x 0"),
            ([2e-5, 0.0, 0.0], "20.0 x 0 x 0 µm"),
        ] {
            assert_eq!(shown_sides(sides), text);
        }
    }

    #[test]
    fn a_column_has_one_unit() {
        let column = [0.1243, 0.00999, 0.000_056, 2.6e-15, 0.0, f64::NAN];
        let unit = Unit::of(column);
        let texts = column.map(|metres| unit.shown(metres));
        assert_eq!(texts, ["124 mm", "9.99 mm", "0.056 mm", "<0.001 mm", "0", "NaN mm"]);
        assert_eq!(Unit::of([0.0]), Unit::of([0.01]), "millimetres are usual");
        assert_eq!(unit.shown_with_share(0.0185, 1.85), "18.5 mm (1.00 %)");
        assert_eq!([(0.0, 1.0), (0.002, 0.0)].map(|(m, of)| unit.shown_with_share(m, of)), ["0", "2.00 mm"]);
    }
}
