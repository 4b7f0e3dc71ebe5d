//! The pairs of two rigs: the criterion for each, the difference of their rest poses, and the constants for converting
//! clips.

use super::axes::{NOISE, angle};
use super::find::{self, Found};
use super::names::{By, JointMap, MapError, Stray, Table};
use super::rest::Rest;
use super::tree::Tree;
use glam::{DQuat, DVec3};
use sinew_model::{Model, Property};

/// A joint of the target rig, and the joint of the clips' rig that it follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The index in the target rig.
    pub target: usize,
    /// The index in the rig of the clips.
    pub source: usize,
    /// The criterion that paired them.
    pub by: By,
    /// The turn between their axes in the world, in both rest poses.
    pub rest_degrees: f64,
    /// The angle between their bones in the world, from the next paired joint above; `None` without a bone.
    pub bone_degrees: Option<f64>,
    /// The length of the bone relative to that of the clips' rig. For a root, the height above the lowest paired joint.
    /// `None` without a length.
    pub length_ratio: Option<f64>,
    /// True if its translation moves the whole figure, because no joint above it has one.
    pub is_root: bool,
    /// The next pair above, by its index in the list.
    pub(super) above: Option<usize>,
}

/// Two rigs side by side, with the constants for converting clips between them.
#[derive(Debug)]
pub struct Match<'a> {
    /// The pairs, in the order of the target rig.
    pub pairs: Vec<Pair>,
    /// Joints of that rig without a pair.
    pub unmatched: Vec<usize>,
    /// Joints and moving nodes of the clips' rig without a pair.
    pub strays: Vec<Stray>,
    /// Entries of the map that the clips' rig lacks.
    pub unknown: Vec<MapError>,
    /// The number of nodes that clips move, and the number of these with a pair.
    pub animated: (usize, usize),
    /// The turn from the clips' world to the target's. It is the identity, unless both have the same skeleton and one of
    /// them has a different orientation in the world.
    pub turn: DQuat,
    pub(super) source: &'a Model,
    pub(super) target: &'a Model,
    pub(super) rests: Rests<'a>,
    /// The pair of each node of the clips' rig.
    pub(super) pair_of: Vec<Option<usize>>,
    pub(super) tree: Tree,
}

/// Both rest poses, with the source's in the target's world.
#[derive(Debug)]
pub struct Rests<'a> {
    pub target: Rest<'a>,
    pub source: Rest<'a>,
}

impl<'a> Match<'a> {
    /// Pairs the target rig with the rig that the clips were made for. Joints without a partner by map or name get one by
    /// guesses.
    ///
    /// # Errors
    /// If the map has an unknown target, or a joint twice.
    pub fn new(target: &'a Model, source: &'a Model, map: &JointMap) -> Result<Self, MapError> {
        Self::with(target, source, map, true)
    }

    /// Pairs by map and names alone.
    ///
    /// # Errors
    /// If the map has an unknown target, or a joint twice.
    pub fn without_guesses(target: &'a Model, source: &'a Model, map: &JointMap) -> Result<Self, MapError> {
        Self::with(target, source, map, false)
    }

    fn with(target: &'a Model, source: &'a Model, map: &JointMap, may_guess: bool) -> Result<Self, MapError> {
        let (there, here) = (Table::new(target), Table::new(source));
        let Found { sources, strays, unknown } = find::find(&there, &here, map, may_guess)?;
        let mut pair_of = vec![None; source.rig.len()];
        let mut pairs = linked(target, &sources);
        for (number, pair) in pairs.iter().enumerate() {
            if let Some(place) = pair_of.get_mut(pair.source) {
                *place = Some(number);
            }
        }
        mark_roots(&mut pairs, source);
        let rests = Rests { target: Rest::new(&target.rig), source: Rest::new(&source.rig) };
        let turn = rests.turn(&pairs);
        let rests = Rests { source: rests.source.turned(turn), ..rests };
        rests.compare(&mut pairs);
        let is_animated = |node: &usize| here.is_animated.get(*node) == Some(&true);
        let animated = (
            (0..source.rig.len()).filter(is_animated).count(),
            pairs.iter().filter(|pair| is_animated(&pair.source)).count(),
        );
        let is_unmatched = |node: &usize| there.is_joint(*node) && sources.get(*node) == Some(&None);
        let unmatched = (0..target.rig.len()).filter(is_unmatched).collect();
        let tree = Tree::new(&source.rig);
        Ok(Self { pairs, unmatched, strays, unknown, animated, turn, source, target, rests, pair_of, tree })
    }
}

