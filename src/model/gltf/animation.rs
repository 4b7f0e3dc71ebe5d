//! Animations as clips: keys checked, outputs as floats, what cannot be shown left out.
//! It must not know how keys are sampled.

use std::collections::HashSet;

use glam::DQuat;

use super::accessor::Accessors;
use super::error::LoadError;
use super::json::{Animation, Document};
use super::node::Nodes;
use super::report::{Warnings, quoted};
use super::transform::{QuaternionRepair, unit_quaternion};
use crate::model::clip::{Channel, Clip, Interpolation, Property};

/// Reads all animations.
pub fn read(
    document: &Document,
    nodes: &Nodes,
    accessors: &mut Accessors<'_>,
    warnings: &mut Warnings,
) -> Result<Vec<Clip>, LoadError> {
    let mut context = Context { document, nodes, accessors, warnings };
    let mut clips = Vec::with_capacity(document.animations.len());
    for (index, animation) in document.animations.iter().enumerate() {
        let path = format!("animations[{index}]");
        let mut channels: Vec<Channel> = Vec::new();
        let mut taken = HashSet::new();
        for (number, channel) in animation.channels.iter().enumerate() {
            let channel_path = format!("{path}.channels[{number}]");
            // A channel without a node is for extensions to interpret.
            let Some(node) = channel.target.node else { continue };
            if taken.insert((node, channel.target.path.as_str())) {
                channels.extend(read_channel(&mut context, animation, &path, number)?);
            } else {
                context.warnings.add(
                    "ANIMATION_DUPLICATE_TARGETS",
                    &channel_path,
                    "sets what an earlier channel sets and was left out",
                );
            }
        }
        let ends = channels.iter().filter_map(|channel| channel.times.last());
        let duration_secs = ends.fold(0.0, |duration: f32, end| duration.max(*end));
        clips.push(Clip { name: animation.name.clone(), duration_secs, channels });
    }
    Ok(clips)
}

struct Context<'a, 'b> {
    document: &'a Document,
    nodes: &'a Nodes,
    accessors: &'a mut Accessors<'b>,
    warnings: &'a mut Warnings,
}

/// A channel; `None` for one that has nothing to say.
fn read_channel(
    context: &mut Context<'_, '_>,
    animation: &Animation,
    animation_path: &str,
    number: usize,
) -> Result<Option<Channel>, LoadError> {
    let path = format!("{animation_path}.channels[{number}]");
    let Some(channel) = animation.channels.get(number) else { return Ok(None) };
    let Some(file_node) = channel.target.node else { return Ok(None) };
    let node = context.nodes.rig_index(file_node, || format!("{path}.target.node"))?;
    let sampler = animation.samplers.get(channel.sampler).ok_or_else(|| {
        let message = format!(
            "there is no sampler {} (the animation has {})",
            channel.sampler,
            animation.samplers.len()
        );
        LoadError::broken("UNRESOLVED_REFERENCE", format!("{path}.sampler"), message)
    })?;
    let sampler_path = format!("{animation_path}.samplers[{}]", channel.sampler);

    let property = match channel.target.path.as_str() {
        "translation" => Property::Translation,
        "rotation" => Property::Rotation,
        "scale" => Property::Scale,
        "weights" => Property::Weights,
        other => {
            context.warnings.add(
                "VALUE_NOT_IN_LIST",
                &path,
                format!("moves {}, which is not shown", quoted(other)),
            );
            return Ok(None);
        }
    };
    let interpolation = match sampler.interpolation.as_deref() {
        None | Some("LINEAR") => Interpolation::Linear,
        Some("STEP") => Interpolation::Step,
        Some("CUBICSPLINE") => Interpolation::CubicSpline,
        Some(other) => {
            let message = format!("{} is no interpolation", quoted(other));
            return Err(LoadError::broken(
                "VALUE_NOT_IN_LIST",
                format!("{sampler_path}.interpolation"),
                message,
            ));
        }
    };

    let times = read_times(context, sampler.input, &format!("{sampler_path}.input"))?;
    if times.is_empty() {
        context.warnings.add(
            "ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS",
            &path,
            "has no keys and was left out",
        );
        return Ok(None);
    }
    let components = match property {
        Property::Translation | Property::Scale => 3,
        Property::Rotation => 4,
        Property::Weights => morph_target_count(context.document, file_node),
    };
    if components == 0 {
        context.warnings.add(
            "ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS",
            &path,
            "moves morph targets that the node does not have and was left out",
        );
        return Ok(None);
    }
    let numbers_per_key = match interpolation {
        Interpolation::Step | Interpolation::Linear => components,
        Interpolation::CubicSpline => components.saturating_mul(3),
    };
    let path = format!("{sampler_path}.output");
    let mut values = read_values(context, sampler.output, property, &path)?;
    let needed = times.len().saturating_mul(numbers_per_key);
    if values.len() < needed {
        let message = format!("{} numbers, but {} keys need {needed}", values.len(), times.len());
        return Err(LoadError::broken("ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT", path, message));
    }
    if values.len() > needed {
        let message = format!("{} numbers, of which {} keys use {needed}", values.len(), times.len());
        context.warnings.add("ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT", &path, message);
        values.truncate(needed);
    }
    if let Some(at) = values.iter().position(|value| !value.is_finite()) {
        let key = at.checked_div(numbers_per_key).unwrap_or(0);
        let message = format!("the value of key {key} is not finite");
        return Err(LoadError::broken("ACCESSOR_INVALID_FLOAT", path, message));
    }
    match (property, interpolation) {
        (Property::Rotation, Interpolation::Step | Interpolation::Linear) => {
            normalize_rotations(&mut values, &path, context.warnings);
        }
        // Splines are normalised after interpolation, because their tangents fit the values as
        // they are.
        (Property::Rotation, Interpolation::CubicSpline) => {}
        (Property::Translation | Property::Scale | Property::Weights, _) => {}
    }
    Ok(Some(Channel { node, property, interpolation, times, values }))
}

