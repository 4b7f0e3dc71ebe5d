//! What can go wrong between us and a driver, each with the name of the object it happened to.

use ash::vk;

/// The line that helps on the systems we know.
pub(super) const INSTALL_DRIVER: &str = "install a Vulkan driver (Debian/Ubuntu: apt install mesa-vulkan-drivers \
     libvulkan1, Fedora: dnf install mesa-vulkan-drivers vulkan-loader, Arch: pacman -S vulkan-swrast, \
     macOS: brew install molten-vk vulkan-loader)";

/// A failure of Vulkan itself.
#[derive(Debug, thiserror::Error)]
pub enum VulkanError {
    /// The loader library is not on this machine.
    #[error("no Vulkan loader library: {cause}; {INSTALL_DRIVER}")]
    NoLoader {
        /// What the system said.
        cause: String,
    },
    /// The loader found no driver.
    #[error("no Vulkan driver ({result}); {INSTALL_DRIVER}")]
    NoDriver {
        /// What instance creation answered.
        result: vk::Result,
    },
    /// A file that tells the loader of a driver cannot be used.
    #[error("the driver's description {file}: {cause}; correct it, or {INSTALL_DRIVER}")]
    BrokenDriver {
        /// The file.
        file: String,
        /// What is wrong with it.
        cause: String,
    },
    /// The validation layer was asked for.
    #[error(
        "the Vulkan validation layer is not installed (Debian/Ubuntu: apt install vulkan-validationlayers, \
         Fedora: dnf install vulkan-validation-layers, Arch: pacman -S vulkan-validation-layers, \
         macOS: brew install vulkan-validationlayers)"
    )]
    NoValidation,
    /// The system makes fewer threads than a driver starts, which then waits for ever.
    #[error(
        "{device} may start {needed} threads, and only {possible} can be made here; raise the limit on processes \
         (ulimit -u), or set LP_NUM_THREADS=1"
    )]
    Threads {
        /// The device's name.
        device: String,
        /// How many it may start.
        needed: usize,
        /// How many the system makes.
        possible: usize,
    },
    /// The system refuses the room that the drivers' libraries take.
    #[error(
        "no Vulkan driver fits into the memory that this process may have ({cause}); raise the limit (ulimit -v)"
    )]
    NoRoom {
        /// What was answered.
        cause: String,
    },
    /// No driver starts in a process that may have little.
    #[error(
        "no Vulkan driver starts ({cause}), perhaps because of {limits}: raise the limit, or {INSTALL_DRIVER}"
    )]
    Limited {
        /// What was answered.
        cause: String,
        /// The limits, as the shell sets them.
        limits: String,
    },
    /// Drivers exist, but none of their devices has what is needed.
    #[error("no Vulkan device will do ({reasons}); {INSTALL_DRIVER}")]
    NoSuitableDevice {
        /// Each device with what it lacks.
        reasons: String,
    },
    /// The user asked for a device that is not there or cannot be used.
    #[error("device '{asked}': {cause}")]
    DeviceChoice {
        /// As typed.
        asked: String,
        /// Why not.
        cause: String,
    },
    /// A call failed.
    #[error("{call} failed for '{name}': {result}")]
    Call {
        /// The Vulkan function.
        call: &'static str,
        /// The object's name.
        name: String,
        /// What it answered.
        result: vk::Result,
    },
    /// There was no memory.
    #[error("no device memory for '{name}': {cause}")]
    Memory {
        /// The object's name.
        name: String,
        /// What the allocator said.
        cause: String,
    },
    /// Something larger than the device allows was asked for.
    #[error("'{name}' needs {asked} {what}, but {device} allows at most {limit}")]
    Limit {
        /// The object's name.
        name: String,
        /// What is counted.
        what: &'static str,
        /// The amount that was asked for.
        asked: u64,
        /// The limit.
        limit: u64,
        /// The device's name.
        device: String,
    },
    /// Nothing can be shown in the window.
    #[error("cannot draw to a window: {cause}")]
    NoSurface {
        /// Why not.
        cause: String,
    },
    /// The shader bytes are not SPIR-V.
    #[error("shader '{name}' is not SPIR-V: {cause}")]
    Shader {
        /// The shader's name.
        name: String,
        /// What is wrong.
        cause: String,
    },
}

impl VulkanError {
    /// Whether there is no usable Vulkan here at all, as opposed to a failure while it ran.
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

    /// Whether more was asked for than the device or the machine has, and everything else is still there.
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

    /// Whether a window's surface is gone, and everything else still there.
    pub fn is_lost_surface(&self) -> bool {
        matches!(self, Self::Call { result: vk::Result::ERROR_SURFACE_LOST_KHR, .. })
    }
}

/// Names the object in a failed call.
pub(super) trait Named<T> {
    /// Turns a Vulkan result into ours.
    fn named(self, call: &'static str, name: &str) -> Result<T, VulkanError>;
}

impl<T> Named<T> for Result<T, vk::Result> {
    fn named(self, call: &'static str, name: &str) -> Result<T, VulkanError> {
        self.map_err(|result| VulkanError::Call { call, name: name.to_owned(), result })
    }
}
