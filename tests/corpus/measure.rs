//! Holds the measures of the corpus to distances worked out from the vertices that the program exports.

use std::path::Path;

use glam::Vec3;
use sinew::analysis::measure::{Frames, Plan, at, compare_modes, times};
use sinew::model::{Model, gltf};
use sinew::skinning::pose::{Pose, PoseChoice};
use sinew::skinning::posed::{SkinnedPrimitive, skin_model};
use sinew::skinning::{Drawn, Normals, SkinningMode, diagonal};

use crate::model_files;

/// The tolerance of figures against those of vertices in single precision, in units of the diagonal.
const BOUND: f64 = 1e-6;

pub fn modes_are_as_far_apart_as_their_vertices(corpus: &Path) -> usize {
    let paths = model_files(&corpus.join("models"));
    let mut apart = 0;
    for path in &paths {
        let model = gltf::load(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let clips = (0..model.clips.len()).map(|clip| PoseChoice::clip(clip, 0.0));
        for choice in clips.chain([PoseChoice::Rest]) {
            apart += check(&model, &choice, &path.display().to_string());
        }
    }
    assert!(apart > 0, "no model of the corpus tells modes apart");
    paths.len()
}

/// Checks a few frames of a motion; returns how many of them tell modes apart.
fn check(model: &Model, choice: &PoseChoice, name: &str) -> usize {
    let drawn = Drawn::new(model);
    let diagonal_m = diagonal(model, &drawn);
    let seconds = match choice {
        PoseChoice::Clips(mix) => times(model, mix, Frames::Evenly(4)).seconds,
        _ => vec![0.0],
    };
    let plan = Plan {
        modes: SkinningMode::ALL.to_vec(),
        against: SkinningMode::Linear.into(),
        normals: Normals::Moved,
    };
    let mut apart = 0;
    compare_modes(model, &drawn, &plan, choice, &seconds, |frame| {
        let mut pose = Pose::default();
        pose.set(model, &at(choice, frame.time));
        let other = skin_model(model, plan.against.mode(), &pose);
        // Vertices far from the origin have fewer digits.
        let bound = BOUND * diagonal_m.max(reach(&other));
        for measured in &frame.modes {
            let expected = largest(&drawn, &skin_model(model, measured.mode, &pose), &other);
            let found = measured.distance.max_m;
            assert!((found - expected).abs() <= bound, "{name} {}: {found} is not {expected}", measured.mode);
            apart += usize::from(found > bound);
        }
        Ok::<(), ()>(())
    })
    .unwrap();
    apart
}

/// The largest distance of a drawn vertex, in single precision.
fn largest(drawn: &Drawn, a: &[SkinnedPrimitive<f32>], b: &[SkinnedPrimitive<f32>]) -> f64 {
    let place = |position: [f32; 3]| Vec3::from(position).as_dvec3();
    let mut largest = 0.0_f64;
    for ((vertices, a), b) in drawn.primitives().zip(a).zip(b) {
        for vertex in vertices.iter().map(|&vertex| vertex as usize) {
            largest = largest.max(place(a.positions[vertex]).distance(place(b.positions[vertex])));
        }
    }
    largest
}

fn reach(skinned: &[SkinnedPrimitive<f32>]) -> f64 {
    let numbers = skinned.iter().flat_map(|primitive| primitive.positions.as_flattened());
    numbers.fold(0.0, |largest: f64, number| largest.max(f64::from(number.abs())))
}
