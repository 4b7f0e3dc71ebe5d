//! Tests what makes daily work short: the config file, models through a pipe, pictures that lose something, devices as
//! JSON, manual pages.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use sinew::image::{Notes, read_png};
use sinew::model::builtin;
use sinew::model::decoding::{Format, Limits};

use crate::cli::assert_fails;
use crate::common::{Run, run, run_well, sinew};
use crate::frames::frames;

/// The recorded command of a picture.
fn recorded(path: &Path) -> String {
    Notes::read(path).unwrap().get("Command").unwrap().to_owned()
}

/// A command with a config file of these lines, in a separate folder.
fn with_config(folder: &Path, config: &str, words: &[&str]) -> Command {
    std::fs::create_dir_all(folder.join("sinew")).unwrap();
    std::fs::write(folder.join("sinew/config.toml"), config).unwrap();
    let mut command = sinew(words);
    command.env("XDG_CONFIG_HOME", folder).current_dir(folder);
    command
}

#[test]
fn a_config_file_sets_flags_and_gives_way() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let config = "size = '16x16'\nmode = 'dqs'\noverlay = ['skeleton', 'grid']\n[export]\nmode = 'cor'\n";
    let draw = |more: &[&str]| {
        let words = [&["builtin:strip", "--screenshot", "a.png"], more].concat();
        run_well(&mut with_config(folder, config, &words));
        recorded(&folder.join("a.png"))
    };
    // The picture's command needs no config.
    let command = draw(&[]);
    for flag in ["--mode dqs", "--size 16x16", "--overlay skeleton,grid"] {
        assert!(command.contains(flag), "{command}");
    }
    let drawn = std::fs::read(folder.join("a.png")).unwrap();
    let words: Vec<&str> = command.split(' ').skip(1).chain(["--screenshot", "-"]).collect();
    assert_eq!(run_well(&mut sinew(words)), drawn);
    let command = draw(&["-m", "lbs"]);
    assert!(command.contains("--mode lbs") && command.contains("--size 16x16"), "{command}");
    let command = draw(&["--no-config", "--size", "8x8"]);
    assert!(command.contains("--mode lbs") && !command.contains("overlay"), "{command}");
    // Another file, or none.
    std::fs::write(folder.join("other.toml"), "size = '8x8'\nmode = 'rigid'\n").unwrap();
    for (path, mode) in [("other.toml", "--mode rigid"), ("", "--mode lbs")] {
        let words = ["builtin:strip", "--screenshot", "a.png", "--quality", "plain"];
        run_well(with_config(folder, config, &words).env("SINEW_CONFIG", path));
        assert!(recorded(&folder.join("a.png")).contains(mode), "{path}");
    }
    let export = ["export", "builtin:strip", "--on", "cpu", "-o", "-"];
    let json: Value = serde_json::from_slice(&run_well(&mut with_config(folder, config, &export))).unwrap();
    assert_eq!(json["mode"], "cor");
}

#[test]
fn the_config_file_of_the_docs_works() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference/config.md");
    let docs = std::fs::read_to_string(docs).unwrap();
    let config = docs.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let with_config = |words: &[&str]| with_config(folder.path(), config, words);
    let exported = run_well(&mut with_config(&["export", "builtin:strip", "--on", "cpu", "-o", "-"]));
    assert_eq!(serde_json::from_slice::<Value>(&exported).unwrap()["mode"], "dqs");
    let Run { code, err, .. } = run(&mut with_config(&["compare", "builtin:bend", "--frames", "2"]));
    assert_eq!((code, err.lines().count()), (Some(6), 1), "{err}");
    assert!(err.ends_with("the limit is 5 mm\n"), "{err}");
}

