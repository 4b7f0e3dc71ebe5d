//! Tests the window's panel, timeline and gizmo with keys and mouse: the command line and the picture must both show
//! the result.

use std::time::Duration;

use super::common::{Run, run, run_well, sinew};
use super::screen::{Screen, Window};
use super::{STILL, above, count_differing, framed_by_clip, headless, still};
use sinew::image::{Image, read_png};

/// Large enough for the panel.
pub const WIDE: [&str; 8] =
    ["builtin:bend", "--time", "0.8", "--paused", "--size", "900x640", "--camera=front", "--mode=lbs"];

pub fn words(line: &str) -> Vec<&str> {
    line.split(' ').skip(1).collect()
}

/// The value of a flag in a command line.
pub fn value<'a>(line: &'a str, flag: &str) -> Option<&'a str> {
    let words = words(line);
    let separate = words.iter().position(|word| *word == flag).and_then(|at| words.get(at + 1)).copied();
    separate.or_else(|| words.iter().find_map(|word| word.strip_prefix(flag)?.strip_prefix('=')))
}

pub fn size(line: &str) -> [u32; 2] {
    let (width, height) = value(line, "--size").unwrap().split_once('x').unwrap();
    [width.parse().unwrap(), height.parse().unwrap()]
}

/// Copies the window's command line, and checks that it makes the picture in the window. Returns it without the quotes that
/// a shell would remove: no word of these tests has a space.
pub fn reproduced(window: &mut Window, what: &str) -> String {
    window.settle();
    let line_of = |window: &Window<'_>| window.command_line().replace('\'', "");
    let mut line = line_of(window);
    let mut lines = Vec::new();
    for _ in 0..10 {
        let expected = headless(&words(&line));
        if window.comes_to_show(&expected, what, Duration::from_secs(5)).is_ok() {
            return line;
        }
        // A busy machine may read a file after its window seemed to be settled: the line is that of the moment before.
        let now = line_of(window);
        if now == line {
            window.shows(&expected, what);
            return line;
        }
        lines.push(std::mem::replace(&mut line, now));
    }
    panic!("{what}: the command line keeps changing: {lines:#?}")
}

/// A joint's rotation in a command line.
fn rotation(line: &str) -> Option<[f64; 4]> {
    let (_, numbers) = value(line, "--joint")?.rsplit_once('=')?;
    let numbers: Vec<f64> = numbers.split(',').map(|number| number.parse().unwrap()).collect();
    numbers.try_into().ok()
}

/// A picture of a window, drawn without one.
fn window_picture(words: &[&str]) -> Image {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("window.png");
    let words: Vec<&str> = words.iter().copied().filter(|word| *word != "--paused").collect();
    run_well(sinew(&words).args(framed_by_clip(&words)).arg("--panel").arg("--screenshot").arg(&path));
    read_png(&path).unwrap()
}

/// The figure has the same bits, so only the words tell the processors apart.
#[test]
fn the_line_below_the_picture_says_where_it_was_skinned() {
    let line = |skin: &str| {
        let words = ["builtin:bend", "--pose", "rest", "--size", "1000x600", "--skin", skin];
        let Image { width, rgba, .. } = window_picture(&words);
        rgba[rgba.len() - width as usize * 4 * 20..].to_vec()
    };
    let [auto, on_gpu, on_cpu] = ["auto", "gpu", "cpu"].map(line);
    assert!(auto != on_gpu && on_gpu != on_cpu);
}

#[test]
fn a_panel_makes_room_and_changes_nothing() {
    let screen = Screen::start(1000, 720);
    let mut window = screen.open(&WIDE);
    let all = reproduced(&mut window, "alone");
    assert_eq!(size(&all), [900, 640]);
    window.key("i");
    let beside = reproduced(&mut window, "beside the panel");
    assert_eq!(window.clipboard(), beside);
    let [width, height] = size(&beside);
    assert!((500..700).contains(&width) && (500..600).contains(&height), "{width}x{height}");
    // An idle window lays nothing out, once the panel has faded in, which takes a busy machine a while.
    let mut spent = Vec::new();
    let is_idle = (0..40).any(|_| {
        let before = window.processor_millis();
        std::thread::sleep(Duration::from_millis(1500));
        spent.push(window.processor_millis() - before);
        spent.last().is_some_and(|millis| *millis <= 30)
    });
    assert!(is_idle, "{spent:?} ms of the processor's time in 1500 ms each");
    window.key("i");
    assert_eq!(size(&reproduced(&mut window, "alone again")), [900, 640]);
    let Run { code, err, .. } = window.close();
    assert_eq!((code, err.lines().filter(|line| !line.starts_with("sinew ")).count()), (Some(0), 0), "{err}");
}

