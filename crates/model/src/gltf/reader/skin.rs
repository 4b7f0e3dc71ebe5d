//! Reads skins, and finds the skin that limits a mesh's joint numbers.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use glam::DMat4;

use super::accessor::Accessors;
use super::node::Nodes;
use super::transform;
use crate::gltf::json::Document;
use crate::reading::error::LoadError;
use crate::reading::warnings::Warnings;
use crate::rig::{Skin, SkinningMethod};

/// The skin that limits a mesh's joint numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkinUse {
    /// Index of the skin.
    pub skin: usize,
    /// Number of joints in the skin.
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
    // Skins with the same matrices, or none, share them.
    let mut known: HashMap<(Option<usize>, usize), BindMatrices> = HashMap::new();
    for (index, skin) in document.skins.iter().enumerate() {
        let path = format!("skins[{index}]");
        let joints = joints(&skin.joints, nodes, &format!("{path}.joints"), warnings)?;
        let matrices = match known.entry((skin.inverse_bind_matrices, joints.len())) {
            Entry::Occupied(matrices) => matrices.into_mut(),
            Entry::Vacant(place) => {
                accessors.charge(&path, joints.len(), size_of::<DMat4>())?;
                place.insert(match skin.inverse_bind_matrices {
                    Some(accessor) => {
                        let path = matrices_of(&path);
                        let stored = accessors.floats::<16>(accessor, &path)?;
                        BindMatrices::read(&stored, joints.len(), &path)?
                    }
                    None => BindMatrices::none(joints.len()),
                })
            }
        };
        matrices.warn(&matrices_of(&path), warnings);
        let joint_from_bind = Arc::clone(&matrices.joint_from_bind);
        let method = skin.skinning.first().and_then(|name| SkinningMethod::named(name));
        skins.push(Skin { name: skin.name.clone(), joints, joint_from_bind, method });
    }
    Ok(skins)
}

/// Returns the rig indices of a skin's joints; `path` is that of its list of joints.
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

/// The path of the matrices of the skin at `path`.
fn matrices_of(path: &str) -> String {
    format!("{path}.inverseBindMatrices")
}

/// The inverse bind matrices of a skin's joints, and their faults.
pub struct BindMatrices {
    /// One matrix per joint.
    pub joint_from_bind: Arc<[DMat4]>,
    projective: usize,
    singular: usize,
}

impl BindMatrices {
    /// Returns the matrices of a skin that stores none.
    pub fn none(joint_count: usize) -> Self {
        // Not from a list, which would be there twice for a moment.
        let joint_from_bind = std::iter::repeat_n(DMat4::IDENTITY, joint_count).collect();
        Self { joint_from_bind, projective: 0, singular: 0 }
    }

    /// From columns, as stored.
    ///
    /// # Errors
    /// If there are too few, or one is not finite.
    pub fn read(stored: &[[f32; 16]], joint_count: usize, path: &str) -> Result<Self, LoadError> {
        if stored.len() < joint_count {
            let message = format!("{} matrices for {joint_count} joints", stored.len());
            return Err(LoadError::broken("INVALID_IBM_ACCESSOR_COUNT", path, message));
        }
        let stored = stored.iter().take(joint_count);
        let is_finite = |columns: &[f32; 16]| columns.iter().all(|value| value.is_finite());
        if let Some(number) = stored.clone().position(|columns| !is_finite(columns)) {
            let message = format!("matrix {number} is not finite");
            return Err(LoadError::broken("ACCESSOR_INVALID_FLOAT", path, message));
        }
        let (mut projective, mut singular) = (0_usize, 0_usize);
        let joint_from_bind = stored.map(|columns| {
            let (matrix, was_affine) = transform::affine(DMat4::from_cols_array(&columns.map(f64::from)));
            projective = projective.saturating_add(usize::from(!was_affine));
            singular = singular.saturating_add(usize::from(matrix.determinant() == 0.0));
            matrix
        });
        let joint_from_bind = joint_from_bind.collect();
        Ok(Self { joint_from_bind, projective, singular })
    }

    /// Warns of invalid matrices, for the skin whose matrices are at `path`.
    pub fn warn(&self, path: &str, warnings: &mut Warnings) {
        let mut warn = |message| warnings.add("ACCESSOR_INVALID_IBM", path, message);
        if self.projective > 0 {
            let count = self.projective;
            warn(format!("{count} matrices have a last row other than 0 0 0 1; it was replaced"));
        }
        if self.singular > 0 {
            // Still drawn: a joint squashed flat is odd, not impossible.
            warn(format!("{} matrices are singular, so they define no bind pose", self.singular));
        }
    }
}
