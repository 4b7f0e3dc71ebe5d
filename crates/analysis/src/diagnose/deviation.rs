//! Deviations of other programs' skinning from the definition: their names, and what to say of them.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use sinew_skinning::Fault;

/// A number format of weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Store {
    /// Eight bits, normalized.
    U8,
    /// Sixteen bits, normalized.
    U16,
    /// Ten bits, normalized.
    Unorm10,
    /// Half floats.
    Half,
}

impl Store {
    const ALL: [Self; 4] = [Self::U8, Self::U16, Self::Unorm10, Self::Half];

    const fn name(self) -> &'static str {
        match self {
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::Unorm10 => "unorm10",
            Self::Half => "half",
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::U8 => "8 bits",
            Self::U16 => "16 bits",
            Self::Unorm10 => "10 bits",
            Self::Half => "half floats",
        }
    }

    /// Returns the distance of neighbouring weights; `None` for half floats.
    pub(super) const fn steps(self) -> Option<f64> {
        match self {
            Self::U8 => Some(255.0),
            Self::U16 => Some(65535.0),
            Self::Unorm10 => Some(1023.0),
            Self::Half => None,
        }
    }
}

/// The treatment of rounded weights whose sum is no longer 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sum {
    /// Each weight is rounded alone; the sum stays as it is.
    Alone,
    /// The heaviest weight takes the rest.
    Heaviest,
    /// The weights with the largest remainders are rounded up until the sum is 1.
    Remainders,
    /// The rounded weights are divided by their sum.
    Divided,
}

impl Sum {
    const ALL: [Self; 4] = [Self::Alone, Self::Heaviest, Self::Remainders, Self::Divided];

    const fn name(self) -> &'static str {
        match self {
            Self::Alone => "alone",
            Self::Heaviest => "heaviest",
            Self::Remainders => "remainders",
            Self::Divided => "divided",
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::Alone => "each alone",
            Self::Heaviest => "the rest added to the heaviest",
            Self::Remainders => "the largest remainders rounded up",
            Self::Divided => "then divided by their sum",
        }
    }
}

/// The step of skinning that a deviation changes. Two deviations of one step exclude each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    /// Sampling of clips.
    Sampling,
    /// Transforms of nodes.
    Pose,
    /// Matrices of joints.
    Palette,
    /// Precision of those matrices.
    PalettePrecision,
    /// Indices of joints.
    Joints,
    /// Number of influences.
    Influences,
    /// Precision of weights.
    Weights,
    /// Vertices whose weights do not sum to 1.
    Sums,
    /// Morph targets.
    Morphs,
    /// Blending of dual quaternions.
    Blending,
    /// Normals.
    Normals,
    /// Directions of tangents.
    Tangents,
    /// Handedness of tangents.
    Handedness,
}

/// One step of skinning that differs from the definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Deviation {
    /// A fault that `--inject` knows.
    Fault(Fault),
    /// Rotations are interpolated linearly along the shorter way, then normalised.
    Nlerp,
    /// Rotations are interpolated component by component, without a choice of sign.
    ComponentLerp,
    /// Keys hold their value until the next.
    StepForLinear,
    /// Nodes do not scale.
    NodeScaleIgnored,
    /// Joints keep rotation and translation alone.
    ScaleDropped,
    /// Vertices are in the space of the mesh's node.
    InMeshSpace,
    /// Inverse bind matrices of another skin.
    OtherSkin(u8),
    /// Matrices in half floats.
    HalfPalette,
    /// Joint indices of 16 bits, read as 8.
    EightBitJoints,
    /// The heaviest influences alone.
    Cut {
        /// Their number.
        most: u8,
        /// True if their weights are divided by their sum.
        is_renormalised: bool,
    },
    /// Weights rounded to a format.
    Rounded(Store, Sum),
    /// Weights are used as stored, whatever their sum.
    StoredSums,
    /// Vertices without weight are at the origin.
    WeightlessAtOrigin,
    /// Vertices without weight follow joint 0.
    WeightlessToJointZero,
    /// Morph targets move the skinned vertex.
    MorphsAfter,
    /// Morph targets do not move.
    NoMorphs,
    /// The sign of dual quaternions follows the joint in the file's first slot.
    PivotFirst,
    /// The sign of dual quaternions follows the joint with the lowest number.
    PivotLowest,
    /// The sign of dual quaternions follows the sum so far.
    PivotSum,
    /// Scale acts after the blended rotation.
    ScaleAfter,
    /// Normals by the plain 3×3 part.
    PlainNormals,
    /// Normals by blended cofactors.
    BlendedCofactors,
    /// Normals by blended inverse transposes.
    BlendedInverses,
    /// Normals by the rotation of the blended matrix alone.
    RotatedNormals,
    /// Normals as in the bind pose.
    UnskinnedNormals,
    /// Normals that keep the length that the matrix gives them.
    UnnormalisedNormals,
    /// Tangents as in the bind pose.
    UnskinnedTangents,
    /// Tangents by the plain 3×3 part, not made orthogonal to the normal.
    UnorthogonalisedTangents,
    /// Tangents by the normals' matrix.
    TangentsAsNormals,
    /// Tangents by the rotation of the blended matrix alone.
    RotatedTangents,
    /// Tangents that keep the length that the matrix gives them.
    UnnormalisedTangents,
    /// Handedness as stored, also where the transform mirrors.
    HandednessKept,
    /// Handedness of the wrong sign.
    HandednessFlipped,
    /// Handedness 1 everywhere.
    HandednessOne,
    /// Handedness 0 everywhere.
    HandednessZero,
}

