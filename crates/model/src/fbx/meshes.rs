//! Meshes: polygons become triangles, and corners that differ become vertices, each with the number of its control point.

use std::collections::HashMap;
use std::iter;

use super::Work;
use super::matrices::{single, vec3};
use super::morphs::Target;
use super::skins;
use crate::reading::LoadError;
use crate::reading::repair::{
    Place, Surface, finite_moves, finite_positions, gather, repair_colors, repair_texcoords, whole_normals,
};
use crate::{Mesh, Morphs, Moves, Primitive};

/// Bytes of a corner until its primitive is finished: its position among the distinct corners, and a vertex.
const CORNER_BYTES: usize = 192;

/// The key that distinguishes vertices: a corner's control point and the bits of all its attributes.
#[derive(PartialEq, Eq, Hash)]
struct Corner {
    control_point: u32,
    normal: [u32; 3],
    color: [u32; 4],
    uvs: [[u32; 2]; 2],
}

/// A corner's numbers.
struct Vertex {
    control_point: u32,
    position: [f32; 3],
    normal: [f32; 3],
    color: [f32; 4],
    uvs: [[f32; 2]; 2],
}

impl Vertex {
    fn key(&self) -> Corner {
        Corner {
            control_point: self.control_point,
            normal: self.normal.map(f32::to_bits),
            color: self.color.map(f32::to_bits),
            uvs: self.uvs.map(|uv| uv.map(f32::to_bits)),
        }
    }
}

/// Reads a mesh, one primitive a material; with shares of dual quaternions where the file needs them.
///
/// # Errors
/// If a position is no number, or more memory is needed than a file of the size may take.
pub fn read(
    mesh: &ufbx::Mesh,
    number: usize,
    targets: &[Target<'_>],
    has_shares: bool,
    work: &mut Work<'_>,
) -> Result<Mesh, LoadError> {
    let path = format!("meshes[{number}]");
    let influences = skins::influences_of(mesh, &path, work)?;
    let shares = has_shares.then(|| skins::shares_of(mesh)).flatten();
    let mut primitives = Vec::new();
    for (number, part) in mesh.material_parts.iter().enumerate() {
        let path = format!("{path}.primitives[{number}]");
        let mut primitive = Primitive { file_index: number, ..Primitive::default() };
        let control_points = fill(mesh, part, &mut primitive, &path, work)?;
        if control_points.is_empty() {
            continue;
        }
        primitive.influences = influences.as_ref().map(|all| all.pick(&control_points));
        let share =
            |point: &u32| shares.as_ref().and_then(|all| all.get(*point as usize)).copied().unwrap_or(0.0);
        primitive.shares = shares.as_ref().map(|_| control_points.iter().map(share).collect());
        primitive.morphs = morphs_of(targets, &control_points, &primitive, &path, work)?;
        if primitive.influences.is_some() {
            work.warnings.influences(&path, || skins::statistics(mesh, &control_points));
        }
        primitive.control_points = Some(control_points);
        let material = mesh.materials.get(part.index as usize);
        primitive.material = material.map(|material| material.element.typed_id as usize);
        primitives.push(primitive);
    }
    let target_names = targets.iter().map(|target| target.name.clone()).collect();
    Ok(Mesh { name: mesh.element.name.to_string(), primitives, target_names })
}

/// Fills a primitive with the triangles of a part; returns each vertex's control point.
fn fill(
    mesh: &ufbx::Mesh,
    part: &ufbx::MeshPart,
    out: &mut Primitive,
    path: &str,
    work: &mut Work<'_>,
) -> Result<Vec<u32>, LoadError> {
    work.budget.charge(path, part.num_triangles.saturating_mul(3), CORNER_BYTES)?;
    let mut numbers: HashMap<Corner, u32> = HashMap::new();
    let (mut control_points, mut corners) = (Vec::new(), Vec::new());
    let (mut normals, mut colors) = (Vec::new(), Vec::new());
    out.texcoords = vec![Vec::new(); mesh.uv_sets.len().min(2)];
    for face in part.face_indices.iter().filter_map(|face| mesh.faces.get(*face as usize)) {
        let triangles = ufbx::triangulate_face_vec(&mut corners, mesh, *face) as usize;
        for triangle in corners.chunks_exact(3).take(triangles) {
            let [Some(a), Some(b), Some(c)] = [0, 1, 2].map(|at| vertex(mesh, *triangle.get(at)?)) else {
                continue;
            };
            for vertex in [a, b, c] {
                let next = control_points.len() as u32;
                let number = *numbers.entry(vertex.key()).or_insert(next);
                if number == next {
                    control_points.push(vertex.control_point);
                    out.positions.push(vertex.position);
                    normals.push(vertex.normal);
                    colors.push(vertex.color);
                    out.texcoords.iter_mut().zip(vertex.uvs).for_each(|(set, uv)| set.push(uv));
                }
                out.indices.push(number);
            }
        }
    }
    let at = Place::with(path, &control_points);
    out.positions = finite_positions(std::mem::take(&mut out.positions), at)?;
    if !mesh.vertex_normal.values.is_empty() && !normals.is_empty() {
        let surface = Surface { positions: &out.positions, topology: out.topology, indices: &out.indices };
        out.normals = whole_normals(normals, surface, at, work.budget, work.warnings)?;
    }
    for set in &mut out.texcoords {
        repair_texcoords(set, at, work.warnings);
    }
    if !mesh.vertex_color.values.is_empty() && !colors.is_empty() {
        repair_colors(&mut colors, at, work.warnings);
        out.colors = Some(colors);
    }
    Ok(control_points)
}

/// A corner's numbers; `None` where it has no position.
fn vertex(mesh: &ufbx::Mesh, corner: u32) -> Option<Vertex> {
    let corner = corner as usize;
    let control_point = *mesh.vertex_indices.get(corner)?;
    let position = single(mesh.vertices.get(control_point as usize)?);
    let normal = at(&mesh.vertex_normal.indices, &mesh.vertex_normal.values, corner).map(single);
    let color = at(&mesh.vertex_color.indices, &mesh.vertex_color.values, corner);
    let color = color.map(|c| [c.x, c.y, c.z, c.w].map(|number| number as f32));
    // v points down in a picture.
    let uv = |set: &ufbx::UvSet| {
        let uv = at(&set.vertex_uv.indices, &set.vertex_uv.values, corner);
        uv.map_or([0.0; 2], |uv| [uv.x as f32, (1.0 - uv.y) as f32])
    };
    let uvs = [0, 1].map(|set| mesh.uv_sets.get(set).map_or([0.0; 2], uv));
    let (normal, color) = (normal.unwrap_or_default(), color.unwrap_or([1.0; 4]));
    Some(Vertex { control_point, position, normal, color, uvs })
}

/// A corner's value, where the mesh has such values.
fn at<'a, T>(indices: &[u32], values: &'a [T], corner: usize) -> Option<&'a T> {
    values.get(*indices.get(corner)? as usize)
}

