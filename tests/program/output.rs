//! Tests picture files that the program writes: notes, sequences, animations, and sizes that need tiles. Independent
//! decoders read them back.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use crate::common;
use crate::frames;
use crate::studio;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use common::{builtin, run, run_well, scene, sinew};
use frames::frames;
use sinew::image::{Image, Notes, read_png};
use sinew::skinning::SkinningMode;
use sinew::skinning::pose::PoseChoice;
use sinew::vulkan::VulkanError;
use studio::Studio;

/// The twisting rod, small.
fn small(out: &Path, flags: &[&str]) -> std::process::Command {
    let mut command = sinew(["builtin:twist", "--size", "40x32"]);
    command.args(flags).arg("--screenshot").arg(out);
    command
}

fn files(folder: &Path) -> Vec<String> {
    let name = |entry: fs::DirEntry| entry.file_name().to_str().unwrap().to_owned();
    let mut names: Vec<String> = fs::read_dir(folder).unwrap().map(|entry| name(entry.unwrap())).collect();
    names.sort();
    names
}

/// The record is the renderer's decision, not the flag.
#[test]
fn a_picture_says_where_it_was_skinned() {
    let folder = tempfile::tempdir().unwrap();
    let shown = |name: &str, flags: &[&str]| -> serde_json::Value {
        let path = folder.path().join(name);
        let size: &[&str] = if flags.contains(&"--size") { &[] } else { &["--size", "40x32"] };
        run_well(sinew(["builtin:twist"]).args(flags).args(size).arg("--screenshot").arg(&path));
        serde_json::from_slice(&run_well(sinew(["show", "--json"]).arg(&path))).unwrap()
    };
    for (name, flags, says) in [
        ("a.png", &["--skin", "gpu"][..], "lbs on the GPU"),
        ("a.jpg", &["--skin", "cpu"], "lbs on the CPU"),
        ("b.png", &["--skin", "compute"], "lbs on the GPU (compute shader)"),
        ("c.png", &["--skin", "compute", "--crowd", "2"], "lbs on the GPU (compute shader)"),
        ("d.png", &["--skin", "gpu", "--split", "mode=lbs", "--split", "mode=dqs"], "lbs and dqs on the GPU"),
        ("a.apng", &["--skin", "cpu", "--frames", "2"], "lbs on the CPU"),
    ] {
        assert_eq!(shown(name, flags)["skinned"], says, "{flags:?}");
    }
    let by_itself = shown("e.png", &[]);
    let is_software = ["llvmpipe", "SwiftShader"].iter().any(|name| by_itself.to_string().contains(name));
    let says =
        if is_software { "lbs on the CPU (software driver)" } else { "lbs on the GPU (compute shader)" };
    assert_eq!(by_itself["skinned"], says);
    let text = run_well(sinew(["show"]).arg(folder.path().join("e.png")));
    assert!(String::from_utf8(text).unwrap().contains(&format!("\nskinned        {says}\n")));
    for flags in [&["--view", "skeleton"][..], &["--size", "5000x8", "--quality", "draft"]] {
        assert_eq!(shown("f.png", flags)["skinned"], serde_json::Value::Null, "{flags:?}");
    }
}

#[test]
fn a_picture_says_what_it_was_made_from_and_the_same_arguments_make_the_same_file() {
    let folder = tempfile::tempdir().unwrap();
    let [a, b, c] = ["a.png", "b.png", "c.png"].map(|name| folder.path().join(name));
    run_well(&mut small(&a, &["--time", "0.5"]));
    run_well(&mut small(&b, &["--time", "0.5"]));
    assert!(fs::read(&a).unwrap() == fs::read(&b).unwrap(), "two runs make two files");

    let shown = String::from_utf8(run_well(sinew(["show"]).arg(&a))).unwrap();
    let json = run_well(sinew(["show", "--json"]).arg(&a));
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    let text = |key: &str| json[key].as_str().unwrap();
    assert_eq!(text("software"), concat!("sinew ", env!("CARGO_PKG_VERSION")));
    assert_eq!(json["files_sha256"], serde_json::Value::Null);
    assert!(!text("device").is_empty() && !text("driver").is_empty());
    for key in ["software", "command", "model_sha256", "device", "driver"] {
        assert!(shown.contains(text(key)), "{key} is not in {shown}");
    }
    assert!(!shown.contains("files"), "{shown}");

    // The command in the notes draws the picture again.
    let words: Vec<&str> = text("command").split(' ').collect();
    assert_eq!(words[0], "sinew");
    run_well(sinew(&words[1..]).arg("--screenshot").arg(&c));
    assert!(fs::read(&a).unwrap() == fs::read(&c).unwrap(), "{words:?} makes another file");
}

