//! The loader, the instance, and the validation layer with its messenger.

use std::ffi::{CStr, c_char};
use std::sync::Arc;

use ash::{ext, khr, vk};
use raw_window_handle::RawDisplayHandle;

use super::error::{Named, VulkanError};
use super::messages::Messages;

const VALIDATION_LAYER: &CStr = c"VK_LAYER_KHRONOS_validation";

/// Use of the Khronos validation layer, including its synchronization checks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Validation {
    /// No validation.
    #[default]
    Off,
    /// Validation if the layer is installed, otherwise a warning.
    WhereInstalled,
    /// Validation, or no instance.
    Required,
}

/// Options for creating an instance.
#[derive(Clone, Debug, Default)]
pub struct InstanceOptions {
    /// Use of the validation layer.
    pub validation: Validation,
    /// Error counters. Keep a clone to read them after the instance is dropped.
    pub messages: Arc<Messages>,
    /// The display of the windows to draw in, if any.
    pub display: Option<RawDisplayHandle>,
}

/// A Vulkan instance. It must outlive every object created from it.
pub struct Instance {
    pub(super) raw: ash::Instance,
    /// True if the loader or a layer supports naming objects.
    pub(super) has_debug_utils: bool,
    messenger: Option<(ext::debug_utils::Instance, vk::DebugUtilsMessengerEXT)>,
    messages: Arc<Messages>,
    /// The loader library, which must stay open while its functions are called.
    entry: ash::Entry,
}

impl Instance {
    /// Opens the loader and creates an instance. Without a display, it cannot draw to windows.
    pub fn new(options: &InstanceOptions) -> Result<Self, VulkanError> {
        // SAFETY: the loader library is trusted to be a Vulkan loader.
        let entry = unsafe { ash::Entry::load() }
            .map_err(|cause| VulkanError::NoLoader { cause: cause.to_string().replace('\n', " ") })?;
        #[cfg(feature = "faults")]
        let entry = super::faults::hooked(entry);
        let validation = options.validation != Validation::Off && has_layer(&entry)?;
        match options.validation {
            Validation::WhereInstalled if !validation => {
                tracing::warn!("{}, going on without it", VulkanError::NoValidation);
            }
            Validation::Required if !validation => return Err(VulkanError::NoValidation),
            Validation::Off | Validation::WhereInstalled | Validation::Required => {}
        }
        let enabled = Enabled::new(&entry, validation, options.display)?;
        let raw = create(&entry, options, &enabled)?;
        let mut instance = Self {
            raw,
            has_debug_utils: enabled.debug_utils,
            messenger: None,
            messages: Arc::clone(&options.messages),
            entry,
        };
        if enabled.debug_utils && validation {
            let loader = ext::debug_utils::Instance::new(&instance.entry, &instance.raw);
            // SAFETY: `messages` lives in an Arc that `instance` holds until the messenger is destroyed.
            let messenger =
                unsafe { loader.create_debug_utils_messenger(&instance.messages.messenger_info(), None) }
                    .named("vkCreateDebugUtilsMessengerEXT", "messages")?;
            instance.messenger = Some((loader, messenger));
        }
        Ok(instance)
    }

    /// Returns the loader's functions.
    pub(super) fn entry(&self) -> &ash::Entry {
        &self.entry
    }

    /// Returns the error counters.
    pub fn messages(&self) -> &Arc<Messages> {
        &self.messages
    }

    /// Returns true if the validation layer is active.
    pub fn is_validated(&self) -> bool {
        self.messenger.is_some()
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: the device is gone (it owns this instance), so nothing made from the instance is left.
        unsafe {
            if let Some((loader, messenger)) = &self.messenger {
                loader.destroy_debug_utils_messenger(*messenger, None);
            }
            self.raw.destroy_instance(None);
        }
    }
}

/// Extensions and layers of a new instance.
struct Enabled {
    /// Names of all extensions, which live as long as the program.
    extensions: Vec<*const c_char>,
    validation: bool,
    debug_utils: bool,
    portability: bool,
    validation_features: bool,
}

