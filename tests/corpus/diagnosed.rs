//! Vertices that deviations and other programs make are named: mode, deviations, moment.

use std::path::Path;

use glam::{DVec3, Vec3};
use sinew::analysis::diagnose::{Asked, Deviation, Question, Recipe, ask, positions, vertices};
use sinew::analysis::vertices::{Given, Options, Part, Stored, read};
use sinew::model::{Model, builtin, gltf};
use sinew::skinning::pose::{ClipMix, Pose, PoseChoice};
use sinew::skinning::{SkinningMode, world_from_bind};

use crate::peers;

/// The models, with a clip and a time.
const MODELS: [(&str, usize, f64); 8] = [
    ("Fox/Fox.glb", 1, 0.31),
    ("CesiumMan/CesiumMan.glb", 0, 0.72),
    ("RiggedFigure/RiggedFigure.glb", 0, 0.4),
    ("RiggedSimple/RiggedSimple.glb", 0, 1.1),
    ("SimpleSkin/SimpleSkin.gltf", 0, 1.3),
    ("Animation_Skin/Animation_Skin_05.gltf", 0, 0.6),
    ("influences_10/quad_skin.glb", 0, 0.5),
    ("maya_dual_quaternion/maya_dual_quaternion.glb", 0, 0.5),
];

/// The share of deviations that must be named first.
const NAMED: f64 = 0.95;

/// The distance, as a share of the size, below which a deviation shows nothing.
const SHOWS: f64 = 1e-5;

