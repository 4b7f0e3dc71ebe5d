//! Properties of every channel that the loader lets through, however wild its numbers.

use glam::DVec3;
use proptest::prelude::*;
use sinew_model::{Channel, Clip, Interpolation, LocalTransform, Model, Property, Rig};
use sinew_skinning::pose::{Blend, ClipMix, Pose, PoseChoice};

/// Finite numbers of all sizes, and those usual in files.
fn number() -> impl Strategy<Value = f32> {
    let any = prop::num::f32::NORMAL | prop::num::f32::SUBNORMAL | prop::num::f32::ZERO;
    let odd = prop::sample::select(vec![0.0, -0.0, 1.0, -1.0, f32::MAX, f32::MIN, f32::MIN_POSITIVE, 1e-45]);
    prop_oneof![any, odd, -2.0_f32..2.0]
}

/// Key times that the loader accepts.
fn times() -> impl Strategy<Value = Vec<f32>> {
    let wild = prop::collection::vec(number(), 1..9);
    let close = (number(), 1_usize..9).prop_map(|(start, keys)| {
        let next = |time: &f32| Some(time.next_up()).filter(|time| time.is_finite());
        std::iter::successors(Some(start), next).take(keys).collect()
    });
    prop_oneof![wild, close].prop_map(|mut times: Vec<f32>| {
        times.sort_by(f32::total_cmp);
        times.dedup();
        times
    })
}

fn property() -> impl Strategy<Value = Property> {
    prop::sample::select(vec![
        Property::Translation,
        Property::Rotation,
        Property::Scale,
        Property::Weights,
        Property::Weight(2),
    ])
}

fn channel() -> impl Strategy<Value = Channel> {
    let interpolation =
        prop::sample::select(vec![Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline]);
    (times(), property(), interpolation).prop_flat_map(|(times, property, interpolation)| {
        let components = components(property);
        let parts = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        let count = times.len() * components * parts;
        prop::collection::vec(number(), count).prop_map(move |values| Channel {
            node: 0,
            property,
            interpolation,
            times: times.clone(),
            values,
        })
    })
}

fn components(property: Property) -> usize {
    match property {
        Property::Translation | Property::Scale | Property::Weights => 3,
        Property::Rotation => 4,
        Property::Weight(_) => 1,
    }
}

/// One node with three morph weights, and a clip of each channel.
fn model(channels: Vec<Channel>) -> Model {
    let clip = |channel| Clip { channels: vec![channel], ..Clip::default() };
    Model {
        rig: Rig {
            names: vec![String::new()],
            parents: vec![None],
            rest: vec![LocalTransform::IDENTITY],
            file_index: vec![0],
            rest_weights: vec![0.5; 3],
            weight_ends: vec![3],
            ..Rig::default()
        },
        clips: channels.into_iter().map(clip).collect(),
        ..Model::default()
    }
}

/// Checks that the pose is sound, and returns the local transform's numbers and the morph weights.
fn sound(pose: &Pose) -> Result<(DVec3, DVec3, Vec<f64>), TestCaseError> {
    let LocalTransform::Trs { translation, rotation, scale } = pose.locals[0] else {
        return Err(TestCaseError::fail("a matrix"));
    };
    prop_assert!(translation.is_finite() && scale.is_finite(), "{:?}", pose.locals);
    prop_assert!((rotation.length() - 1.0).abs() < 1e-12, "{}", rotation);
    prop_assert!(pose.weights.iter().all(|weight| weight.is_finite()), "{:?}", pose.weights);
    Ok((translation, scale, pose.weights.clone()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn samples_are_finite_and_rotations_unit(channel in channel(), between in prop::collection::vec(0.0..1.0, 8), odd in number()) {
        let keys: Vec<f64> = channel.times.iter().map(|&time| f64::from(time)).collect();
        let (first, last) = (keys[0], keys[keys.len() - 1]);
        let inside = between.iter().map(|t| first + t * (last - first));
        let near = keys.iter().flat_map(|key| [key.next_down(), key.next_up()]);
        let outside = [f64::from(odd), f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
        let times: Vec<f64> = inside.chain(near).chain(outside).collect();
        let model = model(vec![channel]);
        let mut pose = Pose::default();
        for time_secs in times {
            pose.set(&model, &PoseChoice::clip(0, time_secs));
            sound(&pose)?;
        }
    }

    #[test]
    fn keys_are_met_exactly(channel in channel()) {
        let model = model(vec![channel.clone()]);
        let mut pose = Pose::default();
        let (components, parts) = (components(channel.property), channel.values.len() / channel.times.len());
        for (key, &time_secs) in channel.times.iter().enumerate() {
            pose.set(&model, &PoseChoice::clip(0, f64::from(time_secs)));
            let (translation, scale, weights) = sound(&pose)?;
            // The middle one of a spline's three parts.
            let start = key * parts + (parts - components) / 2;
            let value: Vec<f64> = channel.values[start..start + components].iter().map(|&v| f64::from(v)).collect();
            match channel.property {
                Property::Translation => prop_assert_eq!(translation.to_array().to_vec(), value),
                Property::Scale => prop_assert_eq!(scale.to_array().to_vec(), value),
                Property::Weights => prop_assert_eq!(weights, value),
                Property::Weight(target) => prop_assert_eq!(weights[target as usize], value[0]),
                Property::Rotation => {}
            }
        }
    }

    #[test]
    fn blends_are_sound(
        channels in prop::collection::vec(channel(), 4),
        shares in prop::collection::vec(0.0..=1.0, 2),
        time_secs in number(),
    ) {
        let model = model(channels);
        let blends = shares.iter().zip([2, 3]).map(|(&weight, clip)| Blend { clip, weight }).collect();
        let mix = ClipMix { clips: vec![0, 1], blends, time_secs: f64::from(time_secs), ..ClipMix::default() };
        let mut pose = Pose::default();
        pose.set(&model, &PoseChoice::Clips(mix));
        sound(&pose)?;
    }
}
