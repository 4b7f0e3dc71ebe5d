//! Tests of small models with rare features: copies of nodes, animated matrices, several primitives of one mesh.

use super::*;
use glam::{DMat4, DVec3};
use sinew_model::gltf::{load_bytes, write_glb};
use sinew_model::{Clip, Deltas, Influences, LocalTransform, Mesh, Morphs, Rig, Skin, Span};

const ALL: Limits = Limits { most: 16, least: 0.0 };

/// Makes a triangle whose corners follow two joints each, with these as the first.
fn triangle(joints: [i32; 3]) -> Primitive {
    let joints = joints.iter().map(|&joint| [joint, joint + 1, joint + 1, joint + 1]).collect();
    Primitive {
        indices: vec![0, 1, 2],
        positions: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        influences: Some(Influences {
            spans: vec![Span { joints, weights: vec![[0.75, 0.25, 0.0, 0.0]; 3] }],
        }),
        ..Primitive::default()
    }
}

/// Makes a channel that moves one property.
fn channel(node: usize, property: Property, values: Vec<f32>) -> Channel {
    Channel { node, property, interpolation: Interpolation::Linear, times: vec![0.0, 1.0], values }
}

/// Makes a mesh of two triangles on ten joints below a root, drawn by node 11.
fn model() -> Model {
    let nodes = 12;
    Model {
        rig: Rig {
            names: (0..nodes).map(|node| format!("n{node}")).collect(),
            parents: (0..nodes).map(|node| (node > 0).then_some(0)).collect(),
            rest: vec![LocalTransform::IDENTITY; nodes],
            file_index: (0..nodes as u32).collect(),
            ..Rig::default()
        },
        meshes: vec![Mesh {
            name: "m".into(),
            primitives: vec![triangle([0, 1, 2]), Primitive { file_index: 1, ..triangle([6, 7, 8]) }],
            ..Mesh::default()
        }],
        skins: vec![Skin {
            name: "s".into(),
            joints: (1..11).collect(),
            joint_from_bind: [DMat4::IDENTITY; 10].into(),
            method: None,
        }],
        instances: vec![Instance { node: 11, mesh: 0, skin: Some(0) }],
        clips: vec![Clip {
            name: "c".into(),
            duration_secs: 1.0,
            channels: vec![channel(8, Property::Translation, vec![0.0, 0.0, 0.0, 1.0, 2.0, 3.0])],
        }],
        ..Model::default()
    }
}

#[test]
fn parts_have_nodes_and_skins_of_their_own() {
    let original = model();
    let wanted = Wanted { influences: ALL, max_joints: Some(4) };
    let made = rigged(&original, &wanted).unwrap();
    let split = Split { primitives: 0, parts: 0, wide_skins: 1, skins: 2, nodes: 1 };
    assert_eq!(made.changes.split, split, "each triangle is whole, with a separate skin");
    let read = load_bytes(&write_glb(&made.model).unwrap(), None).unwrap();
    assert!(read.warnings.is_empty() && read.faults.is_empty(), "{:?} {:?}", read.warnings, read.faults);
    assert_eq!(read.rig.names[12], "n11 part 2");
    assert_eq!(
        read.skins.iter().map(|skin| skin.joints.clone()).collect::<Vec<_>>(),
        [vec![1, 2, 3, 4], vec![7, 8, 9, 10]]
    );
    let pairing = made.pairing(&original, &Landings::by_node(&read));
    let pairs: Vec<(usize, usize)> = pairing.pairs.iter().map(|pair| (pair.old, pair.new)).collect();
    assert_eq!((pairs, pairing.count()), (vec![(0, 0), (1, 1)], 6));

    let error = rigged(&original, &Wanted { max_joints: Some(3), ..wanted }).unwrap_err();
    assert_eq!((error.needed, error.max_joints), (4, 3));
    let whole = rigged(&original, &Wanted { max_joints: Some(10), ..wanted }).unwrap();
    assert_eq!((whole.changes, whole.model.skins.len()), (Changes::default(), 1));
}

#[test]
fn copies_get_weights_of_their_own() {
    let mut original = model();
    let morphs = Morphs { positions: Deltas::new(3, &[vec![(1, [0.0, 0.0, 1.0])]]), ..Morphs::default() };
    original.meshes[0].primitives.iter_mut().for_each(|primitive| primitive.morphs = Some(morphs.clone()));
    original.meshes[0].target_names = vec!["up".into()];
    let rig = &mut original.rig;
    rig.weight_ends = (0..12).map(|node| u32::from(node == 11)).collect();
    rig.rest_weights = vec![0.5];
    for number in 0..2 {
        rig.names.push("n11".into());
        rig.parents.push(Some(11));
        rig.rest.push(LocalTransform::IDENTITY);
        rig.file_index.push(11);
        rig.copies.push(number);
    }
    original.instances = [12, 13].map(|node| Instance { node, mesh: 0, skin: Some(0) }).to_vec();
    original.clips[0].channels = vec![
        channel(11, Property::Weights, vec![0.0, 1.0]),
        channel(11, Property::Weight(0), vec![0.25, 0.75]),
    ];
    let single = Clip { channels: vec![original.clips[0].channels[1].clone()], ..original.clips[0].clone() };
    original.clips.insert(0, single);
    let made = rigged(&original, &Wanted { influences: ALL, max_joints: Some(4) }).unwrap();
    assert_eq!((made.model.clips.len(), made.changes.split.nodes), (2, 2));
    for clip in &made.model.clips {
        assert_eq!(clip.channels[0].property, Property::Weights, "single weights are in one channel");
        assert_eq!(clip.channels[0].values, [0.25, 0.75], "the later channel counts");
    }
    let moved: Vec<usize> = made.model.clips[0].channels.iter().map(|channel| channel.node).collect();
    assert_eq!(moved, [11, 12, 13, 14, 15], "the original, its copies, and the second part of each");
    assert_eq!(made.model.rig.rest_weights, [0.5; 5]);
    assert_eq!(made.model.rig.copies.len(), 0);
}

#[test]
fn what_clips_move_is_no_matrix() {
    let mut original = model();
    let matrix = DMat4::from_translation(DVec3::new(1.0, 2.0, 3.0));
    original.rig.rest[8] = LocalTransform::from_matrix(matrix);
    original.rig.rest[9] = LocalTransform::from_matrix(matrix);
    let made = rigged(&original, &Wanted { influences: ALL, max_joints: None }).unwrap();
    let LocalTransform::Trs { translation, .. } = made.model.rig.rest[8] else { panic!("a matrix") };
    assert_eq!(translation, DVec3::new(1.0, 2.0, 3.0));
    assert_eq!(made.model.rig.rest[9], LocalTransform::from_matrix(matrix));
}
