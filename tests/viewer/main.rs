//! Tests the window under Xvfb, where xdotool sends real keys and mouse events, and in a Wayland session of sway: the screen
//! is compared with pictures drawn without a window.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

#[path = "../../crates/model/tests/common/character.rs"]
mod character;
#[path = "../common/mod.rs"]
mod common;
#[cfg(target_os = "linux")]
mod compositor;
mod dragging;
#[path = "../../crates/model/tests/common/file.rs"]
mod file;
mod files;
mod first_minute;
mod hands;
mod leaving;
mod looks;
#[path = "../../crates/model/tests/common/pictures.rs"]
mod pictures;
mod pointing;
mod portal;
mod posing;
#[allow(dead_code, reason = "`make soak` uses all of it")]
mod program;
mod reload;
#[path = "../../crates/model/tests/common/scattered.rs"]
mod scattered;
#[allow(dead_code, reason = "`make soak` uses all of it")]
mod screen;
#[cfg(target_os = "linux")]
mod wayland;
mod weights;

use std::process::{Command, Stdio};

use common::{Run, run, run_well, sinew};
use screen::Screen;
use sinew::image::{Image, read_png};

/// The picture that the same words make without a window, framed by the clip as a window is.
fn headless(words: &[&str]) -> Image {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("headless.png");
    run_well(sinew(words).args(framed_by_clip(words)).arg("--screenshot").arg(&path));
    read_png(&path).unwrap()
}

/// Returns what frames a picture by its clip, unless these words say how it is framed.
fn framed_by_clip(words: &[&str]) -> &'static [&'static str] {
    if words.iter().any(|word| word.starts_with("--framing")) { &[] } else { &["--framing", "clip"] }
}

const STILL: [&str; 7] = ["builtin:bend", "--time", "0.8", "--paused", "--size", "320x240", "--mode=lbs"];

/// Draws the window's scene as a picture. Flags of the window are left out.
fn still(more: &[&str]) -> Image {
    let words = STILL.iter().copied().filter(|word| *word != "--paused" && !word.starts_with("--mode"));
    headless(&words.chain(more.iter().copied()).collect::<Vec<_>>())
}

/// The upper rows of a picture.
fn above(image: &Image, rows: u32) -> Image {
    let rgba = image.rgba[..(rows * image.width * 4) as usize].to_vec();
    Image { height: rows, rgba, ..image.clone() }
}

fn count_differing(a: &Image, b: &Image) -> usize {
    assert_eq!((a.width, a.height), (b.width, b.height));
    a.rgba.chunks(4).zip(b.rgba.chunks(4)).filter(|(a, b)| a != b).count()
}

#[test]
fn the_window_shows_what_a_screenshot_writes() {
    let screen = Screen::start(800, 600);
    let mut window = screen.open(&STILL);
    window.shows(&still(&["--mode", "lbs"]), "at first");
    // Modes change at once and keep everything else.
    for (key, mode) in [("3", "dqs"), ("1", "rigid"), ("2", "lbs")] {
        window.key(key);
        window.shows(&still(&["--mode", mode]), mode);
    }
    // Holding the space bar shows the previous mode.
    window.xdotool(&["keydown", "space"]);
    window.shows(&still(&["--mode", "rigid"]), "flipped");
    window.xdotool(&["keyup", "space"]);
    window.shows(&still(&["--mode", "lbs"]), "flipped back");
    window.key("b");
    window.shows(&headless(&["builtin:bend", "--pose", "bind", "--size", "320x240"]), "bind");
    window.key("b");
    window.key("j");
    window.shows(&still(&["--mode", "lbs", "--overlay", "skeleton"]), "skeleton");
    window.key("j");
    window.key("v");
    window.shows(&still(&["--mode", "lbs", "--view", "normals"]), "normals");
    window.key("shift+v");
    window.key("c");
    window.shows(&still(&["--mode", "lbs", "--skin", "cpu"]), "skinned by the CPU");
    window.key("c");
    window.key("Home");
    window.shows(&headless(&["builtin:bend", "--size", "320x240", "--mode", "lbs"]), "the start");
    let Run { code, err, .. } = window.close();
    assert_eq!((code, err.as_str()), (Some(0), ""));
}

/// Ctrl+C prints a command line that makes the same picture to the last byte, however the camera was moved.
#[test]
fn what_was_steered_is_reproduced_by_its_command_line() {
    let screen = Screen::start(800, 600);
    let mut window = screen.open(&STILL);
    window.shows(&still(&["--mode", "lbs"]), "at first");
    window.xdotool(&["mousemove", "100", "100", "mousedown", "1", "mousemove", "160", "85", "mouseup", "1"]);
    window.xdotool(&["mousemove", "200", "60", "click", "4", "click", "4", "click", "5", "click", "4"]);
    window.xdotool(&["mousemove", "100", "100", "mousedown", "2", "mousemove", "90", "120", "mouseup", "2"]);
    window.key("w");
    window.settle();
    window.key("ctrl+c");
    let line = window.said("sinew builtin:bend");
    let words = line.strip_prefix("sinew ").unwrap();
    assert!(words.contains("--target="), "{line}");
    let words: Vec<&str> = words.split(' ').collect();
    window.shows(&headless(&words), &line);
    assert_eq!(window.close().code, Some(0));
}

