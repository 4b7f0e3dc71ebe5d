//! Tests `--inject` and `sinew diagnose` from outside: the outline of a picture names its fault.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sinew::image::{Image, Notes, read_png};
use sinew::skinning::Fault;

use crate::common::{run, run_well, sinew, write_picture};
use crate::edited::edited;

/// A pose of the character in which most faults show.
const WALK: [&str; 4] = ["--clip", "walk", "--time", "0.4"];

/// A viewpoint from which all of them are in sight.
const CAMERA: [&str; 2] = ["--camera=20,10,8", "--target=0,0.5,0"];

/// A figure without a plate and shadows, on a colour that it does not have.
const PLAIN: [&str; 7] =
    ["--size", "200x150", "--quality", "draft", "--background", "#60b070", "--no-legend"];

/// Draws a picture that can be diagnosed.
fn drawn(folder: &Path, flags: &[&str]) -> PathBuf {
    let path = folder.join("drawn.png");
    run_well(sinew(flags).args(CAMERA).args(PLAIN).arg("--screenshot").arg(&path));
    path
}

/// Returns the program's diagnosis of a picture, if the right one has these flags and the camera.
fn diagnosed(picture: &Path, flags: &[&str]) -> Value {
    let mut command = sinew(["diagnose", "--json", "--like"]);
    serde_json::from_slice(&run_well(command.arg(picture).args(flags).args(CAMERA))).unwrap()
}

fn likeness(suspect: &Value) -> f64 {
    suspect["likeness"].as_f64().unwrap()
}

/// Fails unless the first suspect is this one, and the next is behind it.
#[track_caller]
fn assert_named(found: &Value, name: &str) {
    let suspects = found["suspects"].as_array().unwrap();
    let [first, second] = [0, 1].map(|place| likeness(&suspects[place]));
    assert_eq!(suspects[0]["name"], name, "{first} {second}");
    assert!(first > 0.95 && second < first - 0.005, "{name}: {first} {second}");
}

/// A pose in which the fault shows.
fn pose_of(fault: Fault) -> Vec<&'static str> {
    let more: &[&str] = match fault {
        // Keys far apart.
        Fault::MatrixLerp | Fault::EulerAngles => {
            return vec!["builtin:robot", "--clip", "salute", "--time", "0.5"];
        }
        Fault::NoNormalise | Fault::NoAntipodal => &["--mode", "dqs", "--joint", "hips=0,-90,0"],
        // The node of the mesh, which a right figure does not follow.
        Fault::DoubleMeshNode => &["--joint", "character=-90,0,0"],
        _ => &[],
    };
    [&WALK[..], more].concat()
}

#[test]
fn every_fault_is_named_by_its_picture() {
    let folder = tempfile::tempdir().unwrap();
    // No outline shows wrong normals, and glTF has no vertices of no joint.
    let is_shown = |fault: &Fault| !fault.is_in_normals() && *fault != Fault::NoJointAsZero;
    for fault in Fault::ALL.into_iter().filter(is_shown) {
        let right = pose_of(fault);
        let picture = drawn(folder.path(), &[&right[..], &["--inject", fault.name()]].concat());
        assert_named(&diagnosed(&picture, &right), fault.name());
    }
}

/// The commands of its section write a flag, and draw it as the picture shows it.
#[cfg(feature = "usd")]
#[test]
fn a_pole_of_no_joint_is_named_by_its_picture() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let page = std::fs::read_to_string(docs.join("concepts/symptoms.md")).unwrap();
    let (_, rest) = page.split_once("cat > flag.usda << 'END'\n").unwrap();
    let (flag, rest) = rest.split_once("END\n").unwrap();
    let command = rest.split("```sh\nsinew ").nth(1).unwrap().split("```").next().unwrap();
    let words = shlex::split(&command.replace("\\\n", " ")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("flag.usda"), flag).unwrap();
    let ended = run(sinew(&words).args(["--size", "400x300"]).current_dir(folder.path()));
    // Without a note that the fault changes nothing.
    assert_eq!((ended.code, ended.err), (Some(0), String::new()));
    let [made, stored] = [folder.path().join("flag.png"), docs.join("pictures/symptom-no-joint-as-zero.png")]
        .map(|file| {
            let device = Notes::read(&file).unwrap().get("Device").unwrap().to_owned();
            (device, read_png(&file).unwrap())
        });
    assert!(made.0 != stored.0 || made.1 == stored.1, "the picture is another one");

    let model = folder.path().join("flag.usda");
    let right = [&[model.to_str().unwrap()][..], &["--turn", "hoist=0,0,-40"]].concat();
    let fault = Fault::NoJointAsZero.name();
    let picture = drawn(folder.path(), &[&right[..], &["--inject", fault]].concat());
    assert_named(&diagnosed(&picture, &right), fault);
    let explain = [&["explain"][..], &right[..], &["--vertex", "node3:0:0"]].concat();
    let said = String::from_utf8(run_well(&mut sinew(explain))).unwrap();
    assert!(
        said.contains("read as joint 0, it would by 1.37 m in lbs (--inject no-joint-as-zero)"),
        "{said}"
    );
}

