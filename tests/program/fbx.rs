//! FBX and OBJ files through the program: opened, measured, exported and converted, with the skinning that they say.
#![cfg(feature = "fbx")]
#![allow(clippy::unwrap_used, reason = "a test that cannot write its files has failed")]

use std::path::{Path, PathBuf};

use glam::DVec3;
use serde_json::Value;
use sinew::model::{Options, load_bytes};

use crate::cli::assert_fails;
use crate::common::{run, run_well, sinew};
use crate::document::{Document, Node, property, vector};

/// A rod of rings on two bones, of which the second one bends a quarter turn in a clip, with a texture beside the file.
fn rod(method: &str, shares: &[(i32, f64)]) -> Document {
    rod_on(method, shares, &[])
}

/// A rod with more properties on both bones.
fn rod_on(method: &str, shares: &[(i32, f64)], more: &[Node]) -> Document {
    let mut document = Document::new();
    let bone = |y: f64| [&[vector("Lcl Translation", [0.0, y, 0.0])], more].concat();
    let low = document.node("low", "LimbNode", 0, bone(0.0));
    let high = document.node("high", "LimbNode", low, bone(1.0));
    let mesh_node = document.node("rod", "Mesh", 0, Vec::new());
    let vertices: Vec<[f64; 3]> = (0..5)
        .flat_map(|ring| {
            let y = f64::from(ring) * 0.5;
            [[0.3, y, 0.3], [0.3, y, -0.3], [-0.3, y, -0.3], [-0.3, y, 0.3]]
        })
        .collect();
    let side = |ring: i32, corner: i32| {
        let [a, b] = [ring * 4 + corner, ring * 4 + (corner + 1) % 4];
        [[a, b, a + 4], [b, b + 4, a + 4]]
    };
    let triangles: Vec<[i32; 3]> =
        (0..4).flat_map(|ring| (0..4).flat_map(move |corner| side(ring, corner))).collect();
    let mesh = document.mesh(mesh_node, &vertices, &triangles);
    let weights = |of: [f64; 5]| {
        let all = (0..20).map(|vertex| (vertex, of[vertex as usize / 4]));
        all.filter(|(_, weight)| *weight > 0.0).collect::<Vec<(i32, f64)>>()
    };
    let matrix = |y: f64| glam::DMat4::from_translation(DVec3::Y * y).to_cols_array();
    let cluster = |bone, y: f64, of| crate::document::Cluster {
        bone,
        weights: weights(of),
        bone_from_mesh: matrix(-y),
        world_from_bone: matrix(y),
    };
    let clusters =
        [cluster(low, 0.0, [1.0, 0.75, 0.5, 0.25, 0.0]), cluster(high, 1.0, [0.0, 0.25, 0.5, 0.75, 1.0])];
    document.skin(mesh, method, &clusters, shares);
    document.shape(mesh, "fat", &[(8, [0.2, 0.0, 0.2]), (9, [0.2, 0.0, -0.2])], 0.0);
    let layer = document.clip("bend", 1.0);
    document.animate(layer, high, "Lcl Rotation", &[(0.0, [0.0; 3]), (1.0, [90.0, 0.0, 0.0])]);
    document
}

fn int(name: &str, value: i32) -> Node {
    property(name, "int", [value.into()])
}

