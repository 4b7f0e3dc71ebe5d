//! Carries the clips of one rig over to another, channel by channel.

use std::collections::HashSet;

use super::axes::{Axes, NOISE, angle};
use super::keys::{Change, changed};
use super::matching::{Heights, Match, Pair, is_ratio};
use super::resample::{MAX_POSED, Resampled, candidates, resample};
use glam::{DMat3, DQuat, DVec3};
use sinew_model::{Channel, Clip, Property};

/// A clip for another rig.
#[derive(Clone, Debug)]
pub struct Borrowed {
    /// The clip; its channels move the nodes of the target.
    pub clip: Clip,
    /// The conversion of each channel of the original, in its order.
    pub carried: Vec<Carried>,
}

/// The conversion of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carried {
    /// The keys have the same bits.
    AsIs,
    /// Each key was converted.
    Converted,
    /// The channel is part of a resampled one with new keys.
    Resampled,
    /// The channel was left out.
    Dropped(Dropped),
}

/// The reason why a channel was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dropped {
    /// The node has no pair.
    NoPair,
    /// The other node has a different number of morph targets.
    Targets,
}

impl Carried {
    /// Returns the reason in a few words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AsIs => "as is",
            Self::Converted => "converted",
            Self::Resampled => "resampled",
            Self::Dropped(Dropped::NoPair) => "its node has no pair",
            Self::Dropped(Dropped::Targets) => "the other node has another number of morph targets",
        }
    }
}

