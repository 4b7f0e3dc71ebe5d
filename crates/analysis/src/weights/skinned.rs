//! Skins a model by the `f64` reference, without the data that measures of positions do not need.

use std::collections::HashMap;

use glam::{DAffine3, DQuat, DVec3};

use sinew_model::{Instance, LocalTransform, Mesh, Model, Primitive, Rig};
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::Pose;
use sinew_skinning::posed::{SkinnedPrimitive, reference_surfaces};

/// Returns a copy of a model with only some of its instances, in this order, their skins, and only the positions of meshes.
/// Without morph targets, so the mesh stays as it is in the bind pose.
pub fn bare(model: &Model, instances: &[usize]) -> Model {
    let primitive = |primitive: &Primitive| Primitive {
        file_index: primitive.file_index,
        topology: primitive.topology,
        positions: primitive.positions.clone(),
        influences: primitive.influences.clone(),
        ..Primitive::default()
    };
    let mut bare = Model::default();
    let mut skins: HashMap<usize, usize> = HashMap::new();
    for instance in instances.iter().filter_map(|instance| model.instances.get(*instance)) {
        let mesh = model.meshes.get(instance.mesh).map_or(&[][..], |mesh| &mesh.primitives);
        let skin = instance.skin.and_then(|skin| Some((skin, model.skins.get(skin)?)));
        let skin = skin.map(|(number, skin)| {
            *skins.entry(number).or_insert_with(|| {
                bare.skins.push(skin.clone());
                bare.skins.len() - 1
            })
        });
        bare.instances.push(Instance { node: instance.node, mesh: bare.meshes.len(), skin });
        bare.meshes.push(Mesh { primitives: mesh.iter().map(primitive).collect(), ..Mesh::default() });
    }
    bare.rig = Rig { parents: model.rig.parents.clone(), rest: model.rig.rest.clone(), ..Rig::default() };
    bare
}

/// Returns the positions in a pose of the vertices of primitives with joints, one primitive after the other.
pub fn places(
    model: &Model,
    mode: SkinningMode,
    pose: &Pose,
    skinned: &mut Vec<SkinnedPrimitive<f64>>,
    out: &mut Vec<DVec3>,
) {
    reference_surfaces(model, mode, pose, skinned);
    out.clear();
    for found in skinned.iter() {
        let instance = model.instances.get(found.instance);
        let mesh = instance.and_then(|instance| model.meshes.get(instance.mesh));
        let source = mesh.and_then(|mesh| mesh.primitives.get(found.primitive));
        if source.is_some_and(|source| source.influences.is_some()) {
            out.extend(found.positions.iter().map(|position| DVec3::from_array(*position)));
        }
    }
}

/// Turns a node of a pose about its own position; `rotation` is in the node's space.
pub fn turn_inside(pose: &mut Pose, node: usize, rotation: DQuat) {
    match pose.locals.get_mut(node) {
        Some(LocalTransform::Trs { rotation: local, .. }) => *local *= rotation,
        Some(LocalTransform::Matrix(matrix)) => *matrix *= DAffine3::from_quat(rotation),
        None => {}
    }
}

/// Turns a node of a pose about its own position; `rotation` is in its parent's space.
pub fn turn(pose: &mut Pose, node: usize, rotation: DQuat) {
    match pose.locals.get_mut(node) {
        Some(LocalTransform::Trs { rotation: local, .. }) => *local = rotation * *local,
        Some(LocalTransform::Matrix(matrix)) => {
            let place = matrix.translation;
            *matrix = DAffine3::from_quat(rotation) * *matrix;
            matrix.translation = place;
        }
        None => {}
    }
}
