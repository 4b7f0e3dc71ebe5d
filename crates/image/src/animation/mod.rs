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

pub use format::{AnimationFormat, MIN_PER_SECOND};
pub use in_order::in_order;

use std::io;

use self::apng::Apng;
use self::ffmpeg::Ffmpeg;
use self::gif::Gif;
use self::webp::Webp;
use self::y4m::Y4m;
use super::{Image, ImageError, Notes};
pub use ffmpeg::end_encoders;
use sinew_system::output::{self, Output};

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

/// Draws frames one after the other and writes them to one file, which loops forever if the format supports it.
pub fn write_animation<E: From<ImageError> + From<io::Error>>(
    format: AnimationFormat,
    frames: &Frames,
    notes: &Notes,
    output: &Output,
    draw: impl FnMut(u32) -> Result<Image, E>,
) -> Result<(), E> {
    match format {
        AnimationFormat::Apng => {
            output::write_seekable(output, |file| fill(Apng::new(file, frames, notes)?, frames, draw))
        }
        AnimationFormat::Gif => {
            output::write_seekable(output, |file| fill(Gif::new(file, frames)?, frames, draw))
        }
        AnimationFormat::Webp => {
            output::write_seekable(output, |file| fill(Webp::new(file, frames, notes)?, frames, draw))
        }
        AnimationFormat::Y4m => output::write(output, |out| fill(Y4m::new(out, frames)?, frames, draw)),
        AnimationFormat::Mp4 | AnimationFormat::Mkv | AnimationFormat::Webm => {
            output::write_elsewhere(output, |place| {
                fill(Ffmpeg::new(place, format, frames, notes)?, frames, draw)?;
                Ok(check::holds_frames(format, place, frames.count)?)
            })
        }
    }
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
    use sinew_system::output::Inputs;

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

    #[test]
    fn frames_of_another_size_leave_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let frames = Frames { size: [2, 1], count: 2, per_second: 10.0, lossy: None };
        for format in
            [AnimationFormat::Apng, AnimationFormat::Gif, AnimationFormat::Webp, AnimationFormat::Y4m]
        {
            let output = Inputs::none().close().output(folder.path().join("a")).unwrap();
            let odd = |number| Ok(Image { width: 2, height: 1, rgba: vec![0; 8 - number as usize] });
            let error: ImageError =
                write_animation(format, &frames, &Notes::default(), &output, odd).unwrap_err();
            assert!(error.to_string().contains("differ in size"), "{error}");
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "{format:?}");
        }
    }
}
