//! Tests `sinew export` and `sinew verify` from outside: the contents of the files, and that they read back the same.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::cli::assert_fails;
use crate::common::{self, run_well, sinew};

use std::path::Path;
use std::process::Stdio;

use sinew::analysis::vertices::{Options, Stored, read};
use sinew::model::{Deltas, Morphs, gltf};
use sinew::skinning::SkinningMode;
use sinew::skinning::pose::{Pose, PoseChoice};
use sinew::skinning::posed::skin_model;

/// Exports `builtin:bend` at the middle of its clip with dqs, and returns the file's bytes.
fn export(folder: &Path, file: &str, on: &str) -> Vec<u8> {
    let out = folder.join(file);
    let subject = ["export", "builtin:bend", "--mode", "dqs", "--clip", "bend", "--time", "1", "--on", on];
    let run = common::sinew(subject).arg("-o").arg(&out).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    assert!(run.stdout.is_empty() && run.stderr.is_empty(), "{}", String::from_utf8_lossy(&run.stderr));
    std::fs::read(out).unwrap()
}

fn expected() -> (Vec<[f32; 3]>, Vec<[f32; 3]>, Vec<u32>) {
    let model = common::builtin("bend");
    let mut pose = Pose::default();
    pose.set(&model, &PoseChoice::clip(0, 1.0));
    let skinned = skin_model(&model, SkinningMode::DualQuat, &pose).remove(0);
    (skinned.positions, skinned.normals.unwrap(), model.meshes[0].primitives[0].indices.clone())
}

#[test]
fn json_has_its_fields_and_reads_back_to_the_bit() {
    let folder = tempfile::tempdir().unwrap();
    let (positions, normals, _) = expected();
    for on in ["gpu", "cpu"] {
        let json: serde_json::Value = serde_json::from_slice(&export(folder.path(), "a.json", on)).unwrap();
        let keys = |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        let mut expected_keys = ["model", "mode", "clip", "time", "on", "primitives"].map(String::from);
        expected_keys.sort();
        assert_eq!(keys(&json), expected_keys);
        assert_eq!((json["model"].as_str(), json["mode"].as_str()), (Some("builtin:bend"), Some("dqs")));
        assert_eq!((json["clip"].as_u64(), json["time"].as_f64()), (Some(0), Some(1.0)));
        assert_eq!(json["on"].as_str(), Some(on));

        let primitive = &json["primitives"][0];
        let mut expected_keys =
            ["name", "node", "mesh", "primitive", "skin", "positions", "normals", "tangents"]
                .map(String::from);
        expected_keys.sort();
        assert_eq!(keys(primitive), expected_keys);
        assert_eq!(primitive["skin"].as_u64(), Some(0));
        assert_eq!(primitive["name"], format!("node{}:0", primitive["node"]));
        assert_eq!(primitive["tangents"].as_array().unwrap().len(), positions.len() * 4);
        let floats = |name: &str| -> Vec<f32> {
            primitive[name].as_array().unwrap().iter().map(|x| x.to_string().parse().unwrap()).collect()
        };
        assert_eq!(floats("positions"), positions.as_flattened(), "{on}");
        assert_eq!(floats("normals"), normals.as_flattened(), "{on}");
    }
    let reference: serde_json::Value =
        serde_json::from_slice(&export(folder.path(), "r.json", "reference")).unwrap();
    let of_reference = reference["primitives"][0]["positions"].as_array().unwrap();
    let apart = of_reference.iter().zip(positions.as_flattened()).map(|(a, b)| {
        let distance = (a.as_f64().unwrap() - f64::from(*b)).abs();
        assert!(distance < 2e-6, "{distance}");
        distance
    });
    assert!(apart.sum::<f64>() > 0.0, "the reference has more digits");
}