/// The digests equal those of other programs.
#[test]
fn digests_are_of_the_files_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(
        path("füchs 狐.gltf"),
        r#"{"asset":{"version":"2.0"},"buffers":[{"uri":"b/b.bin","byteLength":3}],"scenes":[{}],"scene":0}"#,
    )
    .unwrap();
    fs::create_dir(path("b")).unwrap();
    fs::write(path("b/b.bin"), "abc").unwrap();
    let out = path("a.png");
    let drawn = run(sinew([path("füchs 狐.gltf")]).args(["--size", "8x8", "--screenshot"]).arg(&out));
    assert_eq!(drawn.code, Some(0), "{}", drawn.err);
    let notes = Notes::read(&out).unwrap();
    assert!(notes.get("Command").unwrap().contains("füchs 狐.gltf"), "{notes:?}");
    let other = |path: &Path| {
        let found = std::process::Command::new("sha256sum").arg(path).output().unwrap().stdout;
        String::from_utf8(found).unwrap().split(' ').next().unwrap().trim_start_matches('\\').to_owned()
    };
    assert_eq!(notes.get("Model SHA-256"), Some(other(&path("füchs 狐.gltf")).as_str()));
    fs::write(path("list"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  b/b.bin\n")
        .unwrap();
    assert_eq!(notes.get("Model files SHA-256"), Some(other(&path("list")).as_str()));
}

#[test]
fn pictures_that_say_nothing_and_broken_ones_are_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.png");
    let object = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let found = run(sinew(["show"]).arg(&path));
        assert_eq!((found.code, found.err.lines().count()), (Some(1), 1), "{}", found.err);
        assert!(found.err.starts_with("error: ") && found.out.is_empty(), "{}", found.err);
    };
    common::write_picture(&Image { width: 1, height: 1, rgba: vec![0; 4] }, &path);
    let silent = fs::read(&path).unwrap();
    object(&silent);
    object(b"");
    object(b"no picture");
    run_well(&mut small(&path, &[]));
    let whole = fs::read(&path).unwrap();
    for length in [8, 20, 33, 60, 100, 150] {
        object(&whole[..length]);
    }
    assert_eq!(run(sinew(["show"]).arg(folder.path().join("none.png"))).code, Some(1));
    assert_eq!(run(sinew(["show"]).arg(folder.path())).code, Some(1));

    // A text that decompresses to a thousand times its size is left out; escape sequences are removed.
    let texts = |text: &str| {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 1, 1);
        encoder.add_text_chunk("Software".to_owned(), "sinew 9".to_owned()).unwrap();
        encoder.add_ztxt_chunk("Command".to_owned(), text.to_owned()).unwrap();
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(&[0]).unwrap();
        writer.finish().unwrap();
        bytes
    };
    let bomb = texts(&"a".repeat(64 << 20));
    assert!(bomb.len() < 1 << 20, "{}", bomb.len());
    object(&bomb);
    fs::write(&path, texts("sinew \u{1b}[31mred\n")).unwrap();
    let shown = String::from_utf8(run_well(sinew(["show"]).arg(&path))).unwrap();
    assert!(!shown.contains('\u{1b}') && shown.lines().count() == 2, "{shown:?}");
}

#[test]
fn a_numbered_sequence_is_what_single_pictures_are() {
    // Panes move as the whole does, those with a view too.
    for panes in [&[][..], &["--split", "view=normals", "--split", "view=weights mode=dqs"]] {
        let folder = tempfile::tempdir().unwrap();
        let draw = |name: &str, flags: &[&str]| {
            run_well(&mut small(&folder.path().join(name), &[flags, panes].concat()));
        };
        draw("a-{frame}.png", &["--frames", "4", "--time", "1"]);
        assert_eq!(files(folder.path()), ["a-0000.png", "a-0001.png", "a-0002.png", "a-0003.png"]);
        // The clip lasts 2 s, of which 1 s is left, so the pictures are 1/4 s apart.
        let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
        for (number, time) in [(0, "1"), (1, "1.25"), (3, "1.75")] {
            draw("single.png", &["--time", time, "--framing", "clip"]);
            assert!(read("single.png") == read(&format!("a-000{number}.png")), "{time} {panes:?}");
        }
        let rgba = |number| read_png(&folder.path().join(format!("a-000{number}.png"))).unwrap().rgba;
        let [first, last] = [rgba(0), rgba(3)].map(|rgba| halves(&rgba));
        assert!(first.iter().zip(&last).all(|(first, last)| first != last), "a half stands still: {panes:?}");
    }
}