/// Another viewer seldom has the same zoom and the same middle.
#[test]
fn faults_are_named_at_another_zoom() {
    let folder = tempfile::tempdir().unwrap();
    for fault in [Fault::SkipInverseBind, Fault::Transposed, Fault::SwappedOrder, Fault::ShortPalette] {
        let picture = folder.path().join("drawn.png");
        let camera = ["--camera=20,10,13", "--target=0.8,1.4,0"];
        let flags = [&WALK[..], &["--inject", fault.name()], &camera].concat();
        run_well(sinew(flags).args(PLAIN).arg("--screenshot").arg(&picture));
        let found = diagnosed(&picture, &WALK);
        assert_eq!(found["aligned"], true, "{fault}");
        assert_eq!(found["suspects"][0]["name"], fault.name(), "{found}");
        assert!(likeness(&found["suspects"][0]) > 0.7, "{found}");
    }
}

/// Vertices of an export are named: mode, pose, deviation; the gate holds.
#[test]
fn vertices_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let made = folder.path().join("made.json");
    let export = ["export", "--mode", "dqs", "--clip", "walk", "--time", "0.4", "--on", "reference", "-o"];
    run_well(sinew(export).arg(&made));
    let ask = |more: &[&str]| run(sinew(["diagnose", "--json", "--like"]).arg(&made).args(more));
    let found: Value = serde_json::from_slice(&ask(&[]).out).unwrap();
    let (matched, verdict) = (&found["matched"], &found["verdict"]);
    assert_eq!(
        (&found["kind"], &verdict["mode"], &verdict["agrees"]),
        (&json!("vertices"), &json!("dqs"), &json!(true))
    );
    assert_eq!(
        (&matched["pose"], &matched["by"], &matched["unit"]),
        (&json!("walk"), &json!("order"), &json!("m"))
    );
    assert!((matched["time"].as_f64().unwrap() - 0.4).abs() < 1e-4, "{matched}");

    let late = ask(&["--clip", "walk", "--time", "0.5"]);
    let late: Value = serde_json::from_slice(&late.out).unwrap();
    assert_eq!(late["verdict"]["faults"], json!(["stale-palette"]));
    assert!(late["verdict"]["sentence"].as_str().unwrap().contains("3 frames late"), "{late}");

    assert_eq!(ask(&["--expect", "dqs"]).code, Some(0));
    let wrong = ask(&["--expect", "lbs,cut-2-renormalised"]);
    assert_eq!(wrong.code, Some(6), "{}", wrong.err);
    assert!(wrong.err.contains("expected lbs,cut-2-renormalised within 1.0e-5"), "{}", wrong.err);
    assert_eq!(ask(&["--expect", "lbs", "--within", "0.1"]).code, Some(0));
    assert_eq!(ask(&["--expect", "lbs,cut-9"]).code, Some(2));
    // The file of theirs shows over the model.
    let theirs = folder.path().join("theirs.glb");
    let written = run(sinew(["diagnose", "--like"]).arg(&made).arg("-o").arg(&theirs));
    assert_eq!(written.code, Some(0), "{}", written.err);
    let said = String::from_utf8(written.out).unwrap();
    let command = said.lines().find_map(|line| line.strip_prefix("see both: sinew ")).unwrap().to_owned();
    let picture = folder.path().join("both.png");
    let command = command.replace("960x720", "100x80");
    let words: Vec<&str> = command.split(' ').chain(["--screenshot"]).collect();
    run_well(sinew(words).arg(&picture));
}