#[test]
fn json_says_which_clips_are_put_together() {
    let export = |flags: &[&str]| -> serde_json::Value {
        let arguments = ["export", "builtin:character", "--on", "cpu", "--time", "0.5", "-o", "-"];
        let out = common::run_well(&mut common::sinew(arguments.iter().chain(flags)));
        serde_json::from_slice(&out).unwrap()
    };
    let (one, by_default) = (export(&["--clip", "walk"]), export(&["--blend-clip", "walk"]));
    let number = one["clip"].as_u64().unwrap();
    assert_eq!((one["time"].as_f64(), one.get("blend")), (Some(0.5), None));
    let first_and_half = (serde_json::json!(0), serde_json::json!([{"clip": number, "weight": 0.5}]));
    assert_eq!((by_default["clip"].clone(), by_default["blend"].clone()), first_and_half);

    let several =
        export(&["--clip", "idle", "-c", "walk", "--blend-clip", "wave@0.25", "--blend-clip", "0@1"]);
    let clips = &common::builtin("character").clips;
    let index = |name: &str| clips.iter().position(|clip| clip.name == name).unwrap();
    assert_eq!(several["clip"], serde_json::json!([index("idle"), index("walk")]));
    let blend = [(index("wave"), 0.25), (0, 1.0)]
        .map(|(clip, weight)| serde_json::json!({"clip": clip, "weight": weight}));
    assert_eq!(several["blend"], serde_json::json!(blend));

    // A weight of 1 gives the blended clip, 0 the other, and one in between neither.
    let positions = |flags: &[&str]| export(flags)["primitives"][0]["positions"].clone();
    let (walk, wave) = (positions(&["--clip", "walk"]), positions(&["--clip", "wave"]));
    assert_eq!(positions(&["--clip", "walk", "--blend-clip", "wave@1"]), wave);
    assert_eq!(positions(&["--clip", "walk", "--blend-clip", "wave@0"]), walk);
    let half = positions(&["--clip", "walk", "--blend-clip", "wave"]);
    assert!(half != walk && half != wave);
}

#[test]
fn obj_and_ply_hold_the_same_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let (positions, normals, indices) = expected();
    let numbers = |line: &str| line.split(' ').filter_map(|word| word.parse().ok()).collect::<Vec<f32>>();

    let obj = String::from_utf8(export(folder.path(), "a.obj", "cpu")).unwrap();
    let lines = |start: &'static str| obj.lines().filter_map(move |line| line.strip_prefix(start));
    let of_obj = |start| lines(start).flat_map(numbers).collect::<Vec<f32>>();
    assert_eq!(of_obj("v "), positions.as_flattened());
    assert_eq!(of_obj("vn "), normals.as_flattened());
    let corners: Vec<u32> = lines("f ")
        .flat_map(|face| face.split(' '))
        .map(|corner| {
            let numbers: Vec<u32> = corner.split('/').map(|number| number.parse().unwrap()).collect();
            assert_eq!(numbers, [numbers[0]; 3], "vertex, texture coordinates, normal");
            numbers[0] - 1
        })
        .collect();
    assert_eq!(corners, indices);

    let ply = String::from_utf8(export(folder.path(), "a.ply", "cpu")).unwrap();
    let (header, body) = ply.split_once("end_header\n").unwrap();
    assert!(header.starts_with("ply\nformat ascii 1.0\n"));
    assert!(header.contains(&format!("element vertex {}\n", positions.len())));
    let rows: Vec<Vec<f32>> = body.lines().map(numbers).collect();
    let (vertices, faces) = rows.split_at(positions.len());
    for ((row, position), normal) in vertices.iter().zip(&positions).zip(&normals) {
        assert_eq!(row[..6], *[*position, *normal].as_flattened());
    }
    let corners: Vec<u32> =
        faces.iter().flat_map(|face| face[1..].iter().map(|&corner| corner as u32)).collect();
    assert_eq!(corners, indices);
}

