//! What a command line names: model files, clips, poses, modes, and the arrangement of a picture. It must not know which command asks.

pub mod centers;
pub mod clips;
pub mod closeup;
pub mod file;
pub mod modes;
pub mod nearby;
pub mod open;
pub mod pose;
pub mod sequence;
pub mod stdin;
pub mod storyboard;
