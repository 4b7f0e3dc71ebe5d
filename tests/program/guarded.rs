//! Gives every command, for each flag that writes a file, the path of what each of its other flags reads: the folder's
//! bytes must stay. Flags come from the parser, so a new one fails the first test until the tables below have it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use std::any::TypeId;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use clap::{Arg, Command};
use sinew::image::Image;

use crate::common::{Run, run, run_well, sinew, write_picture};
use crate::scattered::{Names, WHITE};

/// The identifiers of arguments whose files are read.
const READ: [&str; 26] = [
    "actual",
    "against",
    "bind",
    "clip_from",
    "copy",
    "environment",
    "expected",
    "folder",
    "from",
    "ghost",
    "init",
    "inputs",
    "joint_map",
    "judge",
    "like",
    "merge",
    "model",
    "models",
    "more",
    "new",
    "other",
    "picture",
    "pose",
    "poses",
    "recipe",
    "split",
];

/// The identifiers of arguments whose files are written.
const WRITTEN: [&str; 10] = [
    "driven",
    "html",
    "json",
    "junit",
    "markdown",
    "output",
    "screenshot",
    "write",
    "write_joint_map",
    "write_recipe",
];

/// Values that name a file only within a text, with their commands.
const WITHIN_TEXTS: [(&str, &str); 2] = [("bench", "against"), ("sinew", "split")];

/// Flags of commands that read no file of this kind, or that a command with an output refuses.
const LEFT_OUT: [(&str, &str, &str); 5] = [
    ("", "more", "--screenshot draws one model"),
    ("bench", "against", "--only skin, which writes a chart, excludes it"),
    ("bench", "pose", "it excludes --clip; tests/program/inputs.rs tests it alone"),
    (
        "fit",
        "from",
        "a point cache has another ending than any output; tests/program/fit.rs tests one that has",
    ),
    ("fit", "poses", "files of a folder that end in .json; tests/program/fit.rs tests them"),
];

/// All arguments of a command that may name a file.
fn files_of(command: &Command) -> Vec<&Arg> {
    let by_type = |argument: &Arg| {
        let kind = argument.get_value_parser().type_id();
        kind == TypeId::of::<PathBuf>() || kind == TypeId::of::<OsString>()
    };
    let by_name = |argument: &Arg| {
        let names = argument.get_value_names().unwrap_or_default();
        let words = ["FILE", "DIR", "MODEL", "OUT", "PATH", "."];
        names.iter().any(|name| words.iter().any(|word| name.contains(word) && !name.contains("..")))
    };
    let takes_values = |argument: &&Arg| argument.get_action().takes_values();
    let may_name = |argument: &&Arg| {
        let id = argument.get_id().as_str();
        by_type(argument) || by_name(argument) || WITHIN_TEXTS.contains(&(command.get_name(), id))
    };
    command.get_arguments().filter(takes_values).filter(may_name).collect()
}

/// The names of all commands, with the arguments that read and those that write a file. The empty name draws pictures.
fn commands() -> BTreeMap<String, [Vec<String>; 2]> {
    let cli = sinew::cli::command();
    let all = [&cli].into_iter().chain(cli.get_subcommands().filter(|command| command.get_name() != "help"));
    let of = |command: &Command, known: &[&str]| -> Vec<String> {
        let ids = files_of(command).into_iter().map(|argument| argument.get_id().as_str().to_owned());
        ids.filter(|id| known.contains(&id.as_str())).collect()
    };
    let name = |command: &Command| match command.get_name() {
        "sinew" => String::new(),
        name => name.to_owned(),
    };
    all.map(|command| (name(command), [of(command, &READ), of(command, &WRITTEN)])).collect()
}

#[test]
fn every_argument_that_names_a_file_reads_or_writes_it() {
    let cli = sinew::cli::command();
    let mut used = BTreeSet::new();
    for command in [&cli].into_iter().chain(cli.get_subcommands()) {
        for argument in files_of(command) {
            let id = argument.get_id().as_str().to_owned();
            let is_known = READ.contains(&id.as_str()) != WRITTEN.contains(&id.as_str());
            assert!(is_known, "{} {id}: add it to READ or to WRITTEN in {}", command.get_name(), file!());
            used.insert(id);
        }
    }
    let known: BTreeSet<String> = READ.iter().chain(&WRITTEN).map(|id| (*id).to_owned()).collect();
    assert_eq!(used, known, "an entry of READ or WRITTEN that no command has");
}

