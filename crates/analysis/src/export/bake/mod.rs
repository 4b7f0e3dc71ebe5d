//! Bakes a motion as one mode skins it, for programs that know linear blending alone or no joints at all: every frame's
//! vertices, as morph targets of one model or as a point cache. It must not know command lines or where files go: it
//! skins frames in their order and writes to what it is given.

mod cache;
mod frames;
mod targets;

pub use cache::Cache;
pub use frames::{Frames, MAX_FRAMES, NoFrames, times};
pub use targets::{MAX_BYTES, Targets, TooLarge};
