//! Textures: images, and their samplers.

/// An image as a material uses it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TextureRef {
    /// Index into the model's images.
    pub picture: usize,
    /// The texture coordinate set.
    pub texcoord: usize,
    /// Filtering and wrapping.
    pub sampling: Sampling,
    /// The transform of the coordinates (KHR_texture_transform).
    pub transform: TextureTransform,
}

/// Filter of an image, and its address mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sampling {
    /// Wrapping to the left and right.
    pub wrap_s: Wrap,
    /// Wrapping above and below.
    pub wrap_t: Wrap,
    /// Magnification: a texel covers more than one pixel of the screen.
    pub mag: Filter,
    /// Minification: a texel covers less than one pixel.
    pub min: Filter,
    /// Filter between mip levels; `None` uses no mip levels.
    pub mip: Option<Filter>,
}

impl Default for Sampling {
    /// Repeats and filters linearly: the format leaves default filters to us.
    fn default() -> Self {
        let smooth = Filter::Linear;
        Self { wrap_s: Wrap::Repeat, wrap_t: Wrap::Repeat, mag: smooth, min: smooth, mip: Some(smooth) }
    }
}

/// Address mode: the colour beyond the edge of an image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Wrap {
    /// The image repeats.
    #[default]
    Repeat,
    /// The image repeats, mirrored every other time.
    Mirror,
    /// The pixels at the edge continue.
    Clamp,
}

/// Filter between pixels or mip levels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Filter {
    /// Takes the nearest.
    Nearest,
    /// Interpolates between neighbours.
    #[default]
    Linear,
}

/// A transform of texture coordinates: scale, then rotation, then offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextureTransform {
    /// Offset of the origin, in units of the image.
    pub offset: [f32; 2],
    /// Rotation in radians: turns the coordinates counter-clockwise as seen in the image, and so the image clockwise on
    /// the surface.
    pub rotation: f32,
    /// Repetitions of the image along each axis.
    pub scale: [f32; 2],
}

impl Default for TextureTransform {
    fn default() -> Self {
        Self { offset: [0.0; 2], rotation: 0.0, scale: [1.0; 2] }
    }
}

impl TextureTransform {
    /// Two rows `[a, b, c]`: `(u, v)` becomes `a·u + b·v + c`.
    pub fn rows(&self) -> [[f32; 3]; 2] {
        let (sin, cos) = f64::from(self.rotation).sin_cos();
        let [s, t] = self.scale.map(f64::from);
        let [x, y] = self.offset;
        // v points down in an image, so this rotation looks reversed in a plane with v up.
        [[(cos * s) as f32, (sin * t) as f32, x], [(-sin * s) as f32, (cos * t) as f32, y]]
    }
}

/// Encoding of values in an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// sRGB colours with linear alpha.
    Srgb,
    /// Linear values.
    Linear,
}

/// A decoded image, rows from the top.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    /// Pixels per row, at least one.
    pub width: u32,
    /// The number of rows, at least one.
    pub height: u32,
    /// Four bytes per pixel, as stored; their encoding depends on the texture's use.
    pub rgba: Vec<u8>,
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Picture({}x{})", self.width, self.height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f32::consts::FRAC_PI_2;

    fn moved(transform: TextureTransform, [u, v]: [f32; 2]) -> [f32; 2] {
        transform.rows().map(|[a, b, c]| ((a * u + b * v + c) * 1e6).round() / 1e6)
    }

    #[test]
    fn coordinates_are_scaled_then_turned_then_moved() {
        assert_eq!(TextureTransform::default().rows(), [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
        let quarter = TextureTransform { rotation: FRAC_PI_2, ..Default::default() };
        // Counter-clockwise in an image: from the right to the top, where v is negative.
        assert_eq!(moved(quarter, [1.0, 0.0]), [0.0, -1.0]);
        assert_eq!(moved(quarter, [0.0, 1.0]), [1.0, 0.0]);
        let all = TextureTransform { offset: [10.0, 20.0], scale: [2.0, 3.0], ..quarter };
        assert_eq!(moved(all, [1.0, 1.0]), [13.0, 18.0]);
    }
}
