//! The formats of the images that shaders write to.

use sinew_vulkan::vk;

/// Linear light, with more range than a screen shows.
pub const LIGHT_FORMAT: vk::Format = vk::Format::R16G16B16A16_SFLOAT;

/// Depth without stencil, which every device can draw to.
pub const DEPTH_FORMAT: vk::Format = vk::Format::D32_SFLOAT;

/// The picture's format: bytes that are on the curve already, in the order of most windows, so that what is shown
/// is copied.
pub(crate) const PICTURE_FORMAT: vk::Format = vk::Format::B8G8R8A8_UNORM;

/// Formats and samples that are drawn to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AttachmentFormats {
    /// Colour.
    pub color: vk::Format,
    /// Depth, where there is any.
    pub depth: Option<vk::Format>,
    /// Samples a pixel.
    pub samples: vk::SampleCountFlags,
}
