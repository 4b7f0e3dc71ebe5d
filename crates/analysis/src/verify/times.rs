//! The times of a clip that verification checks: every key of a channel that changes the picture, and one between every two.
//! They depend only on the model and the requested number, so all machines check the same poses.

use std::fmt;
use std::str::FromStr;

use crate::keys::Keys;
use sinew_model::{Clip, Model};

/// The position between two keys: the golden section, where no exporter puts a key.
const BETWEEN: f64 = 0.381_966_011_250_105;

/// The number of times that are always checked: a clip's ends.
const ENDS: usize = 2;

/// The maximum number of times of a clip to check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Samples {
    /// All of them.
    All,
    /// At most this many, but at least the two ends.
    AtMost(usize),
}

impl Default for Samples {
    fn default() -> Self {
        Self::AtMost(400)
    }
}

impl fmt::Display for Samples {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.pad("all"),
            Self::AtMost(most) => most.fmt(f),
        }
    }
}

/// Text that is not a number of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a whole number of at least 2, or all")]
pub struct NoSamples;

impl FromStr for Samples {
    type Err = NoSamples;

    fn from_str(text: &str) -> Result<Self, NoSamples> {
        match text {
            "all" => Ok(Self::All),
            number => number.parse().ok().filter(|most| *most >= ENDS).map(Self::AtMost).ok_or(NoSamples),
        }
    }
}

/// Times of a clip.
#[derive(Clone, Debug, PartialEq)]
pub struct Times {
    /// The times to check, in seconds, ascending.
    pub chosen: Vec<f64>,
    /// The number of times to choose from.
    pub of: usize,
}

/// Returns the times of a clip to check. If there are more than requested, the first and the last stay, keys take precedence
/// over times between them, and the rest is spread evenly.
pub fn times(model: &Model, clip: &Clip, samples: Samples) -> Times {
    times_of(&Keys::new(model), clip, samples)
}

/// Returns the [`times`] of one of many clips.
pub(super) fn times_of(keys: &Keys, clip: &Clip, samples: Samples) -> Times {
    let keys = keys.of(clip);
    let between: Vec<f64> = keys.windows(2).filter_map(|pair| between(pair[0], pair[1])).collect();
    let of = keys.len() + between.len();
    let most = match samples {
        Samples::All => of,
        Samples::AtMost(most) => most.max(ENDS),
    };
    let mut chosen = spread(&keys, most);
    chosen.extend(spread(&between, most.saturating_sub(chosen.len())));
    chosen.sort_by(f64::total_cmp);
    Times { chosen, of }
}

/// Returns a time between two keys, unless no number lies between them.
fn between(before: f64, after: f64) -> Option<f64> {
    let time = before + (after - before) * BETWEEN;
    (before < time && time < after).then_some(time)
}

/// Returns this many of a list, evenly spread, with the first and the last.
fn spread(list: &[f64], most: usize) -> Vec<f64> {
    if list.len() <= most {
        return list.to_vec();
    }
    let last = list.len() - 1;
    let steps = most.saturating_sub(1).max(1);
    // In integers, so that all machines round alike.
    let place = |number: usize| (number as u128 * last as u128 / steps as u128) as usize;
    (0..most).filter_map(|number| list.get(place(number))).copied().collect()
}
