//! Measures how far skinning modes, or two files, are apart: per frame, in `f64`, over every vertex that is drawn.
//! It must not know Vulkan, command lines or how results are printed.

mod batches;
mod carried;
mod distance;
mod files;
mod frames;
mod modes;
mod place;
mod summary;

pub use batches::{Frame, Measured};
pub use carried::{MotionApart, motion_apart};
pub use distance::{Distance, distance};
pub use files::{Files, compare_files};
pub use frames::{FRAMES_PER_SECOND, Frames, MAX_FRAMES, NoFrames, Times, times, times_of};
pub use modes::{Plan, at, compare_modes};
pub use place::{Place, heaviest, joint_name, joint_of, place};
pub use summary::{Figures, Summary, Worst};
