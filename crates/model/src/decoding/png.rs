//! Decodes PNG: palettes, low bit depths and transparent colours become whole channels; 16 bits stay.

use std::io::{BufRead, Cursor, Seek};

use png::{BitDepth, Decoder, DecodingError, Reader, Transformations};

use super::{DecodeError, Format, Layout, Limits, Pixels};

/// Reads the layout from the header of a PNG.
pub fn look(bytes: &[u8], limits: Limits) -> Result<Layout, DecodeError> {
    open(Cursor::new(bytes), limits).map(|(_, layout)| layout)
}

/// Decodes a PNG; of an animation, the first frame.
pub fn decode<R: BufRead + Seek>(source: R, limits: Limits) -> Result<Pixels, DecodeError> {
    let (mut reader, layout) = open(source, limits)?;
    let mut samples = limits.room(layout)?;
    reader.next_frame(&mut samples).map_err(fault)?;
    Ok(Pixels { layout, samples })
}

fn open<R: BufRead + Seek>(source: R, limits: Limits) -> Result<(Reader<R>, Layout), DecodeError> {
    let bytes = usize::try_from(limits.bytes).unwrap_or(usize::MAX);
    let mut decoder = Decoder::new_with_limits(source, png::Limits { bytes });
    let info = decoder.read_header_info().map_err(fault)?;
    let (width, height) = info.size();
    limits.check([width, height])?;
    decoder.set_transformations(Transformations::EXPAND);
    let reader = decoder.read_info().map_err(fault)?;
    let (color, depth) = reader.output_color_type();
    let is_deep = match depth {
        BitDepth::Eight => false,
        BitDepth::Sixteen => true,
        BitDepth::One | BitDepth::Two | BitDepth::Four => {
            let found = format!("{} bits of {color:?}", depth as u8);
            return Err(DecodeError::Unsupported(Format::Png, found));
        }
    };
    // One to four.
    let channels = color.samples() as u8;
    Ok((reader, Layout { width, height, channels, is_deep }))
}

fn fault(error: DecodingError) -> DecodeError {
    match error {
        DecodingError::IoError(error) => DecodeError::Io(error),
        DecodingError::LimitsExceeded => DecodeError::Memory,
        other => DecodeError::Format(Format::Png, other.to_string()),
    }
}
