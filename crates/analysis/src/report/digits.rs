//! Rounds the numbers of a report.

/// Rounds to six significant digits, so that a report does not depend on the last bits of a sum; `None` if the number is not
/// finite.
pub fn six_digits(number: f64) -> Option<f64> {
    format!("{number:.5e}").parse().ok().filter(|number: &f64| number.is_finite())
}
