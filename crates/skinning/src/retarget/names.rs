//! Pairs the nodes of two rigs: by a map, by name, and by name without namespace and case.

use std::collections::{HashMap, HashSet};

use crate::pose::{NameError, Names};
use sinew_model::Model;

/// Pairs of joints for names that do not match by themselves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JointMap {
    /// Names in the rig of the clips and in the target rig; an empty second name leaves a joint out.
    pub pairs: Vec<(String, String)>,
}

/// A mismatch between a map and the rigs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MapError {
    /// The rig of the clips has no such joint.
    #[error("\"{key}\": {error}")]
    From {
        /// The entry of the map.
        key: String,
        /// The error in the name.
        error: NameError,
    },
    /// The target rig has no such joint.
    #[error("\"{key}\" = \"{name}\": {error}")]
    To {
        /// The entry of the map.
        key: String,
        /// Its value.
        name: String,
        /// The error in the value.
        error: NameError,
    },
    /// Two entries name the same joint.
    #[error("\"{key}\" = \"{name}\": an earlier line maps this joint")]
    Twice {
        /// The second entry.
        key: String,
        /// Its value.
        name: String,
    },
}

/// The criterion that paired two joints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The map pairs them.
    Map,
    /// The joints have the same name.
    Name,
    /// The joints have the same name without namespace and case.
    PlainName,
    /// Both rigs are the same tree with the same names, and the joints have the same place in it.
    Place,
}

impl By {
    /// Returns the criterion in a word or two.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Map => "map",
            Self::Name => "name",
            Self::PlainName => "plain name",
            Self::Place => "place",
        }
    }
}

/// A joint of the clips' rig without a pair in the target rig.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stray {
    /// Index into the rig of the clips.
    pub node: usize,
    /// True if several joints share its name, so that it is ambiguous.
    pub is_ambiguous: bool,
}

/// The result of pairing two rigs.
#[derive(Debug, Default)]
pub struct Found {
    /// For each node of the target rig, the node that it follows.
    pub sources: Vec<Option<(usize, By)>>,
    /// Joints without a pair, in the order of the clips' rig.
    pub strays: Vec<Stray>,
    /// Entries of the map that the clips' rig lacks.
    pub unknown: Vec<MapError>,
}

/// Returns a name without namespace and case: `mixamorig:LeftArm` and `Armature|leftarm` are both `leftarm`.
pub fn plain(name: &str) -> String {
    let own = name.rsplit([':', '|']).next().filter(|own| !own.is_empty()).unwrap_or(name);
    own.to_lowercase()
}

/// One rig's nodes by their names.
pub struct Table<'a> {
    model: &'a Model,
    is_joint: Vec<bool>,
    /// True if a clip moves the node.
    pub is_animated: Vec<bool>,
    by_name: HashMap<&'a str, Entry>,
    by_plain_name: HashMap<String, Entry>,
}

/// The node of a name.
#[derive(Clone, Copy)]
struct Entry {
    node: usize,
    is_joint: bool,
    is_only: bool,
}

/// Adds a node; joints take precedence over other nodes of the same name.
fn add<K: std::hash::Hash + Eq>(entries: &mut HashMap<K, Entry>, key: K, node: usize, is_joint: bool) {
    let new = Entry { node, is_joint, is_only: true };
    match entries.get_mut(&key) {
        None => {
            entries.insert(key, new);
        }
        Some(known) if is_joint && !known.is_joint => *known = new,
        Some(known) if is_joint == known.is_joint => known.is_only = false,
        Some(_) => {}
    }
}

impl<'a> Table<'a> {
    /// Reads every name once.
    pub fn new(model: &'a Model) -> Self {
        let rig = &model.rig;
        let mark = |nodes: &mut dyn Iterator<Item = usize>| {
            let mut marks = vec![false; rig.len()];
            nodes.for_each(|node| {
                if let Some(mark) = marks.get_mut(node) {
                    *mark = true;
                }
            });
            marks
        };
        let is_joint = mark(&mut model.skins.iter().flat_map(|skin| skin.joints.iter().copied()));
        let channels = model.clips.iter().flat_map(|clip| &clip.channels);
        let is_animated = mark(&mut channels.map(|channel| channel.node));
        let (mut by_name, mut by_plain_name) = (HashMap::new(), HashMap::new());
        let own = rig.len().saturating_sub(rig.copies.len());
        for ((node, name), &is_joint) in rig.names.iter().enumerate().take(own).zip(&is_joint) {
            if !name.is_empty() {
                add(&mut by_name, name.as_str(), node, is_joint);
                add(&mut by_plain_name, plain(name), node, is_joint);
            }
        }
        Self { model, is_joint, is_animated, by_name, by_plain_name }
    }

    /// Returns true if the node is a joint of a skin.
    pub fn is_joint(&self, node: usize) -> bool {
        self.is_joint.get(node).copied().unwrap_or_default()
    }