/// The most influences of a cut.
const MOST: u8 = 8;

/// The most other skins that are tried.
const SKINS: u8 = 8;

impl Deviation {
    /// Returns every deviation that moves vertices.
    pub fn all() -> impl Iterator<Item = Self> {
        let faults = Self::faults();
        let cuts = [true, false].into_iter();
        let cuts =
            cuts.flat_map(|is_renormalised| (1..=MOST).map(move |most| Self::Cut { most, is_renormalised }));
        let rounded = Store::ALL.into_iter().flat_map(|store| Sum::ALL.map(|sum| Self::Rounded(store, sum)));
        let skins = (0..SKINS).map(Self::OtherSkin);
        faults.chain(cuts).chain(rounded).chain(skins).chain([
            Self::Nlerp,
            Self::ComponentLerp,
            Self::StepForLinear,
            Self::NodeScaleIgnored,
            Self::ScaleDropped,
            Self::InMeshSpace,
            Self::HalfPalette,
            Self::EightBitJoints,
            Self::Fault(Fault::NoJointAsZero),
            Self::StoredSums,
            Self::WeightlessAtOrigin,
            Self::WeightlessToJointZero,
            Self::MorphsAfter,
            Self::NoMorphs,
            Self::PivotFirst,
            Self::PivotLowest,
            Self::PivotSum,
            Self::ScaleAfter,
        ])
    }

    /// Returns the faults of poses, palettes and dual quaternions. Of normals there is [`Deviation::PlainNormals`].
    pub(super) fn faults() -> impl Iterator<Item = Self> {
        let is_listed = |fault: &Fault| !fault.is_in_normals() && *fault != Fault::NoJointAsZero;
        Fault::ALL.into_iter().filter(is_listed).map(Self::Fault)
    }

    /// Returns every deviation of normals.
    pub const fn of_normals() -> [Self; 6] {
        [
            Self::PlainNormals,
            Self::BlendedCofactors,
            Self::BlendedInverses,
            Self::RotatedNormals,
            Self::UnskinnedNormals,
            Self::UnnormalisedNormals,
        ]
    }

    /// Returns every deviation of the direction of tangents.
    pub const fn of_tangents() -> [Self; 5] {
        [
            Self::UnorthogonalisedTangents,
            Self::TangentsAsNormals,
            Self::RotatedTangents,
            Self::UnskinnedTangents,
            Self::UnnormalisedTangents,
        ]
    }

    /// Returns every deviation of the handedness of tangents.
    pub const fn of_handedness() -> [Self; 4] {
        [Self::HandednessKept, Self::HandednessFlipped, Self::HandednessOne, Self::HandednessZero]
    }

    /// Returns every deviation of normals and tangents.
    pub fn of_directions() -> impl Iterator<Item = Self> {
        Self::of_normals().into_iter().chain(Self::of_tangents()).chain(Self::of_handedness())
    }

