//! Files, written whole or not at all.

use std::path::Path;

use pyo3::prelude::*;
use sinew_system::output::{Inputs, write};

use crate::error::{Kind, failure};

/// Writes a file. One that exists is replaced only if asked for.
pub fn whole(py: Python<'_>, path: &Path, bytes: &[u8], overwrite: bool) -> PyResult<()> {
    let name = path.display().to_string();
    let fault = |cause: String| failure(py, Kind::Output, cause, Some(&name));
    if !overwrite && path.symlink_metadata().is_ok() {
        return Err(fault("the file exists; give overwrite=True to replace it".to_owned()));
    }
    py.detach(|| {
        let output = Inputs::none().close().output(path).map_err(|error| error.to_string())?;
        write(&output, |out| out.write_all(bytes)).map_err(|error| error.to_string())
    })
    .map_err(fault)
}
