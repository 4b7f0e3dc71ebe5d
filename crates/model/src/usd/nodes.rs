//! Nodes of the rig: one that turns the file's axes and units, one for each prim that has a place, and joints.

use std::collections::HashMap;

use glam::{DMat4, DQuat, DVec3};
use openusd::sdf::Path;

use super::places::{Place, exact, parts};
use super::stage::{Prim, Stage};
use super::values;
use crate::reading::LoadError;
use crate::reading::message::quoted;
use crate::{LocalTransform, Rig};

/// Types of prims that have no place, and nothing in them has.
const PLACELESS: [&str; 8] = [
    "Material",
    "Shader",
    "NodeGraph",
    "GeomSubset",
    "SkelAnimation",
    "BlendShape",
    "RenderSettings",
    "RenderProduct",
];

/// A prim whose place changes, with its node.
pub type Moving = (usize, Prim, Place);

/// The rig, and the nodes of prims.
pub struct Nodes {
    pub rig: Rig,
    /// The node of each prim that has one.
    pub of: HashMap<Path, usize>,
    /// Prims whose place changes.
    pub moving: Vec<Moving>,
}

impl Nodes {
    /// Reads the places of all prims.
    ///
    /// # Errors
    /// If one is not finite.
    pub fn of(stage: &Stage, prims: &[Prim]) -> Result<Self, LoadError> {
        let mut nodes = Self { rig: Rig::default(), of: HashMap::new(), moving: Vec::new() };
        nodes.add(String::new(), None, conversion(stage));
        let mut numbers: Vec<Option<usize>> = Vec::new();
        for prim in prims {
            let parent = match prim.parent {
                None => Some(0),
                Some(parent) => numbers.get(parent).copied().flatten(),
            };
            let parent = parent.filter(|_| !PLACELESS.contains(&prim.kind.as_str()));
            let Some(parent) = parent else {
                numbers.push(None);
                continue;
            };
            let place = Place::of(stage, prim);
            let Some(rest) = place.at(stage, prim, None) else {
                let message = format!("the position of {} is not finite", quoted(prim.path.as_str()));
                return Err(LoadError::broken("VALUE_NOT_IN_RANGE", "", message));
            };
            let parent = if place.resets { 0 } else { parent };
            let rest = if place.times.len() > 1 { parts(&rest) } else { exact(&rest) };
            let number = nodes.add(stage.title(prim), Some(parent), rest);
            nodes.of.insert(prim.path.clone(), number);
            if place.times.len() > 1 {
                nodes.moving.push((number, prim.clone(), place));
            }
            numbers.push(Some(number));
        }
        Ok(nodes)
    }

    /// Prims whose place changes in a scene with another variant.
    pub fn moving(&self, stage: &Stage, prims: &[Prim]) -> Vec<Moving> {
        let moving = |prim: &Prim| {
            let place = Place::of(stage, prim);
            Some((*self.of.get(&prim.path)?, prim.clone(), place)).filter(|(.., place)| place.times.len() > 1)
        };
        prims.iter().filter_map(moving).collect()
    }

    /// Adds a node; returns its number.
    pub fn add(&mut self, name: String, parent: Option<usize>, rest: LocalTransform) -> usize {
        let number = self.rig.len();
        self.rig.names.push(name);
        self.rig.parents.push(parent.map(|parent| parent as u32));
        self.rig.rest.push(rest);
        self.rig.file_index.push(number as u32);
        number
    }
}

/// Metres in the file's unit: centimetres if it names none.
pub fn metres(stage: &Stage) -> f64 {
    let metres = stage.metadata("metersPerUnit").and_then(|value| values::number(&value));
    metres.filter(|metres| (1e-30..1e30).contains(metres)).unwrap_or(0.01)
}

/// Returns true if z points up in the file.
pub fn is_z_up(stage: &Stage) -> bool {
    stage.metadata("upAxis").and_then(|value| values::text(&value)).as_deref() == Some("Z")
}

/// The turn to y up, and the scale to metres.
fn conversion(stage: &Stage) -> LocalTransform {
    let rotation = match is_z_up(stage) {
        true => DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2),
        false => DQuat::IDENTITY,
    };
    let scale = DVec3::splat(metres(stage));
    exact(&DMat4::from_scale_rotation_translation(scale, rotation, DVec3::ZERO))
}
