//! Motion of a clip: animations of skeletons and their blend shapes, and samples of nodes' transforms.

use glam::{DQuat, DVec3, DVec4};
use openusd::gf;
use openusd::sdf::Value;

use super::keys::{code, operation, single};
use super::prim::{Prim, Property, tokens};
use super::skeletons::Skeleton;
use crate::{Channel, Clip, LocalTransform, Model, Property as Animated, sample_times};

/// Names of the properties of a transform, with their operations and types.
pub const OPERATIONS: [(Animated, &str, &str); 3] = [
    (Animated::Translation, "xformOp:translate", "double3"),
    (Animated::Rotation, "xformOp:orient", "quatd"),
    (Animated::Scale, "xformOp:scale", "double3"),
];

/// A node whose mesh has blend shapes, with their names.
pub type Shaped = (usize, Vec<String>);

/// Largest change of a scale by the format's short numbers, over all that were written.
#[derive(Default)]
pub struct Rounding(pub f64);

/// The parts of a local transform; those of a matrix that moves were split before.
pub fn parts(local: &LocalTransform) -> (DVec3, DQuat, DVec3) {
    match *local {
        LocalTransform::Trs { translation, rotation, scale } => (translation, rotation, scale),
        LocalTransform::Matrix(matrix) => {
            let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
            (translation, rotation, scale)
        }
    }
}

/// The samples of a node's transform in a clip.
pub fn samples(clip: &Clip, node: usize, rate: f64) -> Vec<(Animated, Vec<(f64, Value)>)> {
    let own = clip.channels.iter().filter(|channel| channel.node == node);
    let own = own.filter(|channel| !matches!(channel.property, Animated::Weights | Animated::Weight(_)));
    own.map(|channel| (channel.property, operation(channel, rate))).collect()
}

/// The animation of a skeleton and of the blend shapes that it has weights for; without a clip, the weights at rest. `None`
/// if it moves nothing.
pub fn animation(
    model: &Model,
    clip: Option<&Clip>,
    skeleton: &Skeleton,
    shaped: &[Shaped],
    name: &str,
    rounding: &mut Rounding,
) -> Option<Prim> {
    let channels: &[Channel] = clip.map_or(&[], |clip| &clip.channels);
    let is_own = |channel: &&Channel| match channel.property {
        Animated::Weights | Animated::Weight(_) => shaped.iter().any(|(node, _)| *node == channel.node),
        _ => skeleton.number(channel.node).is_some(),
    };
    let own: Vec<&Channel> = channels.iter().filter(is_own).collect();
    let mut prim = Prim::new(name, "SkelAnimation");
    let rate = model.frame_rate();
    let mut joints: Vec<usize> = own
        .iter()
        .filter(|channel| !matches!(channel.property, Animated::Weights | Animated::Weight(_)))
        .map(|channel| channel.node)
        .collect();
    if !joints.is_empty() {
        joints.extend(skeleton.away(&model.rig));
        joints.sort_unstable();
        joints.dedup();
        let paths = joints.iter().filter_map(|node| skeleton.number(*node));
        let paths = tokens(paths.map(|number| skeleton.paths[number].as_str()));
        prim.properties.push(Property::uniform("joints", "token[]", paths));
        for (property, ..) in OPERATIONS {
            let own = own.iter().filter(|channel| channel.property == property).copied();
            prim.properties.push(lists(model, &joints, own.collect(), property, rate, rounding));
        }
    }
    weights(model, &own, shaped, rate, &mut prim);
    (!prim.properties.is_empty()).then_some(prim)
}

