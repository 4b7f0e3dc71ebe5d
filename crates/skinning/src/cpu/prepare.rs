//! Sorts a primitive's vertices into runs that share their joints and packs them into blocks.

use super::layout::{Blocks, Kind, MAX_INFLUENCES, MIXED_NO_JOINT, NO_JOINT, Run};
use super::simd::Permutation;
use super::vector::{ROW, Row};
use super::{Error, Source};
use crate::twin::Vertices;
use std::collections::HashMap;

/// Costs of a block whose vertices share their joints, and of one whose vertices do not: two to five times as
/// much, by mode and results (`docs/performance.md`, by order of joints).
const SHARED_COST: usize = 2;
const MIXED_COST: usize = 7;

/// The number of vertices from which a partly filled block of their own costs less than their part of a mixed
/// one.
const WORTH_A_BLOCK: usize = (ROW * SHARED_COST).div_ceil(MIXED_COST);

/// The joints and weights that count: slot 0, and of the others those with a weight. The rest would add zeros
/// to the modes' sums.
#[derive(Clone, Copy, PartialEq)]
struct Vertex {
    count: usize,
    joints: [u32; MAX_INFLUENCES],
    weights: [f32; MAX_INFLUENCES],
}

/// Vertices with the same joints in the same order whose first weights are all derived or all stored.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Group {
    derived: bool,
    joints: Vec<u32>,
}

