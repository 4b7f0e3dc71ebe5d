//! The choice of a pose, as plain data: none, the file's own, or a mix of clips at a time with edits.

use super::edits::Edits;
use super::names::Names;
use super::shares::Shares;
use sinew_model::Model;

/// The pose to show.
#[derive(Clone, Debug, PartialEq)]
pub enum PoseChoice {
    /// Neither skinned nor morphed: the mesh exactly as stored.
    Bind,
    /// The file's own node transforms.
    Rest,
    /// The file's own transforms, with all joints of skins at the origin, so that inverse bind matrices alone move the mesh;
    /// with a joint, only that joint's inverse bind matrix.
    SkinSpace(Option<OnlyJoint>),
    /// Clips of the file at a time, or no clips, with edits.
    Clips(ClipMix),
}

/// Clips that move a rig together, all at the same time. First each of [`ClipMix::clips`] sets its channels, then each of
/// [`ClipMix::blends`] blends everything towards its clip, and last [`ClipMix::edits`] override the result. Without clips,
/// blends and edits apply to the file's own transforms.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClipMix {
    /// Indices of clips in the file; a later one overrides earlier ones.
    pub clips: Vec<usize>,
    /// Clips blended over everything before them, in this order.
    pub blends: Vec<Blend>,
    /// Seconds from the start of the clips.
    pub time_secs: f64,
    /// Rotations and morph weights that the user has set.
    pub edits: Edits,
    /// The joint that moves all vertices of its skin, as if it had all the weight.
    pub only_joint: Option<OnlyJoint>,
}

/// A joint whose matrix replaces those of all joints of its skin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnlyJoint {
    /// Its node in the rig.
    pub node: usize,
    /// Its name, as flags accept it.
    pub name: String,
    /// Number of transforms that follow the inverse bind matrix: 0 for skin space, 1 for the joint's in its parent, 2 for its
    /// parent's, too; `None` for all of them.
    pub steps: Option<usize>,
}

/// A clip's weight in a mix. For a node that only one side moves, the other side gives the file's values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blend {
    /// The index of the clip in the file.
    pub clip: usize,
    /// The clip's weight from 0 to 1; everything before it has the rest.
    pub weight: f64,
}

impl OnlyJoint {
    /// Returns the joint of the same name in another model; `None` if no skin there has it.
    pub fn carried_to(&self, model: &Model) -> Option<Self> {
        Names::new(model).joint(&self.name).ok().map(|node| Self { node, ..self.clone() })
    }
}

impl PoseChoice {
    /// Makes the choice of one clip at a time.
    pub fn clip(clip: usize, time_secs: f64) -> Self {
        Self::Clips(ClipMix { clips: vec![clip], time_secs, ..ClipMix::default() })
    }

    /// Returns the time of its clips; 0 without clips.
    pub fn time_secs(&self) -> f64 {
        match self {
            Self::Clips(mix) => mix.time_secs,
            Self::Bind | Self::Rest | Self::SkinSpace(_) => 0.0,
        }
    }

    /// Returns the shares of dual quaternion skinning that it sets for *blend*.
    pub fn shares(&self) -> Shares {
        match self {
            Self::Clips(mix) => mix.edits.shares.clone(),
            Self::Bind | Self::Rest | Self::SkinSpace(_) => Shares::default(),
        }
    }

    /// Returns true if both show the same motion, perhaps at different times.
    pub fn is_same_motion(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Clips(a), Self::Clips(b)) => {
                a.clips == b.clips
                    && a.blends == b.blends
                    && a.edits == b.edits
                    && a.only_joint == b.only_joint
            }
            _ => self == other,
        }
    }
}

impl ClipMix {
    /// Returns every clip in use.
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
