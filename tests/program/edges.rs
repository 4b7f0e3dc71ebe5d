//! Tests that edge cases never look like success: unwritable output, words in the wrong order, models that are empty or
//! exceed the range of numbers.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::common;

use std::path::Path;

/// Runs the program and returns its exit code, standard output and its one line of complaint.
fn run<S: AsRef<std::ffi::OsStr>>(arguments: &[S]) -> (Option<i32>, String, String) {
    let run = common::sinew(arguments).output().unwrap();
    let stderr = String::from_utf8(run.stderr).unwrap();
    assert!(stderr.lines().filter(|line| line.starts_with("error: ")).count() <= 1, "{stderr}");
    (run.status.code(), String::from_utf8(run.stdout).unwrap(), stderr)
}

/// A model of one triangle below two nodes, each scaled by `scale`.
fn scaled(folder: &Path, scale: f64) -> std::path::PathBuf {
    let path = folder.join("scaled.gltf");
    // Three positions: (0 0 0), (1 0 0), (0 1 0).
    let positions = "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA";
    let json = serde_json::json!({
        "asset": { "version": "2.0" },
        "scenes": [{ "nodes": [0] }],
        "nodes": [
            { "scale": [scale, scale, scale], "children": [1] },
            { "scale": [scale, scale, scale], "mesh": 0 }
        ],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }],
        "accessors": [{ "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                        "min": [0, 0, 0], "max": [1, 1, 0] }],
        "bufferViews": [{ "buffer": 0, "byteLength": 36 }],
        "buffers": [{ "byteLength": 36,
                      "uri": format!("data:application/octet-stream;base64,{positions}") }]
    });
    std::fs::write(&path, json.to_string()).unwrap();
    path
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_no_success() {
    let commands: [&[&str]; 6] = [
        &["--help"],
        &["devices"],
        &["builtins"],
        &["verify", "builtin:strip"],
        &["verify", "builtin:strip", "--json"],
        &["export", "builtin:strip", "--on", "cpu", "-o", "-"],
    ];
    for command in commands {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let run = common::sinew(command).stdout(full).output().unwrap();
        let stderr = String::from_utf8(run.stderr).unwrap();
        assert_eq!(run.status.code(), Some(5), "{command:?}: {stderr}");
        assert!(stderr.starts_with("error: -: "), "{command:?}: {stderr}");
    }
}

#[test]
fn a_model_that_fails_does_not_keep_the_others_from_being_verified() {
    let (code, out, stderr) = run(&["verify", "no/such.glb", "builtin:strip", "builtin:nobody"]);
    assert_eq!(code, Some(1), "{stderr}");
    assert!(out.contains("builtin:strip") && out.contains("worst dqs"), "{out}");
    assert!(stderr.contains("no/such.glb") && stderr.contains("(and 1 more)"), "{stderr}");
    let (code, out, _) = run(&["verify", "--json", "no/such.glb", "builtin:strip"]);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, json["models"].as_array().unwrap().len()), (Some(1), 1));
    assert_eq!(json["failed"][0]["model"], "no/such.glb");
}

#[test]
fn nothing_to_verify_is_not_a_proof() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("empty.gltf");
    std::fs::write(&path, r#"{"asset":{"version":"2.0"}}"#).unwrap();
    let (code, _, stderr) = run(&["verify", path.to_str().unwrap()]);
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stderr.contains("nothing to verify"), "{stderr}");
}

#[test]
fn coordinates_beyond_numbers_are_not_exported() {
    let folder = tempfile::tempdir().unwrap();
    let fine = scaled(folder.path(), 2.0);
    let (code, out, stderr) = run(&["export", fine.to_str().unwrap(), "--on", "cpu", "-o", "-"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(out.contains("[0.0,0.0,0.0,4.0,0.0,0.0,0.0,4.0,0.0]"), "{out}");
    let beyond = scaled(folder.path(), 1e30);
    for on in ["cpu", "gpu"] {
        let (code, out, stderr) = run(&["export", beyond.to_str().unwrap(), "--on", on, "-o", "-"]);
        assert_eq!((code, out.as_str()), (Some(1), ""), "{stderr}");
        assert!(stderr.contains("meshes[0].primitives[0]: vertex node1:0:"), "{stderr}");
        assert!(stderr.contains("is not finite"), "{stderr}");
    }
}

#[test]
fn a_model_is_not_overwritten_by_its_own_geometry() {
    let folder = tempfile::tempdir().unwrap();
    let path = scaled(folder.path(), 1.0);
    let glb = folder.path().join("scaled.glb");
    std::fs::rename(&path, &glb).unwrap();
    let before = std::fs::read(&glb).unwrap();
    let glb_text = glb.to_str().unwrap();
    let (code, _, stderr) = run(&["export", glb_text, "--on", "cpu", "-o", glb_text]);
    assert_eq!(code, Some(2), "{stderr}");
    assert_eq!(std::fs::read(&glb).unwrap(), before);
}

#[test]
fn words_in_the_wrong_order_are_explained() {
    for (words, expected) in [
        (&["--mode", "dqs", "--screenshot", "x.png", "verify"][..], "put it first: sinew verify"),
        (&["builtin:strip", "builtin:bend", "--screenshot", "x.png"], "draws one model, not 2"),
        (&["weight", "builtin:bend", "--screenshot", "x.png"], "did you mean the command 'weights'?"),
        (&["builtin:strip", "verify"], "put it first: sinew verify"),
        (
            &["builtin:strip", "--screenshot", "x.png", "--device", "7"],
            "--device 7: no such device; 'sinew devices' lists them",
        ),
        (&["export", "builtin:strip", "-o", ".glb"], "expected a file that ends in"),
    ] {
        let (code, _, stderr) = run(words);
        assert_eq!(code, Some(2), "{words:?}: {stderr}");
        assert!(stderr.contains(expected), "{words:?}: {stderr}");
    }
}

#[cfg(feature = "window")]
#[test]
fn a_list_needs_a_model() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("notes.txt"), "no model").unwrap();
    std::fs::write(folder.path().join("broken.glb"), "glTF").unwrap();
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for (words, expected) in [
        (vec![path("empty")], "empty: no .glb"),
        (vec![path("*.fbx")], "*.fbx: no file has such a name"),
        (vec!["builtin:strip".to_owned(), path("none.glb")], "none.glb: no such file"),
        (vec![path(""), path("broken.glb")], "broken.glb: "),
    ] {
        let (code, out, stderr) = run(&words.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!((code, out.as_str(), stderr.lines().count()), (Some(1), "", 1), "{words:?}: {stderr}");
        assert!(stderr.starts_with("error: ") && stderr.contains(expected), "{words:?}: {stderr}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_name_need_not_be_unicode() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(std::ffi::OsStr::from_bytes(b"caf\xe9.gltf"));
    std::fs::rename(scaled(folder.path(), 1.0), &path).unwrap();
    let picture = folder.path().join("picture.png");
    let run = common::sinew([path.as_os_str(), "--size".as_ref(), "64x64".as_ref(), "--screenshot".as_ref()])
        .arg(&picture)
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    assert!(picture.is_file());
}
