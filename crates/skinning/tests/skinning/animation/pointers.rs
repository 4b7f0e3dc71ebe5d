//! Channels whose targets are JSON pointers.

use serde_json::json;
use sinew_model::{Channel, LocalTransform, Property};

use crate::animation::moving::*;
use crate::file::FLOAT;

/// Node, property and values of each channel, in order.
fn said(channels: &[Channel]) -> Vec<(usize, Property, &[f32])> {
    channels.iter().map(|channel| (channel.node, channel.property, channel.values.as_slice())).collect()
}

#[test]
fn pointers_to_nodes_are_as_plain_targets() {
    let outputs =
        [("translation", VECTORS), ("rotation", ROTATIONS), ("scale", VECTORS), ("weights", WEIGHTS)];
    let plain = outputs.map(|(path, output)| (node(1, path), output));
    let pointed = outputs.map(|(path, output)| (pointer(&format!("/nodes/1/{path}")), output));
    let mut pointed = moving(&pointed);
    pointed.json["extensionsUsed"] = json!(["KHR_animation_pointer"]);
    pointed.json["extensionsRequired"] = json!(["KHR_animation_pointer"]);
    let ((plain, no_warnings), (pointed, warnings)) = (moving(&plain).channels(), pointed.channels());
    assert_eq!(said(&plain), said(&pointed));
    assert_eq!(plain.len(), 4);
    assert_eq!((no_warnings, warnings), (vec![], vec![]));
}

#[test]
fn single_weights_are_channels_of_their_own() {
    let file = moving(&[(pointer("/nodes/0/weights/1"), ONE_WEIGHT)]);
    let (channels, warnings) = file.channels();
    assert_eq!(said(&channels), [(0, Property::Weight(1), &[0.0, 0.5, 1.0][..])]);
    assert_eq!(warnings, [""; 0]);

    let (channels, warnings) = moving(&[(pointer("/nodes/0/weights/2"), ONE_WEIGHT)]).channels();
    assert!(channels.is_empty());
    assert!(warnings[0].starts_with("ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS"), "{warnings:?}");
}

#[test]
fn weights_of_meshes_move_nodes_without_their_own() {
    // Node 1 has weights of its own; node 3 has none.
    let mut file = moving(&[(pointer("/meshes/0/weights"), WEIGHTS)]);
    file.json["nodes"].as_array_mut().unwrap().push(json!({"mesh": 0}));
    let (channels, warnings) = file.channels();
    let values = &[0.0, 1.0, 0.5, 0.5, 1.0, 0.0][..];
    assert_eq!(said(&channels), [(0, Property::Weights, values), (3, Property::Weights, values)]);
    assert_eq!(warnings, [""; 0]);

    // A node's channel overrides the mesh's in either order: it is set last.
    for turned in [false, true] {
        let mut targets = [(pointer("/meshes/0/weights/0"), ONE_WEIGHT), (node(0, "weights"), WEIGHTS)];
        if turned {
            targets.reverse();
        }
        let (channels, warnings) = moving(&targets).channels();
        let one = &[0.0, 0.5, 1.0][..];
        assert_eq!(said(&channels), [(0, Property::Weight(0), one), (0, Property::Weights, values)]);
        assert_eq!(warnings, [""; 0]);
    }
}

#[test]
fn other_pointers_are_left_out_and_said_once_a_kind() {
    let (channels, warnings) = moving(&[
        (pointer("/materials/0/alphaCutoff"), ONE_WEIGHT),
        (node(2, "translation"), VECTORS),
        (pointer("/materials/12/alphaCutoff"), ONE_WEIGHT),
        (pointer("/cameras/0/perspective/yfov"), ONE_WEIGHT),
        (pointer("nonsense"), ONE_WEIGHT),
    ])
    .channels();
    assert_eq!(channels.len(), 1);
    let at = |channel: usize, code: &str, rest: &str| {
        let path =
            format!("animations[0].channels[{channel}].target.extensions.KHR_animation_pointer.pointer");
        format!("{code} {path}: {rest}")
    };
    let incomplete = "INCOMPLETE_EXTENSION_SUPPORT";
    assert_eq!(
        warnings,
        [
            at(3, incomplete, "'/cameras/{}/perspective/yfov' is not animated; channels left out: 1"),
            at(0, incomplete, "'/materials/{}/alphaCutoff' is not animated; channels left out: 2"),
            at(4, "PATTERN_MISMATCH", "'nonsense' is not animated; channels left out: 1"),
        ]
    );
}

#[test]
fn the_same_property_twice_is_left_out_however_it_is_spelled() {
    for (first, second) in [
        ((node(1, "rotation"), ROTATIONS), (pointer("/nodes/1/rotation"), ROTATIONS)),
        ((pointer("/nodes/1/weights/0"), ONE_WEIGHT), (pointer("/nodes/1/weights/0"), ONE_WEIGHT)),
        ((pointer("/nodes/1/weights/0"), ONE_WEIGHT), (node(1, "weights"), WEIGHTS)),
        ((node(1, "weights"), WEIGHTS), (pointer("/nodes/1/weights/0"), ONE_WEIGHT)),
        ((pointer("/meshes/0/weights"), WEIGHTS), (pointer("/meshes/0/weights/1"), ONE_WEIGHT)),
    ] {
        let (channels, warnings) = moving(&[first.clone(), second.clone()]).channels();
        assert_eq!(channels.len(), 1, "{first:?} {second:?}");
        let expected = "ANIMATION_DUPLICATE_TARGETS animations[0].channels[1]: ";
        assert!(warnings[0].starts_with(expected), "{first:?} {second:?} {warnings:?}");
    }
    let others = [
        (pointer("/nodes/1/weights/0"), ONE_WEIGHT),
        (pointer("/nodes/1/weights/1"), ONE_WEIGHT),
        (pointer("/nodes/0/weights/1"), ONE_WEIGHT),
    ];
    let (channels, warnings) = moving(&others).channels();
    assert_eq!((channels.len(), warnings.len()), (3, 0));
}

