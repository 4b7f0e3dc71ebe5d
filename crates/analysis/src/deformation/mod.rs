//! The effect of a skinning mode on the shape of a mesh: volume, stretch, turned triangles, cross-sections at joints and
//! jumps, of each frame against the bind pose. This module must not depend on Vulkan, command lines or the presentation
//! of results.
//!
//! [`Shape`] is prepared once per model. [`measure`] then takes the skinned vertices of one mode at one time:
//!
//! - Vertices of an instance are *welded* if single precision cannot distinguish their bind positions at the instance's
//!   largest coordinate. They count as one point, even in different primitives. The first of them gives the point's
//!   position in a pose.
//! - Triangles with two corners at one point, or with a corner that is not finite, are left out; so are lines and points.
//! - The bind pose is the mesh as stored, in the units and axes in which its skin draws it at rest, if the skin's joints
//!   agree on these ([`world_from_bound`](sinew_skinning::world_from_bound)). Unskinned parts stand at their node's rest
//!   transform.

mod bones;
mod facets;
mod followers;
pub mod frame;
mod jump;
mod limits;
mod loops;
mod loss;
mod measure;
mod parts;
mod plane;
mod points;
mod sections;
mod shape;
mod stretch;

#[cfg(test)]
pub(crate) mod tests;

pub use frame::{Extremes, Frame, Jump, Place, Stretch, Turned};
pub use limits::{MAX_MEASURED, TooLarge};
pub use measure::{Moment, OfMode, Scratch, measure, measure_mode};
pub use parts::Part;
pub use sections::Section;
pub use shape::{Counts, Shape};
