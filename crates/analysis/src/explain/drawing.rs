//! The points in a picture of an explanation.

use super::explanation::{Explanation, Influence, Moved};
use sinew_skinning::SkinningMode;

/// The points in a picture, in the world, without those that are not finite.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// The vertex before any joint moves it.
    pub bind: Option<[f64; 3]>,
    /// The position by each influence alone, heaviest first.
    pub joints: Vec<JointPoint>,
    /// The position in each mode.
    pub modes: Vec<ModePoint>,
}

/// The vertex's position by one joint alone.
#[derive(Clone, Debug, PartialEq)]
pub struct JointPoint {
    /// The joint's name, or its number if it has none.
    pub label: String,
    /// The weight.
    pub weight: f64,
    /// The point.
    pub position: [f64; 3],
}

/// The vertex's position in a mode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModePoint {
    /// The mode.
    pub mode: SkinningMode,
    /// The point.
    pub position: [f64; 3],
}

/// Returns the points that explain a vertex.
pub fn drawing(explanation: &Explanation) -> Drawing {
    let stored = explanation.stored.position.map(|position| position.map(f64::from));
    let point = |influence: &Influence| {
        let Influence { weight, alone, .. } = *influence;
        Some(JointPoint { label: label(influence), weight, position: alone? })
    };
    let moved = |moved: &Moved| Some(ModePoint { mode: moved.mode, position: moved.place.position? });
    Drawing {
        bind: explanation.morphed.map_or(stored, |morphed| morphed.position),
        joints: explanation.influences.iter().filter_map(point).collect(),
        modes: explanation.modes.iter().filter_map(moved).collect(),
    }
}

fn label(influence: &Influence) -> String {
    match (influence.joint, influence.node) {
        (Some(-1), _) => "no joint".to_owned(),
        _ if !influence.name.is_empty() => influence.name.clone(),
        (Some(joint), _) => format!("joint {joint}"),
        (None, Some(node)) => format!("node {node}"),
        (None, None) => "node".to_owned(),
    }
}
