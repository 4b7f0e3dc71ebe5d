//! Compares fits with other programs: three.js and Blender play the written file, and Dem Bones decomposes the same vertices. They run as processes, if `make peers` has installed them.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use serde_json::Value;
use sinew::analysis::diagnose::{Asked, Question, ask};
use sinew::analysis::vertices::{Options, read};
use sinew::fit::{Fitted, Goal, Target, Wanted, fit_model};
use sinew::model::gltf::{self, write_glb};
use sinew::model::{Model, builtin};
use sinew::skinning::SkinningMode;
use sinew::skinning::pose::{Pose, PoseChoice};
use sinew::skinning::posed::reference_surfaces;

use crate::{numpy, peers};

/// Models, a clip each, the mode to follow and the number of helpers.
const CASES: [(&str, usize, &str, usize); 11] = [
    ("builtin:twist", 0, "dqs", 8),
    ("builtin:bend", 0, "dqs", 4),
    ("builtin:character", 0, "dqs", 12),
    ("Fox/Fox.glb", 0, "dqs", 6),
    ("Fox/Fox.glb", 1, "cor", 6),
    ("Fox/Fox.glb", 2, "dqs", 6),
    ("CesiumMan/CesiumMan.glb", 0, "dqs", 8),
    ("CesiumMan/CesiumMan.glb", 0, "ddm", 8),
    ("RiggedFigure/RiggedFigure.glb", 0, "dqs", 6),
    ("RiggedFigure/RiggedFigure.glb", 0, "ddm", 6),
    ("RiggedSimple/RiggedSimple.glb", 0, "dqs", 4),
];

/// Poses of a clip that Dem Bones decomposes.
const POSES: usize = 30;

/// The most joints that a vertex follows.
const INFLUENCES: usize = 4;

/// Returns true if Dem Bones is installed.
pub fn is_there() -> bool {
    let mut import = peers::process(&numpy::python());
    numpy::python().exists()
        && import.args(["-c", "import py_dem_bones"]).output().is_ok_and(|out| out.status.success())
}

/// At equal numbers of joints and influences, a fit is nearer than Dem Bones. `SINEW_DEM_BONES=all` runs all cases, which takes
/// some minutes.
pub fn dem_bones_is_farther(corpus: &Path) -> usize {
    let all = std::env::var_os("SINEW_DEM_BONES").is_some_and(|value| value == "all");
    let cases = CASES
        .into_iter()
        .filter(|(file, ..)| all || !file.starts_with("builtin") && !file.starts_with("CesiumMan"));
    let mut faults = Vec::new();
    let mut count = 0;
    for (file, clip, mode, helpers) in cases {
        let model = load(corpus, file);
        let mode: SkinningMode = mode.parse().unwrap();
        let start = Instant::now();
        let fitted = fitted(&model, clip, mode, helpers);
        let seconds = start.elapsed().as_secs_f64();
        let points = Points::new(&model, mode);
        let times: Vec<f64> = times(&model, clip).collect();
        let wanted: Vec<Vec<[f64; 3]>> =
            times.iter().map(|time| points.places(&model, mode, clip, *time)).collect();
        let ours = times.iter().map(|time| points.places(&fitted.model, SkinningMode::Linear, clip, *time));
        let squares = ours.zip(&wanted).flat_map(|(ours, wanted)| {
            let pairs = ours.into_iter().zip(wanted.clone());
            pairs
                .map(|(a, b)| (0..3).map(|axis| (a[axis] - b[axis]).powi(2)).sum::<f64>())
                .collect::<Vec<_>>()
        });
        let squares: Vec<f64> = squares.collect();
        let rms = (squares.iter().sum::<f64>() / squares.len() as f64).sqrt();
        let joints: usize = model.skins.iter().map(|skin| skin.joints.len()).sum();
        let theirs = points.decomposed(&wanted, joints + helpers);
        let [their_rms, their_seconds] = ["rms", "seconds"].map(|key| theirs[key].as_f64().unwrap());
        println!(
            "{file} clip {clip} {mode} {joints}+{helpers}: {rms:.6} against {their_rms:.6} m, \
             {seconds:.2} against {their_seconds:.2} s"
        );
        // What is no number is no success.
        if rms.total_cmp(&their_rms).is_gt() || !rms.is_finite() {
            faults.push(format!("{file} {clip} {mode}"));
        }
        count += 1;
    }
    assert!(faults.is_empty(), "{faults:?}");
    count
}

fn load(corpus: &Path, file: &str) -> Model {
    let bytes = match file.strip_prefix("builtin:") {
        Some(name) => builtin::glb(name).unwrap(),
        None => std::fs::read(corpus.join("models").join(file)).unwrap(),
    };
    gltf::load_bytes(&bytes, None).unwrap()
}

fn fitted(model: &Model, clip: usize, mode: SkinningMode, helpers: usize) -> Fitted {
    let wanted = Wanted {
        target: Target::Mode(mode),
        goal: Goal::Helpers(helpers),
        max_influences: INFLUENCES,
        clips: vec![clip],
        rate: 30.0,
        is_whole: false,
    };
    fit_model(model, &wanted, |_| true).unwrap()
}

