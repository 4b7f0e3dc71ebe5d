//! Sorts a primitive's vertices, window by window, into runs that share their joints and packs them into blocks.

use super::layout::{Blocks, Kind, MAX_INFLUENCES, MIXED_NO_JOINT, NO_JOINT, Run, WINDOW, Window};
use super::{Error, Source};
use crate::twin::Vertices;
use crate::vectors::{ROW, Row, place_in_quads};
use std::collections::BTreeSet;
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
    keys: Vec<u64>,
    sorted: Vec<u16>,
    groups: Vec<Range<usize>>,
    left: Vec<u16>,
    in_order: Plan,
    grouped: Plan,
}

impl Planner {
    /// Plans a window. The flag is true if the order differs from the file's.
    fn plan(&mut self, source: &Source, numbers: Range<usize>) -> (&Plan, bool) {
        let start = numbers.start;
        let vertex = |number: u16| Vertex::of(source, start + usize::from(number));
        self.keys.clear();
        self.keys.extend(numbers.map(|number| Vertex::of(source, number).key()));
        let count = self.keys.len();
        let is_alike = |keys: &[u64], a: u16, b: u16| {
            keys[usize::from(a)] == keys[usize::from(b)] && vertex(a).is_like(&vertex(b))
        };

        // The file's runs; runs shorter than a block become part of mixed runs.
        self.sorted.clear();
        self.sorted.extend(0..count as u16);
        self.in_order.clear();
        for stretch in self.sorted.chunk_by(|&a, &b| is_alike(&self.keys, a, b)) {
            let first = vertex(stretch[0]);
            let is_uniform = stretch.len() >= WORTH_A_BLOCK || !first.mixes();
            let kind = if is_uniform { Kind::Uniform { derived: first.is_derived() } } else { Kind::Mixed };
            self.in_order.add(kind, first.count, stretch.iter().copied());
        }

        // Each group together, in order of first appearance; groups shorter than a block go to mixed runs at the end, by
        // number of influences.
        self.sorted.sort_unstable_by_key(|&number| (self.keys[usize::from(number)], number));
        self.groups.clear();
        let mut from = 0;
        for group in self.sorted.chunk_by(|&a, &b| is_alike(&self.keys, a, b)) {
            self.groups.push(from..from + group.len());
            from += group.len();
        }
        self.groups.sort_unstable_by_key(|group| self.sorted[group.start]);
        self.grouped.clear();
        self.left.clear();
        for group in &self.groups {
            let group = &self.sorted[group.clone()];
            let first = vertex(group[0]);
            let rest = group.len() % ROW;
            let is_left = rest < WORTH_A_BLOCK && first.mixes();
            let (own, left) = group.split_at(group.len() - if is_left { rest } else { 0 });
            self.left.extend(left);
            self.grouped.add(Kind::Uniform { derived: first.is_derived() }, first.count, own.iter().copied());
        }
        let influences = |number: u16| vertex(number).count;
        self.left.sort_by_cached_key(|&number| influences(number));
        for left in self.left.chunk_by(|&a, &b| influences(a) == influences(b)) {
            self.grouped.add(Kind::Mixed, influences(left[0]), left.iter().copied());
        }

        let copies = count.div_ceil(ROW) * COPY_COST;
        if self.in_order.cost() <= self.grouped.cost() + copies {
            (&self.in_order, false)
        } else {
            (&self.grouped, true)
        }
    }
}

/// The lengths of a layout's lists so far.
#[derive(Clone, Copy, Default)]
struct Ends {
    blocks: usize,
    joints: usize,
    mixed_joints: usize,
    weights: usize,
}

