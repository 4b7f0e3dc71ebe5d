//! The reasons for which a command that writes many frames stops.

use std::io;
use std::path::Path;

use crate::cli::terminal::failure::Failure;
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
    /// The failure of a file that cannot be moved to its destination.
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
