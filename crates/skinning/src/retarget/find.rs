//! Pairs the nodes of two rigs: by a map, by name, by name without namespace and case, and by guesses.

use std::collections::HashSet;

use super::guess::Guesses;
use super::names::{By, Entry, JointMap, MapError, Stray, Table};
use sinew_model::Model;

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

/// Pairs two rigs by the map, then by names, then by guesses if they are allowed. Names that several joints share pair
/// nothing.
///
/// # Errors
/// If the map does not fit. A name that the clips' rig lacks is not an error, because one map may serve several files.
pub fn find(target: &Table, source: &Table, map: &JointMap, may_guess: bool) -> Result<Found, MapError> {
    let mut found = Found { sources: vec![None; target.is_joint.len()], ..Found::default() };
    let mut is_used = vec![false; source.is_joint.len()];
    by_map(target, source, map, &mut found, &mut is_used)?;
    // A rig without skins does not mark its joints.
    let has_joints = source.is_joint.contains(&true);
    let candidates =
        (0..is_used.len()).filter(|node| !has_joints || source.matters(*node)).collect::<Vec<_>>();
    let mut search =
        Search { target, source, candidates, sources: found.sources, is_used, is_ambiguous: HashSet::new() };
    // The bones that a file names itself come before equal names, which its meshes may have, too.
    let has_bones =
        |table: &Table| table.model.avatar.as_ref().is_some_and(|avatar| !avatar.bones.is_empty());
    let stated =
        (may_guess && (has_bones(target) || has_bones(source))).then(|| Guesses::new(target, source));
    search.by_names(stated.as_ref());
    let guesses = stated.or_else(|| (may_guess && search.has_rest()).then(|| Guesses::new(target, source)));
    search.by_plain_names(guesses.as_ref());
    if let Some(guesses) = guesses.filter(|_| search.has_rest()) {
        search.by_guesses(&guesses);
    }
    let is_stray = |node: &usize| source.matters(*node) && search.is_used.get(*node) == Some(&false);
    let stray = |node| Stray { node, is_ambiguous: search.is_ambiguous.contains(&node) };
    found.strays = (0..search.is_used.len()).filter(is_stray).map(stray).collect();
    found.sources = search.sources;
    Ok(found)
}

/// Two rigs and the pairs so far.
struct Search<'a> {
    target: &'a Table<'a>,
    source: &'a Table<'a>,
    /// The nodes of the clips' rig that may be in a pair.
    candidates: Vec<usize>,
    sources: Vec<Option<(usize, By)>>,
    is_used: Vec<bool>,
    is_ambiguous: HashSet<usize>,
}

impl Search<'_> {
    /// Returns true if both rigs have joints without a partner.
    fn has_rest(&self) -> bool {
        let has_joints = self.target.is_joint.contains(&true);
        let mut there = self.sources.iter().enumerate();
        self.candidates.iter().any(|node| self.is_used.get(*node) == Some(&false))
            && there.any(|(node, source)| source.is_none() && (!has_joints || self.target.is_joint(node)))
    }

    /// Makes a pair of two nodes without partners.
    fn pair(&mut self, target: usize, source: usize, by: By) {
        if let (Some(used), Some(place)) = (self.is_used.get_mut(source), self.sources.get_mut(target))
            && !*used
            && place.is_none()
        {
            (*used, *place) = (true, Some((source, by)));
        }
    }

    fn by_names(&mut self, stated: Option<&Guesses>) {
        self.by_table(By::Name, |table, name| table.by_name(name), may_pair(stated));
        // Nodes with no names, or with meaningless ones, still have a place in the tree.
        if is_same_tree(self.target.model, self.source.model) {
            for node in self.candidates.clone() {
                self.pair(node, node, By::Place);
            }
        }
    }

    /// Pairs by plain names, except where two schemes mean different bones by one word.
    fn by_plain_names(&mut self, guesses: Option<&Guesses>) {
        self.by_table(By::PlainName, |table, name| table.by_plain_name(name), may_pair(guesses));
    }

    fn by_table(
        &mut self,
        by: By,
        lookup: fn(&Table, &str) -> Option<Entry>,
        may_pair: impl Fn(usize, usize) -> bool,
    ) {
        for node in self.candidates.clone() {
            let name = self.source.name(node);
            let (Some(entry), Some(there)) = (lookup(self.source, name), lookup(self.target, name)) else {
                continue;
            };
            if self.is_used.get(node) != Some(&false) {
                continue;
            }
            if entry.node != node || !entry.is_only || !there.is_only {
                self.is_ambiguous.insert(node);
            } else if may_pair(there.node, node) {
                self.pair(there.node, node, by);
            }
        }
    }

    fn by_guesses(&mut self, guesses: &Guesses) {
        let words = guesses.words();
        // Rigs of one scheme differ in prefixes only.
        if guesses.is_one_scheme(words.len()) {
            words.iter().for_each(|(target, source)| self.pair(*target, *source, By::Words));
        }
        let bones = guesses.bones(
            |target| self.sources.get(target).copied().flatten().map(|(source, _)| source),
            |source| self.is_used.get(source) != Some(&false),
        );
        bones.into_iter().for_each(|(target, source, by)| self.pair(target, source, by));
        words.into_iter().for_each(|(target, source)| self.pair(target, source, By::Words));
    }
}

/// Returns a rule for pairs by names: false for joints that are known to be different bones.
fn may_pair(guesses: Option<&Guesses>) -> impl Fn(usize, usize) -> bool {
    move |target, source| guesses.is_none_or(|guesses| !guesses.differ(target, source))
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
