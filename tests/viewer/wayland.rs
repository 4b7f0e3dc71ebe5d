//! Tests the window in a Wayland session, by the same standard as under X11: what the screen shows is what a screenshot
//! writes, and keys and mouse are real.

use std::time::{Duration, Instant};

use super::common::Run;
use super::compositor::Session;
use super::program::{Program, TIMEOUT};
use super::{STILL, headless, still};
use sinew::image::Image;

/// Waits until the screen shows a picture, pixel for pixel.
fn shows(session: &mut Session, program: &mut Program, expected: &Image, what: &str) {
    let start = Instant::now();
    loop {
        let found = session.corner(expected.width, expected.height);
        if found.rgba == expected.rgba {
            return;
        }
        program.assert_alive(what);
        if start.elapsed() > TIMEOUT {
            let pixels = found.rgba.chunks(4).zip(expected.rgba.chunks(4));
            let differing = pixels.filter(|(found, expected)| found != expected).count();
            panic!("{what}: {differing} of {} pixels differ", found.rgba.len() / 4);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Waits until the screen shows something else.
fn differs_from(session: &mut Session, program: &mut Program, image: &Image, what: &str) {
    let start = Instant::now();
    while session.corner(image.width, image.height).rgba == image.rgba {
        program.assert_alive(what);
        assert!(start.elapsed() < TIMEOUT, "{what} changes nothing");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Waits until the screen stands still, and returns its corner.
fn settled(session: &mut Session) -> Image {
    let mut last = session.corner(320, 240);
    let mut still = 0;
    while still < 8 {
        std::thread::sleep(Duration::from_millis(30));
        let now = session.corner(320, 240);
        still = if now.rgba == last.rgba { still + 1 } else { 0 };
        last = now;
    }
    last
}

/// Copies the command line, and checks that it makes the picture on the screen.
fn reproduced(session: &mut Session, program: &mut Program, what: &str) -> String {
    settled(session);
    session.key("ctrl+c");
    let line = program.said("sinew builtin:bend");
    assert_eq!(session.clipboard(), line, "the clipboard");
    let words: Vec<&str> = line.split(' ').skip(1).collect();
    shows(session, program, &headless(&words), what);
    line
}

#[test]
fn a_window_on_wayland_shows_what_a_screenshot_writes() {
    let mut session = Session::start(640, 480);
    let mut program = session.open(&STILL);
    let plain = still(&["--mode", "lbs"]);
    shows(&mut session, &mut program, &plain, "at first");
    for (key, mode) in [("3", "dqs"), ("2", "lbs")] {
        session.key(key);
        shows(&mut session, &mut program, &still(&["--mode", mode]), mode);
    }
    // The list of keys, and the panel.
    for key in ["?", "i"] {
        session.key(key);
        differs_from(&mut session, &mut program, &plain, key);
        session.key(if key == "?" { "Escape" } else { key });
        shows(&mut session, &mut program, &plain, "closed again");
    }
    // A drag turns, the wheel zooms.
    session.point([100, 100]);
    session.button(true);
    session.point([160, 85]);
    session.button(false);
    session.point_away();
    let turned = reproduced(&mut session, &mut program, "turned");
    session.point([160, 85]);
    session.wheel();
    session.point_away();
    let zoomed = reproduced(&mut session, &mut program, "zoomed");
    assert!(turned.contains("--camera=") && zoomed != turned, "{turned}\n{zoomed}");
    // The line below the picture takes 22 points.
    session.message("[app_id=sinew] resize set 321 225, move absolute position 0 0");
    let resized = reproduced(&mut session, &mut program, "resized");
    assert!(resized.contains("--size 321x203"), "{resized}");
    // The compositor asks it to close.
    session.message("[app_id=sinew] kill");
    let Run { code, err, .. } = program.wait();
    assert_eq!((code, err.as_str()), (Some(0), ""));
}

#[test]
fn edits_on_wayland_are_asked_for_and_outlive_the_compositor() {
    let mut session = Session::start(640, 480);
    let mut program = session.open(&STILL);
    let plain = still(&["--mode", "lbs"]);
    shows(&mut session, &mut program, &plain, "at first");
    for key in ["Down", "Down", "F7", "F7"] {
        session.key(key);
    }
    differs_from(&mut session, &mut program, &plain, "a turned joint");
    let turned = settled(&mut session);
    session.message("[app_id=sinew] kill");
    differs_from(&mut session, &mut program, &turned, "the question");
    session.key("Escape");
    shows(&mut session, &mut program, &turned, "back");
    let start = Instant::now();
    session.kill();
    let Run { code, err, .. } = program.wait();
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    assert!(code == Some(4) && err.lines().count() == 1, "{code:?} {err}");
    assert!(err.starts_with("error: ") && err.contains("the connection to the display broke"), "{err}");
    let (_, kept) = err.split_once("the edited pose is kept as ").unwrap_or_else(|| panic!("{err}"));
    assert!(std::path::Path::new(kept).is_file(), "{kept}");
    // The next window, wherever it is, offers them.
    let mut session = Session::start(800, 600);
    let empty = session.corner(320, 240);
    let mut program = session.open(&STILL);
    differs_from(&mut session, &mut program, &empty, "opening");
    settled(&mut session);
    session.key("Return");
    shows(&mut session, &mut program, &turned, "taken back");
    // A screen with two pixels a point has twice the pixels.
    session.message("output HEADLESS-1 scale 2");
    let start = Instant::now();
    let line = loop {
        settled(&mut session);
        session.key("ctrl+c");
        let line = program.said("sinew builtin:bend");
        if line.contains("--size 640x480") {
            break line;
        }
        assert!(start.elapsed() < TIMEOUT, "{line}");
    };
    let words: Vec<&str> = line.split(' ').skip(1).collect();
    shows(&mut session, &mut program, &headless(&words), "at scale 2");
    session.key("ctrl+q");
    let Run { code, .. } = {
        settled(&mut session);
        session.key("n");
        program.wait()
    };
    assert_eq!(code, Some(0));
}
