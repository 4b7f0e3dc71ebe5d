//! Tests the program from outside: exit codes, output streams and files, but not the contents of pictures.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use crate::common;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{Run, run, run_well, sinew};
use sinew::image::{Notes, read_png};
use sinew::model::gltf;

/// The flags of a very small picture.
const SMALL: [&str; 3] = ["builtin:strip", "--size", "16x16"];

/// Draws [`SMALL`] to `out`.
fn small(out: impl AsRef<Path>) -> Command {
    let mut command = sinew(SMALL);
    command.arg("--screenshot").arg(out.as_ref());
    command
}

/// Fails unless the program failed as promised: with this exit code, one line that says why, and nothing on standard
/// output.
#[track_caller]
pub fn assert_fails(command: &mut Command, code: i32, says: &[&str]) {
    let Run { code: found, out, err } = run(command);
    assert_eq!(found, Some(code), "{command:?}: {err}");
    assert!(out.is_empty(), "{command:?} wrote to standard output");
    let reasons: Vec<&str> = err.lines().filter(|line| !line.starts_with("warning: ")).collect();
    let [line] = reasons.as_slice() else { panic!("{command:?} gave {} lines: {err}", reasons.len()) };
    assert!(line.starts_with("error: ") && err.ends_with('\n'), "{command:?}: {err}");
    for text in says {
        assert!(line.contains(text), "{command:?} does not say '{text}': {err}");
    }
}

