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
        /// How long it is.
        given: usize,
        /// How many vertices there are.
        expected: usize,
    },
    /// The caller asks for a result that the source has no input for.
    #[error("the source has no {span} (tangents also need normals)")]
    Missing {
        /// The span asked for.
        span: &'static str,
    },
    /// A vertex has at most sixteen influences.
    #[error("expected as many spans of joints as of weights, at most 4, found {joints} and {weights}")]
    Spans {
        /// How many spans of joints.
        joints: usize,
        /// How many spans of weights.
        weights: usize,
    },
    /// More vertices than a number can count.
    #[error("{vertices} vertices are too many for 32-bit indices")]
    TooMany {
        /// How many there are.
        vertices: usize,
    },
    /// The palette lacks slots of joints that move vertices.
    #[error("the palette has {given} slots, but the joints need {needed}")]
    Palette {
        /// How many slots it has.
        given: usize,
        /// One more than the largest joint.
        needed: usize,
    },
    /// This processor lacks the instructions.
    #[error("this processor does not have {0}")]
    Level(Level),
}