fn written(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

fn json(command: &mut std::process::Command) -> Value {
    serde_json::from_slice(&run_well(command)).unwrap()
}

#[test]
fn a_file_is_shown_as_its_author_meant() {
    let folder = tempfile::tempdir().unwrap();
    let shares: Vec<(i32, f64)> = (0..20).map(|vertex| (vertex, f64::from(vertex % 4) / 4.0)).collect();
    for (method, mode) in [("Linear", "lbs"), ("DualQuaternion", "dqs"), ("Blend", "blend"), ("", "lbs")] {
        let file = written(
            folder.path(),
            "rod.fbx",
            &rod(method, if mode == "blend" { &shares } else { &[] }).binary(),
        );
        let mut authored = sinew(["export", "-o", "-", "--time", "1"]);
        let authored = json(authored.arg(&file));
        assert_eq!(authored["mode"], mode);
        let mut asked = sinew(["export", "-o", "-", "--time", "1", "--mode", mode]);
        assert_eq!(json(asked.arg(&file))["primitives"], authored["primitives"]);

        // A picture says so, and its own command makes it again.
        let picture = folder.path().join("rod.png");
        let mut draw = sinew(["--size", "64x64", "--time", "0.5"]);
        run_well(draw.arg(&file).arg("--screenshot").arg(&picture));
        let notes = json(sinew(["show", "--json"]).arg(&picture));
        assert_eq!(notes["authored_mode"], mode);
        assert!(notes["command"].as_str().unwrap().contains(&format!("--mode {mode} ")), "{notes}");

        // What is made of it says the same.
        let glb = folder.path().join("rod.glb");
        let told = json(sinew(["convert"]).arg(&file).arg("-o").arg(&glb).arg("--json"));
        assert!(told["max_m"].as_f64().unwrap() < 1e-6, "{told}");
        let inspected = json(sinew(["inspect", "--json"]).arg(&glb));
        let original = json(sinew(["inspect", "--json"]).arg(&file));
        assert_eq!((&original["format"], &inspected["format"]), (&"FBX".into(), &"glTF".into()));
        assert_eq!(inspected["skins"][0]["method"], original["skins"][0]["method"]);
        assert_eq!(original["conversion"]["metres_per_unit"], 1.0);
        let mut again = sinew(["export", "-o", "-", "--time", "1"]);
        let again = json(again.arg(&glb));
        assert_eq!(again["mode"], mode);
        let numbers = |export: &Value| -> Vec<f64> {
            let positions = export["primitives"][0]["positions"].as_array().unwrap();
            positions.iter().map(|number| number.as_f64().unwrap()).collect()
        };
        for (a, b) in numbers(&authored).iter().zip(&numbers(&again)) {
            assert!((a - b).abs() < 2e-6, "{method}: {a}, {b}");
        }
    }
    // Who asks for shares gets them.
    let file = written(folder.path(), "rod.fbx", &rod("Blend", &shares).ascii());
    let positions = |more: &[&str]| {
        let mut export = sinew(["export", "-o", "-", "--time", "1"]);
        json(export.args(more).arg(&file))["primitives"].clone()
    };
    let [painted, all, linear] = [&[][..], &["--blend", "1"], &["--blend", "0"]].map(positions);
    assert!(painted != all && all != linear && painted != linear);
    let dual = positions(&["--mode", "dqs"]);
    let far = |a: &Value, b: &Value| {
        let numbers = |of: &Value| of[0]["positions"].as_array().unwrap().clone();
        let apart = |(a, b): (&Value, &Value)| (a.as_f64().unwrap() - b.as_f64().unwrap()).abs();
        numbers(a).iter().zip(&numbers(b)).map(apart).fold(0.0, f64::max)
    };
    assert!(far(&all, &dual) < 1e-6 && far(&linear, &positions(&["--mode", "lbs"])) < 1e-6);
}

#[test]
fn vertices_have_the_numbers_of_control_points() {
    let folder = tempfile::tempdir().unwrap();
    let file = written(folder.path(), "rod.fbx", &rod("Linear", &[]).binary());
    let corners = json(sinew(["export", "-o", "-"]).arg(&file));
    let corners = &corners["primitives"][0];
    let points = json(sinew(["export", "-o", "-", "--control-points"]).arg(&file));
    let points = &points["primitives"][0];
    let list = |of: &Value, key: &str| of[key].as_array().unwrap().clone();
    assert_eq!(list(points, "control_points"), (0..20).map(Value::from).collect::<Vec<_>>());
    assert_eq!(list(points, "positions").len(), 60);
    assert!(points["normals"].is_null());
    let (numbers, positions) = (list(corners, "control_points"), list(corners, "positions"));
    assert!(numbers.len() > 20, "corners have normals of their own");
    for (vertex, number) in numbers.iter().enumerate() {
        let number = number.as_u64().unwrap() as usize;
        assert_eq!(positions[vertex * 3..][..3], list(points, "positions")[number * 3..][..3]);
    }
    let name = |number: usize| format!("{}:{number}", corners["name"].as_str().unwrap());
    let explained = json(sinew(["explain", "--json", "--vertex", &name(19)]).arg(&file));
    assert_eq!(explained["vertex"], name(19).as_str(), "{explained}");
    assert_fails(sinew(["explain", "--vertex", &name(20)]).arg(&file), 1, &["no corner at control point 20"]);
    assert_fails(&mut sinew(["export", "builtin:twist", "-o", "-", "--control-points"]), 1, &["it has none"]);
}

#[test]
fn verify_agrees_on_every_method() {
    let folder = tempfile::tempdir().unwrap();
    let shares: Vec<(i32, f64)> = (0..20).map(|vertex| (vertex, 0.05 * f64::from(vertex))).collect();
    let mut command = sinew(["verify"]);
    for method in ["Linear", "DualQuaternion", "Blend"] {
        let document = rod(method, if method == "Blend" { &shares } else { &[] });
        command.arg(written(folder.path(), &format!("{method}.fbx"), &document.binary()));
        command.arg(written(folder.path(), &format!("{method}-text.fbx"), &document.ascii()));
    }
    let said = String::from_utf8(run_well(&mut command)).unwrap();
    assert!(said.contains("6 model(s)") && said.contains(" 0 row(s) over their bounds"), "{said}");
}

/// A file in centimetres scales all joints by the same, which is no finding; a bone of twice the size is one.
#[test]
fn a_unit_stretches_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let stretched = |document: &Document| {
        let file = written(folder.path(), "rod.fbx", &document.binary());
        let inspected = json(sinew(["inspect", "--json"]).arg(file));
        inspected["skins"][0]["stretched"].as_array().unwrap().len()
    };
    let mut plain = rod("Linear", &[]);
    plain.unit = 1.0;
    assert_eq!(stretched(&plain), 0);
    let mut scaled = rod_on("Linear", &[], &[vector("Lcl Scaling", [2.0; 3])]);
    scaled.unit = 1.0;
    assert_eq!(stretched(&scaled), 2);
}

