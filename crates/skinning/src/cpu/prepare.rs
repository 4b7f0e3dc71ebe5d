//! Sorts a primitive's vertices, window by window, into runs that share their joints and packs them into blocks.

use super::layout::{Blocks, Kind, MAX_INFLUENCES, MIXED_NO_JOINT, NO_JOINT, Run, WINDOW, Window};
use super::{Error, Source};
use crate::twin::Vertices;
use crate::vectors::{ROW, Row, place_in_quads};
use rayon::prelude::*;
use std::ops::Range;

/// Relative costs, in quarters of a block of vertices that share their joints (`benches/RESULTS.md`, by order of joints):
/// such a block, a block of other vertices, starting a run, and copying sixteen vertices into the file's order.
const SHARED_COST: usize = 4;
const MIXED_COST: usize = 8;
const RUN_COST: usize = 1;
const COPY_COST: usize = 2;

/// The number of vertices from which a separate, partly filled block costs less than their part of a mixed one.
const WORTH_A_BLOCK: usize = (ROW * (SHARED_COST + RUN_COST)).div_ceil(MIXED_COST);

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

    /// Returns true if it can share a block with vertices of other joints.
    fn mixes(&self) -> bool {
        self.joints().iter().all(|&joint| joint == NO_JOINT || joint < u32::from(MIXED_NO_JOINT))
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
struct Part {
    kind: Kind,
    influences: usize,
    vertices: usize,
}

impl Part {
    fn cost(&self) -> usize {
        let block = if self.kind == Kind::Mixed { MIXED_COST } else { SHARED_COST };
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

    /// Adds vertices to a new part or, if they may share blocks, to the mixed part before.
    fn add(&mut self, kind: Kind, influences: usize, vertices: impl ExactSizeIterator<Item = u16>) {
        let count = vertices.len();
        self.order.extend(vertices);
        match self.parts.last_mut() {
            Some(last) if kind == Kind::Mixed && last.kind == Kind::Mixed => {
                last.vertices += count;
                last.influences = last.influences.max(influences);
            }
            _ if count > 0 => self.parts.push(Part { kind, influences, vertices: count }),
            _ => {}
        }
    }
}

/// Memory for planning, used again for each window.
#[derive(Default)]
struct Planner {
    vertices: Vec<Vertex>,
    keys: Vec<u64>,
    sorted: Vec<u16>,
    groups: Vec<Range<usize>>,
    left: Vec<u16>,
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
    fn pack(&mut self, source: &Source, numbers: Range<usize>) -> Packed {
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
        let is_sorted = in_order.cost() > blocks * SHARED_COST + RUN_COST + copies && {
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
            let is_uniform = stretch.len() >= WORTH_A_BLOCK || !first.mixes();
            let kind = if is_uniform { Kind::Uniform { derived: first.is_derived() } } else { Kind::Mixed };
            plan.add(kind, first.count, stretch.iter().copied());
        }
    }

    /// Plans each group together, in order of first appearance; groups shorter than a block go to mixed runs at the end, by
    /// number of influences.
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
            let group = &self.sorted[group.clone()];
            let first = &self.vertices[usize::from(group[0])];
            let rest = group.len() % ROW;
            let is_left = rest < WORTH_A_BLOCK && first.mixes();
            let (own, left) = group.split_at(group.len() - if is_left { rest } else { 0 });
            self.left.extend(left);
            plan.add(Kind::Uniform { derived: first.is_derived() }, first.count, own.iter().copied());
        }
        let influences = |number: u16| self.vertices[usize::from(number)].count;
        self.left.sort_by_key(|&number| influences(number));
        for left in self.left.chunk_by(|&a, &b| influences(a) == influences(b)) {
            plan.add(Kind::Mixed, influences(left[0]), left.iter().copied());
        }
        self.groups = groups;
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
            for members in members.chunks(ROW) {
                let block: [&Vertex; ROW] =
                    std::array::from_fn(|lane| self.vertex(members[lane.min(members.len() - 1)]));
                let first = usize::from(part.kind == Kind::Uniform { derived: true });
                for influence in first..part.influences {
                    out.weights.push(Row(block.map(|vertex| vertex.weights[influence])));
                }
                if part.kind == Kind::Mixed {
                    for influence in 0..part.influences {
                        // A vertex with fewer influences repeats its last joint, whose slot is in the cache.
                        let joint = |vertex: &Vertex| {
                            let joint = vertex.joints[influence.min(vertex.count - 1)];
                            u16::try_from(joint).unwrap_or(MIXED_NO_JOINT)
                        };
                        out.mixed_joints.push(block.map(joint));
                    }
                }
            }
        }
        out
    }
}

