//! `sinew devices`: lists the Vulkan devices of this machine.

mod json;

use std::io::{self, Write};
use std::sync::Arc;

use crate::render::{NEEDS, PaletteChoice, Renderer, open_device};
use crate::vulkan::{DeviceChoice, Instance, InstanceOptions, PhysicalDevice, VulkanError, vk};
use crate::writing::write_json_pretty;

use crate::cli::args::DevicesArgs;
use crate::cli::machine::vulkan;
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::print;
use json::json;

/// A device and the buffer with palettes that scenes take on it; `None` if the first picture measures, or none can be
/// drawn.
struct Found {
    device: PhysicalDevice,
    palettes: Option<PaletteChoice>,
}

/// Lists the devices; without any, fails with "no usable Vulkan".
pub fn run(args: &DevicesArgs) -> Result<(), Failure> {
    let devices: Vec<Found> = vulkan::watched(&args.validate, |options| {
        let instance = Instance::new(&options)?;
        let devices = PhysicalDevice::all(&instance, NEEDS, None)?;
        drop(instance);
        devices.into_iter().enumerate().map(|numbered| found(numbered, args.measure, &options)).collect()
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

/// Finds the choice of palettes of a device, or measures it.
fn found(
    (number, device): (usize, PhysicalDevice),
    is_measured: bool,
    options: &InstanceOptions,
) -> Result<Found, Failure> {
    let folder = vulkan::cache_folder();
    let palettes = match (device.lacks.is_empty(), is_measured) {
        (false, _) => None,
        (true, false) => PaletteChoice::known(&device, folder.as_deref()),
        (true, true) => {
            let opened = open_device(options, &DeviceChoice::Named(number.to_string()))?;
            let measured = Renderer::new(Arc::clone(&opened), folder.as_deref())
                .and_then(|mut renderer| renderer.measure_palettes());
            opened.close();
            Some(measured?)
        }
    };
    Ok(Found { device, palettes })
}

fn list(devices: &[Found], out: &mut dyn Write) -> io::Result<()> {
    for (index, Found { device, palettes }) in devices.iter().enumerate() {
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
        if device.lacks.is_empty() {
            writeln!(out, "   palettes  {}", chosen(*palettes))?;
        }
    }
    Ok(())
}

/// The buffer with palettes, and the reason for it.
fn chosen(palettes: Option<PaletteChoice>) -> String {
    match palettes {
        None => "not measured yet; the first picture does".to_owned(),
        Some(PaletteChoice { buffer, ratio: None }) => {
            format!("{} (the CPU draws; not measured)", buffer.name())
        }
        Some(PaletteChoice { buffer, ratio: Some(ratio) }) => {
            format!("{} (measured: ssbo takes {ratio:.2} of ubo's time)", buffer.name())
        }
    }
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