fn read_times(context: &mut Context<'_, '_>, accessor: usize, path: &str) -> Result<Vec<f32>, LoadError> {
    let times = context.accessors.floats::<1>(accessor, path)?.into_flattened();
    if let Some(key) = times.iter().position(|time| !time.is_finite()) {
        let message = format!("the time of key {key} is not finite");
        return Err(LoadError::broken("ACCESSOR_INVALID_FLOAT", path, message));
    }
    let step = times.windows(2).position(|pair| !matches!(pair, [a, b] if a < b));
    if let Some(key) = step {
        let message = format!("the time of key {} is not after that of key {key}", key.saturating_add(1));
        return Err(LoadError::broken("ACCESSOR_ANIMATION_INPUT_NON_INCREASING", path, message));
    }
    if times.first().is_some_and(|first| *first < 0.0) {
        // Kept, because cutting them off would change how the clip starts.
        context.warnings.add("ACCESSOR_ANIMATION_INPUT_NEGATIVE", path, "has keys before time 0");
    }
    Ok(times)
}

fn read_values(
    context: &mut Context<'_, '_>,
    accessor: usize,
    property: Property,
    path: &str,
) -> Result<Vec<f32>, LoadError> {
    let accessors = &mut context.accessors;
    Ok(match property {
        Property::Translation | Property::Scale => accessors.floats::<3>(accessor, path)?.into_flattened(),
        Property::Rotation => accessors.floats::<4>(accessor, path)?.into_flattened(),
        Property::Weights => accessors.floats::<1>(accessor, path)?.into_flattened(),
    })
}

/// How many morph targets the mesh of a node has; 0 where there is no such thing.
fn morph_target_count(document: &Document, node: usize) -> usize {
    let mesh = document.nodes.get(node).and_then(|node| node.mesh);
    let primitives = mesh.and_then(|mesh| document.meshes.get(mesh)).map(|mesh| &mesh.primitives);
    primitives.and_then(|primitives| primitives.first()).map_or(0, |primitive| primitive.targets.len())
}

fn normalize_rotations(values: &mut [f32], path: &str, warnings: &mut Warnings) {
    let mut normalized = 0_usize;
    let mut replaced = 0_usize;
    for key in values.as_chunks_mut::<4>().0 {
        let (unit, repair) = unit_quaternion(DQuat::from_array(key.map(f64::from)));
        match repair {
            QuaternionRepair::None => {}
            QuaternionRepair::Normalized => normalized = normalized.saturating_add(1),
            QuaternionRepair::Replaced => replaced = replaced.saturating_add(1),
        }
        *key = unit.to_array().map(|number| number as f32);
    }
    if normalized > 0 {
        warnings.add(
            "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION",
            path,
            format!("{normalized} keys were no unit quaternions and were normalised"),
        );
    }
    if replaced > 0 {
        warnings.add(
            "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION",
            path,
            format!("{replaced} keys were zero quaternions and became no rotation"),
        );
    }
}
