//! Prepares the raw joints and weights of a primitive for skinning: repairs them, sorts them and rounds the weights.

use std::ops::Range;

use rayon::prelude::*;

use super::mesh::{Influences, Span};

mod limit;
mod rows;
mod stored;

pub use limit::{Dropped, Limited, Limits};

/// One set as stored in a file: four joints and four weights per vertex.
#[derive(Clone, Debug, Default)]
pub struct RawSet {
    /// Joint indices within the skin.
    pub joints: Vec<[u16; 4]>,
    /// Weights in the joints' order, unchecked.
    pub weights: Vec<[f32; 4]>,
}

/// A vertex gives weight to a joint that the skin does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownJoint {
    /// Index of the set.
    pub set: usize,
    /// The vertex.
    pub vertex: usize,
    /// The joint index.
    pub joint: u32,
}

/// Numbers of vertices per kind of repair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The number of vertices.
    pub vertices: usize,
    /// The first of them.
    pub first: usize,
}

impl Tally {
    fn add(&mut self, vertex: usize) {
        if self.vertices == 0 {
            self.first = vertex;
        }
        self.vertices = self.vertices.saturating_add(1);
    }
}

/// The repairs of a primitive.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Repairs {
    /// NaN and infinite weights, which now count as zero.
    pub weights_not_finite: Tally,
    /// Negative weights, which now count as zero.
    pub weights_negative: Tally,
    /// Sums off one by more than [`SUM_TOLERANCE`] times the number of weights.
    pub unequal_sums: Tally,
    /// The largest error of those sums.
    pub most_unequal: f64,
    /// Joints that the skin does not have, with weight 0, where they do no harm.
    pub unknown_joints: Tally,
    /// Influences without weight that name a joint other than 0.
    pub idle_joints: Tally,
    /// Vertices without any weight; now the joint that they name first has all of it.
    pub zero_sums: Tally,
    /// Vertices that name a joint twice. This is kept: the weights add up correctly, but *rigid* may choose a joint
    /// that is not the strongest.
    pub repeated_joints: Tally,
    /// Vertices with more than [`MAX_INFLUENCES`] influences; the largest were kept.
    pub dropped: Tally,
    /// The largest share of its weight that such a vertex lost.
    pub most_dropped: f64,
    /// The mean share that such vertices lost.
    pub mean_dropped: f64,
}

impl Repairs {
    /// Adds those of the vertices behind these, except for the mean.
    fn add(&mut self, next: &Self) {
        for (tally, more) in [
            (&mut self.weights_not_finite, next.weights_not_finite),
            (&mut self.weights_negative, next.weights_negative),
            (&mut self.unequal_sums, next.unequal_sums),
            (&mut self.unknown_joints, next.unknown_joints),
            (&mut self.idle_joints, next.idle_joints),
            (&mut self.zero_sums, next.zero_sums),
            (&mut self.repeated_joints, next.repeated_joints),
            (&mut self.dropped, next.dropped),
        ] {
            tally.first = if tally.vertices == 0 { more.first } else { tally.first };
            tally.vertices = tally.vertices.saturating_add(more.vertices);
        }
        self.most_unequal = self.most_unequal.max(next.most_unequal);
        self.most_dropped = self.most_dropped.max(next.most_dropped);
    }
}

/// The maximum number of influences of a vertex.
pub const MAX_INFLUENCES: usize = 16;

/// Tolerance of a sum of weights without a warning, per weight: the rounding error of single precision.
pub const SUM_TOLERANCE: f64 = 2e-7;

/// Weights are multiples of 1/`GRID`, the finest grid on which every partial sum up to one is an exact `f32`.
const GRID: u32 = 1 << 24;

const PER_SPAN: usize = 4;

/// The influences of one primitive, with the repairs.
#[derive(Clone, Debug, PartialEq)]
pub struct Prepared {
    /// The influences for skinning.
    pub influences: Influences,
    /// Repairs made.
    pub repairs: Repairs,
    /// Vertices whose stored weights do not sum to one, with their sums, in order.
    pub unequal_sums: Vec<(u32, f32)>,
    /// Vertices whose first slot names another joint than the heaviest, with that joint, in order.
    pub first_joints: Vec<(u32, u16)>,
}

/// Vertices that one thread prepares at a time. The number is fixed, so that the mean of dropped weights has the same
/// bits on any number of cores.
const AT_ONCE: usize = 1 << 15;

