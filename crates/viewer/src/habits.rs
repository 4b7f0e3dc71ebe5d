//! Saved window layout: the panel's width, its open sections, and the hint's state. The program stores it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::pace::Moving;

/// The panel's default width, in points.
const WIDTH: f32 = 300.0;

/// The range of the panel's width.
pub const WIDTHS: std::ops::RangeInclusive<f32> = 220.0..=520.0;

/// The largest number of saved sections, and the longest name of one.
const MAX: (usize, usize) = (32, 40);

/// Window layout and settings saved between sessions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Habits {
    /// The panel's width, in points.
    pub panel_width: f32,
    /// Sections of the panel that the user opened or closed.
    pub sections: BTreeMap<String, bool>,
    /// True if the hint for the first minute was seen.
    pub has_seen_hint: bool,
    /// The quality while something is moved.
    pub moving: Moving,
}

impl Default for Habits {
    fn default() -> Self {
        Self {
            panel_width: WIDTH,
            sections: BTreeMap::new(),
            has_seen_hint: false,
            moving: Moving::default(),
        }
    }
}

impl Habits {
    /// Returns the settings, clamped to the limits.
    pub fn sane(mut self) -> Self {
        let width = Some(self.panel_width).filter(|width| width.is_finite());
        self.panel_width = width.map_or(WIDTH, |width| width.clamp(*WIDTHS.start(), *WIDTHS.end()));
        let (most, longest) = MAX;
        self.sections =
            self.sections.into_iter().filter(|(name, _)| name.len() <= longest).take(most).collect();
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_holds_is_brought_within_the_limits() {
        let width = |panel_width| Habits { panel_width, ..Habits::default() }.sane().panel_width;
        assert_eq!([f32::NAN, f32::INFINITY, 1e9, -3.0].map(width), [WIDTH, WIDTH, 520.0, 220.0]);
        let sections = (0..1000).map(|number| (number.to_string(), true)).collect();
        assert_eq!(Habits { sections, ..Habits::default() }.sane().sections.len(), MAX.0);
    }
}
