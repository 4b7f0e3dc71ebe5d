//! Tests the looks of the window: edges and flat views by keys, and the light of a file that changes.

use super::headless;
use super::screen::Screen;

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
