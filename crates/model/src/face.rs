//! The 52 morph targets of a face that ARKit names, and the spellings in which files have them.

/// The names, as ARKit's documentation lists them.
pub const FACE: [&str; 52] = [
    "browDownLeft",
    "browDownRight",
    "browInnerUp",
    "browOuterUpLeft",
    "browOuterUpRight",
    "cheekPuff",
    "cheekSquintLeft",
    "cheekSquintRight",
    "eyeBlinkLeft",
    "eyeBlinkRight",
    "eyeLookDownLeft",
    "eyeLookDownRight",
    "eyeLookInLeft",
    "eyeLookInRight",
    "eyeLookOutLeft",
    "eyeLookOutRight",
    "eyeLookUpLeft",
    "eyeLookUpRight",
    "eyeSquintLeft",
    "eyeSquintRight",
    "eyeWideLeft",
    "eyeWideRight",
    "jawForward",
    "jawLeft",
    "jawOpen",
    "jawRight",
    "mouthClose",
    "mouthDimpleLeft",
    "mouthDimpleRight",
    "mouthFrownLeft",
    "mouthFrownRight",
    "mouthFunnel",
    "mouthLeft",
    "mouthLowerDownLeft",
    "mouthLowerDownRight",
    "mouthPressLeft",
    "mouthPressRight",
    "mouthPucker",
    "mouthRight",
    "mouthRollLower",
    "mouthRollUpper",
    "mouthShrugLower",
    "mouthShrugUpper",
    "mouthSmileLeft",
    "mouthSmileRight",
    "mouthStretchLeft",
    "mouthStretchRight",
    "mouthUpperUpLeft",
    "mouthUpperUpRight",
    "noseSneerLeft",
    "noseSneerRight",
    "tongueOut",
];

/// The longest name that is compared, in bytes.
const LONGEST: usize = 256;

/// Finds ARKit's name for a morph target, in any case, with `_L` and `_R` for the sides, and behind the name of its mesh:
/// `Head.EyeBlink_L` is `eyeBlinkLeft`.
pub fn face_name(target: &str) -> Option<&'static str> {
    if target.len() > LONGEST {
        return None;
    }
    let sides =
        [("_L", "Left"), ("_R", "Right"), (".L", "Left"), (".R", "Right"), ("_l", "Left"), ("_r", "Right")];
    let sided = sides.iter().find_map(|(short, long)| Some(format!("{}{long}", target.strip_suffix(short)?)));
    let whole = sided.as_deref().unwrap_or(target);
    let name = whole.rsplit(['.', ':', '|']).next().unwrap_or(whole);
    let bare: String = name.chars().filter(|letter| letter.is_alphanumeric()).collect();
    FACE.into_iter().find(|known| known.eq_ignore_ascii_case(&bare))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_are_recognized() {
        assert!(FACE.is_sorted());
        for name in
            ["eyeBlinkLeft", "EyeBlink_L", "Head.eyeBlink_L", "blendShape1:eye_blink_left", "eyeblink.L"]
        {
            assert_eq!(face_name(name), Some("eyeBlinkLeft"), "{name}");
        }
        assert_eq!(face_name("jawLeft"), Some("jawLeft"));
        for other in ["", "eyeBlink", "left", "smile", "eyeBlinkLeftMore", &"x".repeat(1000)] {
            assert_eq!(face_name(other), None, "{other}");
        }
    }
}
