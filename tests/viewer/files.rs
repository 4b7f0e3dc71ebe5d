//! Tests the window's files: the list, drags from another program, and the ways to open others.

use super::common::{Run, run, sinew};
use super::dragging::{Drag, uri};
use super::headless;
use super::portal::Portal;
use super::screen::{Screen, Window};
use sinew::image::Image;

/// The window's flags, with room for three small pictures.
const FLAGS: [&str; 4] = ["--size", "480x420", "--mode=lbs", "--paused"];

/// A built-in model as these flags show it.
fn picture(model: &str) -> Image {
    headless(&[model, "--size", "480x420", "--mode=lbs"])
}

/// A folder with models whose names only numbers put in order, the last of them broken, and other things.
fn models() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let all = tempfile::tempdir().unwrap();
    assert_eq!(run(sinew(["builtins", "--write"]).arg(all.path())).code, Some(0));
    for (from, to) in [("bend", "1 bänd.glb"), ("strip", "2 strip.GLB")] {
        std::fs::copy(all.path().join(format!("{from}.glb")), folder.path().join(to)).unwrap();
    }
    std::fs::write(folder.path().join("10 broken.glb"), "glTF, or so it says").unwrap();
    std::fs::write(folder.path().join("notes.txt"), "no model").unwrap();
    std::fs::create_dir(folder.path().join("0 empty.glb")).unwrap();
    folder
}

fn open<'a>(screen: &'a Screen, models: &[&str]) -> Window<'a> {
    screen.open(&[models, &FLAGS[..]].concat())
}

/// Turns a joint of the model, which is still as it was; returns what is shown then.
fn turned(window: &mut Window) -> Image {
    let before = window.picture(480, 420);
    for key in ["Down", "Down", "F7"] {
        window.key(key);
    }
    window.differs_from(&before);
    window.picture(480, 420)
}

/// Returns true if the tile of the list with this number has a picture, on a screen with one pixel per point.
fn has_picture(column: &Image, number: u32) -> bool {
    let middle = 26 + number * 127 + 46;
    let all = |x: u32, y: u32, is_it: fn(u8) -> bool| {
        let at = ((y * column.width + x) * 4) as usize;
        column.rgba[at..at + 3].iter().all(|value| is_it(*value))
    };
    // Without the list, the picture's background shows, which is lighter except at its upper edge.
    let is_list = (middle - 30..middle + 30).all(|y| all(2, y, |value| value < 60));
    let light = |y: u32| (25..95).filter(|x| all(*x, y, |value| value > 70)).count();
    is_list && (middle - 30..middle + 30).map(light).sum::<usize>() > 60 * 70 / 3
}

#[test]
fn a_folder_is_gone_through_by_keys_and_clicks() {
    let folder = models();
    let screen = Screen::start(640, 480);
    let mut window = open(&screen, &[folder.path().to_str().unwrap()]);
    window.shows_what([118, 420], "two small pictures, and none of the broken file", |column| {
        has_picture(column, 0) && has_picture(column, 1) && !has_picture(column, 2)
    });
    window.key("F3");
    window.shows(&picture("builtin:bend"), "the first file, without the list");
    window.key("ctrl+Next");
    window.shows(&picture("builtin:strip"), "the second");
    window.key("ctrl+Next");
    assert!(window.said("error: ").contains("10 broken.glb"));
    window.key("ctrl+Next");
    window.shows(&picture("builtin:bend"), "the first after the last");
    window.key("ctrl+Prior");
    window.said("error: ");
    window.key("ctrl+Prior");
    window.shows(&picture("builtin:strip"), "backwards");
    // A click on the first tile.
    window.key("F3");
    window.settle();
    window.xdotool(&["mousemove", "60", "70", "click", "1"]);
    window.settle();
    window.key("F3");
    window.shows(&picture("builtin:bend"), "clicked");
    // Edits are asked for first.
    let turned = turned(&mut window);
    window.key("ctrl+Next");
    window.differs_from(&turned);
    window.key("n");
    window.shows(&picture("builtin:strip"), "the edits are gone");
    let Run { code, err, .. } = window.close();
    assert_eq!((code, err.as_str()), (Some(0), ""));
}

#[test]
fn a_single_file_goes_on_in_its_folder() {
    let folder = models();
    let screen = Screen::start(640, 480);
    let mut window = open(&screen, &[folder.path().join("2 strip.GLB").to_str().unwrap()]);
    window.shows(&picture("builtin:strip"), "the file alone");
    window.key("ctrl+Prior");
    window.shows(&picture("builtin:bend"), "the one before it");
    assert_eq!(window.close().code, Some(0));
    // Patterns are replaced where no shell does so, and what cannot be opened is passed over.
    let pattern = folder.path().join("1*.glb");
    let broken = folder.path().join("10 broken.glb");
    let mut window = open(&screen, &[broken.to_str().unwrap(), pattern.to_str().unwrap()]);
    assert!(window.said("warning: ").contains("10 broken.glb"));
    window.key("F3");
    window.shows(&picture("builtin:bend"), "the first that can be opened");
    assert_eq!(window.close().code, Some(0));
}

