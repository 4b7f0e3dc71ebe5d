//! Reads BVH, the text format of motion capture: a skeleton and one clip, without a mesh. The module must not depend on other
//! formats, nor on what the motion is for.
//!
//! The format has no standard. Offsets and positions are in a unit that the file does not name: skeletons that are higher
//! than ten of them count as measured in centimetres, others in metres. The channels of a joint are in the order of its
//! rotations' product, and positions replace the joint's offset, as in Blender's importer. Most files have the root's offset at
//! 0 and its positions above the ground, so the rest pose is lifted to stand on the ground.

#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

mod skeleton;
mod words;

#[cfg(test)]
mod tests;

use glam::{DQuat, DVec3};

use crate::clip::{Channel, Clip, Interpolation, Property};
use crate::gltf::{Conversion, FileFacts, Inspection};
use crate::loaded::Loaded;
use crate::reading::budget::Budget;
use crate::reading::{LoadError, Options};
use crate::rig::{LocalTransform, Rig};
use crate::{Model, SceneRoots, Warning};
use skeleton::{Axis, Joint};
use words::Words;

/// Skeletons that are higher than this count as measured in centimetres.
const MAX_METRES: f64 = 10.0;

/// Bytes of a key: its time and a translation or rotation, in the model and while they are read.
const KEY_BYTES: usize = 64;

/// Bytes of a node in the rig, with its name.
const NODE_BYTES: usize = 512;

/// Loads a file's bytes.
///
/// # Errors
/// If it is broken, or asks for more memory than a file of its size may take.
pub fn load(bytes: &[u8], options: &Options) -> Result<Loaded, LoadError> {
    read(bytes, options).map(|(model, _)| Loaded { model, files: Vec::new(), digest: None })
}

/// Loads a file's bytes and inspects them.
///
/// # Errors
/// As [`load`].
pub fn inspect(bytes: &[u8], options: &Options) -> Result<Inspection, LoadError> {
    let (model, metres_per_unit) = read(bytes, options)?;
    let rate = model.frame_rate();
    let conversion = Conversion { metres_per_unit, up: "+y", front: "+z", frames_per_second: rate };
    let facts = FileFacts {
        format: "BVH",
        scenes: vec![(String::new(), 1)],
        conversion: Some(conversion),
        ..FileFacts::default()
    };
    Ok(Inspection { model, notes: Vec::new(), influences: Default::default(), facts, files: Vec::new() })
}

/// The model, and the unit's length.
fn read(bytes: &[u8], options: &Options) -> Result<(Model, f64), LoadError> {
    let mut budget = Budget::default();
    budget.add(bytes.len());
    let text = String::from_utf8_lossy(bytes);
    let mut words = Words::new(&text);
    let joints = skeleton::read(&mut words)?;
    budget.charge("HIERARCHY", joints.len(), NODE_BYTES)?;
    let (rig, metres_per_unit) = rig(&joints);

    words.expect("MOTION")?;
    words.expect("Frames:")?;
    let stated = words.count("the number of frames")?;
    words.expect("Frame")?;
    words.expect("Time:")?;
    let frame_secs = words.number("the time of a frame")?;
    if frame_secs <= 0.0 {
        return Err(words.fault("expected a time of a frame above 0"));
    }
    let numbers = joints.iter().map(|joint| joint.channels.len()).sum();
    let frames = words.rows_of(numbers).unwrap_or(0).max(stated);
    let moving = joints.iter().filter(|joint| !joint.channels.is_empty()).count().max(1);
    budget.charge("MOTION", frames.saturating_mul(moving), KEY_BYTES)?;
    let mut clip = Clip { channels: channels(&joints, frames, frame_secs), ..Clip::default() };
    for frame in 0..frames {
        options.watch.part(0.0..1.0, frame, frames)?;
        let mut tracks = clip.channels.iter_mut();
        for joint in joints.iter().filter(|joint| !joint.channels.is_empty()) {
            let (place, rotation) = moment(joint, &mut words)?;
            if joint.moves()
                && let Some(track) = tracks.next()
            {
                track.values.extend(place.as_vec3().to_array());
            }
            if joint.turns()
                && let Some(track) = tracks.next()
            {
                track.values.extend(rotation.as_quat().to_array());
            }
        }
    }
    if let Some(word) = words.next() {
        return Err(words.fault(&format!("expected the end of the file instead of '{word}'")));
    }
    clip.channels.retain(|channel| !channel.times.is_empty());
    clip.duration_secs =
        clip.channels.iter().filter_map(|channel| channel.times.last()).fold(0.0, |a, b| a.max(*b));
    let clips = if clip.channels.is_empty() { Vec::new() } else { vec![clip] };
    let scenes = vec![SceneRoots { name: String::new(), roots: vec![0] }];
    let frames_per_second = Some(1.0 / frame_secs).filter(|rate| rate.is_finite());
    let warnings = (frames > stated).then(|| Warning {
        code: "UNEXPECTED_FRAMES",
        path: "MOTION".to_owned(),
        message: format!("it has {frames} frames instead of {stated}; all count"),
    });
    let warnings = warnings.into_iter().collect();
    Ok((
        Model { rig, clips, frames_per_second, scenes, scene: Some(0), warnings, ..Model::default() },
        metres_per_unit,
    ))
}

