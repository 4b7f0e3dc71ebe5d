//! Flags for the Vulkan device and validation.

use crate::vulkan::{DeviceChoice, InstanceOptions, Validation};
use clap::Args;

/// The Vulkan device and its validation.
#[derive(Debug, Args)]
#[command(next_help_heading = "Device")]
pub struct VulkanArgs {
    /// Vulkan device, by number or part of its name [default: the fastest]
    ///
    /// 'sinew devices' lists them. The default is the first device of the fastest kind.
    #[arg(long, value_name = "INDEX|NAME", value_parser = device, hide_short_help = true)]
    pub device: Option<DeviceChoice>,

    #[command(flatten)]
    pub validate: ValidateArgs,
}

/// The validation of Vulkan calls.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Device")]
pub struct ValidateArgs {
    /// Check every Vulkan call with the Khronos validation layer
    ///
    /// Without the layer, sinew exits with code 3. Debug builds always check if the layer is installed.
    #[arg(long, hide_short_help = true)]
    pub validate: bool,
}

impl ValidateArgs {
    /// The options for opening Vulkan.
    pub fn options(&self) -> InstanceOptions {
        let validation = match (self.validate, cfg!(debug_assertions)) {
            (true, _) => Validation::Required,
            (false, true) => Validation::WhereInstalled,
            (false, false) => Validation::Off,
        };
        InstanceOptions { validation, ..Default::default() }
    }
}

impl VulkanArgs {
    /// The device to take.
    pub fn device(&self) -> DeviceChoice {
        self.device.clone().unwrap_or_default()
    }
}

fn device(text: &str) -> Result<DeviceChoice, &'static str> {
    match text.trim() {
        "" => Err("a device has a number or a name; 'sinew devices' lists them"),
        named => Ok(DeviceChoice::Named(named.to_owned())),
    }
}
