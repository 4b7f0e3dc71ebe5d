//! A limit for distances: a length, or a share of the bind pose's diagonal.

use std::fmt;

use crate::length;

/// The largest distance allowed between vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// In metres.
    Metres(f64),
    /// In per cent of the diagonal.
    Percent(f64),
}

impl Limit {
    /// The limit in metres.
    pub fn metres(self, diagonal_m: f64) -> f64 {
        match self {
            Self::Metres(metres) => metres,
            Self::Percent(percent) => diagonal_m * percent / 100.0,
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Metres(metres) => f.write_str(&length::shown_finely(*metres)),
            Self::Percent(percent) => write!(f, "{percent} % of the diagonal"),
        }
    }
}

/// Parses a limit.
pub fn limit(text: &str) -> Result<Limit, String> {
    let found = match text.strip_suffix('%') {
        Some(percent) => length::number(percent).map(Limit::Percent),
        None => length::read(text).map(Limit::Metres),
    };
    found.ok_or_else(|| "expected a length such as 5mm, or a share of the diagonal such as 0.5%".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_have_units() {
        for (text, expected) in [
            ("5mm", Limit::Metres(0.005)),
            ("0.5cm", Limit::Metres(0.005)),
            ("0.005 m", Limit::Metres(0.005)),
            ("1e-3m", Limit::Metres(0.001)),
            ("0.5%", Limit::Percent(0.5)),
            ("0%", Limit::Percent(0.0)),
        ] {
            assert_eq!(limit(text), Ok(expected), "{text}");
        }
        for wrong in ["", "0", "5", "mm", "-1mm", "inf%", "NaNm", "5 inches", "5mm%"] {
            assert!(limit(wrong).is_err(), "{wrong}");
        }
        assert_eq!(Limit::Percent(0.5).metres(2.0), 0.01);
    }
}