#[test]
fn mistakes_in_a_config_file_have_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let draw = ["builtin:strip", "--screenshot", "a.png"];
    for (config, says) in [
        ("size = '8x8'\ncamra = 'front'\n", "line 2: unknown key 'camra'; did you mean 'camera'?"),
        ("size = '8'\n", "line 1: invalid value '8' for '--size <WxH>': expected WIDTHxHEIGHT"),
        ("mode = 'lbs\n", "line 1: "),
        ("\n[exprot]\n", "line 2: unknown table [exprot]; did you mean [export]?"),
    ] {
        let mut command = with_config(folder, config, &draw);
        let path = folder.join("sinew/config.toml");
        assert_fails(&mut command, 1, &[&format!("error: {}: {says}", path.display())]);
        // Help, and what has no use for the file, goes on.
        for words in [
            &["--help"][..],
            &["man"],
            &["builtin:strip", "--no-config", "--size", "8x8", "--screenshot", "b.png"],
        ] {
            run_well(&mut with_config(folder, config, words));
        }
    }
    // Only regular files of a bearable size are read.
    for (path, says) in
        [("none.toml", "no such file"), (".", "not a regular file"), ("large.toml", "larger than 1 MiB")]
    {
        std::fs::write(folder.join("large.toml"), "#".repeat((1 << 20) + 1)).unwrap();
        let mut command = with_config(folder, "", &draw);
        assert_fails(command.env("SINEW_CONFIG", path), 1, &[&format!("error: {path}: {says}")]);
    }
    #[cfg(unix)]
    {
        run_well(Command::new("mkfifo").arg(folder.join("pipe")));
        let mut command = with_config(folder, "", &draw);
        assert_fails(command.env("SINEW_CONFIG", "pipe"), 1, &["error: pipe: not a regular file"]);
    }
    // It is an input: nothing is written over it.
    std::fs::write(folder.join("c.json"), "mode = 'lbs'\n").unwrap();
    let mut command = with_config(folder, "", &["export", "builtin:strip", "-o", "c.json"]);
    assert_fails(
        command.env("SINEW_CONFIG", "c.json"),
        2,
        &["c.json: the output would overwrite the config file"],
    );
}

/// Goldens are the same for everybody, and so are the answers of a server.
#[test]
fn goldens_and_servers_read_no_config() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let list = "[[case]]\nname = 'a'\nmodel = 'builtin:strip'\nsize = '16x16'\n";
    std::fs::write(folder.join("golden.toml"), list).unwrap();
    run(&mut with_config(folder, "", &["golden", ".", "--update"]));
    run_well(&mut with_config(folder, "mode = 'rigid'\nview = 'weights'\n", &["golden", "."]));
    let mut command = with_config(folder, "nonsense", &["serve"]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"{\"load\": \"builtin:strip\"}\n{\"load\": \"-\"}\n").unwrap();
    let answers = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    let answers: Vec<&str> = answers.lines().collect();
    assert!(
        answers[0].starts_with("{\"ok\"") && answers[1].contains("standard input has the commands"),
        "{answers:?}"
    );
}

/// Runs with bytes on standard input.
fn piped(bytes: &[u8], command: &mut Command) -> Run {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut to = child.stdin.take().unwrap();
    let bytes = bytes.to_vec();
    // The program may end before it has read all.
    let writer = std::thread::spawn(move || drop(to.write_all(&bytes)));
    let found = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Run { code: found.status.code(), out: found.stdout, err: String::from_utf8(found.stderr).unwrap() }
}

