//! Tests that no command writes a file that it read: not under another name, not as part of a sequence, not in a
//! report.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use crate::common;
use crate::scattered;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{Run, run, run_well, sinew, write_picture};
use scattered::{NAMES, Names, WHITE};
use sinew::image::Image;

/// A folder with a model to draw.
struct Place(tempfile::TempDir);

impl Place {
    fn new(names: Names) -> Self {
        let folder = tempfile::tempdir().unwrap();
        WHITE.write(folder.path(), names);
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn copy(&self, from: &str, to: &str) {
        fs::copy(self.path(from), self.path(to)).unwrap();
    }

    /// Runs a command in this folder.
    fn sinew(&self, words: &[&str]) -> Command {
        let mut command = sinew(words);
        command.current_dir(self.0.path());
        command
    }

    /// Expects a command to be refused without changing any file.
    #[track_caller]
    fn refuses(&self, words: &[&str], says: &str) {
        let before = files(self.0.path());
        let Run { code, out, err } = run(&mut self.sinew(words));
        assert_eq!((code, out.len()), (Some(2), 0), "{words:?}: {err}");
        assert_eq!(err, format!("error: {says}\n"), "{words:?}");
        let after = files(self.0.path());
        assert!(before == after, "{words:?}: {:?} became {:?}", before.keys(), after.keys());
    }

    /// Expects a command to succeed without changing these files.
    #[track_caller]
    fn allows(&self, words: &[&str]) {
        let before = files(self.0.path());
        run_well(&mut self.sinew(words));
        let after = files(self.0.path());
        assert!(before.iter().all(|(name, bytes)| after[name] == *bytes), "{words:?}");
    }
}

/// All files in a folder and its subfolders, with their contents.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.insert(path.clone(), fs::read(&path).unwrap_or_default());
        }
    }
    found
}

/// Flags for a small picture of the model.
const SMALL: [&str; 3] = ["fox.gltf", "--size", "16x16"];

fn small<'a>(more: &[&'a str]) -> Vec<&'a str> {
    SMALL.iter().chain(more).copied().collect()
}

/// Standard input may be a file, and is as much an input under its own name.
#[cfg(unix)]
#[test]
fn a_file_that_is_standard_input_is_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.glb");
    let bytes = sinew::model::builtin::glb("strip").unwrap();
    fs::write(&file, &bytes).unwrap();
    for words in [
        &["bake", "-"][..],
        &["convert", "-"],
        &["fit", "-"],
        &["weights", "-", "--fix"],
        &["export", "-", "--rigged"],
    ] {
        let mut command = sinew(words);
        let refused = command.arg("-o").arg(&file).stdin(fs::File::open(&file).unwrap()).output().unwrap();
        let said = String::from_utf8(refused.stderr).unwrap();
        assert_eq!(refused.status.code(), Some(2), "{words:?}: {said}");
        assert!(said.contains("a.glb: the output would overwrite the model"), "{said}");
        assert!(fs::read(&file).unwrap() == *bytes, "{words:?}");
        // Another file may be written.
        let out = folder.path().join("b.glb");
        let mut command = sinew(words);
        let ended = command.arg("-o").arg(&out).stdin(fs::File::open(&file).unwrap()).output().unwrap();
        assert!(ended.status.success() && out.is_file(), "{words:?}");
    }
}

