//! Weights by hand: edits of the chosen vertices' weights that keep locked joints to the bit and each sum at one. This module
//! must not depend on files or command lines.

mod choose;
mod donor;
mod edit;
mod idle;
mod places;
mod points;
mod row;
mod select;
#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashMap, HashSet};

use sinew_model::{Influences, Model, NotDrawn, Primitive, Skin};

use crate::pose::{NameError, Names};
use crate::skin_of;

pub use choose::{Chosen, NoCondition, Where};
pub use donor::Copied;
pub use edit::{Edit, NoEdit};
pub use places::{NoPlaces, Places};
use points::{Points, Smoothed};
pub use row::Row;
pub use select::{Edited, PlacedEdit, edited};

/// The maximum number of marks at which the text of two joints may be divided.
const MAX_MARKS: usize = 100;

/// An edit that a model cannot have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// Unknown joint name.
    #[error(transparent)]
    Name(#[from] NameError),
    /// An edit of a locked joint.
    #[error("'{0}' is locked")]
    Locked(String),
    /// Two names of one joint.
    #[error("'{0}' and '{1}' are one joint")]
    Same(String, String),
    /// A text that names two joints in several ways.
    #[error("'{0}' names two joints in more than one way; give their numbers, such as '#12'")]
    Unclear(String),
    /// Two joints that no skin has together.
    #[error("no skin has both '{0}' and '{1}'")]
    Apart(String, String),
    /// Nothing has this name.
    #[error("no mesh and no node that draws one is called '{0}'")]
    NoMesh(String),
    /// A vertex that is not drawn.
    #[error(transparent)]
    Vertex(#[from] NotDrawn),
}

/// A primitive whose vertices joints move.
#[derive(Clone, Debug)]
pub struct Part {
    /// The first instance that draws it with a skin.
    pub instance: usize,
    /// The mesh.
    pub mesh: usize,
    /// The primitive's index in the mesh.
    pub primitive: usize,
    /// The skin of that instance.
    pub skin: usize,
    /// All skins that draw it; its weights are for the joints of each.
    skins: Vec<usize>,
    /// The weights of each vertex.
    pub rows: Vec<Row>,
}

/// The weights of a model, to be edited.
#[derive(Clone, Debug)]
pub struct Weights<'a> {
    model: &'a Model,
    /// The primitives that joints move, each once.
    pub parts: Vec<Part>,
    /// The index of the part of each mesh and primitive.
    places: HashMap<(usize, usize), usize>,
    /// For each skin, the number of each joint.
    numbers: Vec<HashMap<usize, i32>>,
    /// The nodes of locked joints.
    locked: HashSet<usize>,
}

/// The number of vertices of an edit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Vertices that changed.
    pub changed: usize,
    /// Vertices that could not follow the edit, because of locked joints or because one joint moves them alone.
    pub short: usize,
}

impl Part {
    /// The primitive.
    pub fn primitive<'a>(&self, model: &'a Model) -> Option<&'a Primitive> {
        model.meshes.get(self.mesh)?.primitives.get(self.primitive)
    }

    /// Returns true if its mesh, or a node that draws it, has this name.
    fn is_named(&self, model: &Model, name: &str) -> bool {
        let drawn = model.instances.iter().filter(|instance| instance.mesh == self.mesh);
        drawn.into_iter().any(|instance| choose::has_name(model, instance.mesh, instance.node, name))
    }
}

/// Divides the text of two joints, which were divided at the first mark. A name may contain the mark: the only place counts
/// that has a joint on either side. If there is none, the first place stays.
fn divided(names: &Names<'_>, [a, b]: [&str; 2], mark: char) -> Result<[String; 2], EditError> {
    let text = format!("{a}{mark}{b}");
    let pair = |(at, _): (usize, &str)| {
        let (a, b) = text.split_at_checked(at)?;
        let b = b.strip_prefix(mark)?;
        [a, b].iter().all(|name| names.joint(name).is_ok()).then(|| [a.to_owned(), b.to_owned()])
    };
    let mut found = text.match_indices(mark).take(MAX_MARKS).filter_map(pair);
    match (found.next(), found.next()) {
        (Some(only), None) => Ok(only),
        (Some(_), Some(_)) => Err(EditError::Unclear(text.clone())),
        (None, _) => Ok([a.to_owned(), b.to_owned()]),
    }
}

