//! Pictures that the program has drawn.

use std::path::PathBuf;

use numpy::PyArrayDyn;
use pyo3::prelude::*;
use sinew_image::read_png;

use crate::arrays::array;
use crate::error::{Kind, failure};

/// Reads a PNG: (height, width, 4) of uint8.
#[pyfunction]
pub fn pixels<'py>(py: Python<'py>, path: PathBuf) -> PyResult<Bound<'py, PyArrayDyn<u8>>> {
    let image = py.detach(|| read_png(&path));
    let image = image.map_err(|error| failure(py, Kind::Input, error, Some(&path.display().to_string())))?;
    let [width, height] = [image.width, image.height].map(|side| side as usize);
    array(py, image.rgba, &[height, width, 4])
}
