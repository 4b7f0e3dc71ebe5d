//! Tests morph targets of the character: every way of storing them, and every fault.

use serde_json::json;
use sinew_model::gltf::load_bytes;
use sinew_model::{Deltas, Moves, Property};

use crate::character;
use crate::file::{File, floats, glb};
use crate::loader::cases::{changed, error, warned};

const PRIMITIVE: &str = "meshes[0].primitives[0]";

fn deltas<const N: usize>(targets: &[Moves<N>]) -> Option<Deltas<N>> {
    Deltas::new(4, targets)
}

/// Adds vectors as an accessor.
fn vectors<const N: usize>(c: &mut File, values: &[[f32; N]]) -> usize {
    c.accessor(
        ["SCALAR", "VEC2", "VEC3", "VEC4"][N - 1],
        5126,
        false,
        values.len(),
        &floats(values.as_flattened()),
    )
}

/// One target that moves vertex 1 up.
fn up(c: &mut File) -> usize {
    vectors(c, &[[0.0; 3], [0.0, 1.0, 0.0], [0.0; 3], [0.0; 3]])
}

#[test]
fn every_stream_is_read_and_zeros_are_left_out() {
    let (model, warnings) = warned(|c| {
        let first = up(c);
        let second = vectors(c, &[[1.0, 2.0, 3.0], [-1.0, 0.0, 0.0], [0.0; 3], [0.0; 3]]);
        // Normalized: 127ths, here −127 and 127 of them.
        let tangents = c.accessor("VEC3", 5120, true, 4, &[0, 0, 0, 129, 0, 0, 0, 0, 0, 0, 0, 127]);
        let texcoords = vectors(c, &[[0.0, 0.0], [0.0, 0.0], [0.5, -0.5], [0.0, 0.0]]);
        let colors = vectors(c, &[[0.0; 3], [0.25, 0.0, 0.0], [0.0; 3], [0.0; 3]]);
        c.primitive()["targets"] = json!([
            {"POSITION": first, "TANGENT": tangents, "TEXCOORD_0": texcoords},
            {"POSITION": second, "NORMAL": first, "COLOR_0": colors},
        ]);
        c.json["meshes"][0]["weights"] = json!([0.25, 0.5]);
        c.json["meshes"][0]["extras"] = json!({"targetNames": ["up", 7], "other": [1]});
    });
    assert_eq!(warnings, [""; 0]);
    let mesh = &model.meshes[0];
    assert_eq!(mesh.target_names, ["up", ""]);
    let morphs = mesh.primitives[0].morphs.as_ref().unwrap();
    let one = |vertex, value| vec![(vertex, value)];
    let second = vec![(0, [1.0, 2.0, 3.0]), (1, [-1.0, 0.0, 0.0])];
    assert_eq!(morphs.positions, deltas(&[one(1, [0.0, 1.0, 0.0]), second]));
    assert_eq!(morphs.positions.as_ref().unwrap().targets, [1, 0, 1]);
    assert_eq!(morphs.normals, deltas(&[vec![], one(1, [0.0, 1.0, 0.0])]));
    assert_eq!(morphs.tangents, deltas(&[vec![(1, [-1.0, 0.0, 0.0]), (3, [0.0, 0.0, 1.0])]]));
    assert_eq!(morphs.texcoords, [deltas(&[vec![(2, [0.5, -0.5])]])]);
    assert_eq!(morphs.colors, deltas(&[vec![], vec![(1, [0.25, 0.0, 0.0, 0.0])]]));
    let node = model.instances[0].node;
    assert_eq!(model.rig.rest_weights, [0.25, 0.5]);
    assert_eq!(model.rig.weights_of(node), 0..2);
    assert!((0..model.rig.len()).all(|other| other == node || model.rig.weights_of(other).is_empty()));
}

