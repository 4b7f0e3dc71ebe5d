//! Poses of a model.

use std::sync::Arc;

use numpy::PyArrayDyn;
use pyo3::prelude::*;
use sinew_scene::pose_file;
use sinew_skinning::cpu::{Settings, Threads};
use sinew_skinning::pose::PoseChoice;
use sinew_skinning::world_from_bind;

use crate::arrays::array;
use crate::error::usage;
use crate::model::Model;
use crate::skin::{Skinned, mode_of};
use crate::work::begin_work;

/// A pose of a model.
#[pyclass(frozen, module = "sinew")]
pub struct Pose {
    /// The model.
    pub model: Py<Model>,
    /// The choice.
    pub choice: PoseChoice,
    pose: sinew_skinning::pose::Pose,
}

impl Pose {
    /// Poses a model.
    pub fn new(model: &Bound<'_, Model>, choice: PoseChoice) -> Self {
        let mut pose = sinew_skinning::pose::Pose::default();
        pose.set(&model.get().model, &choice);
        Self { model: model.clone().unbind(), choice, pose }
    }

    /// Returns the transforms.
    pub fn posed(&self) -> &sinew_skinning::pose::Pose {
        &self.pose
    }
}

#[pymethods]
impl Pose {
    /// The seconds at which its clips are.
    #[getter]
    fn time(&self) -> f64 {
        self.choice.time_secs()
    }

    /// The kind: "bind", "rest" or "clips", which may also be edits over the rest pose.
    #[getter]
    fn kind(&self) -> &'static str {
        match self.choice {
            PoseChoice::Bind => "bind",
            PoseChoice::Rest => "rest",
            PoseChoice::SkinSpace(_) => "skin-space",
            PoseChoice::Clips(_) => "clips",
        }
    }

    /// Skins all that the model draws, on all cores.
    #[pyo3(signature = (mode = "lbs"))]
    fn skin(&self, py: Python<'_>, mode: &str) -> PyResult<Skinned> {
        let mode = mode_of(py, mode)?;
        begin_work()?;
        let model = self.model.get();
        let settings = Settings { threads: Threads::Pool, ..Settings::default() };
        let skinned =
            py.detach(|| model.with_layout(|layout| layout.skin(&model.model, mode, &self.pose, &settings)));
        Skinned::of(py, &model.model, skinned.map_err(|error| usage(py, error))?)
    }

    /// The matrices that move vertices from the bind pose to the world: (joints, 4, 4) of float64, for column vectors.
    ///
    /// They are the same in every mode: modes differ in how they blend them.
    #[pyo3(signature = (mode = "lbs", *, skin = 0))]
    fn palette<'py>(
        &self,
        py: Python<'py>,
        mode: &str,
        skin: usize,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        mode_of(py, mode)?;
        let skins = &self.model.get().model.skins;
        let found = skins.get(skin);
        let found =
            found.ok_or_else(|| usage(py, format!("no skin {skin}; the model has {}", skins.len())))?;
        let matrices = world_from_bind(found, &self.pose);
        let numbers = matrices.iter().flat_map(|matrix| matrix.transpose().to_cols_array()).collect();
        array(py, numbers, &[matrices.len(), 4, 4])
    }

    /// The pose as the content of a pose file.
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        let PoseChoice::Clips(mix) = &self.choice else {
            return Err(usage(py, "the bind pose and the rest pose have no pose file"));
        };
        let mut bytes = Vec::new();
        let written = pose_file::write(mix, &self.model.get().model, &mut bytes);
        written.map_err(|error| usage(py, error))?;
        String::from_utf8(bytes).map_err(|error| usage(py, error))
    }

    fn __repr__(&self) -> String {
        let model = &self.model.get().model;
        let what = match &self.choice {
            PoseChoice::Bind => "bind".to_owned(),
            PoseChoice::Rest => "rest".to_owned(),
            PoseChoice::SkinSpace(_) => "skin-space".to_owned(),
            PoseChoice::Clips(mix) => {
                let name = |clip: usize| model.clips.get(clip).map_or("", |clip| clip.name.as_str());
                let clips: Vec<String> = mix.all().map(|clip| format!("{:?}", name(clip))).collect();
                format!("{} at {:.4} s", clips.join(" + "), mix.time_secs)
            }
        };
        format!("<sinew.Pose {what}>")
    }
}

/// Shares the model of a pose.
pub fn model_of(pose: &Pose) -> Arc<sinew_model::Model> {
    Arc::clone(&pose.model.get().model)
}