#[test]
fn a_model_comes_through_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let glb = builtin::glb("strip").unwrap();
    std::fs::write(folder.join("strip.glb"), &glb).unwrap();
    let small = ["--size", "16x16", "--screenshot", "a.png"];
    let found = piped(&glb, sinew(["-"]).args(small).current_dir(folder));
    assert_eq!((found.code, found.err.as_str()), (Some(0), ""));
    let notes = Notes::read(&folder.join("a.png")).unwrap();
    assert!(notes.get("Command").unwrap().starts_with("sinew - --mode"), "{notes:?}");
    let pixels = read_png(&folder.join("a.png")).unwrap();
    run_well(sinew(["strip.glb"]).args(small).current_dir(folder));
    assert!(read_png(&folder.join("a.png")).unwrap() == pixels);
    let direct = Notes::read(&folder.join("a.png")).unwrap();
    assert_eq!(notes.get("Model SHA-256"), direct.get("Model SHA-256"));
    // Other commands read it, even twice, and the other way round as well.
    for words in [
        &["inspect", "-", "--json"][..],
        &["verify", "-", "--samples", "2"],
        &["export", "-", "--on", "cpu", "-o", "-"],
        &["explain", "-", "--vertex", "0:0:1"],
        &["builtin:strip", "--other", "-", "--split", "other", "--size", "16x16", "--screenshot", "-"],
        &["builtin:strip", "--clip-from", "-", "--clip", "1", "--size", "16x16", "--screenshot", "-"],
    ] {
        let found = piped(&glb, &mut sinew(words));
        assert_eq!(found.code, Some(0), "{words:?}: {}", found.err);
        assert!(!found.out.is_empty(), "{words:?}");
    }
    // The files that a .gltf names are those of the current folder.
    let text = r#"{"asset": {"version": "2.0"}, "buffers": [{"byteLength": 1, "uri": "x.bin"}]}"#;
    let inspect = |text: &str| piped(text.as_bytes(), sinew(["inspect", "-"]).current_dir(folder));
    assert!(inspect(text).err.contains("'x.bin': no such file"), "{}", inspect(text).err);
    std::fs::write(folder.join("x.bin"), [0]).unwrap();
    assert_eq!(inspect(text).code, Some(0));
    assert!(inspect(&text.replace("x.bin", "../x.bin")).err.contains("--allow-outside"));
    for (bytes, words, code, says) in [
        (&b""[..], &["inspect", "-"][..], 1, "error: -: standard input is empty"),
        (b"BLENDER", &["inspect", "-"], 1, "error: -: this is a Blender file"),
        (&glb, &["-", "--clip-from", "-", "--screenshot", "a.png"], 2, "only one file can be standard input"),
        (&glb, &["compare", "-", "-"], 2, "only one file can be standard input"),
        (&glb, &["golden", ".", "--init", "-"], 2, "error: -: cases are drawn again and again; name a file"),
    ] {
        let found = piped(bytes, sinew(words).current_dir(folder));
        assert_eq!(found.code, Some(code), "{words:?}: {}", found.err);
        assert!(found.err.contains(says) && found.err.lines().count() == 1, "{words:?}: {}", found.err);
    }
    // A file called like that is still reached.
    std::fs::write(folder.join("-"), &glb).unwrap();
    run_well(sinew(["./-"]).args(small).current_dir(folder));
    assert!(recorded(&folder.join("a.png")).starts_with("sinew ./- "));
}

#[test]
fn jpegs_and_lossy_webps_are_small_and_say_how_they_were_made() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let draw = |out: &str, more: &[&str]| {
        let mut command = sinew(["builtin:bend", "--time", "0.5", "--size", "160x120", "--screenshot", out]);
        // An animation is framed by its clip, a picture at its time.
        command.args(["--framing", "clip"]).args(more).current_dir(folder);
        command
    };
    let bytes = |name: &str| std::fs::read(folder.join(name)).unwrap();
    run_well(&mut draw("a.png", &[]));
    let exact = read_png(&folder.join("a.png")).unwrap();
    let limits = Limits { side: 1000, bytes: 1 << 24 };
    // Neither encoder may move, turn or tint anything: the mean error of a channel is small.
    let near = |rgba: &[u8]| {
        let pairs = rgba.iter().zip(&exact.rgba);
        pairs.map(|(a, b)| f64::from(a.abs_diff(*b))).sum::<f64>() / exact.rgba.len() as f64
    };
    let mut sizes = Vec::new();
    for (name, quality) in
        [("a.jpg", None), ("b.JPEG", Some("30")), ("c.webp", Some("90")), ("d.webp", Some("30"))]
    {
        let mut more = if name.ends_with("webp") { vec!["--frames", "1"] } else { Vec::new() };
        more.extend(quality.iter().flat_map(|quality| ["--lossy", quality]));
        run_well(&mut draw(name, &more));
        let rgba = match name.ends_with("webp") {
            true => frames(&folder.join(name)).remove(0).0,
            false => Format::Jpeg.decode(&bytes(name), limits).unwrap().into_rgba(),
        };
        assert_eq!(rgba.len(), exact.rgba.len());
        assert!(near(&rgba) < 6.0, "{name}: {}", near(&rgba));
        sizes.push(bytes(name).len());
        let command = recorded(&folder.join(name));
        assert!(command.starts_with("sinew builtin:bend --mode lbs --clip 0 --time 0.5"), "{command}");
        assert!(quality.is_none_or(|quality| command.ends_with(&format!(" --lossy {quality}"))), "{command}");
        let shown = String::from_utf8(run_well(sinew(["show"]).arg(folder.join(name)))).unwrap();
        assert!(shown.contains("model SHA-256") && shown.contains(&command), "{shown}");
    }
    assert!(sizes[1] < sizes[0] && sizes[3] < sizes[2], "{sizes:?}");
    run_well(&mut draw("whole.webp", &["--frames", "1"]));
    assert!(frames(&folder.join("whole.webp")).remove(0).0 == exact.rgba, "without --lossy nothing is lost");
    assert!(recorded(&folder.join("whole.webp")).ends_with(" --frames 1"));
    run_well(&mut draw("e-{frame:1}.jpg", &["--frames", "2"]));
    assert!(bytes("e-1.jpg").starts_with(b"\xff\xd8\xff"));
    for (out, more, says) in [
        (
            "x.jpg",
            &["--background", "transparent"][..],
            "--background transparent: .jpg has no transparent pixels",
        ),
        ("x.png", &["--lossy", "50"], "--lossy is for .jpg and .webp"),
        ("x.gif", &["--lossy", "50"], "--lossy is for .jpg and .webp"),
        ("x.jpg", &["--lossy", "0"], "1..=100"),
    ] {
        assert_fails(&mut draw(out, more), 2, &[says]);
    }
    // Transparency goes with the other.
    run_well(&mut draw("f.webp", &["--frames", "1", "--lossy", "80", "--background", "transparent"]));
    let clear = frames(&folder.join("f.webp")).remove(0).0;
    assert_eq!(clear[3], 0);
}