#[test]
fn sparse_targets_with_and_without_a_base() {
    let sparse = |c: &mut File, base: Option<usize>| {
        let indices = c.view(&[3, 1, 0]);
        let values = c.view(&floats(&[1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0]));
        let accessors = c.json["accessors"].as_array_mut().unwrap();
        let view = base.map(|base| accessors[base]["bufferView"].clone());
        accessors.push(json!({"componentType": 5126, "count": 4, "type": "VEC3", "sparse": {"count": 3,
            "indices": {"bufferView": indices, "componentType": 5121}, "values": {"bufferView": values}}}));
        let last = accessors.len() - 1;
        if let Some(view) = view {
            accessors[last]["bufferView"] = view;
        }
        last
    };
    let (model, warnings) = warned(|c| {
        let alone = sparse(c, None);
        let base = vectors(c, &[[9.0; 3], [8.0; 3], [7.0; 3], [0.0; 3]]);
        let based = sparse(c, Some(base));
        let zeros = json!({"componentType": 5126, "count": 4, "type": "VEC3"});
        c.json["accessors"].as_array_mut().unwrap().push(zeros);
        c.primitive()["targets"] = json!([{"POSITION": alone}, {"POSITION": based}, {"POSITION": based + 1}]);
    });
    assert_eq!(warnings, [""; 0]);
    let moves =
        model.meshes[0].primitives[0].morphs.as_ref().unwrap().positions.as_ref().unwrap().by_target(3);
    assert_eq!(moves[0], [(1, [0.0, 2.0, 0.0]), (3, [1.0, 0.0, 0.0])]);
    assert_eq!(moves[1], [(1, [0.0, 2.0, 0.0]), (2, [7.0; 3]), (3, [1.0, 0.0, 0.0])]);
    assert_eq!(moves[2], []);
    let text = error(|c| {
        let alone = sparse(c, None);
        c.json["accessors"][alone]["count"] = 3.into();
        c.primitive()["targets"] = json!([{"POSITION": alone}]);
    });
    assert!(text.ends_with(".sparse.indices: index 3 at 0, but there are 3 elements"), "{text}");
}

/// A thousand targets that each move one vertex take only the memory for those vertices.
#[test]
fn many_sparse_targets_take_little_room() {
    let vertices = 100_000;
    let model = changed(|c| {
        let positions = json!({"componentType": 5126, "count": vertices, "type": "VEC3"});
        let indices = c.view(&[7, 0, 0, 0]);
        let values = c.view(&floats(&[1.0, 2.0, 3.0]));
        let mut target = positions.clone();
        target["sparse"] = json!({"count": 1, "indices": {"bufferView": indices, "componentType": 5125},
            "values": {"bufferView": values}});
        let accessors = c.json["accessors"].as_array_mut().unwrap();
        accessors.extend([positions, target]);
        let first = accessors.len() - 2;
        *c.primitive() = json!({"attributes": {"POSITION": first},
            "targets": vec![json!({"POSITION": first + 1}); 1000]});
    })
    .unwrap();
    let morphs = model.meshes[0].primitives[0].morphs.as_ref().unwrap();
    assert_eq!(morphs.positions.as_ref().unwrap().of(7).count(), 1000);
}

#[test]
fn nodes_have_weights_of_their_own_or_their_meshs_or_none() {
    let weights = |node: serde_json::Value, mesh: serde_json::Value| {
        let (model, warnings) = warned(|c| {
            let up = up(c);
            c.primitive()["targets"] = json!([{"POSITION": up}, {"POSITION": up}]);
            c.json["nodes"][2]["weights"] = node;
            c.json["meshes"][0]["weights"] = mesh;
        });
        (model.rig.rest_weights, warnings)
    };
    let none = || json!([]);
    assert_eq!(weights(none(), none()), (vec![0.0, 0.0], vec![]));
    assert_eq!(weights(none(), json!([1, 2])), (vec![1.0, 2.0], vec![]));
    assert_eq!(weights(json!([3, 4]), json!([1, 2])), (vec![3.0, 4.0], vec![]));
    let (found, warnings) = weights(json!([3]), json!([1, 2, 5]));
    assert_eq!(found, [3.0, 0.0]);
    assert_eq!(
        warnings,
        [
            "nodes[2].weights: 1 weights, but there are 2 morph targets; the others are 0",
            "meshes[0].weights: 3 weights, but there are 2 morph targets; the others were left out",
        ]
    );
    let (found, warnings) = weights(json!([1e300, 0.5]), none());
    assert_eq!(found, [0.0, 0.5]);
    assert_eq!(warnings, ["nodes[2].weights: a weight exceeds single precision and counts as 0"]);
    let (model, warnings) = warned(|c| c.json["nodes"][0]["weights"] = json!([1]));
    assert_eq!(
        warnings,
        ["nodes[0].weights: 1 weights, but there are 0 morph targets; the others were left out"]
    );
    assert!(model.rig.rest_weights.is_empty() && model.rig.weight_ends.is_empty());
}

