//! Selects vertices in the window and edits their weights: the saved model equals what `sinew weights` makes of the saved
//! recipe, and undo, closing and a killed window lose nothing.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::common::{Run, run, run_well, sinew};
use super::screen::{Screen, Window};
use super::{STILL, headless};

/// A folder with a file of the rod.
fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run(sinew(["builtins", "--write"]).arg(folder.path())).code, Some(0));
    let file = folder.path().join("bend.glb");
    roughen(&file);
    (folder, file)
}

/// Gives small weights bits that loading rounds off, as files of other programs have them.
fn roughen(file: &Path) {
    let mut glb = std::fs::read(file).unwrap();
    let head = 20 + u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let json: Value = serde_json::from_slice(&glb[20..head]).unwrap();
    let at = |value: &Value| value.as_u64().unwrap_or(0) as usize;
    let accessor = &json["accessors"][at(&json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"])];
    let view = &json["bufferViews"][at(&accessor["bufferView"])];
    let start = head + 8 + at(&view["byteOffset"]) + at(&accessor["byteOffset"]);
    let mut changed = 0;
    for bytes in glb[start..start + 16 * at(&accessor["count"])].as_chunks_mut::<4>().0 {
        let weight = f32::from_le_bytes(*bytes);
        if (0.01..0.1).contains(&weight) {
            *bytes = weight.next_up().to_le_bytes();
            changed += 1;
        }
    }
    assert!(changed > 0);
    std::fs::write(file, glb).unwrap();
}

fn words(file: &Path) -> Vec<&str> {
    let mut words = vec![file.to_str().unwrap(), "--choose", "upper"];
    words.extend(&STILL[1..]);
    words
}

/// Selects the vertices in a rectangle around the middle of the rod.
fn select(window: &mut Window) {
    let before = window.picture(320, 200);
    window.key("F4");
    window.drag([120, 90], [200, 150]);
    window.differs_from(&before);
    window.settle();
}

/// Saves the weights, and returns the paths of the model and the recipe.
fn save(window: &Window) -> [String; 2] {
    window.forget_said();
    window.key("ctrl+e");
    let line = window.said("wrote ");
    let (model, recipe) = line.split_once("; ").unwrap();
    [model, recipe].map(|text| text.strip_prefix("wrote ").unwrap().to_owned())
}

fn bytes(path: &str) -> Vec<u8> {
    std::fs::read(path).unwrap()
}

#[test]
fn edited_weights_are_saved_as_the_command_makes_them() {
    let (folder, file) = folder();
    let screen = Screen::start(640, 480);
    let mut window = screen.open(&words(&file));
    window.settle();
    // Without vertices or edits, the keys only say what is missing.
    window.key("F10");
    window.key("ctrl+e");
    window.said("error: no edited weights to save");
    select(&mut window);
    for key in ["F9", "F10", "F10", "shift+F9", "F11", "shift+F10"] {
        window.key(key);
        window.settle();
    }
    let [model, recipe] = save(&window);
    assert!(model.ends_with("bend-weights-001.glb") && recipe.ends_with("bend-weights-001.json"), "{model}");
    let again = folder.path().join("again.glb");
    let command = ["weights", file.to_str().unwrap(), "--recipe", &recipe, "-o"];
    run_well(sinew(command).arg(&again));
    assert!(bytes(&model) == std::fs::read(&again).unwrap(), "the recipe makes another model");
    assert_ne!(bytes(&model), std::fs::read(&file).unwrap());
    // The window shows them.
    window.key("Escape");
    window.key("Escape");
    window.key("Escape");
    let edited =
        headless(&[&[model.as_str()][..], &["--time", "0.8", "--size", "320x240", "--mode=lbs"]].concat());
    window.shows(&edited, "the edited weights");
    // Undo goes back edit by edit, to the file's weights.
    for _ in 0..4 {
        window.key("ctrl+z");
        window.settle();
    }
    let plain = headless(&["builtin:bend", "--time", "0.8", "--size", "320x240", "--mode=lbs"]);
    window.shows(&plain, "undone");
    for _ in 0..4 {
        window.key("ctrl+shift+z");
        window.settle();
    }
    window.shows(&edited, "done again");
    let [model_again, recipe_again] = save(&window);
    assert!(bytes(&model_again) == bytes(&model) && bytes(&recipe_again) == bytes(&recipe));
    // Saved edits are not asked about.
    assert_eq!(window.close().code, Some(0));
}

#[test]
fn unsaved_weights_outlive_the_window() {
    let (folder, file) = folder();
    let screen = Screen::start(640, 480);
    let mut window = screen.open(&words(&file));
    window.settle();
    select(&mut window);
    window.key("F10");
    window.settle();
    std::thread::sleep(std::time::Duration::from_millis(1200));
    let Run { err, .. } = window.end_by("-TERM");
    assert!(err.contains("the edits of weights are kept as"), "{err}");
    let window = screen.open(&words(&file));
    window.settle();
    // Restore them, and save on closing.
    window.key("Return");
    window.settle();
    window.key("ctrl+q");
    window.settle();
    window.key("Return");
    let Run { code, err, .. } = window.wait();
    assert_eq!(code, Some(0), "{err}");
    let [model, recipe] =
        ["glb", "json"].map(|ending| folder.path().join(format!("bend-weights-001.{ending}")));
    assert!(err.contains("wrote ") && model.is_file() && recipe.is_file(), "{err}");
    // Nothing is offered any more.
    let window = screen.open(&words(&file));
    window.settle();
    assert_eq!(window.close().code, Some(0));
}