    /// Returns true if a clip moves the node or it is a joint of a skin.
    pub fn matters(&self, node: usize) -> bool {
        self.is_joint(node) || self.is_animated.get(node).copied().unwrap_or_default()
    }

    fn name(&self, node: usize) -> &'a str {
        self.model.rig.names.get(node).map_or("", String::as_str)
    }

    /// Finds the node for an entry of the map.
    fn find(&self, name: &str, names: &mut Option<Names<'a>>) -> Result<usize, NameError> {
        match self.by_name.get(name) {
            Some(Entry { node, is_only: true, .. }) => Ok(*node),
            _ => names.get_or_insert_with(|| Names::new(self.model)).node(name),
        }
    }
}

/// Pairs two rigs by the map, then by names. Names that several joints share pair nothing.
///
/// # Errors
/// If the map does not fit. A name that the clips' rig lacks is not an error, because one map may serve several files.
pub fn find(target: &Table, source: &Table, map: &JointMap) -> Result<Found, MapError> {
    let mut found = Found { sources: vec![None; target.is_joint.len()], ..Found::default() };
    let mut is_used = vec![false; source.is_joint.len()];
    by_map(target, source, map, &mut found, &mut is_used)?;
    // A rig without skins does not mark its joints.
    let has_joints = source.is_joint.contains(&true);
    let candidates: Vec<usize> =
        (0..is_used.len()).filter(|node| !has_joints || source.matters(*node)).collect();
    let mut is_ambiguous = HashSet::new();
    let is_same_tree = is_same_tree(target.model, source.model);
    type Lookup = fn(&Table, &str) -> Option<Entry>;
    let by_name: Lookup = |table, name| table.by_name.get(name).copied();
    let by_plain_name: Lookup = |table, name| table.by_plain_name.get(&plain(name)).copied();
    for (by, lookup) in [(By::Name, by_name), (By::PlainName, by_plain_name)] {
        for &node in &candidates {
            let Some(entry) = lookup(source, source.name(node)) else { continue };
            let Some(there) = lookup(target, source.name(node)) else { continue };
            let (Some(used), Some(place)) = (is_used.get_mut(node), found.sources.get_mut(there.node)) else {
                continue;
            };
            if *used {
                continue;
            }
            if entry.node != node || !entry.is_only || !there.is_only {
                is_ambiguous.insert(node);
            } else if place.is_none() {
                (*used, *place) = (true, Some((node, by)));
            }
        }
        // Nodes with no names, or with meaningless ones, still have a place in the tree.
        if is_same_tree && by == By::Name {
            for &node in &candidates {
                let (Some(used), Some(place)) = (is_used.get_mut(node), found.sources.get_mut(node)) else {
                    continue;
                };
                if !*used && place.is_none() {
                    (*used, *place) = (true, Some((node, By::Place)));
                }
            }
        }
    }
    let is_stray = |node: &usize| source.matters(*node) && is_used.get(*node) == Some(&false);
    let stray = |node| Stray { node, is_ambiguous: is_ambiguous.contains(&node) };
    found.strays = (0..is_used.len()).filter(is_stray).map(stray).collect();
    Ok(found)
}

/// Pairs by the map before names, so that the map can correct them.
fn by_map(
    target: &Table,
    source: &Table,
    map: &JointMap,
    found: &mut Found,
    is_used: &mut [bool],
) -> Result<(), MapError> {
    let (mut target_names, mut source_names) = (None, None);
    for (key, name) in &map.pairs {
        let there = match name.as_str() {
            "" => None,
            _ => Some(target.find(name, &mut target_names).map_err(|error| MapError::To {
                key: key.clone(),
                name: name.clone(),
                error,
            })?),
        };
        let node = match source.find(key, &mut source_names) {
            Ok(node) => node,
            Err(error) => {
                found.unknown.push(MapError::From { key: key.clone(), error });
                continue;
            }
        };
        let twice = || MapError::Twice { key: key.clone(), name: name.clone() };
        match is_used.get_mut(node) {
            Some(used) if !*used => *used = true,
            _ => return Err(twice()),
        }
        match there.and_then(|there| found.sources.get_mut(there)) {
            Some(place) if place.is_none() => *place = Some((node, By::Map)),
            Some(_) => return Err(twice()),
            None => {}
        }
    }
    Ok(())
}

/// Returns true if two rigs have the same nodes in the same order, by names and parents.
fn is_same_tree(one: &Model, other: &Model) -> bool {
    let own = |model: &Model| model.rig.len().saturating_sub(model.rig.copies.len());
    let (count, rigs) = (own(one), (&one.rig, &other.rig));
    count == own(other)
        && rigs.0.names.get(..count) == rigs.1.names.get(..count)
        && rigs.0.parents.get(..count) == rigs.1.parents.get(..count)
}
