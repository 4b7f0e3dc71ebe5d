//! Measures how far skinning modes, or two files, are apart: per frame, in `f64`, over every vertex that is drawn.
//! It must not know Vulkan, command lines or how results are printed.

mod distance;
mod frames;
mod modes;
mod place;
mod summary;

pub use distance::{Distance, distance};
pub use frames::{FRAMES_PER_SECOND, Frames, MOST_FRAMES, NoFrames, Times, times};
pub use modes::{Frame, Measured, Plan, compare_modes};
pub use place::{Place, joint_name, joint_of, place};
pub use summary::{Figures, Summary, Worst};
