//! Pose files: a small JSON with clips, edited joints and morph weights, exact to the last bit (docs/reference/poses.md). It
//! must not depend on how a pose is computed from them.

#![allow(clippy::disallowed_methods, reason = "reads files that its callers add to the inputs")]

mod json;
mod write;

use std::path::Path;

use glam::{DQuat, DVec3};
use sinew_model::Model;
use sinew_model::gltf::{self, LoadError};
use sinew_skinning::pose::{Blend, ClipMix, JointEdit, JointShare, MorphEdit, NameError, Names, Shares};
use sinew_skinning::pose::{is_share, is_vector, is_weight, unit_rotation};

pub use write::{save, write};

/// The format version that is written. Files of version 1 are accepted too; their joints have only rotations.
pub const VERSION: u64 = 2;

/// The largest size of a file, in bytes.
pub const MAX_BYTES: u64 = 16 << 20;

/// The largest number of clips, and of blends, in a file: each costs time in every picture.
const MAX_CLIPS: usize = 1000;

/// The reason why a file is no pose of a model: one line without the file's name, with the JSON path of the fault.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PoseFileError {
    /// The file could not be read.
    #[error("{0}")]
    File(LoadError),
    /// The text is not JSON, or a value has the wrong type.
    #[error("{}{message}", at(path))]
    Json {
        /// The known part of the JSON path; empty for the document itself.
        path: String,
        /// The parser's message.
        message: String,
    },
    /// An invalid value.
    #[error("{path}: expected {expected}, found {found}")]
    Value {
        /// JSON path.
        path: String,
        /// The value found.
        found: String,
        /// The values allowed.
        expected: String,
    },
    /// A name that the model lacks, or has more than once.
    #[error("{path}: {error}")]
    Name {
        /// JSON path.
        path: String,
        /// The fault of the name.
        error: NameError,
    },
    /// A second entry for one thing, for example by name and by index.
    #[error("{path}: an earlier entry sets the same {what}")]
    Twice {
        /// JSON path of the second entry.
        path: String,
        /// The kind of thing.
        what: &'static str,
    },
}

impl PoseFileError {
    /// Returns true if the file does not exist.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::File(error) if error.is_missing())
    }
}

/// Reads a pose of a model from a file.
///
/// # Errors
/// If the file cannot be read, is no pose, or names something that the model lacks.
pub fn load(path: &Path, model: &Model) -> Result<ClipMix, PoseFileError> {
    parse(&gltf::read_file_of(path, MAX_BYTES).map_err(PoseFileError::File)?, model)
}

/// Reads a pose of a model from the text of a file.
///
/// # Errors
/// If it is no pose, or names something that the model lacks.
pub fn parse(text: &[u8], model: &Model) -> Result<ClipMix, PoseFileError> {
    let document = json::parse(text)?;
    let names = Names::new(model);
    let mut mix = match document.over {
        Some(over) => clips(over, &names)?,
        None => ClipMix::default(),
    };
    for (asked, joint) in document.joints.0 {
        let path = || member("joints", &asked);
        let node = names.node(&asked).map_err(|error| PoseFileError::Name { path: path(), error })?;
        let edit = joint_edit(joint, path(), names.node_name(node))?;
        if !mix.edits.put_joint(node, edit) {
            return Err(PoseFileError::Twice { path: path(), what: "joint" });
        }
    }
    for (asked, targets) in document.morphs.0 {
        let path = || member("morphs", &asked);
        let node = names.node(&asked).map_err(|error| PoseFileError::Name { path: path(), error })?;
        let known = names.targets(node);
        let node_name = names.morph_node_name(node);
        for (asked, weight) in targets.0 {
            let path = || member(&path(), &asked);
            let target = known.find(&asked).map_err(|error| PoseFileError::Name { path: path(), error })?;
            if !is_weight(weight) {
                let found = format!("{weight:e}");
                let expected = "a weight that fits into 32 bits".to_owned();
                return Err(PoseFileError::Value { path: path(), found, expected });
            }
            let edit = MorphEdit { node: node_name.clone(), target: known.name(target), weight };
            if !mix.edits.put_weight(node, target, edit) {
                return Err(PoseFileError::Twice { path: path(), what: "morph target" });
            }
        }
    }
    mix.edits.shares = shares(document.blend, &names)?;
    Ok(mix)
}

