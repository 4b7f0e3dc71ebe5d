//! The subjects of a command line: model files, clips, poses, modes, and the arrangement of a picture. This module must not
//! depend on any command.

pub mod clips;
pub mod closeup;
mod ddm;
mod entry;
pub mod file;
pub mod modes;
pub mod names;
pub mod nearby;
pub mod needs;
pub mod open;
pub mod pose;
pub mod second;
pub mod sequence;
pub mod stdin;
pub mod storyboard;
