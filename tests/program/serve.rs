//! Tests `sinew serve`: what it answers is what the commands themselves make.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::common::{run_well, sinew};

/// A process that answers.
struct Server {
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
}

impl Server {
    fn start(folder: &Path) -> Self {
        let mut command = sinew(["serve"]);
        let piped = command.current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = piped.stderr(Stdio::null()).spawn().unwrap();
        let (to, from) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, to, from }
    }

    /// The answer to a line, whatever it is.
    fn says(&mut self, line: &str) -> Value {
        writeln!(self.to.as_mut().unwrap(), "{line}").unwrap();
        let mut answer = String::new();
        self.from.read_line(&mut answer).unwrap();
        serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{line}: {error}: {answer}"))
    }

    fn ok(&mut self, command: Value) -> Value {
        let answer = self.says(&command.to_string());
        answer.get("ok").unwrap_or_else(|| panic!("{command}: {answer}")).clone()
    }

    #[track_caller]
    fn fails(&mut self, line: &str, exit: u8, says: &str) {
        let answer = self.says(line);
        let error = answer["error"].as_str().unwrap_or_default();
        assert!(error.contains(says) && !error.contains('\n'), "{line}: {answer}");
        assert_eq!(answer["exit"], exit, "{line}: {answer}");
    }

    fn end(mut self) {
        drop(self.to.take());
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
    }
}

#[test]
fn pictures_have_the_bytes_of_a_process_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path());
    let written = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    let alone = |words: &[&str]| run_well(sinew(words).args(["--screenshot", "-"]));
    let loaded = server.ok(json!({ "load": "builtin:bend" }));
    assert_eq!((&loaded["model"], &loaded["clips"][0]["name"]), (&"builtin:bend".into(), &"bend".into()));
    let set = json!({ "mode": "dqs", "time": 0.8, "size": "64x48", "overlay": ["skeleton", "grid"] });
    let told = server.ok(json!({ "set": set }));
    assert!(told["command"].as_str().unwrap().contains("--mode dqs"), "{told}");
    server.ok(json!({ "screenshot": "a.png" }));
    let words = ["builtin:bend", "--mode=dqs", "--time=0.8", "--size=64x48", "--overlay=skeleton,grid"];
    assert_eq!(written("a.png"), alone(&words));
    // What is set stays, null takes it back, and a flag may be given several times.
    let set = json!({ "overlay": null, "mode": "cor", "joint": ["upper=0,0,30", "lower=0,20,0"] });
    server.ok(json!({ "set": set }));
    server.ok(json!({ "screenshot": "b.png" }));
    let words =
        [&words[..1], &["--mode=cor"], &words[2..4], &["--joint=upper=0,0,30", "--joint=lower=0,20,0"]];
    assert_eq!(written("b.png"), alone(&words.concat()));
    // Another model begins with nothing; a sequence is one command.
    server.ok(json!({ "load": "builtin:strip" }));
    server.ok(json!({ "set": { "size": "32x32", "turntable": 3 } }));
    server.ok(json!({ "screenshot": "s-{frame}.png" }));
    let files = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(files.filter(|name| name.to_string_lossy().starts_with("s-")).count(), 3);
    server.end();
}

#[test]
fn commands_answer_with_what_they_would_print() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path());
    let alone = |words: &[&str]| -> Value { serde_json::from_slice(&run_well(&mut sinew(words))).unwrap() };
    server.ok(json!({ "load": "builtin:bend" }));
    server.ok(json!({ "set": { "mode": "dqs", "time": 0.5, "size": "64x64" } }));
    assert_eq!(server.ok(json!({ "inspect": true })), alone(&["inspect", "builtin:bend", "--json"]));
    let explain =
        ["explain", "builtin:bend", "--json", "--vertex", "0:0:9", "--mode", "dqs", "--time", "0.5"];
    assert_eq!(server.ok(json!({ "explain": "0:0:9" })), alone(&explain));
    let compare = ["compare", "builtin:bend", "--json", "--time", "0.5"];
    assert_eq!(server.ok(json!({ "compare": true })), alone(&compare));
    let verified = server.ok(json!({ "verify": { "samples": 2 } }));
    assert_eq!(verified["failed"], json!([]));
    // A command's own flags override what was set, and null leaves it out, this time alone.
    let half = ["compare", "builtin:bend", "--json", "--time", "0.25"];
    assert_eq!(server.ok(json!({ "compare": { "time": 0.25 } })), alone(&half));
    let whole = server.ok(json!({ "compare": { "time": null } }));
    assert_eq!(whole, alone(&["compare", "builtin:bend", "--json"]));
    assert_eq!(server.ok(json!({ "compare": true })), alone(&compare));
    server.fails(r#"{"compare": {"tiem": null}}"#, 2, "'tiem'");
    let no = server.says(r#"{"compare": {"fail-above": "0.001mm"}}"#);
    assert_eq!((&no["exit"], no["figures"]["model"].is_string()), (&6.into(), true), "{no}");
    assert_eq!(server.ok(json!({ "export": "bend.json" })), json!({ "wrote": "bend.json" }));
    let export = ["export", "builtin:bend", "-o", "-", "--mode", "dqs", "--time", "0.5"];
    let written = std::fs::read(folder.path().join("bend.json")).unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&written).unwrap(), alone(&export));
    server.end();
}

