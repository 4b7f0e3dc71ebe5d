//! The parts of a human skeleton that joints are assigned to. A part is one joint, or a chain of joints whose number differs
//! from rig to rig.

use sinew_model::{Finger, HumanBone, Side};

/// A part of a human skeleton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The root of spine and legs.
    Hips,
    /// The joints of the spine, from the hips up.
    Torso,
    /// The joints of the neck, from below.
    Neck,
    /// The head.
    Head,
    /// The lower jaw.
    Jaw,
    /// An eye.
    Eye(Side),
    /// A clavicle.
    Shoulder(Side),
    /// The joint at the shoulder.
    UpperArm(Side),
    /// The joint at the elbow.
    LowerArm(Side),
    /// The joint at the wrist.
    Hand(Side),
    /// The joint of a finger within the palm.
    Metacarpal(Side, Finger),
    /// The joints of a finger, from the palm.
    Finger(Side, Finger),
    /// The joint at the hip.
    UpperLeg(Side),
    /// The joint at the knee.
    LowerLeg(Side),
    /// The joint at the ankle.
    Foot(Side),
    /// The joint at the ball of the foot.
    Toes(Side),
}

impl Part {
    /// Returns the part that a bone belongs to.
    pub fn of(bone: HumanBone) -> Self {
        match bone {
            HumanBone::Hips => Self::Hips,
            HumanBone::Spine | HumanBone::Chest | HumanBone::UpperChest => Self::Torso,
            HumanBone::Neck => Self::Neck,
            HumanBone::Head => Self::Head,
            HumanBone::Jaw => Self::Jaw,
            HumanBone::Eye(side) => Self::Eye(side),
            HumanBone::Shoulder(side) => Self::Shoulder(side),
            HumanBone::UpperArm(side) => Self::UpperArm(side),
            HumanBone::LowerArm(side) => Self::LowerArm(side),
            HumanBone::Hand(side) => Self::Hand(side),
            HumanBone::Finger(side, finger, _) => Self::Finger(side, finger),
            HumanBone::UpperLeg(side) => Self::UpperLeg(side),
            HumanBone::LowerLeg(side) => Self::LowerLeg(side),
            HumanBone::Foot(side) => Self::Foot(side),
            HumanBone::Toes(side) => Self::Toes(side),
        }
    }
}
