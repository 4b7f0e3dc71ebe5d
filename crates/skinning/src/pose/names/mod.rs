//! Names of a model's nodes, morph targets and clips in files and on command lines: the file's own if they are unambiguous,
//! else numbers such as `#12`.

use std::collections::{HashMap, HashSet};

use sinew_model::unknown::{self, MAX_COMPARED, quoted};
use sinew_model::{Expression, Model, Rig, face_name};

/// The names of a model. [`Names::new`] reads every name once.
#[derive(Clone, Debug)]
pub struct Names<'a> {
    model: &'a Model,
    /// Nodes of the file, without copies.
    nodes: Table<'a>,
    /// The index in the rig of each node of the file.
    by_number: HashMap<u32, usize>,
    clips: Table<'a>,
    /// The mesh of each node that shows one; nodes in the rig's order.
    meshes: Vec<(usize, usize)>,
}

/// The morph targets of one node, by name.
#[derive(Clone, Debug)]
pub struct Targets<'a> {
    table: Table<'a>,
    /// The mesh's names, perhaps fewer than there are targets.
    names: &'a [String],
    count: usize,
}

/// An unknown or ambiguous name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// Nothing has the name.
    #[error("the model has no {what} {}{}", quoted(asked), nearest.as_ref().map_or_else(String::new, |name| format!("; did you mean {}?", quoted(name))))]
    Unknown {
        /// The kind of object, such as `node`.
        what: &'static str,
        /// The name as given.
        asked: String,
        /// The closest spelling, if there is one.
        nearest: Option<String>,
    },
    /// Several objects have the name.
    #[error("more than one {what} is called {}; use a number: {}", quoted(asked), listed(numbers))]
    Ambiguous {
        /// The kind of object, such as `node`.
        what: &'static str,
        /// The name as given.
        asked: String,
        /// The numbers of the objects with the name.
        numbers: Vec<usize>,
    },
    /// A node that no skin has as its joint.
    #[error("{} is a node, but no joint of a skin", quoted(asked))]
    NoJoint {
        /// The name as given.
        asked: String,
    },
}

/// The maximum number of numbers in an error.
const MAX_LISTED: usize = 8;

/// Lists numbers as they are given: `'#2', '#5' or '#7'`.
fn listed(numbers: &[usize]) -> String {
    let mut words: Vec<String> =
        numbers.iter().take(MAX_LISTED).map(|number| format!("'#{number}'")).collect();
    let more = numbers.len().saturating_sub(words.len());
    if more > 0 {
        words.push(format!("{more} more"));
    }
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => words.concat(),
    }
}

