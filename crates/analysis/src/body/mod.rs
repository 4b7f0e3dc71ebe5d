//! Joints by everyday words: `elbow` is `forearm.R`, `mixamorig:LeftForeArm`, `lowerarm_l`, and the second joint of an arm
//! with numbered joints. This module must not depend on the use of the joints.

mod name;
mod parts;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::fmt;

use sinew_model::unknown::{MAX_COMPARED, nearest, quoted, similar};
use sinew_model::{Model, Rig};
use sinew_skinning::pose::{NameError, Names};

use self::name::{Name, without_namespace};
use self::parts::{LIMBS, Part, known, parts_of};
use super::weights::Side;

/// The maximum number of joints that an error suggests.
const MAX_SUGGESTED: usize = 3;

/// The longest word, in letters, that must match exactly; a misspelt short word has too many neighbours.
const MAX_EXACT: usize = 4;

/// A word without a joint, or an ambiguous name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JointError {
    /// No joint has the name or is at that part of the body.
    #[error("the model has no joint {}{}", quoted(asked), Suggested(nearest))]
    Unknown {
        /// The word as given.
        asked: String,
        /// The nearest joints, by name or as `#NODE`.
        nearest: Vec<String>,
    },
    /// The name is ambiguous.
    #[error(transparent)]
    Name(NameError),
}

struct Suggested<'a>(&'a [String]);

impl fmt::Display for Suggested<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.0.iter().map(|name| quoted(name)).collect();
        match names.split_last() {
            None => f.write_str("; 'sinew inspect MODEL --joints' lists them"),
            Some((only, [])) => write!(f, "; the nearest is {only}"),
            Some((last, others)) => write!(f, "; the nearest are {} and {last}", others.join(", ")),
        }
    }
}

/// Returns the joints for a word, in the rig's order: the node of that name, else all joints at that part of the body, else
/// all whose name contains the word, or nearly so.
///
/// A side in the word counts. A joint without a side is used for it only if no other joint matches.
///
/// # Errors
/// If no joint matches.
pub fn joints_called(model: &Model, asked: &str) -> Result<Vec<usize>, JointError> {
    let names = Names::new(model);
    let error = match names.node(asked) {
        Ok(node) => return Ok(vec![node]),
        Err(error) => error,
    };
    let joints = joints(model);
    let wanted = Name::of(asked);
    let [found, near] = search(&model.rig, &joints, asked, &wanted);
    if !found.is_empty() {
        return Ok(found.into_iter().map(|joint| joint.node).collect());
    }
    if let NameError::Ambiguous { .. } = error {
        return Err(JointError::Name(error));
    }
    let mut nearest: Vec<usize> = Vec::new();
    // `rigth elbow` is spelled like no joint, but half of it is a known word.
    let halves = wanted.words.iter().rev().take(MAX_SUGGESTED).filter(|word| **word != wanted.word);
    let of_halves = halves.flat_map(|word| named(&model.rig, &joints, word, wanted.side).concat());
    for joint in near.into_iter().chain(alike(&joints, asked, &wanted)).chain(of_halves) {
        if nearest.len() < MAX_SUGGESTED && !nearest.contains(&joint.node) {
            nearest.push(joint.node);
        }
    }
    let nearest = nearest.into_iter().map(|node| names.node_name(node)).collect();
    Err(JointError::Unknown { asked: asked.to_owned(), nearest })
}

struct Joint {
    node: usize,
    /// The whole name in lower case, without a namespace.
    own: String,
    name: Name,
    row: Row,
}

/// The position of a joint in a limb whose joints have one name: `arm_1`, `arm_2`, `arm_3`.
#[derive(Clone, Copy)]
enum Row {
    /// Not in such a limb.
    None,
    /// The part of the body at this position, if the table has one.
    At(Option<&'static str>),
}

/// Returns the joints of all skins, without copies.
fn joints(model: &Model) -> Vec<Joint> {
    let named: HashSet<usize> = model.skins.iter().flat_map(|skin| skin.joints.iter().copied()).collect();
    let rig = &model.rig;
    let nodes = (0..rig.len().saturating_sub(rig.copies.len())).filter(|node| named.contains(node));
    let joint = |node: usize| {
        let name = rig.names.get(node).map_or("", String::as_str);
        Joint { node, own: without_namespace(name).to_lowercase(), name: Name::of(name), row: Row::None }
    };
    let mut joints: Vec<Joint> = nodes.map(joint).collect();
    for (joint, row) in rows(rig, &joints) {
        if let Some(joint) = joints.get_mut(joint) {
            joint.row = row;
        }
    }
    joints
}

/// Returns the joints of limbs whose joints have one name.
fn rows(rig: &Rig, joints: &[Joint]) -> Vec<(usize, Row)> {
    // For each joint with the name of a limb, the number of those above it. Parents come before children.
    let mut above: HashMap<usize, (&str, usize)> = HashMap::new();
    let mut has_below: HashSet<usize> = HashSet::new();
    let mut found = Vec::new();
    for (number, joint) in joints.iter().enumerate() {
        let Some((limb, places)) = LIMBS.iter().find(|(limb, _)| *limb == joint.name.word) else { continue };
        let upper =
            parent(rig, joint.node).filter(|parent| above.get(parent).is_some_and(|(of, _)| of == limb));
        let count = upper.and_then(|upper| above.get(&upper)).map_or(0, |(_, count)| count.saturating_add(1));
        above.insert(joint.node, (limb, count));
        has_below.extend(upper);
        found.push((number, joint.node, count, places.get(count).copied()));
    }
    let is_row = |node: usize, count: usize| count > 0 || has_below.contains(&node);
    let found = found.into_iter().filter(|(_, node, count, _)| is_row(*node, *count));
    found.map(|(number, _, _, place)| (number, Row::At(place))).collect()
}

fn parent(rig: &Rig, node: usize) -> Option<usize> {
    rig.parents.get(node).copied().flatten().map(|parent| parent as usize)
}

/// Returns the matching joints, and close ones if there are none.
fn search<'a>(rig: &Rig, joints: &'a [Joint], asked: &str, wanted: &Name) -> [Vec<&'a Joint>; 2] {
    let own = without_namespace(asked).to_lowercase();
    let same: Vec<&Joint> = joints.iter().filter(|joint| joint.own == own).collect();
    // Without its number, `Bone_12` would match every bone.
    if !same.is_empty() || wanted.is_empty {
        return [same, Vec::new()];
    }
    let found = named(rig, joints, &wanted.word, wanted.side);
    let is_exact = wanted.word.chars().count() <= MAX_EXACT || !parts_of(&wanted.word).is_empty();
    if is_exact || found.iter().any(|found| !found.is_empty()) {
        return found;
    }
    let of_joints = joints.iter().map(|joint| joint.name.word.as_str()).take(MAX_COMPARED);
    match nearest(&wanted.word, of_joints.chain(known())) {
        Some(near) => named(rig, joints, near, wanted.side),
        None => found,
    }
}

