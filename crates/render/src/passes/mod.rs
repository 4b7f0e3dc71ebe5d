//! The passes of a picture: morph, shadows, mesh, ground, overlay and encode; and `skin`, which writes vertices
//! instead. Each creates its pipelines and records its commands; none may depend on the images that it draws into, or
//! on which comes next.

mod chunk_layout;
pub mod encode;
pub mod ground;
pub mod mesh;
pub mod morph;
pub mod over_pipelines;
pub mod overlay;
pub mod skin;
pub mod surroundings;
