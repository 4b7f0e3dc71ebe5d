//! Tests `sinew inspect` and `--strict` from outside: messages, places and exit codes, with figures counted by hand.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use crate::common;

use std::path::{Path, PathBuf};
use std::process::Stdio;

use base64::Engine;
use common::{Run, run, run_well, sinew};
use serde_json::{Value, json};

fn json_of(model: &str) -> Value {
    serde_json::from_slice(&run_well(&mut sinew(["inspect", model, "--json"]))).unwrap()
}

/// A skinned triangle with `nodes` more nodes whose rotations are not unit quaternions. Two of its vertices have six
/// influences, of which the first four have 0.9 of the weight.
fn odd(folder: &Path, nodes: usize) -> PathBuf {
    let mut bytes: Vec<u8> = Vec::new();
    let mut views = Vec::new();
    let mut put = |data: &[u8]| {
        views
            .push(json!({"buffer": 0, "byteOffset": bytes.len(), "byteLength": data.len(), "target": 34962}));
        bytes.extend_from_slice(data);
    };
    let floats = |numbers: &[f32]| numbers.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<u8>>();
    put(&floats(&[0., 0., 0., 1., 0., 0., 0., 1., 0.]));
    put(&[0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]);
    put(&[4, 5, 0, 0, 4, 5, 0, 0, 4, 0, 0, 0]);
    // The second vertex's weights sum to 1.25, a quarter too much.
    put(&floats(&[0.3, 0.3, 0.2, 0.1, 0.5, 0.25, 0.25, 0.125, 0.25, 0.25, 0.25, 0.25]));
    put(&floats(&[0.05, 0.05, 0., 0., 0.0625, 0.0625, 0., 0., 0., 0., 0., 0.]));
    let data = base64::engine::general_purpose::STANDARD.encode(&bytes);
    let accessor = |view: usize, component: u32, kind: &str| json!({"bufferView": view, "componentType": component, "count": 3, "type": kind});
    let mut document = json!({
        "asset": {"version": "2.0", "generator": "a test"},
        "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"mesh": 0, "skin": 0}, {"name": "hip", "children": [2, 3, 4, 5, 6], "scale": [2, 2, 2]}],
        "meshes": [{"primitives": [{"attributes": {
            "POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 3, "JOINTS_1": 2, "WEIGHTS_1": 4
        }}]}],
        "skins": [{"name": "rig", "joints": [1, 2, 3, 4, 5, 6, 2]}],
        "accessors": [accessor(0, 5126, "VEC3"), accessor(1, 5121, "VEC4"), accessor(2, 5121, "VEC4"),
                      accessor(3, 5126, "VEC4"), accessor(4, 5126, "VEC4")],
        "bufferViews": views,
        "buffers": [{"byteLength": bytes.len(), "uri": format!("data:application/octet-stream;base64,{data}")}]
    });
    document["skins"][0]["joints"] = json!([1, 2, 3, 4, 5, 6]);
    document["accessors"][0]["min"] = json!([0, 0, 0]);
    document["accessors"][0]["max"] = json!([1, 1, 0]);
    let list = document["nodes"].as_array_mut().unwrap();
    list.extend((2..7).map(|number| json!({"name": format!("joint {number}")})));
    list.extend((0..nodes).map(|_| json!({"rotation": [0.5, 0, 0, 0.5]})));
    let path = folder.join("odd.gltf");
    std::fs::write(&path, document.to_string()).unwrap();
    path
}

#[test]
fn built_in_models_break_no_rule() {
    for model in ["character", "robot", "twist", "bend", "elbow", "strip", "tube-3"] {
        let report = json_of(&format!("builtin:{model}"));
        assert_eq!(report["warnings"], json!([]), "{model}");
        assert_eq!(report["skins"][0]["largest_sum_error"]["error"], 0.0, "{model}");
        run_well(&mut sinew(["inspect", &format!("builtin:{model}"), "--strict"]));
    }
}