impl<'a> Names<'a> {
    /// Returns the model with these names.
    pub fn model(&self) -> &'a Model {
        self.model
    }

    /// Reads all names of the model.
    pub fn new(model: &'a Model) -> Self {
        let rig = &model.rig;
        let own = rig.len().saturating_sub(rig.copies.len());
        let names = rig.names.iter().take(own).map(String::as_str);
        let mut meshes: Vec<(usize, usize)> =
            model.instances.iter().map(|instance| (original(rig, instance.node), instance.mesh)).collect();
        meshes.sort_unstable();
        meshes.dedup_by_key(|(node, _)| *node);
        Self {
            model,
            nodes: Table::new("node", names.enumerate().map(|(node, name)| (name, node))),
            by_number: rig
                .file_index
                .iter()
                .take(own)
                .enumerate()
                .map(|(node, &index)| (index, node))
                .collect(),
            clips: Table::new("clip", numbered(model.clips.iter().map(|clip| clip.name.as_str()))),
            meshes,
        }
    }

    /// Finds a node of the rig: by its name, by `#12`, its index in the file, or by `12` if no node has that name. Of nodes with
    /// one name, the only joint of a skin is meant.
    pub fn node(&self, asked: &str) -> Result<usize, NameError> {
        let number = |number: usize| {
            u32::try_from(number).ok().and_then(|number| self.by_number.get(&number).copied())
        };
        let found = self.nodes.by_name.get(asked).filter(|_| marked(asked).is_none());
        if let Some(found) = found.filter(|found| !found.is_only()) {
            let joints: HashSet<usize> =
                self.model.skins.iter().flat_map(|skin| skin.joints.iter().copied()).collect();
            let mut named = found.all().filter(|node| joints.contains(node));
            if let (Some(joint), None) = (named.next(), named.next()) {
                return Ok(joint);
            }
        }
        self.nodes.find(asked, number, |node| file_index(&self.model.rig, node))
    }

    /// Finds a joint of a skin, as [`Names::node`] finds a node.
    pub fn joint(&self, asked: &str) -> Result<usize, NameError> {
        let node = self.node(asked)?;
        let is_joint = self.model.skins.iter().any(|skin| skin.joints.contains(&node));
        is_joint.then_some(node).ok_or_else(|| NameError::NoJoint { asked: asked.to_owned() })
    }

    /// Finds a clip by its name, its marked index, or its plain index.
    pub fn clip(&self, asked: &str) -> Result<usize, NameError> {
        let there = |number: usize| (number < self.model.clips.len()).then_some(number);
        self.clips.find(asked, there, |clip| clip)
    }

    /// Returns the morph targets of a node of the rig.
    pub fn targets(&self, node: usize) -> Targets<'a> {
        let found = self.meshes.binary_search_by_key(&node, |(node, _)| *node).ok();
        let mesh =
            found.and_then(|at| self.meshes.get(at)).and_then(|(_, mesh)| self.model.meshes.get(*mesh));
        let names = mesh.map_or(&[][..], |mesh| &mesh.target_names);
        let count = self.model.rig.weights_of(node).len();
        let words = names.iter().map(String::as_str).take(count);
        Targets { table: Table::new("morph target", numbered(words)), names, count }
    }

    /// Finds morph targets by `NODE:TARGET`, or by `TARGET` alone: those of that name at every node, or those of the
    /// avatar's expression of that name, each with its share of the weight.
    pub fn morphs(&self, asked: &str) -> Result<Vec<(usize, usize, f64)>, NameError> {
        let mut closest = None;
        for (colon, _) in asked.match_indices(':') {
            let (Some(node), Some(target)) = (asked.get(..colon), asked.get(colon.saturating_add(1)..))
            else {
                continue;
            };
            let Ok(node) = self.node(node) else { continue };
            match self.targets(node).find(target) {
                Ok(target) => return Ok(vec![(node, target, 1.0)]),
                Err(error) => closest = Some(error),
            }
        }
        let mut found = Vec::new();
        let (mut unknown, mut left) = (None, MAX_COMPARED);
        for &(node, _) in &self.meshes {
            let targets = self.targets(node);
            match targets.table.by_name.get(asked) {
                Some(_) => found.push((node, targets.find(asked)?, 1.0)),
                // Many nodes may have many targets.
                None if unknown.is_none() && targets.count <= left => {
                    left -= targets.count;
                    unknown = targets.table.nearest(asked);
                }
                None => {}
            }
        }
        if found.is_empty()
            && let Some(expression) = self.expression(asked)
        {
            return Ok(self.present(expression));
        }
        if let (true, Some(asked)) = (found.is_empty(), face_name(asked)) {
            found = self.of_face(asked);
        }
        let nothing = NameError::Unknown { what: "morph target", asked: asked.to_owned(), nearest: unknown };
        if found.is_empty() { Err(closest.unwrap_or(nothing)) } else { Ok(found) }
    }

    fn expression(&self, asked: &str) -> Option<&'a Expression> {
        let mut all = self.model.avatar.iter().flat_map(|avatar| &avatar.expressions);
        all.find(|expression| expression.name == asked)
    }

    /// The targets that are spelt otherwise than ARKit's name.
    fn of_face(&self, asked: &str) -> Vec<(usize, usize, f64)> {
        let of_mesh = |&(node, mesh): &(usize, usize)| {
            let names = self.model.meshes.get(mesh).map_or(&[][..], |mesh| &mesh.target_names);
            let count = self.model.rig.weights_of(node).len();
            let named = names.iter().take(count).enumerate();
            named
                .filter(|(_, name)| face_name(name) == Some(asked))
                .map(move |(target, _)| (node, target, 1.0))
        };
        self.meshes.iter().flat_map(of_mesh).collect()
    }

    /// The targets of an expression that the model has.
    fn present(&self, of: &Expression) -> Vec<(usize, usize, f64)> {
        let rig = &self.model.rig;
        let there = |&&(node, target, _): &&(usize, usize, f64)| target < rig.weights_of(node).len();
        of.targets.iter().filter(there).copied().collect()
    }

    /// Returns the name of a node of the rig.
    pub fn node_name(&self, node: usize) -> String {
        let name = self.model.rig.names.get(node).map_or("", String::as_str);
        self.nodes.name(name, file_index(&self.model.rig, node))
    }

    /// Returns the name of a node as a prefix of its morph target's name.
    pub fn morph_node_name(&self, node: usize) -> String {
        without_colon(self.node_name(node), file_index(&self.model.rig, node))
    }

    /// Returns the name of a clip.
    pub fn clip_name(&self, clip: usize) -> String {
        self.clips.name(self.model.clips.get(clip).map_or("", |clip| &clip.name), clip)
    }
}

impl Targets<'_> {
    /// Finds a target: by its name, by `#2`, its index, or by `2` if no target of the node has that name.
    pub fn find(&self, asked: &str) -> Result<usize, NameError> {
        self.table.find(asked, |number| (number < self.count).then_some(number), |target| target)
    }

    /// Returns the name of a target.
    pub fn name(&self, target: usize) -> String {
        let name = self.names.get(target).map_or("", String::as_str);
        without_colon(self.table.name(name, target), target)
    }
}

/// Returns true if a node has this name, or this number such as `#12`; the name is that of one node, as
/// [`Names::node_name`] returns it.
pub fn is_called(rig: &Rig, node: usize, name: &str) -> bool {
    match marked(name) {
        Some(number) => node < rig.len() && file_index(rig, node) == number,
        None => rig.names.get(node).is_some_and(|known| known == name),
    }
}

