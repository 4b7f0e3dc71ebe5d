//! Why a picture has no pixels.

use crate::reading::message::quoted;
use sinew_gltf_rules::format::data_uri::is_data_uri;

/// The rule for data that is not a picture of a known kind.
pub const UNKNOWN: &str = "IMAGE_UNRECOGNIZED_FORMAT";

/// The types that are decoded.
const TYPES: [&str; 4] = ["image/png", "image/jpeg", "image/webp", "image/ktx2"];

/// Why there are no pixels, in words: a model can be shown without.
#[derive(Debug)]
pub struct Fault {
    /// The rule that is broken.
    pub code: &'static str,
    /// The member of the image that is at fault, with its dot; empty for the image as a whole.
    pub member: &'static str,
    /// The defect.
    pub reason: String,
}

impl Fault {
    pub fn of_image(code: &'static str, reason: impl Into<String>) -> Self {
        Self { code, member: "", reason: reason.into() }
    }

    pub fn of_data(reason: impl Into<String>) -> Self {
        Self::of_image("IMAGE_DATA_INVALID", reason)
    }

    /// Attributes a wrong kind of data to the `data:` URI, which declares its type.
    pub fn in_uri(self, uri: &str) -> Self {
        match self.code {
            UNKNOWN if is_data_uri(uri) => Self { code: "INVALID_URI", member: ".uri", ..self },
            _ => self,
        }
    }

    /// Reports the declared type instead, if that is not a picture type of textures.
    pub fn with_type(self, mime: Option<&str>) -> Self {
        match mime {
            Some(mime) if self.code == UNKNOWN && !TYPES.contains(&mime) => {
                let reason = format!("is {}, which a texture cannot be", quoted(mime));
                Self { code: "TEXTURE_INVALID_IMAGE_MIME_TYPE", reason, ..self }
            }
            _ => self,
        }
    }
}
