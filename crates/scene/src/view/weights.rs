//! Inputs of weight views: the influences of a vertex, and the scales of their colours.

use sinew_image::{glow, heat};
use sinew_model::{Primitive, Skin};

/// The number of influences up to which colours differ.
pub const MAX_INFLUENCES: usize = 8;

/// The linear colour of a vertex without weights, in views of one number per vertex. It is darker than any number on
/// softly lit surfaces.
pub const NO_WEIGHTS: [f64; 3] = [0.02; 3];

/// The smallest visible error of a weight sum, as a power of ten.
pub const LEAST_OFF: f32 = -6.0;

/// Returns the scale of numbers from 0 to 1. It begins at a dark violet on softly lit surfaces, and at black on flat
/// ones.
pub fn scale(flat: bool) -> fn(f32) -> [u8; 3] {
    if flat { heat } else { glow }
}

/// Returns the error of a weight sum, from −1 for 0 to 1 for 2 and more, with equal steps per power of ten.
pub fn imbalance(sum: f32) -> f32 {
    let off = sum - 1.0;
    let step = 1.0 - off.abs().log10() / LEAST_OFF;
    if off < 0.0 { -step.clamp(0.0, 1.0) } else { step.clamp(0.0, 1.0) }
}

/// Returns the joints and weights of a vertex.
pub fn influences<'a>(
    primitive: &'a Primitive,
    skin: Option<&'a Skin>,
    vertex: usize,
) -> impl Iterator<Item = (usize, f32)> + 'a {
    let spans = primitive.influences.as_ref().filter(|_| skin.is_some()).map(|influences| &influences.spans);
    spans.into_iter().flatten().flat_map(move |span| {
        let joints = span.joints.get(vertex).copied().unwrap_or([-1; 4]);
        let weights = span.weights.get(vertex).copied().unwrap_or_default();
        joints.into_iter().zip(weights).filter_map(|(joint, weight)| {
            let joint = usize::try_from(joint).ok()?;
            (weight > 0.0).then_some((joint, weight))
        })
    })
}
