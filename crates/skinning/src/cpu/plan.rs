//! Sorts the vertices of a window into runs that share their joints, and packs their joints and weights.

use super::Source;
use super::cluster::{Cluster, Clusters};
use super::cost::{COPY_COST, RUN_COST, is_worth_a_block, mixed_cost, shared_cost};
use super::layout::{Kind, MAX_INFLUENCES, MIXED_JOINTS, MIXED_NO_JOINT, NO_JOINT};
use crate::vectors::{ROW, Row};
use std::ops::Range;

/// The joints and weights that count: slot 0, and the others with a weight. The rest would add zeros to the modes' sums.
#[derive(Clone, Copy)]
struct Vertex {
    count: usize,
    joints: [u32; MAX_INFLUENCES],
    weights: [f32; MAX_INFLUENCES],
}

impl Vertex {
    fn of(source: &Source, number: usize) -> Self {
        let mut out = Self { count: 0, joints: [NO_JOINT; MAX_INFLUENCES], weights: [0.0; MAX_INFLUENCES] };
        if source.joints.is_empty() {
            (out.count, out.joints[0], out.weights[0]) = (1, 0, 1.0);
        }
        for (span, (joints, weights)) in source.joints.iter().zip(source.weights).enumerate() {
            for (slot, (&joint, &weight)) in joints[number].iter().zip(&weights[number]).enumerate() {
                if (span, slot) != (0, 0) && weight == 0.0 {
                    continue;
                }
                out.joints[out.count] = u32::try_from(joint).unwrap_or(NO_JOINT);
                out.weights[out.count] = weight;
                out.count += 1;
            }
        }
        out
    }

    fn joints(&self) -> &[u32] {
        &self.joints[..self.count]
    }

    /// Returns true if the first weight equals one minus the others, to the bit. That holds for all weights that the loader
    /// prepares.
    fn is_derived(&self) -> bool {
        let rest = self.weights[1..self.count].iter().fold(1.0, |rest, weight| rest - weight);
        rest.to_bits() == self.weights[0].to_bits()
    }

    /// Returns the weight of a joint: the sum of its influences.
    fn weight_of(&self, joint: u32) -> f32 {
        let influences = self.joints().iter().zip(&self.weights);
        influences.filter(|(own, _)| **own == joint).map(|(_, weight)| weight).sum()
    }

    /// Returns true if it can share a block with vertices of other joints.
    fn mixes(&self) -> bool {
        self.joints().iter().all(|&joint| joint == NO_JOINT || joint < MIXED_JOINTS)
    }

    /// Returns true if both can be in a run of shared joints.
    fn is_like(&self, other: &Self) -> bool {
        self.joints() == other.joints() && self.is_derived() == other.is_derived()
    }

    /// Returns a hash that is equal for similar vertices, and hardly ever for others.
    fn key(&self) -> u64 {
        let mix = |key: u64, number: u64| (key.rotate_left(23) ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let joints = self.joints().iter().fold(self.count as u64, |key, &joint| mix(key, u64::from(joint)));
        mix(joints, u64::from(self.is_derived()))
    }
}

/// Vertices to pack one after the other into blocks of one kind.
#[derive(Clone, Copy)]
pub struct Part {
    pub kind: Kind,
    pub influences: usize,
    pub vertices: usize,
    /// All joints of a mixed part, if they are few.
    pub common: Cluster,
}

impl Part {
    fn cost(&self) -> usize {
        let block = match (self.kind, self.common.joints().len()) {
            (Kind::Uniform { .. }, _) => shared_cost(self.influences),
            (Kind::Mixed, 0) => mixed_cost(self.influences),
            (Kind::Mixed, joints) => shared_cost(joints),
        };
        self.vertices.div_ceil(ROW) * block + RUN_COST
    }
}

/// The layout of a window: its parts, and its vertices in their order, by their indices in it.
#[derive(Default)]
struct Plan {
    parts: Vec<Part>,
    order: Vec<u16>,
}

impl Plan {
    fn clear(&mut self) {
        self.parts.clear();
        self.order.clear();
    }

    fn cost(&self) -> usize {
        self.parts.iter().map(Part::cost).sum()
    }

