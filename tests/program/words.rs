//! Tests names in letters that the built-in fonts lack: pictures and the panel show them by the system's fonts, and spell
//! them out where there are none. Names that would turn text around or move a cursor are spelled out everywhere.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use std::collections::HashSet;
use std::path::Path;

use serde_json::{Value, json};
use sinew::image::read_png;

use crate::common::{run, run_well, sinew};
use crate::edited::edited;

/// Where a machine lacks one of the fonts.
const INSTALL: &str =
    "apt install fonts-dejavu-core fonts-symbola fonts-wqy-microhei (scripts/setup.sh test does)";

/// Writes a built-in model whose things are all called so.
fn write_named(path: &Path, name: &str) {
    let named = edited("strip", |json| {
        for list in ["nodes", "skins", "meshes", "animations", "materials"] {
            for thing in json.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten() {
                thing["name"] = json!(name);
            }
        }
    });
    std::fs::write(path, named).unwrap();
}

/// Pictures of models with these names, by one process.
fn named(folder: &Path, names: &[String], has_fonts: bool) -> Vec<Vec<u8>> {
    let mut lines = String::new();
    for (number, name) in names.iter().enumerate() {
        write_named(&folder.join(format!("{number}.glb")), name);
        let set = json!({ "overlay": "names", "size": "240x120", "quality": "draft" });
        for command in [
            json!({ "load": format!("{number}.glb") }),
            json!({ "set": set }),
            json!({ "screenshot": format!("{number}.png") }),
        ] {
            lines += &format!("{command}\n");
        }
    }
    std::fs::write(folder.join("lines"), lines).unwrap();
    let mut command = sinew(["serve"]);
    command.stdin(std::fs::File::open(folder.join("lines")).unwrap()).current_dir(folder);
    command.env_remove("SINEW_FONTS");
    if !has_fonts {
        command.env("SINEW_FONTS", "");
    }
    let said = String::from_utf8(run_well(&mut command)).unwrap();
    assert!(!said.contains("\"error\""), "{said}");
    (0..names.len()).map(|number| read_png(&folder.join(format!("{number}.png"))).unwrap().rgba).collect()
}

#[test]
fn names_are_shown_by_the_systems_fonts() {
    let folder = tempfile::tempdir().unwrap();
    // Of one length for each script: as boxes, or spelled out with other digits, they would look alike.
    let scripts =
        [["骨盆", "左腕"], ["ひじ", "カタ"], ["척추", "오른"], ["ظهر", "ذرع"], ["עצם", "ברך"], ["🙂", "🙁"]];
    let names: Vec<String> = scripts.as_flattened().iter().map(|name| (*name).to_owned()).collect();
    let codes =
        |name: &String| name.chars().map(|letter| letter.escape_unicode().to_string()).collect::<String>();
    // Fonts of the system change no letter that is built in.
    let with_fonts = [&names[..], &["Kopf_é".to_owned()]].concat();
    let without = [&with_fonts[..], &names.iter().map(codes).collect::<Vec<_>>()].concat();
    let shown = named(folder.path(), &with_fonts, true);
    let spelled_out = named(folder.path(), &without, false);
    let mut seen = HashSet::new();
    for (number, name) in names.iter().enumerate() {
        assert!(shown[number] != spelled_out[number], "{name} is spelled out; {INSTALL}");
        assert!(seen.insert(&shown[number]), "{name} looks like another name");
        // Code points are written with the letters that are there.
        assert!(spelled_out[number] == spelled_out[names.len() + 1 + number], "{name}");
    }
    assert!(shown[names.len()] == spelled_out[names.len()], "the built-in letters");
}

#[cfg(feature = "window")]
#[test]
fn the_panel_shows_names_by_the_systems_fonts() {
    let folder = tempfile::tempdir().unwrap();
    let panel = |name: &str, has_fonts: bool| {
        write_named(&folder.path().join("model.glb"), name);
        let words =
            ["model.glb", "--panel", "--size", "420x640", "--quality", "draft", "--screenshot", "out.png"];
        let mut command = sinew(words);
        command.current_dir(folder.path()).env_remove("SINEW_FONTS");
        if !has_fonts {
            command.env("SINEW_FONTS", "");
        }
        run_well(&mut command);
        read_png(&folder.path().join("out.png")).unwrap().rgba
    };
    let mut seen = HashSet::new();
    for name in ["骨盆", "左腕", "ظهر", "ذرع", "עצם", "ברך"] {
        assert!(seen.insert(panel(name, true)), "{name} looks like another name; {INSTALL}");
    }
    let spelled_out = ["骨盆", "左腕"].map(|name| panel(name, false));
    assert!(seen.insert(spelled_out[0].clone()) && spelled_out[0] != spelled_out[1]);
}

/// Every command that prints names, and every way it does.
#[test]
fn no_name_turns_text_around_or_moves_a_cursor() {
    let folder = tempfile::tempdir().unwrap();
    let name = "a\u{202e}b\u{2066}c\u{9b}2Jd\u{200f}";
    write_named(&folder.path().join("model.glb"), name);
    write_named(&folder.path().join("\u{202e}bad.glb"), name);
    let is_bad = |letter: char| {
        let is_direction =
            matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        is_direction || (letter.is_control() && letter != '\n')
    };
    let (mut said, mut done) = (String::new(), 0);
    for words in [
        &["inspect", "model.glb"][..],
        &["inspect", "model.glb", "--weights"],
        &["inspect", "model.glb", "--joints"],
        &["inspect", "model.glb", "--json"],
        &["explain", "model.glb", "--vertex", "0:0:5"],
        &["explain", "model.glb", "--vertex", "0:0:5", "--json"],
        &["palette", "model.glb"],
        &["palette", "model.glb", "--json"],
        &["compare", "model.glb"],
        &["compare", "model.glb", "--json"],
        &["verify", "model.glb", "--samples", "2"],
        &["verify", "model.glb", "--samples", "2", "--json"],
        &["sweep", "model.glb", "--joint", name, "--steps", "2"],
        &["sweep", "model.glb", "--joint", name, "--steps", "2", "--json"],
        &["why", "model.glb"],
        &["why", "model.glb", "--joint", name, "--json"],
        &["why", "model.glb", "--joint", "no\u{202e}such"],
        &["compare", "\u{202e}bad.glb"],
        &["model.glb", "--clip", "no\u{202e}such", "--screenshot", "a.png"],
        &["model.glb", "--joint", "no\u{202e}such=0,0,9", "--screenshot", "a.png"],
        &["model.glb", "--material", "no\u{9b}such:roughness=1", "--screenshot", "a.png"],
        &["no\u{202e}such.glb", "--screenshot", "a.png"],
        &["model.glb", "--no\u{202e}such"],
    ] {
        let found = run(sinew(words).current_dir(folder.path()));
        let out = String::from_utf8(found.out).unwrap();
        for text in [&out, &found.err] {
            assert!(!text.contains(is_bad), "{words:?}: {text:?}");
        }
        done += usize::from(found.code == Some(0));
        if words.contains(&"--json") && found.code == Some(0) {
            let _: Value = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{words:?}: {error}"));
        }
        said += &out;
        said += &found.err;
    }
    assert!(done >= 12, "{done} commands did what they should: {said}");
    assert!(said.contains("\\u{202e}") && said.contains("\\u202e") && said.contains("\\u{9b}"), "{said}");
}
