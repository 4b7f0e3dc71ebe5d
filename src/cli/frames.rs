//! What commands of many frames share: how far they are, and why one that writes them stops.

use std::io;
use std::path::Path;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::failure::Failure;
use crate::export::ExportError;
use crate::output::Output;

/// Why writing a file stopped.
pub enum Stop {
    /// The frame could not be had.
    Frame(Failure),
    /// The file could not be written.
    Write(ExportError),
}

impl<E: Into<ExportError>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Write(error.into())
    }
}

impl Stop {
    /// The failure of a file that does not go into its place.
    pub fn at(place: &Path, error: io::Error) -> Self {
        Self::Frame(Failure::output(place, error))
    }

    /// The failure of a file.
    pub fn on(self, place: &Output) -> Failure {
        match self {
            Self::Frame(failure) => failure,
            Self::Write(cause) => Failure::output(place.path(), cause),
        }
    }
}

/// A progress bar; it shows only on a terminal.
pub fn bar(frames: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(frames), ProgressDrawTarget::stderr());
    // If the template fails to parse, the default bar remains.
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} frames, {eta} left");
    style.map_or(bar.clone(), |style| bar.with_style(style))
}
