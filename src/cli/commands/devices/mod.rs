//! `sinew devices`: lists the Vulkan devices of this machine.

mod json;

use std::io::{self, Write};

use crate::render::NEEDS;
use crate::vulkan::{Instance, PhysicalDevice, VulkanError, vk};
use crate::writing::write_json_pretty;

use crate::cli::args::DevicesArgs;
use crate::cli::machine::vulkan;
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::print;
use json::json;

/// Lists the devices; without any, fails with "no usable Vulkan".
pub fn run(args: &DevicesArgs) -> Result<(), Failure> {
    let devices = vulkan::watched(&args.validate, |options| {
        let instance = Instance::new(&options)?;
        Ok(PhysicalDevice::all(&instance, NEEDS, None)?)
    })?;
    if devices.is_empty() {
        return Err(VulkanError::NoSuitableDevice {
            reasons: "the drivers list no Vulkan device".to_owned(),
        }
        .into());
    }
    print(|out| match args.json {
        true => write_json_pretty(out, &json(&devices)),
        false => list(&devices, out),
    })
}

fn list(devices: &[PhysicalDevice], out: &mut dyn Write) -> io::Result<()> {
    for (index, device) in devices.iter().enumerate() {
        let verdict = match device.lacks.as_slice() {
            [] => "can run sinew".to_owned(),
            lacks => format!("cannot run sinew; it lacks {}", lacks.join(", ")),
        };
        writeln!(
            out,
            "{index}  {} ({})\n   driver  {}\n   Vulkan  {}.{}.{}\n   {verdict}",
            device.name,
            kind(device.kind),
            device.driver,
            vk::api_version_major(device.api_version),
            vk::api_version_minor(device.api_version),
            vk::api_version_patch(device.api_version),
        )?;
    }
    Ok(())
}

fn kind(kind: vk::PhysicalDeviceType) -> &'static str {
    match kind {
        vk::PhysicalDeviceType::DISCRETE_GPU => "discrete GPU",
        vk::PhysicalDeviceType::INTEGRATED_GPU => "integrated GPU",
        vk::PhysicalDeviceType::VIRTUAL_GPU => "virtual GPU",
        vk::PhysicalDeviceType::CPU => "software, on the CPU",
        _ => "other",
    }
}
