//! Sums the likeness of groups and patches, one pair of joints after the other. Every processor gives the same bits: there
//! are always eight lanes, sums are in a fixed order, and nothing is fused.

use super::body::Body;
use super::{SIGMA, Watch};
use crate::vectors::{Level, Task};
use rayon::iter::ParallelIterator;
use rayon::slice::ParallelSliceMut;

/// Patches computed side by side.
const LANES: usize = 8;

/// The number of patches to gather at a time, so that they stay in a core's cache.
const TILE: usize = 512;

/// The minimum number of terms for a separate thread: some hundred microseconds of work.
const SHARE: usize = 1 << 16;

/// Returns for each group the sums over all patches of likeness times area, and of that times the centroid; `None` if
/// `watch` stopped it.
pub fn sums(body: &Body, watch: &Watch) -> Option<Vec<[f64; 4]>> {
    let mut sums = vec![[0.0; 4]; body.groups()];
    let groups = ByJoint::new(body.groups(), |group, visit| {
        body.joints(group).joints().iter().for_each(|&joint| visit(joint));
    });
    let patches = ByJoint::new(body.patches(), |patch, visit| {
        body.patch_joints(patch).joints().iter().for_each(|&joint| visit(joint));
    });
    let mut pairs = Pairs::default();
    let share = |joint: u32| groups.of(joint).len() as f64 * patches.of(joint).len() as f64;
    let all: f64 = (0..groups.joints()).map(share).sum();
    let mut done = 0.0;
    for joint in 0..groups.joints() {
        if !watch(done / all.max(1.0)) {
            return None;
        }
        pairs.gather(body, joint, &groups, &patches);
        let mut start = 0;
        for alike in pairs.groups.chunk_by(|a, b| a.0 == b.0) {
            let other = alike[0].0;
            let from = start + pairs.patches[start..].partition_point(|pair| pair.0 < other);
            let to = from + pairs.patches[from..].partition_point(|pair| pair.0 == other);
            start = to;
            pair(body, [joint, other], alike, &pairs.patches[from..to], &mut sums);
        }
        done += share(joint);
    }
    Some(sums)
}

/// Groups or patches by joint, in their order.
struct ByJoint {
    ends: Vec<usize>,
    things: Vec<u32>,
}

impl ByJoint {
    fn new(count: usize, joints: impl Fn(u32, &mut dyn FnMut(u32))) -> Self {
        let mut ends: Vec<usize> = Vec::new();
        for thing in 0..count as u32 {
            joints(thing, &mut |joint| {
                if ends.len() <= joint as usize {
                    ends.resize(joint as usize + 1, 0);
                }
                ends[joint as usize] += 1;
            });
        }
        let mut sum = 0;
        for end in &mut ends {
            sum += std::mem::replace(end, sum);
        }
        let mut things = vec![0; sum];
        for thing in 0..count as u32 {
            joints(thing, &mut |joint| {
                things[ends[joint as usize]] = thing;
                ends[joint as usize] += 1;
            });
        }
        Self { ends, things }
    }

    fn joints(&self) -> u32 {
        self.ends.len() as u32
    }

    fn of(&self, joint: u32) -> &[u32] {
        let end = |joint: usize| self.ends.get(joint).copied();
        let start = (joint as usize).checked_sub(1).and_then(end).unwrap_or(0);
        end(joint as usize).map_or(&[], |end| &self.things[start..end])
    }
}

/// Groups and patches by pair of joints: each appears once per higher joint that it also has, sorted by that joint.
#[derive(Default)]
struct Pairs {
    groups: Vec<(u32, u32)>,
    patches: Vec<(u32, u32)>,
}

impl Pairs {
    fn gather(&mut self, body: &Body, joint: u32, groups: &ByJoint, patches: &ByJoint) {
        fn others(out: &mut Vec<(u32, u32)>, joints: &[u32], joint: u32, thing: u32) {
            let higher = joints.partition_point(|&other| other <= joint);
            out.extend(joints[higher..].iter().map(|&other| (other, thing)));
        }
        self.groups.clear();
        self.patches.clear();
        for &group in groups.of(joint) {
            others(&mut self.groups, body.joints(group).joints(), joint, group);
        }
        if !self.groups.is_empty() {
            for &patch in patches.of(joint) {
                others(&mut self.patches, body.patch_joints(patch).joints(), joint, patch);
            }
        }
        self.groups.sort_unstable();
        self.patches.sort_unstable();
    }
}

/// A group's two weights, and its sums over patches.
struct Member {
    group: u32,
    weights: [f64; 2],
    sums: [f64; 4],
}

