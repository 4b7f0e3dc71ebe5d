//! Tests videos: raw ones, and those that ffmpeg makes.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{run, run_well, sinew};
#[cfg(target_os = "linux")]
use crate::interrupted::{names, signal};
use sinew::image::{Image, read_png};

const WIDTH: usize = 40;
const HEIGHT: usize = 32;

/// Three frames of the twisting rod.
fn small(out: &Path, flags: &[&str]) -> Command {
    let mut command = sinew(["builtin:twist", "--size", "40x32", "--frames", "3"]);
    command.args(flags).arg("--screenshot").arg(out);
    command
}

/// Draws the video's frames as single pictures.
fn stills(folder: &Path) -> Vec<Image> {
    run_well(&mut small(&folder.join("{frame}.png"), &[]));
    (0..3).map(|number| read_png(&folder.join(format!("000{number}.png"))).unwrap()).collect()
}

fn mean_difference(a: &[u8], b: &[u8]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| f64::from(a.abs_diff(*b))).sum::<f64>() / a.len() as f64
}

#[test]
fn raw_video_has_all_frames_in_a_file_and_in_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a.y4m");
    run_well(&mut small(&out, &[]));
    let file = fs::read(&out).unwrap();
    assert!(run_well(&mut small(Path::new("-"), &[])) == file, "the pipe has something else");
    // Three frames in two seconds.
    let head = b"YUV4MPEG2 W40 H32 F3:2 Ip A1:1 C420jpeg XCOLORRANGE=LIMITED\n";
    let (found, rest) = file.split_at(head.len());
    assert_eq!(String::from_utf8_lossy(found), String::from_utf8_lossy(head));
    let frame = b"FRAME\n".len() + WIDTH * HEIGHT * 3 / 2;
    assert_eq!(rest.len(), 3 * frame);
    for (frame, still) in rest.chunks(frame).zip(stills(folder.path())) {
        let planes = frame.strip_prefix(b"FRAME\n").unwrap();
        let luma: Vec<u8> = still
            .rgba
            .chunks(4)
            .map(|pixel| {
                let [r, g, b] = [0, 1, 2].map(|channel| f64::from(pixel[channel]) / 255.0);
                (16.0 + 65.481 * r + 128.553 * g + 24.966 * b).round() as u8
            })
            .collect();
        assert!(mean_difference(&planes[..luma.len()], &luma) < 0.01);
    }
}

/// ffmpeg decodes what it has encoded to frames like the single pictures.
#[test]
fn ffmpeg_makes_videos() {
    assert!(Command::new("ffmpeg").arg("-version").output().is_ok(), "ffmpeg is missing: make setup-test");
    let folder = tempfile::tempdir().unwrap();
    let stills = stills(folder.path());
    for extension in ["mp4", "mkv", "webm"] {
        let out = folder.path().join(format!("a.{extension}"));
        run_well(&mut small(&out, &[]));
        let again = folder.path().join(format!("b.{extension}"));
        run_well(&mut small(&again, &[]));
        assert!(fs::read(&again).unwrap() == fs::read(&out).unwrap(), "{extension}: the same bytes");
        let mut decoder = Command::new("ffmpeg");
        decoder.args(["-v", "error", "-i"]).arg(&out).args(["-f", "rawvideo", "-pix_fmt", "rgba", "-"]);
        let frames = run_well(&mut decoder);
        assert_eq!(frames.len(), 3 * WIDTH * HEIGHT * 4, "{extension}");
        for (frame, still) in frames.chunks(WIDTH * HEIGHT * 4).zip(&stills) {
            let mean = mean_difference(frame, &still.rgba);
            assert!(mean < 3.0, "{extension}: {mean}");
        }
        let mut description = Command::new("ffmpeg");
        let said = description.arg("-i").arg(&out).output().unwrap().stderr;
        let said = String::from_utf8_lossy(&said).into_owned();
        assert!(said.contains("1.50 fps") || said.contains("1.5 fps"), "{said}");
        assert!(said.contains("bt709/bt709/iec61966-2-1"), "{said}");
        assert!(said.contains("Command: sinew builtin:twist"), "{said}");
    }
}