impl Enabled {
    fn new(
        entry: &ash::Entry,
        validation: bool,
        display: Option<RawDisplayHandle>,
    ) -> Result<Self, VulkanError> {
        let available = extensions(entry, None)?;
        let of_layer = if validation { extensions(entry, Some(VALIDATION_LAYER))? } else { Vec::new() };
        let has = |name: &CStr| available.iter().chain(&of_layer).any(|have| have == name.to_bytes());
        let debug_utils = has(ext::debug_utils::NAME);
        let portability = has(khr::portability_enumeration::NAME);
        let validation_features = validation && has(ext::validation_features::NAME);
        let optional = [
            (debug_utils, ext::debug_utils::NAME),
            (portability, khr::portability_enumeration::NAME),
            (validation_features, ext::validation_features::NAME),
        ];
        let mut extensions: Vec<*const c_char> =
            optional.iter().filter(|(is_there, _)| *is_there).map(|(_, name)| name.as_ptr()).collect();
        if let Some(display) = display {
            let of_display = ash_window::enumerate_required_extensions(display)
                .map_err(|result| VulkanError::NoSurface { cause: format!("unknown display ({result})") })?;
            extensions.extend_from_slice(of_display);
        }
        Ok(Self { extensions, validation, debug_utils, portability, validation_features })
    }
}

fn create(
    entry: &ash::Entry,
    options: &InstanceOptions,
    enabled: &Enabled,
) -> Result<ash::Instance, VulkanError> {
    let layers = if enabled.validation { vec![VALIDATION_LAYER.as_ptr()] } else { Vec::new() };
    let application = vk::ApplicationInfo::default()
        .application_name(c"sinew")
        .engine_name(c"sinew")
        .api_version(vk::API_VERSION_1_3);
    let checks = [vk::ValidationFeatureEnableEXT::SYNCHRONIZATION_VALIDATION];
    // The layer's cache is one file for all programs of a user.
    let unchecked = [vk::ValidationFeatureDisableEXT::SHADER_VALIDATION_CACHE];
    let mut features = vk::ValidationFeaturesEXT::default()
        .enabled_validation_features(&checks)
        .disabled_validation_features(&unchecked);
    // The same messenger in the chain also receives errors of creating and destroying the instance.
    let mut messenger_info = options.messages.messenger_info();
    let mut info = vk::InstanceCreateInfo::default()
        .application_info(&application)
        .enabled_extension_names(&enabled.extensions)
        .enabled_layer_names(&layers);
    if enabled.portability {
        info = info.flags(vk::InstanceCreateFlags::ENUMERATE_PORTABILITY_KHR);
    }
    if enabled.validation_features {
        info = info.push_next(&mut features);
    }
    if enabled.debug_utils && enabled.validation {
        info = info.push_next(&mut messenger_info);
    }
    // SAFETY: everything `info` points to lives until the call returns.
    unsafe { entry.create_instance(&info, None) }.map_err(|result| match result {
        vk::Result::ERROR_INCOMPATIBLE_DRIVER => VulkanError::NoDriver { result },
        vk::Result::ERROR_EXTENSION_NOT_PRESENT if options.display.is_some() => VulkanError::NoSurface {
            cause: "no Vulkan driver here can present to this window system".to_owned(),
        },
        _ => VulkanError::Call { call: "vkCreateInstance", name: "sinew".to_owned(), result },
    })
}

fn has_layer(entry: &ash::Entry) -> Result<bool, VulkanError> {
    // SAFETY: no arguments.
    let layers = unsafe { entry.enumerate_instance_layer_properties() }
        .named("vkEnumerateInstanceLayerProperties", "validation layer")?;
    Ok(layers.iter().any(|layer| layer.layer_name_as_c_str() == Ok(VALIDATION_LAYER)))
}

fn extensions(entry: &ash::Entry, layer: Option<&CStr>) -> Result<Vec<Vec<u8>>, VulkanError> {
    // SAFETY: `layer` is null-terminated and lives until the call returns.
    let properties = unsafe { entry.enumerate_instance_extension_properties(layer) }
        .named("vkEnumerateInstanceExtensionProperties", "instance")?;
    Ok(properties
        .iter()
        .filter_map(|property| property.extension_name_as_c_str().ok())
        .map(|name| name.to_bytes().to_vec())
        .collect())
}