#[test]
fn figures_are_those_of_the_file() {
    // The skin from the glTF tutorial: ten vertices, eight triangles, two joints.
    let report = json_of("builtin:strip");
    assert_eq!(report["model"], "builtin:strip");
    let primitive = &report["meshes"][0]["primitives"][0];
    assert_eq!((&primitive["vertices"], &primitive["elements"]), (&json!(10), &json!(8)));
    assert_eq!((&report["skins"][0]["joints"], &report["skins"][0]["palette_parts"]), (&json!(2), &json!(1)));
    // A palette holds 512 joints.
    let parts = |model| json_of(model)["skins"][0]["palette_parts"].as_u64().unwrap();
    assert_eq!((parts("builtin:tube-512"), parts("builtin:tube-513")), (1, 2));

    let folder = tempfile::tempdir().unwrap();
    let report = json_of(odd(folder.path(), 1).to_str().unwrap());
    let skin = &report["skins"][0];
    assert_eq!((&skin["name"], &skin["joints"], &skin["joints_used"]), (&json!("rig"), &json!(6), &json!(6)));
    assert_eq!(skin["influences"], json!([0, 0, 0, 0, 1, 0, 2]));
    let sum = &skin["largest_sum_error"];
    assert_eq!((&sum["error"], &sum["vertex"]), (&json!(0.25), &json!(1)));
    assert_eq!(sum["name"], "node0:0:1");
    // Both lose a tenth: the first vertex of 1, the second 0.125 of 1.25.
    let four = &skin["limits"][0];
    assert_eq!((&four["limit"], &four["vertices"]), (&json!(4), &json!(2)));
    for loss in ["mean_loss", "worst_loss"] {
        assert!((four[loss].as_f64().unwrap() - 0.1).abs() < 1e-7, "{four}");
    }
    assert_eq!(skin["limits"][1]["vertices"], 0);
    // Without inverse bind matrices, the hip's scale applies to all joints.
    let stretched = skin["stretched"].as_array().unwrap();
    assert_eq!(stretched.len(), 6);
    for joint in stretched {
        assert_eq!((&joint["smallest"], &joint["largest"]), (&json!(2.0), &json!(2.0)));
        assert_eq!(
            (&joint["pose"], &joint["shear"], &joint["mirror"]),
            (&json!("rest"), &json!(false), &json!(false))
        );
    }
    let codes: Vec<&str> =
        report["warnings"].as_array().unwrap().iter().map(|w| w["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["ROTATION_NON_UNIT", "ACCESSOR_WEIGHTS_NON_NORMALIZED"]);
}

#[test]
fn drivers_of_morph_weights_are_listed() {
    let driver = &json_of("builtin:elbow")["morphs"][0]["drivers"][0];
    assert_eq!((&driver["name"], &driver["joint_name"]), (&json!("corrective"), &json!("upper")));
    assert_eq!(driver["axis"], json!([0.0, 0.0, -1.0]));
    let [degrees, weights] = ["degrees", "weights"].map(|key| driver[key].as_array().unwrap());
    assert!(degrees.len() > 2 && degrees.len() == weights.len(), "{driver}");
    let text = String::from_utf8(run_well(&mut sinew(["inspect", "builtin:elbow"]))).unwrap();
    let line = "0 'corrective' follows the angle of node 2 'upper' about (0, 0, -1.00): 0 at 0°";
    assert!(text.contains(line), "{text}");
    assert_eq!(json_of("builtin:character")["morphs"][0]["drivers"], json!([]));
}

/// Scripts rely on these names; docs/reference/inspect.md explains them.
#[test]
fn the_json_has_the_documented_keys() {
    let folder = tempfile::tempdir().unwrap();
    let report = json_of(odd(folder.path(), 1).to_str().unwrap());
    let documented = include_str!("../../docs/reference/inspect.md");
    let mut values = vec![&report];
    let mut keys = 0;
    while let Some(value) = values.pop() {
        match value {
            Value::Object(map) => {
                for (key, value) in map {
                    assert!(
                        documented.contains(&format!("`{key}`")),
                        "{key} is not in docs/reference/inspect.md"
                    );
                    keys += 1;
                    values.push(value);
                }
            }
            Value::Array(list) => values.extend(list),
            _ => {}
        }
    }
    assert!(keys > 60, "only {keys} keys");
}

#[test]
fn the_text_is_short_and_narrow() {
    let folder = tempfile::tempdir().unwrap();
    for model in ["builtin:character", odd(folder.path(), 900).to_str().unwrap()] {
        let text = String::from_utf8(run_well(&mut sinew(["inspect", model]))).unwrap();
        assert!(text.lines().count() <= 60, "{} lines: {text}", text.lines().count());
        for line in text.lines() {
            assert!(line.chars().count() <= 100 || !line.trim().contains(' '), "a long line: {line}");
        }
        for part in ["glTF 2.0", "on the GPU", "Meshes", "Skins", "joints"] {
            assert!(text.contains(part), "no '{part}' in {text}");
        }
    }
    let text =
        String::from_utf8(run_well(&mut sinew(["inspect", odd(folder.path(), 900).to_str().unwrap()])));
    let text = text.unwrap();
    for part in
        ["6 joints, 6 used", "4: 1, 6: 2", "10.0 % on average", "all joints ×2.00", "ROTATION_NON_UNIT"]
    {
        assert!(text.contains(part), "no '{part}' in {text}");
    }
}

#[test]
fn what_does_not_load_is_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken.gltf");
    std::fs::write(&path, r#"{"asset": {"version": "2.0"}, "nodes": [{"children": [0]}]}"#).unwrap();
    for arguments in [&["inspect"][..], &["inspect", "--json"]] {
        let Run { code, out, err } = run(sinew(arguments).arg(&path));
        assert_eq!((code, out.len(), err.lines().count()), (Some(1), 0, 1), "{err}");
        assert_eq!(err, format!("error: {}: nodes[0]: is its own ancestor\n", path.display()));
    }
}

#[test]
fn a_kind_of_warning_is_said_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = odd(folder.path(), 900);
    let Run { code, err, .. } = run(sinew(["export", "--on", "cpu", "-o", "-"]).arg(&path));
    assert_eq!(code, Some(0), "{err}");
    let lines: Vec<&str> = err.lines().collect();
    assert_eq!(lines.len(), 2, "{err}");
    assert!(lines[0].starts_with("warning: ") && lines[0].contains("nodes[7].rotation"), "{err}");
    assert!(lines[0].contains("more)") && lines[0].ends_with("[ROTATION_NON_UNIT]"), "{err}");
    assert!(lines[1].ends_with("[ACCESSOR_WEIGHTS_NON_NORMALIZED]"), "{err}");
}

#[test]
fn strict_makes_an_error_of_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let path = odd(folder.path(), 1);
    for (arguments, has_output) in [
        (&["inspect", "--strict"][..], true),
        (&["inspect", "--strict", "--json"], true),
        (&["verify", "--strict"], true),
        (&["export", "--strict", "--on", "cpu", "-o", "-"], false),
        (&["--strict", "--screenshot", "-"], false),
    ] {
        let Run { code, out, err } = run(sinew(arguments).arg(&path));
        assert_eq!((code, out.is_empty()), (Some(1), !has_output), "{arguments:?}: {err}");
        let [line] = err.lines().collect::<Vec<_>>()[..] else { panic!("{arguments:?}: {err}") };
        assert!(line.starts_with(&format!("error: {}: nodes[7].rotation: ", path.display())), "{line}");
        assert!(line.ends_with("[ROTATION_NON_UNIT] (and 1 more)"), "{line}");
    }
}

