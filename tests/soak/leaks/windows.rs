//! A window of many sizes, and a window with many files: each is waited for until it is on the screen.

use std::path::Path;
use std::time::Duration;

use sinew::image::{Image, read_png};

use super::resident::{MAX_GROWTH, Resident, resident};
use crate::common::{Run, run, run_well, sinew};
use crate::screen::{Screen, Window};

const RESIZES: usize = 1000;
const FILES: usize = 500;

/// The number of memory measurements.
const MEASUREMENTS: usize = 10;

/// The time in which an idle window returns freed memory to the system. In between, freed memory piles up, so a
/// measurement would depend on the time since the last return.
const TIDIES: Duration = Duration::from_secs(6);

/// The sizes of the window; the line below the picture takes [`STATUS`].
const SIZES: [[u32; 2]; 10] = [
    [480, 400],
    [200, 150],
    [760, 560],
    [333, 501],
    [640, 222],
    [171, 300],
    [800, 600],
    [257, 257],
    [512, 384],
    [699, 433],
];
const STATUS: u32 = 22;

/// The picture that the same words make without a window.
fn headless(words: &[&str]) -> Image {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("headless.png");
    run_well(sinew(words).arg("--screenshot").arg(&path));
    read_png(&path).unwrap()
}

/// Closes a window that must have had nothing to say.
fn close(window: Window<'_>) {
    let Run { code, err, .. } = window.close();
    assert_eq!((code, err.as_str()), (Some(0), ""));
}

/// Resizes a window to and fro; returns by how much memory has grown.
fn resizes(what: &str, more: &[&str], count: usize) -> f64 {
    let words = ["builtin:bend", "--time", "0.8", "--mode=lbs"];
    let pictures: Vec<Image> = SIZES
        .iter()
        .map(|[width, height]| {
            headless(&[&words[..], &["--size", &format!("{width}x{}", height - STATUS)]].concat())
        })
        .collect();
    let screen = Screen::start(800, 600);
    let mut window = screen.open(&[&words[..], &["--paused"], more].concat());
    let process = window.process();
    let mut resident = Resident::default();
    for number in 0..count {
        let at = number % SIZES.len();
        let [width, height] = SIZES[at].map(|side| side.to_string());
        window.resize(&width, &height, true);
        window.shows(&pictures[at], &format!("resize {number}"));
        // Always at the same size.
        if (number + 1) % (count / MEASUREMENTS) == 0 {
            std::thread::sleep(TIDIES);
            resident.note(&process);
        }
    }
    close(window);
    println!("{what}: {count} sizes were shown");
    resident.growth(what)
}

#[test]
fn resized_windows_leave_no_memory_behind() {
    let growth = resizes("resizes", &[], RESIZES);
    assert!(growth < MAX_GROWTH, "{growth:.2} %");
}

/// The layer allocates its own records, so memory does not count here.
#[test]
fn resized_windows_leave_nothing_alive() {
    resizes("resizes, with the layer", &["--validate"], RESIZES / 2);
}

/// Files that are chosen from a list, and every fifth time one that changes on the disk; returns by how much memory has
/// grown.
fn reopened(what: &str, more: &[&str], count: usize) -> f64 {
    let words = ["--size", "480x420", "--mode=lbs"];
    let names = ["bend", "character", "strip", "twist"];
    let all = tempfile::tempdir().unwrap();
    assert_eq!(run(sinew(["builtins", "--write"]).arg(all.path())).code, Some(0));
    let copy = |folder: &Path, from: &str, to: &str| {
        // Renamed, so that the window never sees half a file.
        let next = folder.join("next");
        std::fs::copy(all.path().join(format!("{from}.glb")), &next).unwrap();
        std::fs::rename(next, folder.join(format!("{to}.glb"))).unwrap();
    };
    let pictures: Vec<Image> =
        names.iter().map(|name| headless(&[&[&*format!("builtin:{name}")], &words[..]].concat())).collect();
    let folder = tempfile::tempdir().unwrap();
    names.iter().for_each(|name| copy(folder.path(), name, name));
    let screen = Screen::start(640, 480);
    let list = folder.path().to_str().unwrap();
    let mut window = screen.open(&[&[list, "--paused"], &words[..], more].concat());
    window.key("F3");
    window.shows(&pictures[0], "the first file");
    let process = window.process();
    let mut resident = Resident::default();
    for number in 0..count / 5 {
        for step in 1..=4 {
            window.key("ctrl+Next");
            window.shows(&pictures[step % 4], &format!("round {number}, file {step}"));
        }
        // The first file changes to what the next round shows as another.
        let other = 1 + number % 3;
        copy(folder.path(), names[other], names[0]);
        window.shows(&pictures[other], &format!("round {number}, changed"));
        copy(folder.path(), names[0], names[0]);
        window.shows(&pictures[0], &format!("round {number}, changed back"));
        if (number + 1) % (count / 5 / MEASUREMENTS) == 0 {
            std::thread::sleep(TIDIES);
            resident.note(&process);
        }
    }
    close(window);
    println!("{what}: {count} files were shown");
    resident.growth(what)
}

#[test]
fn reopened_files_leave_no_memory_behind() {
    let growth = reopened("reopened files", &[], FILES);
    assert!(growth < MAX_GROWTH, "{growth:.2} %");
}

#[test]
fn reopened_files_leave_nothing_alive() {
    reopened("reopened files, with the layer", &["--validate"], FILES / 2);
}

/// The time in which an idle window also releases looks that are no longer shown.
const FORGETS: Duration = Duration::from_secs(75);

/// A window that has shown every mode in each quality comes back to about what it had in the first.
#[test]
fn looks_that_were_left_leave_no_memory_behind() {
    let screen = Screen::start(640, 480);
    let window = screen.open(&["builtin:character", "--skin", "gpu", "--size", "480x360", "--paused"]);
    let process = window.process();
    let mib = |after: Duration| {
        std::thread::sleep(after);
        resident(&process) / 1024
    };
    let first = mib(FORGETS);
    // The last round is that of the first look again.
    for _ in 0..3 {
        for mode in ["2", "3", "4", "5", "1"] {
            window.key(mode);
            window.settle();
        }
        window.key("q");
        window.settle();
    }
    let many = mib(TIDIES);
    let left = mib(FORGETS);
    println!("a look: {first} MiB, 15 looks: {many} MiB, once they were left: {left} MiB");
    close(window);
    assert!(many > first + 20, "the looks took no memory");
    assert!(left < first + (many - first) / 3, "they keep their memory");
}
