//! Every key that a command prints with `--json`, or that `report` writes, is explained in docs/reference, and every key
//! of json.md is printed.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::{run, run_well, sinew};

const JSON: &str = "json.md";

/// Commands, the page that explains their keys, and arguments of runs that print them.
const RUNS: [(&str, &str, &[&str]); 27] = [
    ("bench", JSON, &["builtin:strip", "--frames", "1", "--size", "64x64"]),
    ("bench", JSON, &["--only", "skin", "--vertices", "9", "--modes", "lbs", "--frames", "1"]),
    ("compare", JSON, &["builtin:bend", "--modes", "lbs,dqs"]),
    ("compare", JSON, &["builtin:bend", "builtin:twist"]),
    ("compare", JSON, &["builtin:strip", "strip.npy"]),
    ("compare", JSON, &["builtin:bend", "--modes", "lbs", "--against", "mush"]),
    ("compare", JSON, &["builtin:bend", "--modes", "lbs", "--normals", "recomputed"]),
    ("compare", JSON, &["builtin:bend", "builtin:twist", "--weights", "--poses", "2"]),
    ("conformance", JSON, &["--judge", "."]),
    ("convert", JSON, &["builtin:strip", "-o", "converted.glb"]),
    ("devices", "devices.md", &[]),
    ("diagnose", JSON, &["builtin:strip", "--like", "strip.png"]),
    ("diagnose", JSON, &["builtin:strip", "--like", "strip.json", "--expect", "lbs"]),
    ("diff", JSON, &["strip.png", "strip.png"]),
    ("explain", JSON, &["builtin:bend", "--vertex", "0:0:3000"]),
    ("export", JSON, &["--rigged", "--max-joints", "2", "builtin:bend", "-o", "rigged.glb"]),
    ("fit", JSON, &["builtin:bend", "--helpers", "1", "--fps", "4", "-o", "fitted.glb"]),
    ("golden", JSON, &["."]),
    ("inspect", "inspect.md", &["builtin:character"]),
    ("inspect", JSON, &["builtin:bend", "--reader", "both"]),
    ("inspect", JSON, &["builtin:tube-12", "--weights"]),
    ("palette", JSON, &["builtin:bend"]),
    ("show", JSON, &["strip.png"]),
    ("sweep", JSON, &["builtin:bend", "--joint", "lower"]),
    ("verify", JSON, &["builtin:strip"]),
    (
        "weights",
        JSON,
        &["builtin:bend", "--copy", "builtin:twist", "--fix", "--prune", "0.1", "-o", "edited.glb"],
    ),
    ("why", JSON, &["builtin:character", "--joint", "elbow"]),
];

/// A report with problems, pictures, and two modes that are the same.
const REPORT: [&str; 8] = ["report", "builtin:bend", "--modes", "dqs,blend", "--frames", "3", "-o", "report"];

/// Keys of json.md that no run above prints.
const SELDOM: [(&str, &str); 7] = [
    ("ddm_left_out", "a model whose terms are too large for the device"),
    ("name_in_new", "two files whose clips have different names"),
    ("normals_from", "the file that `export` writes with recomputed normals"),
    ("on", "the file that `export` writes, without --json"),
    ("blend", "the same of blended clips"),
    ("morphs", "the same with edited morph weights"),
    ("shares", "the same with edited shares"),
];

/// Keys whose own keys are Vulkan's, or another page's.
const CLOSED: [&str; 2] = ["limits", "weights"];

