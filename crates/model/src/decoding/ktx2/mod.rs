//! Decodes KTX2 textures: Basis Universal (ETC1S and UASTC) and plain RGB and RGBA, supercompressed or not. Of all levels,
//! layers and faces, the first is decoded.

#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

mod bits;
mod canvas;
mod codes;
mod etc1s;
mod header;
mod slices;
mod uastc;
mod uastc_modes;
mod zstandard;

use super::{DecodeError, Format, Layout, Limits, Pixels};
use canvas::Canvas;
use header::{Header, Kind};

pub use header::SIGNATURE;

/// Reads the layout from the header.
pub fn look(bytes: &[u8], limits: Limits) -> Result<Layout, DecodeError> {
    open(bytes, limits).map(|header| header.layout)
}

/// Decodes the first image.
pub fn decode(bytes: &[u8], limits: Limits) -> Result<Pixels, DecodeError> {
    let header = open(bytes, limits)?;
    let layout = header.layout;
    let mut samples = limits.room(layout)?;
    match header.kind {
        Kind::Plain => header.level(bytes, &mut samples)?,
        Kind::Uastc => {
            let mut canvas = Canvas::new(&mut samples, layout);
            let [columns, rows] = canvas.blocks();
            let size = (columns as u64).saturating_mul(rows as u64).saturating_mul(uastc::BLOCK_BYTES as u64);
            if size > limits.bytes {
                return Err(DecodeError::Memory);
            }
            // An unpacked block has 64 bytes, so this is at most a quarter of the samples, up to whole blocks.
            let mut blocks = vec![0; size as usize];
            header.level(bytes, &mut blocks)?;
            uastc::draw(&blocks, &mut canvas).ok_or_else(|| broken("a block is damaged"))?;
            canvas.spread(header.is_two);
        }
        Kind::Etc1s => {
            let mut canvas = Canvas::new(&mut samples, layout);
            let parts = header.etc1s_parts(bytes).ok_or_else(cut)?;
            etc1s::draw(&parts, &mut canvas).ok_or_else(|| broken("its compressed data is damaged"))?;
            canvas.spread(header.is_two);
        }
    }
    Ok(Pixels { layout, samples })
}

fn open(bytes: &[u8], limits: Limits) -> Result<Header, DecodeError> {
    let header = Header::read(bytes)?;
    limits.check([header.layout.width, header.layout.height])?;
    Ok(header)
}

fn cut() -> DecodeError {
    broken("it is cut off")
}

fn broken(message: &str) -> DecodeError {
    DecodeError::Format(Format::Ktx2, message.to_owned())
}

fn unsupported(message: String) -> DecodeError {
    DecodeError::Unsupported(Format::Ktx2, message)
}
