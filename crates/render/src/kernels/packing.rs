//! Narrow joints and weights, for kernels whose time is memory traffic: joints of one byte where they fit, and for kernels
//! that need only keep the bounds, weights of 16 bits.

use crate::interface::streams::Stream;
use sinew_model::{Influences, Span};
use sinew_skinning::cpu::Exactness;

/// The largest weight of 16 bits, which stands for 1.
const WHOLE: f32 = u16::MAX as f32;

/// The byte for "no joint".
const NO_JOINT: u8 = u8::MAX;

/// The widths of joints and weights in a source buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Packing {
    /// True for joints of one byte, false for those of two.
    pub byte_joints: bool,
    /// True for weights of two bytes, false for floats.
    pub short_weights: bool,
}

impl Packing {
    /// Returns the narrowest packing for a palette of this many slots.
    pub(super) fn new(slots: u32, exactness: Exactness) -> Self {
        Self { byte_joints: slots <= u32::from(NO_JOINT), short_weights: exactness == Exactness::Bounds }
    }

    /// Returns the size of a stream's element in bytes.
    pub(super) fn size(self, stream: Stream) -> u64 {
        let size = u64::from(stream.size());
        let of = |place: usize| Stream::SKINNING.iter().any(|pair| pair[place] == stream);
        match (of(0) && self.byte_joints, of(1) && self.short_weights) {
            (false, false) => size,
            _ => size / 2,
        }
    }
}

/// Returns a vertex's joints as bytes. The palette has each of them, or the joint is negative.
pub(super) fn bytes(joints: [i16; 4]) -> [u8; 4] {
    joints.map(|joint| u8::try_from(joint).unwrap_or(NO_JOINT))
}

/// Returns weights as 16 bits.
pub(super) fn shorts(weights: &[f32; 4]) -> [u16; 4] {
    // The cast saturates.
    weights.map(|weight| (weight * WHOLE).round() as u16)
}

/// Returns influences whose weights are multiples of the smallest weight of 16 bits. The heaviest of a vertex takes up the
/// difference, so that their sum is rounded only once.
pub(super) fn rounded(influences: &Influences) -> Influences {
    let count = influences.spans.iter().map(|span| span.weights.len()).max().unwrap_or(0);
    let mut rounded = influences.clone();
    for vertex in 0..count {
        let given = || influences.spans.iter().filter_map(|span| span.weights.get(vertex));
        let all: i32 = given().flat_map(shorts).map(i32::from).sum();
        let sum = (given().flatten().sum::<f32>() * WHOLE).round() as i32;
        let mut spare = sum - all;
        for Span { weights, .. } in &mut rounded.spans {
            let Some(weights) = weights.get_mut(vertex) else { continue };
            let [first, others @ ..] = shorts(weights).map(i32::from);
            // The heaviest comes first.
            let first = (first + std::mem::take(&mut spare)).max(0);
            let [second, third, fourth] = others;
            *weights = [first, second, third, fourth].map(|weight| weight as f32 / WHOLE);
        }
    }
    rounded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_weights_keep_their_sum_and_are_near() {
        let spans = |weights: [[f32; 4]; 2]| Influences {
            spans: weights.map(|weights| Span { joints: vec![[0; 4]], weights: vec![weights] }).to_vec(),
        };
        for weights in [
            [[1.0, 0.0, 0.0, 0.0], [0.0; 4]],
            [[0.5, 0.25, 0.125, 0.125], [0.0; 4]],
            [[0.3, 0.2, 0.1, 0.1], [0.1, 0.1, 0.05, 0.05]],
            [[0.125; 4]; 2],
            [[0.0; 4]; 2],
        ] {
            let given = spans(weights);
            let rounded = rounded(&given);
            let shorts: Vec<u16> = rounded.spans.iter().flat_map(|span| shorts(&span.weights[0])).collect();
            let sum: u32 = shorts.iter().map(|weight| u32::from(*weight)).sum();
            assert_eq!(sum, if weights == [[0.0; 4]; 2] { 0 } else { 65_535 }, "{weights:?}");
            let pairs = rounded.spans.iter().flat_map(|span| span.weights[0]).zip(weights.as_flattened());
            let farthest = pairs.map(|(near, weight)| (near - weight).abs()).fold(0.0, f32::max);
            assert!(farthest <= 4.5 / WHOLE, "{weights:?}: {farthest}");
            let again = super::rounded(&rounded);
            assert_eq!(again.spans[0].weights, rounded.spans[0].weights, "rounding once is enough");
        }
    }

    #[test]
    fn joints_take_a_byte_if_one_byte_is_left_for_no_joint() {
        let size = |slots, exactness| {
            let packing = Packing::new(slots, exactness);
            [Stream::Joints1, Stream::Weights2, Stream::Position].map(|stream| packing.size(stream))
        };
        assert_eq!(size(255, Exactness::Twin), [4, 16, 12]);
        assert_eq!(size(256, Exactness::Twin), [8, 16, 12]);
        assert_eq!(size(1, Exactness::Bounds), [4, 8, 12]);
        assert_eq!(bytes([0, 254, -1, 7]), [0, 254, 255, 7]);
    }
}