/// Returns true if a number is that of one of these joints in any of some skins.
fn has_any(model: &Model, skins: &[usize], joints: &HashSet<usize>, number: i32) -> bool {
    let node = |skin: &usize| model.skins.get(*skin)?.joints.get(usize::try_from(number).ok()?);
    skins.iter().filter_map(node).any(|node| joints.contains(node))
}

/// Returns the skins that draw each mesh.
fn skins_of(model: &Model) -> HashMap<usize, Vec<usize>> {
    let mut skins_of: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut known = HashSet::new();
    for instance in &model.instances {
        let skin = instance.skin.filter(|skin| *skin < model.skins.len());
        if let Some(skin) = skin.filter(|skin| known.insert((instance.mesh, *skin))) {
            skins_of.entry(instance.mesh).or_default().push(skin);
        }
    }
    skins_of
}

impl<'a> Weights<'a> {
    /// Reads a model's weights. A mesh that several skins draw has one list of weights for all of them.
    pub fn new(model: &'a Model) -> Self {
        let mut seen = HashSet::new();
        let mut parts: Vec<Part> = Vec::new();
        let mut places = HashMap::new();
        let skins_of = skins_of(model);
        for (number, instance) in model.instances.iter().enumerate() {
            let (Some(skin), Some(mesh)) = (instance.skin, model.meshes.get(instance.mesh)) else { continue };
            if !seen.insert(instance.mesh) {
                continue;
            }
            for (primitive, stored) in mesh.primitives.iter().enumerate() {
                if skin_of(model, instance, stored.influences.is_some()).is_none() {
                    continue;
                }
                let Some(influences) = &stored.influences else { continue };
                let count = stored.positions.len();
                let rows = (0..count).map(|vertex| Row::of(influences, vertex)).collect();
                places.insert((instance.mesh, primitive), parts.len());
                let skins = skins_of.get(&instance.mesh).cloned().unwrap_or_default();
                parts.push(Part { instance: number, mesh: instance.mesh, primitive, skin, skins, rows });
            }
        }
        let numbered = |skin: &Skin| {
            let mut numbers = HashMap::new();
            for (number, node) in (0..).zip(&skin.joints) {
                numbers.entry(*node).or_insert(number);
            }
            numbers
        };
        let numbers = model.skins.iter().map(numbered).collect();
        Self { model, parts, places, numbers, locked: HashSet::new() }
    }

    /// Locks these joints and unlocks all others.
    ///
    /// # Errors
    /// If a name is unknown.
    pub fn lock(&mut self, joints: &[String]) -> Result<(), EditError> {
        let names = Names::new(self.model);
        self.locked = joints.iter().map(|joint| names.joint(joint)).collect::<Result<_, _>>()?;
        Ok(())
    }

    /// Returns true if nothing changes a joint's weights.
    pub fn is_locked(&self, node: usize) -> bool {
        self.locked.contains(&node)
    }

    /// Returns true if nothing changes the weights of a joint of a primitive, numbered as in its skin.
    pub fn locks(&self, mesh: usize, primitive: usize, joint: i32) -> bool {
        let part = self.places.get(&(mesh, primitive)).and_then(|part| self.parts.get(*part));
        part.is_some_and(|part| has_any(self.model, &part.skins, &self.locked, joint))
    }

    /// Chooses the vertices for which all conditions hold.
    ///
    /// # Errors
    /// If one names what the model does not have.
    pub fn choose(&self, conditions: &[Where]) -> Result<Chosen, EditError> {
        Chosen::new(self, conditions)
    }

    /// Chooses the vertices of an edit without conditions: those that the joint moves for `add` and `set`, and all for others.
    ///
    /// # Errors
    /// If the edit names a joint that the model does not have.
    pub fn choose_for(&self, edit: &Edit) -> Result<Chosen, EditError> {
        match edit {
            Edit::Add(joint, _) | Edit::Set(joint, _) => self.choose(&[Where::Joint(joint.clone())]),
            _ => self.choose(&[]),
        }
    }

    /// Returns the index of the part that an instance draws as one of its primitives.
    pub fn part_of(&self, instance: usize, primitive: usize) -> Option<usize> {
        let mesh = self.model.instances.get(instance)?.mesh;
        self.places.get(&(mesh, primitive)).copied()
    }

