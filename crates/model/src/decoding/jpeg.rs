//! Decodes JPEG: grey stays grey, everything else becomes RGB.

use zune_jpeg::JpegDecoder;
use zune_jpeg::errors::DecodeErrors;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use super::{DecodeError, Format, Layout, Limits, Pixels};

/// Reads the layout from the header of a JPEG.
pub fn look(bytes: &[u8], limits: Limits) -> Result<Layout, DecodeError> {
    open(bytes, limits).map(|(layout, _)| layout)
}

/// Decodes a JPEG.
pub fn decode(bytes: &[u8], limits: Limits) -> Result<Pixels, DecodeError> {
    let (layout, color) = open(bytes, limits)?;
    let mut samples = limits.room(layout)?;
    let options = options().jpeg_set_out_colorspace(color);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_into(&mut samples).map_err(fault)?;
    Ok(Pixels { layout, samples })
}

/// The layout of the pixels, and the decoder's colour space for it.
fn open(bytes: &[u8], limits: Limits) -> Result<(Layout, ColorSpace), DecodeError> {
    if is_uneven(bytes) {
        return Err(DecodeError::Unsupported(
            Format::Jpeg,
            "its first component is not the finest".to_owned(),
        ));
    }
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options());
    decoder.decode_headers().map_err(fault)?;
    let (Some(size), Some(color)) = (decoder.dimensions(), decoder.input_colorspace()) else {
        return Err(DecodeError::Format(Format::Jpeg, "there is no frame".to_owned()));
    };
    let [width, height] = <[usize; 2]>::from(size).map(|side| u32::try_from(side).unwrap_or(u32::MAX));
    limits.check([width, height])?;
    let (color, channels) = match color {
        ColorSpace::Luma => (color, 1),
        ColorSpace::LumaA => (color, 2),
        ColorSpace::RGBA => (color, 4),
        _ => (ColorSpace::RGB, 3),
    };
    Ok((Layout { width, height, channels, is_deep: false }, color))
}

/// Returns true if a component has more samples than the first one. Encoders make brightness the finest, and the
/// decoder panics otherwise. All frame headers are checked, including the one that the decoder finds: bytes of a scan
/// never look like one.
fn is_uneven(bytes: &[u8]) -> bool {
    let headers = bytes.windows(2).enumerate().filter(|(_, pair)| matches!(pair, [0xff, 0xc0..=0xc2]));
    headers.filter_map(|(at, _)| samplings(bytes.get(at + 2..)?)).any(|samplings| {
        let mut samplings = samplings.map(|both| (both >> 4, both & 15));
        let Some((width, height)) = samplings.next() else { return false };
        samplings.any(|(wide, high)| wide > width || high > height)
    })
}

/// The samplings of the components of a frame header, each as two numbers of four bits, if its length is right.
fn samplings(header: &[u8]) -> Option<impl Iterator<Item = u8>> {
    let length = u16::from_be_bytes(*header.first_chunk()?);
    let count = usize::from(*header.get(7)?);
    let components = header.get(8..8 + 3 * count).filter(|_| usize::from(length) == 8 + 3 * count)?;
    Some(components.chunks_exact(3).filter_map(|component| component.get(1).copied()))
}

/// Tolerates truncated files; the caller limits the size.
fn options() -> DecoderOptions {
    DecoderOptions::default().set_strict_mode(false).set_max_width(usize::MAX).set_max_height(usize::MAX)
}

fn fault(error: DecodeErrors) -> DecodeError {
    match error {
        DecodeErrors::Unsupported(scheme) => DecodeError::Unsupported(Format::Jpeg, format!("{scheme:?}")),
        DecodeErrors::LargeDimensions(_) => DecodeError::Side,
        // Some of its messages end in a line break.
        other => DecodeError::Format(Format::Jpeg, other.to_string().replace('\n', " ").trim().to_owned()),
    }
}
