//! Errors between sinew and a driver, each with the name of the object concerned.

use ash::vk;

/// Installation advice for the supported systems.
pub(super) const INSTALL_DRIVER: &str = "install a Vulkan driver (Debian/Ubuntu: apt install mesa-vulkan-drivers \
     libvulkan1, Fedora: dnf install mesa-vulkan-drivers vulkan-loader, Arch: pacman -S vulkan-swrast, \
     macOS: brew install molten-vk vulkan-loader)";

/// A failure of Vulkan itself.
#[derive(Debug, thiserror::Error)]
pub enum VulkanError {
    /// No loader library on this machine.
    #[error("no Vulkan loader library: {cause}; {INSTALL_DRIVER}")]
    NoLoader {
        /// The system's error.
        cause: String,
    },
    /// No driver found by the loader.
    #[error("no Vulkan driver ({result}); {INSTALL_DRIVER}")]
    NoDriver {
        /// The result of creating the instance.
        result: vk::Result,
    },
    /// An unusable driver manifest, the file that describes a driver to the loader.
    #[error("the driver's description {file}: {cause}; correct it, or {INSTALL_DRIVER}")]
    BrokenDriver {
        /// The manifest.
        file: String,
        /// The defect.
        cause: String,
    },
    /// No validation layer, although it was required.
    #[error(
        "the Vulkan validation layer is not installed (Debian/Ubuntu: apt install vulkan-validationlayers, \
         Fedora: dnf install vulkan-validation-layers, Arch: pacman -S vulkan-validation-layers, \
         macOS: brew install vulkan-validationlayers)"
    )]
    NoValidation,
    /// Too few threads for a driver, which would wait for them for ever.
    #[error(
        "{device} may start {needed} threads, but only {possible} can start here; raise the limit on processes \
         (ulimit -u), or set LP_NUM_THREADS=1"
    )]
    Threads {
        /// The device's name.
        device: String,
        /// Number of threads that the driver may start.
        needed: usize,
        /// Number of threads that the system allows.
        possible: usize,
    },
    /// Too little address space for the drivers' libraries.
    #[error("no Vulkan driver fits into this process's memory limit ({cause}); raise the limit (ulimit -v)")]
    NoRoom {
        /// The system's error.
        cause: String,
    },
    /// No driver started in a process with limited resources.
    #[error(
        "no Vulkan driver starts ({cause}), perhaps because of {limits}: raise the limit, or {INSTALL_DRIVER}"
    )]
    Limited {
        /// The loader's error.
        cause: String,
        /// The limits, as the shell's `ulimit` sets them.
        limits: String,
    },
    /// Devices exist, but none meets the requirements.
    #[error("no suitable Vulkan device ({reasons}); {INSTALL_DRIVER}")]
    NoSuitableDevice {
        /// Each device with its missing features.
        reasons: String,
    },
    /// The device that the user selected is missing or unusable.
    #[error("device '{asked}': {cause}")]
    DeviceChoice {
        /// The selection as typed.
        asked: String,
        /// The reason.
        cause: String,
    },
    /// A failed call.
    #[error("{call} failed for '{name}': {result}")]
    Call {
        /// The Vulkan function.
        call: &'static str,
        /// The object's name.
        name: String,
        /// The call's result.
        result: vk::Result,
    },
    /// Out of device memory.
    #[error("no device memory for '{name}': {cause}")]
    Memory {
        /// The object's name.
        name: String,
        /// The allocator's error.
        cause: String,
    },
    /// A request beyond a limit of the device.
    #[error("'{name}' needs {asked} {what}, but {device} allows at most {limit}")]
    Limit {
        /// The object's name.
        name: String,
        /// The unit.
        what: &'static str,
        /// The requested amount.
        asked: u64,
        /// The limit.
        limit: u64,
        /// The device's name.
        device: String,
    },
    /// A window that cannot be drawn to.
    #[error("cannot draw to a window: {cause}")]
    NoSurface {
        /// The reason.
        cause: String,
    },
    /// Shader bytes that are not SPIR-V.
    #[error("shader '{name}' is not SPIR-V: {cause}")]
    Shader {
        /// The shader's name.
        name: String,
        /// The defect.
        cause: String,
    },
}

impl VulkanError {
    /// Returns true if there is no usable Vulkan, as opposed to a failure at run time.
    pub fn is_unavailable(&self) -> bool {
        match self {
            Self::NoLoader { .. }
            | Self::NoDriver { .. }
            | Self::BrokenDriver { .. }
            | Self::NoValidation
            | Self::NoSuitableDevice { .. } => true,
            Self::DeviceChoice { .. }
            | Self::Threads { .. }
            | Self::NoRoom { .. }
            | Self::Limited { .. }
            | Self::Call { .. }
            | Self::Memory { .. }
            | Self::Limit { .. }
            | Self::NoSurface { .. }
            | Self::Shader { .. } => false,
        }
    }

    /// Returns true if a request exceeded the device or the machine, and all other objects remain usable.
    pub fn is_too_much(&self) -> bool {
        match self {
            Self::Memory { .. } | Self::Limit { .. } => true,
            Self::Call { result, .. } => matches!(
                *result,
                vk::Result::ERROR_OUT_OF_HOST_MEMORY
                    | vk::Result::ERROR_OUT_OF_DEVICE_MEMORY
                    | vk::Result::ERROR_OUT_OF_POOL_MEMORY
                    | vk::Result::ERROR_FRAGMENTED_POOL
                    | vk::Result::ERROR_FRAGMENTATION
            ),
            Self::NoLoader { .. }
            | Self::NoDriver { .. }
            | Self::BrokenDriver { .. }
            | Self::NoValidation
            | Self::Threads { .. }
            | Self::NoRoom { .. }
            | Self::Limited { .. }
            | Self::NoSuitableDevice { .. }
            | Self::DeviceChoice { .. }
            | Self::NoSurface { .. }
            | Self::Shader { .. } => false,
        }
    }

    /// Returns true if only a window's surface is lost, and all other objects remain usable.
    pub fn is_lost_surface(&self) -> bool {
        matches!(self, Self::Call { result: vk::Result::ERROR_SURFACE_LOST_KHR, .. })
    }
}

/// Adds an object's name to a failed call.
pub(super) trait Named<T> {
    /// Converts a Vulkan result.
    fn named(self, call: &'static str, name: &str) -> Result<T, VulkanError>;
}

impl<T> Named<T> for Result<T, vk::Result> {
    fn named(self, call: &'static str, name: &str) -> Result<T, VulkanError> {
        self.map_err(|result| VulkanError::Call { call, name: name.to_owned(), result })
    }
}