/// A folder with an input, and a copy of all that it holds.
struct Place(tempfile::TempDir);

impl Place {
    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The bytes of all files, and where links lead.
    fn snapshot(&self) -> BTreeMap<PathBuf, (Vec<u8>, Option<PathBuf>)> {
        fn all(folder: &Path, found: &mut BTreeMap<PathBuf, (Vec<u8>, Option<PathBuf>)>) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                match path.is_dir() && !path.is_symlink() {
                    true => all(&path, found),
                    false => {
                        let content = fs::read(&path).unwrap_or_default();
                        found.insert(path.clone(), (content, fs::read_link(&path).ok()));
                    }
                }
            }
        }
        let mut found = BTreeMap::new();
        all(self.0.path(), &mut found);
        found
    }
}

/// A way to read a file: flags with their values, and the bytes of the file.
struct Reader {
    words: Vec<(Option<&'static str>, String)>,
    joint: &'static str,
}

/// Puts an input of this kind at `file`, and says which flags read it.
fn reader(place: &Place, id: &str, file: &str) -> Option<Reader> {
    let bend = || sinew::model::builtin::glb("bend").unwrap();
    let file_name = file.to_owned();
    let model = || (None, "builtin:bend".to_owned());
    let write = |bytes: &[u8]| fs::write(place.path(file), bytes).unwrap();
    let pose = br#"{"sinew-pose": 1, "joints": {"upper": {"rotation": [0, 0, 0, 1]}}}"#;
    let picture = || write_picture(&Image { width: 2, height: 1, rgba: vec![9; 8] }, &place.path(file));
    let words = match id {
        "model" | "models" => {
            write(&bend());
            vec![(None, file_name)]
        }
        "new" => {
            write(&bend());
            vec![model(), (None, file_name)]
        }
        "other" => {
            write(&bend());
            vec![model(), (Some("other"), file_name), (Some("split"), "other".to_owned())]
        }
        "clip_from" => {
            write(&bend());
            vec![model(), (Some("clip-from"), file_name)]
        }
        "joint_map" => {
            write(b"\"upper\" = \"upper\"\n");
            vec![model(), (Some("clip-from"), "builtin:bend".to_owned()), (Some("joint-map"), file_name)]
        }
        "pose" => {
            write(pose);
            vec![model(), (Some("clip"), "0".to_owned()), (Some("pose"), file_name)]
        }
        "ghost" => {
            write(pose);
            vec![model(), (Some("clip"), "0".to_owned()), (Some("ghost"), file_name)]
        }
        "copy" => {
            write(&bend());
            vec![model(), (Some("copy"), file_name)]
        }
        "recipe" => {
            write(br#"{"groups": [{"edits": ["prune 0.1"]}]}"#);
            vec![model(), (Some("recipe"), file_name)]
        }
        "split" => {
            write(pose);
            vec![model(), (Some("split"), format!("pose={file}")), (Some("split"), "mode=dqs".to_owned())]
        }
        "environment" => {
            write(b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n\x50\x50\x50\x80");
            vec![model(), (Some("environment"), file_name)]
        }
        "expected" => {
            picture();
            write_picture(&Image { width: 2, height: 1, rgba: vec![7; 8] }, &place.path("second.png"));
            vec![(None, file_name), (None, "second.png".to_owned())]
        }
        "actual" => {
            picture();
            write_picture(&Image { width: 2, height: 1, rgba: vec![7; 8] }, &place.path("first.png"));
            vec![(None, "first.png".to_owned()), (None, file_name)]
        }
        "bind" => {
            write(&bend());
            vec![model(), (Some("bind"), file_name)]
        }
        "like" if file.ends_with(".glb") => {
            write(&bend());
            vec![model(), (Some("like"), file_name)]
        }
        "like" => {
            let words = ["builtin:bend", "--size", "64x64", "--screenshot", file];
            run_well(sinew(words).current_dir(place.0.path()));
            vec![model(), (Some("like"), file_name)]
        }
        // Files that others name.
        "beside model" | "beside models" => {
            WHITE.write(place.0.path(), Names { texture: leak(file), buffer: "fox.bin" });
            vec![(None, "fox.gltf".to_owned())]
        }
        "beside new" | "beside other" => {
            WHITE.write(place.0.path(), Names { texture: leak(file), buffer: "fox.bin" });
            let words = ["export", "fox.gltf", "--rigged", "--json", "m.json", "-o", "m.glb"];
            run_well(sinew(words).current_dir(place.0.path()));
            let mut words = vec![(None, "m.glb".to_owned())];
            match id {
                "beside new" => words.push((None, "fox.gltf".to_owned())),
                _ => {
                    words.push((Some("other"), "fox.gltf".to_owned()));
                    words.push((Some("split"), "other".to_owned()));
                }
            }
            words
        }
        _ => return None,
    };
    Some(Reader { words, joint: if id.starts_with("beside") { "hip" } else { "upper" } })
}

fn leak(text: &str) -> &'static str {
    text.to_owned().leak()
}

/// Flags that make a command short, or that it cannot do without.
fn needs(command: &str, written: &str, reader: &Reader) -> Vec<String> {
    let Reader { words, joint } = reader;
    let needed = match (command, written) {
        ("", _) => "--size 16x16",
        ("compare", "output") => "--time 0 --modes dqs --size 16x16",
        ("compare", _) => "--time 0 --modes dqs",
        ("convert", "json") => "-o fresh.glb",
        ("fit", "json" | "driven" | "screenshot") => "--helpers 1 -o fresh.glb",
        ("fit", _) => "--helpers 1",
        ("weights", "json" | "write_recipe") => "--prune 0.1 -o fresh.glb",
        ("weights", _) => "--prune 0.1",
        ("export", "json") => "--rigged -o fresh.glb",
        ("export", _) => "--on cpu",
        ("bake", _) => "--fps 2",
        ("inspect", "write_joint_map") => "--clip-from builtin:bend",
        ("bench", _) => "--only skin --modes lbs --frames 1",
        ("explain", _) => "--vertex mesh0:0:1 --size 16x16",
        ("diagnose", _) if words.iter().any(|(flag, _)| *flag == Some("like")) => "",
        ("diagnose", "output") => "--like like.glb",
        ("diagnose", _) if words.iter().any(|(flag, _)| *flag == Some("bind")) => "--like like.glb",
        ("diagnose", _) => "--like like.png",
        ("why", _) => "--frames 2",
        ("sweep", _) => return ["--steps", "2", "--joint", *joint].map(str::to_owned).into(),
        _ => "",
    };
    needed.split_whitespace().map(str::to_owned).collect()
}

/// The ending of the file that a flag writes.
fn ending(command: &str, written: &str) -> &'static str {
    match (command, written) {
        (_, "json" | "write_recipe") | ("fit", "driven") => "json",
        ("fit", "screenshot") => "png",
        ("convert" | "export" | "bake" | "fit" | "weights", _) | ("diagnose", "output") => "glb",
        ("report-bug", _) => "md",
        ("view-page", _) => "html",
        _ => "png",
    }
}

/// Writes links to a file, and returns all its names.
fn names(place: &Place, file: &str, ending: &str) -> Vec<String> {
    let [soft, hard] = ["soft", "hard"].map(|name| format!("{name}.{ending}"));
    let mut names = vec![file.to_owned(), format!("./{file}")];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(file, place.path(&soft)).unwrap();
        names.push(soft);
    }
    fs::hard_link(place.path(file), place.path(&hard)).unwrap();
    names.push(hard);
    names
}