    /// Adds vertices as a new part.
    fn add(&mut self, kind: Kind, influences: usize, vertices: &[u16], common: Cluster) {
        self.order.extend(vertices);
        if !vertices.is_empty() {
            self.parts.push(Part { kind, influences, vertices: vertices.len(), common });
        }
    }

    /// Adds vertices with separate joints to the mixed part before, or as a new part.
    fn add_mixed(&mut self, influences: usize, vertices: &[u16]) {
        match self.parts.last_mut() {
            Some(last) if last.kind == Kind::Mixed && last.common.joints().is_empty() => {
                self.order.extend(vertices);
                last.vertices += vertices.len();
                last.influences = last.influences.max(influences);
            }
            _ => self.add(Kind::Mixed, influences, vertices, Cluster::default()),
        }
    }
}

/// Memory for planning, used again for each window.
#[derive(Default)]
pub struct Planner {
    vertices: Vec<Vertex>,
    keys: Vec<u64>,
    sorted: Vec<u16>,
    groups: Vec<Range<usize>>,
    left: Vec<Range<usize>>,
    members: Vec<u16>,
    clusters: Clusters,
    in_order: Plan,
    grouped: Plan,
}

impl Planner {
    fn vertex(&self, number: u16) -> &Vertex {
        &self.vertices[usize::from(number)]
    }

    fn is_alike(&self, a: u16, b: u16) -> bool {
        self.keys[usize::from(a)] == self.keys[usize::from(b)] && self.vertex(a).is_like(self.vertex(b))
    }

    /// Plans and packs a window.
    pub fn pack(&mut self, source: &Source, numbers: Range<usize>) -> Packed {
        self.vertices.clear();
        self.vertices.extend(numbers.map(|number| Vertex::of(source, number)));
        self.keys.clear();
        self.keys.extend(self.vertices.iter().map(Vertex::key));
        self.sorted.clear();
        self.sorted.extend(0..self.vertices.len() as u16);

        let mut in_order = std::mem::take(&mut self.in_order);
        let mut grouped = std::mem::take(&mut self.grouped);
        self.plan_in_order(&mut in_order);
        let blocks = self.vertices.len().div_ceil(ROW);
        // No grouping costs less than one run of full blocks, and most files need none.
        let copies = blocks * COPY_COST;
        let is_sorted = in_order.cost() > blocks * shared_cost(1) + RUN_COST + copies && {
            self.plan_grouped(&mut grouped);
            in_order.cost() > grouped.cost() + copies
        };
        let packed = self.packed(if is_sorted { &grouped } else { &in_order }, is_sorted);
        (self.in_order, self.grouped) = (in_order, grouped);
        packed
    }

    /// Plans the file's runs; runs shorter than a block become part of mixed runs.
    fn plan_in_order(&self, plan: &mut Plan) {
        plan.clear();
        for stretch in self.sorted.chunk_by(|&a, &b| self.is_alike(a, b)) {
            let first = self.vertex(stretch[0]);
            if is_worth_a_block(stretch.len(), first.count) || !first.mixes() {
                let kind = Kind::Uniform { derived: first.is_derived() };
                plan.add(kind, first.count, stretch, Cluster::default());
            } else {
                plan.add_mixed(first.count, stretch);
            }
        }
    }

    /// Plans each group together, in order of first appearance; what is left of groups comes at the end, in clusters of few
    /// joints and then by number of influences.
    fn plan_grouped(&mut self, plan: &mut Plan) {
        let keys = &self.keys;
        self.sorted.sort_unstable_by_key(|&number| (keys[usize::from(number)], number));
        let mut groups = std::mem::take(&mut self.groups);
        groups.clear();
        let mut from = 0;
        for group in self.sorted.chunk_by(|&a, &b| self.is_alike(a, b)) {
            groups.push(from..from + group.len());
            from += group.len();
        }
        groups.sort_unstable_by_key(|group| self.sorted[group.start]);
        plan.clear();
        self.left.clear();
        for group in &groups {
            let first = &self.vertices[usize::from(self.sorted[group.start])];
            let rest = group.len() % ROW;
            let is_left = first.mixes() && !is_worth_a_block(rest, first.count);
            let end = group.end - if is_left { rest } else { 0 };
            self.left.extend((end < group.end).then_some(end..group.end));
            let kind = Kind::Uniform { derived: first.is_derived() };
            plan.add(kind, first.count, &self.sorted[group.start..end], Cluster::default());
        }
        self.groups = groups;
        self.plan_left(plan);
    }

