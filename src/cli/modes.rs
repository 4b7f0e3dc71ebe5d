//! Which modes a command measures.

use crate::skinning::SkinningMode;
use crate::skinning::pose::Shares;

/// The modes asked for, each once; without any, all that differ.
pub fn modes(asked: &[SkinningMode], shares: &Shares) -> Vec<SkinningMode> {
    match asked {
        [] => shares.modes().collect(),
        asked => SkinningMode::ALL.into_iter().filter(|mode| asked.contains(mode)).collect(),
    }
}