    /// Returns the number of a joint in the first of a part's skins that has it; `None` if another skin of the part has fewer
    /// joints.
    pub fn number_in(&self, part: usize, node: usize) -> Option<i32> {
        let skins = &self.parts.get(part)?.skins;
        let number = skins.iter().find_map(|skin| self.numbers.get(*skin)?.get(&node).copied())?;
        let has_it = |skin: &usize| {
            let joints = self.model.skins.get(*skin).map_or(0, |skin| skin.joints.len());
            usize::try_from(number).is_ok_and(|number| number < joints)
        };
        skins.iter().all(has_it).then_some(number)
    }

    /// Gives a vertex the proportions of these joints, numbered as in its skin.
    pub fn put(&mut self, part: usize, vertex: usize, wanted: &[(i32, f64)], done: &mut Done) {
        self.change(part, vertex, done, |row, is_locked| row.put(wanted, is_locked));
    }

    /// Gives a joint of a vertex, numbered as in its skin, a weight.
    pub fn set(&mut self, part: usize, vertex: usize, joint: i32, weight: f64, done: &mut Done) {
        self.change(part, vertex, done, |row, is_locked| row.set(joint, weight, is_locked));
    }

    /// Removes the joints of a vertex below a weight.
    pub fn prune(&mut self, part: usize, vertex: usize, least: f64, done: &mut Done) {
        self.change(part, vertex, done, |row, is_locked| {
            row.prune(least, is_locked);
            true
        });
    }

    /// Changes a row, and counts it.
    fn change(
        &mut self,
        part: usize,
        vertex: usize,
        done: &mut Done,
        change: impl FnOnce(&mut Row, &dyn Fn(i32) -> bool) -> bool,
    ) {
        let Some(part) = self.parts.get_mut(part) else { return };
        let Some(row) = part.rows.get_mut(vertex) else { return };
        let (model, locked, skins) = (self.model, &self.locked, &part.skins);
        let is_locked = |joint: i32| !locked.is_empty() && has_any(model, skins, locked, joint);
        let before = row.clone();
        let is_whole = change(row, &is_locked);
        if *row == before {
            // In the order of the file.
            *row = before;
        } else {
            done.changed = done.changed.saturating_add(1);
        }
        done.short = done.short.saturating_add(usize::from(!is_whole));
    }

    /// Edits the chosen vertices.
    ///
    /// # Errors
    /// If the edit names a joint that the model does not have, or a locked one.
    pub fn apply(&mut self, edit: &Edit, chosen: &Chosen) -> Result<Done, EditError> {
        let names = Names::new(self.model);
        let joint = |name: &String| {
            let node = names.joint(name)?;
            match self.locked.contains(&node) {
                true => Err(EditError::Locked(name.clone())),
                false => Ok(node),
            }
        };
        let together = |a: &String, b: &String, mark: char| {
            let [a, b] = divided(&names, [a, b], mark)?;
            let (first, second) = (joint(&a)?, joint(&b)?);
            if first == second {
                return Err(EditError::Same(a, b));
            }
            let skins = &self.model.skins;
            let is_one =
                skins.iter().any(|skin| [first, second].iter().all(|node| skin.joints.contains(node)));
            is_one.then_some([first, second]).ok_or(EditError::Apart(a, b))
        };
        let mut done = Done::default();
        match edit {
            Edit::Replace(old, new) => {
                let nodes = together(old, new, '=')?;
                self.rename(
                    nodes,
                    chosen,
                    &mut done,
                    |[old, new], joint| if joint == old { new } else { joint },
                );
            }
            Edit::Swap(a, b) => {
                let nodes = together(a, b, ',')?;
                self.rename(nodes, chosen, &mut done, |[a, b], joint| match joint {
                    joint if joint == a => b,
                    joint if joint == b => a,
                    joint => joint,
                });
            }
            Edit::Add(name, by) => {
                let node = joint(name)?;
                self.weigh(node, chosen, &mut done, |own| own + by);
            }
            Edit::Set(name, to) => {
                let node = joint(name)?;
                self.weigh(node, chosen, &mut done, |_| *to);
            }
            Edit::Smooth(name, times) => {
                let node = joint(name)?;
                self.smooth(node, *times, chosen, &mut done);
            }
            Edit::Prune(least) => self.each(chosen, &mut done, |row, is_locked| {
                row.prune(*least, is_locked);
                true
            }),
            Edit::Shorten(most) => {
                self.each(chosen, &mut done, |row, is_locked| row.shorten(*most, is_locked));
            }
        }
        Ok(done)
    }

