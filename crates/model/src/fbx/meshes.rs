//! Meshes: polygons become triangles, and corners that differ become vertices, each with the number of its control point.

use std::collections::HashMap;

use super::matrices::single;
use super::morphs::Target;
use super::skins;
use crate::{Deltas, Influences, Mesh, Morphs, Moves, Primitive};

/// What makes a corner a vertex of its own: its control point and the bits of everything it has.
#[derive(PartialEq, Eq, Hash)]
struct Corner {
    control_point: u32,
    bits: Vec<u32>,
}

/// Reads a mesh, one primitive a material; with shares of dual quaternions where the file needs them. `each` is told each primitive's number, and the control points of its vertices.
pub fn read(
    mesh: &ufbx::Mesh,
    targets: &[Target<'_>],
    has_shares: bool,
    each: &mut dyn FnMut(usize, &[u32]),
) -> Mesh {
    let influences = skins::influences_of(mesh);
    let shares = has_shares.then(|| skins::shares_of(mesh)).flatten();
    let primitive = |(number, part): (usize, &ufbx::MeshPart)| {
        let mut primitive = Primitive { file_index: number, ..Primitive::default() };
        let control_points = fill(mesh, part, &mut primitive);
        primitive.influences = influences.as_ref().map(|all| of_points(all, &control_points));
        let share =
            |point: &u32| shares.as_ref().and_then(|all| all.get(*point as usize)).copied().unwrap_or(0.0);
        primitive.shares = shares.as_ref().map(|_| control_points.iter().map(share).collect());
        primitive.morphs = morphs_of(targets, &control_points);
        if primitive.influences.is_some() {
            each(number, &control_points);
        }
        primitive.control_points = Some(control_points);
        let material = mesh.materials.get(part.index as usize);
        primitive.material = material.map(|material| material.element.typed_id as usize);
        primitive
    };
    let parts = mesh.material_parts.iter().enumerate();
    let primitives = parts.map(primitive).filter(|primitive| !primitive.indices.is_empty()).collect();
    let target_names = targets.iter().map(|target| target.name.clone()).collect();
    Mesh { name: mesh.element.name.to_string(), primitives, target_names }
}

/// Fills a primitive with the triangles of a part; returns each vertex's control point.
fn fill(mesh: &ufbx::Mesh, part: &ufbx::MeshPart, out: &mut Primitive) -> Vec<u32> {
    let mut numbers: HashMap<Corner, u32> = HashMap::new();
    let mut control_points = Vec::new();
    let mut corners = Vec::new();
    let (mut normals, mut colors) = (Vec::new(), Vec::new());
    out.texcoords = vec![Vec::new(); mesh.uv_sets.len().min(2)];
    for face in part.face_indices.iter().filter_map(|face| mesh.faces.get(*face as usize)) {
        let triangles = ufbx::triangulate_face_vec(&mut corners, mesh, *face) as usize;
        for &corner in corners.iter().take(triangles.saturating_mul(3)) {
            let corner = corner as usize;
            let Some(&control_point) = mesh.vertex_indices.get(corner) else { continue };
            let Some(position) = mesh.vertices.get(control_point as usize) else { continue };
            let normal = at(&mesh.vertex_normal.indices, &mesh.vertex_normal.values, corner).map(single);
            let color = at(&mesh.vertex_color.indices, &mesh.vertex_color.values, corner);
            let color = color.map(|c| [c.x, c.y, c.z, c.w].map(|number| number as f32));
            // v points down in a picture.
            let uv = |set: &ufbx::UvSet| {
                let uv = at(&set.vertex_uv.indices, &set.vertex_uv.values, corner);
                uv.map_or([0.0; 2], |uv| [uv.x as f32, (1.0 - uv.y) as f32])
            };
            let uvs: Vec<[f32; 2]> = mesh.uv_sets.iter().take(2).map(uv).collect();
            let numbers_of =
                normal.iter().flatten().chain(color.iter().flatten()).chain(uvs.iter().flatten());
            let key = Corner { control_point, bits: numbers_of.map(|number| number.to_bits()).collect() };
            let next = control_points.len() as u32;
            let number = *numbers.entry(key).or_insert(next);
            if number == next {
                control_points.push(control_point);
                out.positions.push(single(position));
                normals.extend(normal);
                colors.extend(color);
                out.texcoords.iter_mut().zip(uvs).for_each(|(set, uv)| set.push(uv));
            }
            out.indices.push(number);
        }
    }
    let count = control_points.len();
    out.normals = (normals.len() == count).then_some(normals);
    out.colors = (colors.len() == count && count > 0).then_some(colors);
    control_points
}

/// A corner's value, where the mesh has such values.
fn at<'a, T>(indices: &[u32], values: &'a [T], corner: usize) -> Option<&'a T> {
    values.get(*indices.get(corner)? as usize)
}

/// The influences of vertices, from those of their control points.
fn of_points(all: &Influences, control_points: &[u32]) -> Influences {
    let mut out = all.clone();
    for (out, all) in out.spans.iter_mut().zip(&all.spans) {
        let joints = |point: &u32| all.joints.get(*point as usize).copied().unwrap_or([-1; 4]);
        let weights = |point: &u32| all.weights.get(*point as usize).copied().unwrap_or_default();
        out.joints = control_points.iter().map(joints).collect();
        out.weights = control_points.iter().map(weights).collect();
    }
    out
}

/// What targets move, from the offsets of control points.
fn morphs_of(targets: &[Target<'_>], control_points: &[u32]) -> Option<Morphs> {
    let moves = |offsets: &dyn Fn(&Target<'_>) -> HashMap<u32, [f32; 3]>| -> Vec<Moves<3>> {
        let of = |target: &Target<'_>| {
            let offsets = offsets(target);
            let numbered = (0u32..).zip(control_points);
            numbered.filter_map(|(vertex, point)| Some((vertex, *offsets.get(point)?))).collect()
        };
        targets.iter().map(of).collect()
    };
    let positions = moves(&|target| target.offsets(&target.shape.position_offsets));
    let normals = moves(&|target| target.offsets(&target.shape.normal_offsets));
    let morphs = Morphs {
        positions: Deltas::new(control_points.len(), &positions),
        normals: Deltas::new(control_points.len(), &normals),
        ..Morphs::default()
    };
    (!morphs.is_empty()).then_some(morphs)
}
