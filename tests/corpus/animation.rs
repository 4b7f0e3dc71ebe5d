//! Compares every clip of the corpus with the formulas of the specification.

use std::path::Path;

use sinew::model::{Channel, Interpolation, LocalTransform, Model, Property, gltf};
use sinew::skinning::pose::Pose;

use crate::{model_files, spelled_out};

/// The pose's value of a channel's property; `None` if the rig has no such place.
fn found(model: &Model, pose: &Pose, channel: &Channel) -> Option<Vec<f64>> {
    let LocalTransform::Trs { translation, rotation, scale } = pose.locals[channel.node] else {
        panic!("clips move no matrices")
    };
    let weights = &pose.weights[model.rig.weights_of(channel.node)];
    match channel.property {
        Property::Translation => Some(translation.to_array().to_vec()),
        Property::Rotation => Some(rotation.to_array().to_vec()),
        Property::Scale => Some(scale.to_array().to_vec()),
        Property::Weights => (!weights.is_empty()).then(|| weights.to_vec()),
        Property::Weight(target) => weights.get(target as usize).map(|weight| vec![*weight]),
    }
}

/// Times before, at, between and after the keys.
fn times(channel: &Channel) -> Vec<f64> {
    let keys: Vec<f64> = channel.times.iter().map(|&time| f64::from(time)).collect();
    let between =
        keys.windows(2).flat_map(|pair| [0.01, 0.3, 0.5, 0.99].map(|t| pair[0] + t * (pair[1] - pair[0])));
    let outside = [keys[0] - 1.0, keys[keys.len() - 1] + 1.0];
    outside.into_iter().chain(keys.iter().copied()).chain(between).collect()
}

/// Compares a model's clips and returns the number of samples.
fn compare(model: &Model) -> usize {
    let mut samples = 0;
    let mut pose = Pose::default();
    for clip in &model.clips {
        // Long clips are thinned out.
        for channel in clip.channels.iter().step_by(clip.channels.len().div_ceil(20).max(1)) {
            let times = times(channel);
            for &time_secs in times.iter().step_by(times.len().div_ceil(50).max(1)) {
                pose.set_clip(&model.rig, clip, time_secs);
                let Some(found) = found(model, &pose, channel) else { continue };
                let expected = spelled_out::sample(channel, time_secs);
                let dot: f64 = found.iter().zip(&expected).map(|(a, b)| a * b).sum();
                // A rotation and its negative are the same.
                let sign = if channel.property == Property::Rotation { dot.signum() } else { 1.0 };
                let size = expected.iter().fold(1.0_f64, |size, number| size.max(number.abs()));
                for (found, expected) in found.iter().zip(&expected) {
                    // Near one, an arc cosine has half the digits.
                    assert!(
                        (found - sign * expected).abs() < 1e-7 * size,
                        "'{}' {:?} of node {} at {time_secs}: {found} is not {expected}",
                        clip.name,
                        channel.property,
                        channel.node,
                    );
                }
                assert_eq!(found.len(), expected.len());
                samples += 1;
            }
        }
    }
    samples
}

pub fn clips_move_as_the_formulas_say(corpus: &Path) -> usize {
    let files = model_files(&corpus.join("models"));
    let samples: usize = files.iter().map(|path| gltf::load(path).map_or(0, |model| compare(&model))).sum();
    println!("{samples} samples");
    assert!(samples > 1000, "{samples} samples");
    files.len()
}

/// Nine cubes: STEP, LINEAR and CUBICSPLINE for scale, rotation and translation each.
pub fn the_interpolation_test_has_all_nine(corpus: &Path) -> usize {
    let model = gltf::load(&corpus.join("models/InterpolationTest/InterpolationTest.glb")).unwrap();
    let mut found = Vec::new();
    for clip in &model.clips {
        for channel in &clip.channels {
            found.push(format!("{:?} {:?}", channel.interpolation, channel.property));
        }
    }
    found.sort();
    let of =
        |interpolation: &str| ["Rotation", "Scale", "Translation"].map(|p| format!("{interpolation} {p}"));
    assert_eq!(found, [of("CubicSpline"), of("Linear"), of("Step")].concat());
    // Shows all nine clips at once; no two channels set the same property.
    let mut pose = Pose::default();
    for clip in &model.clips {
        let step = clip.channels.iter().find(|channel| channel.interpolation == Interpolation::Step);
        let Some(step) = step else { continue };
        let middle = f64::from(step.times[0] + step.times[1]) / 2.0;
        pose.set_clip(&model.rig, clip, middle);
        let held = pose.locals[step.node];
        pose.set_clip(&model.rig, clip, f64::from(step.times[0]));
        assert_eq!(held, pose.locals[step.node], "{}", clip.name);
    }
    1
}

/// The keys go from no target to the first, to the second and back.
pub fn the_morph_cube_moves_its_weights(corpus: &Path) -> usize {
    let mut model = gltf::load(&corpus.join("models/AnimatedMorphCube/AnimatedMorphCube.glb")).unwrap();
    let channel = model.clips[0].channels[0].clone();
    assert_eq!(channel.property, Property::Weights);
    assert_eq!(channel.values.len(), 2 * channel.times.len(), "two targets");
    if model.rig.weight_ends.is_empty() {
        model.rig.weight_ends =
            (0..model.rig.len()).map(|node| if node < channel.node { 0 } else { 2 }).collect();
        model.rig.rest_weights = vec![0.0; 2];
    }
    let (mut pose, mut most) = (Pose::default(), [0.0_f64; 2]);
    for (key, &time_secs) in channel.times.iter().enumerate() {
        pose.set_clip(&model.rig, &model.clips[0], f64::from(time_secs));
        let expected = [0, 1].map(|target| f64::from(channel.values[2 * key + target]));
        assert_eq!(pose.weights[model.rig.weights_of(channel.node)], expected, "key {key}");
        most = [most[0].max(expected[0]), most[1].max(expected[1])];
    }
    assert!(most[0] > 0.9 && most[1] > 0.9, "{most:?}");
    println!("{} samples", compare(&model));
    1
}