#[test]
fn a_picture_overwrites_nothing_that_it_is_made_of() {
    let place = Place::new(NAMES);
    place.allows(&small(&["--screenshot", "out.png"]));
    place.allows(&small(&["--screenshot", "-"]));
    if cfg!(unix) {
        place.allows(&small(&["--screenshot", "/dev/null"]));
    }
    // An earlier output is not an input.
    run_well(&mut place.sinew(&small(&["--screenshot", "out.png"])));
    place.refuses(
        &small(&["--screenshot", "fox.png"]),
        "fox.png: the output would overwrite the model's texture",
    );
    place.refuses(
        &small(&["--screenshot", "./fox.png"]),
        "./fox.png: the output would overwrite the model's texture",
    );
    // Names of other files are refused, whether there is such a file or not.
    for out in ["fox.gltf", "fox.bin", "other.glb", "other", "fox-png", "./"] {
        let expected =
            "expected a file that ends in .png, .jpg, .apng, .gif, .webp, .mp4, .mkv, .webm or .y4m";
        place.refuses(&small(&["--screenshot", out]), &format!("--screenshot {out}: {expected}"));
    }
    let model = ["fox.gltf", "--panel", "--size", "240x240", "--screenshot", "other.glb"];
    let expected = "expected a file that ends in .png, .jpg, .apng, .gif, .webp, .mp4, .mkv, .webm or .y4m";
    place.refuses(&model, &format!("--screenshot other.glb: {expected}"));
    let models = small(&["--turntable", "2", "--screenshot", "fox-{frame}.glb"]);
    place.refuses(&models, "--screenshot fox-{frame}.glb: expected a name that ends in .png or .jpg");
    place.refuses(
        &["fox.gltf", "--panel", "--size", "240x240", "--screenshot", "fox.png"],
        "fox.png: the output would overwrite the model's texture",
    );
    // Large pictures are written in bands.
    place.refuses(
        &["fox.gltf", "--size", "5000x8", "--screenshot", "fox.png"],
        "fox.png: the output would overwrite the model's texture",
    );
    // A binary file with a picture's name.
    run_well(&mut place.sinew(&["export", "fox.gltf", "-o", "m.glb"]));
    place.copy("m.glb", "m.png");
    place.refuses(
        &["m.png", "--size", "16x16", "--screenshot", "m.png"],
        "m.png: the output would overwrite the model",
    );
    // Absolute paths for the inputs.
    let [model, texture] = ["fox.gltf", "fox.png"].map(|name| place.path(name).display().to_string());
    place.refuses(
        &[&model, "--size", "16x16", "-s", "fox.png"],
        &format!("fox.png: the output would overwrite the model's texture {texture}"),
    );
}

#[test]
fn a_sequence_overwrites_nothing_before_its_first_picture() {
    for last in ["fox-0003.png", "fox-0000.png"] {
        let place = Place::new(Names { texture: last, ..NAMES });
        for what in [["--turntable", "4"], ["--frames", "4"]] {
            let says = format!("{last}: the output would overwrite the model's texture");
            place.refuses(&small(&[what[0], what[1], "--screenshot", "fox-{frame}.png"]), &says);
        }
        place.allows(&small(&["--turntable", "2", "--screenshot", "new-{frame}.png"]));
    }
    let place = Place::new(Names { texture: "fox.webp", buffer: "fox.gif" });
    place.copy("fox.gif", "fox.apng");
    let moving = |out: &'static str| small(&["--turntable", "2", "--screenshot", out]);
    place.refuses(&moving("fox.webp"), "fox.webp: the output would overwrite the model's texture");
    place.refuses(&moving("fox.gif"), "fox.gif: the output would overwrite the model's buffer");
    run_well(&mut place.sinew(&moving("fox.apng")));
}

#[test]
fn an_export_overwrites_nothing_that_it_is_made_of() {
    let place = Place::new(Names { buffer: "d.ply", texture: "d.obj" });
    let pose = r#"{"sinew-pose": 1, "joints": {"hip": {"rotation": [0, 0, 0, 1]}}}"#;
    fs::write(place.path("p.json"), pose).unwrap();
    run_well(&mut place.sinew(&["export", "fox.gltf", "-o", "m.glb"]));
    for on in ["gpu", "cpu", "reference"] {
        let export = |out| ["export", "fox.gltf", "--on", on, "--pose", "p.json", "-o", out];
        place.refuses(&export("d.ply"), "d.ply: the output would overwrite the model's buffer");
        place.refuses(&export("d.obj"), "d.obj: the output would overwrite the model's texture");
        place.refuses(&export("p.json"), "p.json: the output would overwrite the pose file");
        place.allows(&export("-"));
    }
    place.refuses(&["export", "m.glb", "-o", "m.glb"], "m.glb: the output would overwrite the model");
    place.copy("p.json", "p.png");
    let picture = small(&["--pose", "p.png", "--screenshot", "p.png"]);
    place.refuses(&picture, "p.png: the output would overwrite the pose file");
}

