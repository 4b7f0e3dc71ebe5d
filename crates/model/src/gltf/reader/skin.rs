//! Reads skins, and finds the skin that limits a mesh's joint numbers.

use std::collections::HashSet;

use glam::DMat4;

use super::accessor::Accessors;
use super::node::Nodes;
use super::transform;
use crate::gltf::json::Document;
use crate::reading::error::LoadError;
use crate::reading::warnings::Warnings;
use crate::rig::{Skin, SkinningMethod};

/// The skin whose joint count a mesh's joint numbers must stay below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkinUse {
    /// Index of the skin.
    pub skin: usize,
    /// How many joints it has.
    pub joint_count: usize,
}

/// For every mesh the smallest skin that any node uses it with; `None` for meshes without a skin.
///
/// All nodes count, not only those of the chosen scene, so that a mesh fits wherever it is used.
pub fn smallest_uses(document: &Document) -> Vec<Option<SkinUse>> {
    let mut uses: Vec<Option<SkinUse>> = vec![None; document.meshes.len()];
    for node in &document.nodes {
        let (Some(mesh), Some(skin)) = (node.mesh, node.skin) else {
            continue;
        };
        if let (Some(slot), Some(used)) = (uses.get_mut(mesh), document.skins.get(skin)) {
            let found = SkinUse { skin, joint_count: used.joints.len() };
            if slot.is_none_or(|known| found.joint_count < known.joint_count) {
                *slot = Some(found);
            }
        }
    }
    uses
}

/// Reads all skins.
pub fn read(
    document: &Document,
    nodes: &Nodes,
    accessors: &mut Accessors<'_>,
    warnings: &mut Warnings,
) -> Result<Vec<Skin>, LoadError> {
    let mut skins = Vec::with_capacity(document.skins.len());
    for (index, skin) in document.skins.iter().enumerate() {
        let path = format!("skins[{index}]");
        let joints = joints(&skin.joints, nodes, &format!("{path}.joints"), warnings)?;
        accessors.charge(&path, joints.len(), size_of::<DMat4>())?;
        let joint_from_bind = match skin.inverse_bind_matrices {
            Some(accessor) => {
                let path = format!("{path}.inverseBindMatrices");
                let stored = accessors.floats::<16>(accessor, &path)?;
                inverse_bind_matrices(&stored, joints.len(), &path, warnings)?
            }
            None => vec![DMat4::IDENTITY; joints.len()],
        };
        let method = skin.skinning.first().and_then(|name| SkinningMethod::named(name));
        skins.push(Skin { name: skin.name.clone(), joints, joint_from_bind, method });
    }
    Ok(skins)
}

/// Where a skin's joints are in the rig; `path` is that of its list of joints.
pub fn joints(
    file: &[usize],
    nodes: &Nodes,
    path: &str,
    warnings: &mut Warnings,
) -> Result<Vec<usize>, LoadError> {
    if file.is_empty() {
        return Err(LoadError::broken("EMPTY_ENTITY", path, "a skin needs at least one joint"));
    }
    let mut joints = Vec::with_capacity(file.len());
    for (number, joint) in file.iter().enumerate() {
        joints.push(nodes.rig_index(*joint, || format!("{path}[{number}]"))?);
    }
    let different = joints.iter().collect::<HashSet<_>>().len();
    if different < joints.len() {
        let message = format!("{} joints, but only {different} different nodes", joints.len());
        warnings.add("DUPLICATE_ELEMENTS", path, message);
    }
    Ok(joints)
}

/// The matrices of a skin's joints, from what is stored column by column.
pub fn inverse_bind_matrices(
    stored: &[[f32; 16]],
    joint_count: usize,
    path: &str,
    warnings: &mut Warnings,
) -> Result<Vec<DMat4>, LoadError> {
    if stored.len() < joint_count {
        let message = format!("{} matrices for {joint_count} joints", stored.len());
        return Err(LoadError::broken("INVALID_IBM_ACCESSOR_COUNT", path, message));
    }
    let mut matrices = Vec::with_capacity(joint_count);
    let (mut projective, mut singular) = (0_usize, 0_usize);
    for (number, columns) in stored.iter().take(joint_count).enumerate() {
        if columns.iter().any(|value| !value.is_finite()) {
            let message = format!("matrix {number} is not finite");
            return Err(LoadError::broken("ACCESSOR_INVALID_FLOAT", path, message));
        }
        let (matrix, was_affine) = transform::affine(DMat4::from_cols_array(&columns.map(f64::from)));
        projective = projective.saturating_add(usize::from(!was_affine));
        singular = singular.saturating_add(usize::from(matrix.determinant() == 0.0));
        matrices.push(matrix);
    }
    if projective > 0 {
        warnings.add(
            "ACCESSOR_INVALID_IBM",
            path,
            format!("{projective} matrices have a last row other than 0 0 0 1; it was replaced"),
        );
    }
    if singular > 0 {
        // Still drawn: a joint squashed flat is odd, not impossible.
        warnings.add(
            "ACCESSOR_INVALID_IBM",
            path,
            format!("{singular} matrices are singular, so they define no bind pose"),
        );
    }
    Ok(matrices)
}
