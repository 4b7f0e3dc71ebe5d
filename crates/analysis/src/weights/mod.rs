//! Faults in the weights of skinned meshes, scores of their quality, and the differences of two files. This module must not
//! depend on Vulkan, command lines or the presentation of results; only `text` formats them.

mod bend;
mod bones;
mod compare;
mod finding;
mod homes;
mod joints;
mod leak;
mod limits;
mod matching;
mod mend;
mod outlier;
mod random;
mod report;
mod rows;
mod sides;
mod skinned;
mod split;
mod stray;
mod surface;
#[cfg(test)]
mod tests;
pub mod text;
mod tiny;
mod volume;
mod walk;

pub use bend::{ModeVolume, VolumeKept};
pub use compare::{JointDifference, MatchedPrimitive, WeightDifference, compare};
pub use finding::{Finding, FoundJoint, Kind, Worst};
pub use joints::{JointTree, JointTrees, TreeJoint, joints};
pub use limits::{LIMITS, Limits, Parts};
pub use mend::{Mended, mend};
pub use random::{RandomPoses, random_poses};
pub use report::{Report, Scores, findings, report};
pub use sides::{Side, side_at};