#[test]
fn what_cannot_be_moved_is_left_out() {
    let (model, warnings) = warned(|c| {
        let up = up(c);
        c.primitive()["attributes"].as_object_mut().unwrap().remove("NORMAL");
        c.primitive()["targets"] =
            json!([{"NORMAL": up, "TANGENT": up, "JOINTS_0": 99, "TEXCOORD_1": 99, "POSITION": up}]);
    });
    let target = format!("{PRIMITIVE}.targets[0]");
    assert_eq!(
        warnings,
        [
            format!("{target}.JOINTS_0: 'JOINTS_0' is not an attribute that targets can move"),
            format!("{target}.NORMAL: moves an attribute that the primitive does not have and was left out"),
            format!(
                "{target}.TEXCOORD_1: moves an attribute that the primitive does not have and was left out"
            ),
        ]
    );
    let morphs = model.meshes[0].primitives[0].morphs.as_ref().unwrap();
    assert!(morphs.positions.is_some() && morphs.normals.is_none() && morphs.tangents.is_none());

    let (model, warnings) = warned(|c| {
        let bad = vectors(c, &[[0.0; 3], [f32::NAN, 1.0, 0.0], [0.0, f32::INFINITY, 0.0], [0.0, 0.0, 1.0]]);
        c.primitive()["targets"] = json!([{"POSITION": bad}]);
    });
    assert_eq!(
        warnings,
        [format!(
            "{target}.POSITION: 2 vertices (first mesh0:0:1): moved by values that are not finite; kept in place"
        )]
    );
    let positions = &model.meshes[0].primitives[0].morphs.as_ref().unwrap().positions;
    assert_eq!(*positions, deltas(&[vec![(3, [0.0, 0.0, 1.0])]]));

    let (model, warnings) = warned(|c| c.primitive()["targets"] = json!([{}, {}]));
    assert_eq!((warnings.len(), &model.meshes[0].primitives[0].morphs), (0, &None));
    assert_eq!(model.rig.rest_weights, [0.0, 0.0]);
}

#[test]
fn primitives_that_disagree_go_by_the_first() {
    let (model, warnings) = warned(|c| {
        let up = up(c);
        let mut second = c.primitive().clone();
        c.primitive()["targets"] = json!([{"POSITION": up}]);
        second["targets"] = json!([{}, {"POSITION": up}]);
        c.json["meshes"][0]["primitives"].as_array_mut().unwrap().push(second);
    });
    assert_eq!(
        warnings,
        [
            "meshes[0].primitives[1].targets: 2 targets, but the mesh's first primitive has 1; the first one counts"
        ]
    );
    assert_eq!(model.rig.rest_weights.len(), 1);
    assert!(model.meshes[0].primitives[1].morphs.is_none());
}

#[test]
fn broken_targets_are_errors() {
    let target = format!("{PRIMITIVE}.targets[0].POSITION");
    let text = error(|c| c.primitive()["targets"] = json!([{"POSITION": 99}]));
    assert!(text.starts_with(&format!("{target}: there is no accessor 99")), "{text}");
    let text = error(|c| {
        let short = vectors(c, &[[1.0; 3]; 3]);
        c.primitive()["targets"] = json!([{"POSITION": short}]);
    });
    assert_eq!(text, format!("{target}: 3 elements, but there are 4 positions"));
    let text = error(|c| {
        let wide = vectors(c, &[[1.0; 4]; 4]);
        c.primitive()["targets"] = json!([{"POSITION": wide}]);
    });
    assert!(text.contains("is VEC4, but must be VEC3"), "{text}");
    // More weights than fit in memory: many nodes, each with the weights of a mesh with many targets.
    let text = error(|c| {
        c.primitive()["targets"] = vec![json!({}); 20_000].into();
        let nodes = c.json["nodes"].as_array_mut().unwrap();
        nodes.extend(vec![json!({"mesh": 0}); 20_000]);
    });
    assert!(text.contains("elements need more than the"), "{text}");
}

