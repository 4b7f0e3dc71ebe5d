//! Reads the names of a rig's joints as words: without prefixes and namespaces, with the side told apart, whatever the
//! separators and the case.

use std::collections::{HashMap, HashSet};

use super::terms::Term;
use sinew_model::Side;

/// A joint's name as words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Words {
    /// The side that the name states.
    pub side: Option<Side>,
    /// The letters, in lower case and without spaces; empty if the name is a number.
    pub stem: String,
    /// The numbers, digit by digit as they are.
    pub numbers: Vec<String>,
    /// True for joints that a rig generator keeps beside those that deform.
    pub is_aside: bool,
}

/// Prefixes of exporters and rig generators. The number after one belongs to it.
const PREFIXES: [&str; 14] = [
    "mixamorig",
    "bip",
    "biped",
    "character",
    "valvebiped",
    "def",
    "org",
    "j",
    "adj",
    "b",
    "bn",
    "sk",
    "skel",
    "genesis",
];

/// Words that say nothing about a bone, wherever they are.
const EMPTY: [&str; 12] =
    ["joint", "jnt", "jt", "bone", "skeleton", "armature", "rig", "c", "m", "ctr", "center", "x"];

/// The least share of names that begin alike, in percent, for a prefix of the rig.
const SHARED: usize = 75;

/// The least share of names that end in different numbers, in percent, if these are no part of the names.
const NUMBERED: usize = 90;

/// The least number of names for a prefix of the rig.
const ENOUGH: usize = 5;

/// The maximum number of words in such a prefix.
const MAX_PREFIX: usize = 4;

/// A run of letters or of digits.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Word {
    text: String,
    is_number: bool,
}

/// Reads all names of a rig together, because a prefix is what they share.
pub fn read(names: &[&str]) -> Vec<Words> {
    let mut split: Vec<Vec<Word>> = names.iter().map(|name| words_of(name)).collect();
    let number_last = is_numbered(&split);
    for words in split.iter_mut().filter(|_| number_last) {
        if words.last().is_some_and(|word| word.is_number) && words.len() > 1 {
            words.pop();
        }
    }
    for _ in 0..MAX_PREFIX {
        if !cut_shared(&mut split) {
            break;
        }
    }
    split.into_iter().map(meaning).collect()
}

/// Splits a name at its last namespace, then at separators, at digits and at capitals.
fn words_of(name: &str) -> Vec<Word> {
    let name = decoded(name);
    let own = name.rsplit([':', '|']).find(|own| !own.is_empty()).unwrap_or_default();
    let letters: Vec<char> = own.chars().collect();
    let mut words: Vec<Word> = Vec::new();
    let mut before: Option<char> = None;
    for (number, &letter) in letters.iter().enumerate() {
        if !letter.is_alphanumeric() {
            before = None;
            continue;
        }
        let next = letters.get(number.saturating_add(1));
        let is_number = letter.is_ascii_digit();
        let begins = before.is_none_or(|before| {
            // "UpArm" is two words, and so is "LHip".
            let is_capital = letter.is_uppercase()
                && (before.is_lowercase() || next.is_some_and(|next| next.is_lowercase()));
            is_number != before.is_ascii_digit() || is_capital
        });
        match words.last_mut() {
            Some(word) if !begins => word.text.extend(letter.to_lowercase()),
            _ => words.push(Word { text: letter.to_lowercase().collect(), is_number }),
        }
        before = Some(letter);
    }
    words
}

/// Decodes characters that old FBX exporters wrote as `FBXASC` and three digits.
fn decoded(name: &str) -> String {
    let mut parts = name.split("FBXASC");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let code = part.get(..3).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()));
        match (code.and_then(|digits| digits.parse::<u8>().ok()), part.get(3..)) {
            (Some(code), Some(rest)) => {
                out.push(char::from(code));
                out.push_str(rest);
            }
            _ => {
                out.push_str("FBXASC");
                out.push_str(part);
            }
        }
    }
    out
}

/// Returns true if nearly all names end in different numbers: the joint's number in its file, not a part of its name.
fn is_numbered(split: &[Vec<Word>]) -> bool {
    let last =
        |words: &'_ Vec<Word>| words.last().filter(|word| word.is_number).map(|word| word.text.clone());
    let different: HashSet<String> = split.iter().filter_map(last).collect();
    split.len() >= ENOUGH && different.len().saturating_mul(100) >= split.len().saturating_mul(NUMBERED)
}

/// Cuts the first word of all names that begin with the most common one, unless that is a side or a part of the body.
fn cut_shared(split: &mut [Vec<Word>]) -> bool {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for first in split.iter().filter_map(|words| words.first()) {
        let count = counts.entry(&first.text).or_default();
        *count = count.saturating_add(1);
    }
    let least = split.len().saturating_mul(SHARED).div_ceil(100).max(ENOUGH);
    // More than half of all names share it, so there is only one.
    let shared = counts
        .into_iter()
        .find(|(text, count)| *count >= least && side(text).is_none() && Term::of(text).is_none());
    let Some(shared) = shared.map(|(text, _)| text.to_owned()) else { return false };
    let mut is_cut = false;
    for words in split {
        let has_more = words.iter().skip(1).any(|word| !word.is_number);
        if has_more && words.first().is_some_and(|first| first.text == shared) {
            words.remove(0);
            is_cut = true;
        }
    }
    is_cut
}

fn side(text: &str) -> Option<Side> {
    match text {
        "l" | "left" | "lft" | "lt" => Some(Side::Left),
        "r" | "right" | "rgt" | "rt" => Some(Side::Right),
        _ => None,
    }
}

