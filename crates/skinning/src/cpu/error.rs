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
    #[error("{span} are asked for, but the source has none (tangents need normals as well)")]
    Missing {
        /// What is asked for.
        span: &'static str,
    },
    /// A vertex has at most sixteen influences.
    #[error("{joints} spans of joints and {weights} of weights: there must be as many of both, at most 4")]
    Spans {
        /// How many spans of joints.
        joints: usize,
        /// How many spans of weights.
        weights: usize,
    },
    /// More vertices than can be numbered.
    #[error("{vertices} vertices are more than 32 bits can number")]
    TooMany {
        /// How many there are.
        vertices: usize,
    },
    /// The palette lacks slots of joints that move vertices.
    #[error("a palette of {given} slots, but joints need {needed}")]
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