/// Returns the joints for a word and a side, and those for the word alone if there are none.
fn named<'a>(rig: &Rig, joints: &'a [Joint], word: &str, side: Option<Side>) -> [Vec<&'a Joint>; 2] {
    let mut near: Vec<&Joint> = Vec::new();
    for find in [at_part, beginning, having] {
        let found = find(rig, joints, word);
        let is_of_side = |joint: &&&Joint| side.is_none() || joint.name.side == side;
        let of_side: Vec<&Joint> = found.iter().filter(is_of_side).copied().collect();
        if !of_side.is_empty() {
            return [without_twists(of_side), Vec::new()];
        }
        near.extend(found);
    }
    // A joint in the middle, or of a rig with only one side.
    let is_only = |joint: &&Joint| near.iter().all(|other| other.node == joint.node);
    match near.first().copied().filter(is_only).filter(|joint| joint.name.side.is_none()) {
        Some(only) => [vec![only], Vec::new()],
        None => [Vec::new(), near],
    }
}

/// Returns the joints whose whole name means a part of the body.
fn at_part<'a>(rig: &Rig, joints: &'a [Joint], word: &str) -> Vec<&'a Joint> {
    let parts = parts_of(word);
    let is_there = |joint: &&Joint| match joint.row {
        Row::At(place) => parts.iter().any(|part| Some(part.name()) == place),
        Row::None => parts.iter().any(|part| part.words.contains(&joint.name.word.as_str())),
    };
    let there: Vec<&Joint> = joints.iter().filter(is_there).collect();
    // A leg is a shin in one rig and a thigh in another, so it counts only if its side has nothing better, and nothing above
    // it.
    let is_bare = |joint: &Joint| {
        matches!(joint.row, Row::None) && LIMBS.iter().any(|(limb, _)| *limb == joint.name.word)
    };
    let better: Vec<Option<Side>> =
        there.iter().filter(|joint| !is_bare(joint)).map(|joint| joint.name.side).collect();
    let nodes: HashSet<usize> = there.iter().map(|joint| joint.node).collect();
    let has_above = |joint: &Joint| {
        std::iter::successors(parent(rig, joint.node), |node| parent(rig, *node))
            .any(|node| nodes.contains(&node))
    };
    let counts = |joint: &&Joint| !is_bare(joint) || !(better.contains(&joint.name.side) || has_above(joint));
    there.iter().copied().filter(counts).collect()
}

/// Returns the joints whose names begin or end with the word for a part of the body: `ForearmBend`, `spine_lower`.
fn beginning<'a>(_: &Rig, joints: &'a [Joint], word: &str) -> Vec<&'a Joint> {
    let words: Vec<&str> = parts_of(word).into_iter().flat_map(Part::clear_words).collect();
    joints.iter().filter(|joint| words.iter().any(|word| joint.name.has_at_an_end(word))).collect()
}

/// Returns the joints whose names contain a word.
fn having<'a>(_: &Rig, joints: &'a [Joint], word: &str) -> Vec<&'a Joint> {
    joints.iter().filter(|joint| !word.is_empty() && joint.name.has(word)).collect()
}

/// Returns the joints with similar spellings.
fn alike<'a>(joints: &'a [Joint], asked: &str, wanted: &Name) -> impl Iterator<Item = &'a Joint> {
    let joints = joints.get(..MAX_COMPARED).unwrap_or(joints);
    let words = similar(&wanted.word, joints.iter().map(|joint| joint.name.word.as_str()), MAX_SUGGESTED);
    let names = similar(asked, joints.iter().map(|joint| joint.own.as_str()), MAX_SUGGESTED);
    let of_words = words.into_iter().filter(|_| !wanted.is_empty);
    let of_words = of_words.flat_map(|word| joints.iter().filter(move |joint| joint.name.word == word));
    of_words.chain(names.into_iter().flat_map(|name| joints.iter().filter(move |joint| joint.own == name)))
}

fn without_twists(found: Vec<&Joint>) -> Vec<&Joint> {
    let plain: Vec<&Joint> = found.iter().filter(|joint| !joint.name.is_twist()).copied().collect();
    if plain.is_empty() { found } else { plain }
}