/// A window with its joints and weights, as they lie in [`Blocks`].
#[derive(Default)]
struct Packed {
    parts: Vec<Part>,
    /// Its vertices in the order of its runs.
    order: Vec<u16>,
    /// True if that is not the file's order.
    is_sorted: bool,
    joints: Vec<u32>,
    mixed_joints: Vec<[u16; ROW]>,
    weights: Vec<Row>,
}

/// Lays out a primitive, on the threads of the current rayon pool.
pub fn prepare(source: &Source) -> Result<Blocks, Error> {
    check_lengths(source)?;
    let vertices = source.positions.len();
    let too_many = |_| Error::TooMany { vertices };
    let mut out = Blocks { vertices, ..Blocks::default() };
    let windows = (0..vertices.div_ceil(WINDOW)).into_par_iter();
    let packed: Vec<Packed> = windows
        .map_init(Planner::default, |planner, number| planner.pack(source, out.vertices_of(number)))
        .collect();
    let total = |len: fn(&Packed) -> usize| packed.iter().map(len).sum();
    out.windows.reserve_exact(packed.len());
    out.runs.reserve_exact(total(|window| window.parts.len()));
    out.joints.reserve_exact(total(|window| window.joints.len()));
    out.mixed_joints.reserve_exact(total(|window| window.mixed_joints.len()));
    out.weights.reserve_exact(total(|window| window.weights.len()));
    let (mut blocks, mut sorted) = (0, 0);
    for window in &packed {
        let places = if window.is_sorted { Some(u32::try_from(sorted).map_err(too_many)?) } else { None };
        sorted += if window.is_sorted { window.order.len() } else { 0 };
        let first_run = u32::try_from(out.runs.len()).map_err(too_many)?;
        let first_block = u32::try_from(blocks).map_err(too_many)?;
        out.windows.push(Window { first_run, first_block, places });
        let (mut joints, mut mixed_joints) = (out.joints.len(), out.mixed_joints.len());
        let mut weights = out.weights.len();
        for part in &window.parts {
            let is_mixed = part.kind == Kind::Mixed;
            let run = Run {
                kind: part.kind,
                influences: part.influences as u8,
                vertices: part.vertices as u16,
                first_block: u32::try_from(blocks).map_err(too_many)?,
                joints: u32::try_from(if is_mixed { mixed_joints } else { joints }).map_err(too_many)?,
                weights: u32::try_from(weights).map_err(too_many)?,
            };
            blocks += run.blocks();
            weights += run.blocks() * run.weight_rows();
            if is_mixed {
                mixed_joints += run.blocks() * part.influences;
            } else {
                joints += part.influences;
            }
            out.runs.push(run);
        }
        out.joints.extend(&window.joints);
        out.mixed_joints.extend(&window.mixed_joints);
        out.weights.extend(&window.weights);
    }
    set_used_joints(&mut out);
    set_places(&packed, sorted, &mut out);
    drop(packed);

    out.positions = filled(&out, blocks, source.positions);
    if let Some(normals) = source.normals {
        out.normals = filled(&out, blocks, normals);
    }
    if let (Some(tangents), Some(_)) = (source.tangents, source.normals) {
        out.tangents = filled(&out, blocks, tangents);
    }
    Ok(out)
}

fn check_lengths(source: &Source) -> Result<(), Error> {
    let expected = source.positions.len();
    if u32::try_from(expected + 2 * ROW).is_err() {
        return Err(Error::TooMany { vertices: expected });
    }
    let spans = source.joints.len();
    if spans * 4 > MAX_INFLUENCES || spans != source.weights.len() {
        return Err(Error::Spans { joints: spans, weights: source.weights.len() });
    }
    let check = |span, given: Option<usize>| match given {
        Some(given) if given != expected => Err(Error::Length { span, given, expected }),
        _ => Ok(()),
    };
    check("normals", source.normals.map(<[_]>::len))?;
    check("tangents", source.tangents.map(<[_]>::len))?;
    source.joints.iter().try_for_each(|span| check("joints", Some(span.len())))?;
    source.weights.iter().try_for_each(|span| check("weights", Some(span.len())))
}

