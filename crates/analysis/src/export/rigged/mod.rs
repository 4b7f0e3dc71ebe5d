//! Rewrites a rigged model for programs with fewer influences per vertex or fewer joints per skin, and reports the new place
//! of each vertex. This module must not depend on files or command lines, nor the effect on positions.

mod nodes;
mod split;

use sinew_model::{Clip, Limited, Limits, Model, Property};
use sinew_skinning::Drawn;
use std::collections::HashMap;

use sinew_skinning::pairing::{Pair, Pairing, Spot};

pub use split::{Split, TooFew};

/// The limits of a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wanted {
    /// The influences of a vertex.
    pub influences: Limits,
    /// The maximum number of joints per skin; `None` for any number.
    pub max_joints: Option<usize>,
}

/// The changes to a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// The changes to influences.
    pub limited: Limited,
    /// The changes to primitives and skins.
    pub split: Split,
    /// The number of channels of single morph weights (KHR_animation_pointer), which are left out.
    pub channels: usize,
}

/// The rewritten model.
#[derive(Clone, Debug)]
pub struct Rigged {
    /// The model, for `write_glb`.
    pub model: Model,
    /// The changes to the original.
    pub changes: Changes,
    /// The original's index of each of its clips.
    pub clips: Vec<usize>,
    pieces: Vec<Piece>,
}

/// The new place of an original primitive's vertices.
#[derive(Clone, Debug)]
struct Piece {
    /// The primitive's index among all that the original draws.
    old: usize,
    /// The node that draws it.
    node: usize,
    /// Its index in the mesh.
    primitive: usize,
    /// The original's vertex for each of its vertices; `None` if they are the same.
    vertices: Option<Vec<u32>>,
}

/// Rewrites a model.
///
/// # Errors
/// If a triangle alone needs more joints than a skin may have.
pub fn rigged(original: &Model, wanted: &Wanted) -> Result<Rigged, TooFew> {
    let mut model = Model {
        scenes: Vec::new(),
        scene: None,
        warnings: Vec::new(),
        faults: Vec::new(),
        ..original.clone()
    };
    let mut changes = Changes::default();
    let clips = keep_clips(&mut model, &mut changes.channels);
    nodes::own_all(&mut model);
    for primitive in model.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        if let Some(influences) = &mut primitive.influences {
            changes.limited.merge(&influences.limit(&wanted.influences));
        }
    }
    let pieces = split::split(&mut model, wanted.max_joints, &mut changes.split)?;
    Ok(Rigged { model, changes, clips, pieces })
}

/// Removes channels that the writer cannot store, and clips that consist of nothing else. Returns the indices of the others.
fn keep_clips(model: &mut Model, left_out: &mut usize) -> Vec<usize> {
    let mut numbers = Vec::new();
    for (number, clip) in std::mem::take(&mut model.clips).into_iter().enumerate() {
        let stored = clip.channels.len();
        let is_kept = |property| !matches!(property, Property::Weight(_));
        let channels: Vec<_> =
            clip.channels.into_iter().filter(|channel| is_kept(channel.property)).collect();
        *left_out = left_out.saturating_add(stored - channels.len());
        if !channels.is_empty() {
            numbers.push(number);
            model.clips.push(Clip { channels, ..clip });
        }
    }
    numbers
}

impl Rigged {
    /// Returns the place of the original's drawn vertices in the model as read back from the file.
    pub fn pairing(&self, original: &Model, read: &Model) -> Pairing {
        let mut numbers = HashMap::new();
        let instances = read.instances.iter().filter_map(|instance| {
            Some((read.rig.file_index.get(instance.node)?, read.meshes.get(instance.mesh)?))
        });
        let all = instances.flat_map(|(node, mesh)| mesh.primitives.iter().map(move |one| (node, one)));
        for (number, (node, primitive)) in all.enumerate() {
            numbers.insert((*node as usize, primitive.file_index), number);
        }
        let drawn = Drawn::new(original);
        let mut waiting: Vec<Vec<bool>> = drawn.primitives().map(marked).collect();
        let mut pairs = Vec::new();
        for piece in &self.pieces {
            let Some(&new) = numbers.get(&(piece.node, piece.primitive)) else { continue };
            let Some(waiting) = waiting.get_mut(piece.old) else { continue };
            let spots = piece.spots(waiting);
            let apart = vec![0.0; spots.len()];
            pairs.push(Pair { old: piece.old, new, spots, apart, new_from_old: glam::DMat4::IDENTITY });
        }
        Pairing { pairs, ..Pairing::default() }
    }
}

/// Returns a flag for each vertex up to the last, true if it is in the sorted list.
fn marked(vertices: &[u32]) -> Vec<bool> {
    let mut marked = vec![false; vertices.last().map_or(0, |last| *last as usize + 1)];
    for &vertex in vertices {
        if let Some(marked) = marked.get_mut(vertex as usize) {
            *marked = true;
        }
    }
    marked
}

impl Piece {
    /// Returns the waiting vertices, each with its place; a vertex of several parts counts once.
    fn spots(&self, waiting: &mut [bool]) -> Vec<(u32, Spot)> {
        let count = u32::try_from(waiting.len()).unwrap_or(u32::MAX);
        let mut spots = Vec::new();
        let mut add = |old: u32, new: u32| {
            if let Some(waiting) = waiting.get_mut(old as usize).filter(|waiting| **waiting) {
                *waiting = false;
                spots.push((old, Spot::Vertex(new)));
            }
        };
        match &self.vertices {
            Some(vertices) => (0..).zip(vertices).for_each(|(new, &old)| add(old, new)),
            None => (0..count).for_each(|vertex| add(vertex, vertex)),
        }
        spots
    }
}

#[cfg(test)]
mod tests;