/// Two nodes, one of which the clip swings from left to right, and no mesh.
const BONES: &str = r#"{"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}],
    "nodes": [{"name": "hip", "children": [1]}, {"name": "foot", "translation": [0, -1, 0]}],
    "animations": [{"name": "swing", "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}],
        "samplers": [{"input": 0, "output": 1}]}],
    "accessors": [
        {"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1]},
        {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC4"}],
    "bufferViews": [{"buffer": 0, "byteLength": 8}, {"buffer": 0, "byteOffset": 8, "byteLength": 32}],
    "buffers": [{"byteLength": 40,
        "uri": "data:application/octet-stream;base64,AAAAAAAAgD8AAAAAAAAAAAAAAL/Xs10/AAAAAAAAAAAAAAA/17NdPw=="}]}"#;

#[test]
fn a_file_without_a_mesh_shows_its_skeleton() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bones.gltf");
    std::fs::write(&path, BONES).unwrap();
    let draw_at = |size: &str, flags: &[&str]| {
        let out = folder.path().join("bones.png");
        let mut command = sinew([path.as_os_str()]);
        let Run { code, err, .. } =
            run(command.args(["--size", size]).args(flags).arg("--screenshot").arg(&out));
        assert_eq!(code, Some(0), "{err}");
        (read_png(&out).unwrap(), err)
    };
    let draw = |flags: &[&str]| draw_at("64x64", flags);
    // Without flags it shows its clip; this is the first picture.
    let (picture, err) = draw(&[]);
    let warning = format!("warning: {}: it has no mesh; showing its skeleton\n", path.display());
    assert_eq!(err, warning);
    let columns = |picture: &sinew::image::Image| {
        let row = picture.width as usize * 4;
        let differs = |(at, pixel): (usize, &[u8])| (pixel != &picture.rgba[..4]).then_some(at % row / 4);
        picture
            .rgba
            .chunks_exact(4)
            .enumerate()
            .map(|(n, pixel)| (n * 4, pixel))
            .filter_map(differs)
            .collect::<Vec<_>>()
    };
    let first = columns(&picture);
    // Framing works: the skeleton fills most of the picture's height and stays inside.
    assert!(first.len() > 60, "{} pixels", first.len());
    let last = columns(&draw_at("160x160", &["--time", "1", "--camera=front", "--framing=clip"]).0);
    let first = columns(&draw_at("160x160", &["--time", "0", "--camera=front", "--framing=clip"]).0);
    let mean = |columns: &[usize]| columns.iter().sum::<usize>() / columns.len();
    assert!(mean(&first) + 40 < mean(&last), "the clip swings from {} to {}", mean(&first), mean(&last));
    assert!([first, last].concat().iter().all(|x| (1..159).contains(x)), "it leaves the picture");
    // Asking for the skeleton view gives no warning, and other views fall back to it.
    assert_eq!(draw(&["--view", "skeleton"]).1, "");
    assert!(draw(&["--view", "weights"]).0 == picture);

    std::fs::write(&path, r#"{"asset": {"version": "2.0"}}"#).unwrap();
    let says = draw(&[]).1;
    assert!(says.ends_with("it has neither meshes nor nodes; there is nothing to show\n"), "{says}");
}

#[test]
fn unknown_names_suggest_the_nearest() {
    let draw = |flags: &[&str]| {
        let mut command = sinew(["builtin:character", "--size", "16x16", "--screenshot", "-"]);
        command.args(flags);
        command
    };
    for (flags, code, near) in [
        (&["--clip", "Walk"][..], 1, "did you mean 'walk'?"),
        (&["--clip", "range_of_motion"], 1, "did you mean 'range-of-motion'?"),
        (&["--view", "joint:forarm.L"], 1, "did you mean 'forearm.L'?"),
        (&["--view", "weigths"], 2, "did you mean 'weights'?"),
        (&["--target", "Head"], 1, "did you mean 'head'?"),
        (&["--material", "bdy:roughness=1"], 1, "did you mean 'body'?"),
        (&["--joint", "hed=0,0,0"], 1, "did you mean 'head'?"),
        (&["--mode", "dqz"], 2, "a similar value exists: 'dqs'"),
        (&["--tim", "1"], 2, "a similar argument exists: '--time'"),
    ] {
        assert_fails(&mut draw(flags), code, &[near]);
    }
    assert_fails(&mut sinew(["builtin:charakter", "--screenshot", "-"]), 1, &["did you mean 'character'?"]);
    for flags in [["--view", "joint:tail"], ["--only-joint", "tail"], ["--target", "tail"]] {
        assert_fails(&mut draw(&flags), 1, &["no node 'tail'; 'sinew inspect MODEL --joints' lists them"]);
    }
}

#[test]
fn a_picture_is_written_in_silence() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("strip.png");
    assert!(run_well(&mut small(&path)).is_empty());
    let image = read_png(&path).unwrap();
    assert_eq!((image.width, image.height), (16, 16));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "something is left beside it");

    // Standard output gets the same bytes and nothing else.
    let bytes = std::fs::read(&path).unwrap();
    assert!(run_well(&mut small("-")) == bytes, "the picture on standard output is another one");
    if cfg!(unix) {
        assert!(run_well(&mut small("/dev/stdout")) == bytes, "the picture through a pipe is another one");
    }
    // Into the current folder, over an existing file.
    assert!(run_well(small("strip.png").current_dir(folder.path())).is_empty());
    std::fs::write(&path, "an old picture").unwrap();
    assert!(run_well(&mut small(&path)).is_empty());
    assert!(std::fs::read(&path).unwrap() == bytes);
}

