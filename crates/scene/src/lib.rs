//! Description of a picture: a scene of a model with pose, mode, camera, light and look, the views of its data, and
//! overlays. It must not depend on Vulkan, windows or command lines.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::print_stderr, clippy::print_stdout))]

pub mod camera;
pub mod environment;
pub mod framing;
pub mod joint_map;
pub mod lighting;
pub mod look;
pub mod obstacles;
pub mod overlay;
pub mod picking;
pub mod pose_file;
pub mod scene;
pub mod shared;
pub mod view;

/// Includes the README, so that its examples run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