/// Returns the pairs in the order of the target's rig, each with the next one above it.
fn linked(target: &Model, sources: &[Option<(usize, By)>]) -> Vec<Pair> {
    let (mut pairs, mut nearest) = (Vec::new(), Vec::<Option<usize>>::with_capacity(sources.len()));
    for ((target, source), parent) in sources.iter().enumerate().zip(&target.rig.parents) {
        let above = parent.and_then(|parent| nearest.get(parent as usize)).copied().flatten();
        nearest.push(match source {
            Some(_) => Some(pairs.len()),
            None => above,
        });
        if let Some((source, by)) = *source {
            let (rest_degrees, bone_degrees, length_ratio) = (0.0, None, None);
            pairs.push(Pair {
                target,
                source,
                by,
                rest_degrees,
                bone_degrees,
                length_ratio,
                is_root: false,
                above,
            });
        }
    }
    pairs
}

/// Marks the topmost pairs that some clip translates.
fn mark_roots(pairs: &mut [Pair], source: &Model) {
    let mut is_translated = vec![false; source.rig.len()];
    for channel in source.clips.iter().flat_map(|clip| &clip.channels) {
        if let (Property::Translation, Some(mark)) = (channel.property, is_translated.get_mut(channel.node)) {
            *mark = true;
        }
    }
    // True if the pair or one above it is translated.
    let mut is_carried: Vec<bool> = Vec::with_capacity(pairs.len());
    for pair in pairs {
        let own = is_translated.get(pair.source) == Some(&true);
        let above = pair.above.is_some_and(|above| is_carried.get(above) == Some(&true));
        pair.is_root = own && !above;
        is_carried.push(own || above);
    }
}

/// The minimum length of a bone, as a share of the skeleton. Shorter bones have no direction.
const SHORTEST: f64 = 1e-6;

/// The minimum height of a root, as a share of the skeleton. A lower root stands on the ground, so its height has no
/// meaning.
const LOWEST: f64 = 0.1;

/// The maximum angle between bones of the same skeleton, in radians.
const SAME_BONE: f64 = 1e-3;

