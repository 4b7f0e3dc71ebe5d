//! Rewrites a rigged model for programs with fewer influences per vertex or fewer joints per skin, and reports the new place
//! of each vertex. This module must not depend on files or command lines, nor the effect on positions.

mod nodes;
mod split;

use sinew_model::{
    Channel, Instance, Interpolation, Limited, Limits, Model, Primitive, Property, sample_times,
};
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

impl Wanted {
    /// A program without limits.
    pub const ANYTHING: Self =
        Self { influences: Limits { most: sinew_model::MAX_INFLUENCES, least: 0.0 }, max_joints: None };
}

/// The changes to a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// The changes to influences.
    pub limited: Limited,
    /// The changes to primitives and skins.
    pub split: Split,
}

/// The rewritten model.
#[derive(Clone, Debug)]
pub struct Rigged {
    /// The model, for `write_glb`.
    pub model: Model,
    /// The changes to the original.
    pub changes: Changes,
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
    join_weights(&mut model);
    nodes::own_all(&mut model);
    for primitive in model.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        if let Some(influences) = &mut primitive.influences {
            changes.limited.merge(&influences.limit(&wanted.influences));
        }
    }
    let pieces = split::split(&mut model, wanted.max_joints, &mut changes.split)?;
    Ok(Rigged { model, changes, pieces })
}

/// Makes one channel of those of a node's single morph weights, which files cannot store.
fn join_weights(model: &mut Model) {
    let rig = &model.rig;
    for clip in &mut model.clips {
        let is_single = |channel: &Channel| matches!(channel.property, Property::Weight(_));
        let (single, others): (Vec<_>, Vec<_>) =
            std::mem::take(&mut clip.channels).into_iter().partition(is_single);
        clip.channels = others;
        let mut nodes: Vec<usize> = single.iter().map(|channel| channel.node).collect();
        nodes.sort_unstable();
        nodes.dedup();
        for node in nodes {
            let rest = rig.rest_weights.get(rig.weights_of(node)).unwrap_or_default();
            let own = || single.iter().filter(|channel| channel.node == node);
            // Later channels replace earlier ones, and so does what they say of all weights.
            let whole = clip
                .channels
                .iter()
                .position(|channel| channel.node == node && channel.property == Property::Weights);
            let whole = whole.map(|at| clip.channels.remove(at));
            let times = sample_times(own().chain(&whole));
            let mut values = Vec::with_capacity(times.len().saturating_mul(rest.len()));
            for secs in &times {
                let mut weights: Vec<f64> = rest.iter().copied().map(f64::from).collect();
                if let Some(whole) = &whole {
                    whole.set_weights_at(f64::from(*secs), &mut weights);
                }
                for channel in own() {
                    let Property::Weight(target) = channel.property else { continue };
                    let weight = weights.get_mut(target as usize..=target as usize).unwrap_or_default();
                    channel.set_weights_at(f64::from(*secs), weight);
                }
                values.extend(weights.iter().map(|weight| *weight as f32));
            }
            let interpolation = Interpolation::Linear;
            clip.channels.push(Channel { node, property: Property::Weights, interpolation, times, values });
        }
    }
}

/// The place of a written primitive in the model as read back.
#[derive(Clone, Debug)]
struct Landing {
    /// The primitive's index among all that are drawn.
    new: usize,
    /// The vertex for each that was written; `None` if they are the same.
    vertices: Option<Vec<u32>>,
}

/// The places of written primitives, by their nodes and their indices in the meshes.
pub struct Landings(HashMap<(usize, usize), Landing>);

/// A primitive that a USD file has in one of its meshes.
#[derive(Clone, Copy, Debug)]
pub struct Held<'a> {
    /// The mesh.
    pub mesh: usize,
    /// The primitive's index in that mesh.
    pub number: usize,
    /// The node that drew it.
    pub node: usize,
    /// Its index in the mesh that was written.
    pub primitive: usize,
    /// The point of each of its vertices.
    pub points: &'a [u32],
}

impl Landings {
    /// The places in a file that numbers nodes as they were.
    pub fn by_node(read: &Model) -> Self {
        let node = |instance: &Instance| read.rig.file_index.get(instance.node).copied();
        let all = drawn(read).filter_map(|(new, instance, primitive)| {
            let landing = Landing { new, vertices: None };
            Some(((node(instance)? as usize, primitive.file_index), landing))
        });
        Self(all.collect())
    }

    /// The places in a file with control points.
    pub fn by_points<'a>(read: &Model, held: impl Iterator<Item = Held<'a>>) -> Self {
        let numbers: HashMap<(usize, usize), (usize, &Primitive)> = drawn(read)
            .map(|(new, instance, primitive)| ((instance.mesh, primitive.file_index), (new, primitive)))
            .collect();
        let all = held.filter_map(|held| {
            let (new, primitive) = *numbers.get(&(held.mesh, held.number))?;
            let mut vertices: HashMap<u32, u32> = HashMap::new();
            for (vertex, point) in (0..).zip(primitive.control_points.iter().flatten()) {
                vertices.entry(*point).or_insert(vertex);
            }
            // A point without a triangle has no vertex.
            let vertex = |point: &u32| vertices.get(point).copied().unwrap_or(u32::MAX);
            let vertices = Some(held.points.iter().map(vertex).collect());
            Some(((held.node, held.primitive), Landing { new, vertices }))
        });
        Self(all.collect())
    }
}

/// All drawn primitives with their numbers.
fn drawn(model: &Model) -> impl Iterator<Item = (usize, &Instance, &Primitive)> {
    let instances = model.instances.iter().filter_map(|one| Some((one, model.meshes.get(one.mesh)?)));
    let all = instances.flat_map(|(one, mesh)| mesh.primitives.iter().map(move |primitive| (one, primitive)));
    all.enumerate().map(|(number, (instance, primitive))| (number, instance, primitive))
}

impl Rigged {
    /// Returns the place of the original's drawn vertices in the model as read back from the file.
    pub fn pairing(&self, original: &Model, landings: &Landings) -> Pairing {
        let drawn = Drawn::new(original);
        let mut waiting: Vec<Vec<bool>> = drawn.primitives().map(marked).collect();
        let mut pairs = Vec::new();
        for piece in &self.pieces {
            let Some(landing) = landings.0.get(&(piece.node, piece.primitive)) else { continue };
            let Some(waiting) = waiting.get_mut(piece.old) else { continue };
            let spots = piece.spots(waiting, landing.vertices.as_deref());
            let (apart, new) = (vec![0.0; spots.len()], landing.new);
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
    fn spots(&self, waiting: &mut [bool], read: Option<&[u32]>) -> Vec<(u32, Spot)> {
        let count = u32::try_from(waiting.len()).unwrap_or(u32::MAX);
        let mut spots = Vec::new();
        let mut add = |old: u32, new: u32| {
            let new = read.map_or(Some(new), |read| read.get(new as usize).copied());
            let Some(new) = new.filter(|new| *new != u32::MAX) else { return };
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