/// The pixels of the left half of a picture of 40 columns, and of the right half.
fn halves(rgba: &[u8]) -> [Vec<u8>; 2] {
    let half = |from: usize| {
        let rows = rgba.chunks_exact(40 * 4);
        rows.flat_map(|row| row[from * 4..][..20 * 4].iter().copied()).collect()
    };
    [half(0), half(20)]
}

#[test]
fn moving_pictures_have_all_frames_and_their_times() {
    let folder = tempfile::tempdir().unwrap();
    let stills = folder.path().join("{frame:2}.png");
    run_well(&mut small(&stills, &["--frames", "3"]));
    let stills: Vec<Image> =
        (0..3).map(|number| read_png(&folder.path().join(format!("0{number}.png"))).unwrap()).collect();
    for extension in ["apng", "gif", "webp"] {
        let out = folder.path().join(format!("a.{extension}"));
        run_well(&mut small(&out, &["--frames", "3"]));
        let found = frames(&out);
        assert_eq!(found.len(), 3, "{extension}");
        // Three frames in two seconds.
        let time: f64 = found.iter().map(|(_, millis)| millis).sum();
        assert!((time - 2000.0).abs() < 0.5, "{extension}: {time} ms");
        for ((pixels, millis), still) in found.iter().zip(&stills) {
            assert!((millis - 2000.0 / 3.0).abs() <= 10.0, "{extension}: {millis} ms");
            let step = pixels.iter().zip(&still.rgba).map(|(a, b)| a.abs_diff(*b));
            let mean = step.clone().map(f64::from).sum::<f64>() / pixels.len() as f64;
            match extension {
                "gif" => assert!(mean < 4.0, "{mean}"),
                _ => assert_eq!(step.max(), Some(0), "{extension} has lost something"),
            }
        }
        assert_ne!(found[0].0, found[1].0, "nothing moves");
    }
    let bytes = |name: &str| fs::read(folder.path().join(name)).unwrap();
    // All three loop forever.
    assert!(bytes("a.gif").windows(16).any(|part| part == b"NETSCAPE2.0\x03\x01\0\0\0"));
    assert!(bytes("a.apng").windows(12).any(|part| part == b"acTL\0\0\0\x03\0\0\0\0"));
    assert!(bytes("a.webp").windows(14).any(|part| part == b"ANIM\x06\0\0\0\0\0\0\0\0\0"));
    // Programs that know only PNG show the first frame of an APNG; the command in its notes writes the same file again.
    assert_eq!(read_png(&folder.path().join("a.apng")).unwrap(), stills[0]);
    let notes = Notes::read(&folder.path().join("a.apng")).unwrap();
    let words: Vec<&str> = notes.get("Command").unwrap().split(' ').collect();
    let again = folder.path().join("again.apng");
    run_well(sinew(&words[1..]).arg("--screenshot").arg(&again));
    assert!(bytes("a.apng") == fs::read(&again).unwrap(), "{words:?} makes another file");
}

#[test]
fn a_moving_picture_alone_is_the_whole_clip() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a.gif");
    run_well(&mut small(&out, &["--time", "0.8"]));
    let found = frames(&out);
    // 1.2 s at 25 frames per second.
    assert_eq!(found.len(), 30);
    assert!(found.iter().all(|(_, millis)| *millis == 40.0));
}

#[test]
fn a_turntable_goes_round() {
    let folder = tempfile::tempdir().unwrap();
    let turn = |name: &str, flags: &[&str]| run_well(&mut small(&folder.path().join(name), flags));
    turn("t{frame}.png", &["--turntable", "4", "--time", "1", "--camera=0,0"]);
    let command = |number: u32| {
        let notes = Notes::read(&folder.path().join(format!("t000{number}.png"))).unwrap();
        notes.get("Command").unwrap().to_owned()
    };
    for (number, yaw) in [(0, "0,0,"), (1, "90,0,"), (2, "180,0,"), (3, "270,0,")] {
        let command = command(number);
        assert!(command.contains(&format!("--time 1 --camera={yaw}")), "{command}");
    }
    let distance = |number| command(number).split(',').next_back().unwrap().to_owned();
    assert_eq!(distance(0), distance(3));
    turn("t.webp", &["--turntable"]);
    let found = frames(&folder.path().join("t.webp"));
    assert_eq!(found.len(), 48);
    assert!(found.iter().all(|(_, millis)| *millis == 80.0));
}