impl Rests<'_> {
    /// Returns the turn from the source's world to that of the target: the identity, unless both skeletons are the same
    /// joint by joint and only the nodes above differ. Some exporters turn Z up to Y up by a node above the skeleton, and
    /// others do not; then the skeleton defines "up" and "ahead".
    fn turn(&self, pairs: &[Pair]) -> DQuat {
        let heights = Heights::new(self, pairs);
        let mut bones = 0_usize;
        for pair in pairs {
            let Some(above) = pair.above.and_then(|above| pairs.get(above)) else { continue };
            let seen = |rest: &Rest, node: usize, above: usize| {
                let axes = rest.axes(above).inverse();
                let bone = axes.matrix() * (rest.place(node) - rest.place(above));
                (rest.axes(node).inside(axes), bone)
            };
            let (there, to) = seen(&self.target, pair.target, above.target);
            let (here, from) = seen(&self.source, pair.source, above.source);
            let is_same = angle(there.rotation * here.rotation.conjugate()) <= SAME_BONE
                && there.is_mirrored == here.is_mirrored;
            let has_bone = heights.is_bone(to.length(), from.length());
            if !is_same || (has_bone && to.angle_between(from) > SAME_BONE) {
                return DQuat::IDENTITY;
            }
            bones = bones.saturating_add(usize::from(has_bone));
        }
        let Some(top) = pairs.first().filter(|_| bones > 0) else { return DQuat::IDENTITY };
        let local = self.target.rotation(top.target) * self.source.rotation(top.source).conjugate();
        let turn = self.source.outer_axes(top.source).inverse().inside(self.target.outer_axes(top.target));
        match turn.is_mirrored || angle(local) > SAME_BONE || angle(turn.rotation) <= NOISE {
            true => DQuat::IDENTITY,
            false => turn.rotation,
        }
    }

    /// Fills in the differences of the rest poses.
    fn compare(&self, pairs: &mut [Pair]) {
        let heights = Heights::new(self, pairs);
        for number in 0..pairs.len() {
            let Some(pair) = pairs.get(number).copied() else { continue };
            let above = pair.above.and_then(|above| pairs.get(above)).copied();
            let bones = above.map(|above| {
                let to = self.target.place(pair.target) - self.target.place(above.target);
                (to, self.source.place(pair.source) - self.source.place(above.source))
            });
            let bones =
                bones.filter(|(to, from)| heights.is_bone(to.length(), from.length()) && to.is_finite());
            let Some(place) = pairs.get_mut(number) else { continue };
            let turn = self.source.axes(pair.source).inverse().inside(self.target.axes(pair.target));
            place.rest_degrees = angle(turn.rotation).to_degrees();
            place.bone_degrees = bones.map(|(to, from)| to.angle_between(from).to_degrees());
            place.length_ratio = match pair.is_root {
                true => Some(heights.ratio(self, &pair)),
                false => bones.map(|(to, from)| to.length() / from.length()),
            };
        }
    }
}

/// The heights and sizes of two skeletons, measured on the joints that they share.
#[derive(Clone, Copy, Debug)]
pub struct Heights {
    /// The height of the lowest joint: of the target, of the source.
    floors: [f64; 2],
    /// Diagonals of the boxes around all joints.
    sizes: [f64; 2],
}

impl Heights {
    /// Measures every pair.
    pub fn new(rests: &Rests, pairs: &[Pair]) -> Self {
        let places = |rest: &Rest, node: fn(&Pair) -> usize| {
            let places = || pairs.iter().map(|pair| rest.place(node(pair)));
            let low = places().fold(DVec3::INFINITY, DVec3::min);
            (low.y, (places().fold(DVec3::NEG_INFINITY, DVec3::max) - low).length())
        };
        let (target_floor, target_size) = places(&rests.target, |pair| pair.target);
        let (source_floor, source_size) = places(&rests.source, |pair| pair.source);
        Self { floors: [target_floor, source_floor], sizes: [target_size, source_size] }
    }

    /// Returns true if both are long enough to be bones.
    fn is_bone(&self, to: f64, from: f64) -> bool {
        let [target, source] = self.sizes;
        to > SHORTEST * target && from > SHORTEST * source
    }

    /// Returns the height of a joint relative to that of the clips' rig; near the ground, the ratio of the whole skeletons.
    pub fn ratio(&self, rests: &Rests, pair: &Pair) -> f64 {
        let ([to_floor, from_floor], [to_size, from_size]) = (self.floors, self.sizes);
        let to = rests.target.place(pair.target).y - to_floor;
        let from = rests.source.place(pair.source).y - from_floor;
        let is_high = to > LOWEST * to_size && from > LOWEST * from_size;
        let ratio = to / from;
        if is_high && is_ratio(ratio) { ratio } else { self.size_ratio() }
    }

    /// Returns the size of the whole skeleton relative to that of the clips' rig.
    pub fn size_ratio(&self) -> f64 {
        let [to, from] = self.sizes;
        let ratio = to / from;
        if is_ratio(ratio) { ratio } else { 1.0 }
    }
}

/// Returns true if a ratio is usable as a factor.
pub fn is_ratio(ratio: f64) -> bool {
    ratio.is_finite() && ratio > 0.0
}
