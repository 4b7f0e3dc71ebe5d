//! Bakes the clips of the corpus, and holds what is read back to what was skinned.

use std::path::Path;

use sinew::export::Export;
use sinew::export::bake::{Frames, Targets, times};
use sinew::model::{Model, gltf};
use sinew::skinning::pose::{Pose, PoseChoice};
use sinew::skinning::posed::{SkinnedPrimitive, skin_model};
use sinew::skinning::{Normals, SkinningMode};

use crate::model_files;

/// The tolerance of a coordinate against the skinned one, in units of the largest coordinate.
const BOUND: f32 = 1e-6;

pub fn baked_clips_show_what_was_skinned(corpus: &Path) -> usize {
    let paths = model_files(&corpus.join("models"));
    let mut files = 0;
    for path in &paths {
        let model = gltf::load(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for clip in 0..model.clips.len() {
            for mode in SkinningMode::ALL {
                check(&model, clip, mode, &format!("{}, clip {clip}, {mode}", path.display()));
            }
        }
        files += usize::from(!model.clips.is_empty());
    }
    files
}

/// Checks five frames of a clip, or fewer if it is still.
fn check(model: &Model, clip: usize, mode: SkinningMode, what: &str) {
    let motion = PoseChoice::clip(clip, 0.0);
    let fps = (4.0 / model.period_of_all([clip].into_iter()).end).min(1000.0);
    let times = times(model, &motion, fps).unwrap();
    let mut frames = Frames::new(model, (mode, Normals::Moved), &motion).unwrap();
    let skinned: Vec<_> = times.iter().map(|time| frames.skin(*time).unwrap()).collect();
    let export = |number: usize| Export {
        given: "",
        model,
        mode,
        normals: Normals::Moved,
        pose: frames.at(times[number]),
        on: "cpu",
        primitives: &skinned[number],
    };
    let mut targets = Targets::new(&export(0), &times).unwrap();
    (1..times.len()).for_each(|number| targets.push(&export(number)).unwrap());
    let glb = targets.glb("baked", model.materials.clone(), model.pictures.clone()).unwrap();
    let baked = gltf::load_bytes(&glb, None).unwrap_or_else(|error| panic!("{what}: {error}"));
    let serious: Vec<_> = baked.warnings.iter().chain(&baked.faults).collect();
    assert!(serious.is_empty(), "{what}: {serious:?}");
    for (expected, time) in skinned.iter().zip(&times) {
        let mut pose = Pose::default();
        pose.set(&baked, &PoseChoice::clip(0, *time));
        assert_near(
            &skin_model(&baked, SkinningMode::Linear, &pose),
            expected,
            &format!("{what}, at {time} s"),
        );
    }
}

fn assert_near(found: &[SkinnedPrimitive<f32>], expected: &[SkinnedPrimitive<f32>], what: &str) {
    let numbers = |all: &[SkinnedPrimitive<f32>]| -> Vec<f32> {
        all.iter().flat_map(|one| one.positions.as_flattened().to_vec()).collect()
    };
    let (found, expected) = (numbers(found), numbers(expected));
    assert_eq!(found.len(), expected.len(), "{what}");
    let reach = expected.iter().fold(0.0, |reach: f32, number| reach.max(number.abs()));
    let apart = found.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(apart <= BOUND * reach, "{what}: {apart} apart, of {reach}");
}
