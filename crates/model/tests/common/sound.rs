//! Checks the invariants of every loaded model.

#![allow(dead_code, reason = "FBX files need a part")]

use sinew_model::{Deltas, Interpolation, LocalTransform, Material, Model, Primitive, Property, Topology};

/// Panics if the model breaks an invariant of its types, or its nodes are not those of its file, once each.
pub fn assert_sound(model: &Model) {
    let rig = &model.rig;
    let mut own = rig.file_index[..rig.len() - rig.copies.len()].to_vec();
    own.sort_unstable();
    assert!(own.iter().enumerate().all(|(index, file)| index == *file as usize));
    assert_sound_types(model);
}

/// Panics if the model breaks an invariant of its types.
pub fn assert_sound_types(model: &Model) {
    let rig = &model.rig;
    let nodes = rig.len();
    assert!(rig.names.len() == nodes && rig.rest.len() == nodes && rig.file_index.len() == nodes);
    for (index, parent) in rig.parents.iter().enumerate() {
        assert!(parent.is_none_or(|parent| (parent as usize) < index), "parents come first");
    }
    assert!(rig.copies.len() <= nodes);
    let (own, copies) = rig.file_index.split_at(nodes - rig.copies.len());
    for (file, parent) in copies.iter().zip(&rig.parents[own.len()..]) {
        assert_eq!(Some(file), parent.and_then(|parent| own.get(parent as usize)), "a copy's original");
    }
    for rest in &rig.rest {
        assert!(rest.parent_from_node().is_finite());
        if let LocalTransform::Trs { rotation, .. } = rest {
            assert!((rotation.length() - 1.0).abs() < 1e-12);
        }
    }

    assert!(rig.rest_weights.iter().all(|weight| weight.is_finite()));
    assert!(rig.weight_ends.is_sorted());
    match rig.weight_ends.last() {
        None => assert!(rig.rest_weights.is_empty()),
        Some(end) => assert!(rig.weight_ends.len() == nodes && *end as usize == rig.rest_weights.len()),
    }
    assert!(model.scene.is_none_or(|scene| scene < model.scenes.len()));
    assert!(model.scenes.iter().flat_map(|scene| &scene.roots).all(|root| *root < nodes));

    assert!(model.cameras.iter().all(|camera| camera.node < nodes));
    assert!(model.cameras.is_sorted_by_key(|camera| camera.file_index));
    assert!(model.lights.iter().all(|light| light.node < nodes && light.intensity >= 0.0));

    for skin in &model.skins {
        assert!(!skin.joints.is_empty() && skin.joints.len() == skin.joint_from_bind.len());
        assert!(skin.joints.iter().all(|joint| *joint < nodes));
        for matrix in &*skin.joint_from_bind {
            assert!(matrix.is_finite() && matrix.row(3).to_array() == [0.0, 0.0, 0.0, 1.0]);
        }
    }

    for (mesh, primitive) in
        model.meshes.iter().flat_map(|mesh| mesh.primitives.iter().map(move |p| (mesh, p)))
    {
        assert_sound_primitive(primitive);
        assert_sound_morphs(primitive, mesh.target_names.len());
        assert!(primitive.material.is_none_or(|material| material < model.materials.len()));
    }
    for instance in &model.instances {
        assert!(instance.node < nodes && instance.mesh < model.meshes.len());
        assert_eq!(rig.weights_of(instance.node).len(), model.meshes[instance.mesh].target_names.len());
        let Some(skin) = instance.skin else { continue };
        let joints = model.skins[skin].joints.len() as i32;
        for primitive in &model.meshes[instance.mesh].primitives {
            for span in primitive.influences.iter().flat_map(|influences| &influences.spans) {
                assert!(span.joints.iter().flatten().all(|joint| (0..joints).contains(joint)));
            }
        }
    }

    for clip in &model.clips {
        assert!(clip.duration_secs.is_finite() && clip.duration_secs >= clip.first_secs().min(0.0));
        for channel in &clip.channels {
            assert!(channel.node < nodes && !channel.times.is_empty());
            assert!(channel.times.iter().all(|time| time.is_finite()));
            assert!(channel.times.is_sorted_by(|a, b| a < b));
            assert!(channel.values.iter().all(|value| value.is_finite()));
            let per_key = channel.values.len() / channel.times.len();
            assert_eq!(per_key * channel.times.len(), channel.values.len());
            let tangents = if channel.interpolation == Interpolation::CubicSpline { 3 } else { 1 };
            match channel.property {
                Property::Translation | Property::Scale => assert_eq!(per_key, 3 * tangents),
                Property::Rotation => assert_eq!(per_key, 4 * tangents),
                Property::Weights => assert!(per_key > 0 && per_key % tangents == 0),
                Property::Weight(_) => assert_eq!(per_key, tangents),
            }
            if !matches!(channel.property, Property::Weights | Property::Weight(_)) {
                assert!(
                    matches!(rig.rest[channel.node], LocalTransform::Trs { .. }),
                    "clips move no matrices"
                );
            }
        }
    }

    for (_, texture) in model.materials.iter().flat_map(Material::textures) {
        assert!(model.pictures[texture.picture].is_some());
        assert!(texture.transform.rows().iter().flatten().all(|number| number.is_finite()));
    }
    for material in &model.materials {
        let numbers = [material.metallic, material.roughness, material.emissive_strength, material.ior];
        let numbers = numbers.into_iter().chain(material.base_color).chain(material.emissive);
        assert!(numbers.into_iter().all(|number| number.is_finite() && number >= 0.0));
    }
    for picture in model.pictures.iter().flatten() {
        assert!(picture.width > 0 && picture.height > 0);
        assert_eq!(picture.rgba.len(), picture.width as usize * picture.height as usize * 4);
    }
    for warning in &model.warnings {
        assert!(!warning.path.is_empty() && !warning.message.contains('\n'));
    }
}

