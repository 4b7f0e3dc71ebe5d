//! The needs of modes: what they read of a model besides its file.

use crate::{SkinningMode, centers, ddm_terms};
use sinew_model::Model;

/// Properties that are found once for a model, which takes a while.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// The centres of rotation of vertices.
    pub centers: bool,
    /// The smoothed surroundings of vertices.
    pub ddm: bool,
}

impl Needs {
    /// Returns the needs of some modes together.
    pub fn of(modes: impl IntoIterator<Item = SkinningMode>) -> Self {
        let of_mode = |mode: SkinningMode| {
            let facts = mode.facts();
            Self { centers: facts.needs_centers, ddm: facts.needs_ddm }
        };
        modes.into_iter().map(of_mode).fold(Self::default(), Self::and)
    }

    /// Returns these needs and others.
    pub fn and(self, other: Self) -> Self {
        Self { centers: self.centers || other.centers, ddm: self.ddm || other.ddm }
    }

    /// Returns what the model lacks of this.
    pub fn missing(self, model: &Model) -> Self {
        Self {
            centers: self.centers && model.centers.get().is_none(),
            ddm: self.ddm && !ddm_terms::is_ready(model),
        }
    }

    /// Returns true for no needs at all.
    pub fn is_nothing(self) -> bool {
        self == Self::default()
    }

    /// Finds what the model lacks. Returns `false` if `watch` stopped it.
    pub fn prepare(self, model: &Model, watch: &centers::Watch) -> bool {
        let missing = self.missing(model);
        let parts = f64::from(u8::from(missing.centers) + u8::from(missing.ddm));
        let before = if missing.centers { 1.0 } else { 0.0 };
        (!missing.centers || centers::prepare(model, &|share| watch(share / parts)))
            && (!missing.ddm || ddm_terms::prepare(model, &|share| watch((before + share) / parts)))
    }
}
