//! Finds the sides of joints by their names, and the pairs of left and right joints.

use std::collections::HashMap;
use std::ops::Range;

use glam::DVec3;

use super::bones::Bones;
use sinew_model::{Model, Skin};

/// A side of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The left side.
    Left,
    /// The right side.
    Right,
}

/// The largest distance of a joint from its twin's mirror image, as a share of the distance between the twins.
const MAX_OFF: f64 = 0.25;

/// The maximum number of joints of one name, except for side and numbers, to compare with each other.
const MAX_ALIKE: usize = 512;

/// The longest name to read, in bytes.
const MAX_NAME: usize = 256;

/// Words for the sides: alone between separators, before a capital, or as a capital word at the end.
const WORDS: [(&str, Side); 7] = [
    ("l", Side::Left),
    ("r", Side::Right),
    ("lf", Side::Left),
    ("rt", Side::Right),
    ("lt", Side::Left),
    ("lft", Side::Left),
    ("rgt", Side::Right),
];

/// Returns the side in a name, and the rest of the name without side and trailing numbers. See [`side_at`].
pub fn side(name: &str) -> Option<(Side, String)> {
    let (side, range) = side_at(name)?;
    let lower = name.to_ascii_lowercase();
    let (before, after) = (lower.get(..range.start)?, lower.get(range.end..)?);
    let key = format!("{before}*{after}");
    let is_number = |c: char| c.is_ascii_digit() || is_separator(c);
    Some((side, key.trim_end_matches(is_number).to_owned()))
}

/// Finds the side in a name.
///
/// `left` and `right` count anywhere in any case, and so do 左 and 右. The short forms `l`, `r`, `lf`, `rt`, `lft` and `rgt`
/// count in three positions:
/// - as separate words, with optional digits after them
/// - before a capital at the start of a word (`lThigh`, `RtArm`); a capital `L` or `R` also needs a small letter after it
///   (`LHand`, not `LOD`)
/// - as a capital after a small letter at the end
pub fn side_at(name: &str) -> Option<(Side, Range<usize>)> {
    if name.len() > MAX_NAME {
        return None;
    }
    let lower = name.to_ascii_lowercase();
    let whole = anywhere(&lower, "left", "right").or_else(|| anywhere(&lower, "左", "右"));
    whole.or_else(|| words(&lower).find_map(alone)).or_else(|| words(name).find_map(joined))
}

fn is_separator(c: char) -> bool {
    !c.is_alphanumeric()
}

fn anywhere(lower: &str, left: &str, right: &str) -> Option<(Side, Range<usize>)> {
    let find = |word: &str, side: Side| lower.find(word).map(|at| (side, at..at.saturating_add(word.len())));
    find(left, Side::Left).xor(find(right, Side::Right))
}

/// Returns the words of a name without their trailing digits, each with its start.
fn words(name: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0_usize;
    name.split_inclusive(is_separator).map(move |part| {
        let at = start;
        start = start.saturating_add(part.len());
        (at, part.trim_end_matches(|c: char| is_separator(c) || c.is_ascii_digit()))
    })
}

/// Finds a side that is a whole word.
fn alone((start, word): (usize, &str)) -> Option<(Side, Range<usize>)> {
    let (known, side) = WORDS.iter().find(|(known, _)| *known == word)?;
    Some((*side, start..start.saturating_add(known.len())))
}

/// Finds a side joined to a word, as in `lThigh`, `RForearm` and `thighL`.
fn joined((start, word): (usize, &str)) -> Option<(Side, Range<usize>)> {
    let ahead = |(known, side): &(&str, Side)| {
        let (first, rest) = (word.get(..known.len())?, word.get(known.len()..)?);
        let mut next = rest.chars();
        let is_capital = next.next().is_some_and(char::is_uppercase);
        let is_side = match first == *known {
            true => is_capital,
            false => {
                is_capitalized(first, known) && is_capital && next.next().is_some_and(char::is_lowercase)
            }
        };
        is_side.then(|| (*side, start..start.saturating_add(known.len())))
    };
    let behind = |(known, side): &(&str, Side)| {
        let at = word.len().checked_sub(known.len())?;
        let (rest, last) = (word.get(..at)?, word.get(at..)?);
        let is_letter = |c: char| c.is_alphabetic() && !c.is_uppercase();
        let is_side = is_capitalized(last, known) && rest.chars().next_back().is_some_and(is_letter);
        is_side.then(|| (*side, start.saturating_add(at)..start.saturating_add(word.len())))
    };
    WORDS.iter().find_map(ahead).or_else(|| WORDS.iter().find_map(behind))
}

/// Returns true if a word is another with its first letter as a capital.
fn is_capitalized(word: &str, lower: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_uppercase())
        && word.eq_ignore_ascii_case(lower)
        && !word.chars().skip(1).any(char::is_uppercase)
}

/// A joint of one side.
#[derive(Clone, Copy)]
struct Sided {
    joint: usize,
    at: DVec3,
}

/// The joints of one name, except for side and numbers.
#[derive(Default)]
struct Alike {
    left: Vec<Sided>,
    right: Vec<Sided>,
}

/// Pairs left and right joints with similar names, each the nearest to the other's mirror image. The mirror is halfway
/// between all left and all right joints.
pub fn twins(model: &Model, skin: &Skin, bones: &Bones) -> Vec<[usize; 2]> {
    let mut alike: HashMap<String, Alike> = HashMap::new();
    let mut sums = [(DVec3::ZERO, 0.0); 2];
    for (joint, node) in skin.joints.iter().enumerate() {
        let name = model.rig.names.get(*node).map_or("", String::as_str);
        let at = bones.positions.get(joint).copied().flatten();
        let (Some((side, key)), Some(at)) = (side(name), at) else { continue };
        let group = alike.entry(key).or_default();
        let ([(left, lefts), (right, rights)], sided) = (&mut sums, Sided { joint, at });
        match side {
            Side::Left => {
                group.left.push(sided);
                (*left, *lefts) = (*left + at, *lefts + 1.0);
            }
            Side::Right => {
                group.right.push(sided);
                (*right, *rights) = (*right + at, *rights + 1.0);
            }
        }
    }
    let [left, right] = sums.map(|(sum, count)| sum / count);
    let Some(across) = (left - right).try_normalize() else { return Vec::new() };
    let middle = (left + right) * 0.5;
    let mirrored = |at: DVec3| at - across * (2.0 * (at - middle).dot(across));
    let mut pairs: Vec<[usize; 2]> = alike.values().flat_map(|group| pairs(group, mirrored)).collect();
    pairs.sort_unstable();
    pairs
}

fn pairs(group: &Alike, mirrored: impl Fn(DVec3) -> DVec3) -> Vec<[usize; 2]> {
    if group.left.len().max(group.right.len()) > MAX_ALIKE {
        return Vec::new();
    }
    let nearest = |to: DVec3, among: &[Sided]| {
        let sorted = among.iter().min_by(|a, b| a.at.distance(to).total_cmp(&b.at.distance(to)));
        sorted.copied()
    };
    let pair = |left: &Sided| {
        let right = nearest(mirrored(left.at), &group.right)?;
        let back = nearest(mirrored(right.at), &group.left)?;
        let off = mirrored(left.at).distance(right.at);
        let is_pair = back.joint == left.joint && off <= MAX_OFF * left.at.distance(right.at);
        is_pair.then_some([left.joint, right.joint])
    };
    group.left.iter().filter_map(pair).collect()
}