/// Expects a run to be refused because of what it reads, without any change.
#[track_caller]
fn refused(place: &Place, words: &[String]) {
    let before = place.snapshot();
    let Run { code, err, .. } = run(sinew(words).current_dir(place.0.path()));
    let last = err.lines().last().unwrap_or_default();
    assert!(before == place.snapshot(), "{words:?} changed the folder: {code:?} {err}");
    assert!(code == Some(2) && last.contains(": the output would overwrite "), "{words:?}: {code:?} {err}");
}

#[test]
fn no_command_writes_over_what_any_flag_reads() {
    let mut pairs = 0;
    for (command, [read, written]) in commands() {
        // These have folders; other tests are about those.
        if ["conformance", "corpus", "golden", "report"].contains(&command.as_str()) {
            continue;
        }
        for written in &written {
            let beside = read.iter().map(|id| format!("beside {id}"));
            for id in read.iter().cloned().chain(beside) {
                if LEFT_OUT
                    .iter()
                    .any(|(of, left_out, _)| (*of, *left_out) == (command.as_str(), id.as_str()))
                {
                    continue;
                }
                let (place, ending) = (Place(tempfile::tempdir().unwrap()), ending(&command, written));
                let file = format!("in.{ending}");
                if command == "diagnose" {
                    reader(&place, "like", "like.png");
                    reader(&place, "like", "like.glb");
                }
                let Some(found) = reader(&place, &id, &file) else {
                    assert!(id.starts_with("beside"), "{command} {id}: no way to read it is known here");
                    continue;
                };
                // What `--rigged`, which its `--json` needs, does not go with.
                let is_posed = found
                    .words
                    .iter()
                    .any(|(flag, _)| flag.as_ref().is_some_and(|flag| ["pose", "clip"].contains(flag)));
                if command == "export" && *written == "json" && is_posed {
                    continue;
                }
                for out in names(&place, &file, ending) {
                    let mut line: Vec<String> =
                        [command.clone()].into_iter().filter(|word| !word.is_empty()).collect();
                    line.extend(needs(&command, written, &found));
                    let words = &found.words;
                    line.push(format!("--{}={out}", written.replace('_', "-")));
                    let flags = words.iter().flat_map(|(flag, value)| match flag {
                        Some(flag) => vec![format!("--{flag}={value}")],
                        None => Vec::new(),
                    });
                    line.extend(flags);
                    line.extend(
                        words.iter().filter(|(flag, _)| flag.is_none()).map(|(_, value)| value.clone()),
                    );
                    refused(&place, &line);
                }
                pairs += 1;
            }
        }
    }
    assert!(pairs > 40, "only {pairs}");
}

