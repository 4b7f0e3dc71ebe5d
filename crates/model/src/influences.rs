//! Prepares the raw joints and weights of a primitive for skinning: repairs them, sorts them and rounds the weights.

use std::ops::Range;

use rayon::prelude::*;

use super::mesh::{Influences, Span};

mod limit;

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

/// How many vertices one kind of repair affected.
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

/// The most influences of a vertex.
pub const MAX_INFLUENCES: usize = 16;

/// How far a sum of weights may be off one without a warning, per weight: the rounding error of single precision.
pub const SUM_TOLERANCE: f64 = 2e-7;

/// Weights are multiples of 1/`GRID`, the finest grid on which every partial sum up to one is an exact `f32`.
const GRID: u32 = 1 << 24;

const PER_SPAN: usize = 4;

/// The influences of one primitive, with the repairs.
#[derive(Clone, Debug, PartialEq)]
pub struct Prepared {
    /// The influences for skinning.
    pub influences: Influences,
    /// What had to be repaired.
    pub repairs: Repairs,
    /// Vertices whose stored weights do not sum to one, with their sums, in order.
    pub unequal_sums: Vec<(u32, f32)>,
}

/// Vertices that one thread prepares at a time. A fixed number, so that the mean of what was dropped has the same bits on
/// any number of cores.
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
    let Stretch { mut repairs, unequal_sums, widest, dropped_sum } = all;
    spans.truncate(widest.max(1).div_ceil(PER_SPAN));
    if repairs.dropped.vertices > 0 {
        repairs.mean_dropped = dropped_sum / repairs.dropped.vertices as f64;
    }
    Ok(Prepared { influences: Influences { spans }, repairs, unequal_sums })
}

/// Spans for so many vertices, to be filled.
fn empty_spans(count: usize, vertices: usize) -> Vec<Span> {
    let span = || Span { joints: vec![[0; PER_SPAN]; vertices], weights: vec![[0.0; PER_SPAN]; vertices] };
    (0..count).map(|_| span()).collect()
}

/// A stretch of a span, to be filled.
struct Room<'a> {
    joints: &'a mut [[i32; PER_SPAN]],
    weights: &'a mut [[f32; PER_SPAN]],
}

/// What was found in a stretch of vertices.
#[derive(Default)]
struct Stretch {
    repairs: Repairs,
    unequal_sums: Vec<(u32, f32)>,
    /// The most influences of a vertex.
    widest: usize,
    /// The shares that vertices lost, summed up.
    dropped_sum: f64,
}

