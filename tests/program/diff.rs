//! Tests `sinew diff` as scripts use it: exit codes, figures and the picture of the difference.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use crate::common;

use std::path::{Path, PathBuf};
use std::process::Command;

use sinew::image::{Image, read_png};

use common::{run, run_well, sinew, write_picture};

/// A grey picture with one white pixel at `white`.
fn picture(folder: &Path, name: &str, [width, height]: [u32; 2], white: Option<usize>) -> PathBuf {
    let mut rgba = [100, 100, 100, 255].repeat((width * height) as usize);
    if let Some(pixel) = white {
        rgba[pixel * 4..pixel * 4 + 3].fill(255);
    }
    let path = folder.join(name);
    write_picture(&Image { width, height, rgba }, &path);
    path
}

fn diff(expected: &Path, actual: &Path, flags: &[&str]) -> Command {
    let mut command = sinew(["diff"]);
    command.args([expected, actual]).args(flags);
    command
}

#[test]
fn equal_pictures_are_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let a = picture(folder.path(), "a.png", [20, 10], None);
    let b = picture(folder.path(), "b.png", [20, 10], None);
    let out = run_well(&mut diff(&a, &b, &[]));
    assert_eq!(String::from_utf8(out).unwrap(), "all 200 pixels are the same\n");
}

#[test]
fn a_difference_is_exit_code_6_unless_it_is_tolerated() {
    let folder = tempfile::tempdir().unwrap();
    let a = picture(folder.path(), "a.png", [20, 10], None);
    let b = picture(folder.path(), "b.png", [20, 10], Some(45));
    let found = run(&mut diff(&a, &b, &["--channel", "154"]));
    assert_eq!(found.code, Some(6), "{}", found.err);
    assert!(found.err.starts_with("error: ") && found.err.lines().count() == 1, "{}", found.err);
    assert!(found.err.contains("b.png: differs from"), "{}", found.err);
    assert!(
        String::from_utf8(found.out).unwrap().starts_with("1 of 200 pixels differ, by 155 of 255 at most; ")
    );
    for tolerated in [&["--channel", "155"][..], &["--outliers", "1"], &["--flip", "0.1,1"]] {
        assert_eq!(run(&mut diff(&a, &b, tolerated)).code, Some(0), "{tolerated:?}");
    }
    assert_eq!(run(&mut diff(&a, &b, &["--flip", "0.0001,1"])).code, Some(6));
}

#[test]
fn the_picture_of_a_difference_is_bright_where_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let a = picture(folder.path(), "a.png", [20, 10], None);
    let b = picture(folder.path(), "b.png", [20, 10], Some(45));
    let out = folder.path().join("d.png");
    let found = run(&mut diff(&a, &b, &["--json", "-o", out.to_str().unwrap()]));
    assert_eq!(found.code, Some(6));
    let figures: serde_json::Value = serde_json::from_slice(&found.out).unwrap();
    assert_eq!(figures["differing_pixels"], 1);
    assert_eq!(figures["worst_channel"], 155);
    assert_eq!(figures["within_tolerance"], false);
    let picture = read_png(&out).unwrap();
    assert_eq!([picture.width, picture.height], [20, 10]);
    let brightness =
        |pixel: usize| -> u32 { picture.rgba[pixel * 4..][..3].iter().copied().map(u32::from).sum() };
    let brightest = (0..200).max_by_key(|pixel| brightness(*pixel)).unwrap();
    assert_eq!(brightest, 45);
}

#[test]
fn what_cannot_be_compared_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let a = picture(folder.path(), "a.png", [20, 10], None);
    let b = picture(folder.path(), "b.png", [10, 20], None);
    let found = run(&mut diff(&a, &b, &[]));
    assert_eq!(found.code, Some(6));
    assert!(found.err.contains("b.png: it has 10x20 pixels, but 20x10 were expected"), "{}", found.err);
    let text = folder.path().join("text.png");
    std::fs::write(&text, "no picture").unwrap();
    for broken in [&text, &folder.path().join("missing.png")] {
        let found = run(&mut diff(&a, broken, &[]));
        assert_eq!(found.code, Some(1), "{}", found.err);
        assert!(found.err.contains(broken.to_str().unwrap()), "{}", found.err);
    }
    assert_eq!(run(&mut diff(&a, &a, &["--flip", "2,1"])).code, Some(2));
}

/// A pipe is read if a process writes to it, at once or soon. Otherwise the program gives up.
#[test]
#[cfg(unix)]
fn pipes_are_read_if_somebody_writes_to_them() {
    let folder = tempfile::tempdir().unwrap();
    let file = picture(folder.path(), "a.png", [8, 8], None);
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let writer = {
        let (file, pipe) = (file.clone(), pipe.clone());
        std::thread::spawn(move || std::fs::write(pipe, std::fs::read(file).unwrap()))
    };
    run_well(sinew(["diff"]).args([&file, &pipe]));
    writer.join().unwrap().unwrap();
    let start = std::time::Instant::now();
    let found = run(sinew(["diff"]).args([&file, &pipe]));
    assert!(start.elapsed().as_secs() < 60);
    let expected = format!("error: {}: no process is writing to this pipe\n", pipe.display());
    assert_eq!((found.code, found.err), (Some(1), expected));
}
