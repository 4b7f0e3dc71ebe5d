//! Tests that nothing made by hand is lost: undo, questions before edits go, and what is kept of a window that ends early.

use super::common::{Run, run, sinew};
use super::screen::{Screen, Window};
use super::{STILL, headless, still};

/// The rotation of the joint that [`turn`] turns, in the window's command line.
fn joint(window: &Window) -> Option<String> {
    let line = window.command_line();
    line.split(' ').find_map(|word| word.strip_prefix("--joint=")).map(str::to_owned)
}

/// Turns the second joint.
fn turn(window: &Window) {
    for key in ["Down", "Down", "F7", "F7"] {
        window.key(key);
    }
    window.settle();
}

#[test]
fn hands_are_undone_and_done_again() {
    let screen = Screen::start(640, 480);
    let mut window = screen.open(&STILL);
    let plain = still(&["--mode", "lbs"]);
    window.shows(&plain, "at first");
    turn(&window);
    window.key("3");
    let turned = joint(&window).unwrap();
    window.key("ctrl+z");
    window.key("ctrl+z");
    let once = joint(&window).unwrap();
    assert_ne!(once, turned);
    window.key("ctrl+z");
    window.shows(&plain, "undone");
    assert_eq!(joint(&window), None);
    // The message that nothing is left goes away again.
    window.key("ctrl+z");
    window.differs_from(&plain);
    window.shows(&plain, "nothing to undo");
    for _ in 0..3 {
        window.key("ctrl+shift+z");
    }
    assert_eq!(joint(&window).as_deref(), Some(turned.as_str()));
    let line = window.command_line();
    let words: Vec<&str> = line.split(' ').skip(1).collect();
    window.shows(&headless(&words), "done again");
    // A command line that was copied goes with the window, so the pose is still in no file.
    assert_eq!(window.close_without_saving().code, Some(0));
}

#[test]
fn a_drag_is_left_by_escape() {
    let screen = Screen::start(640, 480);
    let mut window = screen.open(&STILL);
    let plain = still(&["--mode", "lbs"]);
    window.shows(&plain, "at first");
    window.xdotool(&["mousemove", "100", "100", "mousedown", "1", "mousemove", "180", "130"]);
    window.differs_from(&plain);
    window.key("Escape");
    window.shows(&plain, "left");
    window.xdotool(&["mousemove", "50", "60", "mouseup", "1"]);
    window.shows(&plain, "let go");
    assert_eq!(window.close().code, Some(0));
}

/// Escape with nothing to leave says which key closes the window, and closes nothing.
#[test]
fn escape_never_closes_the_window() {
    let screen = Screen::start(640, 480);
    let mut window = screen.open(&STILL);
    let plain = still(&["--mode", "lbs"]);
    window.shows(&plain, "at first");
    window.key("Escape");
    window.differs_from(&plain);
    window.key("Escape");
    window.shows(&plain, "the hint is gone");
    window.assert_alive("after Escape");
    window.key("ctrl+q");
    assert_eq!(window.wait().code, Some(0));
}

#[test]
fn edits_do_not_go_with_the_window_unasked() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run(sinew(["builtins", "--write"]).arg(folder.path())).code, Some(0));
    let file = folder.path().join("bend.glb").to_str().unwrap().to_owned();
    let words = [&[file.as_str()][..], &STILL[1..]].concat();
    let poses = || {
        let files = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        files.filter(|name| name.to_string_lossy().contains("-pose-")).count()
    };
    let screen = Screen::start(640, 480);
    let mut window = screen.open(&words);
    window.shows(&still(&["--mode", "lbs"]), "at first");
    turn(&window);
    let turned = window.picture(320, 240);
    // Escape clears the chosen joint; closing asks, and Escape goes back.
    window.key("Escape");
    window.shows(&turned, "nothing is chosen");
    // A picture is no file of the pose.
    window.key("ctrl+s");
    window.differs_from(&turned);
    window.shows(&turned, "the picture is written");
    assert!(folder.path().join("bend-001.png").is_file());
    window.key("ctrl+q");
    window.differs_from(&turned);
    window.key("Escape");
    window.shows(&turned, "back");
    window.key("ctrl+q");
    window.differs_from(&turned);
    window.key("Return");
    let Run { code, err, .. } = window.wait();
    assert_eq!((code, poses()), (Some(0), 1), "{err}");
    assert!(err.contains("wrote ") && err.contains("bend-pose-001.json"), "{err}");
    // What is saved is not asked about, and not kept elsewhere.
    let window = screen.open(&words);
    window.settle();
    turn(&window);
    window.key("ctrl+p");
    window.said("wrote ");
    let Run { code, err, .. } = window.close();
    assert_eq!((code, poses()), (Some(0), 2), "{err}");
    // The user need not save.
    let window = screen.open(&words);
    window.settle();
    turn(&window);
    let Run { code, err, .. } = window.close_without_saving();
    assert_eq!((code, err.as_str(), poses()), (Some(0), "", 2));
    let mut window = screen.open(&words);
    window.shows(&still(&["--mode", "lbs"]), "nothing is offered");
    assert_eq!(window.close().code, Some(0));
}

