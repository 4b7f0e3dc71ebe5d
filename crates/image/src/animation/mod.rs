//! Files of many frames: APNG, GIF, WebP and video. All cores encode frames while the next ones are drawn, and the frames
//! are written in order.

mod apng;
mod check;
mod ffmpeg;
mod format;
mod gif;
mod in_order;
mod rate;
mod webp;
mod y4m;

pub use format::{AnimationFormat, MIN_PER_SECOND, VideoFormat};
pub use in_order::in_order;

use std::io::{Seek, Write};
use std::path::Path;

use self::apng::Apng;
use self::ffmpeg::Ffmpeg;
use self::gif::Gif;
use self::webp::Webp;
use self::y4m::Y4m;
use super::{Image, ImageError, Notes};
pub use ffmpeg::end_encoders;

/// The frames of an animation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frames {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// The number of frames.
    pub count: u32,
    /// Frames per second, within the format's limits.
    pub per_second: f64,
    /// The quality from 1 to 100 for a format with lossy compression; `None` is lossless.
    pub lossy: Option<u8>,
}

/// Writes an APNG that loops forever. `draw` makes one frame after the other.
///
/// # Errors
/// If `draw` fails, a frame differs in size, or `out` cannot be written.
pub fn write_apng<E: From<ImageError>>(
    frames: &Frames,
    notes: &Notes,
    out: impl Write,
    draw: impl FnMut(u32) -> Result<Image, E>,
) -> Result<(), E> {
    fill(Apng::new(out, frames, notes)?, frames, draw)
}

/// Writes a GIF like [`write_apng`]; it has no notes.
///
/// # Errors
/// As [`write_apng`].
pub fn write_gif<E: From<ImageError>>(
    frames: &Frames,
    out: impl Write,
    draw: impl FnMut(u32) -> Result<Image, E>,
) -> Result<(), E> {
    fill(Gif::new(out, frames)?, frames, draw)
}

/// Writes a WebP like [`write_apng`], and its length at its start.
///
/// # Errors
/// As [`write_apng`].
pub fn write_webp<E: From<ImageError>>(
    frames: &Frames,
    notes: &Notes,
    out: impl Write + Seek,
    draw: impl FnMut(u32) -> Result<Image, E>,
) -> Result<(), E> {
    fill(Webp::new(out, frames, notes)?, frames, draw)
}

/// Writes uncompressed frames like [`write_apng`]; they have no notes.
///
/// # Errors
/// As [`write_apng`].
pub fn write_y4m<E: From<ImageError>>(
    frames: &Frames,
    out: impl Write,
    draw: impl FnMut(u32) -> Result<Image, E>,
) -> Result<(), E> {
    fill(Y4m::new(out, frames)?, frames, draw)
}

/// Writes a video like [`write_apng`]. ffmpeg writes the file, and may leave a part of it after an error.
///
/// # Errors
/// As [`write_apng`], and if ffmpeg is missing, fails, or omits frames.
pub fn write_video<E: From<ImageError>>(
    format: VideoFormat,
    frames: &Frames,
    notes: &Notes,
    file: &Path,
    draw: impl FnMut(u32) -> Result<Image, E>,
) -> Result<(), E> {
    fill(Ffmpeg::new(file, format, frames, notes)?, frames, draw)?;
    Ok(check::holds_frames(format, file, frames.count)?)
}

/// A file under construction. Any thread may encode a frame; one thread adds them.
trait Container: Sized {
    /// An encoded frame.
    type Frame: Send + 'static;

    /// Delay units per second.
    const TICKS: f64;

    /// Encodes a frame with a duration of `delay` units. Formats with lossy compression use the quality `lossy`.
    fn encode(image: Image, delay: u16, lossy: Option<u8>) -> Result<Self::Frame, ImageError>;

    /// Adds the next frame.
    fn add(&mut self, frame: Self::Frame) -> Result<(), ImageError>;

    /// Finishes the file.
    fn finish(self) -> Result<(), ImageError>;
}

fn fill<C: Container, E: From<ImageError>>(
    mut file: C,
    frames: &Frames,
    mut draw: impl FnMut(u32) -> Result<Image, E>,
) -> Result<(), E> {
    let Frames { size, count, per_second, lossy } = *frames;
    let jobs = (0..count).map(|number| {
        let image = draw(number)?;
        let delay = delay(number, per_second, C::TICKS);
        Ok(move || match image.is_whole(size) {
            true => C::encode(image, delay, lossy),
            false => Err(ImageError::write("an animation", "the frames differ in size")),
        })
    });
    in_order(jobs, |frame| Ok::<(), E>(file.add(frame?)?))?;
    Ok(file.finish()?)
}

/// Returns the delay of a frame, rounded so that every frame ends as near to its exact time as the unit allows.
fn delay(number: u32, per_second: f64, ticks: f64) -> u16 {
    let end = |number: u32| (f64::from(number) * ticks / per_second).round();
    (end(number.saturating_add(1)) - end(number)).clamp(1.0, f64::from(u16::MAX)) as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

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

    /// Writes black frames in all formats that need no other program; the second has `missing` bytes too few.
    fn written(missing: usize) -> [Result<Vec<u8>, ImageError>; 4] {
        let frames = Frames { size: [2, 1], count: 2, per_second: 10.0, lossy: None };
        let notes = Notes::default();
        let draw =
            |number: u32| Ok(Image { width: 2, height: 1, rgba: vec![0; 8 - number as usize * missing] });
        // Bytes before the file stay as they are.
        type Written<'a> = &'a dyn Fn(&mut Cursor<Vec<u8>>) -> Result<(), ImageError>;
        let file = |write: Written<'_>| {
            let mut out = Cursor::new(b"before".to_vec());
            out.set_position(6);
            write(&mut out)?;
            assert_eq!(out.position(), out.get_ref().len() as u64);
            Ok(out.into_inner())
        };
        [
            file(&|out| write_apng(&frames, &notes, out, draw)),
            file(&|out| write_gif(&frames, out, draw)),
            file(&|out| write_webp(&frames, &notes, out, draw)),
            file(&|out| write_y4m(&frames, out, draw)),
        ]
    }

    #[test]
    fn animations_are_written_to_memory() {
        let starts = [&b"before\x89PNG"[..], b"beforeGIF89a", b"beforeRIFF", b"beforeYUV4MPEG2"];
        for (file, start) in written(0).into_iter().zip(starts) {
            let file = file.unwrap();
            assert!(file.starts_with(start), "{file:?}");
            if start.ends_with(b"RIFF") {
                assert_eq!(file[10..14], (file.len() as u32 - 14).to_le_bytes());
            }
        }
    }

    #[test]
    fn frames_of_another_size_are_an_error() {
        for written in written(1) {
            let error = written.unwrap_err().to_string();
            assert!(error.contains("differ in size"), "{error}");
        }
    }
}
