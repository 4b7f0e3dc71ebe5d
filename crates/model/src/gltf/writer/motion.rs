//! Writes skins and clips.

use std::borrow::Cow;

use serde_json::{Value, json};

use super::body::{Body, BufferTarget};
use super::name::named;
use crate::gltf::component::Component;
use crate::gltf::element_type::ElementType;
use crate::{Clip, Interpolation, Property, Skin};

/// A skin of the document.
pub fn skin(skin: &Skin, body: &mut Body) -> Value {
    let rows: Vec<[f32; 16]> = skin.joint_from_bind.iter().map(|m| m.as_mat4().to_cols_array()).collect();
    let mut value = json!({ "joints": skin.joints });
    if !rows.is_empty() {
        value["inverseBindMatrices"] = body.floats(&rows, ElementType::Mat4, BufferTarget::None).into();
    }
    if let Some(method) = skin.method {
        value["extras"] = json!({ "sinew": { "skinning": method.name() } });
    }
    named(value, &skin.name)
}

/// Writes morph weights. Few of many targets have weight at a time, and the number of weights grows quadratically if
/// each key has a separate target.
fn weights(values: &[f32], body: &mut Body) -> usize {
    let with_weight = values.iter().enumerate().filter(|(_, weight)| weight.to_bits() != 0);
    let elements: Vec<(u32, [f32; 1])> =
        with_weight.map(|(place, &weight)| (place as u32, [weight])).collect();
    if elements.len() * 2 < values.len() && u32::try_from(values.len()).is_ok() {
        return body.sparse(&elements, ElementType::Scalar, values.len());
    }
    let view = body.view(bytemuck::cast_slice(values), BufferTarget::None);
    body.accessor(view, Component::F32, ElementType::Scalar, values.len())
}

/// A clip that begins at 0 or later.
pub fn from_zero(clip: &Clip) -> Cow<'_, Clip> {
    let mut clip = Cow::Borrowed(clip);
    if clip.first_secs() < 0.0 {
        clip.to_mut().begin_at_zero();
    }
    clip
}

/// Writes a clip; `None` if the format can express none of it.
pub fn animation(clip: &Clip, body: &mut Body) -> Option<Value> {
    let mut channels = Vec::new();
    let mut samplers = Vec::new();
    // Clips tend to key all joints at the same times, which then need to be stored once.
    let mut inputs: Vec<(&[f32], usize)> = Vec::new();
    for channel in &clip.channels {
        let (path, element) = match channel.property {
            Property::Translation => ("translation", ElementType::Vec3),
            Property::Rotation => ("rotation", ElementType::Vec4),
            Property::Scale => ("scale", ElementType::Vec3),
            Property::Weights => ("weights", ElementType::Scalar),
            Property::Weight(_) => continue,
        };
        let input = match inputs.iter().find(|(times, _)| *times == channel.times) {
            Some(&(_, accessor)) => accessor,
            None => {
                let rows: Vec<[f32; 1]> = channel.times.iter().map(|&t| [t]).collect();
                let accessor = body.floats(&rows, ElementType::Scalar, BufferTarget::None);
                body.bound(accessor, &rows);
                inputs.push((&channel.times, accessor));
                accessor
            }
        };
        let output = match channel.property {
            Property::Weights => weights(&channel.values, body),
            _ => {
                let view = body.view(bytemuck::cast_slice(&channel.values), BufferTarget::None);
                body.accessor(view, Component::F32, element, channel.values.len() / element.width())
            }
        };
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
