//! Reads animations with the crate's channel reader.

use std::collections::HashSet;

use ::gltf::accessor::Dimensions;
use ::gltf::animation::util::{MorphTargetWeights, ReadOutputs, Rotations};
use ::gltf::animation::{Interpolation as Stored, Property as Path};

use super::numbers::{FLOAT, Format, Numbers, SIGNED, collect, floats};
use crate::clip::{Channel, Clip, Interpolation, Property};
use crate::gltf::component::Component;
use crate::gltf::json;
use crate::gltf::reader::morph::target_count;
use crate::gltf::reader::node::Nodes;
use crate::gltf::reader::sampler::{Keys, check_times, check_values};
use crate::reading::error::LoadError;
use crate::reading::warnings::Warnings;

/// Reads all animations.
pub fn read(
    document: &::gltf::Document,
    structure: &json::Document,
    nodes: &Nodes,
    numbers: &mut Numbers<'_>,
    warnings: &mut Warnings,
) -> Result<Vec<Clip>, LoadError> {
    let mut clips = Vec::with_capacity(document.animations().len());
    for (index, animation) in document.animations().enumerate() {
        let mut channels = Vec::new();
        let mut taken = HashSet::new();
        for (number, channel) in animation.channels().enumerate() {
            let path = format!("animations[{index}].channels[{number}]");
            let (node, property) = (channel.target().node().index(), channel.target().property());
            let (property, components) = match property {
                Path::Translation => (Property::Translation, 3),
                Path::Rotation => (Property::Rotation, 4),
                Path::Scale => (Property::Scale, 3),
                Path::MorphTargetWeights => (Property::Weights, weights_of(structure, node)),
            };
            if !taken.insert((node, property)) {
                let message = "sets what an earlier channel sets and was left out";
                warnings.add("ANIMATION_DUPLICATE_TARGETS", &path, message);
                continue;
            }
            if components == 0 {
                let message = "moves morph targets that the node does not have and was left out";
                warnings.add("ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS", &path, message);
                continue;
            }
            if channel.sampler().input().count() == 0 {
                let code = "ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS";
                warnings.add(code, &path, "has no keys and was left out");
                continue;
            }
            let sampler = format!("animations[{index}].samplers[{}]", channel.sampler().index());
            let mut keys = keys(&channel, &sampler, numbers)?;
            check_times(&keys.times, &format!("{sampler}.input"), warnings)?;
            check_values(&mut keys, property, components, &format!("{sampler}.output"), warnings)?;
            let Keys { interpolation, times, values } = keys;
            let node = nodes.rig_index(node, || format!("{path}.target.node"))?;
            channels.push(Channel { node, property, interpolation, times, values });
        }
        let ends = channels.iter().filter_map(|channel| channel.times.last());
        let duration_secs = ends.fold(0.0, |duration: f32, end| duration.max(*end));
        let name = animation.name().unwrap_or_default().to_owned();
        clips.push(Clip { name, duration_secs, channels });
    }
    Ok(clips)
}

/// Returns the number of morph targets in a node's mesh.
fn weights_of(structure: &json::Document, node: usize) -> usize {
    let mesh = structure.nodes.get(node).and_then(|node| node.mesh);
    mesh.and_then(|mesh| structure.meshes.get(mesh)).map_or(0, target_count)
}

/// A channel's keys as they are stored; `path` is its sampler's.
fn keys(
    channel: &::gltf::animation::Channel<'_>,
    path: &str,
    numbers: &mut Numbers<'_>,
) -> Result<Keys, LoadError> {
    let (sampler, input, output) = (channel.sampler(), format!("{path}.input"), format!("{path}.output"));
    let format = Format::new(&[Dimensions::Scalar], FLOAT);
    numbers.check(&sampler.input(), format, &input, size_of::<f32>())?;
    let (format, size) = match channel.target().property() {
        Path::Translation | Path::Scale => (Format::new(&[Dimensions::Vec3], FLOAT), size_of::<[f32; 3]>()),
        Path::Rotation => (Format::new(&[Dimensions::Vec4], SIGNED), size_of::<[f32; 4]>()),
        Path::MorphTargetWeights => (Format::new(&[Dimensions::Scalar], SIGNED), size_of::<f32>()),
    };
    numbers.check(&sampler.output(), format, &output, size)?;

    let reader = channel.reader(numbers.source());
    let times = collect(reader.read_inputs(), &input)?;
    let normalized = sampler.output().normalized();
    let values = match reader.read_outputs() {
        Some(ReadOutputs::Translations(vectors) | ReadOutputs::Scales(vectors)) => {
            vectors.flatten().collect()
        }
        Some(ReadOutputs::Rotations(rotations)) => match rotations {
            Rotations::I8(all) => floats(all, Component::I8, normalized),
            Rotations::U8(all) => floats(all, Component::U8, normalized),
            Rotations::I16(all) => floats(all, Component::I16, normalized),
            Rotations::U16(all) => floats(all, Component::U16, normalized),
            Rotations::F32(all) => all.collect(),
        }
        .into_flattened(),
        Some(ReadOutputs::MorphTargetWeights(weights)) => match weights {
            MorphTargetWeights::I8(all) => floats(all.map(|one| [one]), Component::I8, normalized),
            MorphTargetWeights::U8(all) => floats(all.map(|one| [one]), Component::U8, normalized),
            MorphTargetWeights::I16(all) => floats(all.map(|one| [one]), Component::I16, normalized),
            MorphTargetWeights::U16(all) => floats(all.map(|one| [one]), Component::U16, normalized),
            MorphTargetWeights::F32(all) => all.map(|one| [one]).collect(),
        }
        .into_flattened(),
        None => return Err(LoadError::invalid(output, "the `gltf` crate does not read it")),
    };
    let interpolation = match sampler.interpolation() {
        Stored::Step => Interpolation::Step,
        Stored::Linear => Interpolation::Linear,
        Stored::CubicSpline => Interpolation::CubicSpline,
    };
    Ok(Keys { interpolation, times, values })
}