#[test]
fn a_rigged_model_overwrites_nothing_that_it_is_made_of() {
    let place = Place::new(Names { buffer: "a.glb", texture: "b.json" });
    let export = |more: &[&'static str]| {
        ["export", "fox.gltf", "--rigged"].into_iter().chain(more.iter().copied()).collect::<Vec<_>>()
    };
    place.refuses(&export(&["-o", "a.glb"]), "a.glb: the output would overwrite the model's buffer");
    let texture = "b.json: the output would overwrite the model's texture";
    place.refuses(&export(&["-o", "c.glb", "--json", "b.json"]), texture);
    place.allows(&export(&["-o", "c.glb", "--json", "c.json"]));
    place.refuses(
        &["export", "c.glb", "--rigged", "-o", "c.glb"],
        "c.glb: the output would overwrite the model",
    );
    let convert = |more: &[&'static str]| [&["convert", "fox.gltf"], more].concat();
    place.refuses(&convert(&["-o", "a.glb"]), "a.glb: the output would overwrite the model's buffer");
    place.refuses(&convert(&["-o", "d.glb", "--json", "b.json"]), texture);
    place.allows(&convert(&["-o", "d.glb", "--json", "d.json"]));
    place.refuses(&["convert", "d.glb", "-o", "d.glb"], "d.glb: the output would overwrite the model");
    let fit = |more: &[&'static str]| [&["fit", "fox.gltf", "--helpers", "1"], more].concat();
    place.refuses(&fit(&["-o", "a.glb"]), "a.glb: the output would overwrite the model's buffer");
    place.refuses(&fit(&["-o", "f.glb", "--json", "b.json"]), texture);
    place.allows(&fit(&["-o", "f.glb", "--json", "f.json"]));
    let weights = |more: &[&'static str]| [&["weights", "fox.gltf", "--prune", "0.1"], more].concat();
    place.refuses(&weights(&["-o", "a.glb"]), "a.glb: the output would overwrite the model's buffer");
    place.refuses(&weights(&["-o", "w.glb", "--json", "b.json"]), texture);
    place.refuses(&weights(&["-o", "w.glb", "--write-recipe", "b.json"]), texture);
    place.allows(&weights(&["-o", "w.glb", "--json", "w.json", "--write-recipe", "recipe.json"]));
    let again =
        ["weights", "fox.gltf", "--recipe", "recipe.json", "--write-recipe", "recipe.json", "-o", "v.glb"];
    place.refuses(&again, "recipe.json: the output would overwrite the recipe");
}

#[test]
fn a_bake_overwrites_nothing_that_it_is_made_of() {
    let place = Place::new(Names { buffer: "a-0000.ply", texture: "fox-image0.png" });
    let bake = |out| ["bake", "fox.gltf", "--fps", "2", "-o", out];
    place.refuses(&bake("a-{frame}.ply"), "a-0000.ply: the output would overwrite the model's buffer");
    let texture = "fox-image0.png: the output would overwrite the model's texture";
    place.refuses(&bake("fox-{frame}.obj"), texture);
    place.refuses(&["export", "fox.gltf", "-o", "fox.obj"], texture);
    place.copy("fox.gltf", "m.pc2");
    place.refuses(&["bake", "m.pc2", "-o", "m.pc2"], "m.pc2: the output would overwrite the model");
    for out in ["b-{frame}.ply", "b-{frame}.obj", "b.glb", "b.pc2", "b.mdd"] {
        place.allows(&bake(out));
    }
}

#[test]
fn a_difference_overwrites_neither_picture() {
    let place = Place::new(NAMES);
    place.copy("fox.png", "b.png");
    let diff = |out| ["diff", "fox.png", "b.png", "-o", out];
    place.refuses(&diff("fox.png"), "fox.png: the output would overwrite the expected picture");
    place.refuses(&diff("b.png"), "b.png: the output would overwrite the actual picture");
    run_well(&mut place.sinew(&diff("c.png")));
}

/// A missing texture would be shown the next time, and a broken one may be a user's work.
#[test]
fn what_could_not_be_read_is_not_written_either() {
    let place = Place::new(NAMES);
    let drawn = |says: &str| {
        let before = files(place.0.path());
        let Run { code, err, .. } = run(&mut place.sinew(&small(&["--screenshot", "fox.png"])));
        let said: Vec<&str> = err.lines().filter(|line| !line.starts_with("warning: ")).collect();
        assert_eq!((code, said), (Some(2), vec![says]), "{err}");
        assert!(files(place.0.path()) == before);
    };
    fs::write(place.path("fox.png"), "half of a picture").unwrap();
    drawn("error: fox.png: the output would overwrite the model's texture");
    fs::remove_file(place.path("fox.png")).unwrap();
    drawn("error: fox.png: the output would become the model's texture");
}

#[test]
#[cfg(unix)]
fn links_lead_nowhere_else() {
    use std::os::unix::fs::symlink;
    let place = Place::new(NAMES);
    symlink("fox.png", place.path("soft.png")).unwrap();
    symlink("fox.bin", place.path("real.png")).unwrap();
    fs::hard_link(place.path("fox.png"), place.path("hard.png")).unwrap();
    fs::create_dir(place.path("real")).unwrap();
    symlink("real", place.path("here")).unwrap();
    symlink("../fox.gltf", place.path("real/other.json")).unwrap();
    for (out, what) in [
        ("soft.png", "texture fox.png"),
        ("hard.png", "texture fox.png"),
        ("real/../fox.png", "texture fox.png"),
        ("here/../real.png", "buffer fox.bin"),
    ] {
        let says = format!("{out}: the output would overwrite the model's {what}");
        place.refuses(&small(&["--screenshot", out]), &says);
    }
    place.refuses(
        &["export", "fox.gltf", "-o", "here/other.json"],
        "here/other.json: the output would overwrite the model fox.gltf",
    );
    // Read through the link, written to the file.
    place.refuses(
        &["diff", "soft.png", "fox.png", "-o", "hard.png"],
        "hard.png: the output would overwrite the expected picture soft.png",
    );
    // A link that a user names leads to the picture; under a numbered name it is no picture of ours.
    symlink("one.png", place.path("new-0001.png")).unwrap();
    run_well(&mut place.sinew(&small(&["--screenshot", "new-0001.png"])));
    let one = fs::read(place.path("one.png")).unwrap();
    let sequences = [
        small(&["--turntable", "2", "--screenshot", "new-{frame}.png"]),
        vec!["bake", "fox.gltf", "--fps", "1", "-o", "new-{frame}.ply"],
        vec!["export", "fox.gltf", "--on", "cpu", "--frames", "2", "-o", "new-{frame}.json"],
    ];
    for (words, ending) in sequences.into_iter().zip(["png", "ply", "json"]) {
        if ending != "png" {
            symlink("one.png", place.path(&format!("new-0001.{ending}"))).unwrap();
        }
        let Run { code, err, .. } = run(&mut place.sinew(&words));
        assert!(
            code == Some(5) && err.contains("0001") && err.contains("a link"),
            "{words:?}: {code:?} {err}"
        );
        assert!(fs::read(place.path("one.png")).unwrap() == one, "{words:?}");
    }
}

/// Commands that come from a file are an input, too.
#[cfg(unix)]
#[test]
fn a_file_of_commands_is_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("all.glb");
    let commands = "{\"load\":\"builtin:strip\"}\n{\"export\":\"all.glb\"}\n";
    fs::write(&file, commands).unwrap();
    let mut command = sinew(["serve"]);
    let serve = command.current_dir(folder.path()).stdin(fs::File::open(&file).unwrap());
    let answers = String::from_utf8(run(serve).out).unwrap();
    assert!(answers.contains("all.glb: the output would overwrite the commands"), "{answers}");
    assert_eq!(fs::read_to_string(&file).unwrap(), commands);
}

/// A share of a run keeps what the other shares read.
#[test]
fn a_shard_overwrites_no_model_of_another() {
    let place = Place::new(NAMES);
    for shard in ["1/2", "2/2"] {
        place.refuses(
            &["report", "fox.gltf", "builtin:strip", "--shard", shard, "-o", "out", "--junit", "fox.bin"],
            "fox.bin: the output would overwrite the model's buffer",
        );
    }
}

/// A list with one case of the model, whose golden has this name.
fn list(name: &str) -> String {
    format!("[[case]]\nname = \"{name}\"\nmodel = \"fox.gltf\"\nsize = \"16x16\"\n")
}

#[test]
fn goldens_are_not_taken_over_what_cases_are_made_of() {
    let place = Place::new(NAMES);
    let path = place.0.path().to_str().unwrap().to_owned();
    fs::write(place.path("golden.toml"), list("fox")).unwrap();
    place.refuses(&["golden", ".", "--update"], "./fox.png: the output would overwrite the model's texture");
    place.refuses(
        &["golden", &path, "--update", "fox"],
        &format!("{path}/fox.png: the output would overwrite the model's texture"),
    );
    // A comparison does not write there.
    let report = place.path("report").display().to_string();
    assert_eq!(run(&mut place.sinew(&["golden", ".", "-o", &report])).code, Some(6));
    // Accepting works if the file is a golden and nothing else.
    fs::write(place.path("golden.toml"), list("run")).unwrap();
    for _ in 0..2 {
        assert_eq!(run(&mut place.sinew(&["golden", ".", "--update"])).code, Some(0));
    }
    assert!(place.path("run.png").exists());
    if cfg!(unix) {
        fs::hard_link(place.path("fox.png"), place.path("walk.png")).unwrap();
        fs::write(place.path("golden.toml"), list("walk")).unwrap();
        place.refuses(
            &["golden", &path, "--update", "walk"],
            &format!("{path}/walk.png: the output would overwrite the model's texture {path}/fox.png"),
        );
    }
}

#[test]
fn evidence_is_written_over_nothing_that_cases_are_made_of() {
    // The missing texture has the path of a failure's picture.
    let place = Place::new(NAMES);
    let evidence = "failures/actual/run.png";
    let [gltf, _] = WHITE.parts(Names { texture: evidence, ..NAMES });
    fs::write(place.path("fox.gltf"), &gltf).unwrap();
    fs::write(place.path("golden.toml"), list("run")).unwrap();
    let says = |would: &str| format!("./{evidence}: the output would {would} the model's texture");
    place.refuses(&["golden", "."], &says("become"));

    // The file exists, left by an earlier run that failed.
    let place = Place::new(NAMES);
    fs::write(place.path("golden.toml"), list("run")).unwrap();
    assert_eq!(run(&mut place.sinew(&["golden", "."])).code, Some(6));
    fs::write(place.path("fox.gltf"), gltf).unwrap();
    for more in [&[][..], &["--update"], &["--json"]] {
        place.refuses(&[&["golden", "."], more].concat(), &says("overwrite"));
    }
    // The report's pictures have become a folder of goldens.
    fs::write(place.path("failures/actual/golden.toml"), list("run").replace("fox", "../../fox")).unwrap();
    place.refuses(
        &["golden", "failures/actual", "--output", "failures"],
        "failures/actual/run.png: the output would overwrite a golden",
    );
    // Inputs with the names of the report's page and mark.
    for name in ["index.html", ".sinew-golden"] {
        let place = Place::new(NAMES);
        fs::write(place.path("golden.toml"), list("run")).unwrap();
        fs::create_dir(place.path("out")).unwrap();
        place.copy("fox.bin", &format!("out/{name}"));
        let buffer = format!("out/{name}");
        let mut json: serde_json::Value =
            serde_json::from_slice(&fs::read(place.path("fox.gltf")).unwrap()).unwrap();
        json["buffers"][0]["uri"] = buffer.as_str().into();
        fs::write(place.path("fox.gltf"), json.to_string()).unwrap();
        place.refuses(
            &["golden", ".", "--output", "out"],
            &format!("{buffer}: the output would overwrite the model's buffer"),
        );
    }
    // The path of an environment is relative to the list, wherever the command runs.
    let place = Place::new(NAMES);
    fs::create_dir(place.path("list")).unwrap();
    let case = list("run").replace("fox.gltf", "../fox.gltf") + "environment = \"light.hdr\"\n";
    fs::write(place.path("list/golden.toml"), case).unwrap();
    place.refuses(
        &["golden", "list", "--junit", "list/light.hdr"],
        "list/light.hdr: the output would become the environment",
    );
    // A pose file with the name of a golden.
    let place = Place::new(NAMES);
    let pose = r#"{"sinew-pose": 1, "joints": {"hip": {"rotation": [0, 0, 0, 1]}}}"#;
    fs::write(place.path("run.png"), pose).unwrap();
    fs::write(place.path("golden.toml"), list("run") + "pose = \"run.png\"\n").unwrap();
    place.refuses(&["golden", ".", "--update"], "./run.png: the output would overwrite the pose file");
}

/// Lists all flags that name outputs: a new one must be added here and tested for overwriting inputs.
#[test]
fn every_flag_that_names_an_output_is_known_here() {
    let help =
        |words: &[&str]| String::from_utf8(run_well(&mut sinew([words, &["--help"]].concat()))).unwrap();
    let all = help(&[]);
    let commands = all.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    let commands = commands.map_while(|line| line.split_whitespace().next()).filter(|word| *word != "help");
    let mut found = Vec::new();
    for command in [""].into_iter().chain(commands) {
        let words: Vec<&str> = [command].into_iter().filter(|word| !word.is_empty()).collect();
        for line in help(&words).lines().filter(|line| line.trim_start().starts_with('-')) {
            let Some((flags, value)) = line.trim().split_once('<') else { continue };
            let flags = flags.trim_end_matches(['[', ' ']);
            let is_file = ["OUT", "DIR", "FILE", "PATH", ".png"].iter().any(|name| value.contains(name));
            if is_file {
                let flag = flags.split_whitespace().last().unwrap().trim_start_matches("-s, ");
                found.push(format!("{command} {flag}").trim().to_owned());
            }
        }
    }
    // Every command that reads a model reads clips from other files, too; tests/program/clips.rs guards those.
    found.retain(|flag| !flag.ends_with("--clip-from"));
    found.sort();
    // `--pose`, `--like` and `--merge` name inputs; `builtins`, `man` and
    // `conformance --write` read none; tests/program/conformance.rs guards its results.
    let known = [
        "--environment",
        "--ghost",
        "--pose",
        "--screenshot",
        "bake --output",
        "bake --pose",
        "bench --output",
        "bench --pose",
        "builtins --write",
        "compare --json",
        "compare --junit",
        "compare --markdown",
        "compare --output",
        "compare --pose",
        "conformance --html",
        "conformance --junit",
        "conformance --markdown",
        "conformance --write",
        "convert --json",
        "convert --output",
        "corpus --junit",
        "corpus --markdown",
        "corpus --output",
        "diagnose --junit",
        "diagnose --like",
        "diagnose --markdown",
        "diagnose --output",
        "diagnose --pose",
        "diff --junit",
        "diff --markdown",
        "diff --output",
        "explain --output",
        "explain --pose",
        "export --json",
        "export --output",
        "export --pose",
        "fit --driven",
        "fit --json",
        "fit --output",
        "fit --poses",
        "fit --screenshot",
        "golden --junit",
        "golden --markdown",
        "golden --output",
        "inspect --junit",
        "inspect --markdown",
        "lesson --screenshot",
        "lesson --write",
        "man --write",
        "palette --pose",
        "report --junit",
        "report --markdown",
        "report --merge",
        "report --output",
        "report-bug --output",
        "sweep --output",
        "verify --junit",
        "verify --markdown",
        "view-page --output",
        "weights --json",
        "weights --output",
        "weights --recipe",
        "weights --write-recipe",
        "why --output",
    ];
    assert_eq!(found, known);
    let place = Place(tempfile::tempdir().unwrap());
    write_picture(&Image { width: 1, height: 1, rgba: vec![0; 4] }, &place.path("bend.glb"));
    assert_eq!(run(&mut place.sinew(&["builtins", "--write", "."])).code, Some(0));
}

/// Commands that measure a model never overwrite it, whatever its name.
#[test]
fn measures_do_not_overwrite_the_model() {
    let place = Place(tempfile::tempdir().unwrap());
    let glb = sinew::model::builtin::glb("bend").unwrap();
    for name in ["m.json", "m.png"] {
        fs::write(place.path(name), &glb).unwrap();
    }
    let says = |name: &str| format!("{name}: the output would overwrite the model");
    place.refuses(&["compare", "m.json", "--time", "0", "--json", "m.json"], &says("m.json"));
    place.refuses(&["compare", "m.png", "--time", "0", "-o", "m.png"], &says("m.png"));
    place.refuses(&["explain", "m.png", "--vertex", "1", "-o", "m.png"], &says("m.png"));
    place.refuses(&["sweep", "m.png", "--joint", "upper", "-o", "m.png"], &says("m.png"));
    place.refuses(&["bench", "m.png", "--only", "skin", "-o", "m.png"], &says("m.png"));
    let pose = br#"{"sinew-pose": 1, "joints": {"upper": {"rotation": [0, 0, 0, 1]}}}"#;
    fs::write(place.path("p.png"), pose).unwrap();
    place.refuses(
        &["bench", "builtin:bend", "--only", "skin", "--pose", "p.png", "-o", "p.png"],
        "p.png: the output would overwrite the pose file",
    );
    place.refuses(&["why", "m.png", "--joint", "upper", "-o", "m.png"], &says("m.png"));
    // A folder with files that no report has left is refused whole.
    let before = files(place.0.path());
    let report = run(&mut place.sinew(&["report", "m.png", "-o", "."]));
    assert_eq!((report.code, report.err.lines().count()), (Some(5), 1), "{}", report.err);
    assert!(before == files(place.0.path()));
}

/// Of two outputs that are one file, only the later would be left.
#[test]
#[cfg(unix)]
fn two_outputs_are_two_files() {
    let place = Place(tempfile::tempdir().unwrap());
    for (link, file) in [("o.json", "o.glb"), ("p.json", "p.png"), ("q.obj", "q.mtl")] {
        std::os::unix::fs::symlink(file, place.path(link)).unwrap();
    }
    let before = files(place.0.path());
    let strip = "builtin:strip";
    place.refuses(
        &["export", strip, "--rigged", "--json", "o.json", "-o", "o.glb"],
        "o.glb and o.json are one file",
    );
    place.refuses(&["convert", strip, "--json", "o.json", "-o", "o.glb"], "o.glb and o.json are one file");
    place.refuses(
        &["compare", strip, "--time", "0", "--json", "p.json", "-o", "p.png"],
        "p.png and p.json are one file",
    );
    place.refuses(
        &["compare", strip, "--time", "0", "--json", "r.json", "--markdown", "r.json"],
        "r.json and r.json are one file",
    );
    place.refuses(
        &["report", strip, "--no-pictures", "-o", "r", "--junit", "r/report.json"],
        "r/report.json: it is in r, which this run fills",
    );
    // Materials go beside an .obj; nothing is written if one of them has no place.
    fs::create_dir(place.path("d.obj")).unwrap();
    fs::write(place.path("d.mtl"), "mine").unwrap();
    for (out, says) in [("q.obj", "another output is the same file"), ("d.obj", "is a directory")] {
        let Run { code, err, .. } = run(&mut place.sinew(&["export", "builtin:twist", "-o", out]));
        assert!(code == Some(5) && err.lines().count() == 1 && err.contains(says), "{err}");
    }
    assert_eq!(fs::read_to_string(place.path("d.mtl")).unwrap(), "mine");
    fs::remove_file(place.path("d.mtl")).unwrap();
    fs::remove_dir(place.path("d.obj")).unwrap();
    assert!(before == files(place.0.path()));
}

/// A pipe is written to if a process reads from it. Otherwise the program gives up.
#[test]
#[cfg(unix)]
fn pipes_are_written_if_somebody_reads_them() {
    let place = Place(tempfile::tempdir().unwrap());
    let pipe = place.path("pipe.json");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let words = ["export", "builtin:strip", "--on", "cpu", "-o", "pipe.json"];
    let reader = {
        let pipe = pipe.clone();
        std::thread::spawn(move || fs::read(pipe).unwrap())
    };
    run_well(&mut place.sinew(&words));
    assert!(reader.join().unwrap().starts_with(b"{"));
    let start = std::time::Instant::now();
    let Run { code, err, .. } = run(&mut place.sinew(&words));
    assert!(start.elapsed().as_secs() < 60);
    assert_eq!((code, err.as_str()), (Some(5), "error: pipe.json: no process is reading from this pipe\n"));
}
