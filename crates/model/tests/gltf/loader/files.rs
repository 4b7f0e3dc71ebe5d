//! Tests models in files: external buffers and images, and paths that must not be followed.

use std::path::Path;

use serde_json::json;
use sinew_model::SceneRoots;
use sinew_model::gltf::{Options, load, load_bytes_with, load_with};

use crate::character;
use crate::sound::assert_sound;

/// Writes the character as text, with its bytes in a second file.
fn write(folder: &Path, uri: &str) -> std::path::PathBuf {
    let mut character = character::new();
    character.json["buffers"][0]["uri"] = uri.into();
    let path = folder.join("character.gltf");
    std::fs::write(&path, character.json.to_string()).unwrap();
    path
}

#[test]
fn a_buffer_beside_the_model_is_read() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("данные")).unwrap();
    std::fs::write(folder.path().join("данные/a b.bin"), character::new().binary).unwrap();
    for uri in ["данные/a b.bin", "%D0%B4%D0%B0%D0%BD%D0%BD%D1%8B%D0%B5/a%20b.bin", "./x/../данные\\a b.bin"]
    {
        let model = load(&write(folder.path(), uri)).unwrap();
        assert_sound(&model);
        assert_eq!(model.warnings, []);
    }
}

#[test]
fn what_is_missing_or_outside_is_named() {
    let folder = tempfile::tempdir().unwrap();
    for (uri, cause) in [
        ("gone.bin", "buffers[0].uri: buffer 'gone.bin': no such file"),
        ("../x.bin", "buffers[0].uri: buffer '../x.bin': it leads out of the model's folder"),
        ("%2e%2e/x.bin", "buffers[0].uri: buffer '%2e%2e/x.bin': it leads out of the model's folder"),
        ("/etc/passwd", "buffers[0].uri: buffer '/etc/passwd': absolute paths are not followed"),
        (
            "http://a/b\n",
            "buffers[0].uri: buffer 'http://a/b\\n': only files beside the model and data: URIs are read",
        ),
    ] {
        assert_eq!(load(&write(folder.path(), uri)).unwrap_err().to_string(), cause);
    }
}

#[test]
fn what_is_outside_is_read_where_the_caller_allows_it() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("models");
    std::fs::create_dir(&inner).unwrap();
    let data = folder.path().join("a b.bin");
    std::fs::write(&data, character::new().binary).unwrap();
    let allowed = Options { allow_outside: true, ..Options::default() };
    let absolute = data.to_str().unwrap().to_owned();
    let encoded = absolute.replace(' ', "%20");
    for uri in ["../a b.bin", "%2E%2E/a%20b.bin", &absolute, &encoded, &format!("file://{encoded}")] {
        let path = write(&inner, uri);
        let error = load(&path).unwrap_err();
        assert!(error.leads_outside(), "{uri}: {error}");
        let model = load_with(&path, &allowed).unwrap();
        assert_sound(&model);
        assert_eq!(model.warnings, [], "{uri}");
    }
    // Other machines and devices are never read, and missing files are errors.
    for (uri, cause) in [
        ("http://a/b.bin", "only files beside the model and data: URIs are read"),
        ("file://server/b.bin", "names of other machines are not followed"),
        ("..", "not a regular file"),
        ("../gone.bin", "no such file"),
        ("/dev/zero", "not a regular file"),
    ] {
        let error = load_with(&write(&inner, uri), &allowed).unwrap_err();
        assert_eq!(error.to_string(), format!("buffers[0].uri: buffer '{uri}': {cause}"));
        assert!(!error.leads_outside());
    }
}

/// An archive may hold links; they are followed within the folder.
#[test]
#[cfg(unix)]
fn links_lead_out_only_where_the_caller_allows_it() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("models");
    std::fs::create_dir(&inner).unwrap();
    std::fs::write(folder.path().join("out.bin"), character::new().binary).unwrap();
    std::fs::write(inner.join("in.bin"), character::new().binary).unwrap();
    symlink("../out.bin", inner.join("a.bin")).unwrap();
    symlink(folder.path(), inner.join("up")).unwrap();
    symlink("in.bin", inner.join("b.bin")).unwrap();
    for uri in ["a.bin", "up/out.bin"] {
        let path = write(&inner, uri);
        let error = load(&path).unwrap_err();
        assert!(error.leads_outside(), "{uri}: {error}");
        assert!(error.to_string().ends_with("a link leads out of the model's folder"), "{error}");
        assert_sound(&load_with(&path, &Options { allow_outside: true, ..Options::default() }).unwrap());
    }
    assert_sound(&load(&write(&inner, "b.bin")).unwrap());
    // The folder itself may be a link, and so may the model.
    symlink(&inner, folder.path().join("linked")).unwrap();
    assert_sound(&load(&folder.path().join("linked/character.gltf")).unwrap());
}

#[test]
fn the_caller_chooses_the_scene() {
    let mut character = character::new();
    character.json["scenes"] = json!([{"name": "all", "nodes": [2, 0]}, {"name": "joints", "nodes": [0]}]);
    let shown = |scene: Option<&str>| {
        let options = Options { scene: scene.map(str::to_owned), ..Options::default() };
        load_bytes_with(&character.glb(), None, &options)
    };
    let model = shown(None).unwrap();
    assert_eq!((model.scene, model.instances.len()), (Some(0), 1));
    assert_eq!(model.scenes[0], SceneRoots { name: "all".into(), roots: vec![2, 0] });
    for asked in ["joints", "1"] {
        let model = shown(Some(asked)).unwrap();
        assert_eq!((model.scene, model.instances.len()), (Some(1), 0), "{asked}");
    }
    assert_eq!(shown(Some("x")).unwrap_err().to_string(), "it has no scene 'x', but 0 'all', 1 'joints'");
}

#[test]
fn a_missing_picture_is_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let mut character = character::new();
    character.json["images"][0] = json!({"uri": "gone.png"});
    let path = folder.path().join("character.glb");
    std::fs::write(&path, character.glb()).unwrap();
    let model = load(&path).unwrap();
    assert_eq!(model.warnings.len(), 1);
    assert_eq!((model.warnings[0].path.as_str(), model.warnings[0].code), ("images[0].uri", "IO_ERROR"));
    assert!(model.faults.iter().all(|fault| fault.code != "IO_ERROR"), "what a warning says is said once");
    assert_eq!(model.warnings[0].message, "image 'gone.png': no such file; shown without");
    assert_eq!(model.materials[0].base_color_texture, None);
}

#[test]
fn what_is_no_file_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(load(folder.path()).unwrap_err().to_string(), "not a regular file");
    assert_eq!(load(&folder.path().join("gone")).unwrap_err().to_string(), "no such file");
}

#[cfg(unix)]
#[test]
fn a_pipe_does_not_hang() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe.bin");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    assert_eq!(load(&pipe).unwrap_err().to_string(), "not a regular file");
    let error = load(&write(folder.path(), "pipe.bin")).unwrap_err().to_string();
    assert_eq!(error, "buffers[0].uri: buffer 'pipe.bin': not a regular file");
}
