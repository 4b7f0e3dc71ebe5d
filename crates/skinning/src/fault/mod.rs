//! Faults that are common in skinning code: each is one wrong step between a pose and a vertex. This module must not depend
//! on drawing.

mod blend;
mod palette;
mod pose;
mod spoilt;

#[cfg(test)]
mod tests;

pub(crate) use blend::{blend, plain_normals};
pub(crate) use palette::spoil;
pub use pose::STALE_SECS;
pub(crate) use spoilt::Spoilt;

use crate::SkinningMode;
use std::fmt;
use std::str::FromStr;

/// The description of a fault, or of another reason why a figure looks wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symptom {
    /// The name that users type.
    pub name: &'static str,
    /// The visible effect.
    pub looks: &'static str,
    /// The mistake in the code.
    pub cause: &'static str,
    /// The correction.
    pub cure: &'static str,
}

/// Makes [`Fault`] from one list of variants and their symptoms.
macro_rules! faults {
    ($($(#[$meta:meta])* $variant:ident = { $($symptom:tt)* },)+) => {
        /// A deliberate mistake in one step of skinning.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Fault {
            $($(#[$meta])* $variant,)+
        }

        impl Fault {
            /// Every fault.
            pub const ALL: [Self; [$(stringify!($variant)),+].len()] = [$(Self::$variant),+];

            /// Returns the fault's description.
            pub const fn symptom(self) -> &'static Symptom {
                match self {
                    $(Self::$variant => &Symptom { $($symptom)* },)+
                }
            }
        }
    };
}

faults! {
    /// Palettes without inverse bind matrices.
    SkipInverseBind = {
        name: "skip-inverse-bind",
        looks: "an explosion: every part is thrown away from its joint, farther for joints far from the origin",
        cause: "the palette holds the joints' world matrices without the inverse bind matrices",
        cure: "multiply each joint's world matrix by its inverse bind matrix: \
               world_from_joint * inverse_bind",
    },
    /// The mesh node's transform on top of the joints'.
    DoubleMeshNode = {
        name: "double-mesh-node",
        looks: "the figure is whole, but moved, turned or scaled as a whole",
        cause: "the mesh node's transform is applied on top of the joints'",
        cure: "leave the mesh node's transform out for skinned meshes, as glTF asks; the joints already \
               lead to the world",
    },
    /// Matrices written by rows and read by columns.
    Transposed = {
        name: "transposed",
        looks: "every part turns the wrong way, about the origin instead of its joint, and translations are lost",
        cause: "matrices are written row by row and read column by column",
        cure: "write matrices column by column as glTF and GLSL do, or declare them row_major",
    },
    /// The inverse bind matrix on the wrong side of the product.
    SwappedOrder = {
        name: "swapped-order",
        looks: "right in the bind pose, torn apart in all others; parts that turn much far from the origin are worst",
        cause: "the product is taken in the wrong order: inverse_bind * world_from_joint",
        cure: "with column vectors the first transform stands on the right: world_from_joint * inverse_bind",
    },
    /// Joints before their parents.
    UnsortedParents = {
        name: "unsorted-parents",
        looks: "everything gathers near the origin: joints stand as if their parents were at the origin",
        cause: "one loop computes world transforms, and visits joints before their parents",
        cure: "sort the nodes so that parents come first, or walk down from the roots; files need not be sorted",
    },
    /// Blended dual quaternions that keep their length.
    NoNormalise = {
        name: "no-normalise",
        looks: "in dqs, bent and twisted parts are drawn back towards the bind pose: twisted limbs get a thin waist",
        cause: "the blended dual quaternion is not divided by its length",
        cure: "divide both halves by the length of the first: q / |q| and d / |q|",
    },
    /// Quaternions of opposite sign, blended as they are.
    NoAntipodal = {
        name: "no-antipodal",
        looks: "in dqs, vertices between two joints fly off or cave in in certain turns of the figure",
        cause: "a quaternion and its negative are the same turn, but joints of both signs are blended unchanged",
        cure: "turn the sign of every dual quaternion whose dot product with the vertex's first is negative",
    },
    /// The palette of an earlier frame.
    StalePalette = {
        name: "stale-palette",
        looks: "the mesh trails behind its skeleton while it moves, and is right when it stands still",
        cause: "the frame reads a part of the buffer that an earlier frame wrote",
        cure: "give each frame in flight its own part, write it before the draw, and bind that part's offset",
    },
    /// A palette for half of the joints.
    ShortPalette = {
        name: "short-palette",
        looks: "some limbs are pulled into one point at the origin, and the rest is right",
        cause: "the palette has fewer slots than the skin has joints, and slots beyond it read as zeros",
        cure: "make room for all joints, or draw the mesh in parts that each use few enough",
    },
    /// Columns of three floats, read as columns of four.
    WrongPad = {
        name: "wrong-pad",
        looks: "spikes and shreds, nothing like the figure",
        cause: "columns are written 12 bytes apart and read 16 bytes apart",
        cure: "pad each column to four numbers, as std140 and std430 lay out mat4 and arrays of vec3",
    },
    /// Quaternions read with w first.
    QuaternionWxyz = {
        name: "quaternion-wxyz",
        looks: "upside down and folded, often out of sight: parts that should not turn make half a turn, even at rest",
        cause: "rotations are read as w, x, y, z",
        cure: "read them as x, y, z, w: glTF stores w last",
    },
    /// Joint indices used as node indices.
    WrongNodeOrder = {
        name: "wrong-node-order",
        looks: "every part follows the joint of another",
        cause: "the vertices' joint indices are read as node indices",
        cure: "look each index up in the skin's list of joints, which gives the node",
    },
    /// Matrices interpolated element by element.
    MatrixLerp = {
        name: "matrix-lerp",
        looks: "right at the keys; between them parts that turn get thinner and shorter, the more the farther they turn",
        cause: "matrices are interpolated element by element between keys",
        cure: "interpolate translation, rotation (slerp) and scale, each by itself, and make the matrix of these",
    },
    /// Rotations interpolated as Euler angles.
    EulerAngles = {
        name: "euler-angles",
        looks: "right at the keys; between them parts that turn about several axes take a detour, and wobble",
        cause: "rotations are interpolated as Euler angles between keys",
        cure: "interpolate quaternions, the shorter way (slerp)",
    },
    /// Joint numbers truncated.
    TruncatedJoints = {
        name: "truncated-joints",
        looks: "some parts follow the joint before theirs in the skin's list, others are right",
        cause: "joint numbers reach the shader as fractions of 255, in half floats, and are truncated",
        cure: "round them: int(joint * 255.0 + 0.5); or read them as whole numbers",
    },
    /// "No joint" as the first joint.
    NoJointAsZero = {
        name: "no-joint-as-zero",
        looks: "parts that belong to no joint follow the first joint of the skin, and the rest is right",
        cause: "joint -1, which means no joint, is read as joint 0",
        cure: "take the identity for -1: joint < 0 ? mat4(1.0) : palette[joint]; not palette[max(joint, 0)]",
    },
    /// Normals by the plain 3×3 part.
    PlainNormals = {
        name: "plain-normals",
        looks: "the shape is right, and light is wrong where joints scale unevenly",
        cause: "normals are multiplied by the 3x3 part of the vertex's matrix",
        cure: "multiply them by the inverse transpose of that part, or its cofactors, and normalise",
    },
}

impl Fault {
    /// Returns the name that users type.
    pub const fn name(self) -> &'static str {
        self.symptom().name
    }

    /// Returns all names, for a sentence or a list.
    pub fn names(separator: &str) -> String {
        Self::ALL.map(Self::name).join(separator)
    }

    /// Returns the only mode that can have the fault; `None` if all can.
    pub fn only_in(self) -> Option<SkinningMode> {
        match self {
            Self::NoNormalise | Self::NoAntipodal => Some(SkinningMode::DualQuat),
            Self::MatrixLerp
            | Self::EulerAngles
            | Self::TruncatedJoints
            | Self::NoJointAsZero
            | Self::PlainNormals
            | Self::SkipInverseBind
            | Self::DoubleMeshNode
            | Self::Transposed
            | Self::SwappedOrder
            | Self::UnsortedParents
            | Self::StalePalette
            | Self::ShortPalette
            | Self::WrongPad
            | Self::QuaternionWxyz
            | Self::WrongNodeOrder => None,
        }
    }

    /// Returns true if the fault leaves every position right.
    pub const fn is_in_normals(self) -> bool {
        matches!(self, Self::PlainNormals)
    }

    /// Returns true if the fault is in the blending of a mode or in its normals, and not in the palette. Shaders do not
    /// implement it, so such a figure is skinned on the CPU.
    pub fn is_in_blending(self, mode: SkinningMode) -> bool {
        self.is_in_normals() || self == Self::NoJointAsZero || self.only_in() == Some(mode)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A word that is not the name of a fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no fault '{given}'; the faults are {}", Fault::names(", "))]
pub struct UnknownFault {
    /// The word.
    pub given: String,
}

impl FromStr for Fault {
    type Err = UnknownFault;

    fn from_str(given: &str) -> Result<Self, UnknownFault> {
        let found = Self::ALL.into_iter().find(|fault| fault.name() == given);
        found.ok_or_else(|| UnknownFault { given: given.to_owned() })
    }
}