#[test]
fn files_are_dropped_by_a_real_drag() {
    let folder = models();
    let path = |name: &str| folder.path().join(name);
    let (bend, strip) = (uri(&path("1 bänd.glb")), uri(&path("2 strip.GLB")));
    assert!(bend.contains("1%20b%C3%A4nd.glb"), "{bend}");
    let screen = Screen::start(640, 480);
    let mut window = open(&screen, &["builtin:twist"]);
    let twist = picture("builtin:twist");
    window.shows(&twist, "at first");
    let over = |window: &Window, uris: &[&String]| {
        Drag::over(screen.display(), &window.id(), &uris.iter().map(|uri| (*uri).clone()).collect::<Vec<_>>())
    };
    // What hovers is marked, until it is taken away.
    let drag = over(&window, &[&bend]);
    window.differs_from(&twist);
    drag.leave();
    window.shows(&twist, "nothing hovers");
    // One file is opened; there is no list.
    over(&window, &[&strip]).drop();
    window.shows(&picture("builtin:strip"), "one file");
    // Several are a list.
    over(&window, &[&bend, &strip]).drop();
    window.shows_what([118, 420], "the list", |column| has_picture(column, 0) && has_picture(column, 1));
    window.key("F3");
    window.shows(&picture("builtin:bend"), "the first of two");
    window.key("ctrl+Next");
    window.shows(&picture("builtin:strip"), "the second of two");
    window.key("ctrl+Next");
    window.shows(&picture("builtin:bend"), "there is no third");
    // So is a folder.
    over(&window, &[&uri(folder.path())]).drop();
    window.shows_what([118, 420], "the list", |column| has_picture(column, 0) && has_picture(column, 1));
    window.key("F3");
    window.key("ctrl+Prior");
    assert!(window.said("error: ").contains("10 broken.glb"));
    // One without models changes nothing.
    over(&window, &[&uri(&path("0 empty.glb"))]).drop();
    assert!(window.said("error: ").contains("0 empty.glb: no .glb"));
    // Edits are asked for first.
    window.key("ctrl+Next");
    window.shows(&picture("builtin:bend"), "the first again");
    let turned = turned(&mut window);
    let drag = over(&window, &[&strip]);
    window.differs_from(&turned);
    let hovered = window.picture(480, 420);
    drag.drop();
    window.differs_from(&hovered);
    window.key("Escape");
    window.shows(&turned, "nothing was lost");
    assert_eq!(window.close_without_saving().code, Some(0));
}

/// Without a dialog of the desktop, the window shows its own.
#[test]
fn a_file_is_chosen_in_the_window() {
    let folder = models();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let screen = Screen::start(640, 480);
    for model in ["builtin:twist", "builtin:strip"] {
        let window = open(&screen, &[model]);
        window.settle();
        assert_eq!(window.close().code, Some(0));
    }
    let mut window = open(&screen, &["builtin:bend"]);
    let bend = picture("builtin:bend");
    window.shows(&bend, "at first");
    // Keys go to it: Escape closes no more than it.
    window.key("ctrl+o");
    window.differs_from(&bend);
    window.key("Escape");
    window.shows(&bend, "closed");
    window.key("ctrl+o");
    window.key("Return");
    window.shows(&picture("builtin:strip"), "the file before this one");
    window.key("ctrl+o");
    for key in ["Down", "Return"] {
        window.key(key);
    }
    window.shows(&picture("builtin:twist"), "the second row");
    // A path is typed. One that leads nowhere causes a message.
    window.key("ctrl+o");
    window.settle();
    window.xdotool(&["type", "--delay", "1", &format!("{}x", path("1 b"))]);
    window.key("Return");
    let before = window.picture(480, 420);
    window.key("ctrl+a");
    window.xdotool(&["type", "--delay", "1", &path("1 *")]);
    window.differs_from(&before);
    window.key("Return");
    window.shows(&bend, "a pattern");
    assert_eq!(window.close().code, Some(0));
}

/// The window opens the desktop's dialog through its portal, and stays responsive.
#[test]
fn a_file_is_chosen_by_the_desktop() {
    let folder = models();
    let path = |name: &str| folder.path().join(name);
    let screen = Screen::start(640, 480);
    let portal = Portal::start();
    let first = path("1 bänd.glb");
    let words = [&[first.to_str().unwrap()], &FLAGS[..]].concat();
    let mut window = screen.open_on_bus(&words, portal.address());
    window.shows(&picture("builtin:bend"), "at first");
    window.key("ctrl+o");
    let asked = portal.asked();
    let here = folder.path().to_str().unwrap();
    for part in ["*.glb", "*.FBX", "multiple", here, "x11:"] {
        assert!(asked.contains(part), "{part}: {asked:?}");
    }
    window.key("3");
    window.shows(&headless(&["builtin:bend", "--size", "480x420", "--mode=dqs"]), "it lives on");
    window.key("2");
    portal.answer(None);
    window.shows(&picture("builtin:bend"), "nothing was chosen");
    window.key("ctrl+o");
    portal.asked();
    portal.answer(Some(&[uri(&path("2 strip.GLB"))]));
    window.shows(&picture("builtin:strip"), "one file");
    window.key("ctrl+o");
    portal.asked();
    portal.answer(Some(&[uri(&path("2 strip.GLB")), uri(&path("1 bänd.glb"))]));
    window.shows_what([118, 420], "the list", |column| has_picture(column, 0) && has_picture(column, 1));
    window.key("ctrl+Next");
    window.key("F3");
    window.shows(&picture("builtin:bend"), "the second of two");
    // While the dialog is open, or is never answered, the window has its own.
    window.key("ctrl+o");
    portal.asked();
    window.key("ctrl+o");
    window.settle();
    window.type_text(path("2 *").to_str().unwrap());
    window.key("Return");
    window.shows(&picture("builtin:strip"), "chosen in the window");
    // A window that closes does not wait for the dialog.
    assert_eq!(window.close().code, Some(0));
}
