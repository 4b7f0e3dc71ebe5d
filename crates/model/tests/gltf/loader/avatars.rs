//! Tests avatars (VRM) and constraints of nodes.

use serde_json::{Value, json};
use sinew_model::{Avatar, Expression, Follow};

use crate::loader::cases::{error, warned};

fn avatar(name: &str, value: Value) -> (Option<Avatar>, Vec<String>) {
    let (model, warnings) = warned(|c| c.json["extensions"][name] = value);
    (model.avatar, warnings)
}

fn expression(name: &str, is_preset: bool, targets: &[(usize, usize, f64)]) -> Expression {
    Expression { name: name.to_owned(), is_preset, targets: targets.to_vec() }
}

#[test]
fn avatars_of_version_1_are_read() {
    let (model, warnings) = warned(|c| {
        c.json["materials"][0]["extensions"]["VRMC_materials_mtoon"] = json!({});
        c.json["extensions"]["VRMC_springBone"] = json!({"springs": [{}, {}]});
        c.json["extensions"]["VRMC_vrm"] = json!({
            "specVersion": "1.0",
            "meta": {"name": "Ann", "authors": ["a", "b"], "licenseUrl": "https://example.org"},
            "humanoid": {"humanBones": {"hips": {"node": 0}, "leftThumbProximal": {"node": 1}, "head": {"node": 99}}},
            "expressions": {
                "preset": {"happy": {"morphTargetBinds": [{"node": 2, "index": 1, "weight": 0.5}, {"node": 99}]}},
                "custom": {"wink": {}},
            },
        });
    });
    assert_eq!(warnings, [""; 0]);
    let expected = Avatar {
        version: "1.0".to_owned(),
        name: "Ann".to_owned(),
        authors: vec!["a".to_owned(), "b".to_owned()],
        licence: Some("https://example.org".to_owned()),
        bones: vec![("hips".to_owned(), 0), ("leftThumbProximal".to_owned(), 1)],
        expressions: vec![expression("happy", true, &[(2, 1, 0.5)]), expression("wink", false, &[])],
        springs: 2,
        toon_materials: 1,
    };
    assert_eq!(model.avatar, Some(expected));
}

#[test]
fn avatars_of_version_0_are_read() {
    let (found, warnings) = avatar(
        "VRM",
        json!({
            "meta": {"title": "Ann", "author": "a", "licenseName": "CC0"},
            "humanoid": {"humanBones": [{"bone": "hips", "node": 0}, {"bone": "leftThumbProximal", "node": 1}]},
            "blendShapeMaster": {"blendShapeGroups": [
                {"name": "Joy", "presetName": "joy", "binds": [{"mesh": 0, "index": 0, "weight": 25}]},
                {"name": "Wink", "presetName": "unknown", "binds": [{"mesh": 7, "index": 0, "weight": 100}]},
            ]},
            "secondaryAnimation": {"boneGroups": [{}]},
            "materialProperties": [{"shader": "VRM/MToon"}, {"shader": "VRM_USE_GLTFSHADER"}],
        }),
    );
    assert_eq!(warnings, [""; 0]);
    let found = found.unwrap();
    assert_eq!((found.version.as_str(), found.name.as_str(), found.authors[0].as_str()), ("0", "Ann", "a"));
    // The thumb's bones were named otherwise.
    assert_eq!(found.bones, [("hips".to_owned(), 0), ("leftThumbMetacarpal".to_owned(), 1)]);
    let expressions = [expression("joy", true, &[(2, 0, 0.25)]), expression("Wink", false, &[])];
    assert_eq!(found.expressions, expressions);
    assert_eq!((found.springs, found.toon_materials), (1, 1));
}

#[test]
fn broken_avatars_are_warnings() {
    let (found, warnings) = avatar("VRMC_vrm", json!({"meta": {"name": 3}}));
    assert_eq!(found, None);
    assert!(
        warnings.len() == 1 && warnings[0].starts_with("extensions.VRMC_vrm: invalid type"),
        "{warnings:?}"
    );
    assert_eq!(avatar("VRM", json!({})).0.map(|found| found.bones.len()), Some(0));
}

#[test]
fn constraints_are_read_in_their_order() {
    let constraint = |node: usize, constraint: Value| {
        move |c: &mut crate::file::File| {
            c.json["nodes"][node]["extensions"]["VRMC_node_constraint"] =
                json!({"specVersion": "1.0", "constraint": constraint});
        }
    };
    let (model, warnings) = warned(|c| {
        constraint(1, json!({"roll": {"source": 2, "rollAxis": "Y", "weight": 0.5}}))(c);
        constraint(2, json!({"aim": {"source": 0, "aimAxis": "NegativeZ"}}))(c);
    });
    assert_eq!(warnings, [""; 0]);
    let found: Vec<_> = model.rig.constraints.iter().map(|own| (own.node, own.source, own.weight)).collect();
    assert_eq!(found, [(2, 0, 1.0), (1, 2, 0.5)]);
    assert_eq!(model.rig.constraints[0].rule, Follow::Aim(glam::DVec3::NEG_Z));

    let (model, warnings) = warned(|c| {
        constraint(1, json!({"rotation": {"source": 2}}))(c);
        constraint(2, json!({"rotation": {"source": 1}}))(c);
    });
    assert!(model.rig.constraints.is_empty() && warnings.len() == 2, "{warnings:?}");
    assert!(warnings[0].contains("VRMC_node_constraint: depends on itself; left out"), "{warnings:?}");
    let (_, warnings) = warned(constraint(1, json!({"roll": {"source": 2, "rollAxis": "W"}})));
    assert!(warnings[0].contains("has no roll, aim or rotation that is known"), "{warnings:?}");
    let text = error(constraint(1, json!({"rotation": {"source": 9}})));
    assert!(
        text.contains(
            "nodes[1].extensions.VRMC_node_constraint.constraint.rotation.source: there is no node 9"
        ),
        "{text}"
    );
}