#[test]
fn devices_are_told_to_scripts() {
    let json: Value = serde_json::from_slice(&run_well(&mut sinew(["devices", "--json"]))).unwrap();
    let chosen = &json["devices"][json["chosen"].as_u64().unwrap() as usize];
    assert_eq!((&chosen["runs_sinew"], &chosen["lacks"]), (&true.into(), &serde_json::json!([])));
    for key in ["index", "name", "type", "driver", "driver_version", "api_version", "palette", "limits"] {
        assert!(!chosen[key].is_null(), "{key}: {json:#}");
    }
    assert!(chosen["api_version"].as_str().unwrap().starts_with("1."));
    assert!(chosen["limits"]["maxImageDimension2D"].as_u64() >= Some(4096));
    assert!(chosen["limits"]["framebufferColorSampleCounts"].as_array().unwrap().contains(&4.into()));
    // Every key is explained.
    let docs =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference/devices.md"))
            .unwrap();
    for key in chosen.as_object().unwrap().keys().chain(json.as_object().unwrap().keys()) {
        assert!(docs.contains(&format!("`{key}`")), "docs/reference/devices.md does not explain {key}");
    }
    // A measurement is kept for later runs, and the list says so.
    let folder = tempfile::tempdir().unwrap();
    let run_there =
        |flags: &[&str]| run_well(sinew(["devices"]).args(flags).env("XDG_CACHE_HOME", folder.path()));
    let line = || {
        let list = String::from_utf8(run_there(&[])).unwrap();
        list.lines().find_map(|line| Some(line.trim().strip_prefix("palettes  ")?.to_owned())).unwrap()
    };
    assert_eq!(line(), "ubo (the CPU draws; not measured)");
    let measured: Value = serde_json::from_slice(&run_there(&["--measure", "--json"])).unwrap();
    let chosen = &measured["devices"][measured["chosen"].as_u64().unwrap() as usize];
    let (buffer, ratio) = (chosen["palette"].as_str().unwrap(), chosen["ssbo_per_ubo"].as_f64().unwrap());
    assert!(ratio > 0.0 && buffer == if ratio <= 0.95 { "ssbo" } else { "ubo" }, "{buffer} {ratio}");
    assert_eq!(line(), format!("{buffer} (measured: ssbo takes {ratio:.2} of ubo's time)"));
    let again: Value = serde_json::from_slice(&run_there(&["--json"])).unwrap();
    assert_eq!(again, measured);
    for entry in std::fs::read_dir(folder.path().join("sinew")).unwrap() {
        std::fs::write(entry.unwrap().path(), "broken").unwrap();
    }
    assert_eq!(line(), "ubo (the CPU draws; not measured)");
    let mut none = sinew(["devices", "--json"]);
    none.env("VK_DRIVER_FILES", "none.json").env("VK_ICD_FILENAMES", "none.json");
    assert_fails(&mut none, 3, &["driver"]);
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = tempfile::tempdir().unwrap();
    let man = |words: &[&str]| String::from_utf8(run_well(sinew(["man"]).args(words))).unwrap();
    assert!(man(&[]).contains(".TH sinew 1"), "{}", man(&[]));
    assert!(man(&[]).contains("Draw N figures on a grid"), "the help of a flag that -h hides");
    let page = man(&["export"]);
    assert!(page.contains("sinew-export 1") && page.contains("max\\-influences"), "{page}");
    assert!(page.contains(concat!("\"sinew ", env!("CARGO_PKG_VERSION"), '"')), "{page}");
    let pages = folder.path().join("man1");
    run_well(sinew(["man", "--write"]).arg(&pages));
    assert_eq!(std::fs::read_to_string(pages.join("sinew-export.1")).unwrap(), page);
    let help = String::from_utf8(run_well(&mut sinew(["--help"]))).unwrap();
    let commands = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let commands: Vec<&str> = commands.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.len() > 15 && commands.contains(&"man"), "{commands:?}");
    for command in commands.into_iter().filter(|command| *command != "help") {
        assert!(pages.join(format!("sinew-{command}.1")).is_file(), "sinew-{command}.1 is missing");
    }
    assert_fails(&mut sinew(["man", "exprot"]), 2, &["there is no page 'exprot'; did you mean 'export'?"]);
}