/// Lays out a primitive.
pub fn prepare(source: &Source) -> Result<Blocks, Error> {
    check_lengths(source)?;
    let vertices = source.positions.len();
    let too_many = |_| Error::TooMany { vertices };
    let mut out = Blocks { vertices, ..Blocks::default() };
    let (mut planner, mut ends) = (Planner::default(), Ends::default());
    // The indices of vertices within their windows, in the order of runs.
    let mut order: Vec<u16> = Vec::with_capacity(vertices);
    out.windows.reserve_exact(vertices.div_ceil(WINDOW));
    let mut sorted = 0;
    for number in 0..vertices.div_ceil(WINDOW) {
        let numbers = out.vertices_of(number);
        let (plan, is_sorted) = planner.plan(source, numbers);
        let places = if is_sorted { Some(u32::try_from(sorted).map_err(too_many)?) } else { None };
        sorted += if is_sorted { plan.order.len() } else { 0 };
        let first_run = u32::try_from(out.runs.len()).map_err(too_many)?;
        let first_block = u32::try_from(ends.blocks).map_err(too_many)?;
        out.windows.push(Window { first_run, first_block, places });
        order.extend(&plan.order);
        for part in &plan.parts {
            let is_mixed = part.kind == Kind::Mixed;
            let run = Run {
                kind: part.kind,
                influences: part.influences as u8,
                vertices: part.vertices as u16,
                first_block: u32::try_from(ends.blocks).map_err(too_many)?,
                joints: u32::try_from(if is_mixed { ends.mixed_joints } else { ends.joints })
                    .map_err(too_many)?,
                weights: u32::try_from(ends.weights).map_err(too_many)?,
            };
            ends.blocks += run.blocks();
            ends.weights += run.blocks() * run.weight_rows();
            if is_mixed {
                ends.mixed_joints += run.blocks() * part.influences;
            } else {
                ends.joints += part.influences;
            }
            out.runs.push(run);
        }
    }
    out.runs.shrink_to_fit();
    pack_influences(source, &order, ends, &mut out);
    set_places(&order, sorted, &mut out);
    drop(order);

    let mut stream = Vec::new();
    fill(&out, ends.blocks, source.positions, &mut stream);
    out.positions = stream;
    if let Some(normals) = source.normals {
        let mut stream = Vec::new();
        fill(&out, ends.blocks, normals, &mut stream);
        out.normals = stream;
    }
    if let (Some(tangents), Some(_)) = (source.tangents, source.normals) {
        let mut stream = Vec::new();
        fill(&out, ends.blocks, tangents, &mut stream);
        out.tangents = stream;
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

/// Packs the joints and weights of all runs; their vertices are in this order.
fn pack_influences(source: &Source, order: &[u16], ends: Ends, out: &mut Blocks) {
    let mut joints = Vec::with_capacity(ends.joints);
    let mut mixed_joints = Vec::with_capacity(ends.mixed_joints);
    let mut weights = Vec::with_capacity(ends.weights);
    let mut used = Used::default();
    for window in 0..out.windows.len() {
        let numbers = out.vertices_of(window);
        let mut order = &order[numbers.clone()];
        for run in out.runs_of(window) {
            let (members, rest) = order.split_at(usize::from(run.vertices));
            order = rest;
            let vertex = |&member: &u16| Vertex::of(source, numbers.start + usize::from(member));
            if run.kind != Kind::Mixed {
                joints.extend(vertex(&members[0]).joints());
            }
            for members in members.chunks(ROW) {
                let block: [Vertex; ROW] =
                    std::array::from_fn(|lane| vertex(&members[lane.min(members.len() - 1)]));
                let named = block.iter().flat_map(Vertex::joints).filter(|&&joint| joint != NO_JOINT);
                named.for_each(|&joint| used.add(joint));
                let influences = usize::from(run.influences);
                for influence in influences - run.weight_rows()..influences {
                    weights.push(Row(block.map(|vertex| vertex.weights[influence])));
                }
                if run.kind == Kind::Mixed {
                    for influence in 0..influences {
                        // A vertex with fewer influences repeats its last joint, whose slot is in the cache.
                        let joint = |vertex: Vertex| {
                            let joint = vertex.joints[influence.min(vertex.count - 1)];
                            u16::try_from(joint).unwrap_or(MIXED_NO_JOINT)
                        };
                        mixed_joints.push(block.map(joint));
                    }
                }
            }
        }
    }
    (out.joints, out.mixed_joints, out.weights) = (joints, mixed_joints, weights);
    out.used_joints = used.in_order();
    out.palette = out.used_joints.last().map_or(0, |&last| last as usize + 1);
}

/// The joints that vertices use.
#[derive(Default)]
struct Used {
    /// True for each used joint below [`Used::FIRST`].
    is_used: Vec<bool>,
    /// The other used joints, rare in real meshes.
    others: BTreeSet<u32>,
}

impl Used {
    /// The number of joints with a separate flag.
    const FIRST: u32 = 1 << 16;

    fn add(&mut self, joint: u32) {
        if joint >= Self::FIRST {
            self.others.insert(joint);
            return;
        }
        let place = joint as usize;
        if place >= self.is_used.len() {
            self.is_used.resize(place + 1, false);
        }
        self.is_used[place] = true;
    }

    fn in_order(self) -> Vec<u32> {
        let first = (0u32..).zip(self.is_used).filter_map(|(joint, is_used)| is_used.then_some(joint));
        first.chain(self.others).collect()
    }
}

/// Stores the places of the vertices of sorted windows.
fn set_places(order: &[u16], sorted: usize, out: &mut Blocks) {
    let mut places = vec![0; sorted];
    for (number, window) in out.windows.iter().enumerate() {
        let Some(start) = window.places else { continue };
        let numbers = out.vertices_of(number);
        let places = &mut places[start as usize..][..numbers.len()];
        let within = |run: &Run| {
            let block = (run.first_block - window.first_block) as usize;
            (0..usize::from(run.vertices))
                .map(move |vertex| (block + vertex / ROW) * ROW + place_in_quads(vertex % ROW))
        };
        let all = out.runs_of(number).iter().flat_map(within);
        for (&member, place) in order[numbers].iter().zip(all) {
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
    fill(blocks, blocks.len(), source, out);
    Ok(())
}

/// Makes `count` blocks from a stream of the source.
fn fill<const W: usize>(blocks: &Blocks, count: usize, source: &[[f32; W]], out: &mut Vec<[Row; W]>) {
    out.reserve_exact(count);
    out.resize(count, [Row([0.0; ROW]); W]);
    lay_out(blocks, source, out);
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