/// Checks the edit of a joint: it must set at least one part.
fn joint_edit(joint: json::Joint, path: String, name: String) -> Result<JointEdit, PoseFileError> {
    let json::Joint { rotation, translation, scale } = joint;
    if rotation.is_none() && translation.is_none() && scale.is_none() {
        let expected = "a rotation, a translation or a scale".to_owned();
        return Err(PoseFileError::Value { path, found: "none".to_owned(), expected });
    }
    let vector = |key: &str, vector: Option<[f64; 3]>| match vector.map(DVec3::from_array) {
        Some(vector) if !is_vector(vector) => Err(PoseFileError::Value {
            path: format!("{path}.{key}"),
            found: format!("{:e}, {:e}, {:e}", vector.x, vector.y, vector.z),
            expected: "numbers that fit into 32 bits".to_owned(),
        }),
        vector => Ok(vector),
    };
    let unit = |rotation: [f64; 4]| {
        let rotation = DQuat::from_array(rotation);
        unit_rotation(rotation).ok_or_else(|| PoseFileError::Value {
            path: format!("{path}.rotation"),
            found: format!("length {}", rotation.length()),
            expected: "a quaternion of length 1".to_owned(),
        })
    };
    Ok(JointEdit {
        name,
        rotation: rotation.map(unit).transpose()?,
        translation: vector("translation", translation)?,
        scale: vector("scale", scale)?,
    })
}

/// Checks the shares of the mode *blend*.
fn shares(given: json::Shares, names: &Names<'_>) -> Result<Shares, PoseFileError> {
    let checked = |path: String, share: f64| match is_share(share) {
        true => Ok(share),
        false => {
            let (found, expected) = (share.to_string(), "a share from 0 to 1".to_owned());
            Err(PoseFileError::Value { path, found, expected })
        }
    };
    let mut shares = Shares::of_model(names.model());
    if let Some(all) = given.all {
        shares.set_all(checked("blend.all".to_owned(), all)?);
    }
    for (asked, share) in given.joints.0 {
        let path = || member("blend.joints", &asked);
        let node = names.node(&asked).map_err(|error| PoseFileError::Name { path: path(), error })?;
        let share = checked(path(), share)?;
        if !shares.put(node, JointShare { name: names.node_name(node), share }) {
            return Err(PoseFileError::Twice { path: path(), what: "joint" });
        }
    }
    Ok(shares)
}

/// Resolves the clips under the edits.
fn clips(over: json::Over, names: &Names<'_>) -> Result<ClipMix, PoseFileError> {
    let json::Over { clips, blends, time } = over;
    for (what, count, least) in [("clips", clips.len(), 1), ("blends", blends.len(), 0)] {
        if !(least..=MAX_CLIPS).contains(&count) {
            let (path, found) = (format!("over.{what}"), count.to_string());
            let expected = match count {
                0 => "at least one clip, or no \"over\" at all for the rest pose".to_owned(),
                _ => format!("at most {MAX_CLIPS} {what}"),
            };
            return Err(PoseFileError::Value { path, found, expected });
        }
    }
    let find =
        |path: String, asked: &str| names.clip(asked).map_err(|error| PoseFileError::Name { path, error });
    let mut mix = ClipMix { time_secs: time, ..ClipMix::default() };
    for (number, asked) in clips.iter().enumerate() {
        mix.clips.push(find(format!("over.clips[{number}]"), asked)?);
    }
    for (number, json::Share { clip, weight }) in blends.iter().enumerate() {
        let path = |key| format!("over.blends[{number}].{key}");
        if !(0.0..=1.0).contains(weight) {
            let (found, expected) = (weight.to_string(), "a weight from 0 to 1".to_owned());
            return Err(PoseFileError::Value { path: path("weight"), found, expected });
        }
        mix.blends.push(Blend { clip: find(path("clip"), clip)?, weight: *weight });
    }
    Ok(mix)
}

/// Returns the path of a member; shortens its name to fit a line.
fn member(path: &str, name: &str) -> String {
    let start: String = name.chars().take(60).collect();
    format!("{path}.{start}{}", if start.len() < name.len() { "…" } else { "" })
}

fn at(path: &str) -> String {
    if path.is_empty() { String::new() } else { format!("{path}: ") }
}

#[cfg(test)]
mod tests;
