//! Repairs vertex data of any format: numbers that are not finite are replaced if a substitute exists, and refused
//! otherwise.

use glam::Vec3;

use super::budget::Budget;
use super::error::LoadError;
use super::message::{counted, vertex_at};
use super::warnings::Warnings;
use crate::mesh::Topology;
use crate::morph::{Deltas, Moves};

/// Location of vertices in the file.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    path: &'a str,
    /// Names of the vertices, if they differ from their numbers.
    names: Option<&'a [u32]>,
}

impl<'a> Place<'a> {
    /// Vertices that are called by their numbers.
    pub fn of(path: &'a str) -> Self {
        Self { path, names: None }
    }

    /// Vertices that are called by other numbers.
    #[cfg(any(feature = "fbx", feature = "usd"))]
    pub fn with(path: &'a str, names: &'a [u32]) -> Self {
        Self { path, names: Some(names) }
    }

    fn vertex(self, vertex: usize) -> String {
        let name = self.names.and_then(|names| names.get(vertex)).map_or(vertex, |name| *name as usize);
        vertex_at(self.path, name)
    }
}

/// Refuses positions that are not finite: nothing could replace them.
pub fn finite_positions(positions: Vec<[f32; 3]>, at: Place<'_>) -> Result<Vec<[f32; 3]>, LoadError> {
    match positions.iter().position(|position| !is_finite(position)) {
        Some(vertex) => {
            let message = format!("vertex {} is not finite", at.vertex(vertex));
            Err(LoadError::broken("ACCESSOR_INVALID_FLOAT", at.path, message))
        }
        None => Ok(positions),
    }
}

/// The primitive that normals belong to.
#[derive(Clone, Copy)]
pub struct Surface<'a> {
    /// A position for each normal.
    pub positions: &'a [[f32; 3]],
    /// Topology of the indices.
    pub topology: Topology,
    /// Vertex numbers.
    pub indices: &'a [u32],
}

/// Replaces normals that are zero or not finite, from the triangles around the vertex; `None` where
/// that is all of them.
pub fn whole_normals(
    mut normals: Vec<[f32; 3]>,
    surface: Surface<'_>,
    at: Place<'_>,
    budget: &mut Budget,
    warnings: &mut Warnings,
) -> Result<Option<Vec<[f32; 3]>>, LoadError> {
    let Surface { positions, topology, indices } = surface;
    let bad: Vec<bool> = normals.iter().map(|normal| !has_direction(normal)).collect();
    let Some(first) = bad.iter().position(|bad| *bad) else {
        return Ok(Some(normals));
    };
    let count = bad.iter().filter(|bad| **bad).count();
    budget.charge(at.path, normals.len(), size_of::<(bool, Vec3)>())?;
    if count == normals.len() {
        warnings.add(
            "ACCESSOR_VECTOR3_NON_UNIT",
            at.path,
            "all normals have length zero; they were left out",
        );
        return Ok(None);
    }
    let replacements = match topology {
        Topology::Triangles => triangle_normals(positions, indices, &bad),
        Topology::Lines | Topology::Points => vec![Vec3::ZERO; normals.len()],
    };
    for ((normal, replacement), _) in normals.iter_mut().zip(replacements).zip(bad).filter(|(_, bad)| *bad) {
        *normal = replacement.try_normalize().unwrap_or(Vec3::Y).to_array();
    }
    let message = format!(
        "{} (first {}) without a direction, computed from the triangles",
        counted(count, "normal", "normals"),
        at.vertex(first)
    );
    warnings.add("ACCESSOR_VECTOR3_NON_UNIT", at.path, message);
    Ok(Some(normals))
}

/// The sum of the area-weighted triangle normals around each wanted vertex.
fn triangle_normals(positions: &[[f32; 3]], indices: &[u32], wanted: &[bool]) -> Vec<Vec3> {
    let mut sums = vec![Vec3::ZERO; positions.len()];
    let position = |index: u32| positions.get(index as usize).map(|position| Vec3::from_array(*position));
    for triangle in indices.chunks_exact(3) {
        let [a, b, c] = *triangle else { continue };
        if ![a, b, c].iter().any(|index| wanted.get(*index as usize) == Some(&true)) {
            continue;
        }
        let (Some(pa), Some(pb), Some(pc)) = (position(a), position(b), position(c)) else {
            continue;
        };
        let normal = (pb - pa).cross(pc - pa);
        // Huge triangles overflow single precision and have no usable normal.
        if normal.is_finite() {
            for index in [a, b, c] {
                if let Some(sum) = sums.get_mut(index as usize) {
                    *sum += normal;
                }
            }
        }
    }
    sums
}

