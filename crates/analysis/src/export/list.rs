//! Writes several moments to one file: a list in JSON, or arrays with an axis of frames.

use std::io::Write;

use super::npz::Arrays;
use super::{Export, ExportError, Format, Number, npy, write};

/// A file of several moments, which are added in their order.
pub struct List {
    format: Format,
    frames: usize,
    /// The number of moments so far.
    added: usize,
    arrays: Arrays,
}

impl List {
    /// Begins a file with this number of moments; `None` if the format holds one moment only.
    pub fn new(format: Format, frames: usize) -> Option<Self> {
        let holds_several = matches!(format, Format::Json | Format::Npy | Format::Npz);
        holds_several.then(|| Self { format, frames, added: 0, arrays: Arrays::new(Some(frames)) })
    }

    /// Writes the next moment, or keeps it until the end.
    ///
    /// # Errors
    /// If the stream fails, or the moments are too large for the format.
    pub fn add<T: Number>(&mut self, export: &Export<'_, T>, out: &mut dyn Write) -> Result<(), ExportError> {
        let is_first = self.added == 0;
        self.added += 1;
        match self.format {
            Format::Npz => self.arrays.add(export),
            Format::Npy => {
                if is_first {
                    npy::begin(export, Some(self.frames), out)?;
                }
                Ok(npy::positions(export, out)?)
            }
            format => {
                out.write_all(if is_first { b"[" } else { b"," })?;
                write(export, format, out)
            }
        }
    }

    /// Writes the end of the file.
    ///
    /// # Errors
    /// If the stream fails.
    pub fn end(self, out: &mut dyn Write) -> Result<(), ExportError> {
        match self.format {
            Format::Npz => Ok(self.arrays.write(out)?),
            Format::Npy => Ok(()),
            _ => Ok(out.write_all(b"]\n")?),
        }
    }
}
