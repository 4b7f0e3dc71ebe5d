//! A painting over the pictures in a window: triangles in pixels and their textures, as plain data.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};

/// A corner of a triangle.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct PaintVertex {
    /// Position in pixels from the upper left corner of the window.
    pub place: [f32; 2],
    /// Position in the texture, from 0 to 1.
    pub within: [f32; 2],
    /// Colour in sRGB, premultiplied.
    pub color: [u8; 4],
}

/// Triangles that share a texture and a clip rectangle.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// The clip rectangle: upper left corner and size, in pixels.
    pub clip: [[u32; 2]; 2],
    /// Name of the texture, one of [`Painting::textures`].
    pub texture: u64,
    /// The first of their indices, and their number.
    pub indices: [u32; 2],
}

/// A texture: sRGB pixels, premultiplied.
#[derive(Clone, Debug)]
pub struct PaintTexture {
    /// The identifier that pieces use.
    pub name: u64,
    /// A number that changes with the pixels.
    pub generation: u64,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Four bytes per pixel.
    pub rgba: Arc<Vec<u8>>,
}

/// A frame's painting, from back to front.
#[derive(Clone, Debug, Default)]
pub struct Painting {
    /// Corners of the triangles.
    pub vertices: Vec<PaintVertex>,
    /// Three corners per triangle.
    pub indices: Vec<u32>,
    /// Ranges of indices that share a texture and a clip rectangle.
    pub pieces: Vec<Piece>,
    /// The textures of the pieces.
    pub textures: Vec<PaintTexture>,
}
