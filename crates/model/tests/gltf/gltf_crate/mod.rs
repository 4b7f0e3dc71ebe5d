//! Compares the loader with a second reader of the same files: the `gltf` crate's parser, through
//! [`sinew_model::gltf::from_gltf`].

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod compare;
mod corpus;
mod odd;
mod source;

use std::sync::Arc;

use sinew_model::builtin;
use sinew_model::gltf::{self, from_gltf};

use self::compare::differences;

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

#[test]
fn a_nudge_anywhere_is_found() {
    let ours = gltf::load_bytes(&builtin::glb("character").unwrap(), None).unwrap();
    type Nudge = (&'static str, fn(&mut sinew_model::Model));
    let nudged: [Nudge; 8] = [
        ("weights", |model| {
            let weights = &mut model.meshes[0].primitives[0].influences.as_mut().unwrap().spans[0].weights;
            weights[7][0] = weights[7][0].next_down();
        }),
        ("joints", |model| {
            model.meshes[0].primitives[0].influences.as_mut().unwrap().spans[0].joints[7][0] ^= 1;
        }),
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
