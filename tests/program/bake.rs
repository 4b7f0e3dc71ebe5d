//! Tests `sinew bake` from outside: what other programs read in its files is what `sinew export` writes of each frame.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use crate::common;
use crate::scattered::{NAMES, WHITE};

use std::fs;
use std::path::{Path, PathBuf};

use common::{Run, run, run_well, sinew};
use sinew::export::bake::times;
use sinew::model::{Model, Primitive, gltf};
use sinew::skinning::SkinningMode;
use sinew::skinning::pose::{Pose, PoseChoice};
use sinew::skinning::posed::{SkinnedPrimitive, skin_model};

/// The tolerance of values that are read back against the skinned ones, in units of the largest coordinate.
const BOUND: f32 = 1e-6;

/// Bakes a clip of a built-in model at 2 frames a second.
fn bake(model: &str, mode: SkinningMode, out: &Path) {
    let flags = ["bake", model, "--mode", mode.name(), "--clip", "0", "--fps", "2", "-o"];
    assert!(run_well(sinew(flags).arg(out)).is_empty());
}

/// Returns the positions and normals that `sinew export` writes of a frame.
fn exported(model: &str, mode: SkinningMode, time: f64) -> (Vec<f32>, Vec<f32>) {
    let flags = ["export", model, "--mode", mode.name(), "--on", "cpu", "--clip", "0", "--time"];
    let json = run_well(sinew(flags).arg(time.to_string()).args(["-o", "-"]));
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    let stream = |name: &str| -> Vec<f32> {
        let primitives = json["primitives"].as_array().unwrap().iter();
        let numbers = primitives.flat_map(|primitive| primitive[name].as_array().unwrap());
        numbers.map(|number| number.to_string().parse().unwrap()).collect()
    };
    (stream("positions"), stream("normals"))
}

fn frames(model: &Model) -> Vec<f64> {
    times(model, &PoseChoice::clip(0, 0.0), 2.0).unwrap()
}

/// The positions and normals of a model at a time of its first clip, by linear blending.
fn shown(model: &Model, time: f64) -> (Vec<f32>, Vec<f32>) {
    let mut pose = Pose::default();
    pose.set(model, &PoseChoice::clip(0, time));
    flat(&skin_model(model, SkinningMode::Linear, &pose))
}

fn flat(skinned: &[SkinnedPrimitive<f32>]) -> (Vec<f32>, Vec<f32>) {
    let positions = skinned.iter().flat_map(|one| one.positions.as_flattened().to_vec());
    let normals = skinned.iter().flat_map(|one| one.normals.as_ref().unwrap().as_flattened().to_vec());
    (positions.collect(), normals.collect())
}

#[track_caller]
fn assert_near(found: &[f32], expected: &[f32], what: &str) {
    let reach = expected.iter().fold(0.0, |reach: f32, number| reach.max(number.abs()));
    assert_eq!(found.len(), expected.len(), "{what}");
    let apart = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(apart <= BOUND * reach, "{what}: {apart} apart, of {reach}");
}

#[test]
fn glb_shows_what_export_writes_in_every_mode() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("bend.glb");
    let model = common::builtin("bend");
    let frames = frames(&model);
    assert!(
        frames.len() > 2
            && frames[0] == 0.0
            && *frames.last().unwrap() == model.period_of_all([0].into_iter()).end
    );
    for mode in SkinningMode::ALL {
        bake("builtin:bend", mode, &out);
        let baked = gltf::load(&out).unwrap();
        assert!(
            baked.warnings.is_empty() && baked.faults.is_empty(),
            "{:?} {:?}",
            baked.warnings,
            baked.faults
        );
        assert!(baked.skins.is_empty() && baked.clips.len() == 1);
        assert_eq!(baked.clips[0].name, model.clips[0].name);
        assert_eq!(baked.meshes[0].target_names.len(), frames.len() - 1);
        assert_eq!(baked.meshes[0].target_names[0], "frame 1");
        for &time in &frames {
            let (positions, normals) = shown(&baked, time);
            let expected = exported("builtin:bend", mode, time);
            assert_near(&positions, &expected.0, &format!("{mode} at {time} s: positions"));
            assert_near(&normals, &expected.1, &format!("{mode} at {time} s: normals"));
        }
        // Between two frames it is the mean of both.
        let [(before, _), (between, _), (after, _)] =
            [frames[0], (frames[0] + frames[1]) / 2.0, frames[1]].map(|time| shown(&baked, time));
        let mean: Vec<f32> = before.iter().zip(&after).map(|(a, b)| (a + b) / 2.0).collect();
        assert_near(&between, &mean, "between two frames");
    }
}

