//! Textures as plain data: pictures, and how a material lays one over a surface.
//! They must not know file formats or what a shader does with what it reads.

/// A picture as a material uses it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TextureRef {
    /// Index into the model's pictures.
    pub picture: usize,
    /// Which texture coordinate set.
    pub texcoord: usize,
    /// How it is read between its pixels and beyond its edges.
    pub sampling: Sampling,
    /// What is done to the coordinates before (KHR_texture_transform).
    pub transform: TextureTransform,
}

/// How a picture is read between its pixels and beyond its edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sampling {
    /// Left and right of the picture.
    pub wrap_s: Wrap,
    /// Above and below it.
    pub wrap_t: Wrap,
    /// Where a pixel of the picture covers more than one of the screen.
    pub mag: Filter,
    /// Where it covers less.
    pub min: Filter,
    /// Between the smaller copies of the picture; `None` never uses them.
    pub mip: Option<Filter>,
}

impl Default for Sampling {
    /// Repeats, and is smooth in every direction: the format leaves the filters to us.
    fn default() -> Self {
        let smooth = Filter::Linear;
        Self { wrap_s: Wrap::Repeat, wrap_t: Wrap::Repeat, mag: smooth, min: smooth, mip: Some(smooth) }
    }
}

/// What is beyond a picture's edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Wrap {
    /// The picture again.
    #[default]
    Repeat,
    /// The picture again, every other time mirrored.
    Mirror,
    /// The pixels of the edge.
    Clamp,
}

/// What is between pixels, or between mip levels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Filter {
    /// The nearest one.
    Nearest,
    /// A mixture of those around.
    #[default]
    Linear,
}

/// A change of texture coordinates: scaled, then turned, then moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextureTransform {
    /// Where the origin goes, in pictures.
    pub offset: [f32; 2],
    /// Radians by which the coordinates turn counter-clockwise as seen in the picture, and so the
    /// picture clockwise on the surface.
    pub rotation: f32,
    /// How often the picture fits where it was once.
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
        // v points down in a picture, which is why this turns the other way round than in a plane.
        [[(cos * s) as f32, (sin * t) as f32, x], [(-sin * s) as f32, (cos * t) as f32, y]]
    }
}

/// What the numbers of a picture stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// Colours along the sRGB curve; alpha is linear all the same.
    Srgb,
    /// The numbers themselves.
    Linear,
}

/// Decoded pixels, rows from the top.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    /// Pixels a row, at least one.
    pub width: u32,
    /// Rows, at least one.
    pub height: u32,
    /// Four bytes a pixel, as stored; what they stand for depends on who uses them.
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
        // Counter-clockwise in a picture: from the right to the top, which is where v is negative.
        assert_eq!(moved(quarter, [1.0, 0.0]), [0.0, -1.0]);
        assert_eq!(moved(quarter, [0.0, 1.0]), [1.0, 0.0]);
        let all = TextureTransform { offset: [10.0, 20.0], scale: [2.0, 3.0], ..quarter };
        assert_eq!(moved(all, [1.0, 1.0]), [13.0, 18.0]);
    }
}
