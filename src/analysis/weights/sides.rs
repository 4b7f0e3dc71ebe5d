//! Which joints are of the left and of the right side, by their names, and which of them are twins.

use std::collections::HashMap;

use glam::DVec3;

use super::bones::Bones;
use sinew_model::{Model, Skin};

/// A side of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Of the left.
    Left,
    /// Of the right.
    Right,
}

/// How far a joint may be from its twin's mirror image, as a share of the distance between the twins.
const MOST_OFF: f64 = 0.25;

/// The most joints of one name, but for side and numbers, that are compared with each other.
const MOST_ALIKE: usize = 512;

/// The longest name that is looked at.
const LONGEST: usize = 256;

/// The side that a name says, and what is left of the name without side and trailing numbers.
///
/// `Left` and `Right` count anywhere in any case; `l` and `r` as a word of their own, digits after them allowed, or
/// before a capital at the start, or as a capital after a small letter at the end.
pub fn side(name: &str) -> Option<(Side, String)> {
    if name.len() > LONGEST {
        return None;
    }
    let lower = name.to_ascii_lowercase();
    let (side, range) = whole_word(&lower).or_else(|| letter(&lower)).or_else(|| joined(name))?;
    let (before, after) = (lower.get(..range.start)?, lower.get(range.end..)?);
    let key = format!("{before}*{after}");
    let is_number = |c: char| c.is_ascii_digit() || is_separator(c);
    Some((side, key.trim_end_matches(is_number).to_owned()))
}

fn is_separator(c: char) -> bool {
    !c.is_alphanumeric()
}

fn whole_word(lower: &str) -> Option<(Side, std::ops::Range<usize>)> {
    let left = lower.find("left").map(|at| (Side::Left, at..at.saturating_add(4)));
    let right = lower.find("right").map(|at| (Side::Right, at..at.saturating_add(5)));
    left.xor(right)
}

/// The first word that is a letter, with digits after it or without.
fn letter(lower: &str) -> Option<(Side, std::ops::Range<usize>)> {
    let mut start = 0;
    for word in lower.split(is_separator) {
        let side = match word.trim_end_matches(|c: char| c.is_ascii_digit()) {
            "l" => Some(Side::Left),
            "r" => Some(Side::Right),
            _ => None,
        };
        if let Some(side) = side {
            return Some((side, start..start.saturating_add(1)));
        }
        let end = start.saturating_add(word.len());
        let separator = lower.get(end..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        start = end.saturating_add(separator);
    }
    None
}

/// `lThigh` and `thighL`.
fn joined(name: &str) -> Option<(Side, std::ops::Range<usize>)> {
    let mut letters = name.chars();
    let ahead = match (letters.next(), letters.next()) {
        (Some('l'), Some(next)) if next.is_ascii_uppercase() => Some((Side::Left, 0..1)),
        (Some('r'), Some(next)) if next.is_ascii_uppercase() => Some((Side::Right, 0..1)),
        _ => None,
    };
    let trimmed = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let mut back = trimmed.chars().rev();
    let at = trimmed.len().saturating_sub(1);
    ahead.or(match (back.next(), back.next()) {
        (Some('L'), Some(before)) if before.is_ascii_lowercase() => Some((Side::Left, at..trimmed.len())),
        (Some('R'), Some(before)) if before.is_ascii_lowercase() => Some((Side::Right, at..trimmed.len())),
        _ => None,
    })
}

/// A joint of one side.
#[derive(Clone, Copy)]
struct Sided {
    joint: usize,
    at: DVec3,
}

/// The joints of one name, but for side and numbers.
#[derive(Default)]
struct Alike {
    left: Vec<Sided>,
    right: Vec<Sided>,
}

/// Pairs of left and right joints: alike by name, and each the nearest to the other's mirror image. The mirror is
/// halfway between all left and all right joints.
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
    if group.left.len().max(group.right.len()) > MOST_ALIKE {
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
        let is_pair = back.joint == left.joint && off <= MOST_OFF * left.at.distance(right.at);
        is_pair.then_some([left.joint, right.joint])
    };
    group.left.iter().filter_map(pair).collect()
}
