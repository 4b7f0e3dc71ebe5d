//! What is painted over the pictures in a window: triangles in pixels and their textures, as plain data.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};

/// A corner of a triangle.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct PaintVertex {
    /// In pixels from the upper left corner of the window.
    pub place: [f32; 2],
    /// In the texture, from 0 to 1.
    pub within: [f32; 2],
    /// On the curve of sRGB, premultiplied.
    pub color: [u8; 4],
}

/// Triangles that share a texture and a clip.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Upper left corner and size, in pixels, of the rectangle they are visible in.
    pub clip: [[u32; 2]; 2],
    /// Which of [`Painting::textures`].
    pub texture: u64,
    /// The first of their indices, and how many there are.
    pub indices: [u32; 2],
}

/// A texture: pixels on the curve of sRGB, premultiplied.
#[derive(Clone, Debug)]
pub struct PaintTexture {
    /// The number that pieces know it by.
    pub name: u64,
    /// Changes with the pixels.
    pub generation: u64,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Four bytes a pixel.
    pub rgba: Arc<Vec<u8>>,
}

/// All that is painted in a frame, from back to front.
#[derive(Clone, Debug, Default)]
pub struct Painting {
    /// Corners.
    pub vertices: Vec<PaintVertex>,
    /// Three corners a triangle.
    pub indices: Vec<u32>,
    /// Ranges of indices that share a texture and a clip.
    pub pieces: Vec<Piece>,
    /// The textures of the pieces.
    pub textures: Vec<PaintTexture>,
}
