//! Writes the materials of OBJ files beside them: one `.mtl` file, and the pictures that it names.

use std::path::Path;

use crate::export::Library;
use crate::image::{Image, ImageError, write_png};
use crate::model::{Model, Picture};
use crate::output::{self, Closed, Output};

use crate::cli::terminal::failure::Failure;

/// The materials of an OBJ file, with their destinations.
pub struct Materials<'a> {
    pub library: Library<'a>,
    file: Output,
    pictures: Vec<(Output, &'a Picture)>,
}

impl<'a> Materials<'a> {
    /// Returns a model's materials for the OBJ file `path`; `None` if it has none.
    ///
    /// # Errors
    /// If one of the files is an input.
    pub fn of(model: &'a Model, path: &Path, inputs: &Closed) -> Result<Option<Self>, Failure> {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let Some(library) = Library::new(model, &stem) else { return Ok(None) };
        let file = inputs.numbered(path.with_file_name(library.file()))?;
        let place = |(name, picture)| Ok((inputs.numbered(path.with_file_name(name))?, picture));
        let pictures = library.pictures().map(place).collect::<Result<_, Failure>>()?;
        Ok(Some(Self { library, file, pictures }))
    }

    /// Writes all of them.
    pub fn write(&self) -> Result<(), Failure> {
        for (place, picture) in &self.pictures {
            let Picture { width, height, rgba } = picture;
            let image = Image { width: *width, height: *height, rgba: rgba.clone() };
            output::write(place, |out| write_png(&image, out))
                .map_err(|cause: ImageError| Failure::output(place.path(), cause))?;
        }
        output::write(&self.file, |out| self.library.write(out))
            .map_err(|cause| Failure::output(self.file.path(), cause))
    }
}

/// Writes a file and those beside it: all, or none.
///
/// # Errors
/// If one cannot be written, or is an input.
pub fn write_all(
    out: &Output,
    bytes: &[u8],
    beside: &[(String, Vec<u8>)],
    inputs: &Closed,
) -> Result<(), Failure> {
    let mut all = Vec::new();
    for (name, bytes) in beside {
        all.push((inputs.numbered(out.path().with_file_name(name))?, bytes.as_slice()));
    }
    let all = all.iter().map(|(place, bytes)| (place, *bytes)).chain([(out, bytes)]);
    let work = || {
        for (place, bytes) in all {
            output::write(place, |stream| stream.write_all(bytes))
                .map_err(|cause| Failure::output(place.path(), cause))?;
        }
        Ok(())
    };
    output::together(work, Failure::output)
}