/// The lists of a property of all joints.
fn lists(
    model: &Model,
    joints: &[usize],
    channels: Vec<&Channel>,
    property: Animated,
    rate: f64,
    rounding: &mut Rounding,
) -> Property {
    let of: Vec<Option<&Channel>> =
        joints.iter().map(|node| channels.iter().find(|channel| channel.node == *node).copied()).collect();
    let rest = |node: usize| {
        let (translation, rotation, scale) = parts(&model.rig.rest[node]);
        match property {
            Animated::Translation => translation.extend(0.0),
            Animated::Rotation => DVec4::from(rotation),
            _ => scale.extend(0.0),
        }
    };
    let mut row = |secs: Option<f32>| -> Value {
        let value = |(node, channel): (&usize, &Option<&Channel>)| {
            let moved = channel.zip(secs).and_then(|(channel, secs)| channel.transform_at(f64::from(secs)));
            moved.unwrap_or_else(|| rest(*node))
        };
        let values: Vec<DVec4> = joints.iter().zip(&of).map(value).collect();
        list(property, &values, rounding)
    };
    let (name, type_name) = match property {
        Animated::Translation => ("translations", "float3[]"),
        Animated::Rotation => ("rotations", "quatf[]"),
        _ => ("scales", "half3[]"),
    };
    let times = sample_times(channels.iter().copied());
    if times.is_empty() {
        return Property::of(name, type_name, row(None));
    }
    let samples = times.into_iter().map(|secs| (code(secs, rate), row(Some(secs)))).collect();
    Property::new(name, type_name).sampled(samples)
}

fn list(property: Animated, values: &[DVec4], rounding: &mut Rounding) -> Value {
    match property {
        Animated::Translation => {
            let short = |v: &DVec4| gf::Vec3f { x: v.x as f32, y: v.y as f32, z: v.z as f32 };
            Value::Vec3fVec(values.iter().map(short).collect())
        }
        Animated::Rotation => Value::QuatfVec(values.iter().map(|turn| single(*turn)).collect()),
        _ => {
            let half = |v: &DVec4| {
                let [x, y, z] = [v.x, v.y, v.z].map(gf::f16::from_f64);
                for (exact, short) in [(v.x, x), (v.y, y), (v.z, z)] {
                    let off = (short.to_f64() - exact).abs() / exact.abs().max(f64::MIN_POSITIVE);
                    rounding.0 = rounding.0.max(if exact == 0.0 { 0.0 } else { off });
                }
                gf::Vec3h { x, y, z }
            };
            Value::Vec3hVec(values.iter().map(half).collect())
        }
    }
}

/// Adds the weights of blend shapes, if one moves or is not 0.
fn weights(model: &Model, channels: &[&Channel], shaped: &[Shaped], rate: f64, prim: &mut Prim) {
    let own: Vec<&&Channel> = channels
        .iter()
        .filter(|channel| matches!(channel.property, Animated::Weights | Animated::Weight(_)))
        .collect();
    let row = |secs: Option<f32>| -> Vec<f32> {
        let mut all = Vec::new();
        for (node, names) in shaped {
            let rest = model.rig.rest_weights.get(model.rig.weights_of(*node)).unwrap_or_default();
            let mut weights: Vec<f64> = rest.iter().map(|weight| f64::from(*weight)).collect();
            weights.resize(names.len(), 0.0);
            for channel in own.iter().filter(|channel| channel.node == *node) {
                if let Some(secs) = secs {
                    set_weights(channel, f64::from(secs), &mut weights);
                }
            }
            all.extend(weights.iter().map(|weight| *weight as f32));
        }
        all
    };
    let rest = row(None);
    let times = sample_times(own.iter().map(|channel| **channel));
    if times.is_empty() && rest.iter().all(|weight| *weight == 0.0) {
        return;
    }
    let names = tokens(shaped.iter().flat_map(|(_, names)| names.iter().map(String::as_str)));
    prim.properties.push(Property::uniform("blendShapes", "token[]", names));
    let samples = times.into_iter().map(|secs| (code(secs, rate), Value::FloatVec(row(Some(secs)))));
    let property = Property::of("blendShapeWeights", "float[]", Value::FloatVec(rest));
    prim.properties.push(property.sampled(samples.collect()));
}

fn set_weights(channel: &Channel, secs: f64, weights: &mut [f64]) {
    match channel.property {
        Animated::Weight(target) => {
            let target = target as usize;
            channel.set_weights_at(secs, weights.get_mut(target..=target).unwrap_or_default());
        }
        _ => channel.set_weights_at(secs, weights),
    }
}
