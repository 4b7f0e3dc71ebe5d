//! The moments at which a file's frames were made.

use super::{Options, ReadError, cache, format_of, read};

/// The moments of frames, as many as there are frames.
#[derive(Clone, Debug, PartialEq)]
pub enum Moments {
    /// Seconds from the first frame.
    Seconds(Vec<f64>),
    /// Frames from the first one, at a rate that the file does not state.
    Frames(Vec<f64>),
}

impl Moments {
    /// Returns the number of frames.
    pub fn len(&self) -> usize {
        let (Self::Seconds(all) | Self::Frames(all)) = self;
        all.len()
    }

    /// Returns true without frames.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Reads the moments of a file's frames; [`Options::frame`] reads their vertices.
///
/// # Errors
/// As [`read`].
pub fn moments(bytes: &[u8], extension: &str) -> Result<Moments, ReadError> {
    // No file has as many frames, so this is the error that counts them.
    let frames = match read(bytes, extension, &Options { frame: Some(usize::MAX), ..Options::default() }) {
        Err(ReadError::NoFrame { frames, .. }) => frames,
        Err(error) => return Err(error),
        Ok(_) => 1,
    };
    // Frames without vertices take no bytes, however many there are.
    if frames == 0 || frames > bytes.len() {
        return Err(ReadError::Empty);
    }
    let (seconds, step) = match format_of(bytes, extension) {
        "mdd" => (cache::mdd_seconds(bytes), 1.0),
        "pc2" => (None, cache::pc2_step(bytes)),
        _ => (None, 1.0),
    };
    Ok(match seconds.filter(|seconds| seconds.len() == frames) {
        Some(seconds) => Moments::Seconds(seconds),
        None => Moments::Frames((0..frames).map(|frame| frame as f64 * step).collect()),
    })
}
