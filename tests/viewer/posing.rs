//! Poses joints by hand in the window: every handle, numbers, steps, pins, mirroring, copying, and undoing all of it.

use super::hands::{reproduced, value};
use super::screen::{Screen, Window};

/// Large enough for the panel, with the joint's handles in the middle of the picture.
const WORDS: [&str; 12] = [
    "builtin:bend",
    "--pose",
    "rest",
    "--paused",
    "--size",
    "900x640",
    "--camera=front",
    "--mode=lbs",
    "--panel",
    "--choose",
    "upper",
    "--no-legend",
];

/// The numbers of a flag for a joint in a command line.
fn numbers(line: &str, flag: &str) -> Option<Vec<f64>> {
    let (_, numbers) = value(line, flag)?.rsplit_once('=')?;
    Some(numbers.split(',').map(|number| number.parse().unwrap()).collect())
}

/// The command line, once the window has done all that it was told.
fn line_of(window: &Window) -> String {
    window.settle();
    window.command_line()
}

/// The middle of the chosen joint's rings, found by the blue one around z, which faces us.
fn middle(window: &mut Window, size: (u32, u32)) -> [u32; 2] {
    let is_blue = |rgba: &[u8]| rgba[2] > 200 && rgba[0] < 110 && rgba[1] < 160;
    window.shows_what([size.0, size.1], "the rings", |picture| {
        picture.rgba.chunks(4).filter(|rgba| is_blue(rgba)).count() > 100
    });
    let picture = window.picture(size.0, size.1);
    let blue = (0..).zip(picture.rgba.chunks(4)).filter(|(_, rgba)| is_blue(rgba)).map(|(at, _)| at);
    let places: Vec<[u32; 2]> = blue.map(|at: u32| [at % picture.width, at / picture.width]).collect();
    let bound = |side: usize| {
        let sides = places.iter().map(|place| place[side]);
        (sides.clone().min().unwrap() + sides.max().unwrap()) / 2
    };
    [bound(0), bound(1)]
}

#[test]
fn joints_are_turned_moved_scaled_and_undone() {
    let screen = Screen::start(1000, 720);
    let mut window = screen.open(&WORDS);
    window.settle();
    let [x, y] = middle(&mut window, (900, 640));
    // Where only the ring that faces us is, and the tip of the arrow along x.
    let (ring, right) = ([x + 49, y - 49], [x + 70, y]);

    // A quarter turn of the ring that faces us; Ctrl makes 15 degrees of nearly as many.
    window.xdotool(&["keydown", "ctrl"]);
    window.drag(ring, [x, y - 70]);
    window.xdotool(&["keyup", "ctrl"]);
    let line = line_of(&window);
    let turned = numbers(&line, "--joint").unwrap();
    let degrees = 2.0 * turned[2].atan2(turned[3]).to_degrees();
    let steps = degrees / 15.0;
    assert!((steps - steps.round()).abs() < 1e-9 && (2.0..=4.0).contains(&steps.round()), "{line}");
    assert!(turned[0].abs() < 1e-12, "{line}");
    window.key("ctrl+z");
    assert_eq!(value(&line_of(&window), "--joint"), None);

    // A number typed while the button is held counts instead of the drag; the sign comes at any time.
    window.press(ring, [x, y - 70]);
    for key in ["4", "0", "minus"] {
        window.key(key);
    }
    window.let_go();
    let line = line_of(&window);
    let turned = numbers(&line, "--joint").unwrap();
    assert!((2.0 * turned[2].atan2(turned[3]).to_degrees() + 40.0).abs() < 1e-9, "{line}");

    // Escape leaves a drag.
    window.press(ring, [x, y - 70]);
    window.key("Escape");
    window.let_go();
    assert_eq!(window.command_line(), line);
    window.key("F8");
    assert_eq!(value(&line_of(&window), "--joint"), None);

    // Arrows move, here along the world's x.
    for key in ["y", "shift+y", "shift+y"] {
        window.key(key);
    }
    window.settle();
    window.drag(right, [right[0] + 20, right[1] + 30]);
    let line = line_of(&window);
    let moved = numbers(&line, "--joint-move").unwrap();
    assert!(moved[0] > 0.05 && (moved[1] - 1.0).abs() < 1e-9 && moved[2].abs() < 1e-9, "{line}");
    window.key("ctrl+z");

    // Boxes scale; the joint's own y is up.
    window.key("y");
    window.settle();
    window.drag([x, y - 70], [x, y - 105]);
    let line = line_of(&window);
    let scaled = numbers(&line, "--joint-scale").unwrap();
    assert!((scaled[1] - 1.5).abs() < 0.05 && scaled[0] == 1.0 && scaled[2] == 1.0, "{line}");
    assert_eq!(value(&line, "--joint-move"), None);
    // Without the panel there are no handles, and the picture is the command line's.
    window.key("i");
    assert_eq!(numbers(&reproduced(&mut window, "all of it"), "--joint-scale"), Some(scaled));
    assert_eq!(window.close_without_saving().code, Some(0));
}

#[test]
fn a_hand_is_reached_with_pinned_mirrored_and_copied() {
    let screen = Screen::start(1000, 720);
    let words = [
        "--pose",
        "rest",
        "--paused",
        "--size",
        "900x640",
        "--camera=front",
        "--mode=lbs",
        "--panel",
        "--choose",
        "hand.L",
    ];
    let mut window = screen.open(&words);
    window.settle();
    let [x, y] = middle(&mut window, (900, 640));
    for _ in 0..3 {
        window.key("y");
    }
    window.settle();
    window.drag([x, y], [x - 30, y - 60]);
    let line = line_of(&window);
    let edited = |line: &str| {
        let joints = line.split(' ').filter_map(|word| word.strip_prefix("--joint=")?.split('=').next());
        joints.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(edited(&line), ["upper_arm.L", "forearm.L"], "{line}");
    let first = numbers(&line, "--joint").unwrap();

    // Pinned, it has a green square.
    let is_pin = |rgba: &[u8]| rgba[1] > 200 && rgba[0] < 150 && rgba[2] < 170;
    window.key("shift+p");
    window.shows_what([900, 640], "the pin", |picture| {
        picture.rgba.chunks(4).filter(|rgba| is_pin(rgba)).count() > 20
    });
    window.key("ctrl+z");
    window.shows_what([900, 640], "no pin", |picture| !picture.rgba.chunks(4).any(is_pin));

    // Without a joint chosen, left and right are exchanged; twice is as before.
    window.key("Escape");
    window.key("shift+m");
    let mirrored = line_of(&window);
    assert!(edited(&mirrored).contains(&"forearm.R".to_owned()), "{mirrored}");
    let off = |line: &str| {
        let pairs = first.iter().zip(numbers(line, "--joint").unwrap());
        pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    assert!(off(&mirrored) > 1e-3, "{mirrored}");
    window.key("shift+m");
    let line = line_of(&window);
    assert!(off(&line) < 1e-6, "{line}");

    // The pose goes through the clipboard as text.
    window.key("ctrl+shift+c");
    window.settle();
    let text = window.clipboard();
    assert!(text.starts_with("{\n  \"sinew-pose\": 2") && text.contains("forearm.R"), "{text}");
    window.key("shift+F8");
    assert!(edited(&line_of(&window)).is_empty());
    window.copied(&text);
    window.key("ctrl+v");
    window.settle();
    assert_eq!(window.command_line(), line);
    // Text that is not a pose causes a message, and changes nothing.
    window.copied("hello");
    window.key("ctrl+v");
    window.settle();
    assert_eq!(window.command_line(), line);
    assert_eq!(window.close_without_saving().code, Some(0));
}
