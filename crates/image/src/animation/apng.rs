//! Writes animated PNGs around frames that `png` encodes.
//!
//! Chunks: <https://www.w3.org/TR/png-3/#apng-frame-based-animation>

use std::io::Write;

use ::png::Writer;
use ::png::chunk::{ChunkType, IDAT, acTL, fcTL, fdAT};

use super::{Container, Frames};
use crate::error::encoding;
use crate::png::encoder;
use crate::{Image, ImageError, Notes};

/// Bytes of the signature at the start of a PNG.
const SIGNATURE: usize = 8;

/// An APNG under construction. It carries notes as other PNGs do.
pub struct Apng<W: Write> {
    writer: Writer<W>,
    size: [u32; 2],
    /// The rate, if it is a whole number, which makes delays exact.
    per_second: Option<u16>,
    /// The number of animation chunks with a sequence number so far.
    numbered: u32,
}

/// A frame: the chunks of a PNG that hold its pixels.
pub struct ApngFrame {
    pixels: Vec<Vec<u8>>,
    millis: u16,
}

impl<W: Write> Apng<W> {
    /// Begins a file that loops forever.
    pub fn new(out: W, frames: &Frames, notes: &Notes) -> Result<Self, ImageError> {
        let Frames { size, count, per_second, .. } = *frames;
        let mut writer = encoder(out, size, notes)?.write_header().map_err(encoding)?;
        let [for_ever, frames] = [0, count].map(u32::to_be_bytes);
        writer.write_chunk(acTL, &[frames, for_ever].concat()).map_err(encoding)?;
        let per_second = (per_second.fract() == 0.0).then_some(per_second as u16);
        Ok(Self { writer, size, per_second, numbered: 0 })
    }

    /// Writes a chunk that begins with its sequence number.
    fn numbered(&mut self, kind: ChunkType, content: &[u8]) -> Result<(), ImageError> {
        let number = self.numbered.to_be_bytes();
        self.numbered = self.numbered.saturating_add(1);
        self.writer.write_chunk(kind, &[&number, content].concat()).map_err(encoding)
    }
}

impl<W: Write> Container for Apng<W> {
    type Frame = ApngFrame;

    const TICKS: f64 = 1000.0;

    fn encode(image: Image, delay: u16, _: Option<u8>) -> Result<ApngFrame, ImageError> {
        let mut still = Vec::new();
        let size = [image.width, image.height];
        let mut writer = encoder(&mut still, size, &Notes::default())?.write_header().map_err(encoding)?;
        writer.write_image_data(&image.rgba).map_err(encoding)?;
        writer.finish().map_err(encoding)?;
        Ok(ApngFrame { pixels: pixels(&still), millis: delay })
    }

    fn add(&mut self, frame: ApngFrame) -> Result<(), ImageError> {
        let is_first = self.numbered == 0;
        let (numerator, denominator) = match self.per_second {
            Some(per_second) => (1, per_second),
            None => (frame.millis, 1000),
        };
        let [width, height] = self.size.map(u32::to_be_bytes);
        let mut control = [width, height, [0; 4], [0; 4]].concat();
        control.extend([numerator, denominator].map(u16::to_be_bytes).concat());
        // No disposal, and no blending with the frame before.
        control.extend([0, 0]);
        self.numbered(fcTL, &control)?;
        for pixels in frame.pixels {
            match is_first {
                true => self.writer.write_chunk(IDAT, &pixels).map_err(encoding)?,
                false => self.numbered(fdAT, &pixels)?,
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<(), ImageError> {
        self.writer.finish().map_err(encoding)
    }
}

/// Returns the contents of a PNG's pixel chunks.
fn pixels(png: &[u8]) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    let mut rest = png.get(SIGNATURE..).unwrap_or_default();
    while let Some((length, after)) = rest.split_first_chunk::<4>() {
        let Some((kind, after)) = after.split_first_chunk::<4>() else { break };
        let length = u32::from_be_bytes(*length) as usize;
        let Some((content, after)) = after.split_at_checked(length) else { break };
        if *kind == IDAT.0 {
            found.push(content.to_vec());
        }
        // A checksum ends a chunk.
        rest = after.get(4..).unwrap_or_default();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_read_back_with_their_delays() {
        for (per_second, delay) in [(24.0, (1, 24)), (12.5, (80, 1000))] {
            let images: Vec<Image> = (0..3u8)
                .map(|number| Image {
                    width: 3,
                    height: 2,
                    rgba: (0..24).map(|byte| byte * (number + 1)).collect(),
                })
                .collect();
            let mut file = Vec::new();
            let frames = Frames { size: [3, 2], count: 3, per_second, lossy: None };
            let mut apng = Apng::new(&mut file, &frames, &Notes::default()).unwrap();
            for image in &images {
                apng.add(Apng::<&mut Vec<u8>>::encode(image.clone(), 80, None).unwrap()).unwrap();
            }
            apng.finish().unwrap();
            let mut reader = ::png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
            let animation = *reader.info().animation_control().unwrap();
            assert_eq!((animation.num_frames, animation.num_plays), (3, 0));
            for image in images {
                let mut rgba = vec![0; 24];
                reader.next_frame(&mut rgba).unwrap();
                assert_eq!(rgba, image.rgba);
                let control = reader.info().frame_control().unwrap();
                assert_eq!((control.delay_num, control.delay_den), delay);
            }
        }
    }
}