    /// Plans what is left of the groups.
    fn plan_left(&mut self, plan: &mut Plan) {
        let (left, members) = (std::mem::take(&mut self.left), &mut self.members);
        let joints = |group: &Range<usize>| self.vertices[usize::from(self.sorted[group.start])].joints();
        self.clusters.find(left.iter().map(|group| (joints(group), group.len())));
        for (number, cluster) in self.clusters.all().iter().enumerate() {
            members.clear();
            let of_it = left.iter().zip(self.clusters.of_groups()).filter(|(_, of)| **of == Some(number));
            let influences = of_it.clone().map(|(group, _)| joints(group).len()).max().unwrap_or(0);
            of_it.for_each(|(group, _)| members.extend(&self.sorted[group.clone()]));
            plan.add(Kind::Mixed, influences, members, *cluster);
        }
        members.clear();
        let alone = left.iter().zip(self.clusters.of_groups()).filter(|(_, of)| of.is_none());
        alone.for_each(|(group, _)| members.extend(&self.sorted[group.clone()]));
        let influences = |number: &u16| self.vertices[usize::from(*number)].count;
        members.sort_by_key(influences);
        for alike in members.chunk_by(|a, b| influences(a) == influences(b)) {
            // A full block of fewer influences takes less time.
            let (full, rest) = alike.split_at(alike.len() / ROW * ROW);
            plan.add(Kind::Mixed, influences(&alike[0]), full, Cluster::default());
            plan.add_mixed(influences(&alike[0]), rest);
        }
        self.left = left;
    }

    /// Packs the joints and weights of a plan's vertices.
    fn packed(&self, plan: &Plan, is_sorted: bool) -> Packed {
        let mut out =
            Packed { parts: plan.parts.clone(), order: plan.order.clone(), is_sorted, ..Packed::default() };
        let mut order = plan.order.as_slice();
        for part in &plan.parts {
            let (members, rest) = order.split_at(part.vertices);
            order = rest;
            if part.kind != Kind::Mixed {
                out.joints.extend(self.vertex(members[0]).joints());
            }
            let block = |members: &[u16]| -> [&Vertex; ROW] {
                std::array::from_fn(|lane| self.vertex(members[lane.min(members.len() - 1)]))
            };
            for block in members.chunks(ROW).map(block) {
                let first = usize::from(part.kind == Kind::Uniform { derived: true });
                for influence in first..part.influences {
                    out.weights.push(Row(block.map(|vertex| vertex.weights[influence])));
                }
                if part.kind == Kind::Mixed {
                    for influence in 0..part.influences {
                        // A vertex with fewer influences repeats its last joint, whose slot is in the cache.
                        let joint = |vertex: &Vertex| {
                            let joint = vertex.joints[influence.min(vertex.count - 1)];
                            if joint == NO_JOINT { MIXED_NO_JOINT } else { joint * ROW as u32 }
                        };
                        out.mixed_joints.push(block.map(joint));
                    }
                }
            }
            let common = part.common.joints();
            out.joints.extend(common);
            for block in members.chunks(ROW).map(block).filter(|_| !common.is_empty()) {
                out.weights
                    .extend(common.iter().map(|&joint| Row(block.map(|vertex| vertex.weight_of(joint)))));
            }
        }
        out
    }
}

/// A window with its joints and weights, as they lie in [`Blocks`].
#[derive(Default)]
pub struct Packed {
    pub parts: Vec<Part>,
    /// Its vertices in the order of its runs.
    pub order: Vec<u16>,
    /// True if that is not the file's order.
    pub is_sorted: bool,
    pub joints: Vec<u32>,
    pub mixed_joints: Vec<[u32; ROW]>,
    pub weights: Vec<Row>,
}
