//! The images of a picture: what it is drawn into, how tiles and panes make up a whole, and the canvas of a window.
//! It must not know models or poses.

pub mod attachments;
pub mod backdrop;
pub mod canvas;
pub mod compose;
pub mod paint;
pub mod painting;
pub mod tile;
