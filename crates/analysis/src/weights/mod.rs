//! What is wrong with the weights of skinned meshes, how good they are in numbers, and how those of two files differ.
//! It must not know Vulkan, command lines or how results are printed; only `text` makes lines of them.

mod bend;
mod bones;
mod compare;
mod finding;
mod generator;
mod homes;
mod joints;
mod leak;
mod limits;
mod matching;
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
pub use random::{RandomPoses, random_poses};
pub use report::{Report, Scores, findings, report};
pub use sides::{Side, side_at};
