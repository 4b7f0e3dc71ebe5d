//! Levels: the depth of a check or comparison, and so its cost.

use std::fmt;
use std::str::FromStr;

use sinew_model::Model;
use sinew_skinning::SkinningMode;

use crate::measure::Frames;

/// The depth of a check or comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// Bind and rest pose, and three poses of each clip, in the mode of the file.
    #[default]
    Quick,
    /// Twelve poses of each clip, in the mode of the file, *lbs* and *dqs*.
    Normal,
    /// Every frame of each clip, in all modes that differ, and the volume of each joint's bend.
    Full,
}

impl Level {
    /// All levels, the cheapest first.
    pub const ALL: [Self; 3] = [Self::Quick, Self::Normal, Self::Full];

    /// The name on command lines.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Normal => "normal",
            Self::Full => "full",
        }
    }

    /// The frames of each clip.
    pub const fn frames(self) -> Frames {
        match self {
            Self::Quick => Frames::Evenly(3),
            Self::Normal => Frames::Evenly(12),
            Self::Full => Frames::Every,
        }
    }

    /// The modes to measure; empty for all that differ.
    pub fn modes(self, model: &Model) -> Vec<SkinningMode> {
        let own = SkinningMode::authored(model).unwrap_or_default();
        match self {
            Self::Quick => vec![own],
            Self::Normal => {
                let is_wanted = |mode: &SkinningMode| {
                    *mode == own || matches!(mode, SkinningMode::Linear | SkinningMode::DualQuat)
                };
                SkinningMode::ALL.into_iter().filter(is_wanted).collect()
            }
            Self::Full => Vec::new(),
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Level {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|level| level.name() == text).ok_or("expected quick, normal or full")
    }
}
