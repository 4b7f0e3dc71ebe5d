//! Rewrites the models of the corpus for programs with limits, and holds what is read back to the originals.

use std::path::Path;

use sinew::analysis::measure::{Files, Frames, compare_files, times};
#[cfg(feature = "usd")]
use sinew::export::rigged::{Held, Rigged};
use sinew::export::rigged::{Landings, Wanted, rigged};
use sinew::model::{Limits, MAX_INFLUENCES, Model, gltf};
#[cfg(feature = "usd")]
use sinew::model::{Options, usd};
use sinew::pairing::Pairing;
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
    let pairing = made.pairing(model, &Landings::by_node(&read));
    let drawn = Drawn::new(model);
    assert_eq!(pairing.count(), drawn.count(), "{what}: every vertex has its place");
    let bound = diagonal(model, &drawn) * if made.changes.limited.vertices > 0 { 0.05 } else { 1e-6 };
    compare(model, &read, &pairing, bound, what);
    #[cfg(feature = "usd")]
    if max_joints.is_none() {
        usd(model, &made, bound, what);
    }
    made.changes.split.primitives
}

/// Checks that a model is the same after a way through USD.
#[cfg(feature = "usd")]
fn usd(model: &Model, made: &Rigged, bound: f64, what: &str) {
    let written = usd::write_usd(&made.model, usd::Form::Binary, "model", None).unwrap();
    let read = usd::load_bytes(&written.bytes, None, &Options::default()).unwrap();
    let held = |(mesh, parts): (usize, &'_ Vec<usd::Part>)| {
        let held = |(number, part): (usize, &usd::Part)| (mesh, number, part.clone());
        parts.iter().enumerate().map(held).collect::<Vec<_>>()
    };
    let held: Vec<(usize, usize, usd::Part)> = written.meshes.iter().enumerate().flat_map(held).collect();
    let held = held.iter().map(|(mesh, number, part)| {
        let usd::Part { node, primitive, points } = part;
        Held { mesh: *mesh, number: *number, node: *node, primitive: *primitive, points }
    });
    let pairing = made.pairing(model, &Landings::by_points(&read, held));
    if !written.losses.iter().any(|loss| loss.contains("lines")) {
        assert_eq!(pairing.count(), Drawn::new(model).count(), "{what}: every vertex has its place in USD");
    }
    // Scales of joints have 11 bits there.
    let bound = if written.losses.iter().any(|loss| loss.contains("scales")) { bound * 1e3 } else { bound };
    compare(model, &read, &pairing, bound, &format!("{what} as USD"));
}

/// Compares all clips of a model with those of another.
fn compare(model: &Model, read: &Model, pairing: &Pairing, bound: f64, what: &str) {
    assert_eq!(model.clips.len(), read.clips.len(), "{what}");
    let surfaces = [model, read].map(Surfaces::new);
    for clip in 0..model.clips.len() {
        let mix = ClipMix { clips: vec![clip], ..ClipMix::default() };
        let seconds = times(model, &mix, Frames::Evenly(4)).seconds;
        let choice = PoseChoice::Clips(mix);
        let files = Files {
            models: [model, read],
            surfaces: surfaces.each_ref(),
            motions: [&choice; 2],
            pairing,
            new_mode: None,
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
}