/// Bones that turn in every order, about pivots, and take over scales in every way. That each order and way is what its file
/// says is tested where files are read.
#[test]
fn verify_agrees_on_every_rig() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = sinew(["verify"]);
    for order in 0..6 {
        let more = [
            int("RotationActive", 1),
            int("RotationOrder", order),
            int("InheritType", order % 3),
            vector("Lcl Scaling", [1.0, 1.5, 0.75]),
            vector("PreRotation", [10.0, 20.0, 30.0]),
            vector("PostRotation", [-20.0, 5.0, 15.0]),
            vector("RotationOffset", [0.1, 0.0, 0.2]),
            vector("RotationPivot", [0.0, 0.3, 0.1]),
            vector("ScalingOffset", [0.0, -0.1, 0.0]),
            vector("ScalingPivot", [0.2, 0.0, 0.1]),
        ];
        let method = ["Linear", "DualQuaternion"][order as usize % 2];
        let file = rod_on(method, &[], &more).binary();
        command.arg(written(folder.path(), &format!("{order}.fbx"), &file));
    }
    let said = String::from_utf8(run_well(&mut command)).unwrap();
    assert!(said.contains("6 model(s)") && said.contains(" 0 row(s) over their bounds"), "{said}");
}

#[test]
fn pictures_are_read_beside_the_file_and_not_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("inside");
    std::fs::create_dir(&inside).unwrap();
    let obj = "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl m\nf 1/1 2/2 3/3\n";
    let file = written(&inside, "a.obj", obj.as_bytes());
    let said = json(sinew(["inspect", "--json"]).arg(&file));
    assert_eq!(
        (&said["format"], &said["meshes"][0]["primitives"][0]["vertices"]),
        (&"OBJ".into(), &3.into())
    );

    let mut document = rod("Linear", &[]);
    document.texture("..\\outside.png");
    let file = written(&inside, "a.fbx", &document.binary());
    let png = crate::pictures::png(png::ColorType::Rgb, [2, 2], &[200; 12]);
    written(folder.path(), "outside.png", &png);
    let options = |allow_outside| Options { allow_outside, ..Options::default() };
    let read = |allow_outside| {
        let bytes = std::fs::read(&file).unwrap();
        load_bytes(&bytes, Some(&inside), &options(allow_outside)).unwrap()
    };
    let refused = read(false);
    assert!(refused.model.pictures.iter().all(Option::is_none));
    assert!(
        refused.model.warnings[0].message.contains("leads out of the model's folder"),
        "{:?}",
        refused.model.warnings
    );
    assert!(read(true).model.pictures[0].is_some());
    // Beside the file it is found by its name alone.
    written(&inside, "outside.png", &png);
    let beside = read(false);
    assert!(beside.model.pictures[0].is_some() && beside.model.warnings.is_empty());
    assert_eq!(beside.files[0].path, inside.join("outside.png"));
}

