//! The program's part of the window: files, thumbnails, settings and unsaved poses. This module must not depend on how a
//! window is drawn.

pub mod errand;
pub mod free_names;
pub mod listing;
pub mod lost;
pub mod panel;
pub mod state;
pub mod thumbnails;
pub mod viewer;
pub mod watch;
mod weights;
