//! Decodes WebP, lossy and lossless.

use std::io::Cursor;

use image_webp::{DecodingError, WebPDecoder};

use super::{DecodeError, Format, Layout, Limits, Pixels};

type Decoder<'a> = WebPDecoder<Cursor<&'a [u8]>>;

/// Reads the layout from the header of a WebP.
pub fn look(bytes: &[u8], limits: Limits) -> Result<Layout, DecodeError> {
    open(bytes, limits).map(|(_, layout)| layout)
}

/// Decodes a WebP; of an animation, the first frame.
pub fn decode(bytes: &[u8], limits: Limits) -> Result<Pixels, DecodeError> {
    let (mut decoder, layout) = open(bytes, limits)?;
    let mut samples = limits.room(layout)?;
    decoder.read_image(&mut samples).map_err(fault)?;
    Ok(Pixels { layout, samples })
}

fn open(bytes: &[u8], limits: Limits) -> Result<(Decoder<'_>, Layout), DecodeError> {
    let decoder = WebPDecoder::new(Cursor::new(bytes)).map_err(fault)?;
    let (width, height) = decoder.dimensions();
    limits.check([width, height])?;
    let channels = if decoder.has_alpha() { 4 } else { 3 };
    Ok((decoder, Layout { width, height, channels, is_deep: false }))
}

fn fault(error: DecodingError) -> DecodeError {
    match error {
        DecodingError::IoError(error) => DecodeError::Io(error),
        other => DecodeError::Format(Format::WebP, other.to_string()),
    }
}
