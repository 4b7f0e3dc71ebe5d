//! What is wrong with spans that were given to the fast path. It must not know how they are used.

use super::Level;

/// Spans that do not fit together, or instructions that are not there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A span is not as long as there are vertices.
    #[error("{given} {span} for {expected} vertices")]
    Length {
        /// What the span holds.
        span: &'static str,
        /// How long it is.
        given: usize,
        /// How many vertices there are.
        expected: usize,
    },
    /// Something is to be written that the source does not have.
    #[error("the source has no {span} (tangents also need normals)")]
    Missing {
        /// What is asked for.
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
    /// More vertices than can be numbered.
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