fn times(model: &Model, clip: usize) -> impl Iterator<Item = f64> {
    let period = model.period_of(&model.clips[clip]);
    (0..POSES).map(move |pose| period.at(pose as f64 / (POSES - 1) as f64))
}

fn surfaces(model: &Model, mode: SkinningMode, choice: &PoseChoice) -> Vec<[f64; 3]> {
    let (mut pose, mut found) = (Pose::default(), Vec::new());
    pose.set(model, choice);
    reference_surfaces(model, mode, &pose, &mut found);
    found.into_iter().flat_map(|part| part.positions).collect()
}

/// Vertices that joints move, welded by their places in the bind pose.
struct Points {
    /// A vertex of each.
    vertices: Vec<usize>,
    rest: Vec<[f64; 3]>,
    faces: Vec<u32>,
}

impl Points {
    fn new(model: &Model, mode: SkinningMode) -> Self {
        let all = surfaces(model, mode, &PoseChoice::Bind);
        let mut known: BTreeMap<[u64; 3], u32> = BTreeMap::new();
        let (mut vertices, mut rest, mut point_of) = (Vec::new(), Vec::new(), Vec::new());
        for (vertex, at) in all.iter().enumerate() {
            let point = *known.entry(at.map(|number| (number + 0.0).to_bits())).or_insert_with(|| {
                vertices.push(vertex);
                rest.push(*at);
                (rest.len() - 1) as u32
            });
            point_of.push(point);
        }
        let (mut faces, mut first) = (Vec::new(), 0);
        let meshes = model.instances.iter().map(|instance| &model.meshes[instance.mesh]);
        for primitive in meshes.flat_map(|mesh| &mesh.primitives) {
            for face in primitive.indices.chunks_exact(3) {
                let [a, b, c] = [0, 1, 2].map(|corner| point_of[first + face[corner] as usize]);
                if a != b && b != c && a != c {
                    faces.extend([a, b, c]);
                }
            }
            first += primitive.positions.len();
        }
        Self { vertices, rest, faces }
    }

    fn places(&self, model: &Model, mode: SkinningMode, clip: usize, time: f64) -> Vec<[f64; 3]> {
        let all = surfaces(model, mode, &PoseChoice::clip(clip, time));
        self.vertices.iter().map(|vertex| all[*vertex]).collect()
    }

    /// Decomposes poses by Dem Bones.
    fn decomposed(&self, poses: &[Vec<[f64; 3]>], bones: usize) -> Value {
        let folder = tempfile::tempdir().unwrap();
        let bytes = |all: &[[f64; 3]]| {
            all.iter().flatten().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>()
        };
        std::fs::write(folder.path().join("rest.f64"), bytes(&self.rest)).unwrap();
        std::fs::write(folder.path().join("poses.f64"), bytes(&poses.concat())).unwrap();
        let faces: Vec<u8> = self.faces.iter().flat_map(|face| face.to_le_bytes()).collect();
        std::fs::write(folder.path().join("faces.u32"), faces).unwrap();
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/dem_bones.py");
        let mut process = peers::process(&numpy::python());
        process.arg(script).arg(folder.path()).args([bones, INFLUENCES].map(|number| number.to_string()));
        let out = process.output().unwrap();
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        serde_json::from_slice(&out.stdout).unwrap()
    }
}

/// three.js and Blender move the vertices of a fitted file as this program does.
pub fn fitted_files_play_in_other_programs(corpus: &Path) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let runners = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance/peers");
    let mut count = 0;
    for (file, mode) in [("builtin:twist", "dqs"), ("CesiumMan/CesiumMan.glb", "ddm"), ("Fox/Fox.glb", "cor")]
    {
        let model = load(corpus, file);
        let fitted = self::fitted(&model, 0, mode.parse().unwrap(), 4).model;
        let path = folder.path().join("fitted.glb");
        std::fs::write(&path, write_glb(&fitted).unwrap()).unwrap();
        let time = fitted.period_of(&fitted.clips[0]).at(0.6);
        let python = peers::blender();
        let node = peers::folder().join("node_modules/three").exists().then(|| Path::new("node").to_owned());
        for (program, script, ending) in [(python, "blender.py", "npz"), (node, "three_cpu.mjs", "json")] {
            let Some(program) = program else {
                println!("{script}: its program is not there: make peers");
                continue;
            };
            let out = folder.path().join("out").with_extension(ending);
            let mut process = peers::process(&program);
            process.arg(runners.join(script)).args([&path, &out]).args(["lbs", "0", &time.to_string()]);
            peers::run(&mut process);
            let given = read(&std::fs::read(&out).unwrap(), ending, &Options::default()).unwrap();
            let choice = PoseChoice::clip(0, time);
            let question = Question {
                model: &fitted,
                given: &given,
                bind: None,
                asked: Asked::At(&choice),
                expected: None,
                watch: &|_| {},
            };
            let answer = ask(&question).unwrap();
            let verdict = &answer.verdict;
            assert!(verdict.agrees && verdict.mode == "lbs", "{file} {script}: {verdict:?}");
            println!("{file} {script}: {}", verdict.sentence);
            count += 1;
        }
    }
    count
}