#[test]
fn every_key_is_explained_and_every_explained_key_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let at = |mut command: std::process::Command| {
        command.current_dir(folder.path());
        command
    };
    run_well(&mut at(sinew([
        "builtin:strip",
        "--mode",
        "dqs",
        "--size",
        "64x64",
        "--screenshot",
        "strip.png",
    ])));
    run_well(&mut at(sinew(["export", "builtin:strip", "--time", "0.5", "-o", "strip.json"])));
    run_well(&mut at(sinew(["export", "builtin:strip", "--time", "0.5", "-o", "strip.npy"])));
    let list = "[[case]]\nname = \"strip\"\nmodel = \"builtin:strip\"\nsize = \"64x64\"\n";
    fs::write(folder.path().join("golden.toml"), list).unwrap();

    fs::write(folder.path().join("about.json"), "{\"program\": \"mine\"}").unwrap();

    let mut printed = BTreeSet::new();
    let mut unexplained = Vec::new();
    for (command, page, arguments) in RUNS {
        let run = run(&mut at(sinew([&[command], arguments, &["--json"]].concat())));
        let json: Value =
            serde_json::from_slice(&run.out).unwrap_or_else(|_| panic!("{command}: {}", run.err));
        let mut keys = BTreeSet::new();
        // All else that `inspect` prints is on its page.
        let json = json.get("weights").filter(|_| command == "inspect" && page == JSON).unwrap_or(&json);
        collect(json, page != JSON, &mut keys);
        let explained = explained(page);
        let missing = keys.difference(&explained).map(|key| format!("{page}: {key} of {command}"));
        unexplained.extend(missing);
        if page == JSON {
            printed.extend(keys);
        }
    }
    let (keys, explained) = (keys_of_report(folder.path()), explained(JSON));
    unexplained.extend(keys.difference(&explained).map(|key| format!("{JSON}: {key} of report")));
    printed.extend(keys);
    assert!(unexplained.is_empty(), "not explained in docs/reference: {unexplained:#?}");
    let first_column = first_column(JSON);
    let seldom = SELDOM.map(|(key, _)| key.to_owned()).into();
    let unknown: Vec<_> =
        first_column.difference(&printed).filter(|key| !BTreeSet::contains(&seldom, *key)).collect();
    assert!(unknown.is_empty(), "explained in json.md, but not printed: {unknown:?}");
}

/// Every command with `--json` is among the runs.
#[test]
fn every_command_with_json_is_run() {
    let cli = sinew::cli::command();
    let with_json = cli
        .get_subcommands()
        .filter(|command| command.get_arguments().any(|arg| arg.get_long() == Some("json")));
    let names: BTreeSet<_> = with_json.map(|command| command.get_name().to_owned()).collect();
    assert_eq!(names, RUNS.map(|(command, ..)| command.to_owned()).into());
}

/// Returns the keys of a model's `report.json`. It must have all those that only some reports have.
fn keys_of_report(folder: &Path) -> BTreeSet<String> {
    run_well(sinew(REPORT).current_dir(folder));
    let json = fs::read(folder.join("report/report.json")).unwrap();
    let mut keys = BTreeSet::new();
    collect(&serde_json::from_slice(&json).unwrap(), false, &mut keys);
    let missing: Vec<_> =
        ["same_as", "digest", "number", "value"].into_iter().filter(|key| !keys.contains(*key)).collect();
    assert!(missing.is_empty(), "the report lacks {missing:?}");
    keys
}

fn collect(value: &Value, is_closed: bool, keys: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                keys.insert(key.clone());
                // Its own keys are modes.
                let is_left_out = is_closed && CLOSED.contains(&key.as_str()) || key == "skinned";
                if !is_left_out {
                    collect(value, is_closed, keys);
                }
            }
        }
        Value::Array(list) => list.iter().for_each(|value| collect(value, is_closed, keys)),
        _ => {}
    }
}

fn page(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference").join(name)).unwrap()
}

/// The words in backticks, and the names of metrics, which have a page.
fn explained(name: &str) -> BTreeSet<String> {
    &words(&page(name)) | &words(&page("../concepts/measures.md"))
}

/// The words in backticks in the first column of tables, without their headings.
fn first_column(name: &str) -> BTreeSet<String> {
    let page = page(name);
    let cells = page.lines().filter_map(|line| line.strip_prefix("| ")?.split(" |").next());
    words(&cells.filter(|cell| !cell.contains("sinew ")).collect::<Vec<_>>().join("\n"))
}

fn words(text: &str) -> BTreeSet<String> {
    let quoted = text.split('`').skip(1).step_by(2);
    let words = quoted.flat_map(|quoted| quoted.split(|c: char| !c.is_alphanumeric() && c != '_'));
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}
