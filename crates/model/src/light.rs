//! The lights of a file: a kind, a colour and an intensity on a node, shining along the node's −z.

use std::sync::Arc;

/// A light on a node.
#[derive(Clone, Debug, PartialEq)]
pub struct Light {
    /// Name; empty if the file gives none.
    pub name: Arc<str>,
    /// Index of its node in [`Rig`](super::Rig).
    pub node: usize,
    /// The kind of light.
    pub kind: LightKind,
    /// Linear colour, each channel from 0 to 1.
    pub color: [f32; 3],
    /// Lux for a directional light, candela for others; at least 0.
    pub intensity: f32,
    /// Range in metres; `None` is unlimited.
    pub range: Option<f32>,
}

/// The kind of a light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LightKind {
    /// From infinitely far, everywhere in the node's direction.
    Directional,
    /// From the node in all directions.
    Point,
    /// From the node in a cone around its direction.
    Spot {
        /// Angle from the axis at which the light starts to fade, in radians.
        inner_cone_radians: f32,
        /// Angle from the axis at which it ends, in radians; above the inner angle, at most π/2.
        outer_cone_radians: f32,
    },
}
