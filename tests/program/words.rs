//! Tests names in letters that the built-in fonts lack: pictures and the panel show them by the system's fonts, and spell
//! them out where there are none. Names that would turn text around or move a cursor are spelled out everywhere.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use std::collections::HashSet;
use std::path::Path;

use serde_json::{Value, json};
use sinew::image::read_png;

use crate::common::{run, run_well, sinew};
use crate::edited::edited;

/// Advice for a machine that lacks one of the fonts.
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
        // Code points are written in letters that the fonts have.
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

/// A name with what moves a cursor or turns text around: ESC, C1, U+202E and others.
const HOSTILE: &str = "a\u{1b}[2J\u{202e}b\u{2066}c\u{9b}2Jd\u{200f}";

/// Every way in which a command is given a file with a hostile name, which is also the name of all that is in it.
fn given_hostile(command: &str) -> Vec<Vec<String>> {
    let with = |words: &str| words.replace("FILE", "M.glb").replace("NAME", "N");
    let both = |words: &str| vec![with(words), format!("{} --json", with(words))];
    let all = match command {
        "compare" => [
            both("compare FILE --frames 2"),
            both("compare FILE FILE --frames 2"),
            both("compare FILE FILE --weights"),
            vec![
                with("compare FILE --frames 2 --fail-above 0mm --mode lbs"),
                with("compare FILE builtin:bend"),
            ],
        ]
        .concat(),
        "report" => vec![with("report FILE --no-pictures -o out"), with("report FILE -o FILE")],
        "view-page" => {
            vec![with("view-page FILE --no-pictures -o out.html"), with("view-page FILE FILE -o FILE")]
        }
        "corpus" => vec![with("corpus check FILE -o out"), with("corpus compare FILE FILE -o out")],
        "sweep" => both("sweep FILE --joint NAME --steps 2"),
        "why" => [both("why FILE"), both("why FILE --joint NAME")].concat(),
        "explain" => both("explain FILE --vertex 0:0:5"),
        "palette" => both("palette FILE"),
        "diagnose" => both("diagnose FILE --like FILE.png"),
        "inspect" => {
            [both("inspect FILE"), both("inspect FILE --weights"), both("inspect FILE --joints")].concat()
        }
        "verify" => both("verify FILE --samples 2"),
        "bench" => both("bench FILE --frames 1 --size 16x16"),
        "export" => [
            vec![
                with("export FILE --on cpu -o -"),
                with("export FILE -o FILE"),
                with("export FILE --rigged -o out.glb"),
            ],
            vec![with("export FILE --rigged -o out.glb --json")],
        ]
        .concat(),
        "conformance" => [both("conformance --judge FILE"), vec![with("conformance --write FILE")]].concat(),
        "convert" => both("convert FILE -o out.glb"),
        "fit" => both("fit FILE --helpers 1 -o out.glb"),
        "weights" => both("weights FILE --lock NAME --fix --copy FILE -o out.glb"),
        "lesson" => vec![with("lesson FILE"), with("lesson 1 --answer FILE")],
        "bake" => vec![with("bake FILE -o out.pc2"), with("bake FILE -o FILE.txt")],
        "builtins" => vec![with("builtins --write FILE.png")],
        "diff" => [both("diff FILE.png FILE.png"), both("diff FILE FILE.png")].concat(),
        "golden" => both("golden FILE"),
        "show" => [both("show FILE.png"), both("show FILE")].concat(),
        "report-bug" => vec![with("report-bug FILE")],
        "serve" => vec![with("serve FILE")],
        "devices" => both("devices"),
        "completions" => vec![with("completions FILE")],
        "man" => vec![with("man FILE")],
        "help" => vec![with("help FILE")],
        other => panic!("say here how 'sinew {other}' is given a file with a hostile name"),
    };
    let word = |word: &str| word.replace("M.glb", &format!("{HOSTILE}.glb")).replace('N', HOSTILE);
    all.iter().map(|words| words.split(' ').map(word).collect()).collect()
}

/// The commands that the program's help lists.
fn commands() -> Vec<String> {
    let help = String::from_utf8(run_well(&mut sinew(["--help"]))).unwrap();
    let (_, list) = help.split_once("\nCommands:\n").unwrap();
    let (list, _) = list.split_once("\n\n").unwrap();
    let names = list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.map(|line| line.split_whitespace().next().unwrap().to_owned()).collect()
}

/// Every command, and every way in which it prints the name of a file or of what is in it.
#[test]
fn no_name_turns_text_around_or_moves_a_cursor() {
    let folder = tempfile::tempdir().unwrap();
    let (file, picture) = (format!("{HOSTILE}.glb"), format!("{HOSTILE}.glb.png"));
    write_named(&folder.path().join(&file), HOSTILE);
    let draw = [file.as_str(), "--size", "32x32", "--screenshot", &picture];
    run_well(sinew(draw).current_dir(folder.path()));
    let is_bad = |letter: char| {
        let is_direction =
            matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        is_direction || (letter.is_control() && letter != '\n')
    };
    let no_such = [
        &["why", "model.glb", "--joint", "no\u{202e}such"][..],
        &["model.glb", "--clip", "no\u{202e}such", "--screenshot", "a.png"],
        &["model.glb", "--joint", "no\u{202e}such=0,0,9", "--screenshot", "a.png"],
        &["model.glb", "--material", "no\u{9b}such:roughness=1", "--screenshot", "a.png"],
        &["no\u{202e}such.glb", "--screenshot", "a.png"],
        &["model.glb", "--no\u{202e}such"],
    ];
    let no_such = no_such.map(|words| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>());
    write_named(&folder.path().join("model.glb"), "plain");
    let (mut said, mut done) = (String::new(), Vec::new());
    for words in commands().iter().flat_map(|command| given_hostile(command)).chain(no_such) {
        let found = run(sinew(&words).current_dir(folder.path()));
        let out = String::from_utf8(found.out).unwrap();
        for text in [&out, &found.err] {
            assert!(!text.contains(is_bad), "{words:?}: {text:?}");
        }
        assert!(found.code.is_some_and(|code| code <= 6), "{words:?}: {:?} {}", found.code, found.err);
        if words.contains(&"--json".to_owned()) && found.code == Some(0) && !words.contains(&"-o".to_owned())
        {
            let _: Value = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{words:?}: {error}"));
        }
        if found.code == Some(0) {
            done.push(words[0].clone());
        }
        said += &out;
        said += &found.err;
    }
    done.dedup();
    assert!(done.len() >= 15, "these commands did what they should: {done:?}");
    for spelled in ["\\u{202e}", "\\u202e", "\\u{9b}", "\\u009b", "\\u{1b}", "\\u001b"] {
        assert!(said.contains(spelled), "{spelled}");
    }
}
