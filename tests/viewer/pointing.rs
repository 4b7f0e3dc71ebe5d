//! Tests that what is seen can be clicked: joints, bones and names in the picture, and the lists of the panel.

use super::hands::{WIDE, reproduced, value};
use super::headless;
use super::screen::{Screen, Window};
use sinew::image::Image;

/// A rod with two joints: `lower` at (148, 266) and `upper` at (150, 150), the bone between them, and nothing else below
/// the cursor where it is right of them.
const BONES: [&str; 8] = [
    "builtin:bend",
    "--time=0.8",
    "--size=400x300",
    "--camera=front",
    "--mode=lbs",
    "--quality=plain",
    "--overlay=skeleton",
    "--paused",
];

const UPPER: [u32; 2] = [150, 150];
const BONE: [u32; 2] = [149, 210];
/// Right of the dot, within the name beside it.
const NAME: [u32; 2] = [175, 150];
const NOWHERE: [u32; 2] = [330, 250];
/// Outside of the window: a cursor that has changed its shape is part of what the screen stores.
const AWAY: [u32; 2] = [600, 450];

/// The name of the chosen joint: of the one that a key turns.
fn chosen(window: &Window) -> Option<String> {
    window.key("F7");
    let line = window.command_line();
    window.key("shift+F8");
    Some(value(&line, "--joint")?.split('=').next()?.to_owned())
}

#[test]
fn joints_are_chosen_where_they_are_seen() {
    let screen = Screen::start(640, 480);
    let mut window = screen.open(&BONES);
    let plain = headless(&BONES[..7]);
    window.shows(&plain, "at first");
    // The part under the cursor is marked before the click, and only as long as the cursor is on it.
    for place in [UPPER, BONE] {
        window.point_at(place);
        window.differs_from(&plain);
        window.point_at(AWAY);
        window.shows(&plain, "nothing is marked");
    }
    window.click(NOWHERE);
    assert_eq!(chosen(&window), None);
    window.click(UPPER);
    assert_eq!(chosen(&window).as_deref(), Some("upper"));
    // A bone belongs to the joint that moves it.
    window.click(BONE);
    assert_eq!(chosen(&window).as_deref(), Some("lower"));
    window.key("Escape");
    assert_eq!(chosen(&window), None);
    // Its name counts where the names are shown.
    window.click(NAME);
    assert_eq!(chosen(&window), None);
    window.key("n");
    window.settle();
    window.click(NAME);
    assert_eq!(chosen(&window).as_deref(), Some("upper"));
    window.key("n");
    // A double click frames as the key does.
    let camera = |window: &Window| {
        let line = window.command_line();
        [value(&line, "--camera"), value(&line, "--target")].map(|value| value.unwrap().to_owned())
    };
    window.key("f");
    let framed = camera(&window);
    window.key("shift+F");
    window.key("Escape");
    window.settle();
    window.point_at(UPPER);
    window.xdotool(&["click", "1", "click", "1"]);
    assert_eq!(camera(&window), framed);
    window.point_at(AWAY);
    window.key("Escape");
    reproduced(&mut window, "framed");
    assert_eq!(window.close().code, Some(0));
}

/// Positions of a joint in the panel's tree, the heading above the pinned vertex, and its joints, in a window of this size.
const IN_TREE: [u32; 2] = [640, 388];
const HEADING: [u32; 2] = [640, 297];
const IN_LIST: [([u32; 2], &str); 2] = [([630, 339], "upper"), ([630, 360], "lower")];

#[test]
fn joints_are_chosen_in_the_lists_of_the_panel() {
    let screen = Screen::start(1000, 720);
    let mut window = screen.open(&[&WIDE[..], &["--panel"]].concat());
    reproduced(&mut window, "at first");
    window.click(IN_TREE);
    window.settle();
    assert_eq!(chosen(&window).as_deref(), Some("upper"));
    assert_eq!(window.close().code, Some(0));

    let window = screen.open(&[&WIDE[..], &["--panel", "--vertex", "0:0:4730"]].concat());
    window.settle();
    for (place, name) in IN_LIST {
        window.click(place);
        window.settle();
        assert_eq!(chosen(&window).as_deref(), Some(name));
    }
    // Another click leaves it.
    window.click(IN_LIST[1].0);
    window.settle();
    assert_eq!(chosen(&window), None);
    // A click that comes together with the movement to its place, as a tap does, is for the panel alone: it folds the list,
    // and the vertex stays pinned.
    let dots = |image: &Image| image.rgba.chunks(4).filter(|rgba| rgba[..3] == [60, 200, 220]).count();
    window.point_at([300, 60]);
    let before = window.picture(900, 550);
    window.click(HEADING);
    let after = window.picture(900, 550);
    assert!(dots(&before) > 20 && dots(&after) > 20, "{} {}", dots(&before), dots(&after));
    assert_ne!(before.rgba, after.rgba);
    assert_eq!(window.close().code, Some(0));
}
