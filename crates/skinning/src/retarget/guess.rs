//! Guesses: pairs of joints whose names differ, by the words of the names and by the bones of two humans.

use std::collections::HashMap;

use super::humanoid::{self, Figure, Skeleton, Words};
use super::names::{By, Table};
use sinew_model::HumanBone;

/// The least share of joints with the same words in two rigs of one scheme, in percent.
const ONE_SCHEME: usize = 80;

/// Two rigs as guesses see them.
pub struct Guesses {
    target: Skeleton,
    source: Skeleton,
    figures: [Figure; 2],
}

impl Guesses {
    /// Reads both rigs.
    pub fn new(target: &Table, source: &Table) -> Self {
        let skeleton = |table: &Table| {
            let matters: Vec<bool> = (0..table.is_joint.len()).map(|node| table.matters(node)).collect();
            Skeleton::new(table.model, &table.is_joint, &matters)
        };
        let stated = [stated(target), stated(source)];
        let (target, source) = (skeleton(target), skeleton(source));
        let figures = [(&target, &stated[0]), (&source, &stated[1])];
        let figures = figures.map(|(skeleton, stated)| humanoid::figure(skeleton, stated));
        Self { target, source, figures }
    }

    /// Returns true if names tell two joints to be different bones: one is a bone that the other rig has elsewhere.
    pub fn differ(&self, target: usize, source: usize) -> bool {
        let [there, here] = &self.figures;
        let is_known = !there.is_by_shape(target) && !here.is_by_shape(source);
        let (one, other) = (there.part_of(target), here.part_of(source));
        let is_elsewhere =
            one.is_some_and(|part| here.has(part)) || other.is_some_and(|part| there.has(part));
        is_known && one != other && is_elsewhere
    }

    /// Returns the joints with the same words, each with its only partner.
    pub fn words(&self) -> Vec<(usize, usize)> {
        let (there, here) = (by_words(&self.target), by_words(&self.source));
        let partner = |(words, source): (&&Words, &Option<usize>)| {
            let (target, source) = ((*there.get(*words)?)?, (*source)?);
            (!self.differ(target, source)).then_some((target, source))
        };
        let mut pairs: Vec<(usize, usize)> = here.iter().filter_map(partner).collect();
        pairs.sort_unstable();
        pairs
    }

    /// Returns true if this number of joints with the same words makes two rigs of one scheme.
    pub fn is_one_scheme(&self, same: usize) -> bool {
        let joints = |skeleton: &Skeleton| {
            skeleton.is_joint.iter().filter(|is_joint| **is_joint).count().saturating_mul(ONE_SCHEME)
        };
        same.saturating_mul(100) >= joints(&self.target).min(joints(&self.source))
    }

    /// Returns the joints that are the same bones of two humans.
    pub fn bones(
        &self,
        source_of: impl Fn(usize) -> Option<usize>,
        is_used: impl Fn(usize) -> bool,
    ) -> Vec<(usize, usize, By)> {
        let [there, here] = &self.figures;
        let by = |by_shape: bool| if by_shape { By::Shape } else { By::Humanoid };
        let guesses = humanoid::pairs((there, here), source_of, is_used);
        guesses.into_iter().map(|guess| (guess.target, guess.source, by(guess.by_shape))).collect()
    }
}

/// Returns the bones that a file names itself, as VRM does.
fn stated(table: &Table) -> Vec<(HumanBone, usize)> {
    let bones = table.model.avatar.iter().flat_map(|avatar| &avatar.bones);
    bones.filter_map(|(name, node)| Some((HumanBone::from_vrm(name)?, *node))).collect()
}

/// Returns the joint of each combination of words; `None` for words that several joints share. Names of numbers alone
/// have no words.
fn by_words(skeleton: &Skeleton) -> HashMap<&Words, Option<usize>> {
    let mut found: HashMap<&Words, Option<usize>> = HashMap::new();
    for node in skeleton.kept() {
        if let Some(words) = skeleton.words.get(node).filter(|words| !words.stem.is_empty()) {
            found.entry(words).and_modify(|one| *one = None).or_insert(Some(node));
        }
    }
    found
}
