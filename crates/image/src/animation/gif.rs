//! Writes animated GIFs.

use std::io::Write;

use ::gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};

use super::{Container, Frames};
use crate::{Image, ImageError};

/// The format's name in messages.
const GIF: &str = "GIF";

/// The coarseness of the encoder's search for 256 colours, from 1 to 30.
const COARSENESS: i32 = 10;

/// A GIF under construction.
pub struct Gif<W: Write>(Encoder<W>);

impl<W: Write> Gif<W> {
    /// Begins a file that loops forever.
    pub fn new(out: W, frames: &Frames) -> Result<Self, ImageError> {
        let [width, height] = [side(frames.size[0])?, side(frames.size[1])?];
        let mut encoder = Encoder::new(out, width, height, &[]).map_err(failed)?;
        encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
        Ok(Self(encoder))
    }
}

impl<W: Write> Container for Gif<W> {
    type Frame = Frame<'static>;

    const TICKS: f64 = 100.0;

    fn encode(image: Image, delay: u16, _: Option<u8>) -> Result<Self::Frame, ImageError> {
        let mut frame = frame(image, delay)?;
        frame.make_lzw_pre_encoded();
        Ok(frame)
    }

    fn add(&mut self, frame: Self::Frame) -> Result<(), ImageError> {
        self.0.write_lzw_pre_encoded_frame(&frame).map_err(failed)
    }

    fn finish(self) -> Result<(), ImageError> {
        Ok(self.0.into_inner().map_err(failed)?.flush()?)
    }
}

fn side(side: u32) -> Result<u16, ImageError> {
    u16::try_from(side)
        .map_err(|_| ImageError::write(GIF, format!("it is at most {} pixels wide and high", u16::MAX)))
}

/// Makes an uncompressed frame.
fn frame(image: Image, delay: u16) -> Result<Frame<'static>, ImageError> {
    let [width, height] = [side(image.width)?, side(image.height)?];
    let mut rgba = image.rgba;
    for pixel in rgba.chunks_exact_mut(4) {
        // A pixel of a GIF is either opaque or transparent.
        if let [.., alpha] = pixel {
            if *alpha >= 128 {
                *alpha = 255;
            } else {
                pixel.fill(0);
            }
        }
    }
    let mut frame = Frame::from_rgba_speed(width, height, &mut rgba, COARSENESS);
    frame.delay = delay;
    // This frame must not show through the transparent pixels of the next.
    frame.dispose = DisposalMethod::Background;
    Ok(frame)
}

fn failed(error: EncodingError) -> ImageError {
    match error {
        EncodingError::Io(error) => ImageError::Io(error),
        other => ImageError::write(GIF, other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A full frame and then a half-transparent one, through which the first must not show.
    #[test]
    fn frames_do_not_shine_through() {
        let full = Image { width: 2, height: 1, rgba: vec![200, 10, 10, 255, 200, 10, 10, 255] };
        let half = Image { width: 2, height: 1, rgba: vec![10, 200, 10, 255, 0, 0, 0, 0] };
        let mut file = std::io::Cursor::new(Vec::new());
        let mut gif =
            Gif::new(&mut file, &Frames { size: [2, 1], count: 2, per_second: 10.0, lossy: None }).unwrap();
        for image in [full, half] {
            gif.add(Gif::<&mut Vec<u8>>::encode(image, 10, None).unwrap()).unwrap();
        }
        gif.finish().unwrap();
        file.set_position(0);
        let mut options = ::gif::DecodeOptions::new();
        options.set_color_output(::gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(file).unwrap();
        let first = decoder.read_next_frame().unwrap().unwrap();
        assert_eq!((first.left, first.top, first.width, first.height), (0, 0, 2, 1));
        assert_eq!(first.dispose, DisposalMethod::Background);
        // The first frame is cleared, so the second's transparent pixels stay transparent.
        let second = decoder.read_next_frame().unwrap().unwrap();
        assert_eq!((second.left, second.top, second.width, second.height), (0, 0, 2, 1));
        assert_eq!([second.buffer[3], second.buffer[7]], [255, 0]);
    }

    #[test]
    fn a_pixel_is_there_or_not() {
        let rgba = vec![9, 9, 9, 127, 200, 10, 10, 128, 0, 0, 0, 255, 5, 5, 5, 0];
        let frame = frame(Image { width: 2, height: 2, rgba }, 4).unwrap();
        let clear: Vec<bool> = frame.buffer.iter().map(|index| Some(*index) == frame.transparent).collect();
        assert_eq!(clear, [true, false, false, true]);
        assert_eq!(frame.delay, 4);
    }
}
