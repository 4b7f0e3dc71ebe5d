//! Joints that no conversion of single keys can carry over: unpaired nodes between them and the next pair move, or the two
//! trees differ. Their transforms are sampled at all keys, and in between.

use std::collections::HashSet;

use super::axes::{Axes, world_axes};
use super::keys::is_transform;
use super::matching::{Heights, Match, Pair};
use crate::pose::Pose;
use glam::{DQuat, DVec3};
use sinew_model::{Channel, Clip, Interpolation, Property};

/// The maximum time between two samples of keys that are not steps, in seconds.
const STEP_SECS: f64 = 1.0 / 120.0;

/// The maximum number of nodes to pose for the clips of one file, over all samples. It bounds time and memory; a minute
/// of a hundred joints takes less than a million.
pub const MAX_POSED: usize = 1 << 23;

/// Motion in a clip, counted from the roots down to each node.
struct Motion {
    /// True if anything turns.
    turns: bool,
    /// The number of nodes that turn.
    turning: Vec<usize>,
    /// The number of nodes that turn, move or stretch.
    moving: Vec<usize>,
}

impl Motion {
    fn new(matched: &Match, clips: &[Clip]) -> Self {
        let rig = &matched.source.rig;
        let (mut turning, mut moving) = (vec![0; rig.len()], vec![0; rig.len()]);
        let mark = |counts: &mut Vec<usize>, node: usize| {
            if let Some(count) = counts.get_mut(node) {
                *count = 1;
            }
        };
        for channel in clips.iter().flat_map(|clip| &clip.channels) {
            if channel.property == Property::Rotation {
                mark(&mut turning, channel.node);
            }
            if is_transform(channel.property) {
                mark(&mut moving, channel.node);
            }
        }
        let turns = turning.contains(&1);
        for counts in [&mut turning, &mut moving] {
            for (node, parent) in rig.parents.iter().enumerate() {
                let above = parent.and_then(|parent| counts.get(parent as usize)).copied().unwrap_or(0);
                if let Some(count) = counts.get_mut(node) {
                    *count = count.saturating_add(above);
                }
            }
        }
        Self { turns, turning, moving }
    }

    /// Returns the number of a list's nodes that move above a node and below another.
    fn between(&self, counts: &[usize], matched: &Match, node: usize, above: Option<usize>) -> usize {
        let count = |node: usize| counts.get(node).copied().unwrap_or_default();
        let parent = matched.source.rig.parents.get(node).copied().flatten();
        let to_parent = parent.map_or(0, |parent| count(parent as usize));
        to_parent.saturating_sub(above.map_or(0, count))
    }

    /// Returns true if a pair's rotation depends on more than its own channel.
    fn turns_between(&self, matched: &Match, pair: &Pair) -> bool {
        match above(matched, pair) {
            None => self.between(&self.turning, matched, pair.source, None) > 0,
            Some(above) if matched.tree.is_below(pair.source, above) => {
                self.between(&self.turning, matched, pair.source, Some(above)) > 0
            }
            // The two trees differ.
            Some(_) => self.turns,
        }
    }

    /// Returns true if nodes without a pair move the whole figure.
    fn moves_above(&self, matched: &Match, pair: &Pair) -> bool {
        pair.above.is_none() && self.between(&self.moving, matched, pair.source, None) > 0
    }
}

/// Returns the node that the next pair above follows.
fn above(matched: &Match, pair: &Pair) -> Option<usize> {
    pair.above.and_then(|above| matched.pairs.get(above)).map(|above| above.source)
}

/// Returns the pairs that some clip may force to be sampled, by index.
pub fn candidates(matched: &Match) -> Vec<usize> {
    let motion = Motion::new(matched, &matched.source.clips);
    let needs = |pair: &Pair| motion.turns_between(matched, pair) || motion.moves_above(matched, pair);
    (0..matched.pairs.len()).filter(|pair| matched.pairs.get(*pair).is_some_and(needs)).collect()
}

/// Sampled channels, and their sources.
#[derive(Default)]
pub struct Resampled {
    /// The channels of the target's nodes.
    pub channels: Vec<Channel>,
    /// Source nodes whose rotations are in the channels.
    pub turned: HashSet<usize>,
    /// Source nodes whose whole transforms are in the channels.
    pub moved: HashSet<usize>,
}

/// The properties to sample for one pair.
struct Job {
    pair: Pair,
    turns: bool,
    moves: bool,
    rotations: Vec<f32>,
    translations: Vec<f32>,
}

/// Samples a clip's effect on these pairs. `None` if the samples do not fit into `left`.
pub fn resample(matched: &Match, clip: &Clip, pairs: &[usize], left: &mut usize) -> Option<Resampled> {
    let nodes = matched.source.rig.len().max(1);
    if pairs.is_empty() {
        return Some(Resampled::default());
    }
    *left = left.checked_sub(nodes)?;
    let motion = Motion::new(matched, std::slice::from_ref(clip));
    let job = |pair: &usize| {
        let pair = *matched.pairs.get(*pair)?;
        let (turns, moves) = (motion.turns_between(matched, &pair), motion.moves_above(matched, &pair));
        let (rotations, translations) = (Vec::new(), Vec::new());
        (turns || moves).then_some(Job { pair, turns, moves, rotations, translations })
    };
    let mut jobs: Vec<Job> = pairs.iter().filter_map(job).collect();
    if jobs.is_empty() {
        return Some(Resampled::default());
    }
    let most = left.checked_div(nodes)?;
    let (times, interpolation) = times(clip, most)?;
    *left = left.checked_sub(times.len().checked_mul(nodes)?)?;
    sample(matched, clip, &times, &mut jobs);
    let mut found = Resampled::default();
    for job in jobs {
        mark(matched, &job, &mut found);
        let Job { pair, turns, moves, rotations, translations } = job;
        let channel = |property, values| Channel {
            node: pair.target,
            property,
            interpolation,
            times: times.clone(),
            values,
        };
        found.channels.extend(turns.then(|| channel(Property::Rotation, rotations)));
        found.channels.extend(moves.then(|| channel(Property::Translation, translations)));
    }
    Some(found)
}

