//! The modes and clips that a command measures.

use crate::model::Model;
use crate::skinning::SkinningMode;
use crate::skinning::pose::{Names, Shares};

/// The modes asked for, each once; without any, all that differ.
pub fn modes(asked: &[SkinningMode], shares: &Shares) -> Vec<SkinningMode> {
    match asked {
        [] => shares.modes().collect(),
        asked => SkinningMode::ALL.into_iter().filter(|mode| asked.contains(mode)).collect(),
    }
}

/// The clips asked for by name or number, each once and in the file's order; without any, all.
pub fn clips(asked: &[String], model: &Model) -> Result<Vec<usize>, String> {
    if asked.is_empty() {
        return Ok((0..model.clips.len()).collect());
    }
    let names = Names::new(model);
    let found = asked.iter().map(|name| names.clip(name).map_err(|error| error.to_string()));
    let mut clips = found.collect::<Result<Vec<usize>, String>>()?;
    clips.sort_unstable();
    clips.dedup();
    Ok(clips)
}