#[test]
fn arrays_hold_the_same_numbers_with_a_header_for_numpy() {
    let folder = tempfile::tempdir().unwrap();
    let (positions, normals, _) = expected();
    let wide = |rows: &[[f32; 3]]| rows.iter().map(|row| row.map(f64::from)).collect::<Vec<_>>();
    let npy = export(folder.path(), "a.npy", "cpu");
    let header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, 3), }}", positions.len());
    let start = [b"\x93NUMPY\x01\x00\x76\x00", header.as_bytes()].concat();
    assert!(npy.starts_with(&start) && npy[127] == b'\n');
    let numbers: Vec<u8> = positions.as_flattened().iter().flat_map(|number| number.to_le_bytes()).collect();
    assert_eq!(npy[128..], numbers);

    for on in ["gpu", "cpu"] {
        let given = read(&export(folder.path(), "a.npz", on), "npz", &Options::default()).unwrap();
        let [part] = &given.parts[..] else { panic!("{} parts", given.parts.len()) };
        assert_eq!((given.stored, &part.positions), (Stored::F32, &wide(&positions)), "{on}");
        assert_eq!(part.normals, Some(wide(&normals)), "{on}");
        assert!(part.tangents.is_some() && part.texcoords.is_some());
    }
    let double = read(&export(folder.path(), "r.npz", "reference"), "npz", &Options::default()).unwrap();
    assert!(double.stored == Stored::F64 && double.parts[0].positions != wide(&positions));

    // Frames are an axis of their own.
    let subject = ["export", "builtin:bend", "--mode", "dqs", "--on", "cpu", "--frames", "4", "-o"];
    for file in ["run.npy", "run.npz", "run.json"] {
        let out = folder.path().join(file);
        run_well(sinew(subject).arg(&out));
        // The clip of the built-in model takes two seconds.
        let options = Options { frame: Some(2), ..Options::default() };
        let given = read(&std::fs::read(&out).unwrap(), &file[4..], &options).unwrap();
        assert_eq!(given.parts[0].positions, wide(&positions), "{file}");
    }
    assert_fails(sinew(subject).arg("run.ply"), 2, &["it holds one moment", ".json, .npy or .npz"]);
}

#[test]
fn glb_is_a_still_model_that_loads_again() {
    let folder = tempfile::tempdir().unwrap();
    let (positions, normals, indices) = expected();
    let still = gltf::load_bytes(&export(folder.path(), "a.glb", "gpu"), None).unwrap();
    assert!(still.skins.is_empty() && still.clips.is_empty() && still.warnings.is_empty());
    let primitive = &still.meshes[0].primitives[0];
    assert_eq!((&primitive.positions, &primitive.indices), (&positions, &indices));
    assert_eq!(primitive.normals.as_ref(), Some(&normals));
    assert!(primitive.colors.is_some() && primitive.influences.is_none());
}

#[test]
fn glb_has_morph_targets_in_its_vertices() {
    let folder = tempfile::tempdir().unwrap();
    let mut model = sinew::model::Model::clone(&common::builtin("strip"));
    let primitive = &mut model.meshes[0].primitives[0];
    let vertices = primitive.positions.len();
    primitive.texcoords = vec![vec![[0.5, 0.5]; vertices], vec![[0.0, 1.0]; vertices]];
    primitive.colors = Some(vec![[0.25; 4]; vertices]);
    primitive.morphs = Some(Morphs {
        positions: Deltas::new(vertices, &[vec![(1, [0.0, 0.0, 8.0])]]),
        texcoords: vec![None, Deltas::new(vertices, &[vec![(2, [1.0, -1.0])]])],
        colors: Deltas::new(vertices, &[vec![(0, [1.0, 4.0, -1.0, 0.0])]]),
        ..Morphs::default()
    });
    model.meshes[0].target_names = vec!["out".to_owned()];
    model.rig.rest_weights = vec![0.5];
    let node = model.instances[0].node;
    model.rig.weight_ends = (0..model.rig.len()).map(|other| u32::from(other >= node)).collect();
    let file = folder.path().join("morphed.glb");
    std::fs::write(&file, gltf::write_glb(&model).unwrap()).unwrap();
    let mut pose = Pose::default();
    pose.set(&model, &PoseChoice::Rest);
    let want = skin_model(&model, SkinningMode::Linear, &pose).remove(0).positions;
    let unmorphed = &model.meshes[0].primitives[0].positions[1];
    assert!((want[1][2] - unmorphed[2] - 4.0).abs() < 1e-6);

    for on in ["gpu", "cpu"] {
        let out = folder.path().join("still.glb");
        let mut export = common::sinew(["export", "--pose", "rest", "--on", on, "-o"]);
        common::run_well(export.arg(&out).arg(&file));
        let still = gltf::load(&out).unwrap();
        let primitive = &still.meshes[0].primitives[0];
        assert!(primitive.morphs.is_none() && still.meshes[0].target_names.is_empty());
        assert!(still.rig.rest_weights.is_empty());
        assert_eq!(primitive.positions, want, "{on}");
        assert_eq!(primitive.texcoords[1][1..4], [[0.0, 1.0], [0.5, 0.5], [0.0, 1.0]]);
        assert_eq!(primitive.colors.as_ref().unwrap()[..2], [[0.75, 1.0, 0.0, 0.25], [0.25; 4]]);
    }
}