/// Returns the times to sample at: all keys, and enough in between unless all are steps. `None` if there are too many keys.
fn times(clip: &Clip, most: usize) -> Option<(Vec<f32>, Interpolation)> {
    let channels = || clip.channels.iter().filter(|channel| is_transform(channel.property));
    let mut keys: Vec<f32> = channels().flat_map(|channel| channel.times.iter().copied()).collect();
    keys.sort_unstable_by(f32::total_cmp);
    keys.dedup();
    if keys.len() > most {
        return None;
    }
    if channels().all(|channel| channel.interpolation == Interpolation::Step) {
        return Some((keys, Interpolation::Step));
    }
    let span =
        keys.last().zip(keys.first()).map_or(0.0, |(last, first)| f64::from(*last) - f64::from(*first));
    // Long clips get fewer samples in between rather than none.
    let spare = most.saturating_sub(keys.len()).max(1);
    let step_secs = STEP_SECS.max(span / spare as f64);
    let mut times = Vec::new();
    for pair in keys.windows(2) {
        let &[start, end] = pair else { continue };
        let way = f64::from(end) - f64::from(start);
        let count = (way / step_secs).ceil().clamp(1.0, spare as f64) as usize;
        let at = |step: usize| (f64::from(start) + way * step as f64 / count as f64) as f32;
        times.extend((0..count).map(at));
    }
    times.extend(keys.last());
    // Samples closer than the precision of `f32` coincide.
    times.dedup();
    Some((times, Interpolation::Linear))
}

fn sample(matched: &Match, clip: &Clip, times: &[f32], jobs: &mut [Job]) {
    let (mut pose, mut axes) = (Pose::default(), Vec::new());
    let heights = Heights::new(&matched.rests, &matched.pairs);
    let rig = &matched.source.rig;
    for time in times {
        pose.set_clip(rig, clip, f64::from(*time));
        world_axes(rig, &pose.locals, &mut axes);
        for job in jobs.iter_mut() {
            if job.turns {
                let rotation = rotation(matched, &job.pair, &axes);
                job.rotations.extend(rotation.to_array().map(|number| number as f32));
            }
            if job.moves {
                let rest = matched.rests.target.translation(job.pair.target);
                let moved = translation(matched, &job.pair, &pose, &heights).as_vec3();
                let moved = if moved.is_finite() { moved } else { rest.as_vec3() };
                job.translations.extend(moved.to_array());
            }
        }
    }
}

/// Returns the turn of a source node from rest, in the world of the target.
fn turn(matched: &Match, node: usize, axes: &[Axes]) -> DQuat {
    let now = axes.get(node).copied().unwrap_or(Axes::WORLD).rotation;
    matched.turn * now * matched.rests.source.axes(node).rotation.conjugate()
}

/// Returns the rotation that turns a joint from rest in the world as its source turns. The nodes between it and the next
/// pair above are at rest there.
fn rotation(matched: &Match, pair: &Pair, axes: &[Axes]) -> DQuat {
    let above = above(matched, pair).map_or(DQuat::IDENTITY, |above| turn(matched, above, axes));
    let outer = matched.rests.target.outer_axes(pair.target).rotation;
    let own = turn(matched, pair.source, axes) * outer * matched.rests.target.rotation(pair.target);
    outer.conjugate() * above.conjugate() * own
}

/// Returns the translation of a topmost joint in its parent: its source's offset from rest in the world, scaled by height.
fn translation(matched: &Match, pair: &Pair, pose: &Pose, heights: &Heights) -> DVec3 {
    let rests = &matched.rests;
    let now = pose.world_from_node.get(pair.source).map_or(DVec3::ZERO, |world| world.w_axis.truncate());
    let way = (matched.turn * now - rests.source.place(pair.source)) * heights.ratio(rests, pair);
    let way = rests.target.outer_axes(pair.target).inverse().matrix() * way;
    rests.target.translation(pair.target) + way / rests.target.outer_size(pair.target)
}

/// Records the nodes with channels in the samples: the source itself, and the unpaired nodes above it.
fn mark(matched: &Match, job: &Job, found: &mut Resampled) {
    let mut node = Some(job.pair.source);
    let is_paired = |node: usize| matched.pair_of.get(node).copied().flatten().is_some();
    while let Some(at) = node {
        let new = job.turns && found.turned.insert(at);
        let new = (job.moves && found.moved.insert(at)) || new;
        if !new {
            break;
        }
        node = matched.source.rig.parents.get(at).copied().flatten().map(|parent| parent as usize);
        node = node.filter(|node| !is_paired(*node));
    }
}