/// Normals and tangents are named apart from positions, and the gate looks at them.
#[test]
fn directions_are_named_and_gated() {
    let folder = tempfile::tempdir().unwrap();
    let export = |file: &str, flags: &[&str]| -> Value {
        let path = folder.path().join(file);
        let words = ["export", "builtin:bend", "--on", "reference"];
        run_well(sinew([&words[..], flags].concat()).arg("-o").arg(&path));
        serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
    };
    let ask = |file: &str, more: &[&str]| {
        let words = ["diagnose", "builtin:bend", "--clip", "bend", "--time", "1", "--like"];
        run(sinew(words).arg(folder.path().join(file)).args(more))
    };
    let mut made = export("made.json", &["--mode", "lbs", "--clip", "bend", "--time", "1"]);
    assert_eq!(ask("made.json", &["--expect", "lbs"]).code, Some(0));
    made["primitives"][0]["tangents"] =
        export("bind.json", &["--pose", "bind"])["primitives"][0]["tangents"].take();
    std::fs::write(folder.path().join("made.json"), made.to_string()).unwrap();
    let found: Value = serde_json::from_slice(&ask("made.json", &["--json"]).out).unwrap();
    let faults = json!(["unskinned-tangents"]);
    assert_eq!((&found["verdict"]["faults"], &found["tangents"]["faults"]), (&faults, &faults), "{found}");
    assert_eq!((&found["normals"]["faults"], &found["normals"]["agrees"]), (&json!([]), &json!(true)));
    let said = ask("made.json", &["--expect", "lbs,unskinned-tangents"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let text = String::from_utf8(said.out).unwrap();
    assert!(
        text.contains("tangents: unskinned-tangents; 7280 of 7280 agree")
            && text.contains("These are lbs with unskinned tangents"),
        "{text}"
    );
    let said = ask("made.json", &["--expect", "lbs"]);
    assert!(said.code == Some(6) && said.err.contains("but the tangents are not as it says"), "{}", said.err);
    assert_eq!(ask("made.json", &["--fail-on", "faulty"]).code, Some(6));

    // Nothing is known of what is not given.
    made["primitives"][0]["tangents"] = Value::Null;
    std::fs::write(folder.path().join("made.json"), made.to_string()).unwrap();
    assert_eq!(ask("made.json", &["--expect", "lbs"]).code, Some(0));
    let said = ask("made.json", &["--expect", "lbs,unskinned-tangents"]);
    assert!(said.code == Some(6) && said.err.contains("no tangents are given"), "{}", said.err);

    export("half.json", &["--mode", "blend", "--blend", "0.5", "--clip", "bend", "--time", "1"]);
    assert_eq!(ask("half.json", &["--expect", "blend=0.5"]).code, Some(0));
    assert_eq!(ask("half.json", &["--expect", "blend=0.4"]).code, Some(6));
    assert_eq!(ask("half.json", &["--expect", "dqs=0.5"]).code, Some(2));
}

#[test]
fn flags_of_vertices_do_not_go_with_a_picture() {
    for flag in [["--bind", "a.npy"], ["--expect", "lbs"], ["--like-frame", "1"], ["-o", "a.glb"]] {
        let found = run(sinew(["diagnose", "--like", "a.png"]).args(flag));
        assert!(found.code == Some(2) && found.err.contains("goes with vertices"), "{flag:?}: {}", found.err);
    }
}

#[test]
fn vertices_that_fit_nothing_are_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let odd = folder.path().join("odd.f32");
    std::fs::write(&odd, [0_u8; 12 * 7]).unwrap();
    let found = run(sinew(["diagnose", "--like"]).arg(&odd));
    assert_eq!(found.code, Some(1));
    assert_eq!(found.err.lines().count(), 1, "{}", found.err);
    assert!(found.err.contains("7 vertices, but the model draws"), "{}", found.err);
}

#[test]
fn poses_that_never_come_and_right_ones_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let model = with_arms_out(folder.path());
    let right = [&[model.as_str()][..], &WALK].concat();
    let skin_space = [&WALK[..], &["--view", "skin-space"]].concat();
    for (name, flags) in [
        ("right", &WALK[..]),
        ("bind", &["--pose", "bind"]),
        ("rest", &["--pose", "rest"]),
        ("skin-space", &skin_space),
    ] {
        let picture = drawn(folder.path(), &[&[model.as_str()][..], flags].concat());
        assert_named(&diagnosed(&picture, &right), name);
    }
}