/// The rig: a node that turns the unit to metres, and below it the joints.
fn rig(joints: &[Joint]) -> (Rig, f64) {
    let mut places: Vec<DVec3> = Vec::with_capacity(joints.len());
    for joint in joints {
        let above = joint.parent.and_then(|parent| places.get(parent)).copied().unwrap_or_default();
        places.push(above + joint.offset);
    }
    let range = |of: fn(f64, f64) -> f64, start: f64| places.iter().map(|place| place.y).fold(start, of);
    let lowest = range(f64::min, f64::INFINITY);
    let height = range(f64::max, f64::NEG_INFINITY) - lowest;
    let metres_per_unit = if height > MAX_METRES { 0.01 } else { 1.0 };

    let mut rig = Rig::default();
    let mut push = |name: &str, parent: Option<usize>, translation: DVec3, scale: DVec3| {
        rig.file_index.push(rig.names.len() as u32);
        rig.names.push(name.to_owned());
        rig.parents.push(parent.map(|parent| parent as u32));
        rig.rest.push(LocalTransform::Trs { translation, rotation: DQuat::IDENTITY, scale });
    };
    push("", None, DVec3::ZERO, DVec3::splat(metres_per_unit));
    for joint in joints {
        let parent = joint.parent.map_or(0, |parent| parent.saturating_add(1));
        // Positions of a root are above the ground, whatever its offset is.
        let lift = if joint.parent.is_none() && joint.moves() { -lowest } else { 0.0 };
        push(&joint.name, Some(parent), joint.offset + DVec3::Y * lift, DVec3::ONE);
    }
    (rig, metres_per_unit)
}

/// The channels of the clip, without values.
fn channels(joints: &[Joint], frames: usize, frame_secs: f64) -> Vec<Channel> {
    let times: Vec<f32> = (0..frames).map(|frame| (frame as f64 * frame_secs) as f32).collect();
    let mut channels = Vec::new();
    for (number, joint) in joints.iter().enumerate() {
        let wanted = [(joint.moves(), Property::Translation, 3), (joint.turns(), Property::Rotation, 4)];
        for (_, property, size) in wanted.into_iter().filter(|(is_there, ..)| *is_there) {
            channels.push(Channel {
                node: number.saturating_add(1),
                property,
                interpolation: Interpolation::Linear,
                times: times.clone(),
                values: Vec::with_capacity(frames.saturating_mul(size)),
            });
        }
    }
    channels
}

/// A joint's place and rotation in a frame.
fn moment(joint: &Joint, words: &mut Words<'_>) -> Result<(DVec3, DQuat), LoadError> {
    let (mut place, mut rotation) = (joint.offset, DQuat::IDENTITY);
    for channel in &joint.channels {
        let value = words.number("a number of a frame")?;
        match channel {
            Axis::Place(axis) => {
                if let Some(slot) = place.as_mut().get_mut(*axis) {
                    *slot = value;
                }
            }
            Axis::Turn(axis) => {
                let angle = value.to_radians();
                rotation *= match axis {
                    0 => DQuat::from_rotation_x(angle),
                    1 => DQuat::from_rotation_y(angle),
                    _ => DQuat::from_rotation_z(angle),
                };
            }
        }
    }
    Ok((place, rotation))
}
