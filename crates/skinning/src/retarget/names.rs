//! The names of a rig's nodes, and the criteria by which two nodes are a pair.

use std::collections::HashMap;

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
    /// The names have the same words, sides and numbers, without prefixes.
    Words,
    /// The joints are the same bone of a human, by their names in two schemes or by a file's statement.
    Humanoid,
    /// The joints are the same bone of a human, by the shape of a tree.
    Shape,
}

impl By {
    /// Returns the criterion in a word or two.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Map => "map",
            Self::Name => "name",
            Self::PlainName => "plain name",
            Self::Place => "place",
            Self::Words => "words",
            Self::Humanoid => "humanoid",
            Self::Shape => "shape",
        }
    }

    /// Returns true if the criterion is a guess, which a map may have to correct.
    pub const fn is_guess(self) -> bool {
        match self {
            Self::Map | Self::Name | Self::PlainName | Self::Place => false,
            Self::Words | Self::Humanoid | Self::Shape => true,
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

/// Returns a name without namespace and case: `mixamorig:LeftArm` and `Armature|leftarm` are both `leftarm`.
pub fn plain(name: &str) -> String {
    let own = name.rsplit([':', '|']).next().filter(|own| !own.is_empty()).unwrap_or(name);
    own.to_lowercase()
}

/// One rig's nodes by their names.
pub struct Table<'a> {
    /// The model.
    pub model: &'a Model,
    /// True for joints of skins.
    pub is_joint: Vec<bool>,
    /// True if a clip moves the node.
    pub is_animated: Vec<bool>,
    by_name: HashMap<&'a str, Entry>,
    by_plain_name: HashMap<String, Entry>,
}

/// The node of a name.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The first node with the name; of a skin's joints, if one has it.
    pub node: usize,
    is_joint: bool,
    /// True if no other one has the name.
    pub is_only: bool,
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

    /// Returns a node's name.
    pub fn name(&self, node: usize) -> &'a str {
        self.model.rig.names.get(node).map_or("", String::as_str)
    }

    /// Returns the node of a name.
    pub fn by_name(&self, name: &str) -> Option<Entry> {
        self.by_name.get(name).copied()
    }

    /// Returns the node of a name without namespace and case.
    pub fn by_plain_name(&self, name: &str) -> Option<Entry> {
        self.by_plain_name.get(&plain(name)).copied()
    }

    /// Finds the node for an entry of the map.
    pub fn find(&self, name: &str, names: &mut Option<Names<'a>>) -> Result<usize, NameError> {
        match self.by_name.get(name) {
            Some(Entry { node, is_only: true, .. }) => Ok(*node),
            _ => names.get_or_insert_with(|| Names::new(self.model)).node(name),
        }
    }
}
