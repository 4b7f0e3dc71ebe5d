//! A way to skin: a mode, and deviations from its definition.

use std::fmt;
use std::str::FromStr;

use sinew_skinning::pose::is_share;
use sinew_skinning::{Fault, SkinningMode, UnknownMode};

use super::deviation::{Deviation, Step, UnknownDeviation};

/// A mode with deviations.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// The mode.
    pub mode: SkinningMode,
    /// The share of dual quaternions for all vertices in *blend*; `None` takes that of the model.
    pub share: Option<f64>,
    /// The deviations, each of another step.
    pub deviations: Vec<Deviation>,
}

impl Recipe {
    /// Returns a mode as it is defined.
    pub fn of(mode: SkinningMode) -> Self {
        Self { mode, share: None, deviations: Vec::new() }
    }

    /// Returns the recipe with one more deviation; `None` if it cannot have it.
    pub fn with(&self, deviation: Deviation) -> Option<Self> {
        let has_step = |step: Step| self.deviations.iter().any(|one| one.step() == step);
        let is_fault = |one: &Deviation| matches!(one, Deviation::Fault(_)) && one.step() <= Step::Palette;
        let has_two_faults = is_fault(&deviation) && self.deviations.iter().any(is_fault);
        let has_two_poses = deviation.step() <= Step::Pose
            && self.deviations.iter().any(|one| one.step() <= Step::Pose && is_fault(one))
            || has_step(Step::Sampling) && is_fault(&deviation) && deviation.step() == Step::Pose;
        if has_step(deviation.step()) || has_two_faults || has_two_poses || !is_in(deviation, self.mode) {
            return None;
        }
        let mut recipe = self.clone();
        recipe.deviations.push(deviation);
        Some(recipe)
    }

    /// Returns the fault among its deviations that `--inject` makes in poses and palettes.
    pub(super) fn fault(&self) -> Option<Fault> {
        self.deviations.iter().find_map(|one| match one {
            Deviation::Fault(fault) if one.step() <= Step::Palette => Some(*fault),
            _ => None,
        })
    }

    /// Returns the fault that `--inject` makes, if it has one.
    pub fn injected(&self) -> Option<Fault> {
        self.deviations.iter().find_map(|one| match one {
            Deviation::Fault(fault) => Some(*fault),
            Deviation::PlainNormals => Some(Fault::PlainNormals),
            _ => None,
        })
    }

    /// Returns true if it has the deviation.
    pub(super) fn has(&self, deviation: Deviation) -> bool {
        self.deviations.contains(&deviation)
    }
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.mode.name())?;
        if let Some(share) = self.share {
            write!(f, "={share:.3}")?;
        }
        self.deviations.iter().try_for_each(|one| write!(f, ",{one}"))
    }
}

/// A text that is no recipe.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NoRecipe {
    /// The first word is no mode.
    #[error("{0}")]
    Mode(#[from] UnknownMode),
    /// A mode with a share that it cannot have.
    #[error("{0}: only blend has a share, from 0 to 1, such as blend=0.5")]
    Share(String),
    /// A later word is no deviation.
    #[error("{0}")]
    Deviation(#[from] UnknownDeviation),
    /// The mode cannot have the deviation, or not besides those before.
    #[error("{mode} cannot have {deviation}{}", if *.is_first { "" } else { " besides the others" })]
    Apart {
        /// The mode.
        mode: SkinningMode,
        /// The deviation.
        deviation: Deviation,
        /// True if no deviation comes before it.
        is_first: bool,
    },
}

impl FromStr for Recipe {
    type Err = NoRecipe;

    /// Reads a mode, or `blend=SHARE`, and deviations, separated by commas.
    fn from_str(given: &str) -> Result<Self, NoRecipe> {
        let mut words = given.split(',');
        let first = words.next().unwrap_or_default();
        let (name, share) = first.split_once('=').map_or((first, None), |(name, share)| (name, Some(share)));
        let mode: SkinningMode = name.parse()?;
        let of_share = |text: &str| {
            let share = text.parse().ok().filter(|share| mode == SkinningMode::Blended && is_share(*share));
            share.ok_or_else(|| NoRecipe::Share(first.to_owned()))
        };
        let share = share.map(of_share).transpose()?;
        words.try_fold(Self { share, ..Self::of(mode) }, |recipe, word| {
            let deviation: Deviation = word.parse()?;
            let is_first = recipe.deviations.is_empty();
            recipe.with(deviation).ok_or(NoRecipe::Apart { mode, deviation, is_first })
        })
    }
}

/// Returns true if the deviation makes a difference in a mode that can have it.
fn is_in(deviation: Deviation, mode: SkinningMode) -> bool {
    match deviation {
        _ if deviation.step() == Step::Blending => mode == SkinningMode::DualQuat,
        // The moment says how late a palette is.
        Deviation::Fault(Fault::StalePalette) => false,
        Deviation::Rounded(..) | Deviation::Cut { .. } => mode != SkinningMode::Rigid,
        _ => true,
    }
}
