//! The formats of the images that shaders write to.

use sinew_vulkan::vk;

/// Linear light, with more range than a screen.
pub const LIGHT_FORMAT: vk::Format = vk::Format::R16G16B16A16_SFLOAT;

/// Depth without stencil, a format that every device can draw to.
pub const DEPTH_FORMAT: vk::Format = vk::Format::D32_SFLOAT;

/// The picture's format: sRGB-encoded bytes in the order of most windows, so that showing a picture is a copy.
pub(crate) const PICTURE_FORMAT: vk::Format = vk::Format::B8G8R8A8_UNORM;

/// Formats and samples of the images to draw to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AttachmentFormats {
    /// Colour.
    pub color: vk::Format,
    /// Depth, if any.
    pub depth: Option<vk::Format>,
    /// Samples per pixel.
    pub samples: vk::SampleCountFlags,
}
