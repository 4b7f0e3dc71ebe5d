//! Makes rigs of a human from the text of a scheme.

use glam::{DQuat, DVec3};
use sinew_model::{LocalTransform, Model, Rig, Skin};

/// A bone in a rig: its name, its side (−1 right, 0 none, 1 left) and its number among those of the name.
pub type Bone = (&'static str, i8, usize);

/// A rig, and the bone of each joint; `None` for helpers.
#[derive(Clone)]
pub struct Human {
    pub model: Model,
    pub bones: Vec<Option<Bone>>,
}

/// The proportions of a figure.
#[derive(Clone, Copy)]
pub struct Proportions {
    /// The size of a metre.
    pub unit: f64,
    /// The lengths of arms, legs and torso.
    pub arms: f64,
    pub legs: f64,
    pub torso: f64,
    /// The angle of the arms below the horizontal, in degrees.
    pub drop: f64,
    /// The turn of the whole figure.
    pub turn: DQuat,
}

impl Proportions {
    pub const USUAL: Self =
        Self { unit: 1.0, arms: 1.0, legs: 1.0, torso: 1.0, drop: 0.0, turn: DQuat::IDENTITY };
}

/// A line of a scheme.
#[derive(Clone)]
struct Line {
    depth: usize,
    name: String,
    bone: &'static str,
    side: i8,
}

/// Reads lines, and writes the subtrees of pairs twice.
fn lines(text: &'static str) -> Vec<Line> {
    let raw = text.lines().filter(|line| !line.is_empty()).map(|line| {
        let (name, bone) = line.split_once(" = ").unwrap();
        let own = name.trim_start();
        (name.len() - own.len(), own, bone)
    });
    let raw: Vec<_> = raw.collect();
    let mut found = Vec::new();
    let mut number = 0;
    while number < raw.len() {
        let (depth, name, _) = raw[number];
        let end = raw[number + 1..].iter().position(|(below, ..)| *below <= depth);
        let is_pair = name.contains('<');
        let count = if is_pair { end.unwrap_or(raw.len() - number - 1) + 1 } else { 1 };
        let sides: &[i8] = if is_pair { &[1, -1] } else { &[0] };
        for side in sides {
            for (depth, name, bone) in &raw[number..number + count] {
                found.push(Line { depth: *depth, name: sided(name, *side), bone, side: *side });
            }
        }
        number += count;
    }
    found
}

fn sided(name: &str, side: i8) -> String {
    let Some((start, rest)) = name.split_once('<') else { return name.to_owned() };
    let (both, end) = rest.split_once('>').unwrap();
    let (left, right) = both.split_once('|').unwrap();
    format!("{start}{}{end}", if side > 0 { left } else { right })
}

/// Returns the place of a bone in a figure of 1.7 m that faces +Z; its left is +X.
fn place(bone: &str, number: usize, count: usize) -> [f64; 3] {
    let share = number as f64 / count as f64;
    let along = number as f64 * 0.03;
    match bone {
        "hips" => [0.0, 1.0, 0.0],
        "spine" => [0.0, 1.06 + 0.38 * share, 0.0],
        "neck" => [0.0, 1.5 + 0.1 * share, 0.0],
        "head" => [0.0, 1.6, 0.02],
        "top" => [0.0, 1.8, 0.02],
        "jaw" => [0.0, 1.62, 0.04],
        "eye" => [0.03, 1.68, 0.09],
        "shoulder" => [0.03, 1.46, 0.0],
        "upper_arm" => [0.17, 1.46, 0.0],
        "lower_arm" => [0.45, 1.46, -0.01],
        "hand" => [0.7, 1.46, 0.0],
        "thumb" => [0.73 + along, 1.45, 0.03 + along],
        "index" => [0.79 + along, 1.46, 0.03],
        "little" => [0.78 + along, 1.46, -0.03],
        "upper_leg" => [0.1, 0.94, 0.0],
        "lower_leg" => [0.1, 0.52, 0.01],
        "foot" => [0.1, 0.09, -0.02],
        "toes" => [0.1, 0.02, 0.1],
        _ => panic!("{bone}"),
    }
}

/// Applies proportions.
fn shaped(at: [f64; 3], bone: &str, side: i8, shape: Proportions) -> DVec3 {
    let [x, y, z] = at;
    let y = y.min(0.94) * shape.legs + (y - 0.94).max(0.0) * shape.torso;
    let shoulder = DVec3::new(0.17, 0.94 * shape.legs + (1.46 - 0.94) * shape.torso, 0.0);
    let is_arm = matches!(bone, "upper_arm" | "lower_arm" | "hand" | "thumb" | "index" | "little" | "?");
    let mut at = DVec3::new(x, y, z);
    if is_arm {
        let turned = DQuat::from_rotation_z(-shape.drop.to_radians()) * (at - shoulder);
        at = shoulder + turned * shape.arms;
    }
    at.x *= f64::from(if side < 0 { -1 } else { 1 });
    at * shape.unit
}

/// Makes a rig. Every node is a joint, except the object.
pub fn human(text: &'static str, shape: Proportions) -> Human {
    let lines = lines(text);
    let mut above: Vec<usize> = Vec::new();
    let (mut parents, mut places, mut bones) = (Vec::new(), Vec::<DVec3>::new(), Vec::<Option<Bone>>::new());
    let (mut numbers, mut last) = (Vec::new(), Vec::new());
    for (node, line) in lines.iter().enumerate() {
        let parent = above.iter().rev().copied().find(|other| lines[*other].depth < line.depth);
        above.retain(|other| lines[*other].depth < line.depth);
        above.push(node);
        let is_known = !matches!(line.bone, "-" | "~" | "+" | "?" | "top");
        let of = |other: &&Line| (other.bone, other.side) == (line.bone, line.side);
        let number = lines[..node].iter().filter(of).count();
        let count = lines.iter().filter(of).count();
        let from = parent.map_or(DVec3::ZERO, |parent: usize| places[parent]);
        let hands = lines[..node].iter().filter(|other| other.bone == "?" && other.side == line.side).count();
        let next = lines[node + 1..].iter().find(|next| {
            next.side == line.side && !matches!(next.bone, "-" | "~" | "+" | "?") && line.side != 0
        });
        let at = match (line.bone, next) {
            ("+", _) => DVec3::new(f64::from(line.side) * 0.1, 0.0, -0.05) * shape.unit,
            ("?", _) => {
                let finger = 0.03 * (hands / 2) as f64 - 0.03;
                let joint = 0.75 + 0.04 * (hands % 2) as f64;
                shaped([joint, 1.46, finger], "?", line.side, shape)
            }
            ("~", Some(next)) if next.depth >= line.depth => {
                let to = shaped(place(next.bone, 0, 1), next.bone, line.side, shape);
                from.lerp(to, 0.5)
            }
            ("~", _) => from + DVec3::Y * 0.01 * shape.unit,
            ("-", _) if matches!(lines[parent.unwrap_or(0)].bone, "foot" | "toes") => {
                from + DVec3::new(0.0, -0.02, 0.1) * shape.unit
            }
            ("-", _) => from + (from - last.get(parent.unwrap_or(0)).copied().unwrap_or(from)) * 0.4,
            (bone, _) => shaped(place(bone, number, count), bone, line.side, shape),
        };
        parents.push(parent.map(|parent| parent as u32));
        last.push(from);
        places.push(at);
        numbers.push(number);
        bones.push(is_known.then_some((line.bone, line.side, number)));
    }
    let local = |node: usize| {
        let parent: Option<u32> = parents[node];
        let from = parent.map_or(DVec3::ZERO, |parent| places[parent as usize]);
        let (translation, rotation) = match parent {
            Some(_) => (places[node] - from, DQuat::IDENTITY),
            None => (shape.turn * places[node], shape.turn),
        };
        LocalTransform::Trs { translation, rotation, scale: DVec3::ONE }
    };
    let rig = Rig {
        names: lines.iter().map(|line| line.name.clone()).collect(),
        rest: (0..lines.len()).map(local).collect(),
        file_index: (0..lines.len() as u32).collect(),
        parents,
        ..Rig::default()
    };
    let joints = (0..lines.len()).filter(|node| lines[*node].bone != "+").collect();
    let skins = vec![Skin { joints, ..Skin::default() }];
    Human { model: Model { rig, skins, ..Model::default() }, bones }
}