/// Finds the joints that vertices use.
fn set_used_joints(out: &mut Blocks) {
    // Rows of mixed runs have joints below a `u16`'s limit.
    let mut is_used = vec![false; usize::from(MIXED_NO_JOINT)];
    for &joint in out.mixed_joints.as_flattened() {
        if let Some(is_used) = is_used.get_mut(usize::from(joint)) {
            *is_used = true;
        }
    }
    let mixed = (0u32..).zip(is_used).filter_map(|(joint, is_used)| is_used.then_some(joint));
    out.used_joints = mixed.chain(out.joints.iter().copied().filter(|&joint| joint != NO_JOINT)).collect();
    out.used_joints.sort_unstable();
    out.used_joints.dedup();
    out.palette = out.used_joints.last().map_or(0, |&last| last as usize + 1);
}

/// Stores the places of the vertices of sorted windows.
fn set_places(packed: &[Packed], sorted: usize, out: &mut Blocks) {
    let mut places = vec![0; sorted];
    for (number, (window, packed)) in out.windows.iter().zip(packed).enumerate() {
        let Some(start) = window.places else { continue };
        let places = &mut places[start as usize..][..packed.order.len()];
        let within = |run: &Run| {
            let block = (run.first_block - window.first_block) as usize;
            (0..usize::from(run.vertices))
                .map(move |vertex| (block + vertex / ROW) * ROW + place_in_quads(vertex % ROW))
        };
        let all = out.runs_of(number).iter().flat_map(within);
        for (&member, place) in packed.order.iter().zip(all) {
            places[usize::from(member)] = place as u16;
        }
    }
    out.places = places;
}

/// Replaces the blocks' vertices by others with the same influences.
pub fn reshape(blocks: &mut Blocks, source: &Vertices) -> Result<(), Error> {
    let expected = blocks.vertices;
    let check = |span, given: Option<usize>, blocks: usize| match given {
        Some(given) if given != expected => Err(Error::Length { span, given, expected }),
        Some(_) if blocks == 0 && expected > 0 => Err(Error::Missing { span }),
        None if blocks > 0 => Err(Error::Length { span, given: 0, expected }),
        _ => Ok(()),
    };
    let tangents = source.normals.and(source.tangents);
    check("positions", Some(source.positions.len()), blocks.positions.len())?;
    check("normals", source.normals.map(<[_]>::len), blocks.normals.len())?;
    check("tangents", tangents.map(<[_]>::len), blocks.tangents.len())?;

    let mut stream = std::mem::take(&mut blocks.positions);
    lay_out(blocks, source.positions, &mut stream);
    blocks.positions = stream;
    if let Some(normals) = source.normals {
        let mut stream = std::mem::take(&mut blocks.normals);
        lay_out(blocks, normals, &mut stream);
        blocks.normals = stream;
    }
    if let Some(tangents) = tangents {
        let mut stream = std::mem::take(&mut blocks.tangents);
        lay_out(blocks, tangents, &mut stream);
        blocks.tangents = stream;
    }
    Ok(())
}

/// Lays out the per-vertex input of *blend* and *cor*, in reused memory; `None` empties it.
pub fn set<const W: usize>(
    blocks: &Blocks,
    span: &'static str,
    source: Option<&[[f32; W]]>,
    out: &mut Vec<[Row; W]>,
) -> Result<(), Error> {
    out.clear();
    let Some(source) = source else { return Ok(()) };
    let expected = blocks.vertices;
    if source.len() != expected {
        return Err(Error::Length { span, given: source.len(), expected });
    }
    out.resize(blocks.len(), [Row([0.0; ROW]); W]);
    lay_out(blocks, source, out);
    Ok(())
}

/// Makes `count` blocks from a stream of the source.
fn filled<const W: usize>(blocks: &Blocks, count: usize, source: &[[f32; W]]) -> Vec<[Row; W]> {
    let mut out = vec![[Row([0.0; ROW]); W]; count];
    lay_out(blocks, source, &mut out);
    out
}

/// Overwrites the blocks' stream with one of the source.
fn lay_out<const W: usize>(blocks: &Blocks, source: &[[f32; W]], out: &mut [[Row; W]]) {
    for window in 0..blocks.windows.len() {
        blocks.each_vertex(window, |number, block, lane| {
            for (row, component) in out[block].iter_mut().zip(source[number]) {
                row.0[lane] = component;
            }
        });
    }
    for run in &blocks.runs {
        let last = usize::from(run.vertices) - 1;
        for row in &mut out[run.first_block as usize + last / ROW] {
            let value = row.0[last % ROW];
            row.0[last % ROW..].fill(value);
        }
    }
}
