//! The hierarchy of a BVH file.

use glam::DVec3;

use super::words::Words;
use crate::reading::LoadError;
use crate::reading::message::one_line;

/// The maximum depth of a joint.
const MAX_DEPTH: usize = 1024;

/// A joint, or the end of a chain.
pub struct Joint {
    /// Its name.
    pub name: String,
    /// Index of the joint above.
    pub parent: Option<usize>,
    /// Its position in the joint above, at rest.
    pub offset: DVec3,
    /// Its numbers in each frame, in their order.
    pub channels: Vec<Axis>,
}

/// A number of a frame: along or about an axis, 0 to 2.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// A position.
    Place(usize),
    /// An angle in degrees.
    Turn(usize),
}

impl Joint {
    /// Returns true if frames set its position.
    pub fn moves(&self) -> bool {
        self.channels.iter().any(|axis| matches!(axis, Axis::Place(_)))
    }

    /// Returns true if frames set its rotation.
    pub fn turns(&self) -> bool {
        self.channels.iter().any(|axis| matches!(axis, Axis::Turn(_)))
    }
}

/// Reads all joints, each after the one above.
///
/// # Errors
/// With the first fault.
pub fn read(words: &mut Words<'_>) -> Result<Vec<Joint>, LoadError> {
    words.expect("HIERARCHY")?;
    let mut joints: Vec<Joint> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    loop {
        let parent = open.last().copied();
        let word = words.next().unwrap_or_default();
        let name = match word.to_ascii_uppercase().as_str() {
            // Files may have several skeletons.
            "ROOT" if parent.is_none() => words.line().to_owned(),
            "JOINT" if parent.is_some() => words.line().to_owned(),
            "END" if parent.is_some() => {
                words.expect("Site")?;
                let above = parent.and_then(|parent| joints.get(parent));
                format!("{} end", above.map_or("", |joint| &joint.name))
            }
            "}" if open.pop().is_some() => {
                if open.is_empty() && !words.is_next("ROOT") {
                    return Ok(joints);
                }
                continue;
            }
            _ => {
                let expected = if parent.is_some() { "JOINT, End Site or '}'" } else { "ROOT" };
                return Err(words.fault(&format!("expected {expected} instead of '{}'", one_line(word))));
            }
        };
        words.expect("{")?;
        if open.len() >= MAX_DEPTH {
            return Err(words.fault(&format!("joints may be {MAX_DEPTH} deep")));
        }
        words.expect("OFFSET")?;
        let mut offset = DVec3::ZERO;
        for slot in offset.as_mut() {
            *slot = words.number("an offset")?;
        }
        let channels = channels(words)?;
        open.push(joints.len());
        joints.push(Joint { name: one_line(&name), parent, offset, channels });
    }
}

/// The channels of a joint; the end of a chain has none.
fn channels(words: &mut Words<'_>) -> Result<Vec<Axis>, LoadError> {
    if !words.is_next("CHANNELS") {
        return Ok(Vec::new());
    }
    words.expect("CHANNELS")?;
    let count = words.count("the number of channels")?;
    let mut channels = Vec::new();
    for _ in 0..count {
        let word = words.next().unwrap_or_default().to_ascii_lowercase();
        let axis = word.bytes().next().and_then(|letter| b"xyz".iter().position(|axis| *axis == letter));
        let channel = match (axis, word.get(1..)) {
            (Some(axis), Some("position")) => Axis::Place(axis),
            (Some(axis), Some("rotation")) => Axis::Turn(axis),
            _ => {
                let message =
                    format!("expected a channel such as Xrotation instead of '{}'", one_line(&word));
                return Err(words.fault(&message));
            }
        };
        if channels.contains(&channel) {
            return Err(words.fault(&format!("the channel {} is there twice", one_line(&word))));
        }
        channels.push(channel);
    }
    Ok(channels)
}
