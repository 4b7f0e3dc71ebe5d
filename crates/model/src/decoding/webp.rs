//! Decodes WebP, lossy and lossless.

use std::io::Cursor;

use image_webp::{DecodingError, WebPDecoder};

use super::{DecodeError, Format, Limits, Pixels, Shape};

type Decoder<'a> = WebPDecoder<Cursor<&'a [u8]>>;

/// Reads the shape from the header of a WebP.
pub fn look(bytes: &[u8], limits: Limits) -> Result<Shape, DecodeError> {
    open(bytes, limits).map(|(_, shape)| shape)
}

/// Decodes a WebP; of an animation, the first frame.
pub fn decode(bytes: &[u8], limits: Limits) -> Result<Pixels, DecodeError> {
    let (mut decoder, shape) = open(bytes, limits)?;
    let mut samples = limits.room(shape)?;
    decoder.read_image(&mut samples).map_err(fault)?;
    Ok(Pixels { shape, samples })
}

fn open(bytes: &[u8], limits: Limits) -> Result<(Decoder<'_>, Shape), DecodeError> {
    let decoder = WebPDecoder::new(Cursor::new(bytes)).map_err(fault)?;
    let (width, height) = decoder.dimensions();
    limits.check([width, height])?;
    let channels = if decoder.has_alpha() { 4 } else { 3 };
    Ok((decoder, Shape { width, height, channels, is_deep: false }))
}

fn fault(error: DecodingError) -> DecodeError {
    match error {
        DecodingError::IoError(error) => DecodeError::Io(error),
        other => DecodeError::Format(Format::WebP, other.to_string()),
    }
}
