//! Rewrites the models of the corpus for programs with limits, and holds what is read back to the originals.

use std::path::Path;

use sinew::analysis::measure::{Files, Frames, compare_files, times};
use sinew::export::rigged::{Wanted, rigged};
use sinew::model::{Limits, MAX_INFLUENCES, Model, gltf};
use sinew::skinning::pose::{ClipMix, PoseChoice};
use sinew::skinning::surfaces::Surfaces;
use sinew::skinning::{Drawn, SkinningMode, diagonal};

use crate::model_files;

pub fn rigged_models_load_and_stay_as_they_are(corpus: &Path) -> usize {
    let paths = model_files(&corpus.join("models"));
    let mut split = 0;
    for path in &paths {
        let model = gltf::load(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for max_joints in [None, Some(12)] {
            split += check(&model, max_joints, &path.display().to_string());
        }
    }
    assert!(split > 0, "no model of the corpus has more than 12 joints");
    paths.len()
}

/// Returns how many primitives were split.
fn check(model: &Model, max_joints: Option<usize>, what: &str) -> usize {
    // More than twelve joints a triangle cannot be split for.
    let most = if max_joints.is_some() { 4 } else { MAX_INFLUENCES };
    let made = rigged(model, &Wanted { influences: Limits { most, least: 0.0 }, max_joints }).unwrap();
    let read = gltf::load_bytes(&gltf::write_glb(&made.model).unwrap(), None).unwrap();
    let serious: Vec<_> = read.warnings.iter().chain(&read.faults).collect();
    assert!(serious.is_empty(), "{what}: {serious:?}");
    assert!(max_joints.is_none_or(|most| read.skins.iter().all(|skin| skin.joints.len() <= most)), "{what}");
    let pairing = made.pairing(model, &read);
    let drawn = Drawn::new(model);
    assert_eq!(pairing.count(), drawn.count(), "{what}: every vertex has its place");
    assert_eq!(made.clips.len(), read.clips.len(), "{what}");
    let bound = diagonal(model, &drawn) * if made.changes.limited.vertices > 0 { 0.05 } else { 1e-6 };
    let surfaces = [model, &read].map(Surfaces::new);
    for (new, &old) in made.clips.iter().enumerate() {
        let mix = |clip| ClipMix { clips: vec![clip], ..ClipMix::default() };
        let seconds = times(model, &mix(old), Frames::Evenly(4)).seconds;
        let [old, new] = [mix(old), mix(new)].map(PoseChoice::Clips);
        let files = Files {
            models: [model, &read],
            surfaces: surfaces.each_ref(),
            motions: [&old, &new],
            pairing: &pairing,
        };
        compare_files(files, &[SkinningMode::Linear, SkinningMode::DualQuat], &seconds, |frame| {
            for measured in &frame.modes {
                let apart = measured.distance.max_m;
                assert!(apart <= bound, "{what}: {} at {} s: {apart} m", measured.mode, frame.time);
            }
            Ok::<(), ()>(())
        })
        .unwrap();
    }
    made.changes.split.primitives
}
