//! The pairs of two rigs: how they were found, how far their rest poses differ, and which constants carry a clip over.

use super::axes::{NOISE, angle};
use super::names::{self, By, JointMap, MapError, Stray, Table};
use super::rest::Rest;
use super::tree::Tree;
use glam::{DQuat, DVec3};
use sinew_model::{Model, Property};

/// A joint of the rig that clips are played on, and the one that it follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// Index into the rig that clips are played on.
    pub target: usize,
    /// Index into the rig of the clips.
    pub source: usize,
    /// How they were found to belong together.
    pub by: By,
    /// The turn between their axes in the world, in both rest poses.
    pub rest_degrees: f64,
    /// The angle between their bones in the world, from the next joint above that has a pair; `None` without a bone.
    pub bone_degrees: Option<f64>,
    /// The length of the bone as a share of that of the clips' rig. For a root it is the height above the lowest joint
    /// that has a pair. `None` without a length.
    pub length_ratio: Option<f64>,
    /// Whether its translation carries the figure, because nothing above it has one.
    pub is_root: bool,
    /// The next pair above, by its place in the list.
    pub(super) above: Option<usize>,
}

/// Two rigs side by side, with what carries clips of one over to the other.
#[derive(Debug)]
pub struct Match<'a> {
    /// In the order of the rig that clips are played on.
    pub pairs: Vec<Pair>,
    /// Joints of that rig without a pair.
    pub unmatched: Vec<usize>,
    /// Joints and moving nodes of the clips' rig without a pair.
    pub strays: Vec<Stray>,
    /// Entries of the map that the clips' rig lacks.
    pub unknown: Vec<MapError>,
    /// How many nodes clips move, and how many of these have a pair.
    pub animated: (usize, usize),
    /// Turns the world of the clips into that of the target. It is the identity, unless both have the same skeleton and
    /// one of them stands in the world in another way.
    pub turn: DQuat,
    pub(super) source: &'a Model,
    pub(super) target: &'a Model,
    pub(super) rests: Rests<'a>,
    /// The pair that each node of the clips' rig belongs to.
    pub(super) pair_of: Vec<Option<usize>>,
    pub(super) tree: Tree,
}

/// Both rest poses, the source's seen from the world of the target.
#[derive(Debug)]
pub struct Rests<'a> {
    pub target: Rest<'a>,
    pub source: Rest<'a>,
}

impl<'a> Match<'a> {
    /// Looks for the pairs of the rig that clips are played on and the rig that they were made for.
    ///
    /// # Errors
    /// If the map names what is not there, or something twice.
    pub fn new(target: &'a Model, source: &'a Model, map: &JointMap) -> Result<Self, MapError> {
        let (there, here) = (Table::new(target), Table::new(source));
        let names::Found { sources, strays, unknown } = names::find(&there, &here, map)?;
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

/// The pairs in the order of the target's rig, each with the next one above it.
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
    // Whether the pair or one above it is translated.
    let mut is_carried: Vec<bool> = Vec::with_capacity(pairs.len());
    for pair in pairs {
        let own = is_translated.get(pair.source) == Some(&true);
        let above = pair.above.is_some_and(|above| is_carried.get(above) == Some(&true));
        pair.is_root = own && !above;
        is_carried.push(own || above);
    }
}

/// Bones shorter than this share of the skeleton have no direction.
const SHORTEST: f64 = 1e-6;

/// A root that is lower than this share of the skeleton stands on the ground: its height says nothing.
const LOWEST: f64 = 0.1;

/// How far the bones of two skeletons may differ in direction and still be the same, in radians.
const SAME_BONE: f64 = 1e-3;

impl Rests<'_> {
    /// The turn from the source's world to that of the target: the identity, unless both skeletons are the same
    /// joint by joint and differ in what they hang on. Some exporters turn Z up to Y up by a node above the skeleton,
    /// and others do not; then "up" and "ahead" are what the skeleton says.
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

    /// Fills in how far the rest poses differ.
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

/// How high and how large two skeletons are, measured on the joints that they share.
#[derive(Clone, Copy, Debug)]
pub struct Heights {
    /// Height of the lowest joint: of the target, of the source.
    floors: [f64; 2],
    /// Diagonals of the boxes around all joints.
    sizes: [f64; 2],
}

impl Heights {
    /// Looks at every pair.
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

    /// Whether both are long enough to be bones.
    fn is_bone(&self, to: f64, from: f64) -> bool {
        let [target, source] = self.sizes;
        to > SHORTEST * target && from > SHORTEST * source
    }

    /// The height of a joint as a share of that of the clips' rig; near the ground, that of the whole skeleton.
    pub fn ratio(&self, rests: &Rests, pair: &Pair) -> f64 {
        let ([to_floor, from_floor], [to_size, from_size]) = (self.floors, self.sizes);
        let to = rests.target.place(pair.target).y - to_floor;
        let from = rests.source.place(pair.source).y - from_floor;
        let is_high = to > LOWEST * to_size && from > LOWEST * from_size;
        let ratio = to / from;
        if is_high && is_ratio(ratio) { ratio } else { self.size_ratio() }
    }

    /// The size of the whole skeleton as a share of that of the clips' rig.
    pub fn size_ratio(&self) -> f64 {
        let [to, from] = self.sizes;
        let ratio = to / from;
        if is_ratio(ratio) { ratio } else { 1.0 }
    }
}

/// Whether something may be multiplied by it.
pub fn is_ratio(ratio: f64) -> bool {
    ratio.is_finite() && ratio > 0.0
}
