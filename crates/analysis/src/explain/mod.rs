//! Explains the position of one vertex in a pose: the joints that move it, how far, in every mode, and the changes during
//! loading. It must not depend on Vulkan, command lines or files.
//!
//! Matrices are four columns each, as glTF stores them; quaternions are x y z w; lengths are metres. Numbers that are not
//! finite are `None`.

mod changes;
mod drawing;
mod explanation;
mod gather;
mod loading;
mod modes;
mod place;
mod screen;
mod stored;
pub mod text;

#[cfg(test)]
mod tests;

pub use changes::{Change, Loading, Stored, StoredSlot};
pub use drawing::{Drawing, JointPoint, ModePoint, drawing};
pub use explanation::{
    Distance, DualQuaternions, Explanation, Influence, Motion, Moved, Mover, Named, Place, Screen, Sign,
    Stored32,
};
pub use gather::explain;
pub use loading::add_stored;
pub use screen::Sight;
