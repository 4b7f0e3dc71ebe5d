//! What the window leaves to the program: files, thumbnails, settings and unsaved poses. It must not know how a window is drawn.

pub mod errand;
pub mod free_names;
pub mod habits;
pub mod listing;
pub mod lost;
pub mod panel;
pub mod recent;
pub mod thumbnails;
pub mod viewer;
pub mod watch;
