//! Tests that a model written and read again is the same model.

use glam::DVec3;
use sinew_model::gltf::load_bytes;
use sinew_model::gltf::write_glb;
use sinew_model::{Channel, Clip, Deltas, Driver, Interpolation, Model, Morphs, Property, builtin};

fn read(bytes: &[u8]) -> Model {
    load_bytes(bytes, None).unwrap_or_else(|e| unreachable!("a file of our own does not load: {e}"))
}

#[test]
fn built_in_models_load_without_a_warning() {
    for name in ["character", "robot", "twist", "bend", "elbow", "strip", "tube-2", "tube-600"] {
        let model = read(&builtin::glb(name).unwrap());
        assert_eq!(model.warnings, [], "{name}");
        assert!(!model.clips.is_empty(), "{name}");
    }
}

/// Targets, weights and their keys keep every bit.
#[test]
fn morph_targets_are_written_and_read() {
    let mut model = read(&builtin::glb("strip").unwrap());
    let node = model.instances[0].node;
    let primitive = &mut model.meshes[0].primitives[0];
    let vertices = primitive.positions.len();
    primitive.normals = Some(vec![[0.0, 0.0, 1.0]; vertices]);
    primitive.texcoords = vec![vec![[0.5, 0.25]; vertices]];
    primitive.colors = Some(vec![[0.5; 4]; vertices]);
    let last = vertices as u32 - 1;
    let morphs = Morphs {
        positions: Deltas::new(vertices, &[vec![(0, [0.1, 0.2, 0.3]), (last, [1.0, 0.0, -1.0])], vec![]]),
        normals: Deltas::new(vertices, &[vec![(1, [0.5, 0.0, 0.0])], vec![]]),
        tangents: None,
        texcoords: vec![Deltas::new(vertices, &[vec![(2, [0.25, -0.125])]])],
        colors: Deltas::new(vertices, &[vec![], vec![], vec![(last, [0.0, 0.5, 0.0, -0.5])]]),
    };
    primitive.morphs = Some(morphs.clone());
    let names = ["smile", "", "frown"].map(String::from);
    model.meshes[0].target_names = names.to_vec();
    model.rig.rest_weights = vec![0.1, 0.0, -2.5];
    model.rig.weight_ends = (0..model.rig.len()).map(|n| if n < node { 0 } else { 3 }).collect();
    let driver =
        |target, keys: &[[f64; 2]]| Driver { node, target, joint: 0, axis: DVec3::Y, keys: keys.to_vec() };
    model.rig.drivers = vec![driver(2, &[[-30.0, 0.1], [90.0, 1.5]]), driver(0, &[[0.0, 1.0]])];
    let channel = Channel {
        node,
        property: Property::Weights,
        interpolation: Interpolation::Linear,
        times: vec![0.0, 1.0],
        values: vec![0.0, 0.25, 0.5, 0.75, 1.0, 1.25],
    };
    model.clips = vec![Clip { name: "talk".to_owned(), duration_secs: 1.0, channels: vec![channel] }];

    let read = read(&write_glb(&model).unwrap());
    assert_eq!(read.warnings, []);
    assert_eq!(read.meshes[0].primitives[0].morphs, Some(morphs));
    assert_eq!(read.meshes[0].target_names, names);
    let node = read.instances[0].node;
    assert_eq!(read.rig.rest_weights[read.rig.weights_of(node)], [0.1, 0.0, -2.5]);
    assert_eq!(read.rig.drivers, model.rig.drivers);
    let channel = &read.clips[0].channels[0];
    assert_eq!((channel.node, channel.property), (node, Property::Weights));
    assert_eq!(channel.values, [0.0, 0.25, 0.5, 0.75, 1.0, 1.25]);
}

#[test]
fn writing_what_was_read_gives_the_same_model() {
    for name in ["character", "twist", "strip", "tube-200"] {
        let mut first = read(&builtin::glb(name).unwrap());
        let mut second = read(&write_glb(&first).unwrap());
        // Each reading normalizes rotations, which may change their last bit.
        for (a, b) in first.clips.iter_mut().zip(&mut second.clips) {
            for (a, b) in a.channels.iter_mut().zip(&mut b.channels) {
                let (a, b) = (std::mem::take(&mut a.values), std::mem::take(&mut b.values));
                assert_eq!(a.len(), b.len(), "{name}");
                assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() <= 2e-7), "{name}");
            }
        }
        for (a, b) in first.rig.rest.drain(..).zip(second.rig.rest.drain(..)) {
            assert!(a.parent_from_node().abs_diff_eq(b.parent_from_node(), 1e-15), "{name}");
        }
        // Nodes are written in the rig's order.
        let order: Vec<u32> = (0..first.rig.len() as u32).collect();
        assert_eq!(std::mem::take(&mut second.rig.file_index), order, "{name}");
        first.rig.file_index.clear();
        // Influences are written heaviest first.
        for (a, b) in first.meshes.iter_mut().zip(&second.meshes) {
            a.primitives.iter_mut().for_each(|primitive| primitive.first_joints.clear());
            assert!(b.primitives.iter().all(|primitive| primitive.first_joints.is_empty()), "{name}");
        }
        // `Debug` prints every number in full, so equal text means equal models.
        let (first, second) = (format!("{first:?}"), format!("{second:?}"));
        let same = first.bytes().zip(second.bytes()).take_while(|(a, b)| a == b).count();
        assert!(first == second, "{name}: {:?}", second.get(same.saturating_sub(80)..same + 20));
    }
}
