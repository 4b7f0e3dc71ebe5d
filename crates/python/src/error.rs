//! Failures as the package's exceptions, which `sinew/_errors.py` defines.

use std::fmt::Display;

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// The kind of a failure, as the program's exit codes have it.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A file is at fault: exit code 1.
    Input,
    /// The caller's arguments are: exit code 2.
    Usage,
    /// A result could not be written: exit code 5.
    Output,
}

impl Kind {
    fn class(self) -> &'static str {
        match self {
            Self::Input => "InputError",
            Self::Usage => "UsageError",
            Self::Output => "OutputError",
        }
    }
}

/// Makes an exception of the package.
pub fn failure(py: Python<'_>, kind: Kind, cause: impl Display, file: Option<&str>) -> PyErr {
    static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let module = MODULE.get_or_try_init(py, || py.import("sinew._errors").map(Bound::unbind));
    let made = module.and_then(|module| {
        let class = module.bind(py).getattr(kind.class())?.cast_into::<PyType>()?;
        class.call1((cause.to_string(), file))
    });
    made.map_or_else(|error| error, PyErr::from_value)
}

/// Makes the exception of an argument that cannot be used.
pub fn usage(py: Python<'_>, cause: impl Display) -> PyErr {
    failure(py, Kind::Usage, cause, None)
}
