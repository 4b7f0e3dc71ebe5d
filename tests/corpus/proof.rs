//! Verifies every model of the corpus, and compares our results with those of other programs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use sinew::analysis::compare::Error;
use sinew::model::gltf;
use sinew::render::Renderer;
use sinew::skinning::SkinningMode;
use sinew::skinning::pose::PoseChoice;
use sinew::skinning::posed::{SkinnedPrimitive, Truth, skin_model};

use crate::model_files;
use crate::proven::{check, posed, renderer};

pub fn every_model_is_proven(corpus: &Path) -> usize {
    let paths: Vec<PathBuf> = model_files(&corpus.join("models"));
    let mut renderer = renderer();
    for path in &paths {
        let model = gltf::load(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        check(&mut renderer, &path.display().to_string(), Arc::new(model));
    }
    paths.len()
}

/// Results that another program computed in `f64`.
pub fn results_made_elsewhere_are_ours(corpus: &Path) -> usize {
    let mut renderer = renderer();
    let (mut files, mut primitives) = (0, 0);
    for entry in std::fs::read_dir(corpus.join("expected")).unwrap() {
        let text = std::fs::read(entry.unwrap().path()).unwrap();
        let expected: serde_json::Value = serde_json::from_slice(&text).unwrap();
        primitives += check_expected(&mut renderer, corpus, &expected);
        files += 1;
    }
    println!("{primitives} primitives agree");
    files
}

fn check_expected(renderer: &mut Renderer, corpus: &Path, expected: &serde_json::Value) -> usize {
    let name = expected["model"].as_str().unwrap();
    let mode: SkinningMode = expected["mode"].as_str().unwrap().parse().unwrap();
    let choice = match expected["clip"].as_u64() {
        Some(clip) => PoseChoice::clip(clip as usize, expected["time"].as_f64().unwrap()),
        None => PoseChoice::Rest,
    };
    let model = Arc::new(gltf::load(&corpus.join("models").join(name)).unwrap());
    let pose = posed(&model, &choice);
    let mut gpu = renderer.upload(Arc::clone(&model)).unwrap();
    let bound = mode.facts().bound;
    let on_gpu = renderer.skin(&mut gpu, mode, &choice).unwrap();
    let twin = skin_model(&model, mode, &pose);
    let primitives = expected["primitives"].as_array().unwrap();
    assert_eq!(primitives.len(), twin.len(), "{name}");
    for primitive in primitives {
        let same = |skinned: &&SkinnedPrimitive<f32>| {
            let instance = model.instances[skinned.instance];
            let file_index = model.meshes[instance.mesh].primitives[skinned.primitive].file_index;
            u64::from(model.rig.file_index[instance.node]) == primitive["node"].as_u64().unwrap()
                && instance.mesh as u64 == primitive["mesh"].as_u64().unwrap()
                && file_index as u64 == primitive["primitive"].as_u64().unwrap()
        };
        let skinned = SkinnedPrimitive {
            instance: 0,
            primitive: 0,
            positions: triples(&primitive["positions"]).unwrap(),
            normals: triples(&primitive["normals"]),
            tangents: None,
        };
        let reach = skinned.positions.as_flattened().iter().fold(0.0f64, |largest, x| largest.max(x.abs()));
        let (reaches, steadiness, is_side_certain) = Default::default();
        let truth = Truth { skinned, reach, reaches, steadiness, is_side_certain };
        for skinned in [on_gpu.iter().find(same).unwrap(), twin.iter().find(same).unwrap()] {
            let error = Error::of(skinned, &truth);
            assert!(error.max <= bound, "{name} {mode}: {:e} r", error.max);
            assert!(error.max_direction <= 2e-5, "{name} {mode}: {:e}", error.max_direction);
        }
    }
    primitives.len()
}

fn triples(numbers: &serde_json::Value) -> Option<Vec<[f64; 3]>> {
    let numbers: Vec<f64> = numbers.as_array()?.iter().map(|number| number.as_f64().unwrap()).collect();
    Some(numbers.chunks_exact(3).map(|xyz| [xyz[0], xyz[1], xyz[2]]).collect())
}