/// With two pixels per point the panel is twice as wide, but the picture keeps single pixels.
#[test]
fn a_panel_is_as_large_as_the_screen_has_it() {
    let screen = Screen::start(1500, 900);
    let words = ["builtin:bend", "--pose", "rest", "--panel", "--size", "1440x800"];
    let mut window = screen.open(&words);
    let [narrow, low] = size(&reproduced(&mut window, "at scale 1"));
    assert_eq!(window.close().code, Some(0));
    let mut window = screen.open_at_scale(&words, "2");
    let [width, height] = size(&reproduced(&mut window, "at scale 2"));
    assert!((1440 - width).abs_diff((1440 - narrow) * 2) <= 4, "{narrow} {width}");
    assert!((800 - height).abs_diff((800 - low) * 2) <= 4, "{low} {height}");
    assert_eq!(window.close().code, Some(0));
}

#[test]
fn joints_are_turned_by_keys_and_poses_saved() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run(sinew(["builtins", "--write"]).arg(folder.path())).code, Some(0));
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let file = path("bend.glb");
    let screen = Screen::start(640, 480);
    let mut window = screen.open(&[&[file.as_str()][..], &STILL[1..]].concat());
    for key in ["Down", "Down", "F7", "F7", "shift+F6"] {
        window.key(key);
    }
    let line = reproduced(&mut window, "turned by keys");
    assert!(value(&line, "--joint").unwrap().starts_with("upper="), "{line}");
    window.key("ctrl+p");
    assert!(window.said("wrote ").ends_with("bend-pose-001.json"));
    // The file holds all of it, clip and time included.
    let from_file: Vec<&str> = words(&line)
        .into_iter()
        .filter(|word| !["--joint", "--clip", "--time"].iter().any(|flag| word.starts_with(flag)))
        .filter(|word| !["0", "0.8"].contains(word))
        .collect();
    let pose = path("bend-pose-001.json");
    window.shows(&headless(&[&from_file[..], &["--pose", &pose]].concat()), "the saved pose");
    window.key("shift+F8");
    assert_eq!(value(&reproduced(&mut window, "let go"), "--joint"), None);
    assert_eq!(window.close().code, Some(0));
}

/// Dragging the ring that faces the camera turns the joint along with the cursor.
#[test]
fn a_ring_is_pulled() {
    let words = [&WIDE[..], &["--choose", "upper", "--panel"]].concat();
    let picture = window_picture(&words[..words.len() - 1]);
    // The ring around z is blue, and nothing else is as blue.
    let is_blue = |rgba: &[u8]| rgba[2] > 200 && rgba[0] < 110 && rgba[1] < 160;
    let blue: Vec<usize> =
        (0..).zip(picture.rgba.chunks(4)).filter(|(_, rgba)| is_blue(rgba)).map(|(at, _)| at).collect();
    let right = blue.iter().max_by_key(|at| *at % picture.width as usize).unwrap();
    let place = [right % picture.width as usize, right / picture.width as usize].map(|at| at as u32);
    let place = [place[0] - 1, place[1]];
    let screen = Screen::start(1000, 720);
    let mut window = screen.open(&words);
    let at = place[1] as usize * 900 + place[0] as usize;
    window.shows_what([900, 640], "the ring", |picture| picture.rgba.chunks(4).nth(at).is_some_and(is_blue));
    window.settle();
    // Up by half of the ring's 70 pixels: 27 degrees counter-clockwise.
    window.drag(place, [place[0], place[1] - 35]);
    let line = window.command_line();
    let [x, y, z, w] = rotation(&line).unwrap();
    // It started at −72 degrees.
    let degrees = 2.0 * z.atan2(w).to_degrees();
    assert!(x.abs() < 1e-9 && y.abs() < 1e-9 && (degrees + 45.0).abs() < 4.0, "{line}");
    // Without the panel there are no rings.
    window.key("i");
    assert_eq!(rotation(&reproduced(&mut window, "pulled")), rotation(&line));
    assert_eq!(window.close_without_saving().code, Some(0));
}

