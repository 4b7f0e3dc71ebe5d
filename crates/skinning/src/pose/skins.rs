//! The rule by which skins follow the nodes of a pose.

use super::choice::OnlyJoint;
use super::shares::Shares;
use crate::fault::Spoilt;

/// The rule by which skins follow the nodes.
#[derive(Clone, Debug, Default)]
pub struct Skins {
    /// The joints that move them.
    pub joints: Joints,
    /// Each joint's share of dual quaternion skinning in the mode *blend*.
    pub shares: Shares,
    /// The fault that [`Pose::set_with`](super::Pose::set_with) applied.
    pub(crate) spoilt: Option<Spoilt>,
}

/// The joints that move skins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Joints {
    /// Each its own vertices.
    #[default]
    Each,
    /// One node: as a joint of a skin, its matrix replaces those of all joints.
    Only(usize),
    /// None: all matrices are identities.
    Bind,
}

impl Joints {
    /// Makes the rule of a choice that may name one joint.
    pub(super) fn of(only: Option<&OnlyJoint>) -> Self {
        only.map_or(Self::Each, |joint| Self::Only(joint.node))
    }
}
