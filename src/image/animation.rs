//! Writes animations, frame by frame: APNG, GIF and WebP.

use std::io::{Seek, Write};

use super::error::encoding;
use super::png::encoder;
use super::webp::Webp;
use super::{Image, ImageError, Notes};

/// The format of an animation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnimationFormat {
    /// Full colour; programs that know only PNG show the first frame.
    Apng,
    /// 256 colours per frame.
    Gif,
    /// Full colour.
    Webp,
}

impl AnimationFormat {
    /// The file extension.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Apng => "apng",
            Self::Gif => "gif",
            Self::Webp => "webp",
        }
    }

    /// The name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Apng => "APNG",
            Self::Gif => "GIF",
            Self::Webp => "WebP",
        }
    }

    /// The longest side in pixels.
    pub const fn longest_side(self) -> u32 {
        match self {
            Self::Apng => u32::MAX >> 1,
            Self::Gif => u16::MAX as u32,
            // The lossless bitstream has 14 bits for each side.
            Self::Webp => 1 << 14,
        }
    }

    /// The highest frame rate. Browsers slow down GIFs with delays below 1/50 s.
    pub const fn most_per_second(self) -> f64 {
        match self {
            Self::Apng | Self::Webp => 1000.0,
            Self::Gif => 50.0,
        }
    }

    /// Time units per second in the file.
    const fn ticks(self) -> f64 {
        match self {
            Self::Apng | Self::Webp => 1000.0,
            Self::Gif => 100.0,
        }
    }
}

/// The lowest frame rate: delays have 16 bits.
pub const FEWEST_PER_SECOND: f64 = 0.1;

/// An animation file that loops forever.
pub struct Animation<W: Write + Seek> {
    encoder: Encoder<W>,
    format: AnimationFormat,
    per_second: f64,
    size: [u32; 2],
    written: u32,
}

enum Encoder<W: Write + Seek> {
    Apng(Box<::png::Writer<W>>),
    Gif(Box<::gif::Encoder<W>>),
    Webp(Webp<W>),
}

impl<W: Write + Seek> Animation<W> {
    /// Begins a file of `frames` frames; `per_second` must be within the format's limits. Only an APNG stores the
    /// notes.
    pub fn new(
        out: W,
        format: AnimationFormat,
        size: [u32; 2],
        frames: u32,
        per_second: f64,
        notes: &Notes,
    ) -> Result<Self, ImageError> {
        let encoder = match format {
            AnimationFormat::Apng => {
                let mut encoder = encoder(out, size, notes)?;
                encoder.set_animated(frames, 0).map_err(encoding)?;
                Encoder::Apng(Box::new(encoder.write_header().map_err(encoding)?))
            }
            AnimationFormat::Gif => {
                let [width, height] = [gif_side(size[0])?, gif_side(size[1])?];
                let mut encoder = ::gif::Encoder::new(out, width, height, &[]).map_err(gif_error)?;
                encoder.set_repeat(::gif::Repeat::Infinite).map_err(gif_error)?;
                Encoder::Gif(Box::new(encoder))
            }
            AnimationFormat::Webp => Encoder::Webp(Webp::new(out, size)?),
        };
        Ok(Self { encoder, format, per_second, size, written: 0 })
    }

    /// Adds a frame.
    pub fn push(&mut self, image: Image) -> Result<(), ImageError> {
        let pixels = u64::from(self.size[0]) * u64::from(self.size[1]);
        if [image.width, image.height] != self.size || image.rgba.len() as u64 != pixels * 4 {
            return Err(ImageError::write(self.format.name(), "the frames differ in size"));
        }
        let delay = delay(self.written, self.per_second, self.format.ticks());
        self.written = self.written.saturating_add(1);
        match &mut self.encoder {
            Encoder::Apng(writer) => {
                let (numerator, denominator) = match self.per_second.fract() == 0.0 {
                    true => (1, self.per_second as u16),
                    false => (delay, 1000),
                };
                writer.set_frame_delay(numerator, denominator).map_err(encoding)?;
                writer.write_image_data(&image.rgba).map_err(encoding)
            }
            Encoder::Gif(encoder) => encoder.write_frame(&gif_frame(image, delay)?).map_err(gif_error),
            Encoder::Webp(webp) => webp.push(&image, delay),
        }
    }

