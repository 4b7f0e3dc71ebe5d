//! Materials and pictures as plain data. They must not know how light is computed.

/// A surface, in glTF's metallic-roughness terms.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Name; empty where the file gives none.
    pub name: String,
    /// Linear base colour with alpha.
    pub base_color: [f32; 4],
    /// Multiplies the base colour; its pixels are sRGB.
    pub base_color_texture: Option<TextureRef>,
    /// 0 dielectric, 1 metal.
    pub metallic: f32,
    /// 0 smooth, 1 rough.
    pub roughness: f32,
    /// Linear emitted colour.
    pub emissive: [f32; 3],
    /// What alpha does.
    pub alpha: AlphaMode,
    /// Whether back faces are drawn.
    pub double_sided: bool,
    /// Whether the base colour is shown as it is (KHR_materials_unlit).
    pub unlit: bool,
}

impl Default for Material {
    /// The material glTF gives a primitive without one.
    fn default() -> Self {
        Self {
            name: String::new(),
            base_color: [1.0; 4],
            base_color_texture: None,
            metallic: 1.0,
            roughness: 1.0,
            emissive: [0.0; 3],
            alpha: AlphaMode::Opaque,
            double_sided: false,
            unlit: false,
        }
    }
}

/// What a material's alpha does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AlphaMode {
    /// Nothing.
    Opaque,
    /// Cuts holes where it is below the value.
    Mask(f32),
    /// Mixes with what is behind.
    Blend,
}

/// A picture as a material uses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextureRef {
    /// Index into the model's pictures.
    pub picture: usize,
    /// Which texture coordinate set.
    pub texcoord: usize,
}

/// Decoded pixels, rows from the top.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    /// Pixels a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Four bytes a pixel, as stored (sRGB for colours).
    pub rgba: Vec<u8>,
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Picture({}x{})", self.width, self.height)
    }
}
