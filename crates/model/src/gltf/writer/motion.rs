//! Skins and clips as the document spells them.
//! It must not know what they move.

use serde_json::{Value, json};

use super::body::{Body, Component, Target};
use super::name::named;
use crate::{Clip, Interpolation, Property, Skin};

/// A skin of the document.
pub fn skin(skin: &Skin, body: &mut Body) -> Value {
    let rows: Vec<[f32; 16]> = skin.joint_from_bind.iter().map(|m| m.as_mat4().to_cols_array()).collect();
    let mut value = json!({ "joints": skin.joints });
    if !rows.is_empty() {
        value["inverseBindMatrices"] = body.floats(&rows, "MAT4", Target::None).into();
    }
    named(value, &skin.name)
}

/// A clip; `None` where nothing of it can be said in the file.
pub fn animation(clip: &Clip, body: &mut Body) -> Option<Value> {
    let mut channels = Vec::new();
    let mut samplers = Vec::new();
    // Clips tend to key all joints at the same times, which then need to be stored once.
    let mut inputs: Vec<(&[f32], usize)> = Vec::new();
    for channel in &clip.channels {
        let (path, components) = match channel.property {
            Property::Translation => ("translation", 3),
            Property::Rotation => ("rotation", 4),
            Property::Scale => ("scale", 3),
            Property::Weights => ("weights", 1),
            Property::Weight(_) => continue,
        };
        let input = match inputs.iter().find(|(times, _)| *times == channel.times) {
            Some(&(_, accessor)) => accessor,
            None => {
                let rows: Vec<[f32; 1]> = channel.times.iter().map(|&t| [t]).collect();
                let accessor = body.floats(&rows, "SCALAR", Target::None);
                body.bound(accessor, &rows);
                inputs.push((&channel.times, accessor));
                accessor
            }
        };
        let view = body.view(bytemuck::cast_slice(&channel.values), Target::None);
        let shape = match components {
            1 => "SCALAR",
            3 => "VEC3",
            _ => "VEC4",
        };
        let output = body.accessor(view, Component::F32, shape, channel.values.len() / components);
        let interpolation = match channel.interpolation {
            Interpolation::Step => "STEP",
            Interpolation::Linear => "LINEAR",
            Interpolation::CubicSpline => "CUBICSPLINE",
        };
        channels.push(json!({ "sampler": samplers.len(), "target": { "node": channel.node, "path": path } }));
        samplers.push(json!({ "input": input, "output": output, "interpolation": interpolation }));
    }
    let value = json!({ "channels": channels, "samplers": samplers });
    (!channels.is_empty()).then(|| named(value, &clip.name))
}
