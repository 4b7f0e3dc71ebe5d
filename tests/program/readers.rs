//! The second reader of glTF, the crate `gltf`: the same model, or that crate's error in one line.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use std::fs;

use serde_json::json;

use crate::cli::assert_fails;
use crate::common::{run, run_well, sinew};

#[test]
fn both_readers_give_the_same_model() {
    for name in ["character", "bend", "strip", "tube-12"] {
        let model = format!("builtin:{name}");
        let out = run_well(&mut sinew(["inspect", &model, "--reader", "both"]));
        assert_eq!(String::from_utf8(out).unwrap(), format!("{model}: both readers give the same model\n"));
    }
}

#[test]
fn a_picture_names_the_reader_in_its_command() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("strip.png");
    let size = ["--size", "16x16", "--reader", "gltf", "--screenshot"];
    run_well(sinew(["builtin:strip"]).args(size).arg(&picture));
    let notes = String::from_utf8(run_well(sinew(["show"]).arg(&picture))).unwrap();
    assert!(notes.contains("sinew builtin:strip --reader=gltf --mode"), "{notes}");
}

#[test]
fn the_crates_own_error_is_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let needs = json!({"asset": {"version": "2.0"}, "extensionsUsed": ["KHR_draco_mesh_compression"],
        "extensionsRequired": ["KHR_draco_mesh_compression"]});
    fs::write(at("draco.gltf"), needs.to_string()).unwrap();
    let refused = "the crate gltf refuses it: ";
    assert_fails(sinew(["inspect", "--reader", "gltf"]).arg(at("draco.gltf")), 1, &["draco.gltf: ", refused]);
    let both = run(sinew(["inspect", "--json", "--reader", "both", "--junit"])
        .arg(at("readers.xml"))
        .arg(at("draco.gltf")));
    let junit = fs::read_to_string(at("readers.xml")).unwrap();
    assert!(junit.contains("failures=\"1\"") && junit.contains("type=\"reader\""), "{junit}");
    let found: serde_json::Value = serde_json::from_slice(&both.out).unwrap();
    assert!(both.code == Some(6) && found["gltf_error"].as_str().unwrap().contains(refused), "{found}");

    // The crate's validation takes this accessor for granted.
    let dangling =
        json!({"asset": {"version": "2.0"}, "meshes": [{"primitives": [{"attributes": {"POSITION": 7}}]}]});
    fs::write(at("dangling.gltf"), dangling.to_string()).unwrap();
    let says = ["meshes[0].primitives[0].attributes", "accessor 7"];
    assert_fails(sinew(["inspect", "--reader", "gltf"]).arg(at("dangling.gltf")), 1, &says);
    // A header of no length makes the crate's reader of containers take 4 GiB.
    fs::write(at("short.glb"), b"glTF\x02\0\0\0\0\0\0\0").unwrap();
    assert_fails(sinew(["inspect", "--reader", "gltf"]).arg(at("short.glb")), 1, &["short.glb"]);
}

#[test]
fn other_formats_and_other_commands_have_no_second_reader() {
    let folder = tempfile::tempdir().unwrap();
    let obj = folder.path().join("a.obj");
    fs::write(&obj, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    assert_fails(sinew(["inspect", "--reader", "gltf"]).arg(&obj), 1, &["glTF alone, neither FBX nor OBJ"]);
    assert_fails(&mut sinew(["palette", "builtin:bend", "--reader", "both"]), 2, &["--reader", "own, gltf"]);
}
