//! The bones of a human skeleton, and their names in VRM files.

/// A side of the body, as the figure itself has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The left side.
    Left,
    /// The right side.
    Right,
}

impl Side {
    /// Both sides.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];
}

/// A finger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Finger {
    /// The thumb.
    Thumb,
    /// The index finger.
    Index,
    /// The middle finger.
    Middle,
    /// The ring finger.
    Ring,
    /// The little finger.
    Little,
}

impl Finger {
    /// All fingers, from the thumb.
    pub const ALL: [Self; 5] = [Self::Thumb, Self::Index, Self::Middle, Self::Ring, Self::Little];
}

/// A bone that nearly every human skeleton has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HumanBone {
    /// The root of spine and legs.
    Hips,
    /// The first bone of the spine above the hips.
    Spine,
    /// The second bone of the spine.
    Chest,
    /// The third bone of the spine.
    UpperChest,
    /// The neck.
    Neck,
    /// The head.
    Head,
    /// The lower jaw.
    Jaw,
    /// An eye.
    Eye(Side),
    /// A clavicle.
    Shoulder(Side),
    /// The bone from shoulder to elbow.
    UpperArm(Side),
    /// The bone from elbow to wrist.
    LowerArm(Side),
    /// A hand.
    Hand(Side),
    /// A phalanx of a finger, by its number from the palm: 0, 1 or 2.
    Finger(Side, Finger, u8),
    /// The bone from hip to knee.
    UpperLeg(Side),
    /// The bone from knee to ankle.
    LowerLeg(Side),
    /// A foot.
    Foot(Side),
    /// The toes.
    Toes(Side),
}

impl HumanBone {
    /// Reads a name of `humanBones` in VRM 1, such as `leftUpperArm`.
    pub fn from_vrm(name: &str) -> Option<Self> {
        let (side, bone) = match (name.strip_prefix("left"), name.strip_prefix("right")) {
            (Some(bone), _) => (Side::Left, bone),
            (None, Some(bone)) => (Side::Right, bone),
            (None, None) => return Self::from_center(name),
        };
        Some(match bone {
            "Eye" => Self::Eye(side),
            "Shoulder" => Self::Shoulder(side),
            "UpperArm" => Self::UpperArm(side),
            "LowerArm" => Self::LowerArm(side),
            "Hand" => Self::Hand(side),
            "UpperLeg" => Self::UpperLeg(side),
            "LowerLeg" => Self::LowerLeg(side),
            "Foot" => Self::Foot(side),
            "Toes" => Self::Toes(side),
            _ => return Self::from_finger(side, bone),
        })
    }

    fn from_center(name: &str) -> Option<Self> {
        Some(match name {
            "hips" => Self::Hips,
            "spine" => Self::Spine,
            "chest" => Self::Chest,
            "upperChest" => Self::UpperChest,
            "neck" => Self::Neck,
            "head" => Self::Head,
            "jaw" => Self::Jaw,
            _ => return None,
        })
    }

    fn from_finger(side: Side, name: &str) -> Option<Self> {
        let names = ["Thumb", "Index", "Middle", "Ring", "Little"].into_iter().zip(Finger::ALL);
        let (phalanx, finger) =
            names.into_iter().find_map(|(start, finger)| Some((name.strip_prefix(start)?, finger)))?;
        let number = match (phalanx, finger == Finger::Thumb) {
            ("Proximal", false) | ("Metacarpal", true) => 0,
            ("Intermediate", false) | ("Proximal", true) => 1,
            ("Distal", _) => 2,
            _ => return None,
        };
        Some(Self::Finger(side, finger, number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_vrm_are_bones() {
        let bone = HumanBone::from_vrm;
        assert_eq!(bone("hips"), Some(HumanBone::Hips));
        assert_eq!(bone("rightUpperArm"), Some(HumanBone::UpperArm(Side::Right)));
        assert_eq!(bone("leftToes"), Some(HumanBone::Toes(Side::Left)));
        assert_eq!((bone("leftHips"), bone("Hips"), bone("left")), (None, None, None));
        let finger = |finger, number| Some(HumanBone::Finger(Side::Left, finger, number));
        assert_eq!(bone("leftLittleIntermediate"), finger(Finger::Little, 1));
        // The thumb begins with the metacarpal.
        assert_eq!(bone("leftThumbProximal"), finger(Finger::Thumb, 1));
        assert_eq!(bone("leftThumbMetacarpal"), finger(Finger::Thumb, 0));
        assert_eq!((bone("leftThumbIntermediate"), bone("leftIndexMetacarpal")), (None, None));
    }
}
