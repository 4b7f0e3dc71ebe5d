//! Models in files: external buffers and pictures, and paths that must not be followed.

use std::path::Path;

use serde_json::json;
use sinew::model::gltf::load;

use crate::character::Character;
use crate::sound::assert_sound;

/// Writes the character as text with its bytes in a file beside it.
fn write(folder: &Path, uri: &str) -> std::path::PathBuf {
    let mut character = Character::new();
    character.json["buffers"][0]["uri"] = uri.into();
    let path = folder.join("character.gltf");
    std::fs::write(&path, character.json.to_string()).unwrap();
    path
}

#[test]
fn a_buffer_beside_the_model_is_read() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("данные")).unwrap();
    std::fs::write(folder.path().join("данные/a b.bin"), Character::new().binary).unwrap();
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
fn a_missing_picture_is_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let mut character = Character::new();
    character.json["images"][0] = json!({"uri": "gone.png"});
    let path = folder.path().join("character.glb");
    std::fs::write(&path, character.glb()).unwrap();
    let model = load(&path).unwrap();
    assert_eq!(model.warnings.len(), 1);
    assert_eq!(model.warnings[0].path, "images[0]");
    assert_eq!(model.warnings[0].message, "picture 'gone.png': no such file; shown without");
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
