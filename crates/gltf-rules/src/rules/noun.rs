//! The kinds of objects that a file refers to.

/// An object that others refer to by its index or name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noun {
    Accessor,
    Buffer,
    View,
    Camera,
    Image,
    Light,
    Material,
    Mesh,
    Node,
    Sampler,
    Scene,
    Skin,
    Texture,
    Variant,
}

impl Noun {
    /// All kinds.
    pub const ALL: [Self; 14] = [
        Self::Accessor,
        Self::Buffer,
        Self::View,
        Self::Camera,
        Self::Image,
        Self::Light,
        Self::Material,
        Self::Mesh,
        Self::Node,
        Self::Sampler,
        Self::Scene,
        Self::Skin,
        Self::Texture,
        Self::Variant,
    ];

    /// Returns the name for messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Accessor => "accessor",
            Self::Buffer => "buffer",
            Self::View => "buffer view",
            Self::Camera => "camera",
            Self::Image => "image",
            Self::Light => "light",
            Self::Material => "material",
            Self::Mesh => "mesh",
            Self::Node => "node",
            Self::Sampler => "sampler",
            Self::Scene => "scene",
            Self::Skin => "skin",
            Self::Texture => "texture",
            Self::Variant => "variant",
        }
    }

    /// Returns the list that holds these objects; `None` if they may be unreferenced, or are in an extension.
    pub fn list(self) -> Option<&'static str> {
        match self {
            Self::Accessor => Some("accessors"),
            Self::Buffer => Some("buffers"),
            Self::View => Some("bufferViews"),
            Self::Camera => Some("cameras"),
            Self::Image => Some("images"),
            Self::Material => Some("materials"),
            Self::Mesh => Some("meshes"),
            Self::Sampler => Some("samplers"),
            Self::Skin => Some("skins"),
            Self::Texture => Some("textures"),
            Self::Light | Self::Node | Self::Scene | Self::Variant => None,
        }
    }
}
