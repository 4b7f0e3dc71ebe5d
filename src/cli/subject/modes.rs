//! The modes and clips that a command measures.

use crate::model::Model;
use crate::skinning::SkinningMode;
use crate::skinning::distinct::Distinct;
use crate::skinning::pose::{Names, Shares};

/// The modes asked for, each once; without any, all that differ. `scales` tells if a joint scales in the measured poses.
pub fn modes(asked: &[SkinningMode], shares: &Shares, scales: impl FnOnce() -> bool) -> Distinct {
    let is_asked = |mode: &SkinningMode| asked.contains(mode);
    match asked {
        [] => Distinct::new(shares, scales()),
        _ => Distinct {
            modes: SkinningMode::ALL.into_iter().filter(is_asked).collect(),
            equal_to_dqs: Vec::new(),
        },
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