/// Converts offsets of control points to moves of morph targets.
fn morphs_of(
    targets: &[Target<'_>],
    control_points: &[u32],
    primitive: &Primitive,
    path: &str,
    work: &mut Work<'_>,
) -> Result<Option<Morphs>, LoadError> {
    if targets.is_empty() {
        return Ok(None);
    }
    let mut vertices: Vec<(u32, u32)> = control_points.iter().copied().zip(0..).collect();
    vertices.sort_unstable();
    let (mut positions, mut normals) = (Vec::new(), Vec::new());
    for (number, target) in targets.iter().enumerate() {
        let path = format!("{path}.targets[{number}]");
        let shape = target.shape;
        let mut moved = |offsets: &[ufbx::Vec3], out: &mut Vec<Moves<3>>| -> Result<(), LoadError> {
            let moves = moves_of(shape, offsets, &vertices);
            work.budget.charge(&path, moves.len(), size_of::<(u32, [f32; 3])>())?;
            out.push(finite_moves(moves, Place::with(&path, control_points), work.warnings));
            Ok(())
        };
        moved(&shape.position_offsets, &mut positions)?;
        if primitive.normals.is_some() {
            moved(&shape.normal_offsets, &mut normals)?;
        }
    }
    let count = control_points.len();
    let morphs = Morphs {
        positions: gather(&positions, count, path, work.budget)?,
        normals: gather(&normals, count, path, work.budget)?,
        texcoords: primitive.texcoords.iter().map(|_| None).collect(),
        ..Morphs::default()
    };
    Ok((!morphs.is_empty()).then_some(morphs))
}

/// Returns the offsets of vertices by those of control points, in a shape's order. `vertices` is sorted: control
/// points, and the vertices made from them.
fn moves_of(shape: &ufbx::BlendShape, offsets: &[ufbx::Vec3], vertices: &[(u32, u32)]) -> Moves<3> {
    let mut moves: Moves<3> = Vec::new();
    // Blender paints how much of a shape a point has.
    let weights = shape.offset_weights.iter().copied().chain(iter::repeat(1.0));
    for ((point, offset), weight) in shape.offset_vertices.iter().zip(offsets).zip(weights) {
        let begin = vertices.partition_point(|(of, _)| of < point);
        let own = vertices.get(begin..).unwrap_or_default().iter().take_while(|(of, _)| of == point);
        let offset = (vec3(offset) * weight).as_vec3().to_array();
        moves.extend(own.map(|(_, vertex)| (*vertex, offset)));
    }
    moves.retain(|(_, offset)| *offset != [0.0; 3]);
    moves.sort_by_key(|(vertex, _)| *vertex);
    // A point that is listed twice moves by the first.
    moves.dedup_by_key(|(vertex, _)| *vertex);
    moves
}
