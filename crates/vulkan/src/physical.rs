//! A machine's devices: their names, their suitability, and the choice of one.

use ash::{khr, vk};

use super::error::{Named, VulkanError};
use super::instance::Instance;
use super::surface::Surface;

/// Device limits that a program needs besides Vulkan 1.3 and features that every such device has.
#[derive(Clone, Copy, Debug, Default)]
pub struct Needs {
    /// Bytes of a uniform buffer that a shader must see at once.
    pub uniform_range: u32,
}

/// The user's choice of device.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum DeviceChoice {
    /// The fastest suitable kind of device.
    #[default]
    Best,
    /// An index in the list, or a part of a name in any case.
    Named(String),
}

/// A device as the driver describes it.
#[derive(Clone)]
pub struct PhysicalDevice {
    pub(super) raw: vk::PhysicalDevice,
    pub(super) queue_family: u32,
    pub(super) has_portability_subset: bool,
    /// True if the device must present to a window.
    pub(super) presents: bool,
    pub(super) timestamp_bits: u32,
    /// Name of the device.
    pub name: String,
    /// Driver and version, as text.
    pub driver: String,
    /// The driver's name.
    pub driver_name: String,
    /// The driver's description of its version.
    pub driver_version: String,
    /// Kind of device.
    pub kind: vk::PhysicalDeviceType,
    /// The supported Vulkan version.
    pub api_version: u32,
    /// Vendor, device, driver version and the driver's cache id, which a pipeline cache depends on.
    pub cache_key: String,
    /// Limits.
    pub limits: vk::PhysicalDeviceLimits,
    /// Missing features; empty if the device is suitable.
    pub lacks: Vec<String>,
}

impl PhysicalDevice {
    /// Returns true if the device is a program on the CPU, whose memory is the host's.
    pub fn is_software(&self) -> bool {
        self.kind == vk::PhysicalDeviceType::CPU
    }

    /// Returns true if its queue writes timestamps.
    pub fn has_timestamps(&self) -> bool {
        self.timestamp_bits > 0
    }

    /// Returns true if both are the same device of one instance.
    pub fn is(&self, other: &Self) -> bool {
        self.raw == other.raw
    }

    /// Lists all devices in the loader's order. With a surface, a suitable device must present to it.
    pub fn all(
        instance: &Instance,
        needs: Needs,
        surface: Option<&Surface>,
    ) -> Result<Vec<Self>, VulkanError> {
        // SAFETY: the instance is alive.
        let devices = unsafe { instance.raw.enumerate_physical_devices() }
            .named("vkEnumeratePhysicalDevices", "devices")?;
        devices.into_iter().map(|raw| Self::describe(instance, raw, needs, surface)).collect()
    }

    /// Picks one of `devices`, or returns an error with the reason for each.
    pub fn choose(devices: &[Self], choice: &DeviceChoice) -> Result<Self, VulkanError> {
        match choice {
            DeviceChoice::Best => devices
                .iter()
                .filter(|device| device.lacks.is_empty())
                // On a tie the loader's first wins: `min_by_key` keeps the earliest.
                .min_by_key(|device| rank(device.kind))
                .cloned()
                .ok_or_else(|| VulkanError::NoSuitableDevice {
                    reasons: match devices {
                        [] => "the drivers list no Vulkan device".to_owned(),
                        _ => devices
                            .iter()
                            .map(|device| format!("{} lacks {}", device.name, device.lacks.join(", ")))
                            .collect::<Vec<_>>()
                            .join("; "),
                    },
                }),
            DeviceChoice::Named(asked) => {
                let refused = |cause: String| VulkanError::DeviceChoice { asked: asked.clone(), cause };
                let wanted = asked.to_lowercase();
                // A number is never part of a name: a mistyped one must not find "LLVM 15".
                let device = match asked.parse::<usize>() {
                    Ok(index) => devices.get(index),
                    Err(_) => devices.iter().find(|device| device.name.to_lowercase().contains(&wanted)),
                };
                let device = device.ok_or_else(|| refused("no such device".to_owned()))?;
                match device.lacks.as_slice() {
                    [] => Ok(device.clone()),
                    lacks => Err(refused(format!("{} lacks {}", device.name, lacks.join(", ")))),
                }
            }
        }
    }

