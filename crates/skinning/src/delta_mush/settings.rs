//! The settings of delta mush, and their text.

use serde::Serialize;
use std::fmt;
use std::str::FromStr;

/// The maximum number of iterations.
pub const MAX_ITERATIONS: u32 = 200;

/// The settings of delta mush.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Settings {
    /// The number of times that the meshes are smoothed.
    pub iterations: u32,
    /// The share of the way to its neighbours that a point goes in an iteration.
    pub factor: f64,
    /// The weights of neighbours.
    pub weights: Weights,
}

/// The weights of a point's neighbours. With `n` neighbours, an iteration moves the point by
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Weights {
    /// `factor Σ_j (p_j − p) / n`.
    #[default]
    Uniform,
    /// `2 factor Σ_j l_j (p_j − p) / (n Σ_j l_j)`, with the lengths l of the edges so far.
    Lengths,
}

impl Weights {
    const ALL: [Self; 2] = [Self::Uniform, Self::Lengths];

    /// Returns the name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::Lengths => "lengths",
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self { iterations: 10, factor: 0.5, weights: Weights::Uniform }
    }
}

impl fmt::Display for Settings {
    /// Writes the text that [`Settings::from_str`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { iterations, factor, weights } = self;
        write!(f, "iterations={iterations},factor={factor},weights={}", weights.name())
    }
}

/// Text that names no settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WrongSettings {
    /// A name or a value is unknown.
    #[error(
        "expected settings such as iterations=10,factor=0.5,weights=uniform; weights are uniform or lengths"
    )]
    Unknown,
    /// The number of iterations is too small or too large.
    #[error("iterations is a whole number from 1 to {MAX_ITERATIONS}")]
    Iterations,
    /// The factor is too small or too large.
    #[error("factor is from 0 to 1")]
    Factor,
}

impl FromStr for Settings {
    type Err = WrongSettings;

    /// Reads settings such as `iterations=20,weights=lengths`; the others keep their defaults.
    fn from_str(text: &str) -> Result<Self, WrongSettings> {
        let mut settings = Self::default();
        for setting in text.split(',') {
            let (name, value) = setting.split_once('=').ok_or(WrongSettings::Unknown)?;
            let value = value.trim();
            match name.trim() {
                "iterations" => {
                    let number = value.parse().ok().filter(|number| (1..=MAX_ITERATIONS).contains(number));
                    settings.iterations = number.ok_or(WrongSettings::Iterations)?;
                }
                "factor" => {
                    let number = value.parse().ok().filter(|number| (0.0..=1.0).contains(number));
                    settings.factor = number.ok_or(WrongSettings::Factor)?;
                }
                "weights" => {
                    let found = Weights::ALL.into_iter().find(|weights| weights.name() == value);
                    settings.weights = found.ok_or(WrongSettings::Unknown)?;
                }
                _ => return Err(WrongSettings::Unknown),
            }
        }
        Ok(settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_read_back_and_have_limits() {
        let settings = Settings { iterations: 25, factor: 0.3, weights: Weights::Lengths };
        for settings in [settings, Settings::default()] {
            assert_eq!(settings.to_string().parse(), Ok(settings));
        }
        assert_eq!("factor=1".parse(), Ok(Settings { factor: 1.0, ..Settings::default() }));
        assert_eq!("weights = lengths, iterations = 25, factor=.3".parse(), Ok(settings));
        for (wrong, cause) in [
            ("", WrongSettings::Unknown),
            ("factor", WrongSettings::Unknown),
            ("lambda=1", WrongSettings::Unknown),
            ("weights=cotangent", WrongSettings::Unknown),
            ("iterations=0", WrongSettings::Iterations),
            ("iterations=201", WrongSettings::Iterations),
            ("iterations=2.5", WrongSettings::Iterations),
            ("factor=-0.1", WrongSettings::Factor),
            ("factor=1.1", WrongSettings::Factor),
            ("factor=NaN", WrongSettings::Factor),
        ] {
            assert_eq!(wrong.parse::<Settings>(), Err(cause), "{wrong}");
        }
    }
}