    /// Renames two joints in the skins that have both.
    fn rename(
        &mut self,
        nodes: [usize; 2],
        chosen: &Chosen,
        done: &mut Done,
        name: impl Fn([i32; 2], i32) -> i32,
    ) {
        for part in 0..self.parts.len() {
            let [Some(a), Some(b)] = nodes.map(|node| self.number_in(part, node)) else { continue };
            self.each_of(part, chosen, done, |row, is_locked| {
                // Another skin of the mesh may lock them.
                let is_free = !is_locked(a) && !is_locked(b);
                row.rename(|joint| if is_free { name([a, b], joint) } else { joint });
                is_free
            });
        }
    }

    /// Gives a joint another weight.
    fn weigh(&mut self, node: usize, chosen: &Chosen, done: &mut Done, weight: impl Fn(f64) -> f64) {
        for part in 0..self.parts.len() {
            let Some(joint) = self.number_in(part, node) else { continue };
            self.each_of(part, chosen, done, |row, is_locked| {
                row.set(joint, weight(row.weight(joint)).clamp(0.0, 1.0), is_locked)
            });
        }
    }

    /// Smooths a joint's weights over the surface of each skin that has it.
    fn smooth(&mut self, node: usize, times: u32, chosen: &Chosen, done: &mut Done) {
        let before: Vec<Vec<Row>> = self.parts.iter().map(|part| part.rows.clone()).collect();
        for skin in self.parts.iter().map(|part| part.skin).collect::<BTreeSet<usize>>() {
            let first = self.parts.iter().position(|part| part.skin == skin);
            let Some(joint) = first.and_then(|part| self.number_in(part, node)) else { continue };
            let points = Points::new(self.model, &self.parts, skin);
            for step in 1..=times {
                for Smoothed { vertices, weight, others } in points.smooth(&self.parts, chosen, joint) {
                    for (part, vertex) in vertices.into_iter().filter(|(part, at)| chosen.has(*part, *at)) {
                        let mut own = Done::default();
                        self.change(part, vertex, &mut own, |row, is_locked| {
                            row.set(joint, weight, is_locked)
                                || row.set_with(joint, weight, &others, is_locked)
                        });
                        done.short = done.short.saturating_add(if step == times { own.short } else { 0 });
                    }
                }
            }
        }
        let rows = self.parts.iter().zip(&before).flat_map(|(part, before)| part.rows.iter().zip(before));
        done.changed = rows.filter(|(row, before)| row != before).count();
    }

    fn each(
        &mut self,
        chosen: &Chosen,
        done: &mut Done,
        change: impl Fn(&mut Row, &dyn Fn(i32) -> bool) -> bool,
    ) {
        (0..self.parts.len()).for_each(|part| self.each_of(part, chosen, done, &change));
    }

    fn each_of(
        &mut self,
        part: usize,
        chosen: &Chosen,
        done: &mut Done,
        change: impl Fn(&mut Row, &dyn Fn(i32) -> bool) -> bool,
    ) {
        let count = self.parts.get(part).map_or(0, |part| part.rows.len());
        for vertex in (0..count).filter(|vertex| chosen.has(part, *vertex)) {
            self.change(part, vertex, done, &change);
        }
    }

    /// Returns the model with the edited weights. Vertices that nothing changed keep theirs to the bit.
    pub fn model(&self) -> Model {
        let mut model = self.model.clone();
        for part in &self.parts {
            let mesh = model.meshes.get_mut(part.mesh);
            let Some(primitive) = mesh.and_then(|mesh| mesh.primitives.get_mut(part.primitive)) else {
                continue;
            };
            let Some(stored) = &primitive.influences else { continue };
            let same = |(vertex, row): (usize, &Row)| *row == Row::of(stored, vertex);
            if part.rows.iter().enumerate().all(same) {
                continue;
            }
            let rows = part.rows.iter().map(|row| row.weights().collect());
            primitive.influences = Some(Influences::from_rows(rows));
            primitive.steps.weights = None;
            primitive.unequal_sums.clear();
            primitive.first_joints.clear();
            // Both depend on weights.
            (model.centers, model.ddm) = Default::default();
        }
        model
    }
}