/// Prepares the sets of one primitive for a skin with `joint_count` joints, on all cores.
///
/// If the sets differ in length, vertices beyond the shortest are left out.
pub fn prepare(sets: &[RawSet], joint_count: usize) -> Result<Prepared, UnknownJoint> {
    let vertices = sets.iter().map(|set| set.joints.len().min(set.weights.len())).min().unwrap_or(0);
    let room = sets.len().min(MAX_INFLUENCES / PER_SPAN);
    let mut spans = empty_spans(room, vertices);
    let mut rooms: Vec<Vec<Room<'_>>> = (0..vertices.div_ceil(AT_ONCE)).map(|_| Vec::new()).collect();
    for span in &mut spans {
        let parts = span.joints.chunks_mut(AT_ONCE).zip(span.weights.chunks_mut(AT_ONCE));
        for (rooms, (joints, weights)) in rooms.iter_mut().zip(parts) {
            rooms.push(Room { joints, weights });
        }
    }
    let prepared: Vec<Result<Stretch, UnknownJoint>> = rooms
        .into_par_iter()
        .enumerate()
        .map(|(number, mut spans)| {
            let first = number.saturating_mul(AT_ONCE);
            let end = first.saturating_add(AT_ONCE).min(vertices);
            prepare_stretch(sets, joint_count, first..end, &mut spans)
        })
        .collect();

    let mut all = Stretch::default();
    for stretch in prepared {
        all.add(stretch?);
    }
    let Stretch { mut repairs, unequal_sums, first_joints, widest, dropped_sum } = all;
    spans.truncate(widest.max(1).div_ceil(PER_SPAN));
    if repairs.dropped.vertices > 0 {
        repairs.mean_dropped = dropped_sum / repairs.dropped.vertices as f64;
    }
    Ok(Prepared { influences: Influences { spans }, repairs, unequal_sums, first_joints })
}

/// Spans for this number of vertices, to be filled.
fn empty_spans(count: usize, vertices: usize) -> Vec<Span> {
    let span = || Span { joints: vec![[0; PER_SPAN]; vertices], weights: vec![[0.0; PER_SPAN]; vertices] };
    (0..count).map(|_| span()).collect()
}

/// A stretch of a span, to be filled.
struct Room<'a> {
    joints: &'a mut [[i32; PER_SPAN]],
    weights: &'a mut [[f32; PER_SPAN]],
}

/// Findings in a range of vertices.
#[derive(Default)]
struct Stretch {
    repairs: Repairs,
    unequal_sums: Vec<(u32, f32)>,
    first_joints: Vec<(u32, u16)>,
    /// The maximum number of influences of a vertex.
    widest: usize,
    /// The shares that vertices lost, summed up.
    dropped_sum: f64,
}

impl Stretch {
    /// Adds the stretch behind this one.
    fn add(&mut self, next: Self) {
        self.repairs.add(&next.repairs);
        self.unequal_sums.extend(next.unequal_sums);
        self.first_joints.extend(next.first_joints);
        self.widest = self.widest.max(next.widest);
        self.dropped_sum += next.dropped_sum;
    }
}

