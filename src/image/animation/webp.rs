//! Writes the container of an animated WebP around frames that `image-webp` encodes losslessly.
//!
//! RIFF: <https://developers.google.com/speed/webp/docs/riff_container>

use std::io::{Seek, SeekFrom, Write};

use super::{Container, Frames};
use crate::image::{Image, ImageError};

/// The format's name in messages.
const WEBP: &str = "WebP";

/// Bytes of a chunk before its content.
const HEAD: usize = 8;

/// A WebP file under construction.
pub struct Webp<W: Write + Seek> {
    out: W,
    /// Bytes after the size field at the start of the file.
    bytes: u64,
}

impl<W: Write + Seek> Webp<W> {
    /// Begins a file that loops forever.
    pub fn new(mut out: W, frames: &Frames) -> Result<Self, ImageError> {
        out.write_all(b"RIFF\0\0\0\0WEBP")?;
        let mut webp = Self { out, bytes: 4 };
        let mut canvas = vec![0b0001_0010, 0, 0, 0];
        for side in frames.size {
            canvas.extend(three_bytes(side.saturating_sub(1))?);
        }
        webp.chunk(b"VP8X", &canvas)?;
        // No background colour, endless loop.
        webp.chunk(b"ANIM", &[0; 6])?;
        Ok(webp)
    }

    fn chunk(&mut self, name: &[u8; 4], content: &[u8]) -> Result<(), ImageError> {
        let length = u32::try_from(content.len())
            .map_err(|_| ImageError::write(WEBP, "a frame holds at most 4 GiB"))?;
        self.out.write_all(name)?;
        self.out.write_all(&length.to_le_bytes())?;
        self.out.write_all(content)?;
        let padding = content.len() % 2;
        self.out.write_all(&[0][..padding])?;
        self.bytes += (HEAD + content.len() + padding) as u64;
        Ok(())
    }
}

impl<W: Write + Seek> Container for Webp<W> {
    /// The content of the frame's chunk.
    type Frame = Vec<u8>;

    const TICKS: f64 = 1000.0;

    fn encode(image: Image, delay: u16) -> Result<Vec<u8>, ImageError> {
        let mut still = Vec::new();
        // The encoder panics if pixels are missing; the caller has checked.
        ::image_webp::WebPEncoder::new(&mut still)
            .encode(&image.rgba, image.width, image.height, ::image_webp::ColorType::Rgba8)
            .map_err(|error| ImageError::write(WEBP, error))?;
        // Skip the file header: the chunks of a still image go inside the frame's chunk.
        let Some(bitstream) = still.get(12..) else {
            return Err(ImageError::write(WEBP, "the encoder made no image"));
        };
        let mut frame = Vec::with_capacity(16 + bitstream.len());
        for number in [0, 0, image.width.saturating_sub(1), image.height.saturating_sub(1), u32::from(delay)]
        {
            frame.extend(three_bytes(number)?);
        }
        // No blending with the previous frame, no disposal.
        frame.push(0b10);
        frame.extend_from_slice(bitstream);
        Ok(frame)
    }

    fn add(&mut self, frame: Vec<u8>) -> Result<(), ImageError> {
        self.chunk(b"ANMF", &frame)
    }

    /// Writes the file's length at the start.
    fn finish(mut self) -> Result<(), ImageError> {
        let too_long = || ImageError::write(WEBP, "a file holds at most 4 GiB");
        let bytes = u32::try_from(self.bytes).map_err(|_| too_long())?;
        self.out.seek(SeekFrom::Start(4))?;
        self.out.write_all(&bytes.to_le_bytes())?;
        Ok(self.out.flush()?)
    }
}

/// A number as 24 bits, little-endian.
fn three_bytes(number: u32) -> Result<[u8; 3], ImageError> {
    match number.to_le_bytes() {
        [a, b, c, 0] => Ok([a, b, c]),
        _ => Err(ImageError::write(WEBP, format!("{number} does not fit into 24 bits"))),
    }
}
