//! Makes every call for a file fail once: opening, reading, writing, renaming and what else the program asks the system of
//! the files that it is given, those that it writes, and those that it keeps for itself.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use crate::models;
use crate::runs::{Call, Ended, PLACE, Place, Task, every_fault, files};

/// Draws on one thread without checks, which are for the calls of Vulkan, and so quickly.
pub fn quick(command: &mut Command, place: &Path) {
    // Where no layer is.
    command.env("VK_LAYER_PATH", place).env("RAYON_NUM_THREADS", "2");
}

fn nothing(_: &Path) {}

/// The earlier content of an output.
const OLD: &[u8] = b"old";

fn old_picture(out: &Path) {
    std::fs::write(out.join("a.png"), OLD).unwrap();
}

fn golden(out: &Path) {
    let list = format!(
        "[defaults]\nmodel = \"../in/model.gltf\"\nsize = \"32x32\"\nquality = \"draft\"\n{}",
        "[[case]]\nname = \"a\"\ntime = 1\n"
    );
    std::fs::write(out.join("golden.toml"), list).unwrap();
    std::fs::write(out.join("a.png"), OLD).unwrap();
}

/// A task on the model.
pub fn task(name: &'static str, words: &str, prepare: fn(&Path)) -> Task {
    let model = format!("{PLACE}/in/model.gltf");
    let words = words.split(' ').map(|word| if word == "MODEL" { model.clone() } else { word.to_owned() });
    Task { name, words: words.collect(), with: quick, prepare, is_first: false, is_window: false }
}

/// Returns true if a file is one that the program has not moved into place.
pub fn is_half(name: &str) -> bool {
    name.contains(".sinew-") && name.ends_with(".tmp")
}

/// Returns true if a file is the program's own, which it does not need.
fn is_own(call: &Call) -> bool {
    call.path.contains("/home/")
}

/// Checks what must be true after a fault, whatever the command.
fn judge(
    place: &Place,
    given: &BTreeMap<String, Vec<u8>>,
    well: &Ended,
    end: &Ended,
) -> Result<String, String> {
    let failed = end.failed().ok_or("no fault")?;
    if files(&place.path("in")) != *given {
        return Err("an input has changed".to_owned());
    }
    // A list whose model cannot be read has a page that says so.
    let is_page = |name: &str| name.starts_with("failures/") && !is_half(name);
    for (name, bytes) in end.files.iter().filter(|(name, _)| !is_page(name)) {
        // What cannot be removed stays.
        let is_left = is_half(name);
        if is_left && failed.name != "unlink" {
            return Err(format!("{name} is left"));
        }
        if !is_left && well.files.get(name) != Some(bytes) && bytes != OLD && end.code != Some(0) {
            return Err(format!("{name} is half written: {} bytes", bytes.len()));
        }
    }
    let line = end.lines().join(" ");
    let where_ = match () {
        () if is_own(failed) => "own",
        () if format!("{}/", failed.path).contains("/in/") || failed.path.ends_with("golden.toml") => "input",
        () if failed.path.contains("/out/") => "output",
        () => "standard output",
    };
    let is_same = end.files == well.files && end.out == well.out;
    let how = match end.code {
        Some(0) if is_same => "went on",
        // A texture that cannot be read is replaced, and the program says so.
        Some(0)
            if [&end.err, &*String::from_utf8_lossy(&end.out)]
                .iter()
                .any(|said| said.contains("images[0]")) =>
        {
            "warned"
        }
        Some(0) => return Err(format!("another output, and only: {}", end.err.trim())),
        Some(1) if where_ == "input" => "exit 1",
        Some(5) if where_ == "output" || where_ == "standard output" => "exit 5",
        code => return Err(format!("exit {code:?} for a file of {where_}: {line}")),
    };
    Ok(format!("{where_}: {how}"))
}

fn every_call_fails(task: &Task, least: usize) {
    let place = Place::new(models::write);
    let given = files(&place.path("in"));
    let folder = tempfile::tempdir().unwrap();
    (task.prepare)(folder.path());
    let before = files(folder.path());
    every_fault(place, task, "file", |place, well, end| {
        match before.keys().find(|name| !end.files.contains_key(*name)) {
            Some(name) => Err(format!("{name} is gone")),
            None => judge(place, &given, well, end),
        }
    })
    .check(task.name, least);
}

#[test]
fn of_a_picture() {
    let words = "MODEL --mode cor --time 1 --size 32x32 --quality draft --screenshot a.png";
    every_call_fails(&task("picture", words, old_picture), 60);
}

/// Caches are made on the way.
#[test]
fn of_the_first_picture() {
    let words = "MODEL --mode cor --time 1 --size 32x32 --quality draft --screenshot a.png";
    every_call_fails(&Task { is_first: true, ..task("first picture", words, old_picture) }, 100);
}

#[test]
fn of_a_sequence() {
    let words = "MODEL --frames 3 --size 32x32 --quality draft --screenshot run-{frame}.png";
    every_call_fails(&task("sequence", words, nothing), 60);
}

#[test]
fn of_an_animation() {
    let words = "MODEL --frames 3 --size 32x32 --quality draft --screenshot a.gif";
    every_call_fails(&task("animation", words, nothing), 60);
}

#[test]
fn of_an_export() {
    let words = "export MODEL --mode dqs --time 1 -o a.obj";
    every_call_fails(&task("export", words, nothing), 60);
}

#[test]
fn of_a_rigged_export() {
    let words = "export MODEL --rigged -o a.glb --json a.json";
    every_call_fails(&task("rigged export", words, nothing), 60);
}

#[test]
fn of_a_bake() {
    every_call_fails(&task("bake", "bake MODEL --mode dqs --fps 4 -o a.glb", nothing), 60);
}

#[test]
fn of_a_point_cache() {
    every_call_fails(&task("point cache", "bake MODEL --mode dqs --fps 4 -o a.pc2", nothing), 60);
}

#[test]
fn of_a_report() {
    every_call_fails(&task("report", "report MODEL --no-pictures -o pages", nothing), 60);
}

#[test]
fn of_goldens() {
    every_call_fails(&task("goldens", "golden . --update", golden), 60);
}

#[test]
fn of_an_inspection() {
    every_call_fails(&task("inspection", "inspect MODEL --json", nothing), 40);
}