impl Stretch {
    /// Adds the stretch behind this one.
    fn add(&mut self, next: Self) {
        self.repairs.add(&next.repairs);
        self.unequal_sums.extend(next.unequal_sums);
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
        let Stretch { repairs, unequal_sums, widest, dropped_sum } = &mut stretch;
        let sum = gather(sets, vertex, joint_count, &mut influences, repairs)?;
        unequal_sums.extend(sum.and_then(|sum| Some((u32::try_from(vertex).ok()?, sum as f32))));
        // The sort is stable: equal weights keep the file's order.
        influences.sort_by(|a, b| b.weight.total_cmp(&a.weight));
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

/// Whether a vertex names a joint twice.
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

/// Writes one vertex into all spans and returns how many of its influences carry weight.
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
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// One vertex with these joints and weights.
    fn one(pairs: &[(u16, f32)], joint_count: usize) -> (Influences, Repairs) {
        let sets: Vec<RawSet> = pairs
            .chunks(4)
            .map(|chunk| {
                let mut set = RawSet { joints: vec![[0; 4]], weights: vec![[0.0; 4]] };
                for (at, (joint, weight)) in chunk.iter().enumerate() {
                    set.joints[0][at] = *joint;
                    set.weights[0][at] = *weight;
                }
                set
            })
            .collect();
        let Prepared { influences, repairs, .. } = prepare(&sets, joint_count).unwrap();
        (influences, repairs)
    }

    const ONE: Tally = Tally { vertices: 1, first: 0 };

    /// What vertices are depends on no other: the last of many is repaired like the first of few.
    #[test]
    fn stretches_add_up() {
        let many = 2 * AT_ONCE + 3;
        let mut set =
            RawSet { joints: vec![[1, 2, 0, 0]; many], weights: vec![[0.25, 0.75, 0.0, 0.0]; many] };
        let odd = [AT_ONCE - 1, AT_ONCE + 5, many - 1];
        for vertex in odd {
            set.weights[vertex] = [0.25, f32::NAN, 0.0, 0.0];
        }
        let Prepared { influences, repairs, unequal_sums } = prepare(&[set.clone()], 3).unwrap();
        assert_eq!(repairs.weights_not_finite, Tally { vertices: 3, first: AT_ONCE - 1 });
        assert_eq!(unequal_sums, odd.map(|vertex| (vertex as u32, 0.25)));
        assert_eq!(influences.spans[0].joints.len(), many);
        for (vertex, joints) in influences.spans[0].joints.iter().enumerate() {
            assert_eq!(*joints, if odd.contains(&vertex) { [1; 4] } else { [2, 1, 1, 1] });
        }
        set.joints[AT_ONCE + 1] = [9, 9, 0, 0];
        set.joints[many - 1] = [8, 8, 0, 0];
        let unknown = prepare(&[set], 3).unwrap_err();
        assert_eq!(unknown, UnknownJoint { set: 0, vertex: AT_ONCE + 1, joint: 9 });
    }

    #[test]
    fn sorts_by_weight_and_fills_unused_slots() {
        let (influences, repairs) = one(&[(3, 0.25), (1, 0.5), (9, 0.0), (2, 0.25)], 4);
        assert_eq!(influences.spans.len(), 1);
        assert_eq!(influences.spans[0].joints, [[1, 3, 2, 2]]);
        assert_eq!(influences.spans[0].weights, [[0.5, 0.25, 0.25, 0.0]]);
        let expected = Repairs { unknown_joints: ONE, idle_joints: ONE, ..Repairs::default() };
        assert_eq!(repairs, expected, "joint 9 has no weight and is not there");
    }

    #[test]
    fn unusable_weights_count_as_zero() {
        let unknown = Repairs { unknown_joints: ONE, idle_joints: ONE, ..Repairs::default() };
        let not_finite = Repairs { weights_not_finite: ONE, ..unknown };
        let negative = Repairs { weights_negative: ONE, ..unknown };
        for (bad, expected) in [
            (f32::NAN, not_finite),
            (f32::INFINITY, not_finite),
            (f32::NEG_INFINITY, not_finite),
            (-0.5, negative),
        ] {
            let (influences, repairs) = one(&[(9, bad), (1, 1.0)], 4);
            assert_eq!(influences.spans[0].joints, [[1; 4]], "{bad}");
            assert_eq!(influences.spans[0].weights, [[1.0, 0.0, 0.0, 0.0]]);
            assert_eq!(repairs, expected);
        }
    }

    #[test]
    fn no_weight_at_all_follows_the_first_slot() {
        let (influences, repairs) = one(&[(2, 0.0), (1, 0.0)], 4);
        assert_eq!(influences.spans[0].joints, [[2; 4]]);
        assert_eq!(influences.spans[0].weights, [[1.0, 0.0, 0.0, 0.0]]);
        assert_eq!(repairs, Repairs { zero_sums: ONE, idle_joints: ONE, ..Repairs::default() });
        let (influences, repairs) = one(&[(70, f32::NAN)], 4);
        assert_eq!(influences.spans[0].joints, [[0; 4]]);
        let expected = Repairs {
            zero_sums: ONE,
            weights_not_finite: ONE,
            unknown_joints: ONE,
            idle_joints: ONE,
            ..Repairs::default()
        };
        assert_eq!(repairs, expected);
        let (influences, _) = one(&[(4, 0.0)], 4);
        assert_eq!(influences.spans[0].joints, [[0; 4]], "joint 4 is one too many");
    }

    #[test]
    fn sums_are_brought_to_one() {
        let (influences, repairs) = one(&[(0, 3.0), (1, 1.0)], 4);
        assert_eq!(influences.spans[0].weights, [[0.75, 0.25, 0.0, 0.0]]);
        assert_eq!(repairs, Repairs { unequal_sums: ONE, most_unequal: 3.0, ..Repairs::default() });
        let third = 1.0 / 3.0;
        let (_, repairs) = one(&[(0, third), (1, third), (2, third + 5e-7)], 4);
        assert_eq!(repairs, Repairs::default(), "5e-7 is rounding");
        for sum in [0.999_99, 1.000_01] {
            let (_, repairs) = one(&[(0, 0.5), (1, sum - 0.5)], 4);
            assert_eq!(repairs.unequal_sums, ONE, "{sum} is not");
            assert!((repairs.most_unequal - 1e-5).abs() < 1e-7);
        }
        let (influences, _) = one(&[(0, f32::MAX), (1, f32::MAX), (2, f32::MIN_POSITIVE)], 4);
        assert_eq!(influences.spans[0].weights, [[0.5, 0.5, 0.0, 0.0]]);
        assert_eq!(influences.spans[0].joints, [[0, 1, 1, 1]]);
        let (influences, _) = one(&[(0, 1e-45)], 4);
        assert_eq!(influences.spans[0].weights, [[1.0, 0.0, 0.0, 0.0]]);
    }

    #[test]
    fn more_than_sixteen_keep_the_largest() {
        let mut pairs: Vec<(u16, f32)> = (0..20).map(|joint| (joint, 1.0 / 32.0)).collect();
        for pair in &mut pairs[8..20] {
            pair.1 = 2.0 / 32.0;
        }
        let (influences, repairs) = one(&pairs, 20);
        assert_eq!(influences.spans.len(), 4);
        assert_eq!(influences.spans[0].joints, [[8, 9, 10, 11]]);
        assert_eq!(influences.spans[3].joints, [[0, 1, 2, 3]]);
        assert_eq!(repairs.dropped, ONE);
        assert!((repairs.most_dropped - 4.0 / 32.0).abs() < 1e-12);
        assert_eq!(repairs.most_dropped, repairs.mean_dropped);
        assert_eq!(influences.spans.iter().flat_map(|s| s.weights[0]).sum::<f32>(), 1.0);
    }

    #[test]
    fn equal_weights_keep_their_order_however_many() {
        let pairs: Vec<(u16, f32)> =
            (0..400).map(|joint| (joint, [0.5, 0.25, 0.125][usize::from(joint) * 7919 % 13 % 3])).collect();
        let (influences, _) = one(&pairs, 400);
        let joints: Vec<i32> = influences.spans.iter().flat_map(|span| span.joints[0]).collect();
        let largest = pairs.iter().filter(|pair| pair.1 == 0.5).map(|pair| i32::from(pair.0));
        assert_eq!(joints, largest.take(16).collect::<Vec<i32>>());
    }

    #[test]
    fn spans_are_as_many_as_the_widest_vertex_needs() {
        let set =
            |weights: [f32; 4]| RawSet { joints: vec![[0, 1, 2, 3]; 2], weights: vec![weights, [0.0; 4]] };
        let sets = [set([0.2; 4]), set([0.0; 4]), set([0.05; 4])];
        let Prepared { influences, repairs, unequal_sums } = prepare(&sets, 4).unwrap();
        assert_eq!(influences.spans.len(), 2);
        assert_eq!(unequal_sums, [(1, 0.0)], "the first vertex's sum to one");

        let negative = RawSet { joints: vec![[0; 4]; 3], weights: vec![[1.5, -0.5, 0.0, 0.0]; 3] };
        let bent = RawSet { joints: vec![[0; 4]; 3], weights: vec![[0.0; 4], [0.25; 4], [f32::NAN; 4]] };
        let Prepared { unequal_sums, .. } = prepare(&[negative, bent], 4).unwrap();
        assert_eq!(unequal_sums, [(1, 2.0)], "as stored, negative ones too");
        assert_eq!(influences.spans[1].joints, [[0, 1, 2, 3], [0; 4]]);
        assert_eq!(repairs.zero_sums, Tally { vertices: 1, first: 1 });
        assert_eq!(repairs.repeated_joints, ONE);
    }

    #[test]
    fn a_weighted_joint_out_of_range_is_an_error() {
        let set = RawSet { joints: vec![[0; 4], [0, 7, 0, 0]], weights: vec![[0.25; 4]; 2] };
        assert_eq!(prepare(&[set], 4), Err(UnknownJoint { set: 0, vertex: 1, joint: 7 }));
    }

    #[test]
    fn no_sets_and_no_vertices_are_fine() {
        assert_eq!(prepare(&[], 4).unwrap().influences.spans.len(), 0);
        assert_eq!(prepare(&[RawSet::default()], 4).unwrap().influences.spans.len(), 1);
    }

    proptest! {
        #[test]
        fn prepared_influences_hold_what_they_promise(
            pairs in prop::collection::vec((0u16..300, prop_oneof![
                any::<f32>(), 0.0f32..1.0, Just(0.0), Just(1.0 / 3.0), 0.0f32..1e-7
            ]), 1..40)
        ) {
            let (influences, _) = one(&pairs, 300);
            let weights: Vec<f32> = influences.spans.iter().flat_map(|span| span.weights[0]).collect();
            let joints: Vec<i32> = influences.spans.iter().flat_map(|span| span.joints[0]).collect();
            prop_assert!(weights.is_sorted_by(|a, b| a >= b));
            prop_assert_eq!(weights.iter().sum::<f32>(), 1.0);
            prop_assert_eq!(weights.iter().rev().sum::<f32>(), 1.0);
            let used = weights.iter().filter(|weight| **weight > 0.0).count();
            prop_assert!(used > (influences.spans.len() - 1) * 4);
            prop_assert!(joints[used..].iter().all(|joint| *joint == joints[used - 1]));
            for weight in &weights {
                prop_assert_eq!((f64::from(*weight) * f64::from(GRID)).fract(), 0.0);
            }
            // No weight is off by more than one step.
            let mut exact: Vec<f64> = pairs.iter().map(|pair| f64::from(pair.1))
                .filter(|weight| weight.is_finite() && *weight > 0.0).collect();
            exact.sort_by(|a, b| b.total_cmp(a));
            exact.truncate(MAX_INFLUENCES);
            let sum: f64 = exact.iter().sum();
            for (weight, exact) in weights.iter().zip(&exact) {
                prop_assert!((f64::from(*weight) - exact / sum).abs() <= 1.01 / f64::from(GRID));
            }
        }
    }
}