#[test]
fn exit_code_1_is_for_the_input() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let out = folder.path().join("out.png");
    let draw = |model: &str, more: &[&str]| {
        let mut command = sinew([model]);
        command.args(more).arg("--screenshot").arg(&out);
        command
    };
    let given = |name: &str| format!("error: {name}: ");

    let missing = folder.path().join("missing.glb");
    assert_fails(&mut draw(missing.to_str().unwrap(), &[]), 1, &[&given(missing.to_str().unwrap())]);
    // Any other word for a pose is a file name.
    assert_fails(&mut draw("builtin:strip", &["--pose", "t"]), 1, &["error: t: no such file", "bind, rest"]);
    let is_folder = folder.path().to_str().unwrap();
    assert_fails(&mut draw(is_folder, &[]), 1, &[&given(is_folder)]);
    for (name, content) in [
        ("empty.glb", &b""[..]),
        ("garbage.gltf", b"\x89PNG\r\n"),
        ("page.glb", b"<html>404</html>"),
        ("text.gltf", b"{\"asset\": {}}"),
    ] {
        let path = file(name, content);
        assert_fails(&mut draw(&path, &[]), 1, &[&given(&path)]);
    }
    // The first bytes of a file decide its format, whatever its name.
    for (name, content, says) in [
        ("a.fbx", &b"Kaydara FBX Binary  \0\x1a\0"[..], "cannot be read as FBX or OBJ: "),
        ("a.gltf", b"Kaydara FBX Binary  \0\x1a\0\xe8\x1c\0\0", "cannot be read as FBX or OBJ: "),
        ("a.blend.glb", b"BLENDER-v279", "this is a Blender file; sinew reads glTF 2.0 (.gltf, .glb), FBX"),
    ] {
        let path = file(name, content);
        assert_fails(&mut draw(&path, &[]), 1, &[&format!("{}{says}", given(&path))]);
    }
    // Messages repeat a name as given, even a relative one.
    assert_fails(draw("empty.glb", &[]).current_dir(folder.path()), 1, &[&given("empty.glb")]);
    assert_fails(&mut draw("two\nlines.glb", &[]), 1, &["error: two\\nlines.glb: "]);

    assert_fails(&mut draw("builtin:teapot", &[]), 1, &["builtin:teapot", "character", "twist", "tube-N"]);
    assert_fails(&mut draw("builtin:tube-4097", &[]), 1, &["2 to 4096"]);
    let drawn = |clip| {
        let words =
            ["builtin:character", "--clip", clip, "--time", "1", "--size", "16x16", "--screenshot", "-"];
        run_well(&mut sinew(words))
    };
    assert!(drawn("#1") == drawn("1") && drawn("#1") != drawn("#2"));
    // The message lists the clips with their numbers.
    let clips = &common::builtin("character").clips;
    let listed: Vec<String> =
        (0..).zip(clips).map(|(n, clip): (usize, _)| format!("{n} '{}'", clip.name)).collect();
    let mut says = vec!["error: builtin:character: ", "'jump'"];
    says.extend(listed.iter().map(String::as_str));
    assert_fails(&mut draw("builtin:character", &["--clip", "jump"]), 1, &says);
    says[1] = "'99'";
    assert_fails(&mut draw("builtin:character", &["--clip", "99"]), 1, &says);
    // One unknown clip of several; for a blend, the message has the name without its weight.
    assert_fails(&mut draw("builtin:character", &["--clip", "0", "--clip", "99"]), 1, &says);
    assert_fails(&mut draw("builtin:character", &["--blend-clip", "99@0.3"]), 1, &says);
    says[1] = "'a@jump'";
    assert_fails(&mut draw("builtin:character", &["--blend-clip", "a@jump@0.3"]), 1, &says);
    let still = file("still.gltf", b"{\"asset\": {\"version\": \"2.0\"}}");
    assert_fails(&mut draw(&still, &["--blend-clip", "wave"]), 1, &["'wave'", "no clips at all"]);
    assert_fails(&mut draw("builtin:strip", &["--scene", "attic"]), 1, &["no scene 'attic'", "0 ''"]);
    let json = folder.path().join("out.json");
    let mut export = sinew(["export", "builtin:strip", "--scene", "9", "-o"]);
    assert_fails(export.arg(&json), 1, &["no scene '9'"]);
    let cameras = r#"{"asset": {"version": "2.0"}, "nodes": [{"camera": 0}, {"camera": 1, "name": "tower"}],
        "cameras": [{"name": "eye", "type": "perspective", "perspective": {"yfov": 1, "znear": 1}},
            {"type": "perspective", "perspective": {"yfov": 1, "znear": 1}}]}"#;
    let path = file("cameras.gltf", cameras.as_bytes());
    assert_fails(&mut draw(&path, &["--camera", "2"]), 1, &["no camera '2', but 0 'eye', 1 'tower'"]);
    for camera in ["eye", "tower", "1"] {
        let run = run(&mut sinew([&path, "--camera", camera, "--size", "4x4", "--screenshot", "-"]));
        assert!(run.code == Some(0) && run.out.len() > 8, "{}", run.err);
    }
    let many = r#"{"asset": {"version": "2.0"}, "nodes": [{"mesh": 0, "extensions":
            {"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": 1}}}}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}], "accessors": [
            {"componentType": 5126, "type": "VEC3", "count": 300000},
            {"componentType": 5126, "type": "VEC3", "count": 10000}]}"#;
    let path = file("many.gltf", many.as_bytes());
    assert_fails(&mut draw(&path, &[]), 1, &["3000000000 vertices", "the limit is 1073741824"]);
    assert_fails(
        sinew(["export", &path, "-o"]).arg(&json),
        1,
        &["3000000000 vertices", "the limit is 4194304"],
    );
    let buffer = r#"{"asset": {"version": "2.0"}, "buffers": [{"byteLength": 1, "uri": "../x.bin"}]}"#;
    let path = file("outside.gltf", buffer.as_bytes());
    assert_fails(&mut draw(&path, &[]), 1, &["leads out of the model's folder", "--allow-outside"]);
    assert_fails(&mut draw(&path, &["--allow-outside"]), 1, &["'../x.bin': no such file"]);
    assert!(!out.exists());
}