/// Lays out a primitive.
pub fn prepare(source: &Source) -> Result<Blocks, Error> {
    check_lengths(source)?;
    let (groups, group_of) = groups(source);
    let in_file_order = file_order(&groups, &group_of);
    let sorted = sorted_order(&groups, &group_of);
    // Writing each vertex to its place in the file adds about half of a block's time.
    let keep_order = cost(&in_file_order) * 2 <= cost(&sorted) * 3;
    let plan = if keep_order { in_file_order } else { sorted };
    Ok(pack(source, &groups, &group_of, plan))
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

fn vertex(source: &Source, number: usize) -> Vertex {
    let mut out = Vertex { count: 0, joints: [NO_JOINT; MAX_INFLUENCES], weights: [0.0; MAX_INFLUENCES] };
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

/// Whether the first weight equals one minus the others, to the bit. That holds for all weights that the loader
/// prepares.
fn is_derived(vertex: &Vertex) -> bool {
    let rest = vertex.weights[1..vertex.count].iter().fold(1.0, |rest, weight| rest - weight);
    rest.to_bits() == vertex.weights[0].to_bits()
}

/// The groups in order of first appearance, and the group of each vertex.
fn groups(source: &Source) -> (Vec<Group>, Vec<u32>) {
    let mut groups: Vec<Group> = Vec::new();
    let mut numbers: HashMap<Group, u32> = HashMap::new();
    let mut group_of = Vec::with_capacity(source.positions.len());
    let mut last = 0;
    for number in 0..source.positions.len() {
        let vertex = vertex(source, number);
        let (joints, derived) = (&vertex.joints[..vertex.count], is_derived(&vertex));
        let is_last = |group: &Group| group.derived == derived && group.joints == joints;
        if !groups.get(last as usize).is_some_and(is_last) {
            let group = Group { derived, joints: joints.to_vec() };
            last = *numbers.entry(group.clone()).or_insert_with(|| {
                groups.push(group);
                groups.len() as u32 - 1
            });
        }
        group_of.push(last);
    }
    (groups, group_of)
}

/// Vertices to pack one after the other into blocks of one kind.
struct Planned {
    uniform: bool,
    vertices: Vec<u32>,
}

/// Whether vertices of this group can share a block with others.
fn mixes(group: &Group) -> bool {
    group.joints.iter().all(|&joint| joint == NO_JOINT || joint < u32::from(MIXED_NO_JOINT))
}

fn cost(plan: &[Planned]) -> usize {
    let each = |part: &Planned| if part.uniform { SHARED_COST } else { MIXED_COST };
    plan.iter().map(|part| part.vertices.len().div_ceil(ROW) * each(part)).sum()
}

/// Runs in the file's order; groups too short for a block go into mixed runs.
fn file_order(groups: &[Group], group_of: &[u32]) -> Vec<Planned> {
    let mut plan: Vec<Planned> = Vec::new();
    let mut start = 0;
    for stretch in group_of.chunk_by(|a, b| a == b) {
        let vertices = (start..start + stretch.len()).map(|number| number as u32);
        start += stretch.len();
        let uniform = stretch.len() >= WORTH_A_BLOCK || !mixes(&groups[stretch[0] as usize]);
        match plan.last_mut() {
            Some(last) if !uniform && !last.uniform => last.vertices.extend(vertices),
            _ => plan.push(Planned { uniform, vertices: vertices.collect() }),
        }
    }
    plan
}

/// Each group together, in order of first appearance; the remainders that fill no block go to mixed runs at the
/// end, by number of influences.
fn sorted_order(groups: &[Group], group_of: &[u32]) -> Vec<Planned> {
    let mut members = vec![Vec::new(); groups.len()];
    for (number, &group) in group_of.iter().enumerate() {
        members[group as usize].push(number as u32);
    }
    let mut plan = Vec::new();
    let mut left = vec![Vec::new(); MAX_INFLUENCES + 1];
    for (group, mut vertices) in groups.iter().zip(members) {
        let rest = vertices.len() % ROW;
        if rest < WORTH_A_BLOCK && mixes(group) {
            left[group.joints.len()].extend(vertices.split_off(vertices.len() - rest));
        }
        if !vertices.is_empty() {
            plan.push(Planned { uniform: true, vertices });
        }
    }
    left.retain(|vertices| !vertices.is_empty());
    plan.extend(left.into_iter().map(|vertices| Planned { uniform: false, vertices }));
    plan
}

fn pack(source: &Source, groups: &[Group], group_of: &[u32], plan: Vec<Planned>) -> Blocks {
    let mut out = Blocks { vertices: source.positions.len(), ..Blocks::default() };
    let weighted = groups.iter().flat_map(|group| &group.joints).filter(|&&joint| joint != NO_JOINT);
    out.palette = weighted.max().map_or(0, |&joint| joint as usize + 1);
    let mut first_vertex = 0;
    for part in &plan {
        let numbers = |vertex: &u32| groups[group_of[*vertex as usize] as usize].joints.len();
        let influences = part.vertices.iter().map(numbers).max().unwrap_or(1);
        let group = &groups[group_of[part.vertices[0] as usize] as usize];
        let (kind, joints) = if part.uniform {
            let from = out.joints.len();
            out.joints.extend(&group.joints);
            (Kind::Uniform { derived: group.derived }, from)
        } else {
            (Kind::Mixed, out.mixed_joints.len())
        };
        let run = Run {
            kind,
            influences: influences as u8,
            vertices: part.vertices.len() as u32,
            first_vertex,
            first_block: out.positions.len() as u32,
            joints: joints as u32,
            weights: out.weights.len() as u32,
        };
        for block in part.vertices.chunks(ROW) {
            pack_block(source, &run, block, &mut out);
        }
        out.runs.push(run);
        first_vertex += run.vertices;
    }
    let order: Vec<u32> = plan.into_iter().flat_map(|part| part.vertices).collect();
    out.order = if order.is_sorted() { None } else { Permutation::new(order) };
    out
}

fn pack_block(source: &Source, run: &Run, block: &[u32], out: &mut Blocks) {
    let number = |lane: usize| block[lane.min(block.len() - 1)] as usize;
    out.positions.push(rows(|lane| source.positions[number(lane)]));
    if let Some(normals) = source.normals {
        out.normals.push(rows(|lane| normals[number(lane)]));
    }
    if let (Some(tangents), Some(_)) = (source.tangents, source.normals) {
        out.tangents.push(rows(|lane| tangents[number(lane)]));
    }
    let vertices: [Vertex; ROW] = std::array::from_fn(|lane| vertex(source, number(lane)));
    let influences = usize::from(run.influences);
    for influence in influences - run.weight_rows()..influences {
        out.weights.push(Row(vertices.map(|vertex| vertex.weights[influence])));
    }
    if run.kind == Kind::Mixed {
        for influence in 0..influences {
            // A vertex with fewer influences repeats its last joint, whose slot is in the cache.
            let joint = |vertex: Vertex| {
                let joint = vertex.joints[influence.min(vertex.count - 1)];
                u16::try_from(joint).unwrap_or(MIXED_NO_JOINT)
            };
            out.mixed_joints.push(vertices.map(joint));
        }
    }
}

/// Packs other vertices with the same influences over the blocks' own.
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

/// Lays out what the modes *blend* and *cor* read of each vertex, in reused memory; `None` empties it.
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

/// Writes a stream of the source over the blocks' own.
fn lay_out<const W: usize>(blocks: &Blocks, source: &[[f32; W]], out: &mut [[Row; W]]) {
    for run in &blocks.runs {
        for number in 0..run.blocks() {
            let vertex = |lane: usize| source[blocks.source_of(run, number, lane)];
            out[run.first_block as usize + number] = rows(vertex);
        }
    }
}

/// Turns sixteen vertices into a row for each component.
fn rows<const W: usize>(vertex: impl Fn(usize) -> [f32; W]) -> [Row; W] {
    let mut rows = [Row([0.0; ROW]); W];
    for lane in 0..ROW {
        for (row, component) in rows.iter_mut().zip(vertex(lane)) {
            row.0[lane] = component;
        }
    }
    rows
}
