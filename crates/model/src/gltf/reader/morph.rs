//! Reads morph targets, and the weights that nodes start with.

use super::attribute::Context;
use super::joints::same_count;
use crate::gltf::json::{self, Document};
use crate::mesh::Primitive;
use crate::morph::{Morphs, Moves};
use crate::reading::budget::Budget;
use crate::reading::error::LoadError;
use crate::reading::message::quoted;
use crate::reading::repair::{Place, finite_moves, gather};
use crate::reading::warnings::Warnings;
use crate::rig::Rig;

/// Returns the number of morph targets in a mesh, taken from its first primitive. All others should agree.
pub fn target_count(mesh: &json::Mesh) -> usize {
    mesh.primitives.first().map_or(0, |primitive| primitive.targets.len())
}

/// Returns a name for each target, and warns of a wrong number of default weights.
pub fn target_names(mesh: &json::Mesh, path: &str, warnings: &mut Warnings) -> Vec<String> {
    let count = target_count(mesh);
    if !mesh.weights.is_empty() && mesh.weights.len() != count {
        let message = different_weights(mesh.weights.len(), count);
        warnings.add("MESH_INVALID_WEIGHTS_COUNT", &format!("{path}.weights"), message);
    }
    let mut names = mesh.target_names.clone();
    names.resize(count, String::new());
    names
}

/// Reads the moves of a primitive's targets; `None` if there are none. `base` is the primitive as read.
pub fn read(
    context: &mut Context<'_, '_>,
    base: &Primitive,
    count: usize,
) -> Result<Option<Morphs>, LoadError> {
    let targets = &context.primitive.targets;
    if targets.len() != count {
        let found = targets.len();
        let message =
            format!("{found} targets, but the mesh's first primitive has {count}; the first one counts");
        let path = format!("{}.targets", context.path);
        context.warnings.add("MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT", &path, message);
    }
    // A list for each target and stream, however little is in it.
    let lists = count.saturating_mul(base.texcoords.len().saturating_add(4));
    context.accessors.charge(&format!("{}.targets", context.path), lists, size_of::<Moves<3>>())?;
    let mut moves = Streams { texcoords: vec![Vec::new(); base.texcoords.len()], ..Streams::default() };
    for (number, target) in targets.iter().enumerate().take(count) {
        moves.begin();
        for (name, &accessor) in target {
            let path = format!("{}.targets[{number}].{name}", context.path);
            read_stream(context, base, (name, accessor, &path), &mut moves)?;
        }
    }
    let Streams { positions, normals, tangents, texcoords, colors } = &moves;
    let (vertices, path) = (context.vertices, format!("{}.targets", context.path));
    let budget = context.accessors.budget();
    let mut sets = Vec::with_capacity(texcoords.len());
    for set in texcoords {
        sets.push(gather(set, vertices, &path, budget)?);
    }
    let morphs = Morphs {
        positions: gather(positions, vertices, &path, budget)?,
        normals: gather(normals, vertices, &path, budget)?,
        tangents: gather(tangents, vertices, &path, budget)?,
        texcoords: sets,
        colors: gather(colors, vertices, &path, budget)?,
    };
    Ok(Some(morphs).filter(|morphs| !morphs.is_empty()))
}

/// For each stream, the moved vertices of each target so far.
#[derive(Default)]
struct Streams {
    positions: Vec<Moves<3>>,
    normals: Vec<Moves<3>>,
    tangents: Vec<Moves<3>>,
    texcoords: Vec<Vec<Moves<2>>>,
    colors: Vec<Moves<4>>,
}

impl Streams {
    /// Adds a target that moves nothing yet.
    fn begin(&mut self) {
        self.positions.push(Moves::new());
        self.normals.push(Moves::new());
        self.tangents.push(Moves::new());
        self.texcoords.iter_mut().for_each(|set| set.push(Moves::new()));
        self.colors.push(Moves::new());
    }
}

