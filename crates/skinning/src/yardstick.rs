//! The vertices that modes are measured from: those of another mode, or of delta mush.

use crate::SkinningMode;
use crate::delta_mush::{DeltaMush, Settings};
use crate::mode::MUSH;
use crate::pose::Pose;
use crate::posed::{Distances, SkinnedPrimitive, surfaces_into};
use glam::DVec3;
use sinew_model::Model;
use std::fmt;
use std::sync::Arc;

/// A mode, or delta mush, which is none because no shader has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Yardstick {
    /// A mode.
    Mode(SkinningMode),
    /// Delta mush with these settings.
    Mush(Settings),
}

impl Yardstick {
    /// The name of delta mush.
    pub const MUSH: &'static str = MUSH;

    /// Returns the name that users type.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mode(mode) => mode.name(),
            Self::Mush(_) => Self::MUSH,
        }
    }

    /// Returns the mode; linear blending for delta mush, which smooths it.
    pub const fn mode(self) -> SkinningMode {
        match self {
            Self::Mode(mode) => mode,
            Self::Mush(_) => SkinningMode::Linear,
        }
    }

    /// Returns the settings of delta mush.
    pub const fn mush(self) -> Option<Settings> {
        match self {
            Self::Mode(_) => None,
            Self::Mush(settings) => Some(settings),
        }
    }

    /// Prepares it for many poses of a model.
    pub fn measure(self, model: &Model) -> Measure {
        Measure {
            mode: self.mode(),
            mush: self.mush().map(|settings| Arc::new(DeltaMush::new(model, settings))),
        }
    }
}

impl From<SkinningMode> for Yardstick {
    fn from(mode: SkinningMode) -> Self {
        Self::Mode(mode)
    }
}

impl PartialEq<SkinningMode> for Yardstick {
    fn eq(&self, mode: &SkinningMode) -> bool {
        *self == Self::Mode(*mode)
    }
}

impl fmt::Display for Yardstick {
    /// Writes the name, with the settings of delta mush.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mode(mode) => mode.fmt(f),
            Self::Mush(settings) => write!(f, "{} ({settings})", Self::MUSH),
        }
    }
}

/// A yardstick prepared for a model.
pub struct Measure {
    /// The mode; linear blending for delta mush.
    pub mode: SkinningMode,
    /// Delta mush of the model.
    pub mush: Option<Arc<DeltaMush>>,
}

impl Measure {
    /// Skins positions and normals in `f64`, with the pose's fault if it has one, into reused memory.
    pub fn surfaces_into(&self, model: &Model, pose: &Pose, out: &mut Vec<SkinnedPrimitive<f64>>) {
        surfaces_into(model, self.mode, pose, out);
        self.correct(model, pose, out);
    }

    /// Turns vertices in [`Yardstick::mode`] into those of the yardstick.
    pub fn correct(&self, model: &Model, pose: &Pose, out: &mut [SkinnedPrimitive<f64>]) {
        if let Some(mush) = &self.mush {
            mush.apply(model, pose, out);
        }
    }
}

/// Measures the distance of every vertex between two modes, or from delta mush, each in its pose, by the `f64` reference.
pub fn distances_between(model: &Model, measures: [(&Measure, &Pose); 2]) -> Distances {
    let skin = |(measure, pose): (&Measure, &Pose)| {
        let mut skinned = Vec::new();
        measure.surfaces_into(model, pose, &mut skinned);
        skinned
    };
    let (skinned, other) = rayon::join(|| skin(measures[0]), || skin(measures[1]));
    let apart = |(a, b): (&[f64; 3], &[f64; 3])| DVec3::from_array(*a).distance(DVec3::from_array(*b));
    let pairs = skinned.iter().zip(&other);
    let metres = pairs.map(|(a, b)| a.positions.iter().zip(&b.positions).map(apart).collect()).collect();
    Distances { skinned, metres }
}