/// Each pane is a frame, through one viewpoint; its command draws it alone.
#[test]
fn steps_show_one_pane_after_the_other() {
    let folder = tempfile::tempdir().unwrap();
    let out = |name: &str| folder.path().join(name);
    let split = ["--split", "pose=bind caption=as stored", "--split", "mode=rigid", "--split", "mode=dqs"];
    run_well(small(&out("s{frame}.png"), &split).args(["--steps", "--time", "1"]));
    let mut cameras = Vec::new();
    for number in 0..3 {
        let name = out(&format!("s000{number}.png"));
        let command = Notes::read(&name).unwrap().get("Command").unwrap().to_owned();
        let words = shlex::split(&command).unwrap();
        cameras.extend(words.iter().filter(|word| word.starts_with("--camera=")).cloned());
        let again = out("again.png");
        run_well(sinew(&words[1..]).arg("--screenshot").arg(&again));
        assert_eq!(read_png(&again).unwrap().rgba, read_png(&name).unwrap().rgba, "{command}");
    }
    assert!(cameras.len() == 3 && cameras.iter().all(|camera| *camera == cameras[0]), "{cameras:?}");
    run_well(&mut small(&out("s.webp"), &["--split", "dqs,cor", "--steps", "--fps", "2"]));
    let found = frames(&out("s.webp"));
    assert!(found.len() == 3 && found.iter().all(|(_, millis)| *millis == 500.0));
}

#[test]
fn what_makes_no_sequence_is_one_line_about_usage() {
    let folder = tempfile::tempdir().unwrap();
    let all: [(&str, &[&str]); 19] = [
        ("a.png", &["--frames", "2"]),
        ("a.png", &["--turntable", "2"]),
        ("a.png", &["--split", "dqs", "--steps"]),
        ("a.gif", &["--steps"]),
        ("a.gif", &["--split", "dqs", "--steps", "--frames", "2"]),
        ("-", &["--fps", "2000"]),
        ("a{frame}.png", &["--frames", "0"]),
        ("a{frame}.png", &["--turntable", "0"]),
        ("a{frame}.png", &["--frames", "100001"]),
        ("a{frame}.png", &["--fps", "0"]),
        ("a{frame}.png", &["--fps", "NaN"]),
        ("a{frame}.png", &["--fps", "inf"]),
        ("a{frame}.png", &["--frames", "2", "--turntable", "2"]),
        ("a{frame}.png", &["--pose", "rest"]),
        ("a.gif", &["--time", "2"]),
        ("a.gif", &["--fps", "60"]),
        ("a{frame}.gif", &[]),
        ("a.mov", &[]),
        ("a.png", &["--size", "70000x4"]),
    ];
    for (name, flags) in all {
        let out = if name == "-" { PathBuf::from(name) } else { folder.path().join(name) };
        // The last --size counts.
        let mut command = sinew(["builtin:twist"]);
        command.args(flags).arg("--screenshot").arg(&out);
        let found = run(&mut command);
        assert_eq!(found.code, Some(2), "{name} {flags:?}: {}", found.err);
        assert_eq!(found.err.lines().count(), 1, "{}", found.err);
        assert!(found.err.starts_with("error: ") && found.out.is_empty(), "{}", found.err);
    }
    assert_eq!(files(folder.path()), [""; 0]);
}