    /// Finishes the file.
    pub fn finish(self) -> Result<(), ImageError> {
        match self.encoder {
            Encoder::Apng(writer) => writer.finish().map_err(encoding),
            Encoder::Gif(encoder) => Ok(encoder.into_inner().map_err(gif_error)?.flush()?),
            Encoder::Webp(webp) => webp.finish(),
        }
    }
}

/// The delay of a frame, rounded so that every frame ends as near to its exact time as the unit allows.
fn delay(number: u32, per_second: f64, ticks: f64) -> u16 {
    let end = |number: u32| (f64::from(number) * ticks / per_second).round();
    (end(number.saturating_add(1)) - end(number)).clamp(1.0, f64::from(u16::MAX)) as u16
}

fn gif_side(side: u32) -> Result<u16, ImageError> {
    u16::try_from(side)
        .map_err(|_| ImageError::write("GIF", format!("it is at most {} pixels wide and high", u16::MAX)))
}

fn gif_frame(image: Image, delay: u16) -> Result<::gif::Frame<'static>, ImageError> {
    let [width, height] = [gif_side(image.width)?, gif_side(image.height)?];
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
    let mut frame = ::gif::Frame::from_rgba_speed(width, height, &mut rgba, 10);
    frame.delay = delay;
    // This frame must not show through the transparent pixels of the next.
    frame.dispose = ::gif::DisposalMethod::Background;
    Ok(frame)
}

fn gif_error(error: ::gif::EncodingError) -> ImageError {
    match error {
        ::gif::EncodingError::Io(error) => ImageError::Io(error),
        other => ImageError::write("GIF", other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_add_up() {
        for (per_second, ticks, frames) in
            [(30.0, 100.0, 30), (24.0, 100.0, 48), (29.97, 1000.0, 2997), (12.5, 100.0, 25), (7.0, 100.0, 7)]
        {
            let sum: u32 = (0..frames).map(|number| u32::from(delay(number, per_second, ticks))).sum();
            assert_eq!(sum, (f64::from(frames) * ticks / per_second).round() as u32, "{per_second}");
        }
        // At 30 per second, in hundredths: 3.33…, never 2 and never 5.
        assert_eq!((0..6).map(|number| delay(number, 30.0, 100.0)).collect::<Vec<_>>(), [3, 4, 3, 3, 4, 3]);
    }

    /// A full frame and then a half transparent one, through which nothing of the first shows.
    #[test]
    fn frames_of_a_gif_do_not_shine_through() {
        let full = Image { width: 2, height: 1, rgba: vec![200, 10, 10, 255, 200, 10, 10, 255] };
        let half = Image { width: 2, height: 1, rgba: vec![10, 200, 10, 255, 0, 0, 0, 0] };
        let mut file = std::io::Cursor::new(Vec::new());
        let notes = Notes::default();
        let mut gif = Animation::new(&mut file, AnimationFormat::Gif, [2, 1], 2, 10.0, &notes).unwrap();
        gif.push(full).unwrap();
        gif.push(half).unwrap();
        gif.finish().unwrap();
        file.set_position(0);
        let mut options = ::gif::DecodeOptions::new();
        options.set_color_output(::gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(file).unwrap();
        let first = decoder.read_next_frame().unwrap().unwrap();
        assert_eq!((first.left, first.top, first.width, first.height), (0, 0, 2, 1));
        assert_eq!(first.dispose, ::gif::DisposalMethod::Background);
        // The first frame is cleared, so the second's transparent pixels stay transparent.
        let second = decoder.read_next_frame().unwrap().unwrap();
        assert_eq!((second.left, second.top, second.width, second.height), (0, 0, 2, 1));
        assert_eq!([second.buffer[3], second.buffer[7]], [255, 0]);
    }

    #[test]
    fn a_pixel_of_a_gif_is_there_or_not() {
        let rgba = vec![9, 9, 9, 127, 200, 10, 10, 128, 0, 0, 0, 255, 5, 5, 5, 0];
        let frame = gif_frame(Image { width: 2, height: 2, rgba }, 4).unwrap();
        let clear: Vec<bool> = frame.buffer.iter().map(|index| Some(*index) == frame.transparent).collect();
        assert_eq!(clear, [true, false, false, true]);
        assert_eq!(frame.delay, 4);
    }
}
