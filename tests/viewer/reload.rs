//! Tests files that change while a window shows them: the model, its buffer, its texture and the pose file, both during
//! playback, which is the default, and paused.

use std::path::Path;
use std::time::{Duration, Instant};

use super::common::{Run, run, sinew};
use super::scattered::{Fox, NAMES, WHITE};
use super::screen::{Screen, Window};
use super::{above, count_differing, headless};
use sinew::image::Image;

/// The window's size, with room below the middle for error messages; `ABOVE` is the part above them.
const SIZE: [&str; 2] = ["--size", "420x300"];
const ABOVE: [u32; 2] = [420, 120];
const RED: [u8; 3] = [255, 0, 0];
const GREEN: [u8; 3] = [0, 255, 0];
const BLUE: [u8; 3] = [0, 0, 255];

/// Checks whether a picture contains a colour, approximately.
fn has(color: [u8; 3]) -> impl Fn(&Image) -> bool {
    let is_it = move |rgba: &[u8]| rgba.iter().zip(color).all(|(found, wanted)| found.abs_diff(wanted) < 100);
    move |image| image.rgba.chunks(4).filter(|rgba| is_it(rgba)).count() > 200
}

/// Returns true if red, and not blue, is at the top.
fn stands(image: &Image) -> bool {
    has(RED)(image) && !has(BLUE)(image)
}

/// Returns true if blue, and not red, is at the top.
fn hangs(image: &Image) -> bool {
    has(BLUE)(image) && !has(RED)(image)
}

/// Waits long enough for two checks of the files.
fn wait() {
    std::thread::sleep(Duration::from_millis(1300));
}

/// Shows the model in this folder; it plays unless the flags pause it.
fn open<'a>(screen: &'a Screen, folder: &Path, more: &[&str]) -> Window<'a> {
    let file = folder.join("fox.gltf");
    screen.open(&[&[file.to_str().unwrap(), "--camera=front"], &SIZE[..], more].concat())
}

/// Replaces a file by renaming another, as careful programs do.
fn replace(path: &Path, bytes: &[u8]) {
    let beside = path.with_extension("new");
    std::fs::write(&beside, bytes).unwrap();
    std::fs::rename(&beside, path).unwrap();
}

/// Changes each file of a model in turn; the picture follows.
fn each_file_is_followed(more: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    WHITE.write(folder.path(), NAMES);
    let screen = Screen::start(640, 480);
    let mut window = open(&screen, folder.path(), more);
    window.shows_what(ABOVE, "white", has([255; 3]));
    let [gltf, buffer] = Fox { factor: RED, ..WHITE }.parts(NAMES);
    replace(&path("fox.gltf"), &gltf);
    window.shows_what(ABOVE, "a red material", has(RED));
    // White except for the texture.
    std::fs::write(path("fox.png"), Fox { texture: GREEN, ..WHITE }.picture()).unwrap();
    std::fs::write(path("fox.gltf"), &WHITE.parts(NAMES)[0]).unwrap();
    window.shows_what(ABOVE, "a green texture", has(GREEN));
    replace(&path("fox.png"), &WHITE.picture());
    window.shows_what(ABOVE, "a white texture", has([255; 3]));
    std::fs::write(path("fox.bin"), &Fox { above: BLUE, below: BLUE, ..WHITE }.parts(NAMES)[1]).unwrap();
    window.shows_what(ABOVE, "blue vertices", has(BLUE));
    replace(&path("fox.bin"), &buffer);
    window.shows_what(ABOVE, "white vertices", has([255; 3]));
    let Run { code, err, .. } = window.close();
    assert_eq!((code, err.as_str()), (Some(0), ""));
}

#[test]
fn each_file_is_followed_while_a_clip_plays() {
    each_file_is_followed(&[]);
}

#[test]
fn each_file_is_followed_while_nothing_moves() {
    each_file_is_followed(&["--paused"]);
}

/// A missing or broken texture appears as soon as it is complete.
#[test]
fn a_texture_is_shown_when_it_appears() {
    for first in [None, Some(&b"half of a picture"[..])] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("fox.png");
        Fox { factor: [255, 0, 255], ..WHITE }.write(folder.path(), NAMES);
        match first {
            Some(bytes) => std::fs::write(&path, bytes).unwrap(),
            None => std::fs::remove_file(&path).unwrap(),
        }
        let screen = Screen::start(640, 480);
        let mut window = open(&screen, folder.path(), &[]);
        window.shows_what(ABOVE, "the material alone", has([255, 0, 255]));
        std::fs::write(&path, Fox { texture: BLUE, ..WHITE }.picture()).unwrap();
        window.shows_what(ABOVE, "its texture", has(BLUE));
        assert_eq!(window.close().code, Some(0));
    }
}

