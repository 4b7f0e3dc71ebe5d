//! Tests of the changes to a file's vertices during loading.

use super::*;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use sinew_model::gltf::{Options, StoredVertex, stored_influences};

/// Makes a file of one point per vertex: the joints and weights of each, as many sets as the longest needs, and a skin of 32
/// joints.
fn file(vertices: &[&[(u16, f32)]]) -> Vec<u8> {
    let sets = vertices.iter().map(|slots| slots.len().div_ceil(4)).max().unwrap();
    let count = vertices.len();
    let mut bytes = vec![0u8; count * 12];
    let mut attributes = json!({"POSITION": 0});
    let mut accessors = vec![json!({"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": count})];
    let mut views = vec![json!({"buffer": 0, "byteOffset": 0, "byteLength": bytes.len()})];
    for set in 0..sets {
        let slot =
            |slots: &[(u16, f32)], place: usize| slots.get(set * 4 + place).copied().unwrap_or_default();
        for (code, size, name) in [(5123, 8, "JOINTS"), (5126, 16, "WEIGHTS")] {
            attributes[format!("{name}_{set}")] = json!(accessors.len());
            accessors.push(
                json!({"bufferView": views.len(), "componentType": code, "type": "VEC4", "count": count}),
            );
            views.push(json!({"buffer": 0, "byteOffset": bytes.len(), "byteLength": size * count}));
            for (slots, place) in vertices.iter().flat_map(|slots| (0..4).map(move |place| (slots, place))) {
                let (joint, weight) = slot(slots, place);
                match name {
                    "JOINTS" => bytes.extend(joint.to_le_bytes()),
                    _ => bytes.extend(weight.to_le_bytes()),
                }
            }
        }
    }
    let node = |node| if node == 32 { json!({"mesh": 0, "skin": 0}) } else { json!({}) };
    let nodes: Vec<_> = (0..33).map(node).collect();
    let file = json!({
        "asset": {"version": "2.0"},
        "nodes": nodes,
        "skins": [{"joints": (0..32).collect::<Vec<_>>()}],
        "meshes": [{"primitives": [{"attributes": attributes, "mode": 0}]}],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": bytes.len(), "uri": format!("data:;base64,{}", STANDARD.encode(&bytes))}],
    });
    file.to_string().into_bytes()
}

/// Returns the explanations of all vertices of a file, with their stored influences.
fn explained(bytes: &[u8]) -> Vec<Explanation> {
    let model = gltf::load_bytes(bytes, None).unwrap();
    let pose = Pose::rest(&model.rig);
    let primitive = &model.meshes[0].primitives[0];
    let one = |number: usize| {
        let mut explanation = explain(&model, &pose, vertex(number)).unwrap();
        let place = StoredVertex { mesh: 0, primitive: primitive.file_index, vertex: number };
        let sets = stored_influences(bytes, None, &Options::default(), place).unwrap();
        add_stored(&mut explanation, &sets);
        assert!(!all_lines(&explanation).is_empty());
        explanation
    };
    (0..primitive.positions.len()).map(one).collect()
}

fn changes(explanation: &Explanation) -> &[Change] {
    &explanation.loading.stored.as_ref().unwrap().changes
}

#[test]
fn each_change_is_told() {
    let many: Vec<(u16, f32)> = (0..20).map(|joint| (joint, 0.05)).collect();
    let tiny = [(0, 1.0), (1, 1e-9)];
    let vertices: [&[(u16, f32)]; 8] = [
        &[(3, 1.0)],
        &[(1, 0.25), (2, 0.75)],
        &[(1, 2.0), (2, 2.0)],
        &[(1, f32::NAN), (2, -1.0), (3, 1.0)],
        &[(4, 0.0), (5, 0.0)],
        &[(6, 0.5), (6, 0.5)],
        &many,
        &tiny,
    ];
    let explanations = explained(&file(&vertices));
    let changes: Vec<&[Change]> = explanations.iter().map(changes).collect();
    assert_eq!(changes[0], []);
    assert_eq!(changes[1], [Change::Sorted]);
    assert_eq!(changes[2], [Change::Rescaled { sum: Some(4.0) }]);
    assert_eq!(changes[3], [Change::NotFinite { slots: 1 }, Change::Negative { slots: 1 }]);
    assert_eq!(changes[4], [Change::NoWeight { joint: 4 }]);
    assert_eq!(changes[5], [Change::Repeated { joint: 6, times: 2 }]);
    let [Change::Dropped { slots: 4, share: Some(share) }] = changes[6] else { panic!("{:?}", changes[6]) };
    assert!((share - 0.2).abs() < 1e-12);
    assert_eq!(changes[7], [Change::TooSmall { slots: 1 }]);

    let sums: Vec<bool> = explanations.iter().map(|one| one.loading.sums_to_one).collect();
    assert_eq!(sums, [true, true, false, false, false, true, true, true]);
    assert_eq!(explanations[2].loading.stored_sum, Some(4.0));
    assert_eq!(explanations[2].influences[0].weight, 0.5);
    let stored = explanations[3].loading.stored.as_ref().unwrap();
    assert_eq!(stored.slots[0], StoredSlot { set: 0, joint: 1, weight: None });
    assert_eq!((stored.slots.len(), stored.sum), (20, Some(1.0)));
    let text = all_lines(&explanations[3]);
    assert!(text.contains("1 weight is not finite and counts as 0"), "{text}");
    assert!(all_lines(&explanations[6]).contains("4 influences were dropped, 20.00 % of the weight"));
    // The loader's own findings about the primitive are listed, too.
    let codes: Vec<_> = explanations[0].loading.warnings.iter().map(|finding| finding.code).collect();
    for code in ["ACCESSOR_INVALID_FLOAT", "ACCESSOR_WEIGHTS_NEGATIVE", "TOO_MANY_INFLUENCES"] {
        assert!(codes.contains(&code), "{code} is not in {codes:?}");
    }
}

/// Findings about other primitives and meshes are left out.
#[test]
fn only_findings_about_the_primitive() {
    let (mut model, pose) = model(&[glam::DMat4::IDENTITY], [1.0, 0.0, 0.0, 0.0]);
    let finding =
        |path: &str| sinew_model::Warning { code: "ODD", path: path.into(), message: "is odd".into() };
    let near = "meshes[0].primitives[3].attributes.JOINTS_0";
    model.warnings =
        ["meshes[0].primitives[0]", near, "nodes[3]", "meshes[3].primitives[3]"].map(finding).into();
    model.faults = vec![finding("meshes[0].primitives[3]"), finding("meshes[0].primitives[33]")];
    let explanation = explain(&model, &pose, vertex(0)).unwrap();
    let paths: Vec<_> = explanation.loading.warnings.iter().map(|finding| finding.path.as_str()).collect();
    assert_eq!(paths, [near, "meshes[0].primitives[3]"]);
    assert!(all_lines(&explanation).contains("the stored weights sum to 1"));
}

/// A built-in model stores its weights as they are used.
#[test]
fn built_in_models_lose_nothing() {
    for name in ["strip", "twist"] {
        for explanation in explained(&builtin::glb(name).unwrap()) {
            let odd = |change: &&Change| !matches!(change, Change::Sorted);
            assert_eq!(changes(&explanation).iter().find(odd), None);
        }
    }
}
