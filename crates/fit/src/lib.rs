//! Helper joints: a few more joints and new weights, so that linear-blend skinning follows the deformation of another mode. It
//! must not know files, Vulkan or command lines.
//!
//! A [`Problem`] has points, the motion of the joints that are there, and wanted places, pose by pose. [`fit()`] solves it by
//! turns, as Le and Deng do (*Smooth Skinning Decomposition with Rigid Bones*, 2012): weights for given transforms, and
//! transforms for given weights. [`fit_model`] makes the problem from a model's clips, and a model from the answer.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::print_stderr, clippy::print_stdout))]

mod apply;
mod drive;
mod errors;
mod fit;
mod fitted;
mod helpers;
mod problem;
mod quadratic;
mod range;
mod sample;
mod seed;
mod sums;
mod target;
#[cfg(test)]
mod tests;
mod transforms;
mod weights;
mod whole;

pub use drive::{Driver, TERMS, drive};
pub use errors::{Errors, JointErrors};
pub use fit::{Goal, MAX_HELPERS, fit};
pub use fitted::{FitError, Fitted, fit_model};
pub use problem::{Fit, Point, Problem};
pub use range::{clip_of_poses, range_of_motion};
pub use target::{Frames, Target, Wanted};
pub use whole::{move_root, one_joint};

/// The README is tested with the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