/// Returns the name of a node of the rig, without building [`Names`].
pub(super) fn node_name(model: &Model, node: usize) -> String {
    let rig = &model.rig;
    let own = rig.len().saturating_sub(rig.copies.len());
    let name = rig.names.get(node).map_or("", String::as_str);
    let is_only = rig.names.iter().take(own).filter(|known| *known == name).count() == 1;
    if is_only && is_clear(name) { name.to_owned() } else { format!("#{}", file_index(rig, node)) }
}

/// Returns the names of a morph target and its node, without building [`Names`].
pub(super) fn target_name(model: &Model, node: usize, target: usize) -> (String, String) {
    let rig = &model.rig;
    let instance = model.instances.iter().find(|instance| original(rig, instance.node) == node);
    let mesh = instance.and_then(|instance| model.meshes.get(instance.mesh));
    let names = mesh.map_or(&[][..], |mesh| &mesh.target_names);
    let name = names.get(target).map_or("", String::as_str);
    let is_only = names.iter().filter(|known| *known == name).count() == 1;
    let name = if is_only && is_clear(name) { name.to_owned() } else { format!("#{target}") };
    (without_colon(node_name(model, node), file_index(rig, node)), without_colon(name, target))
}

/// Replaces a name with a colon, which would look like the separator of node and target.
fn without_colon(name: String, number: usize) -> String {
    if name.contains(':') { format!("#{number}") } else { name }
}

/// Returns the node of the file that a node of the rig is, or is a copy of.
pub(super) fn original(rig: &Rig, node: usize) -> usize {
    match rig.copy_number(node).and(rig.parents.get(node)) {
        Some(Some(original)) => *original as usize,
        _ => node,
    }
}

fn file_index(rig: &Rig, node: usize) -> usize {
    rig.file_index.get(node).map_or(node, |index| *index as usize)
}

fn numbered<'a>(names: impl Iterator<Item = &'a str>) -> impl Iterator<Item = (&'a str, usize)> {
    names.enumerate().map(|(number, name)| (name, number))
}

/// Objects by name.
#[derive(Clone, Debug)]
struct Table<'a> {
    what: &'static str,
    by_name: HashMap<&'a str, Found>,
}

/// The objects of a name.
#[derive(Clone, Debug)]
struct Found {
    first: usize,
    others: Vec<usize>,
}

impl Found {
    const fn is_only(&self) -> bool {
        self.others.is_empty()
    }

    fn all(&self) -> impl Iterator<Item = usize> {
        std::iter::once(self.first).chain(self.others.iter().copied())
    }
}

impl<'a> Table<'a> {
    fn new(what: &'static str, names: impl Iterator<Item = (&'a str, usize)>) -> Self {
        let mut by_name: HashMap<&str, Found> = HashMap::new();
        for (name, first) in names.filter(|(name, _)| !name.is_empty()) {
            by_name
                .entry(name)
                .and_modify(|found| found.others.push(first))
                .or_insert(Found { first, others: Vec::new() });
        }
        Self { what, by_name }
    }

    /// Finds by number if `asked` is written as one, else by name; `number` returns the number of the found object.
    fn find(
        &self,
        asked: &str,
        by_number: impl Fn(usize) -> Option<usize>,
        number: impl Fn(usize) -> usize,
    ) -> Result<usize, NameError> {
        let unknown =
            || NameError::Unknown { what: self.what, asked: asked.to_owned(), nearest: self.nearest(asked) };
        if let Some(number) = marked(asked) {
            return by_number(number).ok_or_else(unknown);
        }
        match self.by_name.get(asked) {
            Some(found) if found.is_only() => Ok(found.first),
            Some(found) => Err(NameError::Ambiguous {
                what: self.what,
                asked: asked.to_owned(),
                numbers: found.all().map(number).collect(),
            }),
            None => digits(asked).and_then(by_number).ok_or_else(unknown),
        }
    }

    fn name(&self, name: &str, number: usize) -> String {
        let is_only = self.by_name.get(name).is_some_and(Found::is_only);
        if is_only && is_clear(name) { name.to_owned() } else { format!("#{number}") }
    }

    /// Returns the name with the closest spelling.
    fn nearest(&self, asked: &str) -> Option<String> {
        let names = self.by_name.keys().copied().take(MAX_COMPARED);
        unknown::nearest(asked, names).map(str::to_owned)
    }
}

/// Returns true if a name is unambiguous in files and on command lines: not empty, unlike a number, and without characters
/// that cannot be typed.
fn is_clear(name: &str) -> bool {
    !name.is_empty() && marked(name).is_none() && !name.chars().any(char::is_control)
}

/// Returns the number after `#`.
fn marked(word: &str) -> Option<usize> {
    word.strip_prefix('#').and_then(digits)
}

fn digits(word: &str) -> Option<usize> {
    let plain = word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse().ok().filter(|_| plain)
}

#[cfg(test)]
mod tests;