/// A triangle that moves by one along x each frame from a first frame to a last, at 24 a second.
fn sliding(first: f64, last: f64) -> Document {
    let mut document = Document::new();
    let node = document.node("a", "Mesh", 0, Vec::new());
    document.mesh(node, &[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]]);
    let [start, end] = [first, last].map(|frame| frame / 24.0);
    let layer = document.clip_between("slide", [start, end]);
    let keys = [(start, [0.0; 3]), (end, [last - first, 0.0, 0.0])];
    document.animate(layer, node, "Lcl Translation", &keys);
    document
}

/// The first vertex's x in the JSON of an export.
fn along_x(export: &Value) -> f64 {
    export["primitives"][0]["positions"][0].as_f64().unwrap()
}

/// Animations and sampled frames begin where the clip does.
#[test]
fn clips_play_from_their_own_start() {
    let folder = tempfile::tempdir().unwrap();
    for (first, last) in [(20.0, 60.0), (-15.0, 25.0)] {
        let file = written(folder.path(), "slide.fbx", &sliding(first, last).binary());
        let file = file.to_str().unwrap();
        let close = |found: f64, frame: f64| {
            let wanted = frame / 24.0;
            assert!((found - wanted).abs() < 1e-6, "{first}: {found}, {wanted}");
        };
        let still = json(&mut sinew(["export", file, "-o", "-"]));
        close(still["time"].as_f64().unwrap(), first);
        let moments = json(&mut sinew(["export", file, "-o", "-", "--frames", "4"]));
        let moments: Vec<f64> = moments.as_array().unwrap().iter().map(along_x).collect();
        assert!(
            moments.iter().zip([0.0, 10.0, 20.0, 30.0]).all(|(a, b)| (a - b).abs() < 1e-4),
            "{moments:?}"
        );

        let compared = json(&mut sinew(["compare", file, "--frames", "3", "--json"]));
        let measured = compared["clips"][0]["frames"].as_array().unwrap().iter();
        let times: Vec<f64> = measured.map(|frame| frame["time"].as_f64().unwrap()).collect();
        assert_eq!(times.len(), 3);
        times.iter().zip([first, first + 20.0, last]).for_each(|(time, frame)| close(*time, frame));

        let cache = folder.path().join("slide.mdd");
        run_well(sinew(["bake", file, "--fps", "24", "-o"]).arg(&cache));
        let frames = std::fs::read(&cache).unwrap();
        assert_eq!(frames[..4], 41_u32.to_be_bytes(), "one for each frame of the clip");

        let pictures = folder.path().join("{frame}.png");
        let mut draw = sinew([file, "--size", "16x16", "--frames", "2", "--screenshot"]);
        run_well(draw.arg(&pictures));
        let shown = json(sinew(["show", "--json"]).arg(folder.path().join("0001.png")));
        let command = shown["command"].as_str().unwrap();
        let time = command.split(" --time").nth(1).and_then(|rest| rest[1..].split(' ').next()).unwrap();
        close(time.parse().unwrap(), first + 20.0);
    }
}

