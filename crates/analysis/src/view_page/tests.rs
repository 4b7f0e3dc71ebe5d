//! Tests of packed views: what the script unpacks is what was skinned.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use miniz_oxide::inflate::decompress_to_vec_zlib;
use serde_json::Value;
use sinew_model::{builtin, gltf};

use sinew_skinning::pairing::Pairing;
use sinew_skinning::posed::reference_model;

use super::*;

fn model(name: &str) -> Model {
    gltf::load_bytes(&builtin::glb(name).unwrap(), None).unwrap()
}

/// Returns the head and the unpacked bytes of a script.
fn read(script: &str) -> (Value, Vec<u8>) {
    let rest = script.strip_prefix("const sinewView = {head: ").unwrap();
    let (head, rest) = rest.split_once(", packed: \"").unwrap();
    let packed = STANDARD.decode(rest.strip_suffix("\"};\n").unwrap()).unwrap();
    (serde_json::from_str(head).unwrap(), decompress_to_vec_zlib(&packed).unwrap())
}

fn halves(bytes: &[u8], at: usize, count: usize) -> Vec<u16> {
    (at..at + count).map(|place| u16::from_le_bytes([bytes[place], bytes[place + count]])).collect()
}

/// Places of a frame of a side, as the script computes them.
fn places(head: &Value, bytes: &[u8], (side, motion, frame): (usize, usize, usize)) -> Vec<[f64; 3]> {
    let mesh = &head["meshes"][head["sides"][side]["mesh"].as_u64().unwrap() as usize];
    let joints = mesh["joints"].as_array().unwrap().len();
    let size = 3 * (mesh["vertices"].as_u64().unwrap() as usize + joints);
    let first = head["motions"][motion]["places"][side].as_u64().unwrap() as usize;
    let mut sum = vec![0_u16; size];
    for number in 0..=frame {
        let change = halves(bytes, first + 2 * size * number, size);
        sum = sum.iter().zip(change).map(|(a, b)| a.wrapping_add(b)).collect();
    }
    let step = head["grid"]["step"].as_f64().unwrap();
    let low = |axis: usize| head["grid"]["low"][axis].as_f64().unwrap();
    sum.chunks(3)
        .map(|steps| [0, 1, 2].map(|axis: usize| low(axis) + step * f64::from(steps[axis])))
        .collect()
}

#[test]
fn a_page_has_the_places_of_every_mode() {
    let model = model("character");
    let modes = [SkinningMode::Linear, SkinningMode::DualQuat];
    let sides = modes.map(|mode| Side { name: mode.name().to_owned(), model: &model, mode });
    let clip = model.clips.iter().position(|clip| clip.name == "wave").unwrap_or(1);
    let period = model.period_of_all(std::iter::once(clip));
    let motions = [Motion { name: "one".to_owned(), clips: vec![Some(clip); 2], period }];
    let vertex = VertexIndex { instance: 0, primitive: 0, vertex: 7 };
    let spot = |motion, time| Spot { words: String::new(), side: 1, motion, time, vertex: Some(vertex) };
    let spots = [spot(Some(0), 0.1234), spot(None, 3.0)];
    let (head, bytes) = read(&View::new(&sides, &motions, &spots, None).script());
    assert_eq!(head["meshes"].as_array().unwrap().len(), 1, "both sides have one mesh");
    let marked = &head["spots"];
    assert_eq!(marked[1]["motion"], 0, "the bind pose");
    assert_eq!((&marked[0]["motion"], &marked[0]["vertex"]), (&1.into(), &7.into()));
    let frame = marked[0]["frame"].as_u64().unwrap() as usize;
    assert_eq!(head["motions"][1]["times"][frame], 0.1234);
    let step = head["grid"]["step"].as_f64().unwrap();
    assert!(step < 1e-4, "{step}");
    for (side, mode) in modes.into_iter().enumerate() {
        let mut pose = Pose::default();
        pose.set(&model, &PoseChoice::clip(clip, 0.1234));
        let truth: Vec<[f64; 3]> = reference_model(&model, mode, &pose)
            .into_iter()
            .flat_map(|truth| truth.skinned.positions)
            .collect();
        let found = places(&head, &bytes, (side, 1, frame));
        assert!(found.len() > truth.len(), "joints follow");
        for (found, truth) in found.iter().zip(&truth) {
            for axis in 0..3 {
                assert!((found[axis] - truth[axis]).abs() <= 0.51 * step, "{mode}: {found:?} {truth:?}");
            }
        }
    }
}

#[test]
fn frames_fit_into_their_room() {
    let motion = |end: f64| Motion {
        name: String::new(),
        clips: vec![None],
        period: sinew_model::Period { start: 0.0, end },
    };
    let spot = |time: f64| Spot { words: String::new(), side: 0, motion: Some(1), time, vertex: None };
    let motions = [motion(2.0), motion(10.0)];
    let few = times::Kept::new(&motions, &[spot(0.123)], 1000);
    assert_eq!(few.all().count(), 1 + 31 + 151 + 1, "15 frames per second, the bind pose and the spot");
    // Room for three frames: the bind pose, that of the spot, and one of the other motion.
    let tight = times::Kept::new(&motions, &[spot(0.123)], (12 << 20) / 6 / 3);
    let all: Vec<(Option<usize>, f64)> = tight.all().collect();
    assert_eq!(all, [(None, 0.0), (Some(0), 1.0), (Some(1), 0.123)]);
    let none = times::Kept::new(&motions, &[spot(0.123), spot(0.2)], usize::MAX);
    assert_eq!((none.all().count(), none.left_out), (2, 1));
    assert_eq!(none.find(&spot(0.2)), None, "it has no frame");
}

#[test]
fn names_do_not_leave_the_script() {
    let mut model = model("strip");
    model.rig.names.iter_mut().for_each(|name| *name = "</script><b>".to_owned());
    let sides = [Side { name: "<!--".to_owned(), model: &model, mode: SkinningMode::Linear }];
    let script = View::new(&sides, &[], &[], None).script();
    assert!(!script.contains('<') && script.contains("\\u003c/script>"));
}

#[test]
fn distances_of_two_models_are_packed() {
    let old = model("bend");
    let mut new = old.clone();
    for primitive in new.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        primitive.positions.iter_mut().for_each(|place| place[2] += 1e-4);
    }
    let mode = SkinningMode::Linear;
    let sides =
        [("old", &old), ("new", &new)].map(|(name, model)| Side { name: name.to_owned(), model, mode });
    let pairing = Pairing::new(&old, &new);
    let paired = Paired { pairing: &pairing, new_from_old: Similarity::IDENTITY, is_only_moved: false };
    let (head, bytes) = read(&View::new(&sides, &[], &[], Some(&paired)).script());
    assert_eq!(head["meshes"].as_array().unwrap().len(), 2);
    let count = head["meshes"][0]["vertices"].as_u64().unwrap() as usize;
    let steps = halves(&bytes, head["motions"][0]["apart"].as_u64().unwrap() as usize, count);
    let step = head["apart_step"].as_f64().unwrap();
    let (apart, alone): (Vec<u16>, Vec<u16>) = steps.iter().partition(|steps| **steps != apart::NO_MATCH);
    assert!(alone.len() * 50 < apart.len(), "{steps:?}");
    assert!(apart.iter().all(|steps| (f64::from(*steps) * step - 1e-4).abs() < 1e-6), "{steps:?}");
}
