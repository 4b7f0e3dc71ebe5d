//! The stage: the scene that the window shows, changed by actions, mouse and time. It must not depend on windows or
//! Vulkan, so tests can check it without either.

mod act;
mod arrange;
mod edit;
mod history;
mod nodes;
mod poses;
mod posing;
mod state;
mod status;
mod steer;
mod steps;
mod time;
mod weighed;
mod weights;

pub use state::{FADE_SECS, Stage};
pub use weights::{Reweighed, Select};

#[cfg(test)]
mod tests;