/// Keys before frame 0 are read like those after it. glTF has no such times, so its clips start at 0.
#[test]
fn frames_before_zero_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = written(folder.path(), "early.fbx", &sliding(-15.0, 5.0).binary());
    let file = file.to_str().unwrap();
    let text = String::from_utf8(run_well(&mut sinew(["inspect", file, "--strict"]))).unwrap();
    assert!(text.contains("0.833 s  frames -15 to 5"), "{text}");
    let at = |of: &str, flag: &str| along_x(&json(&mut sinew(["export", of, "-o", "-", flag])));
    for (frame, x) in [(-20.0, 0.0), (-15.0, 0.0), (-7.5, 7.5), (0.0, 15.0), (5.0, 20.0)] {
        let found = at(file, &format!("--frame={frame}"));
        assert!((found - x).abs() < 1e-5, "{frame}: {found}");
    }
    let glb = folder.path().join("early.glb");
    let made = run(sinew(["convert", file, "-o"]).arg(&glb));
    assert_eq!(made.code, Some(0), "{}", made.err);
    assert!(made.err.contains("begins 0.625 s before 0"), "{}", made.err);
    let glb = glb.to_str().unwrap();
    for (frame, x) in [(0.0, 0.0), (7.5, 7.5), (20.0, 20.0)] {
        let found = at(glb, &format!("--time={}", frame / 24.0));
        assert!((found - x).abs() < 1e-5, "{frame}: {found}");
    }
}

/// A clip that begins at frame 20 begins there, and a frame is a time in every command and list.
#[test]
fn frames_are_the_files_own() {
    let folder = tempfile::tempdir().unwrap();
    let at = |frame: f64| frame / 24.0;
    let file = written(folder.path(), "late.fbx", &sliding(20.0, 60.0).binary());
    let file = file.to_str().unwrap();

    let clip = &json(&mut sinew(["inspect", "--json", file]))["clips"][0];
    assert_eq!((clip["first_frame"].as_f64(), clip["last_frame"].as_f64()), (Some(20.0), Some(60.0)));
    assert!((clip["first_seconds"].as_f64().unwrap() - at(20.0)).abs() < 1e-6, "{clip}");
    let text = String::from_utf8(run_well(&mut sinew(["inspect", file]))).unwrap();
    assert!(text.contains("frames 20 to 60"), "{text}");

    let moved = |frame: &str| along_x(&json(&mut sinew(["export", file, "-o", "-", "--frame", frame])));
    for (frame, x) in [("5", 0.0), ("20", 0.0), ("35", 15.0), ("35.5", 15.5), ("60", 40.0), ("-3", 0.0)] {
        assert!((moved(frame) - x).abs() < 1e-5, "{frame}: {}", moved(frame));
    }
    let mut early = sinew(["export", file, "--frame", "1", "--pose", "rest"]);
    assert_eq!(run(&mut early).code, Some(2));
    assert_eq!(run(&mut sinew(["export", file, "-o", "-", "--frame", "1", "--time", "1"])).code, Some(2));

    // glTF names no rate: a second has 30 frames there.
    let same = |words: &[&str]| {
        let [by_frame, by_time] =
            [["--frame", "15"], ["--time", "0.5"]].map(|time| run_well(sinew(words).args(time)));
        assert!(by_frame == by_time && !by_time.is_empty(), "{words:?}");
    };
    same(&["builtin:bend", "--size", "32x32", "--screenshot", "-"]);
    same(&["export", "builtin:bend", "-o", "-"]);
    same(&["explain", "builtin:bend", "--vertex", "node0:0:3", "--json"]);
    same(&["palette", "builtin:bend", "--json"]);
    same(&["compare", "builtin:bend", "--json"]);
    let list = "[[case]]\nname = \"a\"\nmodel = \"builtin:bend\"\nmode = \"lbs\"\nsize = \"32x32\"\n";
    let list_of =
        |time: &str| std::fs::write(folder.path().join("golden.toml"), format!("{list}{time}\n")).unwrap();
    list_of("time = 0.5");
    let golden = |name: Option<&str>| {
        let mut golden = sinew(["golden"]);
        name.map(|name| golden.env("UPDATE_GOLDEN", name));
        let run = run(golden.arg(folder.path()));
        assert_eq!(run.code, Some(0), "{}", run.err);
    };
    golden(Some("a"));
    list_of("frame = 15");
    golden(None);
}
