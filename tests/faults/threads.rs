//! Refuses every thread once that the program makes itself: its work is done by another.

use std::path::Path;
use std::process::Command;

use crate::files::task;
use crate::models;
use crate::runs::{Ended, Place, every_fault};

/// As many threads as there are cores, and eight besides.
fn many(command: &mut Command, place: &Path) {
    command.env("VK_LAYER_PATH", place).env("RAYON_NUM_THREADS", "8");
}

/// Checks that a missing thread changes no output. If it is the first thread that shares work, or one of the driver's,
/// the program reports it.
fn judge(_: &Place, well: &Ended, end: &Ended) -> Result<String, String> {
    match end.code {
        Some(0) if end.files == well.files && end.out == well.out => Ok("went on".to_owned()),
        Some(0) => Err(format!("another output: {}", end.err.trim())),
        Some(4) if end.err.contains("thread") && end.files.is_empty() => Ok("exit 4".to_owned()),
        code => Err(format!("exit {code:?}: {}", end.lines().join(" "))),
    }
}

#[test]
fn every_thread_is_refused_once() {
    let nothing = |_: &Path| {};
    for (name, words) in [
        ("picture", "MODEL --mode cor --time 1 --size 32x32 --quality draft --screenshot a.png"),
        ("animation", "MODEL --frames 3 --size 32x32 --quality draft --screenshot a.gif"),
        ("bake", "bake MODEL --mode dqs --fps 4 -o a.glb"),
        ("report", "report MODEL --no-pictures -o pages"),
        ("inspection", "inspect MODEL --json"),
    ] {
        let task = crate::runs::Task { with: many, ..task(name, words, nothing) };
        every_fault(Place::new(models::write), &task, "thread", judge).check(name, 8);
    }
}