/// Reads one stream's deltas of the last target.
fn read_stream(
    context: &mut Context<'_, '_>,
    base: &Primitive,
    (name, accessor, path): (&str, usize, &str),
    moves: &mut Streams,
) -> Result<(), LoadError> {
    if !context.primitive.attributes.contains_key(name) {
        let message = "moves an attribute that the primitive does not have and was left out";
        context.warnings.add("MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR", path, message);
        return Ok(());
    }
    // An attribute that the primitive lost in reading cannot be moved either; a warning covers it.
    match name {
        "POSITION" => put(&mut moves.positions, context.moves(accessor, path)?),
        "NORMAL" if base.normals.is_some() => put(&mut moves.normals, context.moves(accessor, path)?),
        "TANGENT" if base.tangents.is_some() => put(&mut moves.tangents, context.moves(accessor, path)?),
        "COLOR_0" if base.colors.is_some() => {
            put(
                &mut moves.colors,
                match context.accessors.width(accessor, path)? {
                    3 => {
                        let rgb: Moves<3> = context.moves(accessor, path)?;
                        rgb.into_iter().map(|(vertex, [r, g, b])| (vertex, [r, g, b, 0.0])).collect()
                    }
                    _ => context.moves(accessor, path)?,
                },
            );
        }
        "NORMAL" | "TANGENT" | "COLOR_0" => {}
        _ if name.starts_with("TEXCOORD_") => {
            let set =
                moves.texcoords.iter_mut().enumerate().find(|(set, _)| *name == format!("TEXCOORD_{set}"));
            if let Some((_, set)) = set {
                put(set, context.moves(accessor, path)?);
            }
        }
        _ if name.starts_with("COLOR_") || name.starts_with('_') => {}
        _ => {
            let message = format!("{} is not an attribute that targets can move", quoted(name));
            context.warnings.add("MESH_PRIMITIVE_INVALID_ATTRIBUTE", path, message);
        }
    }
    Ok(())
}

/// Sets the moved vertices of the last target.
fn put<const N: usize>(stream: &mut [Moves<N>], moves: Moves<N>) {
    if let Some(last) = stream.last_mut() {
        *last = moves;
    }
}

impl Context<'_, '_> {
    /// Reads an accessor's moves by vertex; moves that are not finite are zero.
    fn moves<const N: usize>(&mut self, accessor: usize, path: &str) -> Result<Moves<N>, LoadError> {
        let (count, moves) = self.accessors.nonzero::<N>(accessor, path)?;
        same_count(count, self.vertices, path)?;
        Ok(finite_moves(moves, Place::of(path), self.warnings))
    }
}

/// Bytes that one weight takes in the rig, in poses and on the way to the GPU.
const WEIGHT_BYTES: usize = 24;

/// Sets each node's weights: its own, else its mesh's, else zeros, as many as the mesh has targets.
pub fn read_weights(
    document: &Document,
    rig: &mut Rig,
    budget: &mut Budget,
    warnings: &mut Warnings,
) -> Result<(), LoadError> {
    let mut ends = Vec::new();
    for &file_index in &rig.file_index {
        let Some(node) = document.nodes.get(file_index as usize) else { continue };
        let mesh = node.mesh.and_then(|mesh| document.meshes.get(mesh));
        let count = mesh.map_or(0, target_count);
        if count == 0 && node.weights.is_empty() {
            ends.push(end_of(rig)?);
            continue;
        }
        let path = format!("nodes[{file_index}].weights");
        if !node.weights.is_empty() && node.weights.len() != count {
            warnings.add("NODE_WEIGHTS_INVALID", &path, different_weights(node.weights.len(), count));
        }
        // A thousand nodes may share a mesh with a million targets.
        budget.charge(&path, count, WEIGHT_BYTES)?;
        let stored = match &node.weights[..] {
            [] => mesh.map_or(&[][..], |mesh| &mesh.weights),
            own => own,
        };
        let numbers = stored.iter().map(|&weight| weight as f32).chain(std::iter::repeat(0.0)).take(count);
        let finite = numbers.map(|weight| if weight.is_finite() { weight } else { 0.0 });
        rig.rest_weights.extend(finite);
        if stored.iter().take(count).any(|&weight| !(weight as f32).is_finite()) {
            warnings.add("VALUE_NOT_IN_RANGE", &path, "a weight exceeds single precision and counts as 0");
        }
        ends.push(end_of(rig)?);
    }
    if !rig.rest_weights.is_empty() {
        rig.weight_ends = ends;
    }
    Ok(())
}

/// Returns the end of the weights so far.
fn end_of(rig: &Rig) -> Result<u32, LoadError> {
    let end = u32::try_from(rig.rest_weights.len());
    end.map_err(|_| LoadError::invalid("nodes", "the morph weights exceed 32-bit indices"))
}

fn different_weights(found: usize, targets: usize) -> String {
    let done = if found > targets { "the others were left out" } else { "the others are 0" };
    format!("{found} weights, but there are {targets} morph targets; {done}")
}