#[test]
fn glb_keeps_surfaces_and_moves_tangents() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("character.glb");
    let model = common::builtin("character");
    bake("builtin:character", SkinningMode::DualQuat, &out);
    let baked = gltf::load(&out).unwrap();
    assert!(baked.warnings.is_empty() && baked.faults.is_empty(), "{:?} {:?}", baked.warnings, baked.faults);
    assert_eq!(baked.materials, model.materials);
    assert_eq!(baked.pictures, model.pictures);
    let primitives = |model: &Model| -> Vec<Primitive> {
        model.instances.iter().flat_map(|one| model.meshes[one.mesh].primitives.clone()).collect()
    };
    for (baked, original) in primitives(&baked).iter().zip(&primitives(&model)) {
        assert_eq!((&baked.texcoords, &baked.indices), (&original.texcoords, &original.indices));
        assert_eq!((&baked.colors, baked.material), (&original.colors, original.material));
        let moves_tangents = baked.morphs.as_ref().is_some_and(|morphs| morphs.tangents.is_some());
        assert_eq!(moves_tangents, original.tangents.is_some());
    }
    let time = frames(&model)[1];
    assert_near(
        &shown(&baked, time).0,
        &exported("builtin:character", SkinningMode::DualQuat, time).0,
        "dqs",
    );
}

/// The numbers of a cache: those before the frames, and each frame.
fn cached(path: &Path) -> (Vec<i32>, Vec<Vec<f32>>) {
    let bytes = fs::read(path).unwrap();
    let big = path.extension().unwrap() == "mdd";
    let words = |bytes: &[u8]| -> Vec<[u8; 4]> { bytes.as_chunks::<4>().0.to_vec() };
    let whole = |word: &[u8; 4]| if big { i32::from_be_bytes(*word) } else { i32::from_le_bytes(*word) };
    let real = |word: &[u8; 4]| if big { f32::from_be_bytes(*word) } else { f32::from_le_bytes(*word) };
    let (head, frames, points) = match big {
        false => {
            assert_eq!(&bytes[..12], b"POINTCACHE2\0");
            let head: Vec<i32> = words(&bytes[12..32]).iter().map(whole).collect();
            (head.clone(), 32, head[1])
        }
        true => {
            let head: Vec<i32> = words(&bytes[..8]).iter().map(whole).collect();
            (head.clone(), 8 + 4 * head[0] as usize, head[1])
        }
    };
    let numbers: Vec<f32> = words(&bytes[frames..]).iter().map(real).collect();
    (head, numbers.chunks_exact(points as usize * 3).map(<[f32]>::to_vec).collect())
}

#[test]
fn point_caches_hold_every_frame_to_the_bit() {
    let folder = tempfile::tempdir().unwrap();
    let model = common::builtin("bend");
    let times = frames(&model);
    for name in ["bend.pc2", "bend.mdd"] {
        let out = folder.path().join(name);
        bake("builtin:bend", SkinningMode::DualQuat, &out);
        let (head, found) = cached(&out);
        let points = model.meshes[0].primitives[0].positions.len() as i32;
        let count = times.len() as i32;
        match name {
            "bend.pc2" => assert_eq!(head, [1, points, 0, 1f32.to_bits() as i32, count]),
            _ => assert_eq!(head, [count, points]),
        }
        assert_eq!(found.len(), times.len());
        for (found, &time) in found.iter().zip(&times) {
            assert_eq!(*found, exported("builtin:bend", SkinningMode::DualQuat, time).0, "{name} at {time}");
        }
    }
    // The mesh for them has the same vertices in the same order.
    let mesh = folder.path().join("mesh.obj");
    run_well(sinew(["export", "builtin:bend", "--pose", "bind", "--on", "cpu", "-o"]).arg(&mesh));
    let vertices = fs::read_to_string(mesh).unwrap().lines().filter(|line| line.starts_with("v ")).count();
    assert_eq!(vertices, model.meshes[0].primitives[0].positions.len());
}

