//! Point caches: vertices that another program moved, frame by frame, as a second model beside the one whose vertices they
//! are. Nothing that compares or draws the two needs to know that one was a cache.

mod assembly;
mod fitted;
#[cfg(test)]
mod tests;

pub use fitted::{CacheError, CacheFacts, Cached};

use crate::vertices::{Given, Moments, Options, ReadError, moments, read};

/// Frames of vertices, which are read one at a time.
#[derive(Clone, Debug)]
pub struct PointCache {
    /// The file, or a file for each frame.
    files: Vec<Vec<u8>>,
    extension: String,
    moments: Moments,
}

impl PointCache {
    /// The endings of files that have frames.
    pub const ENDINGS: [&str; 4] = ["pc2", "mdd", "npy", "ply"];

    /// The maximum number of frames: each is a morph target, which every pose samples.
    pub const MAX_FRAMES: usize = 10_000;

    /// Reads the header of a file with this extension, without its dot.
    ///
    /// # Errors
    /// As [`read`].
    pub fn new(bytes: Vec<u8>, extension: &str) -> Result<Self, ReadError> {
        let moments = moments(&bytes, extension)?;
        Ok(Self { files: vec![bytes], extension: extension.to_owned(), moments })
    }

    /// Takes a file for each frame, with the frames' numbers in ascending order.
    pub fn of_files(files: Vec<(u64, Vec<u8>)>, extension: &str) -> Self {
        let first = files.first().map_or(0, |(number, _)| *number);
        let frames = files.iter().map(|(number, _)| number.saturating_sub(first) as f64).collect();
        let files = files.into_iter().map(|(_, bytes)| bytes).collect();
        Self { files, extension: extension.to_owned(), moments: Moments::Frames(frames) }
    }

    /// Returns the number of frames.
    pub fn len(&self) -> usize {
        self.moments.len()
    }

    /// Returns true without frames.
    pub fn is_empty(&self) -> bool {
        self.moments.is_empty()
    }

    /// Reads a frame.
    fn frame(&self, number: usize) -> Result<Given, ReadError> {
        let frame = |file: &Vec<u8>, frame| {
            read(file, &self.extension, &Options { frame: Some(frame), ..Options::default() })
        };
        match self.files.as_slice() {
            [file] => frame(file, number),
            files => files.get(number).map_or(Err(ReadError::Empty), |file| frame(file, 0)),
        }
    }
}
