//! The view of differences between modes: the mode to compare with, and the scale of its colours.

use std::fmt;
use std::str::FromStr;

use super::facts::scale;
use super::legend::{Legend, ramp};
use sinew_model::srgb;
use sinew_skinning::{SkinningMode, Yardstick};
use sinew_text::length;

/// The reference of the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Against {
    /// Another mode of the file.
    Mode(SkinningMode),
    /// Delta mush, with the picture's settings.
    Mush,
    /// The other file in the current mode.
    Other,
}

/// The word for the other of two files.
pub const OTHER: &str = "other";

impl fmt::Display for Against {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mode(mode) => mode.fmt(f),
            Self::Mush => f.pad(Yardstick::MUSH),
            Self::Other => f.pad(OTHER),
        }
    }
}

impl From<SkinningMode> for Against {
    fn from(mode: SkinningMode) -> Self {
        Self::Mode(mode)
    }
}

impl From<Yardstick> for Against {
    fn from(yardstick: Yardstick) -> Self {
        match yardstick {
            Yardstick::Mode(mode) => Self::Mode(mode),
            Yardstick::Mush(_) => Self::Mush,
        }
    }
}

/// The reference of the view, and the scale of its colours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The mode, delta mush, or the other file.
    pub against: Against,
    /// The distance at the end of the scale, in metres; `None` is [`Difference::usual_top`].
    pub top_m: Option<f64>,
}

/// Error for text that is no [`Difference`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected MODE or MODE@LENGTH, such as lbs@20mm; mush is delta mush, and other the file of --other")]
pub struct NoDifference;

impl FromStr for Difference {
    type Err = NoDifference;

    fn from_str(text: &str) -> Result<Self, NoDifference> {
        let (against, top_m) = match text.split_once('@') {
            Some((against, top)) => {
                (against, Some(length::read(top).filter(|top| *top > 0.0).ok_or(NoDifference)?))
            }
            None => (text, None),
        };
        let against = match against {
            OTHER => Against::Other,
            Yardstick::MUSH => Against::Mush,
            mode => Against::Mode(mode.parse().map_err(|_| NoDifference)?),
        };
        Ok(Self { against, top_m })
    }
}

impl fmt::Display for Difference {
    /// Writes the text that [`Difference::from_str`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { against, top_m } = self;
        match top_m {
            None => write!(f, "{against}"),
            Some(top) => write!(f, "{against}@{top}m"),
        }
    }
}

impl<T: Into<Against>> From<T> for Difference {
    fn from(against: T) -> Self {
        Self { against: against.into(), top_m: None }
    }
}

/// The end of the default scale as a share of the bind pose's diagonal, before rounding up.
const USUAL_TOP: f64 = 0.02;

impl Difference {
    /// Returns the end of the default scale for a model of this size: 1, 2 or 5 times a power of ten, so that
    /// pictures of one model have one scale.
    pub fn usual_top(diagonal_m: f64) -> f64 {
        length::round_up(diagonal_m * USUAL_TOP)
    }

    /// Returns the end of the scale, in metres.
    pub fn top(&self, diagonal_m: f64) -> f64 {
        self.top_m.unwrap_or_else(|| Self::usual_top(diagonal_m))
    }

    /// Returns the linear colour of a distance, on a softly lit or flat surface. With a scale of zero, every distance
    /// above zero has the last colour.
    pub fn color(distance_m: f64, top_m: f64, flat: bool) -> [f32; 3] {
        let share = if distance_m > 0.0 { (distance_m / top_m).min(1.0) } else { 0.0 };
        scale(flat)(share as f32).map(|byte| srgb::to_linear(f64::from(byte) / 255.0) as f32)
    }

    /// Returns the meaning of the colours, in millimetres and per cent of the diagonal.
    pub fn legend(&self, diagonal_m: f64, flat: bool) -> Legend {
        let top_m = self.top(diagonal_m);
        let tick = |share: f32| {
            let metres = top_m * f64::from(share);
            let percent = 100.0 * metres / diagonal_m;
            let length = length::shown(metres);
            match share == 0.0 || !percent.is_finite() {
                true => (share, length),
                false => (share, format!("{length} {}%", length::short(percent))),
            }
        };
        let against = match self.against {
            Against::Mode(mode) => mode.name(),
            Against::Mush => Yardstick::MUSH,
            Against::Other => "the other file",
        };
        ramp(format!("distance to {against}"), [0.0, 0.5, 1.0].map(tick).into(), scale(flat))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_end_at_the_scale() {
        let difference = Difference::from(SkinningMode::Linear);
        assert_eq!(difference.top(1.9), 0.05);
        let at = |distance| Difference::color(distance, 0.05, false);
        assert_eq!(at(0.05), at(7.0));
        assert_ne!(at(0.05), at(0.025));
        assert_eq!(at(0.0), at(f64::NAN));
        assert_ne!(at(0.0), Difference::color(0.0, 0.05, true));
        // A model without size has a colour for "apart", too.
        assert_eq!(Difference::color(1e-9, 0.0, false), at(1.0));
        assert_eq!(Difference::color(0.0, 0.0, false), at(0.0));
        let Legend::Ramp { ticks, .. } = difference.legend(1.9, false) else { panic!("a ramp") };
        let texts: Vec<&str> = ticks.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts, ["0", "25 mm 1.3%", "50 mm 2.6%"]);
    }
}
