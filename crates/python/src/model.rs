//! Models, as they are loaded.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sinew_model::gltf::read_file;
use sinew_model::{LoadError, Options, builtin, load_bytes};
use sinew_skinning::posed::{PreparedModel, SharedLayout};

use crate::error::{Kind, failure, usage};
use crate::work::begin_work;

/// A model that was loaded from a file.
#[pyclass(frozen, module = "sinew")]
pub struct Model {
    /// The model.
    pub model: Arc<sinew_model::Model>,
    /// The file's name, or what stands for it.
    #[pyo3(get)]
    pub name: String,
    /// The path that it was loaded from.
    pub path: Option<PathBuf>,
    /// The bytes that it was loaded from, if there is no path.
    pub bytes: Option<Vec<u8>>,
    /// The options that it was loaded with, as flags of the program.
    pub flags: Vec<String>,
    /// Its layout for fast skinning.
    pub layout: SharedLayout,
}

/// Loads a model from a path, from bytes or from a file that is open in binary mode; `builtin:NAME` is a built-in model.
///
/// Files that the model names are read from the folder of a path; models from bytes must have all in one.
#[pyfunction]
#[pyo3(signature = (source, *, scene = None, fps = None))]
pub fn load(source: &Bound<'_, PyAny>, scene: Option<String>, fps: Option<f64>) -> PyResult<Model> {
    let py = source.py();
    begin_work()?;
    let mut flags: Vec<String> = scene.iter().map(|scene| format!("--scene={scene}")).collect();
    flags.extend(fps.map(|fps| format!("--fbx-rate={fps}")));
    let options = Options { scene, fbx_rate: rate(py, fps)?, ..Options::default() };
    let open = |name: String, path: Option<PathBuf>, bytes: Vec<u8>| {
        let base = path.as_deref().and_then(Path::parent);
        let loaded = py.detach(|| load_bytes(&bytes, base, &options));
        let model = Arc::new(loaded.map_err(|error| unusable(py, &error, &name))?.model);
        let bytes = path.is_none().then_some(bytes);
        Ok(Model { model, name, path, bytes, flags, layout: SharedLayout::default() })
    };
    if let Ok(bytes) = source.cast::<PyBytes>() {
        return open("<bytes>".to_owned(), None, bytes.as_bytes().to_vec());
    }
    if source.hasattr("read")? {
        let name = source.getattr("name").and_then(|name| name.extract());
        let bytes: Vec<u8> = source.call_method0("read")?.cast_into::<PyBytes>()?.as_bytes().to_vec();
        return open(name.unwrap_or_else(|_| "<file>".to_owned()), None, bytes);
    }
    let path: PathBuf = source.extract()?;
    let name = path.display().to_string();
    if let Some(asked) = name.strip_prefix("builtin:") {
        let glb = builtin::glb(asked).map_err(|error| failure(py, Kind::Input, error, Some(&name)))?;
        return open(name, Some(path), glb);
    }
    let bytes = py.detach(|| read_file(&path)).map_err(|error| unusable(py, &error, &name))?;
    // The program finds it, too, after the caller has changed the folder.
    open(name, Some(std::path::absolute(&path).unwrap_or(path)), bytes)
}

fn unusable(py: Python<'_>, error: &LoadError, name: &str) -> PyErr {
    failure(py, Kind::Input, error, Some(name))
}

/// Checks a number of frames a second.
pub fn rate(py: Python<'_>, fps: Option<f64>) -> PyResult<Option<f64>> {
    match fps {
        Some(fps) if !(fps.is_finite() && fps > 0.0 && fps <= 1e6) => {
            Err(usage(py, format!("fps: {fps} is not a number of frames a second")))
        }
        fps => Ok(fps),
    }
}

impl Model {
    /// Lays the model out for fast skinning, unless that is done, and hands the layout to `work`.
    pub fn with_layout<T>(
        &self,
        work: impl FnOnce(&mut PreparedModel) -> Result<T, sinew_skinning::cpu::Error>,
    ) -> Result<T, sinew_skinning::cpu::Error> {
        self.layout.with(&self.model, work)
    }
}
