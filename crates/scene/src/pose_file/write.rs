//! Writes an edited pose, one entry per line, each number in the fewest digits that read back to the same bits.

use std::io::{self, ErrorKind, Write};

use super::VERSION;
use sinew_model::Model;
use sinew_skinning::pose::{ClipMix, JointEdit, Names, Shares};
use sinew_system::output::{self, Output};
use sinew_text::writing::json_text;

/// Writes the pose to a file. [`super::load`] reads back an equal pose, except for the time of a pose without clips.
///
/// # Errors
/// If it cannot be written, or has clips that the model lacks.
pub fn save(output: &Output, mix: &ClipMix, model: &Model) -> io::Result<()> {
    output::write(output, |out| write(mix, model, out))
}

/// Writes the pose as the text of a file.
///
/// # Errors
/// As for [`save`].
pub fn write(mix: &ClipMix, model: &Model, out: &mut dyn Write) -> io::Result<()> {
    let names = Names::new(model);
    let over = over(mix, model, &names)?;
    write!(out, "{{\n  \"sinew-pose\": {VERSION}{over}")?;
    let mut first = true;
    for (_, edit) in mix.edits.joints() {
        write!(out, "{}", if first { ",\n  \"joints\": {\n    " } else { ",\n    " })?;
        write!(out, "{}: {}", text(&edit.name)?, joint(edit)?)?;
        first = false;
    }
    if !first {
        write!(out, "\n  }}")?;
    }
    let mut node_before = None;
    for (node, _, edit) in mix.edits.weights() {
        match node_before {
            Some(before) if before == node => write!(out, ", ")?,
            Some(_) => write!(out, "}},\n    {}: {{", text(&edit.node)?)?,
            None => write!(out, ",\n  \"morphs\": {{\n    {}: {{", text(&edit.node)?)?,
        }
        write!(out, "{}: {}", text(&edit.target)?, number(edit.weight)?)?;
        node_before = Some(node);
    }
    if node_before.is_some() {
        write!(out, "}}\n  }}")?;
    }
    write!(out, "{}", shares(&mix.edits.shares)?)?;
    writeln!(out, "\n}}")
}

fn joint(edit: &JointEdit) -> io::Result<String> {
    let JointEdit { name: _, rotation, translation, scale } = edit;
    let mut members = Vec::new();
    if let Some(rotation) = rotation {
        members.push(format!("\"rotation\": [{}]", list(&rotation.to_array())?));
    }
    for (key, vector) in [("translation", translation), ("scale", scale)] {
        if let Some(vector) = vector {
            members.push(format!("\"{key}\": [{}]", list(&vector.to_array())?));
        }
    }
    Ok(format!("{{{}}}", members.join(", ")))
}

/// Returns the shares of the mode *blend* as a member; an empty text if none is set.
fn shares(shares: &Shares) -> io::Result<String> {
    if !shares.are_set() {
        return Ok(String::new());
    }
    let mut joints = Vec::new();
    for (_, joint) in shares.joints() {
        joints.push(format!("{}: {}", text(&joint.name)?, number(joint.share)?));
    }
    let joints = match joints.is_empty() {
        true => String::new(),
        false => format!(", \"joints\": {{{}}}", joints.join(", ")),
    };
    Ok(format!(",\n  \"blend\": {{\"all\": {}{joints}}}", number(shares.all())?))
}

/// Returns the clips under the edits, as the document's second member.
fn over(mix: &ClipMix, model: &Model, names: &Names<'_>) -> io::Result<String> {
    let clip = |clip: usize| match clip < model.clips.len() {
        true => text(&names.clip_name(clip)),
        false => Err(unwritable(format!("the model has no clip {clip}"))),
    };
    let clips = mix.clips.iter().map(|number| clip(*number)).collect::<io::Result<Vec<_>>>()?.join(", ");
    let mut blends = Vec::new();
    for blend in &mix.blends {
        blends.push(format!("{{\"clip\": {}, \"weight\": {}}}", clip(blend.clip)?, number(blend.weight)?));
    }
    if mix.clips.is_empty() {
        return match blends.is_empty() {
            true => Ok(String::new()),
            false => Err(unwritable("there is no clip to blend over".to_owned())),
        };
    }
    let blends = match blends.is_empty() {
        true => String::new(),
        false => format!(", \"blends\": [{}]", blends.join(", ")),
    };
    Ok(format!(",\n  \"over\": {{\"clips\": [{clips}]{blends}, \"time\": {}}}", number(mix.time_secs)?))
}

fn unwritable(message: String) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, message)
}

fn list(numbers: &[f64]) -> io::Result<String> {
    Ok(numbers.iter().map(|value| number(*value)).collect::<io::Result<Vec<_>>>()?.join(", "))
}

fn number(value: f64) -> io::Result<String> {
    match value.is_finite() {
        true => Ok(json_text(&value)?),
        false => Err(unwritable(format!("JSON cannot hold the number {value}"))),
    }
}

fn text(text: &str) -> io::Result<String> {
    Ok(json_text(text)?)
}
