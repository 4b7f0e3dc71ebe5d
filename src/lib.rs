//! sinew shows, measures and proves how skinning modes deform characters.
//!
//! The modules follow the data: a *file* becomes a [`model`], a clip and a time give a *pose*,
//! pose and skin give a *palette*, a mode *skins* the vertices with it, and the result is drawn
//! to an *image* that goes to a PNG or a window.

pub mod model;
pub mod pose;
pub mod skinning;

pub mod camera;
pub mod framing;
pub mod lighting;
pub mod look;
pub mod overlay;
pub mod picking;
pub mod scene;
pub mod view;

pub mod vulkan;

pub mod render;
pub mod viewer;

pub mod analysis;
pub mod decoding;
pub mod export;
pub mod golden;
pub mod image;
pub mod output;
pub mod srgb;