#[test]
fn pointers_to_nowhere_are_left_out_and_no_pointers_are_errors() {
    let path = "animations[0].channels[0].target.extensions.KHR_animation_pointer.pointer: ";
    for (target, expected) in [
        (pointer("/nodes/3/scale"), "there is no node 3 (the file has 3)"),
        (pointer("/meshes/1/weights"), "there is no mesh 1 (the file has 1)"),
    ] {
        let (channels, warnings) = moving(&[(target, VECTORS)]).channels();
        assert!(channels.is_empty());
        assert_eq!(warnings, [format!("UNRESOLVED_REFERENCE {path}{expected}; it was left out")]);
    }
    // Without node and extension the channel counts as absent.
    let (channels, warnings) = moving(&[(json!({"path": "pointer"}), VECTORS)]).channels();
    assert!(channels.is_empty() && warnings.is_empty());
    let error = moving(&[(node(3, "scale"), VECTORS)]).load().unwrap_err();
    assert_eq!(
        error.to_string(),
        "animations[0].channels[0].target.node: there is no node 3 (the file has 3)"
    );
    for (target, expected) in [
        (
            json!({"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": 3}}}),
            "expected a JSON pointer as a string",
        ),
        (
            json!({"path": "pointer", "extensions": {"KHR_animation_pointer": []}}),
            "expected a JSON pointer as a string",
        ),
    ] {
        let error = moving(&[(target, VECTORS)]).load().unwrap_err();
        assert_eq!(error.to_string(), format!("{path}{expected}"));
    }
}

#[test]
fn a_node_besides_a_pointer_is_warned_of() {
    let mut both = pointer("/nodes/2/translation");
    both["node"] = 1.into();
    let (channels, warnings) = moving(&[(both.clone(), VECTORS)]).channels();
    assert_eq!(channels[0].node, 2, "the path says pointer");
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].starts_with(
        "KHR_ANIMATION_POINTER_ANIMATION_CHANNEL_TARGET_NODE animations[0].channels[0].target.node: "
    ));

    both["path"] = "translation".into();
    let (channels, warnings) = moving(&[(both.clone(), VECTORS)]).channels();
    assert_eq!(channels[0].node, 1, "the path says translation");
    assert_eq!(warnings.len(), 2);

    both.as_object_mut().unwrap().remove("node");
    let (channels, warnings) = moving(&[(both, VECTORS)]).channels();
    assert_eq!(channels[0].node, 2, "there is nothing but the pointer");
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].starts_with(
        "KHR_ANIMATION_POINTER_ANIMATION_CHANNEL_TARGET_PATH animations[0].channels[0].target.path: "
    ));
}

#[test]
fn a_matrix_that_a_pointer_moves_is_taken_apart() {
    let mut file = moving(&[(pointer("/nodes/2/rotation"), ROTATIONS)]);
    let matrix = glam::DMat4::from_scale(glam::DVec3::splat(2.0)).to_cols_array();
    file.json["nodes"][2] = json!({"matrix": matrix});
    file.json["nodes"].as_array_mut().unwrap().push(json!({"matrix": matrix}));
    let model = file.load().unwrap();
    assert!(matches!(model.rig.rest[2], LocalTransform::Trs { .. }));
    assert!(matches!(model.rig.rest[3], LocalTransform::Matrix(_)));
}

#[test]
fn behind_pointers_whole_numbers_are_themselves() {
    let mut file = moving(&[(pointer("/nodes/2/scale"), VECTORS)]);
    let whole = file.accessor("VEC3", 5121, false, 3, &[1, 2, 3, 4, 5, 6, 7, 8, 9]);
    file.json["animations"][0]["samplers"][0]["output"] = whole.into();
    let (channels, warnings) = file.channels();
    assert_eq!(channels[0].values, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
    assert_eq!(warnings, [""; 0]);
}

#[test]
fn few_bytes_do_not_become_many_channels() {
    // Twenty thousand keys for each of sixty thousand nodes would be ten gigabytes.
    let (keys, nodes) = (20_000, 60_000);
    let mut file = moving(&[(pointer("/meshes/0/weights"), WEIGHTS)]);
    file.json["nodes"] = vec![json!({"mesh": 0}); nodes].into();
    let times: Vec<f32> = (0..keys).map(|key| key as f32).collect();
    let input = file.floats("SCALAR", &times);
    let zeros = json!({"componentType": FLOAT, "count": 2 * keys, "type": "SCALAR"});
    let accessors = file.json["accessors"].as_array_mut().unwrap();
    accessors.push(zeros);
    let output = accessors.len() - 1;
    file.json["animations"][0]["samplers"][0] = json!({"input": input, "output": output});
    let error = file.load().unwrap_err().to_string();
    assert!(error.starts_with("animations[0].channels[0].target"), "{error}");
    assert!(error.contains("60000"), "{error}");
}