    fn describe(
        instance: &Instance,
        raw: vk::PhysicalDevice,
        needs: Needs,
        surface: Option<&Surface>,
    ) -> Result<Self, VulkanError> {
        let mut driver = vk::PhysicalDeviceDriverProperties::default();
        let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut driver);
        // SAFETY: `raw` comes from the instance.
        unsafe { instance.raw.get_physical_device_properties2(raw, &mut properties) };
        let base = properties.properties;
        let name = words(base.device_name_as_c_str());
        let driver_name = words(driver.driver_name_as_c_str());
        let driver_version = words(driver.driver_info_as_c_str());
        let driver = format!("{driver_name} {driver_version}");

        let mut lacks = missing_features(instance, raw, base.api_version);
        let uniform_range = base.limits.max_uniform_buffer_range;
        if uniform_range < needs.uniform_range {
            lacks.push(format!(
                "uniform buffers of {} bytes (its maxUniformBufferRange is {uniform_range})",
                needs.uniform_range
            ));
        }
        let queue = queue_family(instance, raw);
        if queue.is_none() {
            lacks.push("a queue for graphics and compute".to_owned());
        }
        // SAFETY: `raw` comes from the instance.
        let extensions = unsafe { instance.raw.enumerate_device_extension_properties(raw) }
            .named("vkEnumerateDeviceExtensionProperties", &name)?;
        let has = |name| extensions.iter().any(|extension| extension.extension_name_as_c_str() == Ok(name));
        if let Some(surface) = surface {
            let takes = queue.map(|(family, _)| surface.takes(raw, family)).transpose()?;
            if takes != Some(true) || !has(khr::swapchain::NAME) {
                lacks.push("presentation to this window".to_owned());
            }
        }
        let (queue_family, timestamp_bits) = queue.unwrap_or_default();
        Ok(Self {
            raw,
            queue_family,
            has_portability_subset: has(khr::portability_subset::NAME),
            presents: surface.is_some(),
            timestamp_bits,
            name,
            driver: driver.trim().to_owned(),
            driver_name,
            driver_version,
            kind: base.device_type,
            api_version: base.api_version,
            cache_key: cache_key(&base),
            limits: base.limits,
            lacks,
        })
    }
}

/// Lists the Vulkan 1.3 features that a device lacks.
fn missing_features(instance: &Instance, raw: vk::PhysicalDevice, api_version: u32) -> Vec<String> {
    if api_version < vk::API_VERSION_1_3 {
        let (major, minor) = (vk::api_version_major(api_version), vk::api_version_minor(api_version));
        return vec![format!("Vulkan 1.3 (it has {major}.{minor})")];
    }
    let mut core_1_3 = vk::PhysicalDeviceVulkan13Features::default();
    let mut features = vk::PhysicalDeviceFeatures2::default().push_next(&mut core_1_3);
    // SAFETY: `raw` comes from the instance, and the device knows 1.3's structures.
    unsafe { instance.raw.get_physical_device_features2(raw, &mut features) };
    let needed = [
        (core_1_3.dynamic_rendering, "dynamic rendering"),
        (core_1_3.synchronization2, "synchronization2"),
        // This feature lets fragment shaders ignore some outputs of vertex shaders.
        (core_1_3.maintenance4, "maintenance4"),
    ];
    needed.iter().filter(|(has, _)| *has == vk::FALSE).map(|(_, name)| (*name).to_owned()).collect()
}

/// Finds the first queue family for graphics and compute, and the bits of its timestamps.
fn queue_family(instance: &Instance, raw: vk::PhysicalDevice) -> Option<(u32, u32)> {
    // SAFETY: `raw` comes from the instance.
    let families = unsafe { instance.raw.get_physical_device_queue_family_properties(raw) };
    let wanted = vk::QueueFlags::GRAPHICS | vk::QueueFlags::COMPUTE;
    let mut numbered = (0..).zip(&families);
    let (number, family) = numbered.find(|(_, family)| family.queue_flags.contains(wanted))?;
    Some((number, family.timestamp_valid_bits))
}

fn cache_key(base: &vk::PhysicalDeviceProperties) -> String {
    let uuid: String = base.pipeline_cache_uuid.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{:04x}-{:04x}-{:08x}-{uuid}", base.vendor_id, base.device_id, base.driver_version)
}

fn rank(kind: vk::PhysicalDeviceType) -> u32 {
    match kind {
        vk::PhysicalDeviceType::DISCRETE_GPU => 0,
        vk::PhysicalDeviceType::INTEGRATED_GPU => 1,
        vk::PhysicalDeviceType::VIRTUAL_GPU => 2,
        vk::PhysicalDeviceType::CPU => 3,
        _ => 4,
    }
}

/// Converts a driver's text; empty if it lacks a terminating zero.
fn words(name: Result<&std::ffi::CStr, std::ffi::FromBytesUntilNulError>) -> String {
    name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