/// A file that is missing or incomplete changes nothing, and is tried again.
#[test]
fn what_is_not_whole_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let red = Fox { texture: RED, ..WHITE };
    red.write(folder.path(), NAMES);
    let screen = Screen::start(640, 480);
    let mut window = open(&screen, folder.path(), &[]);
    window.shows_what(ABOVE, "red", has(RED));
    for name in ["fox.png", "fox.bin", "fox.gltf"] {
        let whole = std::fs::read(path(name)).unwrap();
        std::fs::remove_file(path(name)).unwrap();
        wait();
        window.shows_what(ABOVE, "what was there", has(RED));
        std::fs::write(path(name), &whole[..whole.len() / 2]).unwrap();
        let said = window.said("error: ");
        let shown = if name == "fox.bin" { "fox.gltf" } else { name };
        assert!(said.contains(shown), "{name}: {said}");
        wait();
        window.shows_what(ABOVE, "what was whole", has(RED));
        std::fs::write(path(name), whole).unwrap();
        wait();
    }
    // Everything is new, and the texture comes last.
    let blue = Fox { texture: BLUE, ..WHITE };
    std::fs::remove_file(path("fox.png")).unwrap();
    replace(&path("fox.gltf"), &blue.parts(NAMES)[0]);
    let said = window.said("error: ");
    assert!(said.contains("fox.png: "), "{said}");
    window.shows_what(ABOVE, "the last good state", has(RED));
    std::fs::write(path("fox.png"), blue.picture()).unwrap();
    window.shows_what(ABOVE, "blue", has(BLUE));
    assert_eq!(window.close().code, Some(0));
}

/// A pose file with a clip and these joints.
fn pose(joints: &str) -> String {
    format!(r#"{{"sinew-pose": 1, "over": {{"clips": ["bend"], "time": 0}}, "joints": {{{joints}}}}}"#)
}

const UPSIDE_DOWN: &str = r#""hip": {"rotation": [0, 0, 1, 0]}"#;

#[test]
fn the_file_of_the_pose_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pose.json");
    Fox { above: RED, below: BLUE, ..WHITE }.write(folder.path(), NAMES);
    for more in [&[][..], &["--paused"]] {
        std::fs::write(&path, pose("")).unwrap();
        let screen = Screen::start(640, 480);
        let mut window = open(&screen, folder.path(), &[&["--pose", path.to_str().unwrap()], more].concat());
        window.shows_what(ABOVE, "upright", stands);
        replace(&path, pose(UPSIDE_DOWN).as_bytes());
        window.shows_what(ABOVE, "upside down", hangs);
        // Half of the file, then none.
        std::fs::write(&path, &pose("")[..20]).unwrap();
        assert!(window.said("error: ").contains("pose.json: "));
        window.shows_what(ABOVE, "the last good pose", hangs);
        std::fs::remove_file(&path).unwrap();
        wait();
        window.shows_what(ABOVE, "the last good pose", hangs);
        std::fs::write(&path, pose("")).unwrap();
        window.shows_what(ABOVE, "upright again", stands);
        assert_eq!(window.close().code, Some(0));
    }
}

/// Edits by hand stay on top of a changed pose file, and the window says so.
#[test]
fn what_hands_have_edited_stays_over_a_new_pose() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pose.json");
    Fox { above: RED, below: BLUE, ..WHITE }.write(folder.path(), NAMES);
    std::fs::write(&path, pose("")).unwrap();
    let screen = Screen::start(640, 480);
    let mut window = open(&screen, folder.path(), &["--pose", path.to_str().unwrap()]);
    window.shows_what(ABOVE, "upright", stands);
    for key in ["Down", "Down", "F5"] {
        window.key(key);
    }
    let line = window.command_line();
    assert!(line.contains("--joint=knee=") || line.contains("--joint knee="), "{line}");
    replace(&path, pose(UPSIDE_DOWN).as_bytes());
    assert!(window.said("reloaded the pose file").contains("kept your edits"));
    // Editing has fixed the camera, so the figure hangs out of the picture.
    window.shows_what(ABOVE, "upside down", |image| !has(RED)(image));
    let line = window.command_line();
    assert!(line.contains("knee=") && line.contains("hip=0,0,1,0"), "{line}");
    assert_eq!(window.close_without_saving().code, Some(0));
}

