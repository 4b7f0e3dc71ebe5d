//! Flags for the Vulkan device and validation.

use crate::vulkan::{DeviceChoice, InstanceOptions};
use clap::Args;

/// Where Vulkan work is done, and whether it is watched.
#[derive(Debug, Args)]
pub struct VulkanArgs {
    /// Vulkan device, by number or part of its name (see 'sinew devices') [default: the fastest kind]
    #[arg(long, value_name = "INDEX|NAME", value_parser = device, default_value = "", hide_default_value = true)]
    pub device: DeviceChoice,

    #[command(flatten)]
    pub validate: ValidateArgs,
}

/// Whether Vulkan is watched.
#[derive(Debug, Args)]
pub struct ValidateArgs {
    /// Check every Vulkan call with the Khronos validation layer
    ///
    /// Debug builds always check.
    #[arg(long, hide_short_help = true)]
    pub validate: bool,
}

impl ValidateArgs {
    /// The options for opening Vulkan.
    pub fn options(&self) -> InstanceOptions {
        InstanceOptions { validation: self.validate || cfg!(debug_assertions), ..Default::default() }
    }
}

fn device(text: &str) -> Result<DeviceChoice, std::convert::Infallible> {
    Ok(match text {
        "" => DeviceChoice::Best,
        named => DeviceChoice::Named(named.to_owned()),
    })
}