/// The difference of weights has its own way to write.
#[test]
fn the_second_file_stays_when_weights_are_compared() {
    let place = Place(tempfile::tempdir().unwrap());
    reader(&place, "new", "new.json").unwrap();
    for out in names(&place, "new.json", "json") {
        let words = ["compare", "builtin:bend", "new.json", "--weights", "--json"].map(str::to_owned);
        refused(&place, &[&words[..], &[out]].concat());
    }
}

/// A case's keys are the flags of a picture. The run writes goldens, a table, and a report.
#[test]
fn a_list_of_goldens_writes_over_nothing_that_its_cases_read() {
    let commands = commands();
    let [read, _] = &commands[""];
    let beside = read.iter().map(|id| format!("beside {id}"));
    let mut pairs = 0;
    for id in read.iter().cloned().chain(beside).filter(|id| id != "more") {
        for (file, written) in
            [("case.png", "--update"), ("in.xml", "--junit"), ("failures/index.html", "--json")]
        {
            let place = Place(tempfile::tempdir().unwrap());
            fs::create_dir(place.path("failures")).unwrap();
            let Some(Reader { words, .. }) = reader(&place, &id, file) else { continue };
            let mut list = "[[case]]\nname = \"case\"\nsize = \"16x16\"\n".to_owned();
            let model = words.iter().find(|(flag, _)| flag.is_none()).unwrap();
            list.push_str(&format!("model = {:?}\n", model.1));
            let mut keys: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
            for (flag, value) in &words {
                if let Some(flag) = flag {
                    keys.entry(flag).or_default().push(value);
                }
            }
            for (key, values) in keys {
                match values.as_slice() {
                    [value] => list.push_str(&format!("{key} = {value:?}\n")),
                    values => list.push_str(&format!("{key} = {values:?}\n")),
                }
            }
            fs::write(place.path("golden.toml"), list).unwrap();
            let line = |more: &[&str]| -> Vec<String> {
                ["golden", "."].iter().chain(more).map(|word| (*word).to_owned()).collect()
            };
            match written {
                "--junit" => {
                    for out in names(&place, file, "xml") {
                        refused(&place, &line(&["--junit", &out]));
                    }
                }
                written => refused(&place, &line(&[written])),
            }
            pairs += 1;
        }
    }
    assert!(pairs >= 24, "only {pairs}");
}

/// A report writes files of known names into a folder.
#[test]
fn a_report_writes_over_nothing_that_it_reads() {
    let commands = commands();
    let [read, _] = &commands["report"];
    for id in read.iter().filter(|id| *id != "merge") {
        for name in ["index.html", "report.csv"] {
            let place = Place(tempfile::tempdir().unwrap());
            fs::create_dir(place.path("out")).unwrap();
            fs::write(place.path("out/report.json"), "{\"program\":\"sinew 0.1.0\"}").unwrap();
            let Reader { words, .. } = reader(&place, id, &format!("out/{name}")).unwrap();
            let mut line = ["report", "--no-pictures", "-o", "out"].map(str::to_owned).to_vec();
            for (flag, value) in &words {
                line.push(flag.map_or(value.clone(), |flag| format!("--{flag}={value}")));
            }
            refused(&place, &line);
        }
    }
}
