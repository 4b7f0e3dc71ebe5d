//! The rule by which skins follow the nodes of a pose.

use super::choice::OnlyJoint;
use super::shares::Shares;
use crate::fault::Spoilt;
use glam::DMat4;
use sinew_model::{LocalTransform, Rig};

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
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Joints {
    /// Each its own vertices.
    #[default]
    Each,
    /// One node: as a joint of a skin, its matrix replaces those of all joints. A transform stands in for its world matrix, if it
    /// goes only a part of the way up the tree.
    Only(usize, Option<DMat4>),
    /// None: all matrices are identities.
    Bind,
}

impl Joints {
    /// Makes the rule of a choice that may name one joint, in a pose of a rig.
    pub(super) fn of(only: Option<&OnlyJoint>, rig: &Rig, locals: &[LocalTransform]) -> Self {
        let way = |joint: &OnlyJoint| {
            let (mut way, mut above) = (DMat4::IDENTITY, Some(joint.node));
            for _ in 0..joint.steps? {
                let Some((node, local)) = above.and_then(|node| Some((node, locals.get(node)?))) else {
                    break;
                };
                way = local.parent_from_node() * way;
                above = rig.parents.get(node).copied().flatten().map(|parent| parent as usize);
            }
            Some(way)
        };
        only.map_or(Self::Each, |joint| Self::Only(joint.node, way(joint)))
    }
}