#[cfg(unix)]
#[test]
fn without_ffmpeg_or_with_one_that_fails_nothing_is_lost() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let (bin, out) = (folder.path().join("bin"), folder.path().join("out/a.mp4"));
    for folder in [&bin, out.parent().unwrap()] {
        fs::create_dir(folder).unwrap();
    }
    fs::write(&out, "old").unwrap();
    let failed = |says: &str, frames: &str| {
        let mut command = sinew(["builtin:twist", "--size", "40x32", "--frames", frames, "--screenshot"]);
        let failed = run(command.arg(&out).env("PATH", &bin));
        assert_eq!(failed.code, Some(5), "{}", failed.err);
        assert!(failed.err.contains(says), "{}", failed.err);
        assert_eq!(failed.err.lines().count(), 1, "{}", failed.err);
        assert_eq!(fs::read(&out).unwrap(), b"old");
        assert_eq!(fs::read_dir(out.parent().unwrap()).unwrap().count(), 1);
    };
    failed("a.mp4: cannot write video: .mp4 needs ffmpeg, which is not on the path; get it", "3");
    let script = bin.join("ffmpeg");
    let fake = |text: &str| {
        fs::write(&script, text).unwrap();
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    };
    // At once, in the middle of many frames, and after the last one.
    fake("#!/bin/sh\necho 'first line' >&2; echo 'no such encoder' >&2; exit 1\n");
    failed("a.mp4: cannot write video: ffmpeg: no such encoder", "3");
    fake("#!/bin/sh\n/usr/bin/head -c 9000 >/dev/null; echo 'tired' >&2; exit 1\n");
    failed("a.mp4: cannot write video: ffmpeg: tired", "60");
    // A full disk, which ffmpeg takes lightly.
    fake("#!/bin/sh\n/bin/cat >/dev/null; echo 'No space left' >&2; exit 0\n");
    failed("a.mp4: cannot write video: ffmpeg: No space left", "3");
    fake("#!/bin/sh\n/bin/cat >/dev/null; exit 7\n");
    failed("a.mp4: cannot write video: ffmpeg ended with exit status: 7", "3");
    // It ends well, and has written nothing, or no video.
    fake("#!/bin/sh\n/bin/cat >/dev/null; exit 0\n");
    failed("a.mp4: cannot write video: ffmpeg ended without an error, but has written nothing", "3");
    fake("#!/bin/sh\n/bin/cat >/dev/null; for last; do :; done; echo 'a long message' > \"${last#file:}\"\n");
    failed("a.mp4: cannot write video: ffmpeg ended without an error, but has written no whole video", "3");
    // Its end is missing.
    let found = Command::new("sh").args(["-c", "command -v ffmpeg"]).output().unwrap().stdout;
    let real = String::from_utf8(found).unwrap();
    let cut = "/usr/bin/truncate -s -200 \"${last#file:}\"";
    fake(&format!("#!/bin/sh\nfor last; do :; done\n{} \"$@\" && {cut}\n", real.trim()));
    failed("a.mp4: cannot write video: ffmpeg ended without an error, but has written no whole video", "3");
}

/// An ffmpeg that hangs is named after a while, and ends with the program.
#[test]
#[cfg(target_os = "linux")]
fn an_ffmpeg_that_hangs_is_named_and_ends_with_the_program() {
    use std::io::{BufRead, BufReader};
    use std::os::unix::fs::PermissionsExt;
    use std::process::Stdio;

    let (programs, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let fake = programs.path().join("ffmpeg");
    let pid = programs.path().join("pid");
    fs::write(&fake, format!("#!/bin/sh\necho $$ > '{}'\nexec sleep 600\n", pid.display())).unwrap();
    fs::set_permissions(&fake, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", programs.path().display(), std::env::var("PATH").unwrap());
    let out = folder.path().join("a.mp4");
    fs::write(&out, "an older video").unwrap();
    let mut child = small(&out, &[]).env("PATH", path).stderr(Stdio::piped()).spawn().unwrap();
    let said = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let named = said.into_iter().find(|line| line.contains("ffmpeg"));
    assert_eq!(
        named.as_deref().map(str::trim),
        Some("WARN ffmpeg has not finished the video for 10 s; Ctrl+C ends it")
    );
    signal(&child, "INT");
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&child.wait().unwrap()), Some(2));
    assert_eq!(
        (names(folder.path()), fs::read_to_string(&out).unwrap()),
        (vec!["a.mp4".to_owned()], "an older video".to_owned())
    );
    let left = format!("/proc/{}", fs::read_to_string(&pid).unwrap().trim());
    assert!(!Path::new(&left).exists(), "ffmpeg outlives the program");
}

#[test]
fn what_a_video_cannot_hold_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (name, flags, says) in [
        ("a.mp4", ["--size", "41x32"], "--size 41x32: the sides of a picture in .mp4 are even numbers"),
        (
            "a.y4m",
            ["--background", "transparent"],
            "--background transparent: .y4m has no transparent pixels",
        ),
        ("a.webm", ["--fps", "2000"], "this makes 2000 frames per second, but .webm allows 0.1 to 1000"),
    ] {
        let out = folder.path().join(name);
        let mut command = sinew(["builtin:twist"]);
        let refused = run(command.args(["--frames", "3"]).args(flags).arg("--screenshot").arg(&out));
        assert_eq!(refused.code, Some(2), "{}", refused.err);
        assert!(refused.err.contains(says), "{}", refused.err);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
