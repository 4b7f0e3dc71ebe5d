//! Bakes a motion as one mode skins it, for programs without that mode or without joints: every frame's vertices, as morph
//! targets of one model or as a point cache. This module must not depend on command lines or the destination of files.
//! It skins frames in their order and writes to the given stream.

mod cache;
mod frames;
mod targets;

pub use cache::Cache;
pub use frames::{Frames, MAX_FRAMES, NoFrames, times};
pub use targets::{MAX_BYTES, Targets, TooLarge};