#[test]
fn what_cannot_be_exported_says_why() {
    let folder = tempfile::tempdir().unwrap();
    for (name, code) in [("a.fbx", 2), ("no/such/folder/a.json", 5)] {
        let out = folder.path().join(name);
        let run = common::sinew(["export", "builtin:strip", "--on", "cpu", "-o"]).arg(&out).output().unwrap();
        let stderr = String::from_utf8(run.stderr).unwrap();
        assert_eq!(run.status.code(), Some(code), "{stderr}");
        assert!(stderr.starts_with("error: ") && stderr.lines().count() == 1, "{stderr}");
        assert!(stderr.contains(name), "{stderr}");
    }
}

#[test]
fn verify_prints_a_table_and_the_same_as_json() {
    let run = common::sinew(["verify", "builtin:strip"]).output().unwrap();
    let table = String::from_utf8(run.stdout).unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    for word in [
        "builtin:strip",
        "rigid",
        "lbs",
        "dqs",
        "blend",
        "cor",
        "dqs-blender",
        "dqs-rigid",
        "bind",
        "rest",
        "worst dqs",
        "0 row(s) over their bounds",
    ] {
        assert!(table.contains(word), "no '{word}' in\n{table}");
    }
    let run = common::sinew(["verify", "builtin:strip", "--json"]).output().unwrap();
    let json: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    let rows = json["models"][0]["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 3 * SkinningMode::ALL.len(), "bind, rest and one clip of each mode");
    assert!(
        rows.iter().all(|row| row["gpu_twin"]["differing"] == 0 && row["faults"] == serde_json::json!([]))
    );
}

/// Each of several moments holds what it holds alone.
#[test]
fn moments_are_written_one_by_one_or_as_a_list() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let export = |words: &[&str]| {
        let mut command = sinew(["export", "builtin:bend", "--mode", "dqs"]);
        command.args(words).current_dir(folder);
        command
    };
    let json = |bytes: &[u8]| serde_json::from_slice::<serde_json::Value>(bytes).unwrap();
    for on in ["gpu", "cpu", "reference"] {
        let list = json(&run_well(&mut export(&["--on", on, "--frames", "4", "-o", "-"])));
        let times: Vec<f64> =
            list.as_array().unwrap().iter().map(|one| one["time"].as_f64().unwrap()).collect();
        // The clip of the built-in model takes two seconds.
        assert_eq!(times, [0.0, 0.5, 1.0, 1.5], "{on}");
        let alone = json(&run_well(&mut export(&["--on", on, "--time", "1", "-o", "-"])));
        assert_eq!(list[2], alone, "{on}");
    }
    run_well(&mut export(&["--fps", "10", "--frames", "3..5", "--time", "0.5", "-o", "run-{frame:2}.json"]));
    let one = json(&std::fs::read(folder.join("run-04.json")).unwrap());
    assert_eq!(one, json(&run_well(&mut export(&["--time", "0.9", "-o", "-"]))));
    run_well(&mut export(&["--fps", "2", "-o", "{frame:1}.obj"]));
    let mut files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    files.sort();
    let files: Vec<&str> = files.iter().map(|name| name.to_str().unwrap()).collect();
    let expected =
        ["0.obj", "1.obj", "2.obj", "3.obj", "materials.mtl", "run-03.json", "run-04.json", "run-05.json"];
    assert_eq!(files, expected);
    for (words, says) in [
        (&["--frames", "2", "-o", "a.obj"][..], "it holds one moment; for several, use a name with {frame}"),
        (&["--frames", "2", "-o", "{frame}/a.obj"], "{frame} must be in the file's name"),
        (&["--frames", "0", "-o", "a.json"], "expected a number of frames"),
        (&["--frames", "60..70", "-o", "a.json"], "from --time on, the clip has frames 0 to 50 at --fps 25"),
        (
            &["--pose", "rest", "--frames", "2", "-o", "a.json"],
            "this pose plays no clip; name one with --clip",
        ),
        (&["--rigged", "--frames", "2", "-o", "a.glb"], "cannot be used with"),
    ] {
        assert_fails(&mut export(words), 2, &[says]);
    }
    assert_fails(
        export(&["--frames", "2", "-o", "x.json"]).args(["--clip-from", "-"]).stdin(Stdio::null()),
        1,
        &["-: standard input is empty"],
    );
}
