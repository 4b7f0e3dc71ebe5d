//! Which pose is asked for, as plain data: none, the file's own, or clips at a time, how they are put together
//! and what hands have changed. It must not know how clips are sampled.

use super::Edits;

/// Which pose is asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum PoseChoice {
    /// Neither skinned nor morphed: the mesh exactly as stored.
    Bind,
    /// The file's own node transforms.
    Rest,
    /// The file's own, but for the joints of skins: all stand at the origin, so that inverse bind matrices
    /// alone move the mesh.
    SkinSpace,
    /// Clips of the file at a time, or none of them, with edits.
    Clips(ClipMix),
}

/// Clips that move a rig together, all at the same time. First each of [`ClipMix::clips`] sets what it
/// moves, then each of [`ClipMix::blends`] draws everything towards itself, and at last [`ClipMix::edits`] hold
/// whatever is there. Without clips they are laid over the file's own transforms.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClipMix {
    /// Numbers of clips in the file; a later one overrides what earlier ones set.
    pub clips: Vec<usize>,
    /// Clips that are blended over what comes before, in this order.
    pub blends: Vec<Blend>,
    /// Seconds from the start of the clips.
    pub time_secs: f64,
    /// What hands have changed.
    pub edits: Edits,
}

/// A clip's share. What only one side moves is blended with how the file stores it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blend {
    /// Number of the clip in the file.
    pub clip: usize,
    /// How much of the clip there is, from 0 to 1, where the rest is everything before it.
    pub weight: f64,
}

impl PoseChoice {
    /// One clip at a time.
    pub fn clip(clip: usize, time_secs: f64) -> Self {
        Self::Clips(ClipMix { clips: vec![clip], time_secs, ..ClipMix::default() })
    }

    /// Whether both show the same motion, if at other times.
    pub fn is_same_motion(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Clips(a), Self::Clips(b)) => {
                a.clips == b.clips && a.blends == b.blends && a.edits == b.edits
            }
            _ => self == other,
        }
    }
}

impl ClipMix {
    /// Every clip that has a say.
    pub fn all(&self) -> impl Iterator<Item = usize> {
        self.clips.iter().copied().chain(self.blends.iter().map(|blend| blend.clip))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn motions_are_the_same_at_all_times() {
        let (early, late) = (PoseChoice::clip(1, 0.0), PoseChoice::clip(1, 2.0));
        assert!(early.is_same_motion(&late) && early != late);
        assert!(!early.is_same_motion(&PoseChoice::clip(0, 0.0)));
        assert!(!early.is_same_motion(&PoseChoice::Rest));
        assert!(PoseChoice::Rest.is_same_motion(&PoseChoice::Rest));
        assert!(!PoseChoice::Rest.is_same_motion(&PoseChoice::Bind));
        let mix = |weight| ClipMix {
            clips: vec![1],
            blends: vec![Blend { clip: 0, weight }],
            ..ClipMix::default()
        };
        assert!(!PoseChoice::Clips(mix(0.5)).is_same_motion(&early));
        assert!(!PoseChoice::Clips(mix(0.5)).is_same_motion(&PoseChoice::Clips(mix(0.25))));
        assert_eq!(mix(0.5).all().collect::<Vec<_>>(), [1, 0]);
    }
}
