//! The anatomical words in names of joints. A word alone may mean two bones: a "shoulder" is a clavicle or an upper arm.

use sinew_model::Finger;

/// The meaning of a name without side, numbers and prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Term {
    /// The hips, beyond doubt.
    Hips,
    /// One hip, or the hips.
    Hip,
    Torso,
    Neck,
    Head,
    Jaw,
    Eye,
    Clavicle,
    /// A clavicle, or the upper arm that begins at the shoulder.
    Shoulder,
    UpperArm,
    /// An upper arm, or any joint of the arm.
    Arm,
    LowerArm,
    Elbow,
    Wrist,
    Hand,
    UpperLeg,
    /// An upper or a lower leg, or any joint of the leg.
    Leg,
    LowerLeg,
    Knee,
    Ankle,
    Foot,
    Toes,
    Finger(Finger),
    /// A finger that a number names.
    NumberedFinger,
    Metacarpal(Finger),
}

impl Term {
    /// Returns the meaning of words without spaces, in lower case.
    pub fn of(words: &str) -> Option<Self> {
        Self::of_body(words).or_else(|| Self::of_limb(words)).or_else(|| Self::of_finger(words))
    }

    fn of_body(words: &str) -> Option<Self> {
        Some(match words {
            "hips" | "pelvis" => Self::Hips,
            "hip" => Self::Hip,
            "spine" | "spinelower" | "spineupper" | "spinemid" | "spinemiddle" | "lowerspine"
            | "upperspine" | "midspine" | "back" | "lowerback" | "upperback" | "chest" | "upperchest"
            | "chestlower" | "chestupper" | "lowerchest" | "torso" | "abdomen" | "abdomenlower"
            | "abdomenupper" | "thorax" | "waist" | "stomach" | "belly" | "ribcage" => Self::Torso,
            "neck" | "necklower" | "neckupper" | "lowerneck" | "upperneck" | "necktwist" => Self::Neck,
            "head" | "skull" => Self::Head,
            "jaw" | "lowerjaw" | "mandible" => Self::Jaw,
            "eye" | "eyeball" | "faceeye" => Self::Eye,
            _ => return None,
        })
    }

    fn of_limb(words: &str) -> Option<Self> {
        Some(match words {
            "clavicle" | "clav" | "collar" | "collarbone" | "scapula" => Self::Clavicle,
            "shoulder" | "shldr" | "shldrbend" => Self::Shoulder,
            "upperarm" | "uparm" | "armupper" | "upperarmbend" | "humerus" | "bicep" | "biceps"
            | "armstretch" => Self::UpperArm,
            "arm" => Self::Arm,
            "lowerarm" | "loarm" | "armlower" | "forearm" | "forearmbend" | "radius" | "forearmstretch" => {
                Self::LowerArm
            }
            "elbow" => Self::Elbow,
            "wrist" => Self::Wrist,
            "hand" => Self::Hand,
            "upperleg" | "upleg" | "legupper" | "thigh" | "thighbend" | "femur" | "thighstretch" => {
                Self::UpperLeg
            }
            "leg" => Self::Leg,
            "lowerleg" | "loleg" | "leglower" | "shin" | "shinbend" | "calf" | "tibia" | "legstretch" => {
                Self::LowerLeg
            }
            "knee" => Self::Knee,
            "ankle" => Self::Ankle,
            "foot" => Self::Foot,
            "toe" | "toes" | "toebase" | "ball" => Self::Toes,
            _ => return None,
        })
    }

    fn of_finger(words: &str) -> Option<Self> {
        if words == "finger" {
            return Some(Self::NumberedFinger);
        }
        let cut = |words: &str, start: &str| words.strip_prefix(start).map(str::to_owned);
        let in_hand = cut(words, "inhand");
        let is_in_hand = in_hand.is_some();
        let own = in_hand.or_else(|| cut(words, "hand")).or_else(|| cut(words, "finger"));
        let own = own.unwrap_or_else(|| words.to_owned());
        let (mut own, mut is_metacarpal) = (own.as_str(), is_in_hand);
        for (end, is_palm) in [
            ("proximal", false),
            ("intermediate", false),
            ("distal", false),
            ("metacarpal", true),
            ("finger", false),
        ] {
            if let Some(start) = own.strip_suffix(end) {
                own = start;
                is_metacarpal |= is_palm;
            }
        }
        let finger = match own {
            "thumb" => Finger::Thumb,
            "index" | "findex" => Finger::Index,
            "middle" | "fmiddle" | "mid" => Finger::Middle,
            "ring" | "fring" => Finger::Ring,
            "pinky" | "fpinky" | "pinkie" | "little" => Finger::Little,
            _ => return None,
        };
        // The thumb has no palm before its first joint.
        Some(match is_metacarpal && finger != Finger::Thumb {
            true => Self::Metacarpal(finger),
            false => Self::Finger(finger),
        })
    }
}
