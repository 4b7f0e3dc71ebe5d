//! Poses of a clip by other ways of interpolation.

use glam::{DQuat, DVec3, DVec4};
use sinew_model::{Channel, Clip, Interpolation, LocalTransform, Model, Property};
use sinew_skinning::pose::{Pose, PoseChoice};

use super::deviation::Deviation;

/// Returns the clip of a choice that nothing else moves.
pub(super) fn clip_of<'a>(model: &'a Model, choice: &PoseChoice) -> Option<&'a Clip> {
    let PoseChoice::Clips(mix) = choice else { return None };
    let is_alone = mix.clips.len() == 1 && mix.blends.is_empty() && mix.only_joint.is_none();
    let is_unedited = mix.edits.joints().next().is_none() && mix.edits.weights().next().is_none();
    mix.clips.first().filter(|_| is_alone && is_unedited).and_then(|clip| model.clips.get(*clip))
}

/// Changes a clip's pose to that of another way of interpolation.
pub(super) fn apply(model: &Model, clip: &Clip, time_secs: f64, deviation: Deviation, pose: &mut Pose) {
    match deviation {
        Deviation::Nlerp | Deviation::ComponentLerp | Deviation::StepForLinear => {
            for channel in clip.channels.iter().filter(|channel| is_linear(channel)) {
                set(model, channel, time_secs, deviation, pose);
            }
            pose.update_world(&model.rig);
        }
        _ => {}
    }
}

fn is_linear(channel: &Channel) -> bool {
    channel.interpolation == Interpolation::Linear
}

/// Sets a channel's property by another interpolation.
fn set(model: &Model, channel: &Channel, time_secs: f64, deviation: Deviation, pose: &mut Pose) {
    let after = channel.times.partition_point(|&at| f64::from(at) <= time_secs);
    let Some(before) = after.checked_sub(1) else { return };
    let (Some(&start), Some(&end)) = (channel.times.get(before), channel.times.get(after)) else { return };
    let share = (time_secs - f64::from(start)) / (f64::from(end) - f64::from(start));
    let components = match channel.property {
        Property::Rotation => 4,
        Property::Translation | Property::Scale => 3,
        Property::Weight(_) => 1,
        Property::Weights => channel.values.len() / channel.times.len().max(1),
    };
    let value = |key: usize| channel.values.get(key * components..(key + 1) * components);
    let Some(first) = value(before) else { return };
    let number = |numbers: &[f32], at: usize| numbers.get(at).map_or(0.0, |&number| f64::from(number));
    let four = |numbers: &[f32]| DVec4::from([0, 1, 2, 3].map(|at| number(numbers, at)));
    let held = deviation == Deviation::StepForLinear;
    match channel.property {
        Property::Weights | Property::Weight(_) => {
            let weights = pose.weights.get_mut(model.rig.weights_of(channel.node)).unwrap_or_default();
            let first_target =
                if let Property::Weight(target) = channel.property { target as usize } else { 0 };
            let weights = weights.iter_mut().skip(first_target).zip(first);
            weights.filter(|_| held).for_each(|(weight, &key)| *weight = f64::from(key));
        }
        Property::Translation | Property::Rotation | Property::Scale => {
            let Some(LocalTransform::Trs { translation, rotation, scale }) =
                pose.locals.get_mut(channel.node)
            else {
                return;
            };
            let first = four(first);
            match channel.property {
                Property::Translation if held => *translation = first.truncate(),
                Property::Scale if held => *scale = first.truncate(),
                Property::Rotation if held => *rotation = unit(first),
                Property::Rotation => {
                    let Some(second) = value(after).map(four) else { return };
                    let is_nlerp = deviation == Deviation::Nlerp;
                    let second = if is_nlerp && first.dot(second) < 0.0 { -second } else { second };
                    *rotation = unit(first * (1.0 - share) + second * share);
                }
                _ => {}
            }
        }
    }
}

fn unit(q: DVec4) -> DQuat {
    DQuat::from_vec4(q.try_normalize().unwrap_or(DVec4::W))
}

/// Removes the scale of all nodes.
pub(super) fn without_scale(model: &Model, pose: &mut Pose) {
    for local in &mut pose.locals {
        if let LocalTransform::Trs { scale, .. } = local {
            *scale = DVec3::ONE;
        }
    }
    pose.update_world(&model.rig);
}
