//! Reports on the avatar (VRM) and on the morph targets of the face.

use std::collections::BTreeSet;

use serde::Serialize;

use super::file_node;
use sinew_model::{FACE, Model, face_name};

/// The minimum number of ARKit's names among the morph targets of a face.
const MIN_NAMES: usize = 5;

/// The bones without which an avatar is none (VRM 1.0, humanoid).
const REQUIRED: [&str; 15] = [
    "hips",
    "spine",
    "head",
    "leftUpperLeg",
    "leftLowerLeg",
    "leftFoot",
    "rightUpperLeg",
    "rightLowerLeg",
    "rightFoot",
    "leftUpperArm",
    "leftLowerArm",
    "leftHand",
    "rightUpperArm",
    "rightLowerArm",
    "rightHand",
];

/// An avatar (VRM).
#[derive(Clone, Debug, Serialize)]
pub struct Avatar {
    /// Version of VRM, `0` or `1.0`.
    pub version: String,
    /// Its name.
    pub name: String,
    /// Its authors.
    pub authors: Vec<String>,
    /// Name or address of its licence.
    pub licence: Option<String>,
    /// Human bones with their nodes.
    pub bones: Vec<Bone>,
    /// Bones that VRM requires and the file lacks.
    pub missing_bones: Vec<&'static str>,
    /// Its expressions, which `--morph` takes by name.
    pub expressions: Vec<Expression>,
    /// The number of groups of springs, which do not swing.
    pub springs: usize,
    /// The number of materials whose toon shading is not drawn.
    pub toon_materials: usize,
}

/// A human bone.
#[derive(Clone, Debug, Serialize)]
pub struct Bone {
    /// VRM's name of it.
    pub bone: String,
    /// Its node.
    pub node: u32,
    /// The node's name.
    pub name: String,
}

/// An expression.
#[derive(Clone, Debug, Serialize)]
pub struct Expression {
    /// Its name.
    pub name: String,
    /// True for one that VRM names.
    pub preset: bool,
    /// The number of morph targets that it moves.
    pub targets: usize,
}

/// The morph targets of a face, by ARKit's names.
#[derive(Clone, Debug, Serialize)]
pub struct Face {
    /// Names that the file has.
    pub found: Vec<&'static str>,
    /// Names that it lacks.
    pub missing: Vec<&'static str>,
}

/// Reports on the avatar, if the file has one.
pub fn avatar(model: &Model) -> Option<Avatar> {
    let avatar = model.avatar.as_ref()?;
    let bone = |(bone, node): &(String, usize)| Bone {
        bone: bone.clone(),
        node: file_node(model, *node),
        name: model.rig.names.get(*node).cloned().unwrap_or_default(),
    };
    let expression = |of: &sinew_model::Expression| Expression {
        name: of.name.clone(),
        preset: of.is_preset,
        targets: of.targets.len(),
    };
    let is_missing = |name: &&str| !avatar.bones.iter().any(|(bone, _)| bone == name);
    Some(Avatar {
        version: avatar.version.clone(),
        name: avatar.name.clone(),
        authors: avatar.authors.clone(),
        licence: avatar.licence.clone(),
        bones: avatar.bones.iter().map(bone).collect(),
        missing_bones: REQUIRED.into_iter().filter(is_missing).collect(),
        expressions: avatar.expressions.iter().map(expression).collect(),
        springs: avatar.springs,
        toon_materials: avatar.toon_materials,
    })
}

/// Reports on the face, if some morph targets have ARKit's names.
pub fn face(model: &Model) -> Option<Face> {
    let targets = model.meshes.iter().flat_map(|mesh| &mesh.target_names);
    let found: BTreeSet<&'static str> = targets.filter_map(|name| face_name(name)).collect();
    let missing = FACE.into_iter().filter(|name| !found.contains(name)).collect();
    (found.len() >= MIN_NAMES).then(|| Face { found: found.into_iter().collect(), missing })
}
