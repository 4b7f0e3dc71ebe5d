//! The Python package `sinew`: models, poses and skinned vertices as arrays of NumPy. It must not compute anything itself;
//! the crates below it do.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

mod arrays;
mod clip;
mod error;
mod judge;
mod methods;
mod model;
mod picture;
mod pose;
mod skin;
mod work;
mod write;

/// The compiled part of the package; `sinew/__init__.py` gives it its public names.
#[pyo3::pymodule]
mod _sinew {
    use pyo3::prelude::*;
    use pyo3::types::PyTuple;
    use sinew_skinning::SkinningMode;

    #[pymodule_export]
    use crate::clip::Clip;
    #[pymodule_export]
    use crate::model::{Model, load};
    #[pymodule_export]
    use crate::picture::pixels;
    #[pymodule_export]
    use crate::pose::Pose;
    #[pymodule_export]
    use crate::skin::{Mesh, Skinned, Vertices, skin};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let names = PyTuple::new(module.py(), SkinningMode::ALL.map(SkinningMode::name))?;
        module.add("MODES", names)
    }
}
