//! Numbers with their nouns.

/// Formats a number and its noun: `1 mesh`, `2 meshes`.
pub fn many(count: usize, noun: &str) -> String {
    format!("{count} {}", form(count as u64, noun))
}

/// Returns the form of a noun after a number.
pub fn form(count: u64, noun: &str) -> String {
    match (count, noun.rsplit(' ').next()) {
        (1, _) => noun.to_owned(),
        (_, Some("mesh")) => format!("{noun}es"),
        (_, Some("vertex")) => format!("{}ices", noun.strip_suffix("ex").unwrap_or(noun)),
        _ => format!("{noun}s"),
    }
}

/// Formats a number with this many decimals; what rounds to zero has no sign.
pub fn fixed(number: impl Into<f64>, decimals: usize) -> String {
    without_negative_zero(format!("{:.decimals$}", number.into()))
}

/// Removes the minus sign from a number that was rounded to zero: `-0.000` becomes `0.000`. A unit may follow the
/// number.
pub fn without_negative_zero(text: String) -> String {
    let is_zero = |rest: &str| {
        let end = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(rest.len());
        let (number, _) = rest.split_at(end);
        !number.is_empty() && number.chars().all(|letter| matches!(letter, '0' | '.'))
    };
    match text.strip_prefix('-').filter(|rest| is_zero(rest)) {
        Some(rest) => rest.to_owned(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_has_no_sign() {
        for (text, shown) in [
            ("-0.000 m", "0.000 m"),
            ("-0", "0"),
            ("-0.0°", "0.0°"),
            ("-0.001", "-0.001"),
            ("-10.0", "-10.0"),
            ("0.0", "0.0"),
            ("-", "-"),
            ("-x", "-x"),
            ("-0e5", "0e5"),
            ("-0.0001 m", "-0.0001 m"),
        ] {
            assert_eq!(without_negative_zero(text.to_owned()), shown);
        }
    }

    #[test]
    fn rounded_numbers_are_never_minus_zero() {
        let none: [f64; 0] = [];
        for (number, decimals, shown) in [
            // The sum of no numbers is -0.
            (none.iter().sum(), 3, "0.000"),
            (-0.0004, 3, "0.000"),
            (-0.0006, 3, "-0.001"),
            (-0.4, 0, "0"),
            (12.0, 1, "12.0"),
            (f64::NEG_INFINITY, 1, "-inf"),
        ] {
            assert_eq!(fixed(number, decimals), shown);
        }
    }

    #[test]
    fn one_thing_is_not_many() {
        for (one, more) in [
            ("clip", "clips"),
            ("mesh", "meshes"),
            ("vertex", "vertices"),
            ("closed part", "closed parts"),
            ("lost vertex", "lost vertices"),
        ] {
            assert_eq!(many(1, one), format!("1 {one}"));
            assert_eq!([0, 2, 21].map(|n| many(n, one)), [0, 2, 21].map(|n| format!("{n} {more}")));
        }
    }
}