/// Adds the terms of one pair of joints to the sums of the groups that have both.
fn pair(body: &Body, joints: [u32; 2], groups: &[(u32, u32)], patches: &[(u32, u32)], sums: &mut [[f64; 4]]) {
    if patches.is_empty() {
        return;
    }
    let member =
        |&(_, group): &(u32, u32)| Member { group, weights: body.weights(group, joints), sums: [0.0; 4] };
    let mut members: Vec<Member> = groups.iter().map(member).collect();
    let mut tile = Tile::default();
    for patches in patches.chunks(TILE) {
        tile.fill(body, joints, patches);
        let chunk = (SHARE / patches.len()).max(1);
        if members.len() <= chunk {
            Level::Best.run(Sum { tile: &tile, members: &mut members });
        } else {
            let each = |members: &mut [Member]| Level::Best.run(Sum { tile: &tile, members });
            members.par_chunks_mut(chunk).for_each(each);
        }
    }
    for Member { group, weights: [v_j, v_k], sums: found } in &members {
        for (sum, found) in sums[*group as usize].iter_mut().zip(found) {
            *sum += found * (v_j * v_k);
        }
    }
}

/// A value for each of eight patches.
type Lanes = [f64; LANES];

/// Patches of one pair of joints, a row of eight for each value. Padding in the last row has no weight.
#[derive(Default)]
struct Tile {
    /// The weights of the two joints.
    weights: [Vec<Lanes>; 2],
    /// `t_j t_k` times area, and times area and centroid.
    terms: [Vec<Lanes>; 4],
}

impl Tile {
    fn fill(&mut self, body: &Body, joints: [u32; 2], patches: &[(u32, u32)]) {
        let rows = self.weights.iter_mut().chain(&mut self.terms);
        rows.for_each(|row| {
            row.clear();
            row.resize(patches.len().div_ceil(LANES), [0.0; LANES]);
        });
        for (place, &(_, patch)) in patches.iter().enumerate() {
            let [t_j, t_k] = body.patch_weights(patch, joints);
            let (area, moment) = body.patch_area(patch);
            let (row, lane) = (place / LANES, place % LANES);
            self.weights[0][row][lane] = t_j;
            self.weights[1][row][lane] = t_k;
            for (terms, number) in self.terms.iter_mut().zip([area, moment.x, moment.y, moment.z]) {
                terms[row][lane] = number * (t_j * t_k);
            }
        }
    }
}

/// The sums of some groups over a tile.
struct Sum<'a> {
    tile: &'a Tile,
    members: &'a mut [Member],
}

impl<S> Task<S> for Sum<'_> {
    #[inline(always)]
    fn run(self, _simd: S) {
        let Tile { weights: [t_j, t_k], terms: [areas, x, y, z] } = self.tile;
        for Member { weights: [v_j, v_k], sums, .. } in self.members {
            let mut found = [[0.0; LANES]; 4];
            for (row, (t_j, t_k)) in t_j.iter().zip(t_k).enumerate() {
                let alike = likeness(*v_j, *v_k, t_j, t_k);
                for (found, terms) in found.iter_mut().zip([&areas[row], &x[row], &y[row], &z[row]]) {
                    for lane in 0..LANES {
                        found[lane] += alike[lane] * terms[lane];
                    }
                }
            }
            for (sum, found) in sums.iter_mut().zip(found) {
                *sum += found.iter().sum::<f64>();
            }
        }
    }
}

/// Returns `exp(−((v_j t_k − v_k t_j) / σ)²)`.
#[inline(always)]
fn likeness(v_j: f64, v_k: f64, t_j: &Lanes, t_k: &Lanes) -> Lanes {
    const BITS: f64 = -std::f64::consts::LOG2_E / (SIGMA * SIGMA);
    let mut out = [0.0; LANES];
    for lane in 0..LANES {
        let apart = v_j * t_k[lane] - v_k * t_j[lane];
        out[lane] = exp2(apart * apart * BITS);
    }
    out
}

/// Returns two to the power of `x`, which is not positive, to 13 digits; clamps `x` to at least −1000.
#[inline(always)]
fn exp2(x: f64) -> f64 {
    // Adding this to a number leaves its nearest integer in the last bits.
    const WHOLE: f64 = 6_755_399_441_055_744.0;
    // ln(2)ⁿ / n!
    const SERIES: [f64; 12] = series();
    let x = x.max(-1000.0);
    let shifted = x + WHOLE;
    let rest = x - (shifted - WHOLE);
    let mut power = SERIES[11];
    let mut n = 11;
    while n > 0 {
        n -= 1;
        power = power * rest + SERIES[n];
    }
    let exponent = shifted.to_bits() << 52;
    power * f64::from_bits(exponent.wrapping_add(1.0f64.to_bits()))
}

const fn series() -> [f64; 12] {
    let mut out = [1.0; 12];
    let mut n = 1;
    while n < out.len() {
        out[n] = out[n - 1] * std::f64::consts::LN_2 / n as f64;
        n += 1;
    }
    out
}