/// A double click on the surface moves that point to the middle.
#[test]
fn a_double_click_sets_the_pivot() {
    let screen = Screen::start(800, 600);
    let words = ["builtin:strip", "--pose", "rest", "--camera=front", "--size", "301x301"];
    let mut window = screen.open(&words);
    window.shows(&headless(&words), "at first");
    window.xdotool(&["mousemove", "150", "90", "click", "1", "click", "1"]);
    window.settle();
    window.key("ctrl+c");
    let line = window.said("sinew builtin:strip");
    let target = line.split("--target=").nth(1).unwrap().split(' ').next().unwrap();
    let place: Vec<f64> = target.split(',').map(|number| number.parse().unwrap()).collect();
    // The strip stands in the plane z = 0; the point is above its middle.
    assert!(place[2].abs() < 1e-6 && place[1] > 1.05, "{line}");
    let words: Vec<&str> = line.split(' ').skip(1).collect();
    window.shows(&headless(&words), &line);
    assert_eq!(window.close().code, Some(0));
}

#[test]
fn resizing_is_followed_without_a_message() {
    let screen = Screen::start(900, 700);
    let mut window = screen.open(&STILL);
    window.shows(&still(&["--mode", "lbs"]), "at first");
    // Resizes the window while it draws, through a reproducible sequence of sizes.
    let mut state = 12345_u32;
    let mut next = |most: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) % most + 1
    };
    for number in 0..500 {
        let [width, height] = [next(400), next(300)].map(|side| side.to_string());
        window.resize(&width, &height, number % 50 == 49);
    }
    for _ in 0..50 {
        window.xdotool(&["windowunmap", &window.id(), "windowmap", &window.id()]);
    }
    // The line below the picture takes 22 points.
    window.resize("321", "225", true);
    let words = ["builtin:bend", "--time", "0.8", "--size", "321x203", "--mode", "lbs"];
    window.shows(&headless(&words), "after all sizes");
    let Run { code, err, .. } = window.close();
    assert_eq!((code, err.as_str()), (Some(0), ""));
}

#[test]
fn nothing_is_drawn_while_nothing_moves() {
    let screen = Screen::start(640, 480);
    let mut window = screen.open(&STILL);
    window.shows(&still(&["--mode", "lbs"]), "at first");
    let before = window.processor_millis();
    std::thread::sleep(std::time::Duration::from_millis(1500));
    let idle = window.processor_millis() - before;
    assert!(idle <= 30, "{idle} ms of the processor's time in 1500 ms");
    // The check is sensitive: playback changes the screen.
    window.key("p");
    window.differs_from(&still(&["--mode", "lbs"]));
    assert_eq!(window.close().code, Some(0));
}

/// A model from standard input is shown as one from a file, and is neither watched nor listed.
#[test]
fn a_model_through_a_pipe_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("strip.glb");
    std::fs::write(&path, sinew::model::builtin::glb("strip").unwrap()).unwrap();
    let screen = Screen::start(640, 480);
    let words = ["--pose", "rest", "--camera=front", "--size", "301x301"];
    let piped = [&["-"], &words[..]].concat();
    let mut window = screen.open_piped(&piped, std::fs::File::open(&path).unwrap());
    window.shows(&headless(&[&["builtin:strip"], &words[..]].concat()), "at first");
    window.key("ctrl+c");
    assert!(window.said("sinew -").starts_with("sinew - --mode lbs --pose rest"));
    assert_eq!(window.close().code, Some(0));
}

/// Closing the window, Ctrl+C in the terminal and SIGTERM all exit cleanly.
#[test]
fn every_end_is_clean() {
    for signal in ["-TERM", "-INT"] {
        let screen = Screen::start(640, 480);
        let window = screen.open(&["builtin:strip", "--paused", "--size", "200x150"]);
        window.settle();
        let Run { code, err, .. } = window.end_by(signal);
        assert_eq!((code, err.as_str()), (Some(0), ""), "{signal}");
    }
}

#[test]
fn without_a_display_one_line_says_what_to_do() {
    let mut command = sinew(["builtin:strip"]);
    let Run { code, out, err } = run(command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY"));
    assert_eq!((code, out.len()), (Some(4), 0), "{err}");
    assert!(err.contains("--screenshot") && err.lines().count() == 1, "{err}");
}

/// Missing programs make the tests above fail with advice on what to install.
#[test]
fn what_drives_the_window_is_there() {
    for program in ["Xvfb", "xdotool", "xclip", "dbus-daemon"] {
        let found = Command::new(program).arg("-help").stdout(Stdio::null()).stderr(Stdio::null()).status();
        assert!(found.is_ok(), "{program} is missing: apt install xvfb xdotool xclip dbus");
    }
}