#[test]
fn exit_code_2_is_for_the_command_line() {
    let wrong: [(&[&str], &str); 24] = [
        (&["--frobnicate"], "--frobnicate"),
        (&["a.glb", "b.glb"], "one model"),
        (&["--size", "0x16"], "WIDTHxHEIGHT"),
        (&["--size", "16"], "WIDTHxHEIGHT"),
        (&["--size", "-16x16"], "-1"),
        (&["--size", "1e3x16"], "WIDTHxHEIGHT"),
        (&["--camera", "sideways"], "front, back"),
        (&["--camera", "0,91"], "pitch"),
        (&["--camera", "nan,0"], "front, back"),
        (&["--mode", "linear"], "lbs"),
        (&["--mode", ""], "--mode"),
        (&["--time", "soon"], "seconds"),
        (&["--time", "NaN"], "seconds"),
        (&["--time", "inf"], "seconds"),
        (&["--pose", "rest", "--joint", "t"], "--joint"),
        (&["--pose", "rest", "--clip", "0"], "--clip"),
        (&["--pose", "bind", "--time", "1"], "--time"),
        (&["--pose", "rest", "--blend-clip", "0"], "--blend-clip"),
        (&["--blend-clip", "0@1.5"], "0 to 1"),
        (&["--blend-clip", "0@NaN"], "0 to 1"),
        (&["--screenshot"], "--screenshot"),
        (&["--device", "no such device"], "sinew devices"),
        (&["--device", "99"], "sinew devices"),
        (&["devices", "--frobnicate"], "--frobnicate"),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (arguments, says) in wrong {
        let mut command = sinew(arguments);
        if !["devices", "--screenshot"].contains(&arguments[0]) {
            command.args(["--screenshot", "out.png"]);
        }
        assert_fails(command.current_dir(folder.path()), 2, &[says]);
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "something was written");
    // A sequence needs an output.
    let mut several = sinew(SMALL);
    assert_fails(several.args(["--frames", "2"]), 2, &["--screenshot"]);
    let mut window = sinew(SMALL);
    assert_fails(window.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY"), 4, &["--screenshot"]);
}

#[test]
fn exit_code_3_is_for_a_machine_without_vulkan() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.png");
    for mut command in [small(&out), sinew(["devices"])] {
        // Older loaders know only the second variable.
        let none = folder.path().join("none.json");
        command.env("VK_DRIVER_FILES", &none).env("VK_ICD_FILENAMES", &none);
        let advice =
            ["driver", "apt install mesa-vulkan-drivers", "dnf install", "pacman -S", "brew install"];
        assert_fails(&mut command, 3, &advice);
    }
    assert!(!out.exists());
}

/// One working driver is enough, whatever else is installed.
#[test]
fn a_broken_driver_beside_a_good_one_does_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let none = folder.path().join("none.json").display().to_string();
    let mut command = small("-");
    for variable in ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"] {
        if let Ok(drivers) = std::env::var(variable) {
            command.env(variable, format!("{none}:{drivers}"));
        }
    }
    // The loader uses this one only if neither of the others is set.
    command.env("VK_ADD_DRIVER_FILES", &none);
    assert!(!run_well(&mut command).is_empty());
}

