//! Lights of a file as plain data: a kind, a colour and a strength on a node, shining along the node's −z.
//! It must not know how anything is lit.

use std::sync::Arc;

/// A light on a node.
#[derive(Clone, Debug, PartialEq)]
pub struct Light {
    /// Name; empty where the file gives none.
    pub name: Arc<str>,
    /// Index into [`Rig`](super::Rig) of the node it hangs on.
    pub node: usize,
    /// How it shines.
    pub kind: LightKind,
    /// Linear colour, each from 0 to 1.
    pub color: [f32; 3],
    /// Lux for a directional light, candela for the others; at least 0.
    pub intensity: f32,
    /// Metres beyond which it does not reach; `None` is as far as it gets.
    pub range: Option<f32>,
}

/// How a light shines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LightKind {
    /// From infinitely far, everywhere in the node's direction.
    Directional,
    /// From the node in all directions.
    Point,
    /// From the node in a cone around its direction.
    Spot {
        /// Angle from the middle where it begins to fade, in radians.
        inner_cone_radians: f32,
        /// Angle from the middle where nothing is left, above the inner one and at most π/2.
        outer_cone_radians: f32,
    },
}
