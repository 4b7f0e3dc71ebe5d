//! Tables of the parts of a body, and of their names in rigs and everyday language.

/// A part of the body.
pub struct Part {
    /// Names: the first is that of the part, the others are rigs' names for the joint there.
    pub words: &'static [&'static str],
}

/// The parts, from top to bottom. Names in Japanese are those of MikuMikuDance: 足 is the upper leg, 腕 the upper arm.
const PARTS: [Part; 21] = [
    Part { words: &["head", "skull", "頭"] },
    Part { words: &["jaw", "chin", "顎", "あご"] },
    Part { words: &["neck", "首"] },
    Part { words: &["clavicle", "collarbone", "collar", "shoulder", "肩"] },
    Part { words: &["shoulder", "shldr", "upperarm", "uparm", "armupper", "humerus", "arm", "肩", "腕"] },
    Part { words: &["elbow", "forearm", "lowerarm", "lowarm", "loarm", "armlower", "ulna", "ひじ", "肘"] },
    Part { words: &["wrist", "hand", "palm", "手首", "手"] },
    Part {
        words: &[
            "finger",
            "thumb",
            "index",
            "middle",
            "ring",
            "pinky",
            "little",
            "指",
            "親指",
            "人指",
            "人差指",
            "中指",
            "薬指",
            "小指",
        ],
    },
    Part { words: &["thumb", "親指"] },
    Part { words: &["index", "indexfinger", "人指", "人差指"] },
    Part { words: &["middle", "middlefinger", "中指"] },
    Part { words: &["ring", "ringfinger", "薬指"] },
    Part { words: &["pinky", "little", "littlefinger", "小指"] },
    Part { words: &["chest", "thorax", "upperchest", "上半身"] },
    Part { words: &["waist", "abdomen", "belly", "spine", "上半身"] },
    Part { words: &["pelvis", "hips", "hip", "下半身"] },
    Part { words: &["hip", "thigh", "upperleg", "upleg", "legupper", "femur", "足"] },
    Part {
        words: &[
            "knee", "shin", "calf", "lowerleg", "lowleg", "loleg", "leglower", "tibia", "shank", "leg",
            "ひざ", "膝",
        ],
    },
    Part { words: &["ankle", "foot", "足首"] },
    Part { words: &["toe", "toes", "toebase", "ball", "つま先"] },
    Part { words: &["spine", "back", "torso", "上半身"] },
];

/// Limbs whose joints have one name and numbers, with their parts from the body outwards.
pub const LIMBS: [(&str, &[&str]); 2] =
    [("arm", &["shoulder", "elbow", "wrist"]), ("leg", &["hip", "knee", "ankle", "toe"])];

/// Words that mean a part only if a joint's name has no others: a forearm is not a shoulder, and an eyeball not a toe.
const ONLY_ALONE: [&str; 4] = ["arm", "leg", "ball", "back"];

/// Words of names without a meaning for the part.
pub const EMPTY: [&str; 26] = [
    "armature",
    "b",
    "base",
    "bip",
    "biped",
    "bn",
    "bone",
    "c",
    "cc",
    "character",
    "def",
    "deform",
    "j",
    "jnt",
    "joint",
    "jt",
    "m",
    "mch",
    "mixamorig",
    "org",
    "rig",
    "root",
    "sk",
    "skel",
    "skeleton",
    "valvebiped",
];

/// Joints that spread a twist over a bone, and are not at its end.
pub const TWISTS: [&str; 5] = ["twist", "roll", "helper", "corrective", "捩"];

/// Returns all words that mean a part.
pub fn known<'a>() -> impl Iterator<Item = &'a str> {
    PARTS.iter().flat_map(|part| part.words.iter().copied())
}

/// Returns the parts that a word means.
pub fn parts_of(word: &str) -> Vec<&'static Part> {
    let first: Vec<&Part> = PARTS.iter().filter(|part| part.name() == word).collect();
    match first.is_empty() {
        true => PARTS.iter().filter(|part| part.words.contains(&word)).collect(),
        false => first,
    }
}

impl Part {
    /// Returns the name of the part.
    pub fn name(&self) -> &'static str {
        self.words.first().copied().unwrap_or_default()
    }

    /// Returns the names that count beside other words.
    pub fn clear_words(&self) -> impl Iterator<Item = &'static str> {
        self.words.iter().copied().filter(|word| !ONLY_ALONE.contains(word))
    }
}