#[test]
fn the_timeline_is_scrubbed() {
    let screen = Screen::start(1000, 720);
    let words = [&WIDE[..], &["--panel"]].concat();
    let mut window = screen.open(&words);
    reproduced(&mut window, "at first");
    window.drag([100, 598], [450, 598]);
    let line = reproduced(&mut window, "scrubbed");
    let time: f64 = value(&line, "--time").unwrap().parse().unwrap();
    assert!((time - 1.0).abs() < 0.01, "the middle of 2 seconds: {time}");
    assert_eq!(window.close().code, Some(0));
}

#[test]
fn modes_stand_beside_each_other_and_a_line_is_dragged() {
    let screen = Screen::start(640, 480);
    let mut window = screen.open(&STILL);
    window.key("k");
    window.shows(&still(&["--mode", "lbs", "--split", "dqs"]), "two");
    window.key("k");
    window.shows(&still(&["--mode", "lbs", "--split", "rigid,dqs,cor,ddm"]), "five");
    window.key("k");
    window.shows(&still(&["--mode", "lbs", "--wipe", "rigid@0.5"]), "either side of a line");
    window.drag([160, 120], [80, 120]);
    // A cursor that has changed its shape is part of what the screen stores.
    window.point_at([600, 460]);
    window.shows(&still(&["--mode", "lbs", "--wipe", "rigid@0.25"]), "the line dragged");
    window.key("Right");
    window.shows(&still(&["--mode", "lbs", "--wipe", "rigid@0.27"]), "the line moved");
    window.key("k");
    window.key("o");
    window.shows(&still(&["--mode", "lbs", "--onion", "2@0.125"]), "onion skin");
    assert_eq!(window.close().code, Some(0));
}

#[test]
fn the_file_before_is_opened_again() {
    let screen = Screen::start(640, 480);
    let window = screen.open(&["builtin:strip", "--size", "200x150"]);
    assert_eq!(window.close().code, Some(0));
    let mut window = screen.open(&STILL);
    window.shows(&still(&["--mode", "lbs"]), "at first");
    window.key("ctrl+o");
    window.settle();
    window.key("Return");
    let strip = ["builtin:strip", "--size", "320x240", "--mode", "lbs"];
    window.shows(&headless(&strip), "the one before");
    assert_eq!(window.close().code, Some(0));
}

/// A pinned vertex has a mark at each mode's position, and its influences are listed.
#[test]
fn a_vertex_is_looked_at() {
    let plain = window_picture(&WIDE);
    let words = [&WIDE[..], &["--vertex", "0:0:4730"]].concat();
    let marked = window_picture(&words);
    assert_eq!(count_differing(&marked, &window_picture(&words)), 0, "the same picture twice");
    let is_dot = |rgba: &[u8]| rgba[..3] == [60, 200, 220];
    let dots = |image: &Image| image.rgba.chunks(4).filter(|rgba| is_dot(rgba)).count();
    // For dqs, a dot with a radius of 3.5 pixels, and the name in the same colour.
    assert!(dots(&plain) == 0 && dots(&marked) > 20, "{} {}", dots(&plain), dots(&marked));
    assert!(count_differing(&above(&plain, 500), &above(&marked, 500)) > 500);
    // Under its other names.
    let node = sinew::model::VertexName::of(
        &super::common::builtin("bend"),
        sinew::model::VertexIndex { instance: 0, primitive: 0, vertex: 4730 },
    );
    for name in [node.to_string(), "mesh0:0:4730".to_owned()] {
        let words = [&WIDE[..], &["--vertex", &name]].concat();
        assert_eq!(count_differing(&marked, &window_picture(&words)), 0, "{name}");
    }
    for wrong in ["3000", "0:3000", "nodes[0]:0:1", "node0:0:-1", "0:0:x"] {
        let run = run(sinew(WIDE).args(["--vertex", wrong, "--panel", "--screenshot", "-"]));
        assert_eq!(run.code, Some(2), "{wrong}");
        assert!(run.err.contains("such as node0:0:1234"), "{}", run.err);
    }
    let beyond = run(sinew(WIDE).args(["--vertex", "0:0:99999999", "--panel", "--screenshot", "-"]));
    assert_eq!(beyond.code, Some(1));
    assert!(beyond.err.contains("no vertex 99999999"), "{}", beyond.err);
}
