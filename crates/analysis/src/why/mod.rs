//! Explains why a joint looks broken: the frame of all clips in which its surface keeps least of its shape, each mode's
//! result in that frame, the mode that does best over all frames, and the vertices at fault. It must not depend on
//! Vulkan, command lines or the presentation of results.

mod answer;
mod blame;
mod gauge;
mod search;
#[cfg(test)]
mod tests;

pub use answer::{Answer, Candidate, Choice, Kind, ModeAnswer, Moment, Nothing, Question, Turn, why};
pub use blame::{Beside, Blamed, Influence};
pub use search::Motion;
