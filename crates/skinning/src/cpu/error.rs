//! The errors of the fast path: spans that do not fit together, and instructions that the processor lacks.

use super::Level;

/// Spans that do not fit together, or instructions that the processor lacks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A span has a different length from the number of vertices.
    #[error("{given} {span} for {expected} vertices")]
    Length {
        /// The contents of the span.
        span: &'static str,
        /// The span's length.
        given: usize,
        /// The number of vertices.
        expected: usize,
    },
    /// A requested result has no input in the source.
    #[error("the source has no {span} (tangents also need normals)")]
    Missing {
        /// The requested span.
        span: &'static str,
    },
    /// A vertex has at most sixteen influences.
    #[error("expected as many spans of joints as of weights, at most 4, found {joints} and {weights}")]
    Spans {
        /// The number of spans of joints.
        joints: usize,
        /// The number of spans of weights.
        weights: usize,
    },
    /// The number of vertices exceeds the index range.
    #[error("{vertices} vertices are too many for 32-bit indices")]
    TooMany {
        /// The number of vertices.
        vertices: usize,
    },
    /// The palette lacks slots of joints that move vertices.
    #[error("the palette has {given} slots, but the joints need {needed}")]
    Palette {
        /// The number of slots in the palette.
        given: usize,
        /// One more than the largest joint.
        needed: usize,
    },
    /// This processor lacks the instructions.
    #[error("this processor does not have {0}")]
    Level(Level),
}