/// Takes prefixes, empty words and the side out of a name.
fn meaning(words: Vec<Word>) -> Words {
    let mut found = Words::default();
    let mut rest = words.as_slice();
    while let [first, more @ ..] = rest {
        let is_prefix = PREFIXES.contains(&first.text.as_str())
            || (first.text == "cc" && more.first().is_some_and(|next| next.text == "base"))
            || (first.text == "base" && found.stem.is_empty() && rest.len() < words.len());
        if !is_prefix || more.iter().all(|word| word.is_number) {
            break;
        }
        found.is_aside |= first.text == "org";
        // The number of `Bip01`, not that of `b_01_Hips`.
        rest = match more {
            [number, after @ ..] if number.is_number && first.text.len() > 1 => after,
            _ => more,
        };
    }
    let sides: HashSet<Side> = rest.iter().filter_map(|word| side(&word.text)).collect();
    let (has_side, has_both) = (sides.len() == 1, sides.len() > 1);
    found.side = sides.into_iter().next().filter(|_| has_side);
    for word in rest {
        let is_side = has_side && side(&word.text).is_some();
        if word.is_number {
            found.numbers.push(word.text.clone());
        } else if !is_side && !EMPTY.contains(&word.text.as_str()) {
            found.stem.push_str(&word.text);
        }
    }
    if !has_both {
        unglue(&mut found);
    }
    found
}

/// Finds the side in a word such as `lfemur` or `leftarm`.
fn unglue(found: &mut Words) {
    if found.side.is_some() || Term::of(&found.stem).is_some() {
        return;
    }
    for (text, side) in [("left", Side::Left), ("right", Side::Right), ("l", Side::Left), ("r", Side::Right)]
    {
        let (start, end) = (found.stem.strip_prefix(text), found.stem.strip_suffix(text));
        // A letter is a side only beside a part of the body.
        let is_word = text.len() > 1;
        let own = start.filter(|own| (is_word && !own.is_empty()) || Term::of(own).is_some());
        let own = own.or(end.filter(|own| Term::of(own).is_some()));
        if let Some(own) = own.map(str::to_owned) {
            (found.side, found.stem) = (Some(side), own);
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(name: &str) -> String {
        let words = read(&[name]).remove(0);
        let side = words.side.map_or("", |side| if side == Side::Left { "L " } else { "R " });
        let aside = if words.is_aside { " aside" } else { "" };
        format!("{side}{} {}{aside}", words.stem, words.numbers.join(" ")).trim().to_owned()
    }

    #[test]
    fn every_spelling_has_the_same_words() {
        for name in [
            "mixamorig:LeftUpLeg",
            "mixamorig_LeftUpLeg",
            "mixamorig1:LeftUpLeg",
            "mixamorig1_LeftUpLeg",
            "Armature|a:b|mixamorig:leftUpLeg",
            "mixamorigFBXASC058LeftUpLeg",
            "Character1_LeftUpLeg",
            "DEF-up_leg.L",
            "UPLEG_L",
            "upleg.left",
            "Bip001 L UpLeg",
            "L_UpLegJnt",
            "CC_Base_L_UpLeg",
            "leftupleg",
            "LUpleg",
            "lupleg",
        ] {
            assert_eq!(said(name), "L upleg", "{name}");
        }
        assert_eq!(said("DEF-upper_arm.R.001"), "R upperarm 001");
        assert_eq!(said("upper_armFBXASC046RFBXASC046001"), "R upperarm 001");
        assert_eq!(said("Bip01 R Finger02"), "R finger 02");
        assert_eq!(said("J_Bip_C_UpperChest"), "upperchest");
        assert_eq!(said("ORG-spine.004"), "spine 004 aside");
        assert_eq!(said("LHipJoint"), "L hip");
        assert_eq!(said("rradius"), "R radius");
    }

    #[test]
    fn names_without_a_meaning_stay_as_they_are() {
        assert_eq!(said("Bone.001"), "001");
        assert_eq!(said("larmor"), "larmor");
        assert_eq!(said("radius"), "radius");
        assert_eq!(said("left_right"), "leftright");
        assert_eq!(said("FBXASC04y"), "fbxascy 04");
        assert_eq!((said(""), said(":"), said("|||")), (String::new(), String::new(), String::new()));
    }

    #[test]
    fn prefixes_and_numbers_of_a_whole_rig_are_cut() {
        let stems = |names: &[&str]| {
            read(names).into_iter().map(|words| (words.stem, words.numbers.len())).collect::<Vec<_>>()
        };
        let names = [
            "Sir Knight Hips",
            "Sir Knight Spine",
            "Sir Knight Head",
            "Sir Knight Neck1",
            "Sir Knight L Arm",
        ];
        let expected = [("hips", 0), ("spine", 0), ("head", 0), ("neck", 1), ("arm", 0)];
        assert_eq!(stems(&names), expected.map(|(stem, numbers)| (stem.to_owned(), numbers)));
        let names = ["Hips_01", "Spine_02", "Spine1_03", "Head_04", "Neck_05"];
        assert_eq!(stems(&names)[2], ("spine".to_owned(), 1));
        // Sides and parts of the body are none.
        let names = ["LeftHandA", "LeftHandB", "LeftHandC", "LeftHandD", "LeftHandE"];
        assert_eq!(read(&names)[1].side, Some(Side::Left));
        assert_eq!(read(&names)[1].stem, "handb");
    }
}
