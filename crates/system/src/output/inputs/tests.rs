//! Tests that inputs are protected under every name.

use super::*;

/// Returns a folder with a texture that was read, and the inputs.
fn read() -> (tempfile::TempDir, Closed) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("fox.png"), "a texture").unwrap();
    let mut inputs = Inputs::none();
    inputs.add(&folder.path().join("fox.png"), Role::Texture).unwrap();
    inputs.add(&folder.path().join("fox.gltf"), Role::Model).unwrap();
    (folder, inputs.close())
}

fn refusal(inputs: &Closed, path: impl Into<PathBuf>) -> String {
    inputs.output(path).unwrap_err().to_string()
}

#[test]
fn nothing_that_was_read_is_an_output() {
    let (folder, inputs) = read();
    let path = |name: &str| folder.path().join(name);
    let fox = path("fox.png").display().to_string();
    assert_eq!(
        refusal(&inputs, path("fox.png")),
        format!("{fox}: the output would overwrite the model's texture")
    );
    // The next run would read a missing file.
    let model = path("fox.gltf").display().to_string();
    assert_eq!(refusal(&inputs, path("fox.gltf")), format!("{model}: the output would become the model"));
    let roundabout = path("../x/.././").join(folder.path().file_name().unwrap()).join("fox.png");
    assert!(inputs.output(&roundabout).is_ok(), "there is no folder x on the way");
    let roundabout = path(".././").join(folder.path().file_name().unwrap()).join("fox.png");
    let said = refusal(&inputs, &roundabout);
    assert!(said.ends_with(&format!("the model's texture {fox}")), "{said}");
    for free in ["fox-1.png", "new/fox.png"] {
        assert_eq!(inputs.output(path(free)).unwrap().path(), path(free));
    }
    assert!(inputs.output("-").is_ok() && inputs.output(folder.path()).is_ok());
}

#[test]
fn a_golden_is_taken_anew_and_nothing_else() {
    let (folder, inputs) = read();
    let path = |name: &str| folder.path().join(name);
    let note = |name: &str| Session(inputs.0.clone()).inputs().add(&path(name), Role::Golden).unwrap();
    note("walk.png");
    let opened = Folder::open(folder.path()).unwrap();
    assert!(inputs.output(path("walk.png")).is_err() && inputs.golden(&opened, "walk.png").is_ok());
    note("fox.png");
    let said = inputs.golden(&opened, "fox.png").unwrap_err().to_string();
    assert!(said.ends_with("overwrite the model's texture"), "{said}");
}

#[test]
fn names_that_are_too_long_are_no_work() {
    let mut inputs = Inputs::none();
    inputs.add(Path::new(&"a/".repeat(1 << 20)), Role::Texture).unwrap();
    assert!(inputs.close().output("b/".repeat(1 << 20)).is_ok());
}

#[cfg(unix)]
#[test]
fn links_are_seen_through_and_devices_hold_nothing() {
    use std::os::unix::fs::symlink;
    let (folder, inputs) = read();
    let path = |name: &str| folder.path().join(name);
    symlink("fox.png", path("link.png")).unwrap();
    fs::hard_link(path("fox.png"), path("hard.png")).unwrap();
    symlink(folder.path(), path("here")).unwrap();
    symlink("fox.gltf", path("dangling.gltf")).unwrap();
    for name in ["link.png", "hard.png", "here/fox.png", "here/hard.png", "here/fox.gltf"] {
        assert!(inputs.output(path(name)).is_err(), "{name}");
    }
    // A dangling link is replaced by a file.
    assert!(inputs.output(path("dangling.gltf")).is_ok());
    // The name still refers to an input, although another file has replaced it.
    fs::write(path("new.png"), "another").unwrap();
    fs::rename(path("new.png"), path("fox.png")).unwrap();
    assert!(inputs.output(path("fox.png")).is_err() && inputs.output(path("hard.png")).is_err());
    inputs.again().add(Path::new("/dev/null"), Role::Buffer).unwrap();
    assert!(inputs.output("/dev/null").is_ok());
}

#[test]
fn only_known_files_are_read_after_outputs_were_chosen() {
    let (folder, inputs) = read();
    let path = |name: &str| folder.path().join(name);
    let mut again = inputs.again();
    again.add(&path("fox.png"), Role::Texture).unwrap();
    again.add(&path("fox.gltf"), Role::Model).unwrap();
    let late = again.add(&path("new.png"), Role::Texture).unwrap_err();
    assert_eq!(late.path(), path("new.png"));
    assert!(inputs.output(path("new.png")).is_ok(), "a file that was not read is an output");
}

#[test]
fn commands_of_a_session_keep_what_others_have_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let session = Inputs::none().stay_open();
    session.inputs().add(&path("a.glb"), Role::Model).unwrap();
    let mut second = session.inputs();
    second.add(&path("b.glb"), Role::Clips).unwrap();
    let earlier = session.closed();
    let closed = second.close();
    for name in ["a.glb", "b.glb"] {
        assert!(closed.output(path(name)).is_err() && earlier.output(path(name)).is_err(), "{name}");
    }
}
