//! The pass that draws meshes: a call sets pipeline, palette and surface of a draw, and the pass records it. It must
//! not know which images it draws into, or where the pose comes from.

pub mod call;
pub mod mesh_pass;
pub mod pipelines;
mod sides;
pub(crate) mod stamps;
