//! Tests `--environment`: what is read of it, what a picture says of it, and what is wrong with broken files.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use std::fs;

use sinew::model::gltf;

use crate::common::{Run, run, run_well, sinew};

/// A panorama: blue above, brown below.
fn sky() -> Vec<u8> {
    let row = |above: bool| if above { [60, 90, 200, 128] } else { [120, 80, 40, 126] }.repeat(8);
    let pixels: Vec<u8> = (0..4).flat_map(|number| row(number < 2)).collect();
    [&b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 4 +X 8\n"[..], &pixels].concat()
}

#[test]
fn a_picture_says_what_lit_it_and_never_overwrites_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("my sky.hdr"), sky()).unwrap();
    let sinew = |words: &[&str]| {
        let mut command = sinew(words);
        command.current_dir(folder.path());
        command
    };
    let picture = ["builtin:strip", "--size", "24x24", "--environment", "my sky.hdr", "--screenshot"];
    for name in ["a.png", "b.png"] {
        run_well(&mut sinew(&[&picture[..], &[name]].concat()));
    }
    assert_eq!(fs::read(path("a.png")).unwrap(), fs::read(path("b.png")).unwrap());
    run_well(&mut sinew(&["builtin:strip", "--size", "24x24", "--screenshot", "studio.png"]));
    assert_ne!(fs::read(path("a.png")).unwrap(), fs::read(path("studio.png")).unwrap());

    let shown = run_well(&mut sinew(&["show", "a.png"]));
    let shown = String::from_utf8(shown).unwrap();
    assert!(shown.contains(" --environment='my sky.hdr'"), "{shown}");
    let digest = gltf::sha256(&sky());
    assert!(shown.lines().any(|line| line.starts_with("environment ") && line.ends_with(&digest)), "{shown}");

    fs::write(path("sky.png"), sky()).unwrap();
    let over = ["builtin:strip", "--environment", "sky.png", "--screenshot", "sky.png"];
    let Run { code, err, .. } = run(&mut sinew(&over));
    assert_eq!(
        (code, err.as_str()),
        (Some(2), "error: sky.png: the output would overwrite the environment\n")
    );
    assert_eq!(fs::read(path("sky.png")).unwrap(), sky());
}

#[test]
fn a_broken_environment_is_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let huge = b"#?RADIANCE\n\n-Y 65536 +X 65536\n".to_vec();
    let files = [
        ("cut.hdr", sky()[..100].to_vec(), "it ends in row 1 of 4"),
        ("png.hdr", b"\x89PNG\r\n".to_vec(), "it is not a Radiance picture, which begins with '#?'"),
        ("empty.hdr", Vec::new(), "it is not a Radiance picture, which begins with '#?'"),
        ("huge.hdr", huge, "it has 65536x65536 pixels; the limits are 2^16 per row and 2^27 in all"),
        (
            "zeros.hdr",
            [&b"#?RADIANCE\n\n-Y 4 +X 8\n"[..], &[1_u8; 64][..]].concat(),
            "row 0 of its pixels is broken",
        ),
    ];
    let refuses = |name: &str, says: &str| {
        let mut command = sinew(["builtin:strip", "--environment", name, "--screenshot", "out.png"]);
        let Run { code, out, err } = run(command.current_dir(folder.path()));
        assert_eq!((code, out.len(), err.lines().count()), (Some(1), 0, 1), "{name}: {err}");
        assert!(err.starts_with(&format!("error: {name}: ")) && err.contains(says), "{name}: {err}");
        assert!(!path("out.png").exists());
    };
    for (name, bytes, says) in files {
        fs::write(path(name), bytes).unwrap();
        refuses(name, says);
    }
    refuses("missing.hdr", "");
    fs::create_dir(path("folder.hdr")).unwrap();
    refuses("folder.hdr", "");
    #[cfg(unix)]
    {
        // No process writes to it, so reading would wait for ever.
        let made = std::process::Command::new("mkfifo").arg(path("pipe.hdr")).status().unwrap();
        assert!(made.success());
        refuses("pipe.hdr", "");
        refuses("/dev/zero", "");
    }
}
