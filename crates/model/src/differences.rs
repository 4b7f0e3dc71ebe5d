//! The differences between two models that were read from one file in two ways.

use crate::{Material, Mesh, Model, Primitive};

/// Returns the differences by name and place; none for equal models. Rest transforms may differ by the rounding to single
/// precision. If one model lacks pictures, its textures do not count.
pub fn differences(ours: &Model, theirs: &Model) -> Vec<String> {
    let mut found = Vec::new();
    let mut same = |what: &str, is_same: bool| {
        if !is_same {
            found.push(what.to_owned());
        }
    };
    same("node names", ours.rig.names == theirs.rig.names);
    same("node parents", ours.rig.parents == theirs.rig.parents);
    same("node numbers", ours.rig.file_index == theirs.rig.file_index);
    same("rest transforms", has_same_rest(ours, theirs));
    same("rest weights", ours.rig.rest_weights == theirs.rig.rest_weights);
    same("weight ends", ours.rig.weight_ends == theirs.rig.weight_ends);
    same("scenes", (&ours.scenes, ours.scene) == (&theirs.scenes, theirs.scene));
    same("instances", ours.instances == theirs.instances);
    same("lights", ours.lights == theirs.lights);
    same("cameras", ours.cameras.len() == theirs.cameras.len());
    same("number of skins", ours.skins.len() == theirs.skins.len());
    for (index, (a, b)) in ours.skins.iter().zip(&theirs.skins).enumerate() {
        same(
            &format!("skin {index} joints"),
            (&a.name, &a.joints, a.method) == (&b.name, &b.joints, b.method),
        );
        same(&format!("skin {index} inverse bind matrices"), a.joint_from_bind == b.joint_from_bind);
    }
    same("number of clips", ours.clips.len() == theirs.clips.len());
    for (index, (a, b)) in ours.clips.iter().zip(&theirs.clips).enumerate() {
        // Debug prints every number in full.
        same(&format!("clips[{index}]"), format!("{a:?}") == format!("{b:?}"));
    }
    same("number of materials", ours.materials.len() == theirs.materials.len());
    let is_whole = ours.pictures == theirs.pictures;
    for (index, (a, b)) in ours.materials.iter().zip(&theirs.materials).enumerate() {
        let is_same = if is_whole { a == b } else { bare(a) == bare(b) };
        same(&format!("materials[{index}]"), is_same);
    }
    same("number of meshes", ours.meshes.len() == theirs.meshes.len());
    for (index, (a, b)) in ours.meshes.iter().zip(&theirs.meshes).enumerate() {
        found.extend(mesh(a, b).into_iter().map(|what| format!("mesh {index} {what}")));
    }
    found
}

fn has_same_rest(ours: &Model, theirs: &Model) -> bool {
    let mut nodes = ours.rig.rest.iter().zip(&theirs.rig.rest);
    ours.rig.len() == theirs.rig.len()
        && nodes.all(|(a, b)| {
            let (a, b) = (a.parent_from_node(), b.parent_from_node());
            let size = a.to_cols_array().into_iter().fold(1.0, |size: f64, number| size.max(number.abs()));
            a.abs_diff_eq(b, 1e-6 * size)
        })
}

fn mesh(ours: &Mesh, theirs: &Mesh) -> Vec<String> {
    let mut found = Vec::new();
    let (a, b) = (ours, theirs);
    if (&a.name, &a.target_names, a.primitives.len()) != (&b.name, &b.target_names, b.primitives.len()) {
        found.push("names or primitives".to_owned());
    }
    for (index, (a, b)) in ours.primitives.iter().zip(&theirs.primitives).enumerate() {
        found.extend(primitive(a, b).into_iter().map(|what| format!("primitive {index} {what}")));
    }
    found
}

fn primitive(ours: &Primitive, theirs: &Primitive) -> Vec<&'static str> {
    let (a, b) = (ours, theirs);
    let joints = |primitive: &Primitive| {
        let spans = primitive.influences.as_ref().map(|influences| &influences.spans);
        spans.map(|spans| spans.iter().map(|span| span.joints.clone()).collect::<Vec<_>>())
    };
    let weights = |primitive: &Primitive| {
        let spans = primitive.influences.as_ref().map(|influences| &influences.spans);
        spans.map(|spans| spans.iter().map(|span| span.weights.clone()).collect::<Vec<_>>())
    };
    [
        ("number", a.file_index == b.file_index),
        ("topology", a.topology == b.topology),
        ("indices", a.indices == b.indices),
        ("positions", a.positions == b.positions),
        ("normals", a.normals == b.normals),
        ("tangents", a.tangents == b.tangents),
        ("texture coordinates", a.texcoords == b.texcoords),
        ("colours", a.colors == b.colors),
        ("joints", joints(a) == joints(b)),
        ("weights", weights(a) == weights(b)),
        ("sums of weights", a.unequal_sums == b.unequal_sums),
        ("first joints", a.first_joints == b.first_joints),
        ("morph targets", format!("{:?}", a.morphs) == format!("{:?}", b.morphs)),
        ("material", a.material == b.material),
    ]
    .into_iter()
    .filter(|(_, is_same)| !is_same)
    .map(|(what, _)| what)
    .collect()
}

/// A material without textures and values derived from them.
fn bare(material: &Material) -> Material {
    let mut bare = material.clone();
    let maps =
        [&mut bare.base_color_texture, &mut bare.metallic_roughness_texture, &mut bare.emissive_texture];
    maps.into_iter().for_each(|texture| *texture = None);
    (bare.normal, bare.occlusion) = (None, None);
    if let Some(specular) = bare.specular.as_mut() {
        (specular.texture, specular.color_texture) = (None, None);
    }
    if let Some(coat) = bare.clearcoat.as_mut() {
        (coat.texture, coat.roughness_texture, coat.normal) = (None, None, None);
    }
    if let Some(sheen) = bare.sheen.as_mut() {
        (sheen.color_texture, sheen.roughness_texture) = (None, None);
    }
    if let Some(transmission) = bare.transmission.as_mut() {
        transmission.texture = None;
    }
    if let Some(older) = bare.specular_glossiness.as_mut() {
        (older.diffuse_texture, older.texture) = (None, None);
        // Derived from the textures' means.
        (bare.base_color, bare.metallic, bare.roughness) = ([0.0; 4], 0.0, 0.0);
    }
    bare
}
