//! The machine's resources: a Vulkan device, fonts, and the folders that the program keeps files in.

pub mod drivers;
pub mod fonts;
pub mod kept;
pub mod vulkan;