fn load(corpus: &Path, file: &str) -> Model {
    let path = corpus.join("models").join(file);
    gltf::load(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn farthest(a: &[[f64; 3]], b: &[[f64; 3]]) -> f64 {
    let pairs = a.as_flattened().iter().zip(b.as_flattened());
    pairs.map(|(a, b)| if a == b { 0.0 } else { (a - b).abs() }).fold(0.0, f64::max)
}

fn size(positions: &[[f64; 3]]) -> f64 {
    positions.as_flattened().iter().fold(0.0, |most: f64, at| most.max(at.abs())).max(1e-3)
}

pub fn deviations_are_named(corpus: &Path) -> usize {
    let (mut all, mut named) = (0, 0);
    let mut misses = Vec::new();
    for (file, clip, time) in MODELS {
        let model = load(corpus, file);
        let choice = PoseChoice::clip(clip, time);
        for mode in [SkinningMode::Linear, SkinningMode::DualQuat] {
            let right = Recipe::of(mode);
            let plain = positions(&model, &right, &choice);
            let recipes = Deviation::all().filter_map(|one| right.with(one));
            for recipe in std::iter::once(right.clone()).chain(recipes) {
                let made = positions(&model, &recipe, &choice);
                if recipe != right && farthest(&made, &plain) <= SHOWS * size(&plain) {
                    continue;
                }
                let single: Vec<[f64; 3]> = made.iter().map(|at| at.map(|x| f64::from(x as f32))).collect();
                let part = Part { positions: single, ..Part::default() };
                let given = Given { parts: vec![part], stored: Stored::F32 };
                let question = Question {
                    model: &model,
                    given: &given,
                    bind: None,
                    asked: Asked::At(&choice),
                    expected: None,
                    watch: &|_| {},
                };
                let answer = ask(&question).unwrap();
                let found = positions(&model, &answer.recipe, &answer.choice);
                // Recipes that give the same vertices are one; so are a fault of the whole figure and other axes.
                let is_named = answer.recipe == recipe
                    || answer.verdict.same.contains(&recipe.to_string())
                    || farthest(&found, &made) <= 3e-7 * size(&made);
                all += 1;
                named += usize::from(is_named);
                if !is_named {
                    misses.push(format!(
                        "{file}: {recipe} is named {}, {}",
                        answer.recipe, answer.verdict.sentence
                    ));
                    assert!(!answer.verdict.agrees, "a wrong name agrees: {}", misses.concat());
                }
            }
        }
    }
    misses.iter().for_each(|miss| println!("{miss}"));
    println!("deviations_are_named: {named} of {all}");
    assert!(named as f64 >= NAMED * all as f64, "{named} of {all}");
    MODELS.len()
}

/// Models with normals, of the corpus or built in, with a clip and a time.
const DIRECTED: [(&str, usize, f64); 7] = [
    ("CesiumMan/CesiumMan.glb", 0, 0.72),
    ("RiggedFigure/RiggedFigure.glb", 0, 0.4),
    ("RiggedSimple/RiggedSimple.glb", 0, 1.1),
    ("influences_10/quad_skin.glb", 0, 0.5),
    ("bend", 0, 0.7),
    ("twist", 0, 1.4),
    ("tube-8", 0, 0.9),
];

/// Adds tangents that are not quite orthogonal to normals, of both hands, to a model that has none.
fn add_tangents(model: &mut Model) {
    for primitive in model.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        let Some(normals) = primitive.normals.as_ref().filter(|_| primitive.tangents.is_none()) else {
            continue;
        };
        let tangent = |(vertex, normal): (usize, &[f32; 3])| {
            let normal = Vec3::from(*normal);
            let along = (normal.any_orthonormal_vector() + normal * 0.2).normalize();
            along.extend([1.0, -1.0, -1.0][vertex % 3]).to_array()
        };
        primitive.tangents = Some(normals.iter().enumerate().map(tangent).collect());
    }
}

/// Returns a pose in which joints scale unevenly, and one of three mirrors if asked to.
fn scaled(model: &Model, clip: usize, time_secs: f64, is_mirrored: bool) -> PoseChoice {
    let mut mix = ClipMix { clips: vec![clip], time_secs, ..ClipMix::default() };
    mix.clips.retain(|clip| *clip < model.clips.len());
    let joints = model.skins.iter().flat_map(|skin| &skin.joints);
    for (number, node) in joints.enumerate() {
        let x = if is_mirrored && number % 3 == 0 { -1.0 } else { 1.2 };
        mix.edits.set_scale(model, *node, DVec3::new(x, 0.8, [1.0, 1.3][number % 2]));
    }
    PoseChoice::Clips(mix)
}

fn directions(parts: &[Part]) -> (Vec<f64>, Vec<f64>) {
    let all = |part: &Part| part.normals.iter().flatten().flatten().copied().collect::<Vec<f64>>();
    let tangents = |part: &Part| part.tangents.iter().flatten().flatten().copied().collect::<Vec<f64>>();
    (parts.iter().flat_map(all).collect(), parts.iter().flat_map(tangents).collect())
}

fn single(parts: &[Part]) -> Given {
    fn rows<const N: usize>(rows: &[[f64; N]]) -> Vec<[f64; N]> {
        rows.iter().map(|row| row.map(|number| f64::from(number as f32))).collect()
    }
    let part = |part: &Part| Part {
        positions: rows(&part.positions),
        normals: part.normals.as_deref().map(rows),
        tangents: part.tangents.as_deref().map(rows),
        ..Part::default()
    };
    Given { parts: parts.iter().map(part).collect(), stored: Stored::F32 }
}

/// Normals and tangents that deviations make are named, and beside them mode and no other fault.
pub fn directions_are_named(corpus: &Path) -> usize {
    let (mut all, mut named) = (0, 0);
    let mut misses = Vec::new();
    for (file, clip, time) in DIRECTED {
        let mut model = match builtin::glb(file) {
            Ok(bytes) => gltf::load_bytes(&bytes, None).unwrap(),
            Err(_) => load(corpus, file),
        };
        add_tangents(&mut model);
        for (mode, is_mirrored) in [SkinningMode::Linear, SkinningMode::DualQuat]
            .into_iter()
            .flat_map(|mode| [(mode, false), (mode, true)])
        {
            let choice = scaled(&model, clip, time, is_mirrored);
            let right = Recipe::of(mode);
            let defined = directions(&vertices(&model, &right, &choice));
            let recipes = Deviation::of_directions().filter_map(|one| right.with(one));
            for recipe in std::iter::once(right.clone()).chain(recipes) {
                let made = vertices(&model, &recipe, &choice);
                let of_made = directions(&made);
                if recipe != right && largest(&of_made, &defined) < SHOWS_DIRECTED {
                    continue;
                }
                let given = single(&made);
                let asked = Asked::At(&choice);
                let question = Question {
                    model: &model,
                    given: &given,
                    bind: None,
                    asked,
                    expected: None,
                    watch: &|_| {},
                };
                let answer = ask(&question).unwrap();
                let found = directions(&vertices(&model, &answer.recipe, &answer.choice));
                let is_known =
                    [&answer.normals, &answer.tangents].into_iter().flatten().all(|found| found.agrees);
                // Ways that give the same directions are one.
                let is_named =
                    is_known && (answer.recipe == recipe || largest(&found, &of_made) < SHOWS_DIRECTED);
                all += 1;
                named += usize::from(is_named);
                if !is_named {
                    let scene = if is_mirrored { ", mirrored" } else { "" };
                    misses.push(format!(
                        "{file}{scene}: {recipe} is named {}, {}",
                        answer.recipe, answer.verdict.sentence
                    ));
                    assert!(!is_known || !answer.verdict.agrees, "a wrong name agrees: {}", misses.concat());
                }
            }
        }
    }
    misses.iter().for_each(|miss| println!("{miss}"));
    println!("directions_are_named: {named} of {all}");
    assert!(named as f64 >= NAMED * all as f64, "{named} of {all}");
    DIRECTED.len()
}

/// The difference of directions below which a deviation shows nothing.
const SHOWS_DIRECTED: f64 = 1e-3;

fn largest(a: &(Vec<f64>, Vec<f64>), b: &(Vec<f64>, Vec<f64>)) -> f64 {
    let apart = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    apart(&a.0, &b.0).max(apart(&a.1, &b.1))
}

/// Names the skinning of positions in a pose; a name in brackets does not agree.
pub fn named(model: &Model, positions: &[f64], choice: &PoseChoice) -> String {
    let positions = positions.as_chunks::<3>().0.to_vec();
    let part = Part { positions, ..Part::default() };
    let given = Given { parts: vec![part], stored: Stored::F32 };
    let asked = Asked::At(choice);
    let question = Question { model, given: &given, bind: None, asked, expected: None, watch: &|_| {} };
    let answer = ask(&question).unwrap();
    if answer.verdict.agrees { answer.recipe.to_string() } else { format!("({})", answer.verdict.sentence) }
}

/// OpenUSD skins what it is given: each mode that it has is named.
pub fn usd_is_named(corpus: &Path) -> usize {
    let python = peers::folder().join("python/bin/python");
    let has_usd = peers::process(&python).args(["-c", "import pxr.UsdSkel"]).output();
    if !has_usd.is_ok_and(|run| run.status.success()) {
        println!("OpenUSD is not there: make peers");
        return 0;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut count = 0;
    for (file, clip, time) in MOMENTS {
        let model = load(corpus, file);
        let choice = PoseChoice::clip(clip, time);
        let mut pose = Pose::default();
        pose.set(&model, &choice);
        let primitive = &model.meshes[model.instances[0].mesh].primitives[0];
        let influences = primitive.influences.as_ref().unwrap();
        let matrices = world_from_bind(&model.skins[0], &pose);
        let rig = serde_json::json!({
            "positions": primitive.positions,
            "joints": influences.spans.iter().map(|span| &span.joints).collect::<Vec<_>>(),
            "weights": influences.spans.iter().map(|span| &span.weights).collect::<Vec<_>>(),
            // Rows act on the left there, which is the transpose of columns.
            "matrices": matrices.iter().map(|matrix| matrix.to_cols_array()).collect::<Vec<_>>(),
        });
        let path = folder.path().join("rig.json");
        std::fs::write(&path, rig.to_string()).unwrap();
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/usd_skel.py");
        peers::run(peers::process(&python).arg(script).arg(&path));
        let made: serde_json::Value =
            serde_json::from_slice(&std::fs::read(path.with_extension("made.json")).unwrap()).unwrap();
        for (method, mode) in [("classicLinear", "lbs"), ("dualQuaternion", "dqs")] {
            let list = made[method].as_array().unwrap();
            let positions: Vec<f64> = list.iter().map(|number| number.as_f64().unwrap()).collect();
            assert_eq!(named(&model, &positions, &choice), mode, "{file}: {method}");
            count += 1;
        }
    }
    count
}

/// Moments at which other programs skin: models whose clips and meshes all of them read alike.
const MOMENTS: [(&str, usize, f64); 4] = [
    ("Fox/Fox.glb", 1, 0.3),
    ("Fox/Fox.glb", 0, 1.55),
    ("CesiumMan/CesiumMan.glb", 0, 0.7),
    ("RiggedFigure/RiggedFigure.glb", 0, 0.4),
];

pub fn other_programs_are_named(corpus: &Path) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let moments: Vec<String> = MOMENTS
        .iter()
        .flat_map(|(file, clip, time)| {
            let path = corpus.join("models").join(file).display().to_string();
            [path, clip.to_string(), time.to_string()]
        })
        .collect();
    let mut count = 0;
    for (program, script) in [("three", "three.mjs"), ("babylon", "babylon.mjs")] {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(script);
        let is_there = peers::folder().join("node_modules").join(match program {
            "three" => "three",
            _ => "@babylonjs/core",
        });
        if !is_there.exists() {
            println!("{program}.js is not there: make peers");
            continue;
        }
        let run = peers::process(Path::new("node"))
            .arg(script)
            .arg(peers::folder())
            .arg(folder.path())
            .args(&moments)
            .output();
        let run = run.unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        for (file, clip, time) in MOMENTS {
            let stem = Path::new(file).file_stem().unwrap().to_string_lossy();
            let bytes =
                std::fs::read(folder.path().join(format!("{stem}.{clip}.{time}.{program}.f32"))).unwrap();
            let given = read(&bytes, "f32", &Options::default()).unwrap();
            let model = load(corpus, file);
            let question = Question {
                model: &model,
                given: &given,
                bind: None,
                asked: Asked::Search(None),
                expected: None,
                watch: &|_| {},
            };
            let answer = ask(&question).unwrap();
            let verdict = &answer.verdict;
            // For small angles, three.js interpolates rotations linearly and normalises (slerpFlat in Quaternion.js).
            let is_known = |fault: &String| program == "three" && fault == "nlerp";
            let others = verdict.faults.iter().filter(|fault| !is_known(fault)).count();
            assert_eq!((verdict.mode, others), ("lbs", 0), "{program} {file}: {verdict:?}");
            assert!(
                verdict.agrees && (answer.matched.time - time).abs() < 1e-3,
                "{program} {file}: {answer:?}"
            );
            count += 1;
        }
    }
    count
}