/// The character with its arms stretched out in the rest pose, as many files have it.
fn with_arms_out(folder: &Path) -> String {
    let glb = edited("character", |json| {
        for node in json["nodes"].as_array_mut().unwrap() {
            let side = match node["name"].as_str() {
                Some("upper_arm.L") => -0.5,
                Some("upper_arm.R") => 0.5,
                _ => continue,
            };
            node["rotation"] = json!([0.0, 0.0, side, 0.75_f64.sqrt()]);
        }
    });
    let path = folder.join("arms-out.glb");
    std::fs::write(&path, glb).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn another_model_or_camera_looks_like_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let advice = "Nothing looks much like it. Give the pose and the camera of the picture: --clip, --time, --camera, \
                  --target, --fov.";
    let rod = ["builtin:tube-8", "--time", "1"];
    for (flags, camera) in [(&rod[..], CAMERA), (&WALK[..], ["--camera=200,60,9", "--target=1,0.5,0"])] {
        let picture = drawn(folder.path(), flags);
        let out = run_well(sinew(["diagnose", "--like"]).arg(picture).args(WALK).args(camera));
        let said = String::from_utf8(out).unwrap();
        assert_eq!(said.lines().last(), Some(advice), "{said}");
        assert!(!said.contains("It looks like"), "{said}");
    }
    let picture = drawn(folder.path(), &[&WALK[..], &["--inject", "transposed"]].concat());
    let out = run_well(sinew(["diagnose", "--like"]).arg(picture).args(WALK).args(CAMERA));
    let said = String::from_utf8(out).unwrap();
    assert!(said.contains("\nIt looks like transposed.\n  Cause: "), "{said}");
    assert!(said.ends_with(" --screenshot transposed.png\n") && !said.contains("Nothing"), "{said}");
}

#[test]
fn pictures_that_show_nothing_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    write_picture(
        &Image { width: 64, height: 48, rgba: [16, 128, 48, 255].repeat(64 * 48) },
        &path("flat.png"),
    );
    std::fs::write(path("text.png"), "no picture").unwrap();
    for (name, cause) in
        [("flat.png", "it shows only background"), ("text.png", "broken PNG"), ("missing.png", "")]
    {
        let found = run(sinew(["diagnose", "--like"]).arg(path(name)));
        assert_eq!((found.code, found.err.lines().count()), (Some(1), 1), "{}", found.err);
        assert!(found.err.starts_with("error: ") && found.out.is_empty(), "{}", found.err);
        assert!(found.err.contains(&format!("{name}: {cause}")), "{}", found.err);
    }
    assert_eq!(run(&mut sinew(["diagnose"])).code, Some(2));
}

#[test]
fn the_json_has_all_keys_and_the_most_alike_first() {
    let folder = tempfile::tempdir().unwrap();
    let picture = drawn(folder.path(), &[&WALK[..], &["--inject", "short-palette"]].concat());
    let found = diagnosed(&picture, &WALK);
    assert_eq!(keys(&found), ["aligned", "model", "picture", "suspects", "unseen"]);
    assert_eq!(found["model"], "builtin:character");
    assert_eq!(found["picture"], picture.to_str().unwrap());
    let unseen = [
        "double-mesh-node",
        "no-normalise",
        "no-antipodal",
        "matrix-lerp",
        "euler-angles",
        "no-joint-as-zero",
        "plain-normals",
    ];
    assert_eq!(found["unseen"], json!(unseen));
    let suspects = found["suspects"].as_array().unwrap();
    assert_eq!(suspects.len(), Fault::ALL.len() + 4 - unseen.len());
    for suspect in suspects {
        assert_eq!(keys(suspect), ["cause", "command", "cure", "likeness", "looks", "name"]);
        assert!((0.0..=1.0).contains(&likeness(suspect)), "{suspect}");
    }
    assert!(suspects.is_sorted_by(|a, b| likeness(a) >= likeness(b)));
    // The command draws what it was compared with.
    let command = suspects[0]["command"].as_str().unwrap();
    assert!(command.contains(" --inject short-palette "), "{command}");
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    let again = folder.path().join("again.png");
    run_well(sinew(&words).args(&PLAIN[2..]).arg("--screenshot").arg(&again));
    assert!(read_png(&again).unwrap() == read_png(&picture).unwrap(), "{command}");
}