/// A bug report is one text, with the model itself only on request.
#[test]
fn a_report_of_a_fault_says_what_is_there_and_what_goes_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("secret.glb");
    let glb = sinew::model::builtin::glb("bend").unwrap();
    std::fs::write(&model, &glb).unwrap();
    let report =
        |words: &[&str]| String::from_utf8(run_well(sinew(["report-bug"]).args(words).arg(&model))).unwrap();
    let text = report(&[]);
    for part in [
        concat!("# sinew ", env!("CARGO_PKG_VERSION")),
        "debug build, with fbx",
        "\"maxUniformBufferRange\"",
        "secret.glb\n  glTF 2.0",
        "drawn in 64x64 pixels without an error",
    ] {
        assert!(text.contains(part), "no '{part}' in {text}");
    }
    assert!(!text.contains("base64"));
    let with_model = report(&["--include-model"]);
    let content = with_model.split("## Model file (base64)\n\n```\n").nth(1).unwrap();
    use base64::prelude::{BASE64_STANDARD, Engine};
    assert!(BASE64_STANDARD.decode(content.trim_end_matches("\n```\n")).unwrap() == *glb);
    // A model from a pipe and a built-in one have no file.
    let mut piped = sinew(["report-bug", "-", "--include-model"]);
    piped.stdin(std::fs::File::open(&model).unwrap());
    for mut command in [piped, sinew(["report-bug", "builtin:bend", "--include-model"])] {
        let text = String::from_utf8(run_well(&mut command)).unwrap();
        assert!(text.ends_with(&format!("## Model file (base64)\n\n```\n{content}")), "{text}");
    }

    // The report includes the error of a model that cannot be read, and succeeds.
    std::fs::write(&model, &glb[..200]).unwrap();
    let out = folder.path().join("fault.md");
    run_well(sinew(["report-bug", "-o"]).arg(&out).arg(&model));
    let text = std::fs::read_to_string(&out).unwrap();
    assert!(text.contains("(exit code 1)") && !text.contains("## Picture"), "{text}");
    assert_fails(
        sinew(["report-bug", "-o"]).arg(&model).arg(&model),
        2,
        &["the output would overwrite the model"],
    );
    assert_eq!(std::fs::read(&model).unwrap(), glb[..200]);
}
