//! Tests the looks of the window: edges and flat views by keys, and the light of a file that changes.

use super::common::Run;
use super::dragging::{Drag, uri};
use super::hands::{WIDE, reproduced, value};
use super::screen::Screen;
use super::{STILL, headless, still};

/// A panorama of one colour.
fn even(color: [u8; 4]) -> Vec<u8> {
    [&b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 2 +X 4\n"[..], &color.repeat(8)].concat()
}

#[test]
fn looks_change_by_keys_and_with_their_files() {
    let folder = tempfile::tempdir().unwrap();
    let sky = folder.path().join("sky.hdr");
    std::fs::write(&sky, even([128, 40, 40, 128])).unwrap();
    let sky_flag = format!("--environment={}", sky.display());
    let screen = Screen::start(480, 360);
    let words =
        ["builtin:strip", "--pose", "rest", "--size", "320x240", "--mode=lbs", "--exposure=0.5", &sky_flag];
    let mut window = screen.open(&words);
    let shows = |window: &mut super::screen::Window, more: &[&str], what: &str| {
        window.shows(&headless(&[&words[..], more].concat()), what);
    };
    shows(&mut window, &[], "with its light");
    window.key("shift+l");
    shows(&mut window, &["--overlay=wireframe"], "with edges");
    let line = window.command_line();
    let flags = ["--overlay wireframe", "--exposure=0.5", sky_flag.as_str()];
    assert!(flags.iter().all(|flag| line.contains(flag)), "{line}");
    // Undone like anything else.
    window.key("ctrl+z");
    shows(&mut window, &[], "without edges");
    // Flat is what views of data can be.
    window.key("shift+u");
    assert!(window.command_line().contains(" --flat"));
    for _ in 0..4 {
        window.key("v");
    }
    shows(&mut window, &["--view=weights", "--flat"], "flat weights");
    window.key("shift+u");
    shows(&mut window, &["--view=weights"], "lit weights");
    for _ in 0..4 {
        window.key("shift+v");
    }
    // The file changes, breaks, and is whole again.
    std::fs::write(&sky, even([20, 40, 200, 129])).unwrap();
    shows(&mut window, &[], "in its new light");
    std::fs::write(&sky, b"#?RADIANCE\n").unwrap();
    assert!(window.said("error: ").contains("its header is broken"));
    std::fs::write(&sky, even([10, 120, 10, 129])).unwrap();
    shows(&mut window, &[], "in the light of a whole file");
    assert_eq!(window.close().code, Some(0));
}

/// Positions of the panel's widgets in a window of this size.
const EXPOSURE: [u32; 2] = [673, 230];
const BACKGROUND: [u32; 2] = [628, 251];
const ENVIRONMENT: [u32; 2] = [680, 272];
const CLEAR: [u32; 2] = [620, 272];

#[test]
fn light_and_background_are_set_in_the_panel() {
    let folder = tempfile::tempdir().unwrap();
    let sky = |name: &str, color: [u8; 4]| {
        let path = folder.path().join(name);
        std::fs::write(&path, even(color)).unwrap();
        path
    };
    let (red, blue) = (sky("red.hdr", [128, 40, 40, 128]), sky("blue.hdr", [20, 40, 200, 129]));
    let screen = Screen::start(1000, 720);
    let mut window = screen.open(&[&WIDE[..], &["--panel"]].concat());
    let line = reproduced(&mut window, "at first");
    let flags = ["--exposure", "--background", "--environment"];
    assert!(flags.iter().all(|flag| value(&line, flag).is_none()), "{line}");

    // Dragged to the right by a quarter of the slider's way of eight stops.
    window.drag(EXPOSURE, [EXPOSURE[0] + 30, EXPOSURE[1]]);
    let line = reproduced(&mut window, "brighter");
    let stops: f64 = value(&line, "--exposure").unwrap().parse().unwrap();
    assert!((1.5..2.5).contains(&stops), "{line}");

    // The colours open below their button, from white at the left to blue at the right and black below.
    // The slider's hint lies over it until the mouse is elsewhere.
    window.point_at(BACKGROUND);
    window.settle();
    window.click(BACKGROUND);
    window.settle();
    window.click([800, 421]);
    window.settle();
    // Escape leaves the colours, not the window.
    window.key("Escape");
    let line = reproduced(&mut window, "on another ground");
    let color = value(&line, "--background").unwrap();
    let rgb = u32::from_str_radix(color.trim_start_matches('#'), 16).unwrap().to_be_bytes();
    assert!(rgb[1] < rgb[2] && rgb[2] < rgb[3] && rgb[3] < 200, "{line}");

    window.click(ENVIRONMENT);
    window.type_text(red.to_str().unwrap());
    window.key("Return");
    let line = reproduced(&mut window, "in the light of a typed file");
    assert_eq!(value(&line, "--environment"), red.to_str());
    window.click(CLEAR);
    window.settle();
    let line = window.command_line();
    assert_eq!(value(&line, "--environment"), None);
    // A missing file causes a message, and the line keeps the typed text.
    window.click(ENVIRONMENT);
    window.type_text("nowhere.hdr");
    window.key("Return");
    assert!(window.said("error: ").contains("nowhere.hdr"));
    // Escape leaves it at once.
    window.click(ENVIRONMENT);
    window.type_text("x");
    window.settle();
    window.keys_at_once(&["Escape", "ctrl+c"]);
    window.said("sinew ");
    Drag::over(screen.display(), &window.id(), &[uri(&blue)]).drop();
    let line = reproduced(&mut window, "in the light of a dropped file");
    assert_eq!(value(&line, "--environment"), blue.to_str());
    // All of it by undoing.
    window.xdotool(&["key", "--repeat", "8", "ctrl+z"]);
    let mut line = String::new();
    // On a busy machine a step takes its time.
    let is_undone = (0..10).any(|_| {
        window.settle();
        line = window.command_line();
        flags.iter().all(|flag| value(&line, flag).is_none())
    });
    assert!(is_undone, "{line}");
    assert_eq!(window.close().code, Some(0));
}

/// While a drag goes on, the picture has the quality of motion, and then that of the screenshot, byte for byte.
#[test]
fn the_quality_falls_while_the_view_is_dragged_and_returns() {
    let screen = Screen::start(640, 480);
    let log: [(&str, &std::ffi::OsStr); 1] = [("SINEW_LOG", "sinew=debug".as_ref())];
    for (moving, falls) in [("plain", true), ("same", false)] {
        let words = [&STILL[..], &["--moving-quality", moving]].concat();
        let mut window = screen.open_with(&words, &log);
        window.shows(&still(&["--mode", "lbs"]), "at first");
        let mut drag = vec!["mousemove", "100", "100", "mousedown", "1"];
        for place in [["120", "110"], ["140", "120"], ["160", "130"]] {
            drag.extend(["mousemove", place[0], place[1], "sleep", "0.05"]);
        }
        window.xdotool(&drag);
        if falls {
            window.said("DEBUG the picture falls back to plain");
            window.said("DEBUG the picture returns to full");
            // The button is still held.
            reproduced(&mut window, "the drag stands still");
        } else {
            window.differs_from(&still(&["--mode", "lbs"]));
            window.settle();
        }
        window.xdotool(&["mouseup", "1"]);
        let Run { code, err, .. } = window.close();
        assert_eq!((code, err.contains("falls back")), (Some(0), false), "{err}");
    }
}