fn keys(object: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = object.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

#[test]
fn a_picture_with_a_fault_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fault.png");
    let draw = |flags: &[&str]| {
        run_well(sinew(WALK).args(["--size", "200x150"]).args(flags).arg("--screenshot").arg(&path));
        read_png(&path).unwrap()
    };
    let [wrong, unnamed] =
        [&["--inject", "transposed"][..], &["--inject", "transposed", "--no-legend"]].map(draw);
    // The last one was drawn without a plate; its notes tell all the same.
    let shown = run_well(sinew(["show", "--json"]).arg(&path));
    let shown: Value = serde_json::from_slice(&shown).unwrap();
    let command = shown["command"].as_str().unwrap();
    assert!(command.contains(" --inject transposed ") && command.contains(" --no-legend"), "{command}");
    let right = draw(&[]);
    assert!(wrong != right && unnamed != right && wrong != unnamed);
}

/// The left of two panes is what its fault draws alone.
#[test]
fn panes_have_their_own_faults() {
    let folder = tempfile::tempdir().unwrap();
    let draw = |size: &str, flags: &[&str]| {
        let path = folder.path().join("panes.png");
        let words = ["--no-legend", "--size", size];
        run_well(sinew(WALK).args(words).args(flags).arg("--screenshot").arg(&path));
        read_png(&path).unwrap()
    };
    let alone = draw("160x120", &["--inject", "transposed"]);
    assert!(draw("160x120", &["--split", "inject=transposed"]) == alone);
    let both = draw("320x120", &["--split", "inject=transposed", "--split", "inject=short-palette"]);
    let left: Vec<u8> = both.rgba.chunks_exact(320 * 4).flat_map(|row| &row[..160 * 4]).copied().collect();
    assert!(left == alone.rgba, "the left pane has another picture");
}

#[test]
fn unknown_faults_are_refused_and_faults_that_change_nothing_are_noted() {
    let draw = |flags: &[&str]| run(sinew(["--size", "16x16", "--screenshot", "-"]).args(flags));
    for flags in [["--inject", "transpose"], ["--split", "inject=transpose"]] {
        let found = draw(&flags);
        assert_eq!((found.code, found.err.lines().count()), (Some(2), 1), "{}", found.err);
        for fault in Fault::ALL {
            assert!(found.err.contains(fault.name()), "{fault}: {}", found.err);
        }
    }
    let model = "in this pose of builtin:character";
    for (flags, note) in [
        (
            &["--clip", "walk", "--time", "0.4", "--inject", "no-antipodal"][..],
            format!("note: --inject no-antipodal changes nothing {model}; it is a fault of dqs alone\n"),
        ),
        (
            &["--clip", "walk", "--time", "0.4", "--inject", "double-mesh-node"],
            format!("note: --inject double-mesh-node changes nothing {model}\n"),
        ),
        (
            &["--pose", "bind", "--inject", "transposed"],
            format!("note: --inject transposed changes nothing {model}\n"),
        ),
        (
            &["--clip", "walk", "--time", "0.4", "--inject", "no-joint-as-zero"],
            format!("note: --inject no-joint-as-zero changes nothing {model}\n"),
        ),
        (&["--clip", "walk", "--time", "0.4", "--inject", "transposed"], String::new()),
    ] {
        let found = draw(flags);
        assert_eq!((found.code, found.err), (Some(0), note), "{flags:?}");
    }
}

/// A picture that is larger than what outlines are drawn from is diagnosed from a smaller copy.
#[test]
fn a_large_picture_is_diagnosed_from_a_copy() {
    const TIMES: usize = 16;
    let folder = tempfile::tempdir().unwrap();
    let picture = drawn(folder.path(), &[&WALK[..], &["--inject", "transposed"]].concat());
    let small = read_png(&picture).unwrap();
    let stretched = |row: &[u8]| row.chunks(4).flat_map(|pixel| pixel.repeat(TIMES)).collect::<Vec<u8>>();
    let rows = small.rgba.chunks(small.width as usize * 4);
    let rgba = rows.flat_map(|row| stretched(row).repeat(TIMES)).collect();
    let [width, height] = [small.width, small.height].map(|side| side * TIMES as u32);
    let large = folder.path().join("large.png");
    write_picture(&Image { width, height, rgba }, &large);
    assert_eq!(diagnosed(&large, &WALK)["suspects"][0]["name"], "transposed");
}