/// Watching files takes almost no processor time.
#[test]
fn watching_is_cheap() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pose.json");
    WHITE.write(folder.path(), NAMES);
    std::fs::write(&path, pose("")).unwrap();
    let screen = Screen::start(640, 480);
    let window = open(&screen, folder.path(), &["--paused", "--pose", path.to_str().unwrap()]);
    window.settle();
    // A file written just before it was read is read once more.
    wait();
    let (start, before) = (Instant::now(), window.processor_millis());
    std::thread::sleep(Duration::from_millis(1500));
    let idle = window.processor_millis() - before;
    assert!(idle <= 30, "{idle} ms of the processor's time in {:?}", start.elapsed());
    assert_eq!(window.close().code, Some(0));
}

/// A folder of all built-in models, in which `model.glb` is `bend`.
fn bend_among_builtins() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run(sinew(["builtins", "--write"]).arg(folder.path())).code, Some(0));
    std::fs::copy(folder.path().join("bend.glb"), folder.path().join("model.glb")).unwrap();
    folder
}

/// A changed file is shown; if it cannot be loaded, an error shows and the last good model stays.
#[test]
fn a_file_that_changes_is_loaded_again() {
    let folder = bend_among_builtins();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let file = path("model.glb");
    let screen = Screen::start(640, 480);
    let mut window = screen.open(&[&[file.as_str(), "--paused"][..], &SIZE[..]].concat());
    let of = |name: &str| headless(&[&[path(name).as_str()][..], &SIZE[..]].concat());
    window.shows(&of("bend.glb"), "at first");
    std::fs::write(&file, "nothing that could be shown").unwrap();
    assert!(window.said("error: ").contains("model.glb"));
    // The error is below the middle; above it, the last good model still shows.
    let [good, said] = [of("bend.glb"), window.picture(420, 300)];
    assert_eq!(count_differing(&above(&good, 150), &above(&said, 150)), 0);
    window.differs_from(&good);
    std::fs::copy(path("strip.glb"), path("next.glb")).unwrap();
    std::fs::rename(path("next.glb"), &file).unwrap();
    window.shows(&of("strip.glb"), "changed");
    assert_eq!(window.close().code, Some(0));
}

/// A triangle that no software driver draws: with 131,071 morph targets. Their one accessor is that of the positions.
fn too_much() -> String {
    const BYTES: &str = "AACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/";
    let targets = vec![r#"{"POSITION":0}"#; 131_071].join(",");
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0}}],
        "buffers":[{{"byteLength":36,"uri":"data:application/octet-stream;base64,{BYTES}"}}],
        "bufferViews":[{{"buffer":0,"byteLength":36}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,1]}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"targets":[{targets}]}}]}}]}}"#
    )
}

/// A model that the device refuses is treated like one that cannot be read, whether it is the same file or another.
#[test]
fn a_model_that_the_device_refuses_leaves_the_last_one() {
    let folder = bend_among_builtins();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let file = path("model.glb");
    let screen = Screen::start(640, 480);
    let mut window = screen.open(&[&[file.as_str(), "--paused"][..], &SIZE[..]].concat());
    let of = |name: &str| headless(&[&[path(name).as_str()][..], &SIZE[..]].concat());
    let good = of("bend.glb");
    window.shows(&good, "at first");
    replace(Path::new(&file), too_much().as_bytes());
    assert!(window.said("error: ").contains("model.glb: 'morph targets of mesh 0'"));
    let said = window.picture(420, 300);
    assert_eq!(count_differing(&above(&good, 150), &above(&said, 150)), 0);
    // It is still watched.
    std::fs::copy(path("strip.glb"), path("next.glb")).unwrap();
    std::fs::rename(path("next.glb"), &file).unwrap();
    window.shows(&of("strip.glb"), "changed");
    // The other file that is opened comes after it in the list.
    std::fs::write(path("much.glb"), too_much()).unwrap();
    window.key("ctrl+Next");
    assert!(window.said("error: ").contains("much.glb: 'morph targets of mesh 0'"));
    window.key("ctrl+Prior");
    window.shows(&of("strip.glb"), "the one before");
    window.key("ctrl+Prior");
    window.shows(&of("elbow.glb"), "another file");
    assert_eq!(window.close().code, Some(0));
}
