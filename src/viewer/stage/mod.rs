//! What is shown and how it goes on: the scene that the window draws, changed by actions, hands and time.
//! It must not know windows or Vulkan: what it makes of an action can be seen without either.

mod act;
mod arrange;
mod edit;
mod nodes;
mod poses;
mod state;
mod steer;
mod time;

pub use edit::rotation_of;
pub use state::{FADE_SECS, Stage};

#[cfg(test)]
mod tests;