fn assert_sound_primitive(primitive: &Primitive) {
    let vertices = primitive.positions.len();
    let finite = |values: &[f32]| values.iter().all(|value| value.is_finite());
    assert!(vertices > 0 && !primitive.indices.is_empty());
    assert!(primitive.indices.iter().all(|index| (*index as usize) < vertices));
    let part = match primitive.topology {
        Topology::Triangles => 3,
        Topology::Lines => 2,
        Topology::Points => 1,
    };
    assert!(primitive.indices.len().is_multiple_of(part));
    assert!(finite(primitive.positions.as_flattened()));
    if let Some(normals) = &primitive.normals {
        assert!(normals.len() == vertices && finite(normals.as_flattened()));
        assert!(normals.iter().all(|normal| *normal != [0.0; 3]));
    }
    if let Some(tangents) = &primitive.tangents {
        assert!(tangents.len() == vertices && finite(tangents.as_flattened()));
        assert!(primitive.normals.is_some());
    }
    for set in &primitive.texcoords {
        assert!(set.len() == vertices && finite(set.as_flattened()));
    }
    if let Some(colors) = &primitive.colors {
        assert!(colors.len() == vertices && finite(colors.as_flattened()));
    }
    let Some(influences) = &primitive.influences else { return };
    assert!((1..=4).contains(&influences.spans.len()));
    for span in &influences.spans {
        assert!(span.joints.len() == vertices && span.weights.len() == vertices);
    }
    for vertex in 0..vertices {
        let weights: Vec<f32> = influences.spans.iter().flat_map(|span| span.weights[vertex]).collect();
        assert_eq!(weights.iter().sum::<f32>(), 1.0);
        assert_eq!(weights.iter().rev().sum::<f32>(), 1.0);
        assert!(weights.is_sorted_by(|a, b| a >= b) && weights.iter().all(|weight| *weight >= 0.0));
    }
}

fn assert_sound_morphs(primitive: &Primitive, targets: usize) {
    fn sound<const N: usize>(deltas: &Option<Deltas<N>>, vertices: Option<usize>, targets: usize) {
        let Some(deltas) = deltas else { return };
        assert_eq!(Some(deltas.ends.len()), vertices, "what moves is there");
        assert!(deltas.ends.is_sorted() && !deltas.targets.is_empty());
        assert_eq!(deltas.ends[deltas.ends.len() - 1] as usize, deltas.targets.len());
        assert_eq!(deltas.values.len(), deltas.targets.len());
        assert!(deltas.values.iter().all(|value| value.iter().all(|x| x.is_finite()) && *value != [0.0; N]));
        for vertex in 0..deltas.ends.len() {
            let numbers: Vec<u32> = deltas.of(vertex).map(|(target, _)| target).collect();
            assert!(numbers.is_sorted_by(|a, b| a < b) && numbers.iter().all(|n| (*n as usize) < targets));
        }
    }
    let Some(morphs) = &primitive.morphs else { return };
    assert!(!morphs.is_empty());
    sound(&morphs.positions, Some(primitive.positions.len()), targets);
    sound(&morphs.normals, primitive.normals.as_ref().map(Vec::len), targets);
    sound(&morphs.tangents, primitive.tangents.as_ref().map(Vec::len), targets);
    sound(&morphs.colors, primitive.colors.as_ref().map(Vec::len), targets);
    assert_eq!(morphs.texcoords.len(), primitive.texcoords.len());
    for (deltas, set) in morphs.texcoords.iter().zip(&primitive.texcoords) {
        sound(deltas, Some(set.len()), targets);
    }
}
