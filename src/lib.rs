//! sinew shows, measures and proves how skinning modes deform characters.
//!
//! Crates and modules follow the data: a *file* becomes a [`model`], a clip and a time give a *pose*, pose and skin
//! give a *palette*, a mode *skins* the vertices with it ([`skinning`]), and [`render`] draws the result as a *picture*
//! for a PNG or a window.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::print_stderr, clippy::print_stdout))]

pub use sinew_analysis as analysis;
pub use sinew_analysis::export;
pub use sinew_conformance as conformance;
pub use sinew_fit as fit;
pub use sinew_golden as golden;
pub use sinew_image as image;
pub use sinew_model as model;
pub use sinew_render as render;
pub use sinew_scene::{
    camera, environment, framing, lighting, look, obstacles, overlay, picking, pose_file, scene, view,
};
pub use sinew_skinning as skinning;
pub use sinew_skinning::pairing;
pub use sinew_system::output;
pub use sinew_text::check;
#[cfg(feature = "window")]
pub use sinew_viewer as viewer;
pub use sinew_vulkan as vulkan;

use sinew_scene::joint_map;
use sinew_system::threads;
use sinew_text::{document, html, length, table, words, writing};

/// The command line. Part of the library so that the program is compiled once, not half of it twice; not an interface.
#[doc(hidden)]
pub mod cli;
