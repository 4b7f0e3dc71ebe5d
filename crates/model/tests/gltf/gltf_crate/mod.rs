//! Compares the loader with the second way to the same model: the `gltf` crate's parser and
//! [`sinew_model::gltf::from_gltf`].

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod compressed;
mod corpus;
mod odd;

use std::sync::Arc;

use serde_json::{Value, json};
use sinew_model::gltf::{self, from_gltf};
use sinew_model::{Model, SkinningMethod, builtin, differences};

use self::odd::split;
use crate::file::glb;

/// Built-in models with few and with many joints.
const BUILT_IN: [&str; 7] = ["character", "twist", "bend", "strip", "tube-2", "tube-20", "tube-300"];

#[test]
fn built_in_models_are_the_same_both_ways() {
    for name in BUILT_IN {
        let glb = builtin::glb(name).unwrap();
        let ours = gltf::load_bytes(&glb, None).unwrap();
        let file = ::gltf::Gltf::from_slice(&glb).unwrap();
        let theirs = from_gltf(&file.document, &[file.blob.as_deref().unwrap()]).unwrap();
        assert_eq!(differences(&ours, &theirs), [""; 0], "{name}");
        let weights = theirs.meshes.iter().flat_map(|mesh| &mesh.primitives);
        assert!(weights.flat_map(|primitive| &primitive.influences).count() > 0, "{name} has no influences");
    }
}

/// A document of the crate, unchecked.
fn document(file: &Value) -> ::gltf::Document {
    let root = ::gltf::json::Root::from_slice(file.to_string().as_bytes()).unwrap();
    ::gltf::Document::from_json_without_validation(root)
}

/// The model of a file and its first buffer, which is the same both ways.
fn both(file: &Value, binary: &[u8]) -> Model {
    let ours = gltf::load_bytes(&glb(file.to_string().as_bytes(), binary), None).unwrap();
    let theirs = from_gltf(&document(file), &[binary]).unwrap();
    assert_eq!(differences(&ours, &theirs), [""; 0]);
    theirs
}

#[test]
fn extras_and_odd_attributes_are_kept() {
    let (mut file, binary) = split(&builtin::glb("twist").unwrap());
    file["skins"][0]["extras"] = json!({"sinew": {"skinning": "dual quaternion"}});
    file["meshes"][0]["extras"] = json!({"targetNames": ["smile"]});
    let primitive = &mut file["meshes"][0]["primitives"][0];
    let positions = primitive["attributes"]["POSITION"].clone();
    // The format knows neither; the crate keeps the first.
    primitive["attributes"]["_OWN"] = positions.clone();
    primitive["attributes"]["ODD"] = positions.clone();
    primitive["targets"] = json!([{"POSITION": positions}]);
    let theirs = both(&file, &binary);
    assert_eq!(theirs.skins[0].method, Some(SkinningMethod::DualQuaternion));
    assert_eq!(theirs.meshes[0].target_names, ["smile"]);
}

#[test]
fn given_buffers_go_before_their_uris() {
    let (mut file, binary) = split(&builtin::glb("twist").unwrap());
    file["buffers"][0]["uri"] = json!("../elsewhere.bin");
    let theirs = from_gltf(&document(&file), &[&binary]).unwrap();
    let ours = gltf::load_bytes(&builtin::glb("twist").unwrap(), None).unwrap();
    assert_eq!(differences(&ours, &theirs), [""; 0]);
}

#[test]
fn a_nudge_anywhere_is_found() {
    let ours = gltf::load_bytes(&builtin::glb("character").unwrap(), None).unwrap();
    type Nudge = (&'static str, fn(&mut Model));
    let nudged: [Nudge; 10] = [
        ("weights", |model| {
            let weights = &mut model.meshes[0].primitives[0].influences.as_mut().unwrap().spans[0].weights;
            weights[7][0] = weights[7][0].next_down();
        }),
        ("joints", |model| {
            model.meshes[0].primitives[0].influences.as_mut().unwrap().spans[0].joints[7][0] ^= 1;
        }),
        ("skin 0 joints", |model| model.skins[0].method = Some(SkinningMethod::Blended)),
        ("name", |model| model.meshes[0].target_names.push(String::new())),
        ("positions", |model| {
            let position = &mut model.meshes[0].primitives[0].positions[3];
            position[1] = position[1].next_up();
        }),
        ("indices", |model| model.meshes[0].primitives[0].indices.swap(0, 1)),
        ("inverse bind matrices", |model| {
            Arc::make_mut(&mut model.skins[0].joint_from_bind)[2].w_axis.y += 1e-9
        }),
        ("clips", |model| {
            let time = &mut model.clips[0].channels[0].times[0];
            *time = time.next_up();
        }),
        ("materials", |model| model.materials[0].roughness *= 0.999),
        ("rest transforms", |model| {
            let mut matrix = model.rig.rest[1].parent_from_node();
            matrix.w_axis.z += 1e-5;
            model.rig.rest[1] = sinew_model::LocalTransform::from_matrix(matrix);
        }),
    ];
    for (what, nudge) in nudged {
        let mut theirs = ours.clone();
        nudge(&mut theirs);
        let found = differences(&ours, &theirs);
        assert!(found.len() == 1 && found[0].contains(what), "{what}: {found:?}");
    }
}