/// Tangents, or none if one of them is unusable, because shading then derives consistent ones.
pub fn whole_tangents(
    tangents: Vec<[f32; 4]>,
    at: Place<'_>,
    warnings: &mut Warnings,
) -> Option<Vec<[f32; 4]>> {
    let usable = |[x, y, z, w]: &[f32; 4]| has_direction(&[*x, *y, *z]) && w.is_finite() && *w != 0.0;
    match tangents.iter().position(|tangent| !usable(tangent)) {
        Some(first) => {
            let count = tangents.iter().filter(|tangent| !usable(tangent)).count();
            let count = counted(count, "tangent", "tangents");
            let first = at.vertex(first);
            let message = format!("{count} (first {first}) without a direction; all were left out");
            warnings.add("ACCESSOR_VECTOR3_NON_UNIT", at.path, message);
            None
        }
        None => Some(tangents),
    }
}

/// Puts 0 where texture coordinates are not finite.
pub fn repair_texcoords(set: &mut [[f32; 2]], at: Place<'_>, warnings: &mut Warnings) {
    replace(set, [0.0; 2], ["texture coordinate", "texture coordinates"], at, warnings);
}

/// Puts white where colours are not finite.
pub fn repair_colors(colors: &mut [[f32; 4]], at: Place<'_>, warnings: &mut Warnings) {
    replace(colors, [1.0; 4], ["colour", "colours"], at, warnings);
}

/// Finite numbers of any stream.
pub fn is_finite<const N: usize>(value: &[f32; N]) -> bool {
    value.iter().all(|number| number.is_finite())
}

/// Puts `stand_in` where a value is not finite.
fn replace<const N: usize>(
    values: &mut [[f32; N]],
    stand_in: [f32; N],
    [one, more]: [&str; 2],
    at: Place<'_>,
    warnings: &mut Warnings,
) {
    let mut count = 0_usize;
    let mut first = 0;
    for (vertex, value) in values.iter_mut().enumerate() {
        if !is_finite(value) {
            if count == 0 {
                first = vertex;
            }
            count = count.saturating_add(1);
            *value = stand_in;
        }
    }
    if count > 0 {
        warnings.add(
            "ACCESSOR_INVALID_FLOAT",
            at.path,
            format!("{} (first {}), not finite and replaced", counted(count, one, more), at.vertex(first)),
        );
    }
}

fn has_direction(value: &[f32; 3]) -> bool {
    Vec3::from_array(*value).try_normalize().is_some()
}
/// Removes moves that are not finite.
pub fn finite_moves<const N: usize>(mut moves: Moves<N>, at: Place<'_>, warnings: &mut Warnings) -> Moves<N> {
    let bad = || |(_, delta): &&(u32, [f32; N])| !is_finite(delta);
    if let Some((first, _)) = moves.iter().find(bad()) {
        let count = moves.iter().filter(bad()).count();
        let message = format!(
            "{} (first {}): moved by values that are not finite; kept in place",
            counted(count, "vertex", "vertices"),
            at.vertex(*first as usize)
        );
        warnings.add("ACCESSOR_INVALID_FLOAT", at.path, message);
        moves.retain(|(_, delta)| is_finite(delta));
    }
    moves
}

/// Merges all targets of a stream, vertex by vertex; `path` is that of the primitive's targets.
pub fn gather<const N: usize>(
    targets: &[Moves<N>],
    vertices: usize,
    path: &str,
    budget: &mut Budget,
) -> Result<Option<Deltas<N>>, LoadError> {
    let entries: usize = targets.iter().map(Vec::len).fold(0, usize::saturating_add);
    if entries == 0 {
        return Ok(None);
    }
    budget.charge(path, entries, size_of::<(u32, [f32; N])>())?;
    budget.charge(path, vertices, size_of::<u32>())?;
    Ok(Deltas::new(vertices, targets))
}
