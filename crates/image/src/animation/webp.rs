//! Writes the container of an animated WebP around frames. `image-webp` encodes them losslessly, and `webp-rust` at a
//! quality.
//!
//! RIFF: <https://developers.google.com/speed/webp/docs/riff_container>

use std::io::{Seek, SeekFrom, Write};

use webp_rust::LossyEncodingConfig;
use webp_rust::encoder::encode_lossy_rgba_to_webp_with_config;

use super::{Container, Frames};
use crate::{Image, ImageError, Notes};

/// The format's name in messages.
const WEBP: &str = "WebP";

/// The size of a chunk's header in bytes.
const HEAD: usize = 8;

/// A WebP file under construction.
pub struct Webp<W: Write + Seek> {
    out: W,
    /// The position of the file in `out`.
    start: u64,
    /// The number of bytes after the size field at the start of the file.
    bytes: u64,
    /// The notes to write after the frames; empty for none.
    notes: String,
}

impl<W: Write + Seek> Webp<W> {
    /// Begins a file that loops forever.
    pub fn new(mut out: W, frames: &Frames, notes: &Notes) -> Result<Self, ImageError> {
        let start = out.stream_position()?;
        out.write_all(b"RIFF\0\0\0\0WEBP")?;
        let notes = if notes.0.is_empty() { String::new() } else { notes.xmp() };
        // Alpha, animation, and XMP if there are notes.
        let parts = if notes.is_empty() { 0b0001_0010 } else { 0b0001_0110 };
        let mut webp = Self { out, start, bytes: 4, notes };
        let mut canvas = vec![parts, 0, 0, 0];
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

    fn encode(image: Image, delay: u16, lossy: Option<u8>) -> Result<Vec<u8>, ImageError> {
        let mut frame = Vec::new();
        for number in [0, 0, image.width.saturating_sub(1), image.height.saturating_sub(1), u32::from(delay)]
        {
            frame.extend(three_bytes(number)?);
        }
        // No blending with the previous frame, no disposal.
        frame.push(0b10);
        match lossy {
            None => lossless(&image, &mut frame)?,
            Some(quality) => lossily(&image, quality, &mut frame)?,
        }
        Ok(frame)
    }

    fn add(&mut self, frame: Vec<u8>) -> Result<(), ImageError> {
        self.chunk(b"ANMF", &frame)
    }

    /// Writes the notes at the end and the file's length at the start.
    fn finish(mut self) -> Result<(), ImageError> {
        let notes = std::mem::take(&mut self.notes);
        if !notes.is_empty() {
            self.chunk(b"XMP ", notes.as_bytes())?;
        }
        let too_long = || ImageError::write(WEBP, "a file holds at most 4 GiB");
        let bytes = u32::try_from(self.bytes).map_err(|_| too_long())?;
        self.out.seek(SeekFrom::Start(self.start + 4))?;
        self.out.write_all(&bytes.to_le_bytes())?;
        self.out.seek(SeekFrom::Start(self.start + 8 + self.bytes))?;
        Ok(self.out.flush()?)
    }
}

/// Adds the chunks of a lossless picture.
fn lossless(image: &Image, frame: &mut Vec<u8>) -> Result<(), ImageError> {
    let mut still = Vec::new();
    // The encoder panics if pixels are missing; the caller has checked the size.
    ::image_webp::WebPEncoder::new(&mut still)
        .encode(&image.rgba, image.width, image.height, ::image_webp::ColorType::Rgba8)
        .map_err(|error| ImageError::write(WEBP, error))?;
    // Skip the file header: the chunks of a still image go inside the frame's chunk.
    frame.extend_from_slice(still.get(12..).ok_or_else(no_image)?);
    Ok(())
}

/// Adds the chunks of a picture at a quality from 1 to 100.
fn lossily(image: &Image, quality: u8, frame: &mut Vec<u8>) -> Result<(), ImageError> {
    // Segments would store flat backgrounds visibly more coarsely.
    let config = LossyEncodingConfig {
        quality: quality.into(),
        segments: 1,
        sns_strength: 0,
        ..LossyEncodingConfig::default()
    };
    let [width, height] = [image.width, image.height].map(|side| side as usize);
    let still = encode_lossy_rgba_to_webp_with_config(width, height, &image.rgba, &config)
        .map_err(|error| ImageError::write(WEBP, format!("{error:?}")))?;
    let mut rest = still.get(12..).ok_or_else(no_image)?;
    while let Some((head, behind)) = rest.split_first_chunk::<HEAD>() {
        let [name @ .., a, b, c, d] = *head;
        let length = u32::from_le_bytes([a, b, c, d]) as usize;
        // Chunks are padded to an even length.
        let whole = length.saturating_add(length % 2).min(behind.len());
        let (content, next) = behind.split_at(whole);
        // A frame has no separate canvas.
        if name != *b"VP8X" {
            frame.extend_from_slice(head);
            frame.extend_from_slice(content);
        }
        rest = next;
    }
    Ok(())
}

fn no_image() -> ImageError {
    ImageError::write(WEBP, "the encoder made no image")
}

/// Encodes a number as 24 bits, little-endian.
fn three_bytes(number: u32) -> Result<[u8; 3], ImageError> {
    match number.to_le_bytes() {
        [a, b, c, 0] => Ok([a, b, c]),
        _ => Err(ImageError::write(WEBP, format!("{number} does not fit into 24 bits"))),
    }
}