    /// Returns the step that it changes.
    pub(super) fn step(self) -> Step {
        match self {
            Self::Fault(Fault::QuaternionWxyz | Fault::UnsortedParents) | Self::NodeScaleIgnored => {
                Step::Pose
            }
            Self::Fault(Fault::NoNormalise | Fault::NoAntipodal)
            | Self::PivotFirst
            | Self::PivotLowest
            | Self::PivotSum
            | Self::ScaleAfter => Step::Blending,
            Self::Fault(Fault::MatrixLerp | Fault::EulerAngles)
            | Self::Nlerp
            | Self::ComponentLerp
            | Self::StepForLinear => Step::Sampling,
            Self::Fault(Fault::NoJointAsZero) | Self::EightBitJoints => Step::Joints,
            Self::Fault(_) | Self::ScaleDropped | Self::InMeshSpace | Self::OtherSkin(_) => Step::Palette,
            Self::HalfPalette => Step::PalettePrecision,
            Self::Cut { .. } => Step::Influences,
            Self::Rounded(..) => Step::Weights,
            Self::StoredSums | Self::WeightlessAtOrigin | Self::WeightlessToJointZero => Step::Sums,
            Self::MorphsAfter | Self::NoMorphs => Step::Morphs,
            Self::PlainNormals
            | Self::BlendedCofactors
            | Self::BlendedInverses
            | Self::RotatedNormals
            | Self::UnskinnedNormals
            | Self::UnnormalisedNormals => Step::Normals,
            Self::UnskinnedTangents
            | Self::UnorthogonalisedTangents
            | Self::TangentsAsNormals
            | Self::RotatedTangents
            | Self::UnnormalisedTangents => Step::Tangents,
            Self::HandednessKept | Self::HandednessFlipped | Self::HandednessOne | Self::HandednessZero => {
                Step::Handedness
            }
        }
    }

    /// Returns the deviation as a clause behind the mode's name.
    pub fn words(self) -> String {
        match self {
            Self::Fault(fault) => format!("{}: {}", fault.name(), fault.symptom().cause),
            Self::Nlerp => "rotations interpolated linearly and normalised (nlerp) between keys".into(),
            Self::ComponentLerp => "quaternions interpolated by component, without a choice of sign".into(),
            Self::StepForLinear => "keys held until the next (STEP where the file says LINEAR)".into(),
            Self::NodeScaleIgnored => "without the scale of nodes".into(),
            Self::ScaleDropped => "without the scale and shear of joints".into(),
            Self::InMeshSpace => "in the space of the mesh's node".into(),
            Self::OtherSkin(skin) => format!("with the inverse bind matrices of skins[{skin}]"),
            Self::HalfPalette => "with a palette in half floats".into(),
            Self::EightBitJoints => "with 16-bit joint indices read as 8 bits".into(),
            Self::Cut { most: 1, is_renormalised: true } => "with the heaviest influence alone".into(),
            Self::Cut { most: 1, is_renormalised: false } => {
                "with the heaviest influence alone, not renormalised".into()
            }
            Self::Cut { most, is_renormalised } => {
                let sum = if is_renormalised { "renormalised" } else { "not renormalised" };
                format!("with the {most} heaviest influences, {sum}")
            }
            Self::Rounded(store, sum) => {
                format!("with weights rounded to {}, {}", store.words(), sum.words())
            }
            Self::StoredSums => "with weights as stored, without dividing by their sum".into(),
            Self::WeightlessAtOrigin => "with vertices without weight at the origin".into(),
            Self::WeightlessToJointZero => "with vertices without weight on joint 0".into(),
            Self::MorphsAfter => "with morph targets added after skinning".into(),
            Self::NoMorphs => "without morph targets".into(),
            Self::PivotFirst => {
                "with the sign of dual quaternions taken from the first joint in the file".into()
            }
            Self::PivotLowest => {
                "with the sign of dual quaternions taken from the lowest joint number".into()
            }
            Self::PivotSum => "with the sign of dual quaternions taken from the sum so far".into(),
            Self::ScaleAfter => "with scale after the rotation".into(),
            Self::PlainNormals => "with normals by the plain 3×3 matrix".into(),
            Self::BlendedCofactors => "with normals by blended cofactors of the joints".into(),
            Self::BlendedInverses => "with normals by blended inverse transposes of the joints".into(),
            Self::RotatedNormals => "with normals by the blended rotation alone".into(),
            Self::UnskinnedNormals => "with unskinned normals".into(),
            Self::UnnormalisedNormals => "with normals that are not normalised".into(),
            Self::UnskinnedTangents => "with unskinned tangents".into(),
            Self::UnorthogonalisedTangents => "with tangents that are not orthogonal to normals".into(),
            Self::TangentsAsNormals => "with tangents by the matrix of normals".into(),
            Self::RotatedTangents => "with tangents by the blended rotation alone".into(),
            Self::UnnormalisedTangents => "with tangents that are not normalised".into(),
            Self::HandednessKept => "with the handedness of tangents kept where joints mirror".into(),
            Self::HandednessFlipped => "with the handedness of tangents flipped".into(),
            Self::HandednessOne => "with the handedness 1 for all tangents".into(),
            Self::HandednessZero => "with the handedness 0 for all tangents".into(),
        }
    }
}

