//! Puts primitives together from attributes, indices, material and influences.

use super::accessor::Accessors;
use super::attribute;
use super::joints;
use super::morph;
use super::skin::{self, SkinUse};
use super::step;
use super::topology::{self, Mode};
use crate::gltf::json::{self, Document};
use crate::mesh::{Mesh, Primitive, Steps, Topology};
use crate::reading::budget::Budget;
use crate::reading::error::LoadError;
use crate::reading::repair::{Place, Surface, finite_positions};
use crate::reading::warnings::Warnings;

/// Reads all meshes, whether a scene shows them or not.
pub fn read(
    document: &Document,
    accessors: &mut Accessors<'_>,
    warnings: &mut Warnings,
) -> Result<Vec<Mesh>, LoadError> {
    let mut meshes = Vec::with_capacity(document.meshes.len());
    for ((index, mesh), skin) in document.meshes.iter().enumerate().zip(skin::smallest_uses(document)) {
        let path = format!("meshes[{index}]");
        let mut primitives = Vec::new();
        for (number, primitive) in mesh.primitives.iter().enumerate() {
            let path = format!("{path}.primitives[{number}]");
            let Some(mut read) = read_primitive((number, primitive), &path, skin, accessors, warnings)?
            else {
                continue;
            };
            let vertices = read.positions.len();
            let mut context = attribute::Context { primitive, path: &path, vertices, accessors, warnings };
            read.morphs = morph::read(&mut context, &read, morph::target_count(mesh))?;
            check_material(document, primitive.material, &path)?;
            primitives.push(read);
        }
        let target_names = morph::target_names(mesh, &path, warnings);
        // Most meshes have one, for which a vector makes room for four; a broken one may claim a million.
        primitives.shrink_to_fit();
        meshes.push(Mesh { name: mesh.name.clone(), primitives, target_names });
    }
    Ok(meshes)
}

/// The material must be there.
fn check_material(document: &Document, material: Option<usize>, path: &str) -> Result<(), LoadError> {
    let count = document.materials.len();
    match material.filter(|material| *material >= count) {
        Some(material) => Err(LoadError::no_such(&format!("{path}.material"), "material", material, count)),
        None => Ok(()),
    }
}

/// A primitive; `None` for one that draws nothing.
fn read_primitive(
    (file_index, primitive): (usize, &json::Primitive),
    path: &str,
    skin: Option<SkinUse>,
    accessors: &mut Accessors<'_>,
    warnings: &mut Warnings,
) -> Result<Option<Primitive>, LoadError> {
    let Some(positions) = primitive.attributes.get("POSITION") else {
        warnings.add("MESH_PRIMITIVE_NO_POSITION", path, "has no POSITION and was left out");
        return Ok(None);
    };
    let positions_path = format!("{path}.attributes.POSITION");
    let stored = *positions;
    let positions = accessors.floats::<3>(stored, &positions_path)?;
    let steps = Steps {
        positions: step::of(accessors.number_format(stored), &positions),
        weights: primitive
            .attributes
            .get("WEIGHTS_0")
            .and_then(|weights| step::of::<4>(accessors.number_format(*weights), &[])),
    };
    let positions = finite_positions(positions, Place::of(&positions_path))?;
    let (topology, indices) = read_indices(primitive, path, positions.len(), accessors, warnings)?;
    if indices.is_empty() {
        warnings.add("MESH_PRIMITIVE_EMPTY", path, "draws nothing and was left out");
        return Ok(None);
    }
    let mut context = attribute::Context { primitive, path, vertices: positions.len(), accessors, warnings };
    let normals =
        attribute::normals(&mut context, Surface { positions: &positions, topology, indices: &indices })?;
    // Tangents mean nothing without the normals they belong to.
    let tangents = if normals.is_some() { attribute::tangents(&mut context)? } else { None };
    let texcoords = attribute::texcoords(&mut context)?;
    let colors = attribute::colors(&mut context)?;
    let shares = attribute::shares(&mut context);
    let prepared = match skin {
        Some(skin) => joints::read(primitive, path, positions.len(), skin, accessors, warnings)?,
        None => {
            if primitive.attributes.contains_key("JOINTS_0") {
                warnings.add(
                    "NODE_SKINNED_MESH_WITHOUT_SKIN",
                    path,
                    "has joints, but no node gives the mesh a skin; drawn without skinning",
                );
            }
            None
        }
    };
    let (influences, unequal_sums, first_joints) = match prepared {
        Some(prepared) => (Some(prepared.influences), prepared.unequal_sums, prepared.first_joints),
        None => Default::default(),
    };
    let material = primitive.material;
    Ok(Some(Primitive {
        file_index,
        topology,
        indices,
        positions,
        normals,
        tangents,
        texcoords,
        colors,
        influences,
        unequal_sums,
        first_joints,
        morphs: None,
        material,
        shares,
        steps,
        control_points: None,
    }))
}

