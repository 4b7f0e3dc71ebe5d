//! The cameras of a file: projections on nodes, looking along the node's −z with +y up.

use std::sync::Arc;

/// A camera on a node.
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    /// Name; empty if the file gives none.
    pub name: Arc<str>,
    /// Index in the file.
    pub file_index: usize,
    /// Index of its node in [`Rig`](super::Rig).
    pub node: usize,
    /// The projection of the scene onto the picture.
    pub projection: Projection,
}

/// A projection with valid numbers: finite, above zero (an orthographic near plane may be 0), and far beyond near.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Projection {
    /// Perspective: distant things look smaller.
    Perspective {
        /// Vertical field of view in radians, below π.
        yfov_radians: f64,
        /// Aspect ratio, width by height; `None` uses the picture's.
        aspect: Option<f64>,
        /// Distance of the near plane, in metres.
        near: f64,
        /// Distance of the far plane; `None` means infinity.
        far: Option<f64>,
    },
    /// Orthographic: everything keeps its size.
    Orthographic {
        /// Half of the visible width, in metres.
        half_width: f64,
        /// Half of the visible height, in metres.
        half_height: f64,
        /// Distance of the near plane.
        near: f64,
        /// Distance of the far plane.
        far: f64,
    },
}
