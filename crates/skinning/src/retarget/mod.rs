//! Clips of one rig on another: the corresponding joints, and the conversion of a clip's keys. This module must not
//! depend on file formats, meshes or skinning modes; of a model it takes rig, clips and the skins' lists of joints.

mod axes;
mod clip;
mod find;
mod guess;
mod humanoid;
mod keys;
mod matching;
mod names;
mod resample;
mod rest;
mod tree;

#[cfg(test)]
mod tests;

pub use clip::{Borrowed, Carried, Dropped};
pub use matching::{Match, Pair};
pub use names::{By, JointMap, MapError, Stray};