/// The indices as a list of points, lines or triangles.
fn read_indices(
    primitive: &json::Primitive,
    path: &str,
    vertices: usize,
    accessors: &mut Accessors<'_>,
    warnings: &mut Warnings,
) -> Result<(Topology, Vec<u32>), LoadError> {
    let mode = primitive.mode.unwrap_or(4);
    let mode = Mode::from_code(mode).ok_or_else(|| {
        LoadError::broken("VALUE_NOT_IN_RANGE", format!("{path}.mode"), format!("{mode} is not a mode"))
    })?;
    let indices = match primitive.indices {
        Some(accessor) => {
            let path = format!("{path}.indices");
            let (indices, restart) = accessors.indices(accessor, &path)?;
            check_indices(&indices, restart, vertices, &path)?;
            indices
        }
        None => all_vertices(vertices, path, accessors.budget())?,
    };
    to_list(mode, indices, path, accessors.budget(), warnings)
}

/// The indices of a primitive without any: each vertex once.
pub fn all_vertices(vertices: usize, path: &str, budget: &mut Budget) -> Result<Vec<u32>, LoadError> {
    budget.charge(path, vertices, size_of::<u32>())?;
    let count = u32::try_from(vertices)
        .map_err(|_| LoadError::invalid(path, format!("{vertices} vertices are too many")))?;
    Ok((0..count).collect())
}

/// Indices of any mode as a list of points, lines or triangles.
pub fn to_list(
    mode: Mode,
    indices: Vec<u32>,
    path: &str,
    budget: &mut Budget,
    warnings: &mut Warnings,
) -> Result<(Topology, Vec<u32>), LoadError> {
    budget.charge(path, indices.len().saturating_mul(mode.unrolled_factor()), size_of::<u32>())?;
    let (topology, list, extra) = topology::to_list(mode, indices);
    if extra > 0 {
        warnings.add(
            "MESH_PRIMITIVE_INCOMPATIBLE_MODE",
            path,
            format!("the last {extra} indices do not make a whole {}", name_of(topology)),
        );
    }
    Ok((topology, list))
}

/// Every index must be that of a vertex.
pub fn check_indices(indices: &[u32], restart: u32, vertices: usize, path: &str) -> Result<(), LoadError> {
    match indices.iter().position(|index| *index == restart || *index as usize >= vertices) {
        None => Ok(()),
        Some(at) => {
            let index = indices.get(at).copied().unwrap_or(restart);
            if index == restart {
                let message =
                    format!("{index} at {at} would restart the primitive, which glTF does not allow");
                Err(LoadError::broken("ACCESSOR_INDEX_PRIMITIVE_RESTART", path, message))
            } else {
                let message = format!("vertex {index} at {at}, but there are {vertices} vertices");
                Err(LoadError::broken("ACCESSOR_INDEX_OOB", path, message))
            }
        }
    }
}

fn name_of(topology: Topology) -> &'static str {
    match topology {
        Topology::Triangles => "triangle",
        Topology::Lines => "line",
        Topology::Points => "point",
    }
}