/// Kills the program while it writes a sequence.
#[test]
fn a_killed_sequence_leaves_whole_files() {
    let folder = tempfile::tempdir().unwrap();
    let old = folder.path().join("old.apng");
    fs::write(&old, "old").unwrap();
    for name in ["{frame}.png", "old.apng"] {
        let mut command = small(&folder.path().join(name), &["--turntable", "3000"]);
        let mut child = command.stderr(Stdio::null()).spawn().unwrap();
        let start = Instant::now();
        // The second run removes what the first has left.
        let own = format!(".sinew-{}-", child.id());
        let is_writing = || match files(folder.path()) {
            files if name == "old.apng" => files.iter().any(|file| file.starts_with(&own)),
            files => files.iter().filter(|file| file.starts_with('0')).count() >= 8,
        };
        while !is_writing() {
            assert!(start.elapsed() < Duration::from_secs(100), "nothing appears");
            assert!(child.try_wait().unwrap().is_none(), "it has ended");
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let pictures: Vec<String> =
        files(folder.path()).into_iter().filter(|name| name.starts_with('0')).collect();
    assert!(pictures.len() >= 8, "{pictures:?}");
    for name in pictures {
        let image = read_png(&folder.path().join(&name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!([image.width, image.height], [40, 32]);
    }
    assert_eq!(fs::read(&old).unwrap(), b"old");
}

/// A picture drawn in tiles equals the same picture drawn at once. A rasterizer starts its sums at the corner of its
/// image, so single colours may round differently; a shifted edge or a seam would change many pixels by more than one
/// step.
#[test]
fn tiles_make_the_picture() {
    let mut studio = Studio::open();
    for (name, size, tile) in [
        ("character", [160, 120], [64, 32]),
        ("character", [101, 75], [26, 18]),
        ("twist", [96, 64], [32, 64]),
    ] {
        let model = builtin(name);
        let scene = scene(SkinningMode::DualQuat, PoseChoice::clip(0, 0.4), size);
        let whole = studio.draw(&model, &scene);
        let mut gpu = studio.renderer.upload(model.clone()).unwrap();
        let mut rows = Vec::new();
        let put = |band: &[u8]| {
            rows.extend_from_slice(band);
            Ok::<(), VulkanError>(())
        };
        studio.renderer.draw_rows(&mut gpu, &scene, tile, put).unwrap();
        drop(gpu);
        let tiled = Image { width: size[0], height: size[1], rgba: rows };
        let steps: Vec<u8> = whole.rgba.iter().zip(&tiled.rgba).map(|(a, b)| a.abs_diff(*b)).collect();
        let differing = steps.chunks(4).filter(|pixel| pixel.iter().any(|step| *step > 0)).count();
        let worst = steps.iter().max();
        println!(
            "{name} {size:?} in {tile:?}: {differing} of {} pixels differ, by {worst:?}",
            steps.len() / 4
        );
        assert_eq!(tiled.rgba.len(), whole.rgba.len());
        assert!(worst <= Some(&1), "{name} {size:?} in {tile:?}: off by {worst:?}");
        assert!(differing <= steps.len() / 4 / 1000, "{name} {size:?} in {tile:?}: {differing} pixels");
    }
    studio.close();
}

/// The program never draws that much at once; users of the library get an error with the limit.
#[test]
fn a_size_beyond_the_devices_limit_is_an_error_that_says_so() {
    let mut studio = Studio::open();
    let mut gpu = studio.renderer.upload(builtin("strip")).unwrap();
    for (size, side) in [([100_000, 16], "width"), ([16, 100_000], "height")] {
        let scene = scene(SkinningMode::Linear, PoseChoice::Rest, size);
        let error = studio.renderer.draw(&mut gpu, &scene).unwrap_err();
        assert!(!error.is_unavailable(), "{error}");
        for part in [side, "100000", "at most"] {
            assert!(error.to_string().contains(part), "{error}");
        }
    }
    drop(gpu);
    studio.close();
}

/// A picture wider than the limit for one draw is complete.
#[test]
fn a_picture_beyond_what_is_drawn_at_once_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wide.png");
    run_well(sinew(["builtin:strip", "--pose", "rest", "--size", "4300x600", "--screenshot"]).arg(&path));
    let image = read_png(&path).unwrap();
    assert_eq!([image.width, image.height], [4300, 600]);
    let bend = &image.rgba[..4];
    let covered = |x: usize, y: usize| &image.rgba[(y * 4300 + x) * 4..][..4] != bend;
    // It is visible across both bands of tiles, without gaps.
    let rows: Vec<usize> = (0..600).filter(|y| (0..4300).any(|x| covered(x, *y))).collect();
    assert!(rows[0] < 100 && rows[rows.len() - 1] > 520, "{} to {}", rows[0], rows[rows.len() - 1]);
    let gaps = rows.windows(2).filter(|pair| pair[1] != pair[0] + 1).count();
    assert_eq!(gaps, 0);
}