#[test]
fn another_file_is_shown_only_after_a_question() {
    let screen = Screen::start(640, 480);
    let window = screen.open(&["builtin:strip", "--size", "200x150"]);
    assert_eq!(window.close().code, Some(0));
    let mut window = screen.open(&STILL);
    window.shows(&still(&["--mode", "lbs"]), "at first");
    turn(&window);
    let turned = window.picture(320, 240);
    window.key("ctrl+o");
    window.differs_from(&turned);
    let chooser = window.picture(320, 240);
    window.key("Return");
    window.differs_from(&chooser);
    window.key("Escape");
    window.shows(&turned, "back");
    window.key("ctrl+o");
    window.shows(&chooser, "once more");
    window.key("Return");
    window.differs_from(&chooser);
    window.key("n");
    window.shows(&headless(&["builtin:strip", "--size", "320x240", "--mode", "lbs"]), "the other file");
    assert_eq!(window.close().code, Some(0));
}

/// A frame may take long, and users do not wait for it.
#[test]
fn keys_right_after_escape_are_not_for_what_it_closes() {
    let screen = Screen::start(640, 480);
    let mut window = screen.open(&STILL);
    window.shows(&still(&["--mode", "lbs"]), "at first");
    let plain = window.picture(320, 240);
    for opens in ["ctrl+o", "ctrl+k", "question"] {
        window.key(opens);
        window.differs_from(&plain);
        window.settle();
        window.keys_at_once(&["Escape", "3", "ctrl+c"]);
        assert!(window.said("sinew ").contains("--mode dqs"), "{opens}");
        window.keys_at_once(&["1", "2"]);
        window.shows(&plain, opens);
    }
    assert_eq!(window.close().code, Some(0));
}

/// Widgets that take the keys, such as a text field, leave the shortcut that closes the window to the window.
#[test]
fn a_window_closes_while_somebody_types() {
    let screen = Screen::start(640, 480);
    for opens in ["ctrl+o", "ctrl+k", "question"] {
        let mut window = screen.open(&STILL);
        window.shows(&still(&["--mode", "lbs"]), "at first");
        turn(&window);
        let turned = window.picture(320, 240);
        window.key(opens);
        window.differs_from(&turned);
        window.xdotool(&["type", "q"]);
        window.settle();
        // It asks about the edit above what is open.
        assert_eq!(window.close_without_saving().code, Some(0), "{opens}");
    }
}

/// A window that is killed leaves its edits to the next one with the file. One that ends on a signal prints their path.
#[test]
fn edits_outlive_a_window_that_ends_early() {
    let screen = Screen::start(640, 480);
    for signal in ["-KILL", "-TERM"] {
        let mut window = screen.open(&STILL);
        window.shows(&still(&["--mode", "lbs"]), "at first");
        turn(&window);
        let turned = window.picture(320, 240);
        std::thread::sleep(std::time::Duration::from_millis(1200));
        let Run { err, .. } = window.end_by(signal);
        assert_eq!(err.contains("the edited pose is kept as"), signal == "-TERM", "{err}");
        let window = screen.open(&STILL);
        window.settle();
        window.key("Escape");
        // A dismissed offer comes again.
        assert_eq!(window.close().code, Some(0));
        let mut window = screen.open(&STILL);
        window.settle();
        window.key("Return");
        window.shows(&turned, "taken back");
        // They are as unsaved as before, until they are thrown away.
        let Run { code, .. } = window.close_without_saving();
        assert_eq!(code, Some(0));
        let mut window = screen.open(&STILL);
        window.shows(&still(&["--mode", "lbs"]), "nothing is left");
        assert_eq!(window.close().code, Some(0));
    }
}

/// A display that goes away is one line, and the edits are kept: the server ends, the window's client is cut off, or
/// another program destroys the window.
#[test]
fn edits_outlive_the_display() {
    for how in ["server", "windowkill", "windowclose"] {
        let screen = Screen::start(640, 480);
        let mut window = screen.open(&STILL);
        let plain = still(&["--mode", "lbs"]);
        window.shows(&plain, "at first");
        turn(&window);
        window.differs_from(&plain);
        std::thread::sleep(std::time::Duration::from_millis(1200));
        // While it plays it is in the middle of anything.
        window.key("p");
        let start = std::time::Instant::now();
        match how {
            "server" => screen.kill(),
            _ => drop(window.xdotool(&[how, &window.id()])),
        }
        let Run { code, err, .. } = window.wait();
        assert!(start.elapsed() < std::time::Duration::from_secs(10), "{how}: {:?}", start.elapsed());
        assert!(code == Some(4) && err.lines().count() == 1, "{how}: {code:?} {err}");
        let (cause, kept) =
            err.split_once("; the edited pose is kept as ").unwrap_or_else(|| panic!("{how}: {err}"));
        assert!(cause.starts_with("error: "), "{how}: {err}");
        assert!(std::path::Path::new(kept).is_file(), "{how}: {kept}");
        std::fs::remove_file(kept).unwrap();
    }
}