/// Files that were read stay protected, also once another model is shown.
#[test]
fn what_was_read_before_is_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.glb");
    std::fs::write(&file, sinew::model::builtin::glb("strip").unwrap()).unwrap();
    let before = std::fs::read(&file).unwrap();
    let mut server = Server::start(folder.path());
    server.ok(json!({ "load": "a.glb" }));
    server.ok(json!({ "load": "builtin:bend" }));
    for command in [r#"{"export": "a.glb"}"#, r#"{"screenshot": "a.glb"}"#, r#"{"bake": "a.glb"}"#] {
        let refused = server.says(command);
        assert_eq!(refused["exit"], 2, "{refused}");
    }
    assert!(std::fs::read(&file).unwrap() == before);
    server.end();
}

/// A file that one command reads by a flag, or as the other of two, is an input of all later ones.
#[test]
fn what_a_single_command_has_read_is_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let bend = sinew::model::builtin::glb("bend").unwrap();
    let pose = br#"{"sinew-pose": 1, "joints": {"upper": {"rotation": [0, 0, 0, 1]}}}"#;
    for name in ["clips.glb", "other.glb"] {
        std::fs::write(path(name), &bend).unwrap();
    }
    std::fs::write(path("pose.glb"), pose).unwrap();
    std::fs::write(path("map.glb"), "\"upper\" = \"upper\"\n").unwrap();
    let names = ["clips.glb", "map.glb", "pose.glb", "other.glb"];
    let before = names.map(|name| std::fs::read(path(name)).unwrap());
    let mut server = Server::start(folder.path());
    server.ok(json!({ "load": "builtin:bend" }));
    server.ok(json!({ "palette": { "clip-from": "clips.glb", "joint-map": "map.glb" } }));
    server.ok(json!({ "palette": { "pose": "pose.glb" } }));
    server.ok(json!({ "set": { "other": "other.glb", "split": "other", "size": "16x16" } }));
    server.ok(json!({ "screenshot": "a.png" }));
    server.ok(json!({ "set": { "other": null, "split": null } }));
    for name in names {
        server.fails(&json!({ "bake": name }).to_string(), 2, &format!("{name}: the output would overwrite"));
    }
    assert!(names.map(|name| std::fs::read(path(name)).unwrap()) == before);
    // What was written may be read, and then stays as well.
    server.ok(json!({ "bake": "new.glb" }));
    server.ok(json!({ "palette": { "clip-from": "new.glb" } }));
    server.fails(r#"{"bake": "new.glb"}"#, 2, "overwrite the file of clips");
    server.end();
}

/// An error ends nothing and sets nothing.
#[test]
fn errors_are_answers() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path());
    server.fails(r#"{"screenshot": "a.png"}"#, 2, "no model is loaded");
    server.fails(r#"{"load": "none.glb"}"#, 1, "none.glb: no such file");
    let before = server.ok(json!({ "load": "builtin:bend" }));
    let set = |server: &mut Server| server.ok(json!({ "set": {} }))["command"].clone();
    let command = set(&mut server);
    server.fails(r#"{"set": {"mode": "dqs", "tiem": 3}}"#, 2, "'--time'");
    server.fails(r#"{"set": {"mode": "dqs", "clip": "jump"}}"#, 1, "jump");
    server.fails(r#"{"set": {"screenshot": "a.png"}}"#, 2, "cannot be set");
    for out in ["-", "/dev/stdout", "/proc/self/fd/1"] {
        server.fails(&json!({ "screenshot": out }).to_string(), 2, "answers go to standard output");
    }
    server.fails(r#"{"set": {"time": {}}}"#, 2, "takes a number");
    server.fails(r#"{"set": {"a b": 1}}"#, 2, "not the name of a flag");
    server.fails(r#"{"load": "none.glb"}"#, 1, "no such file");
    assert_eq!(set(&mut server), command);
    server.fails("nonsense", 2, "not a JSON object");
    server.fails("[1]", 2, "not a JSON object");
    server.fails(r#"{"a": 1, "b": 2}"#, 2, "one command per line");
    server.fails(r#"{"jump": true}"#, 2, "unknown command 'jump'");
    server.fails(r#"{"screenshot": "-"}"#, 2, "name a file");
    server.fails(r#"{"export": "-"}"#, 2, "name a file");
    server.fails(r#"{"screenshot": "no/such/folder/a.png"}"#, 5, "folder");
    server.fails(r#"{"explain": "9:9:9"}"#, 1, "9");
    assert_eq!(server.ok(json!({ "load": "builtin:bend" })), before);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    server.end();
}