#[test]
fn keys_for_weights_are_kept() {
    let (model, warnings) = warned(|c| {
        c.primitive()["targets"] = json!([{}, {}]);
        c.json["animations"][0]["channels"][0]["target"] = json!({"node": 2, "path": "weights"});
        let weights = c.accessor("SCALAR", 5126, false, 6, &floats(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]));
        c.json["animations"][0]["samplers"][0]["output"] = weights.into();
    });
    assert_eq!(warnings, [""; 0]);
    let channel = &model.clips[0].channels[0];
    assert_eq!((channel.property, channel.values.len()), (Property::Weights, 6));
}

#[test]
fn drivers_are_read_and_faulty_ones_left_out() {
    let right = json!({"target": 1, "joint": 0, "axis": [0, 0, -2], "degrees": [0, 90], "weights": [0, 1]});
    let with = |member: &str, value: serde_json::Value| {
        let mut driver = right.clone();
        driver[member] = value;
        driver
    };
    let drivers = [
        right.clone(),
        right.clone(),
        with("target", json!(2)),
        with("target", json!(0.5)),
        with("joint", json!(99)),
        with("axis", json!([0, 0, 0])),
        with("axis", json!("x")),
        with("degrees", json!([90, 0])),
        with("weights", json!([0])),
        with("weights", json!([0, 1e300])),
        json!({}),
    ];
    let (model, warnings) = warned(|c| {
        let up = up(c);
        c.primitive()["targets"] = json!([{"POSITION": up}, {"POSITION": up}]);
        c.json["nodes"][2]["extras"] = json!({"sinew": {"drivers": drivers}});
    });
    let [driver] = &model.rig.drivers[..] else { panic!("{:?}", model.rig.drivers) };
    assert_eq!((driver.node, driver.target, driver.axis.z), (model.instances[0].node, 1, -1.0));
    assert_eq!((model.rig.file_index[driver.joint], &driver.keys[..]), (0, &[[0.0, 0.0], [90.0, 1.0]][..]));
    assert_eq!(warnings.len(), drivers.len() - 1);
    for (number, warning) in (1..).zip(&warnings) {
        assert!(warning.starts_with(&format!("nodes[2].extras.sinew.drivers[{number}]: ")), "{warning}");
        assert!(warning.ends_with("; left out"), "{warning}");
    }
}

/// Alternating lists and objects, 200,000 levels deep, in every place of the extras.
#[test]
fn deep_extras_do_no_harm() {
    let deep = format!("{}7{}", r#"[{"a":"#.repeat(100_000), "}]".repeat(100_000));
    for (extras, names) in [
        (format!(r#"{{"deep": {deep}, "targetNames": ["up"]}}"#), vec!["up"]),
        (format!(r#"{{"targetNames": [{deep}]}}"#), vec![""]),
        (format!(r#"{{"targetNames": {deep}}}"#), vec![""]),
        (deep.clone(), vec![""]),
    ] {
        let mut character = character::new();
        let target = up(&mut character);
        character.primitive()["targets"] = json!([{"POSITION": target}]);
        character.json["meshes"][0]["extras"] = json!("EXTRAS");
        character.json["nodes"][2]["extras"] =
            json!({"sinew": {"drivers": {"a": "EXTRAS"}, "skinning": "EXTRAS"}, "deep": "EXTRAS"});
        let text = character.json.to_string().replace("\"EXTRAS\"", &extras);
        let model = load_bytes(&glb(text.as_bytes(), &character.binary), None).unwrap();
        assert_eq!(model.meshes[0].target_names, names);
        assert!(model.warnings.is_empty(), "{:?}", model.warnings);
        // The character's accessors lack bounds; there are no other faults.
        let mut faults = model.faults.iter();
        assert!(faults.all(|fault| fault.code.ends_with("_WITHOUT_BOUNDS")), "{:?}", model.faults);
    }
}
