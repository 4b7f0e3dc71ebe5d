//! Tests what helps in the first minute: the hint, the list of keys, the palette, the line below the picture, a panel that
//! remembers, and long loads that can be left.

use std::fmt::Write;

use super::common::Run;
use super::hands::{WIDE, reproduced, size, words};
use super::screen::{Screen, state_file};
use super::{STILL, headless, still};
use sinew::image::Image;

/// The hint goes with the first key and does not come back, in no later window either.
#[test]
fn a_hint_is_shown_until_the_first_key() {
    let screen = Screen::start(640, 480);
    let plain = still(&["--mode", "lbs"]);
    for action in ["key", "drag"] {
        let _ = std::fs::remove_file(state_file());
        let mut window = screen.open_as_it_is(&STILL, "1");
        assert_ne!(window.picture(320, 240).rgba, plain.rgba, "there is a hint");
        // Pointing alone leaves it.
        window.point_at([30, 30]);
        assert_ne!(window.picture(320, 240).rgba, plain.rgba, "there is still a hint");
        match action {
            "key" => {
                window.key("Right");
                window.shows(&plain, "the hint is gone");
            }
            _ => {
                window.drag([30, 30], [60, 30]);
                let line = reproduced(&mut window, "the hint is gone");
                assert!(line.contains("--camera="), "{line}");
            }
        }
        assert_eq!(window.close().code, Some(0));
        assert!(std::fs::read_to_string(state_file()).unwrap().contains(r#""has_seen_hint": true"#));
    }
    let mut window = screen.open_as_it_is(&STILL, "1");
    window.shows(&plain, "no hint any more");
    // Other text in its file is harmless.
    std::fs::write(state_file(), [0xff, 0, b'\n', b'h']).unwrap();
    window.key("ctrl+q");
    assert_eq!(window.wait().code, Some(0));
}

#[test]
fn keys_are_listed_searched_and_found_by_name() {
    let screen = Screen::start(640, 480);
    let mut window = screen.open(&STILL);
    let plain = still(&["--mode", "lbs"]);
    window.shows(&plain, "at first");
    for key in ["question", "F1"] {
        window.key(key);
        window.differs_from(&plain);
        let all = window.picture(320, 240);
        // What is typed searches, and does nothing else.
        window.type_text("grid");
        window.differs_from(&all);
        window.key("Escape");
        window.shows(&plain, "closed");
    }
    window.key("question");
    window.differs_from(&plain);
    window.key("question");
    window.shows(&plain, "closed by its own key");
    // The palette.
    window.key("ctrl+k");
    window.differs_from(&plain);
    window.type_text("names joint");
    window.key("Return");
    window.shows(&still(&["--mode", "lbs", "--overlay", "names"]), "joint names");
    window.key("n");
    window.key("ctrl+k");
    window.type_text("view: normals");
    window.key("Return");
    window.shows(&still(&["--mode", "lbs", "--view", "normals"]), "a view by its name");
    window.key("ctrl+k");
    window.type_text("previous view");
    window.key("Return");
    window.shows(&plain, "back");
    for (fault, more) in [("transposed", &["--inject", "transposed"][..]), ("fault: none", &[])] {
        window.key("ctrl+k");
        window.type_text(fault);
        window.key("Return");
        window.shows(&still(&[&["--mode", "lbs"], more].concat()), fault);
    }
    window.key("ctrl+k");
    window.type_text("k");
    window.key("Escape");
    window.shows(&plain, "closed, and nothing was chosen");
    window.key("ctrl+k");
    window.key("ctrl+k");
    window.shows(&plain, "opened and closed by its key");
    assert_eq!(window.close().code, Some(0));
}

/// Wide enough for a long line.
const LONG: [&str; 7] = [
    "builtin:bend",
    "--time=0.8",
    "--size=600x240",
    "--mode=lbs",
    "--quality=plain",
    "--camera=front",
    "--paused",
];

/// The line says what changes, below the picture, which keeps its size; without the line the picture has its room.
#[test]
fn a_line_below_the_picture_says_what_is_shown() {
    let screen = Screen::start(640, 480);
    let mut window = screen.open(&LONG);
    window.shows(&headless(&LONG[..6]), "at first");
    let mut said = Vec::new();
    window.says_anew([240, 262], 600, &mut said, "the file");
    // Mode, time, view, joint, and that it is edited.
    for key in ["3", "period", "v", "Down", "F7"] {
        window.key(key);
        window.says_anew([240, 262], 600, &mut said, key);
    }
    window.key("shift+I");
    let line = reproduced(&mut window, "without the line");
    assert_eq!(size(&line), [600, 262]);
    window.key("shift+I");
    assert_eq!(size(&reproduced(&mut window, "with the line")), [600, 240]);
    assert_eq!(window.close_without_saving().code, Some(0));
    let window = screen.open(&[&LONG[..], &["--no-status"]].concat());
    let line = window.command_line();
    assert_eq!(size(&line), [600, 240]);
    assert_eq!(window.close().code, Some(0));
}

/// The panel has the width that it was given before, and in a narrow window it waits behind a button.
#[test]
fn a_panel_remembers_and_makes_way() {
    let screen = Screen::start(1000, 720);
    let open = [&WIDE[..], &["--panel"]].concat();
    let mut window = screen.open(&open);
    let narrow = size(&reproduced(&mut window, "at first"));
    window.drag([900 - 300, 300], [900 - 380, 300]);
    // A cursor that has changed its shape is part of what the screen stores.
    window.point_at([980, 700]);
    let wide = size(&reproduced(&mut window, "with a wider panel"));
    assert!((75..85).contains(&(narrow[0] - wide[0])), "{narrow:?} {wide:?}");
    assert_eq!(window.close().code, Some(0));
    let mut window = screen.open(&open);
    assert_eq!(size(&reproduced(&mut window, "in the next window")), wide);
    window.resize("640", "480", true);
    let beside = reproduced(&mut window, "in a narrow window");
    assert_eq!(size(&beside)[0], 640 - 24);
    let picture = headless(&words(&beside));
    window.click([640 - 12, 30]);
    window.differs_from(&picture);
    assert_eq!(window.command_line(), beside, "it lies over the picture");
    window.key("Escape");
    window.shows(&picture, "the panel is gone");
    assert_eq!(window.close().code, Some(0));
}

/// While a long file is read, the window shows how far it is; Escape leaves it, and the old one stays.
#[test]
fn a_long_read_is_shown_and_left() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("large.obj");
    let mut text = String::new();
    let side = 1200;
    for number in 0..side * side {
        let (x, y) = (number % side, number / side);
        writeln!(text, "v {x}.25 {y}.5 {}.125", x * y % 7).unwrap();
    }
    for number in 1..side * (side - 1) {
        writeln!(text, "f {number} {} {}", number + 1, number + side).unwrap();
    }
    std::fs::write(&file, text).unwrap();
    std::fs::create_dir_all(state_file().parent().unwrap()).unwrap();
    let state = serde_json::json!({"recent": [file], "window": {"has_seen_hint": true}});
    std::fs::write(state_file(), state.to_string()).unwrap();
    let screen = Screen::start(640, 480);
    let mut window = screen.open(&STILL);
    let plain = still(&["--mode", "lbs"]);
    window.shows(&plain, "at first");
    // Enter alone chooses the file before.
    window.key("ctrl+o");
    window.differs_from(&plain);
    window.key("Return");
    let bar = |image: &Image| image.rgba.chunks(4).any(|rgba| rgba[..3] == [250, 180, 40]);
    window.shows_what([320, 240], "how far it is", bar);
    // The window stays responsive.
    window.key("3");
    window.key("Escape");
    window.shows(&still(&["--mode", "dqs"]), "the old file, in the new mode");
    assert!(window.command_line().contains("builtin:bend"));
    let Run { code, err, .. } = window.close();
    assert_eq!((code, err.contains("error")), (Some(0), false), "{err}");
}
