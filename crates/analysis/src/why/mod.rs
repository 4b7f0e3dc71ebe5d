//! Why a joint looks broken: the frame of all clips where its surface keeps least of its shape, what each mode makes of
//! that frame, which mode does best over all frames, and which vertices are to blame. It must not know Vulkan, command
//! lines or how results are shown.

mod answer;
mod blame;
mod gauge;
mod search;
#[cfg(test)]
mod tests;

pub use answer::{Answer, Candidate, Choice, Kind, ModeAnswer, Moment, Nothing, Question, Turn, why};
pub use blame::{Beside, Blamed, Influence};
pub use search::Motion;
