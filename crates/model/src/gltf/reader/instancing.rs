//! Reads EXT_mesh_gpu_instancing: each copy of a mesh becomes a node of the rig.

use glam::{DQuat, DVec3};

use super::accessor::Accessors;
use super::node::Nodes;
use super::transform::{QuaternionRepair, unit_quaternion};
use crate::gltf::json::{Document, Instancing};
use crate::reading::error::LoadError;
use crate::reading::warnings::Warnings;
use crate::{Instance, LocalTransform};

/// Minimum memory of a copy: a node, its pose, and draws with their palettes.
const BYTES_PER_COPY: usize = 1024;

/// Replaces every instance whose node has copies by these copies.
pub fn expand(
    document: &Document,
    nodes: &mut Nodes,
    instances: Vec<Instance>,
    accessors: &mut Accessors<'_>,
    warnings: &mut Warnings,
) -> Result<Vec<Instance>, LoadError> {
    let mut expanded = Vec::with_capacity(instances.len());
    for instance in instances {
        let file_node = nodes.rig.file_index.get(instance.node).map_or(0, |index| *index as usize);
        let node = document.nodes.get(file_node);
        let extensions = node.and_then(|node| node.extensions.as_deref());
        let Some(instancing) = extensions.and_then(|extensions| extensions.instancing.as_ref()) else {
            expanded.push(instance);
            continue;
        };
        let path = format!("nodes[{file_node}].extensions.EXT_mesh_gpu_instancing");
        if instance.skin.is_some() {
            warnings.add(
                "NODE_SKINNED_MESH_LOCAL_TRANSFORMS",
                &path,
                "does not move a skinned mesh, which is drawn once, where its joints are",
            );
            expanded.push(instance);
            continue;
        }
        let primitives = document.meshes.get(instance.mesh).map_or(0, |mesh| mesh.primitives.len());
        // Every copy has its original's name.
        let name = node.map_or(0, |node| node.name.len());
        let size = BYTES_PER_COPY.saturating_mul(primitives.max(1)).saturating_add(name);
        let Some(copies) = read(instancing, size, &format!("{path}.attributes"), accessors, warnings)? else {
            warnings.add("EMPTY_ENTITY", &format!("{path}.attributes"), "is empty; the mesh is drawn once");
            expanded.push(instance);
            continue;
        };
        for (number, transform) in copies.into_iter().enumerate() {
            let node = nodes.rig.add_copy(instance.node, number as u32, transform);
            expanded.push(Instance { node, ..instance });
        }
    }
    Ok(expanded)
}

/// The transforms of the copies below their node, each charged `size` bytes; `None` without attributes, which alone
/// determine the number of copies.
fn read(
    instancing: &Instancing,
    size: usize,
    path: &str,
    accessors: &mut Accessors<'_>,
    warnings: &mut Warnings,
) -> Result<Option<Vec<LocalTransform>>, LoadError> {
    // Attributes with other names belong to the application, but their length counts.
    let mut first: Option<(&str, usize)> = None;
    for (name, accessor) in &instancing.attributes {
        let count = accessors.count(*accessor, &format!("{path}.{name}"))?;
        let (known, expected) = *first.get_or_insert((name, count));
        if count != expected {
            let message = format!("{count} elements, but {known} has {expected}");
            return Err(LoadError::invalid(format!("{path}.{name}"), message));
        }
    }
    let Some((_, count)) = first else { return Ok(None) };
    accessors.charge(path, count, size)?;

    let translations = attribute::<3>(instancing, "TRANSLATION", path, accessors)?;
    let rotations = attribute::<4>(instancing, "ROTATION", path, accessors)?;
    let scales = attribute::<3>(instancing, "SCALE", path, accessors)?;
    let mut odd = 0_usize;
    let mut copies = Vec::with_capacity(count);
    for number in 0..count {
        let vector = |all: &Option<Vec<[f32; 3]>>| {
            let vector = all.as_ref().and_then(|all| all.get(number));
            vector.map(|vector| DVec3::from(vector.map(f64::from)))
        };
        let given = rotations.as_ref().and_then(|all| all.get(number));
        let rotation = match given {
            Some(rotation) => {
                let (unit, repair) = unit_quaternion(DQuat::from_array(rotation.map(f64::from)));
                // Components of eight bits are off by more than the tolerance for floats.
                let is_odd = repair == QuaternionRepair::Replaced
                    || repair == QuaternionRepair::Normalized && (length(rotation) - 1.0).abs() > 0.02;
                odd = odd.saturating_add(is_odd.into());
                unit
            }
            None => DQuat::IDENTITY,
        };
        copies.push(LocalTransform::Trs {
            translation: vector(&translations).unwrap_or(DVec3::ZERO),
            rotation,
            scale: vector(&scales).unwrap_or(DVec3::ONE),
        });
    }
    if odd > 0 {
        let message = format!("{odd} of {count} were not unit quaternions and were normalised");
        warnings.add("ROTATION_NON_UNIT", &format!("{path}.ROTATION"), message);
    }
    Ok(Some(copies))
}

fn length(vector: &[f32; 4]) -> f32 {
    vector.iter().map(|x| x * x).sum::<f32>().sqrt()
}

/// Reads one of the attributes that place copies, with finite numbers only.
fn attribute<const N: usize>(
    instancing: &Instancing,
    name: &str,
    path: &str,
    accessors: &mut Accessors<'_>,
) -> Result<Option<Vec<[f32; N]>>, LoadError> {
    let Some(accessor) = instancing.attributes.get(name) else { return Ok(None) };
    let path = format!("{path}.{name}");
    let values = accessors.floats::<N>(*accessor, &path)?;
    match values.iter().position(|value| value.iter().any(|x| !x.is_finite())) {
        Some(copy) => Err(LoadError::invalid(path, format!("copy {copy} is not finite"))),
        None => Ok(Some(values)),
    }
}
