//! Point instancers: copies of prototypes at places of a list.

use std::collections::{HashMap, HashSet};

use glam::{DMat4, DQuat, DVec3};
use openusd::sdf::Path;

use super::Work;
use super::bindings::Binding;
use super::nodes::Nodes;
use super::places::{exact, unit};
use super::stage::{Prim, Stage};
use super::values;
use crate::reading::LoadError;
use crate::reading::message::counted;
use crate::{Instance, Mesh};

/// The kind of these prims.
pub const KIND: &str = "PointInstancer";

/// Bytes of a copy: its node in the rig, in poses and in pictures.
const COPY_BYTES: usize = 1024;

/// Marks the prims below a point instancer, which are drawn only as copies.
pub fn inside(prims: &[Prim]) -> Vec<bool> {
    let mut inside: Vec<bool> = Vec::with_capacity(prims.len());
    for prim in prims {
        let above = prim.parent.and_then(|parent| Some((prims.get(parent)?, *inside.get(parent)?)));
        inside.push(above.is_some_and(|(parent, is_inside)| is_inside || parent.kind == KIND));
    }
    inside
}

/// A scene with its meshes.
pub struct Source<'a> {
    pub stage: &'a Stage,
    pub prims: &'a [Prim],
    pub numbers: &'a HashMap<Path, usize>,
    pub bindings: &'a [Binding],
    /// The mesh of each prim that is one, and true if it has a skin.
    pub meshes: &'a HashMap<usize, (usize, bool)>,
}

/// A mesh of a prototype, and its place in it.
struct Part {
    mesh: usize,
    place: DMat4,
}

impl Source<'_> {
    /// Adds the copies of all instancers.
    ///
    /// # Errors
    /// If they need more memory than a file of this size may take.
    pub fn read(&self, nodes: &mut Nodes, work: &mut Work<'_>) -> Result<Vec<Instance>, LoadError> {
        let mut copies = Vec::new();
        let inside = inside(self.prims);
        for (number, prim) in self.prims.iter().enumerate().filter(|(_, prim)| prim.kind == KIND) {
            let path = prim.path.as_str();
            if inside.get(number) == Some(&true) {
                work.warnings.add("INSTANCER", path, "it is in another point instancer; it is not shown");
                continue;
            }
            let is_shown = self.bindings.get(number).is_some_and(Binding::is_shown);
            let Some(node) = nodes.of.get(&prim.path).copied().filter(|_| is_shown) else { continue };
            let moving = ["positions", "orientations", "scales", "protoIndices", "invisibleIds"];
            if moving.iter().any(|name| self.stage.times(prim, name).len() > 1) {
                work.warnings.add("INSTANCER", path, "its copies move; they are shown where they begin");
            }
            let prototypes: Vec<Vec<Part>> = self
                .stage
                .targets(prim, "prototypes")
                .iter()
                .map(|prototype| self.parts(prototype, nodes, path, work))
                .collect();
            for (prototype, place) in self.places(prim, path, work)? {
                let Some(parts) = prototypes.get(prototype) else {
                    work.warnings.add(
                        "INSTANCER",
                        path,
                        "copies of a prototype that is not there are left out",
                    );
                    continue;
                };
                work.budget.charge(path, parts.len(), COPY_BYTES)?;
                for part in parts {
                    let rest = place.mul_mat4(&part.place);
                    if !rest.is_finite() {
                        work.warnings.add(
                            "INSTANCER",
                            path,
                            "copies at places that are not finite are left out",
                        );
                        continue;
                    }
                    let name = format!("copy of {}", prim.name());
                    let node = nodes.add(name, Some(node), exact(&rest));
                    copies.push(Instance { node, mesh: part.mesh, skin: None });
                }
            }
        }
        Ok(copies)
    }

    /// The meshes of a prototype with their places, its own among them.
    fn parts(&self, prototype: &Path, nodes: &Nodes, path: &str, work: &mut Work<'_>) -> Vec<Part> {
        let mut parts = Vec::new();
        let Some(root) = self.numbers.get(prototype).copied() else {
            work.warnings.add("INSTANCER", path, "a prototype is not there");
            return parts;
        };
        let Some(above) = self.prims.get(root).map(|prim| prim.parent) else { return parts };
        // Parents come before their children.
        let mut places: HashMap<usize, DMat4> = HashMap::new();
        let mut skinned = 0usize;
        for (number, prim) in self.prims.iter().enumerate().skip(root) {
            let over = prim.parent.and_then(|parent| places.get(&parent).copied());
            let over = if number == root { Some(DMat4::IDENTITY) } else { over };
            let Some(over) = over else {
                if number != root && prim.parent == above {
                    break;
                }
                continue;
            };
            let place = nodes.of.get(&prim.path).and_then(|node| nodes.rig.rest.get(*node));
            let place = over.mul_mat4(&place.map_or(DMat4::IDENTITY, |rest| rest.parent_from_node()));
            places.insert(number, place);
            let Some((mesh, is_skinned)) = self.meshes.get(&number).copied() else { continue };
            if is_skinned {
                skinned = skinned.saturating_add(1);
            } else if self.bindings.get(number).is_some_and(Binding::is_shown) {
                parts.push(Part { mesh, place });
            }
        }
        if skinned > 0 {
            let meshes =
                counted(skinned, "skinned mesh of a prototype is", "skinned meshes of prototypes are");
            work.warnings.add("INSTANCER", path, format!("{meshes} not copied"));
        }
        parts
    }

    /// The prototype and the place of each copy that is shown.
    fn places(&self, prim: &Prim, path: &str, work: &mut Work<'_>) -> Result<Vec<(usize, DMat4)>, LoadError> {
        let stage = self.stage;
        let list = |name: &str| stage.value(prim, name);
        let whole = |name: &str| list(name).and_then(|value| values::integers(&value)).unwrap_or_default();
        let vectors = |name: &str| list(name).and_then(|value| values::vectors(&value)).unwrap_or_default();
        let turns = |name: &str| list(name).and_then(|value| values::quaternions(&value));
        let turns = turns("orientationsf").or_else(|| turns("orientations")).unwrap_or_default();
        let (positions, scales, ids) = (vectors("positions"), vectors("scales"), whole("ids"));
        let mut hidden: HashSet<i64> = whole("invisibleIds").into_iter().collect();
        hidden.extend(stage.inactive(prim));
        let (indices, mut places) = (whole("protoIndices"), Vec::new());
        work.budget.charge(path, indices.len(), size_of::<(usize, DMat4)>())?;
        for (number, prototype) in indices.into_iter().enumerate() {
            let id = ids.get(number).copied().unwrap_or(number as i64);
            let (Ok(prototype), Some(position)) = (usize::try_from(prototype), positions.get(number)) else {
                continue;
            };
            if hidden.contains(&id) {
                continue;
            }
            let turn = turns.get(number).and_then(|turn| unit(*turn)).unwrap_or(DQuat::IDENTITY);
            let scale = scales.get(number).copied().unwrap_or(DVec3::ONE);
            places.push((prototype, DMat4::from_scale_rotation_translation(scale, turn, *position)));
        }
        Ok(places)
    }
}

/// Gives each copy as many weights as its mesh has targets.
pub fn weights(copies: &[Instance], meshes: &[Mesh]) -> HashMap<usize, usize> {
    let count = |copy: &Instance| meshes.get(copy.mesh).map_or(0, |mesh| mesh.target_names.len());
    copies.iter().map(|copy| (copy.node, count(copy))).collect()
}