/// A required extension that is only approximated causes a warning wherever the file is read.
#[test]
fn a_required_approximation_is_a_warning_where_it_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("glass.gltf");
    let write = |factor: f32, required: &str| {
        let text = format!(
            r#"{{"asset": {{"version": "2.0"}}, "extensionsUsed": ["KHR_materials_transmission"], {required}
                "scenes": [{{"nodes": [0]}}], "nodes": [{{"mesh": 0}}],
                "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}, "material": 0}}]}}],
                "materials": [{{"pbrMetallicRoughness": {{"metallicFactor": 0}},
                    "extensions": {{"KHR_materials_transmission": {{"transmissionFactor": {factor}}}}}}}],
                "accessors": [{{"componentType": 5126, "type": "VEC3", "count": 3, "min": [0, 0, 0], "max": [0, 0, 0]}}]}}"#
        );
        std::fs::write(&path, text).unwrap();
    };
    let read = |strict: &[&str]| {
        let Run { code, err, .. } = run(sinew(["export", "--on", "cpu", "-o", "-"]).args(strict).arg(&path));
        (code, err)
    };
    let required = r#""extensionsRequired": ["KHR_materials_transmission"],"#;
    for (factor, required) in [(0.0, required), (0.5, "")] {
        write(factor, required);
        assert_eq!(read(&["--strict"]), (Some(0), String::new()));
    }

    write(0.5, required);
    let said = format!(
        "{}: extensionsRequired[0]: KHR_materials_transmission is drawn without bending light, with one \
         strength for the whole surface; only the light around it is blurred (materials[0]) [INCOMPLETE_EXTENSION_SUPPORT]\n",
        path.display()
    );
    assert_eq!(read(&[]), (Some(0), format!("warning: {said}")));
    assert_eq!(read(&["--strict"]), (Some(1), format!("error: {said}")));
    let report = json_of(path.to_str().unwrap());
    let extension = &report["extensions"][0];
    assert_eq!((&extension["support"], &extension["required"]), (&"approximate".into(), &true.into()));
    let message = report["warnings"][0]["message"].as_str().unwrap();
    assert!(message.contains(extension["lost"].as_str().unwrap()), "{message}");
}

#[test]
fn a_reader_may_stop_reading() {
    let mut child =
        sinew(["inspect", "--json"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let out = child.wait_with_output().unwrap();
    assert_eq!((out.status.code(), out.stderr.len()), (Some(0), 0));
}