/// All files of a folder by name.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_file_a_frame_is_what_export_writes_then() {
    let folder = tempfile::tempdir().unwrap();
    let fox = WHITE.write(folder.path(), NAMES);
    let model = gltf::load(&fox).unwrap();
    let frames = frames(&model);
    let out = folder.path().join("out");
    for (extension, also) in [("obj", &["walk-image0.png", "walk.mtl"][..]), ("ply", &[])] {
        fs::create_dir(&out).unwrap();
        let pattern = out.join(format!("walk-{{frame:03}}.{extension}"));
        run_well(sinew(["bake", "--clip", "0", "--fps", "2", "-o"]).arg(&pattern).arg(&fox));
        let expected = (0..frames.len()).map(|frame| format!("walk-{frame:03}.{extension}"));
        let mut expected: Vec<String> = expected.chain(also.iter().map(|name| (*name).to_owned())).collect();
        expected.sort();
        assert_eq!(names(&out), expected);
        for (number, time) in frames.iter().enumerate() {
            let single = folder.path().join(format!("walk.{extension}"));
            let flags = ["export", "--clip", "0", "--on", "cpu", "--time", &time.to_string(), "-o"];
            run_well(sinew(flags).arg(&single).arg(&fox));
            let frame = fs::read(out.join(format!("walk-{number:03}.{extension}"))).unwrap();
            assert!(frame == fs::read(single).unwrap(), "frame {number} of .{extension}");
        }
        fs::remove_dir_all(&out).unwrap();
    }
}

#[test]
fn obj_has_texture_coordinates_and_materials() {
    let folder = tempfile::tempdir().unwrap();
    let fox = WHITE.write(folder.path(), NAMES);
    let model = gltf::load(&fox).unwrap();
    let primitive = &model.meshes[0].primitives[0];
    let out = folder.path().join("still.obj");
    run_well(sinew(["export", "--on", "cpu", "-o"]).arg(&out).arg(&fox));
    let text = fs::read_to_string(&out).unwrap();
    let lines = |start: &str| -> Vec<String> {
        text.lines().filter_map(|line| line.strip_prefix(start)).map(str::to_owned).collect()
    };
    assert_eq!((lines("mtllib "), lines("usemtl ")), (vec!["still.mtl".to_owned()], vec!["_0".to_owned()]));
    let found: Vec<f32> =
        lines("vt ").iter().flat_map(|line| line.split(' ')).map(|n| n.parse().unwrap()).collect();
    let expected: Vec<f32> = primitive.texcoords[0].iter().flat_map(|[u, v]| [*u, 1.0 - v]).collect();
    assert_eq!(found, expected);
    let first = primitive.indices[0] + 1;
    let [face, ..] = &lines("f ")[..] else { panic!("no faces") };
    let corner = face.split(' ').next().unwrap();
    assert!(corner.starts_with(&format!("{first}/{first}")), "{corner}");
    let mtl = fs::read_to_string(folder.path().join("still.mtl")).unwrap();
    assert!(mtl.starts_with("newmtl _0\nKd 1 1 1\n") && mtl.contains("map_Kd still-image0.png\n"), "{mtl}");
    let picture = sinew::image::read_png(&folder.path().join("still-image0.png")).unwrap();
    assert_eq!((picture.width, picture.height), (8, 8));
}

#[test]
fn what_cannot_be_baked_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let fails = |out: &str, flags: &[&str], code: i32, says: &str| {
        let out: PathBuf = folder.path().join(out);
        let Run { code: found, out: printed, err } = run(sinew(["bake", "-o"]).arg(out).args(flags));
        assert_eq!((found, printed.len()), (Some(code), 0), "{err}");
        assert!(err.starts_with("error: ") && err.lines().count() == 1 && err.contains(says), "{err}");
    };
    fails("a.fbx", &[], 2, "expected a file that ends in .glb, .pc2");
    fails("a.obj", &[], 2, "a name with {frame}");
    fails("{frame}.glb", &[], 2, "a name with {frame}");
    fails("{frame:x}.obj", &[], 2, "{frame:04}");
    fails("{frame}/a.obj", &[], 2, "{frame} must be in the file's name");
    fails("a.glb", &["--pose", "rest"], 2, "without a clip has no frames; 'sinew export'");
    fails("a.glb", &["--time", "1e6"], 2, "ended at --time 1000000");
    fails("a.glb", &["--fps", "0"], 2, "frames per second");
    fails("a.pc2", &["builtin:bend", "--fps", "10000", "--time", "-100"], 2, "more than 108000 frames");
    fails("a.glb", &["builtin:bend", "--fps", "10000", "--clip", "0"], 2, "write .pc2 or .mdd");
    fails("a.glb", &["--clip", "jump"], 1, "no clip 'jump'");
    fails("no/such/a.mdd", &["builtin:strip"], 5, "a.mdd");
    assert_eq!(names(folder.path()), [""; 0], "something is left behind");
}