#[test]
fn exit_code_5_is_for_the_output() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("no/such/folder/out.png");
    let in_the_way = folder.path().join("folder.png");
    std::fs::create_dir(&in_the_way).unwrap();
    for out in [nowhere, in_the_way] {
        assert_fails(&mut small(&out), 5, &[&format!("error: {}: ", out.display())]);
    }
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let below_file = file.join("out.png");
    assert_fails(&mut small(&below_file), 5, &[&format!("error: {}: ", below_file.display())]);
    assert_fails(sinew(["builtins", "--write"]).arg(&file), 5, &[&format!("error: {}: ", file.display())]);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "something is left behind");
    if cfg!(target_os = "linux") {
        assert_fails(&mut small("/dev/full"), 5, &["error: /dev/full: "]);
    }
}

/// A closed pipe never causes a panic, and is a failure only if a picture is lost.
#[test]
fn closed_pipes_are_no_panic() {
    let closed = |mut command: Command| {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop((child.stdout.take(), child.stderr.take()));
        child.wait().unwrap().code()
    };
    assert_eq!(closed(small("-")), Some(5));
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(closed(small(folder.path().join("none/out.png"))), Some(5));
    assert_eq!(closed(sinew(["missing.glb", "--screenshot", "-"])), Some(1));
    for listing in [&["devices"][..], &["builtins"], &["--help"], &["--version"]] {
        assert_eq!(closed(sinew(listing)), Some(0), "{listing:?}");
    }
    let mut talkative = sinew(["devices"]);
    talkative.env("SINEW_LOG", "trace");
    assert_eq!(closed(talkative), Some(0));
    let mut write = sinew(["builtins", "--write"]);
    write.arg(folder.path());
    assert_eq!(closed(write), Some(0));
}

#[test]
fn names_in_files_cannot_speak_to_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("speaks.glb");
    let glb = sinew::model::builtin::glb("strip").unwrap();
    let mut model = gltf::load_bytes(&glb, None).unwrap();
    let name = "line\nbreak\u{1b}[31m\u{2028}";
    model.rig.names.iter_mut().for_each(|node| *node = name.to_owned());
    model.clips.iter_mut().for_each(|clip| clip.name = name.to_owned());
    std::fs::write(&path, gltf::write_glb(&model).unwrap()).unwrap();

    let mut unknown_clip = sinew(["export", "--clip", "none", "--output", "-"]);
    assert_fails(unknown_clip.arg(&path), 1, &["'line\\nbreak\\u{1b}[31m\\u{2028}'"]);
    let table = String::from_utf8(run_well(sinew(["verify"]).arg(&path))).unwrap();
    assert!(table.contains("line\\nbreak\\u{1b}[31m") && !table.contains('\u{1b}'), "{table}");
}

