//! Lays out a primitive's vertices in blocks, window by window, and replaces them by others.

use super::layout::{Blocks, Common, Kind, MAX_INFLUENCES, MIXED_JOINTS, NO_JOINT, Run, WINDOW, Window};
use super::plan::{Packed, Planner};
use super::terms::{OfWindow, Terms};
use super::{Error, Source};
use crate::twin::Vertices;
use crate::vectors::{ROW, Row};
use rayon::prelude::*;
use sinew_model::DdmRows;
use std::collections::BTreeSet;
use std::sync::Arc;

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
            let common = part.common.joints().len();
            let mut run = Run {
                kind: part.kind,
                influences: part.influences as u8,
                vertices: part.vertices as u16,
                first_block: u32::try_from(blocks).map_err(too_many)?,
                joints: u32::try_from(if is_mixed { mixed_joints } else { joints }).map_err(too_many)?,
                weights: u32::try_from(weights).map_err(too_many)?,
                common: Common {
                    count: common as u8,
                    joints: u32::try_from(joints).map_err(too_many)?,
                    weights: 0,
                },
            };
            blocks += run.blocks();
            weights += run.blocks() * run.weight_rows();
            run.common.weights = u32::try_from(weights).map_err(too_many)?;
            weights += run.blocks() * common;
            if is_mixed {
                mixed_joints += run.blocks() * part.influences;
            }
            joints += if is_mixed { common } else { part.influences };
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
    let mut is_used = vec![false; MIXED_JOINTS as usize];
    for &joint in out.mixed_joints.as_flattened() {
        if let Some(is_used) = is_used.get_mut(joint as usize / ROW) {
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
            let first = (run.first_block - window.first_block) as usize * ROW;
            first..first + usize::from(run.vertices)
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

/// Lays out the terms of a mesh's primitive for *ddm*, on the threads of the current rayon pool.
pub fn terms(blocks: &Blocks, rows: &Arc<DdmRows>, primitive: usize) -> Result<Terms, Error> {
    let points = rows.points.get(primitive).map_or(&[][..], Vec::as_slice);
    // Bits in place of numbers: nothing computes with them.
    let points: Vec<[f32; 1]> = points.iter().map(|point| [f32::from_bits(*point)]).collect();
    let mut vertices = Vec::new();
    set(blocks, "points", Some(&points), &mut vertices)?;
    let vertices: Vec<[u32; ROW]> = vertices.iter().map(|[row]| row.0.map(f32::to_bits)).collect();
    let of_window = |number: usize| {
        let first = blocks.windows.get(number).map_or(0, |window| window.first_block as usize);
        let its = vertices.get(first..first + blocks.blocks_in(number)).unwrap_or(&[]);
        OfWindow::new(rows, first, its)
    };
    let windows = (0..blocks.windows.len()).into_par_iter().map(of_window).collect();
    let joints = rows.terms.iter().filter_map(|term| u32::try_from(term.joint).ok());
    let used: BTreeSet<u32> = joints.chain(blocks.used_joints.iter().copied()).collect();
    let palette = used.last().map_or(0, |&last| last as usize + 1);
    Ok(Terms { rows: rows.clone(), windows, used_joints: used.into_iter().collect(), palette })
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
