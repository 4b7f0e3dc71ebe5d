//! The points that a picture of an explanation shows.

use super::explanation::{Explanation, Influence, Moved};
use sinew_skinning::SkinningMode;

/// The points of a picture, in the world; those whose numbers are not finite are left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// The vertex before any joint moves it.
    pub bind: Option<[f64; 3]>,
    /// Where each influence alone would put it, heaviest first.
    pub joints: Vec<JointPoint>,
    /// Where each mode puts it.
    pub modes: Vec<ModePoint>,
}

/// Where one joint alone would put the vertex.
#[derive(Clone, Debug, PartialEq)]
pub struct JointPoint {
    /// The joint's name, or its number where it has none.
    pub label: String,
    /// The weight.
    pub weight: f64,
    /// The point.
    pub position: [f64; 3],
}

/// Where a mode puts the vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModePoint {
    /// The mode.
    pub mode: SkinningMode,
    /// The point.
    pub position: [f64; 3],
}

/// The points that explain a vertex.
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