impl Match<'_> {
    /// Returns all clips of the source for the target, with their own names and lengths.
    pub fn clips(&self) -> Vec<Borrowed> {
        let pairs = candidates(self);
        let heights = Heights::new(&self.rests, &self.pairs);
        let mut left = MAX_POSED;
        let one = |clip| self.one(clip, &heights, &pairs, &mut left);
        self.source.clips.iter().map(one).collect()
    }

    fn one(&self, clip: &Clip, heights: &Heights, pairs: &[usize], left: &mut usize) -> Borrowed {
        let sampled = resample(self, clip, pairs, left).unwrap_or_default();
        let own = |channel: &Channel| (channel.node, channel.property);
        let replaced: HashSet<_> = sampled.channels.iter().map(own).collect();
        let (mut channels, mut carried) = (Vec::new(), Vec::new());
        for channel in &clip.channels {
            carried.push(match self.channel(channel, heights, &sampled, &replaced) {
                Ok((channel, how)) => {
                    channels.push(channel);
                    how
                }
                Err(how) => how,
            });
        }
        channels.extend(sampled.channels);
        let clip = Clip { name: clip.name.clone(), duration_secs: clip.duration_secs, channels };
        Borrowed { clip, carried }
    }

    /// Converts a channel for the target. An error explains why it has no separate channel.
    fn channel(
        &self,
        channel: &Channel,
        heights: &Heights,
        sampled: &Resampled,
        replaced: &HashSet<(usize, Property)>,
    ) -> Result<(Channel, Carried), Carried> {
        let (node, property) = (channel.node, channel.property);
        let is_sampled = match property {
            Property::Rotation => sampled.turned.contains(&node) || sampled.moved.contains(&node),
            Property::Translation => sampled.moved.contains(&node),
            Property::Scale | Property::Weights | Property::Weight(_) => false,
        };
        let pair = self.pair_of.get(node).copied().flatten().and_then(|pair| self.pairs.get(pair));
        let Some(pair) = pair else {
            return Err(if is_sampled { Carried::Resampled } else { Carried::Dropped(Dropped::NoPair) });
        };
        if replaced.contains(&(pair.target, property)) {
            return Err(Carried::Resampled);
        }
        let change = match property {
            Property::Rotation => self.turn(pair),
            Property::Translation if pair.is_root => self.way(pair, heights.ratio(&self.rests, pair)),
            Property::Translation => self.bone(pair, heights),
            Property::Scale => self.stretch(pair),
            Property::Weights | Property::Weight(_) => match self.has_targets(pair, channel) {
                true => Change::None,
                false => return Err(Carried::Dropped(Dropped::Targets)),
            },
        };
        let how = if change == Change::None { Carried::AsIs } else { Carried::Converted };
        Ok((changed(channel, pair.target, change), how))
    }

    /// Returns the axes of the source's parent, seen from the node's parent.
    fn outer(&self, pair: &Pair) -> Axes {
        let outer = self.rests.target.outer_axes(pair.target).inverse();
        self.rests.source.outer_axes(pair.source).inside(outer)
    }

    /// Returns the change of a rotation. With *S* and *D* the world axes of source and target at rest, the turn of the
    /// source from rest in the world is `S(t) S⁻¹`. `D(t) = S(t) S⁻¹ D` at a node and at the one above it leaves `before ·
    /// key · after` in between, with constants of the rest poses. Nodes without a pair stay at rest and are part of the
    /// constants.
    fn turn(&self, pair: &Pair) -> Change {
        let [to, from] = [self.rests.target.rotation(pair.target), self.rests.source.rotation(pair.source)];
        let outer = self.outer(pair);
        if outer.without_mirror().is_plain() && angle(to * from.conjugate()) <= NOISE {
            return Change::None;
        }
        let before = outer.rotation;
        Change::Turn { before, after: from.conjugate() * before.conjugate() * to }
    }

    /// Returns the change of an offset from rest, scaled by the ratio of the two figures.
    fn way(&self, pair: &Pair, ratio: f64) -> Change {
        let rests = &self.rests;
        let units = rests.source.outer_size(pair.source) / rests.target.outer_size(pair.target);
        let ratio = ratio * if is_ratio(units) { units } else { 1.0 };
        let [to, from] = self.bones(pair);
        let matrix = self.outer(pair).matrix() * ratio;
        let is_same = self.outer(pair).is_plain() && (ratio - 1.0).abs() <= NOISE;
        match is_same && is_near(to, from) {
            true => Change::None,
            false => Change::Move { matrix, offset: to - matrix * from, rest: to },
        }
    }

    /// Returns the change of the bone that ends at a joint: turned and scaled as the rest poses differ. A bone of constant
    /// length in the source has a constant length in the target.
    fn bone(&self, pair: &Pair, heights: &Heights) -> Change {
        let [to, from] = self.bones(pair);
        let outer = self.outer(pair);
        let from_here = outer.matrix() * from;
        if outer.is_plain() && is_near(to, from) {
            return Change::None;
        }
        let (length, ratio) = (from_here.length(), to.length() / from_here.length());
        let arc = to.try_normalize().zip(from_here.try_normalize());
        // A far shorter bone than the other has no meaningful direction.
        let is_bone = length.is_finite() && is_ratio(ratio) && (SHORTEST..1.0 / SHORTEST).contains(&ratio);
        let Some((to_way, from_way)) = arc.filter(|_| is_bone) else {
            return self.way(pair, heights.size_ratio());
        };
        let matrix = DMat3::from_quat(DQuat::from_rotation_arc(from_way, to_way)) * outer.matrix() * ratio;
        Change::Move { matrix, offset: DVec3::ZERO, rest: to }
    }

    fn bones(&self, pair: &Pair) -> [DVec3; 2] {
        [self.rests.target.translation(pair.target), self.rests.source.translation(pair.source)]
    }

    /// Returns the change of a scale relative to that at rest. If the axes of the nodes differ, each axis takes its share of
    /// all three: whole axes if one node's are the other's in another order.
    fn stretch(&self, pair: &Pair) -> Change {
        let [to, from] = [self.rests.target.scale(pair.target), self.rests.source.scale(pair.source)];
        let axes = self.rests.source.axes(pair.source);
        let axes = axes.inside(self.rests.target.axes(pair.target).inverse()).without_mirror();
        if axes.is_plain() && is_near(to, from) {
            return Change::None;
        }
        let matrix = axes.matrix();
        let shares = DMat3::from_cols(
            matrix.x_axis * matrix.x_axis,
            matrix.y_axis * matrix.y_axis,
            matrix.z_axis * matrix.z_axis,
        );
        let matrix = DMat3::from_diagonal(to) * shares * DMat3::from_diagonal(from.recip());
        match matrix.is_finite() {
            true => Change::Move { matrix, offset: DVec3::ZERO, rest: to },
            // A rest pose without size has no share, so the scale is used as it is.
            false => Change::None,
        }
    }

    /// Returns true if the target's node has as many morph targets as the channel's.
    fn has_targets(&self, pair: &Pair, channel: &Channel) -> bool {
        let there = self.target.rig.weights_of(pair.target).len();
        there > 0 && there == self.source.rig.weights_of(channel.node).len()
    }
}

/// The minimum length of a bone relative to the other; the inverse is the maximum.
const SHORTEST: f64 = 1e-6;

fn is_near(to: DVec3, from: DVec3) -> bool {
    (to - from).length() <= NOISE * to.length().max(from.length())
}
