//! What the program takes from the machine: a Vulkan device, fonts, and the folders that it keeps files in.

pub mod drivers;
pub mod fonts;
pub mod kept;
pub mod vulkan;
