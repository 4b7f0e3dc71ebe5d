//! The images of a picture: its attachments, the composition of tiles and panes, and the canvas of a window. It must
//! not know models or poses.

pub mod attachments;
pub mod backdrop;
pub mod canvas;
pub mod compose;
pub mod paint;
pub mod painting;
pub mod tile;
