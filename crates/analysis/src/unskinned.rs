//! Models without skins, whose morph targets move the stored vertices of another model anywhere.

use sinew_model::{
    Channel, Clip, Deltas, Instance, Interpolation, LocalTransform, Mesh, Model, Morphs, Moves, Primitive,
    Property, Rig,
};

/// Returns an empty model with the materials of another one.
pub fn like(model: &Model) -> Model {
    Model {
        materials: model.materials.clone(),
        pictures: model.pictures.clone(),
        rig: Rig::default(),
        ..Model::default()
    }
}

/// Adds a node at the origin with the name of an instance's node, and a mesh for it with morph targets of these names. The
/// first target has full weight at rest.
pub fn begin(made: &mut Model, model: &Model, instance: &Instance, target_names: Vec<String>) {
    let number = made.meshes.len();
    let rig = &mut made.rig;
    rig.names.push(model.rig.names.get(instance.node).cloned().unwrap_or_default());
    rig.parents.push(None);
    rig.rest.push(LocalTransform::IDENTITY);
    rig.file_index.push(model.rig.file_index.get(instance.node).copied().unwrap_or(number as u32));
    let first = rig.rest_weights.len();
    rig.rest_weights.resize(first.saturating_add(target_names.len()), 0.0);
    rig.rest_weights.get_mut(first).into_iter().for_each(|weight| *weight = 1.0);
    rig.weight_ends.push(rig.rest_weights.len() as u32);
    let name = model.meshes.get(instance.mesh).map(|mesh| mesh.name.clone()).unwrap_or_default();
    made.meshes.push(Mesh { name, target_names, ..Mesh::default() });
    made.instances.push(Instance { node: number, mesh: number, skin: None });
}

/// Adds a primitive to the last mesh, without its influences and morph targets.
pub fn add(made: &mut Model, primitive: &Primitive) {
    let primitive = Primitive {
        influences: None,
        unequal_sums: Vec::new(),
        first_joints: Vec::new(),
        shares: None,
        morphs: None,
        ..primitive.clone()
    };
    if let Some(mesh) = made.meshes.last_mut() {
        mesh.primitives.push(primitive);
    }
}

/// Gives a primitive the moves of each target.
pub fn set_targets(primitive: &mut Primitive, positions: &[Moves<3>], normals: &[Moves<3>]) {
    let count = primitive.positions.len();
    let morphs = Morphs {
        positions: Deltas::new(count, positions),
        normals: Deltas::new(count, normals),
        texcoords: vec![None; primitive.texcoords.len()],
        ..Morphs::default()
    };
    primitive.morphs = (!morphs.is_empty()).then_some(morphs);
}

/// Returns a clip that goes from target to target of all nodes, each at full weight at its time.
pub fn clip(name: &str, made: &Model, times: &[f32]) -> Clip {
    let is_alone = times.len() == 1;
    let channel = |node: usize, target: usize| {
        let before = target.checked_sub(1).and_then(|before| times.get(before)).map(|time| (*time, 0.0));
        let at = times.get(target).map(|time| (*time, 1.0));
        let after = times.get(target.saturating_add(1)).map(|time| (*time, 0.0));
        let (times, values): (Vec<f32>, Vec<f32>) = before.into_iter().chain(at).chain(after).unzip();
        // Files have channels of all weights.
        let property = if is_alone { Property::Weights } else { Property::Weight(target as u32) };
        Channel { node, property, interpolation: Interpolation::Linear, times, values }
    };
    let targets = 0..times.len();
    let channels =
        (0..made.rig.len()).flat_map(|node| targets.clone().map(move |target| channel(node, target)));
    Clip {
        name: name.to_owned(),
        duration_secs: times.last().copied().unwrap_or_default(),
        channels: channels.collect(),
    }
}