fn prepare_stretch(
    sets: &[RawSet],
    joint_count: usize,
    vertices: Range<usize>,
    spans: &mut [Room<'_>],
) -> Result<Stretch, UnknownJoint> {
    let mut stretch = Stretch::default();
    let mut influences: Vec<Influence> = Vec::new();
    for (place, vertex) in vertices.enumerate() {
        let Stretch { repairs, unequal_sums, first_joints, widest, dropped_sum } = &mut stretch;
        let sum = gather(sets, vertex, joint_count, &mut influences, repairs)?;
        unequal_sums.extend(sum.and_then(|sum| Some((u32::try_from(vertex).ok()?, sum as f32))));
        // The sort is stable: equal weights keep the file's order.
        influences.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        first_joints.extend(first_joint(sets, vertex, joint_count, &influences));
        let dropped = keep_largest(&mut influences);
        if dropped > 0.0 {
            repairs.dropped.add(vertex);
            repairs.most_dropped = repairs.most_dropped.max(dropped);
            *dropped_sum += dropped;
        }
        if has_repeated_joint(&influences) {
            repairs.repeated_joints.add(vertex);
        }
        let grid = to_grid(&influences);
        *widest = (*widest).max(store(&influences, &grid, place, spans));
    }
    Ok(stretch)
}

#[derive(Clone, Copy, Debug)]
struct Influence {
    joint: i32,
    weight: f64,
}

/// Collects the influences of a vertex that carry weight, at least one. Returns the sum of the stored weights if it is
/// not one.
fn gather(
    sets: &[RawSet],
    vertex: usize,
    joint_count: usize,
    influences: &mut Vec<Influence>,
    repairs: &mut Repairs,
) -> Result<Option<f64>, UnknownJoint> {
    influences.clear();
    let (mut not_finite, mut negative) = (false, false);
    let (mut unknown, mut idle) = (false, false);
    let mut first_joint = None;
    // The sum of the weights in use, and of all stored weights that are finite.
    let (mut sum, mut stored) = (0.0, 0.0);
    for (set, raw) in sets.iter().enumerate() {
        let joints = raw.joints.get(vertex).copied().unwrap_or_default();
        let weights = raw.weights.get(vertex).copied().unwrap_or_default();
        for (joint, weight) in joints.into_iter().zip(weights) {
            first_joint.get_or_insert(joint);
            stored += if weight.is_finite() { f64::from(weight) } else { 0.0 };
            if !weight.is_finite() {
                not_finite = true;
            } else if weight < 0.0 {
                negative = true;
            } else if weight > 0.0 {
                if usize::from(joint) >= joint_count {
                    return Err(UnknownJoint { set, vertex, joint: u32::from(joint) });
                }
                let weight = f64::from(weight);
                influences.push(Influence { joint: i32::from(joint), weight });
                sum += weight;
            }
            if !(weight.is_finite() && weight > 0.0) {
                unknown |= usize::from(joint) >= joint_count;
                idle |= joint != 0;
            }
        }
    }
    if unknown {
        repairs.unknown_joints.add(vertex);
    }
    if idle {
        repairs.idle_joints.add(vertex);
    }
    if not_finite {
        repairs.weights_not_finite.add(vertex);
    }
    if negative {
        repairs.weights_negative.add(vertex);
    }
    if influences.is_empty() {
        repairs.zero_sums.add(vertex);
        // An influence without weight may name any joint, so bring it into range.
        let joint = first_joint.filter(|joint| usize::from(*joint) < joint_count).unwrap_or(0);
        influences.push(Influence { joint: i32::from(joint), weight: 1.0 });
        return Ok(Some(stored));
    }
    let tolerance = SUM_TOLERANCE * influences.len() as f64;
    if (sum - 1.0).abs() > tolerance {
        repairs.unequal_sums.add(vertex);
        repairs.most_unequal = repairs.most_unequal.max((sum - 1.0).abs());
    }
    Ok(Some(stored).filter(|stored| (stored - 1.0).abs() > tolerance))
}

/// Returns a vertex with the joint in its first slot, with weight or without, if sorting put another first.
fn first_joint(
    sets: &[RawSet],
    vertex: usize,
    joint_count: usize,
    sorted: &[Influence],
) -> Option<(u32, u16)> {
    let &[joint, ..] = sets.first()?.joints.get(vertex)?;
    let is_other = sorted.first()?.joint != i32::from(joint) && usize::from(joint) < joint_count;
    Some((u32::try_from(vertex).ok()?, joint)).filter(|_| is_other)
}

/// Cuts sorted influences down to the limit and returns the share of the weight that is lost.
fn keep_largest(influences: &mut Vec<Influence>) -> f64 {
    let Some((kept, cut)) = influences.split_at_checked(MAX_INFLUENCES) else {
        return 0.0;
    };
    let cut: f64 = cut.iter().map(|influence| influence.weight).sum();
    let kept: f64 = kept.iter().map(|influence| influence.weight).sum();
    influences.truncate(MAX_INFLUENCES);
    cut / (kept + cut)
}

/// Returns true if a vertex repeats a joint.
fn has_repeated_joint(influences: &[Influence]) -> bool {
    influences.iter().enumerate().any(|(index, influence)| {
        influences.iter().take(index).any(|earlier| earlier.joint == influence.joint)
    })
}

/// Rounds sorted weights to multiples of 1/[`GRID`] that sum to exactly one and stay sorted.
///
/// Each is rounded down, and the remaining steps go to the largest weights, one each: no weight changes by more than
/// one step, and the order stays.
fn to_grid(influences: &[Influence]) -> [u32; MAX_INFLUENCES] {
    let sum: f64 = influences.iter().map(|influence| influence.weight).sum();
    let mut grid = [0; MAX_INFLUENCES];
    let mut left = GRID;
    for (parts, influence) in grid.iter_mut().zip(influences) {
        *parts = ((influence.weight / sum * f64::from(GRID)) as u32).min(left);
        left = left.saturating_sub(*parts);
    }
    // Rounding down loses less than one step per influence. If inexact division ever loses more, the first takes it,
    // because an exact sum matters most.
    for parts in grid.iter_mut().take(influences.len()) {
        if left > 0 {
            *parts = parts.saturating_add(1);
            left = left.saturating_sub(1);
        }
    }
    if let Some(first) = grid.first_mut() {
        *first = first.saturating_add(left);
    }
    grid
}

/// Writes one vertex into all spans, and returns the number of its influences with weight.
fn store(
    influences: &[Influence],
    grid: &[u32; MAX_INFLUENCES],
    place: usize,
    spans: &mut [Room<'_>],
) -> usize {
    let used = grid.iter().zip(influences).filter(|(parts, _)| **parts > 0).count();
    // Weights too small for the grid come last; their influences are not used.
    let last =
        used.checked_sub(1).and_then(|last| influences.get(last)).map_or(0, |influence| influence.joint);
    let mut next = influences.iter().zip(grid);
    for span in spans {
        let (Some(joints), Some(weights)) = (span.joints.get_mut(place), span.weights.get_mut(place)) else {
            continue;
        };
        *joints = [last; PER_SPAN];
        for (joint, weight) in joints.iter_mut().zip(weights) {
            if let Some((influence, parts)) = next.next()
                && *parts > 0
            {
                *joint = influence.joint;
                *weight = *parts as f32 / GRID as f32;
            }
        }
    }
    used
}

#[cfg(test)]
mod tests;