#[test]
fn help_and_version_are_on_standard_output() {
    let text = |argument: &str| String::from_utf8(run_well(&mut sinew([argument]))).unwrap();
    let (long, short) = (text("--help"), text("-h"));
    for part in ["Examples:", "Exit codes:", "0 done", "builtin:twist", "--camera", "XDG_CACHE_HOME", "dqs"] {
        assert!(long.contains(part), "--help does not say '{part}'");
    }
    for line in long.lines() {
        assert!(line.chars().count() <= 110, "a long line in --help: {line}");
    }
    assert!(short.contains("--screenshot") && short.contains("'sinew --help'"));
    assert!(
        short.lines().count() < 49 && short.lines().count() < long.lines().count(),
        "-h is the short one"
    );
    assert_eq!(text("--version"), format!("sinew {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn devices_are_listed_with_a_verdict() {
    let list = String::from_utf8(run_well(&mut sinew(["devices"]))).unwrap();
    assert!(list.lines().any(|line| line.trim() == "can run sinew"), "{list}");
    for part in ["0  ", "driver  ", "Vulkan  1."] {
        assert!(list.contains(part), "no '{part}' in {list}");
    }
}

#[test]
fn builtins_are_listed_and_written_as_files_that_load() {
    let list = String::from_utf8(run_well(&mut sinew(["builtins"]))).unwrap();
    for name in ["character", "robot", "twist", "bend", "elbow", "strip", "tube-N"] {
        assert!(list.lines().any(|line| line.starts_with(&format!("builtin:{name} "))), "{list}");
    }
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("new/folder");
    let glb_files = |folder: &Path| {
        let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<PathBuf> =
            paths.filter(|path| path.extension().is_some_and(|e| e == "glb")).collect();
        files.sort();
        files
    };
    let Run { code, out, err } = run(sinew(["builtins", "--write"]).arg(&target));
    assert_eq!((code, out.len()), (Some(0), 0), "{err}");
    // The repository has the same files, to the byte.
    let assets = glb_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("assets"));
    let written = glb_files(&target);
    assert_eq!(written.len(), assets.len(), "{written:?}");
    for (path, asset) in written.iter().zip(&assets) {
        let model = gltf::load(path).unwrap();
        assert!(!model.instances.is_empty() && model.warnings.is_empty(), "{}", path.display());
        assert_eq!(path.file_name(), asset.file_name());
        assert!(std::fs::read(path).unwrap() == std::fs::read(asset).unwrap(), "{}", asset.display());
    }
    // The written file makes the same picture as the built-in name.
    let [from_file, from_name] = ["a.png", "b.png"].map(|name| folder.path().join(name));
    let command = ["--size", "16x16", "--screenshot"];
    run_well(sinew([target.join("strip.glb")]).args(command).arg(&from_file));
    run_well(&mut small(&from_name));
    assert_eq!(read_png(&from_file).unwrap(), read_png(&from_name).unwrap());
    // Both record the same digest of the model.
    let model = |path: &Path| Notes::read(path).unwrap().get("Model SHA-256").unwrap().to_owned();
    assert_eq!(model(&from_file), model(&from_name));
}

/// A killed program leaves either the old picture or the new one.
#[test]
#[cfg(unix)]
fn a_killed_program_leaves_no_half_picture() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.png");
    std::fs::write(&path, "old").unwrap();
    let mut command = sinew(["builtin:strip", "--size", "2000x2000", "--screenshot"]);
    let mut child = command.arg(&path).stderr(Stdio::null()).spawn().unwrap();
    // Writing has begun as soon as a second file exists.
    let start = Instant::now();
    while std::fs::read_dir(folder.path()).unwrap().count() < 2 && child.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < Duration::from_secs(60), "no file appears");
        std::thread::sleep(Duration::from_micros(200));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let left = std::fs::read(&path).unwrap();
    assert!(left == b"old" || read_png(&path).is_ok(), "half a picture of {} bytes", left.len());
}

#[test]
fn a_crowd_shows_no_single_figure() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("crowd.png");
    for flags in [
        &["--view", "skeleton"][..],
        &["--view", "difference:dqs"],
        &["--overlay", "skeleton,grid"],
        &["--onion", "2@0.1"],
        &["--explain", "node0:0:1"],
    ] {
        let says = ["--crowd cannot be used with", "one figure"];
        assert_fails(small(&out).args(["--crowd", "4"]).args(flags), 2, &says);
    }
    assert_fails(small(&out).args(["--seed", "4"]), 2, &["--crowd"]);
    run_well(small(&out).args(["--crowd", "4", "--seed", "9", "--overlay", "grid", "--split", "dqs"]));
    let shown = String::from_utf8(run_well(sinew(["show"]).arg(&out))).unwrap();
    assert!(shown.contains(" --crowd 4 --seed 9 "), "{shown}");
}
