//! Describes the place of a vertex: its names in the file, and the joint that moves it most.

use serde::Serialize;
use sinew_model::{Model, VertexIndex, VertexName};
use sinew_skinning::skin_of;

/// A drawn primitive by the file's own indices.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InFile {
    /// The node that draws it.
    pub node: u32,
    /// The index of the node's copy, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copy: Option<u32>,
    /// The mesh.
    pub mesh: usize,
    /// The primitive in the mesh.
    pub primitive: usize,
}

impl InFile {
    /// Returns the indices of an instance's primitive; `None` if the model does not draw it.
    pub fn of(model: &Model, (instance, primitive): (usize, usize)) -> Option<Self> {
        let instance = model.instances.get(instance)?;
        Some(Self {
            node: model.rig.file_index.get(instance.node).copied()?,
            copy: model.rig.copy_number(instance.node),
            mesh: instance.mesh,
            primitive: model.meshes.get(instance.mesh)?.primitives.get(primitive)?.file_index,
        })
    }
}

/// A vertex by the file's own indices.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Place {
    /// The vertex's name, in the form that `--vertex` accepts.
    pub name: String,
    /// The primitive.
    #[serde(flatten)]
    pub in_file: InFile,
    /// The vertex in the primitive.
    pub vertex: usize,
    /// The joint with the largest weight there, by name or as `#NODE`; the node itself if no skin moves it, and null if no
    /// joint does.
    pub joint: Option<String>,
}

/// Describes a vertex; `None` if the model does not draw it.
pub fn place(model: &Model, index: VertexIndex) -> Option<Place> {
    Some(Place {
        name: VertexName::of(model, index).to_string(),
        in_file: InFile::of(model, (index.instance, index.primitive))?,
        vertex: index.vertex,
        joint: joint_of(model, index),
    })
}

/// Returns the joint with the largest weight at a vertex, as in [`Place::joint`].
pub fn joint_of(model: &Model, index: VertexIndex) -> Option<String> {
    heaviest(model, index).map(|node| joint_name(model, node))
}

/// Returns the node of the joint with the largest weight; the instance's node if no skin moves the vertex.
pub fn heaviest(model: &Model, index: VertexIndex) -> Option<usize> {
    let instance = model.instances.get(index.instance)?;
    let primitive = model.meshes.get(instance.mesh)?.primitives.get(index.primitive)?;
    let Some(skin) = skin_of(model, instance, primitive.influences.is_some()) else {
        return Some(instance.node);
    };
    // Influences are sorted by weight.
    let ([joint, ..], _) = primitive.influences.as_ref()?.of_vertex(0, index.vertex);
    skin.joints.get(usize::try_from(joint).ok()?).copied()
}

/// Returns a joint's name, or `#NODE` with its number in the file if it has none.
pub fn joint_name(model: &Model, node: usize) -> String {
    match model.rig.names.get(node).filter(|name| !name.is_empty()) {
        Some(name) => name.clone(),
        None => format!("#{}", model.rig.file_index.get(node).copied().unwrap_or_default()),
    }
}