impl fmt::Display for Deviation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Fault(fault) => fault.name(),
            Self::Nlerp => "nlerp",
            Self::ComponentLerp => "component-lerp",
            Self::StepForLinear => "step-for-linear",
            Self::NodeScaleIgnored => "node-scale-ignored",
            Self::ScaleDropped => "scale-dropped",
            Self::InMeshSpace => "in-mesh-space",
            Self::OtherSkin(skin) => return write!(f, "other-skin-{skin}"),
            Self::HalfPalette => "half-palette",
            Self::EightBitJoints => "8-bit-joints",
            Self::Cut { most, is_renormalised } => {
                let sum = if *is_renormalised { "renormalised" } else { "unnormalised" };
                return write!(f, "cut-{most}-{sum}");
            }
            Self::Rounded(store, sum) => return write!(f, "weights-{}-{}", store.name(), sum.name()),
            Self::StoredSums => "stored-sums",
            Self::WeightlessAtOrigin => "weightless-at-origin",
            Self::WeightlessToJointZero => "weightless-to-joint-0",
            Self::MorphsAfter => "morphs-after",
            Self::NoMorphs => "no-morphs",
            Self::PivotFirst => "pivot-first",
            Self::PivotLowest => "pivot-lowest",
            Self::PivotSum => "pivot-sum",
            Self::ScaleAfter => "scale-after",
            Self::PlainNormals => "plain-normals",
            Self::BlendedCofactors => "blended-cofactors",
            Self::BlendedInverses => "blended-inverses",
            Self::RotatedNormals => "rotated-normals",
            Self::UnskinnedNormals => "unskinned-normals",
            Self::UnnormalisedNormals => "unnormalised-normals",
            Self::UnskinnedTangents => "unskinned-tangents",
            Self::UnorthogonalisedTangents => "unorthogonalised-tangents",
            Self::TangentsAsNormals => "tangents-as-normals",
            Self::RotatedTangents => "rotated-tangents",
            Self::UnnormalisedTangents => "unnormalised-tangents",
            Self::HandednessKept => "handedness-kept",
            Self::HandednessFlipped => "handedness-flipped",
            Self::HandednessOne => "handedness-one",
            Self::HandednessZero => "handedness-zero",
        };
        f.write_str(name)
    }
}

impl Serialize for Deviation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A word that is not the name of a deviation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no deviation '{0}'; docs/guides/diagnose.md lists them")]
pub struct UnknownDeviation(pub String);

impl FromStr for Deviation {
    type Err = UnknownDeviation;

    fn from_str(given: &str) -> Result<Self, UnknownDeviation> {
        let mut all = Self::all().chain(Self::of_directions());
        all.find(|one| one.to_string() == given).ok_or_else(|| UnknownDeviation(given.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_are_unique_and_read_back() {
        let all: Vec<Deviation> = Deviation::all().chain(Deviation::of_directions()).collect();
        let names: HashSet<String> = all.iter().map(ToString::to_string).collect();
        assert_eq!(names.len(), all.len());
        for one in all {
            assert_eq!(one.to_string().parse(), Ok(one));
            assert!(!one.words().is_empty());
        }
        assert!("cut-9-renormalised".parse::<Deviation>().is_err());
    }
}
