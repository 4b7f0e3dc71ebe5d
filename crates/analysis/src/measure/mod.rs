//! Measures the distance between skinning modes, or between two files: per frame, in `f64`, over every drawn vertex. This
//! module must not depend on Vulkan, command lines or the presentation of results.

mod batches;
mod carried;
mod distance;
mod files;
mod frames;
mod modes;
mod pairs;
mod place;
mod recomputed;
mod summary;

pub use batches::{Frame, Measured};
pub use carried::{MotionApart, motion_apart};
pub use distance::{Distance, distance};
pub use files::{Files, compare_files};
pub use frames::{FRAMES_PER_SECOND, Frames, MAX_FRAMES, NoFrames, Times, times, times_of};
pub use modes::{Plan, at, compare_modes, compare_prepared};
pub use place::{InFile, Place, heaviest, joint_name, joint_of, place};
pub use recomputed::{NormalAngles, normal_angles};
pub use summary::{Figures, NormalFigures, Summary, Worst};
