//! Clips: their times, and all their frames at once.

use std::sync::Arc;

use numpy::PyArrayDyn;
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use sinew_skinning::cpu::{Settings, Threads};
use sinew_skinning::pose::PoseChoice;
use sinew_skinning::posed::count_vertices;

use crate::arrays::array;
use crate::error::usage;
use crate::model::{Model, rate};
use crate::skin::mode_of;
use crate::work::{Progress, begin_work};

/// A clip of a model.
#[pyclass(frozen, module = "sinew")]
pub struct Clip {
    model: Py<Model>,
    /// Its index in the file.
    #[pyo3(get)]
    pub index: usize,
    /// Its name; empty if the file gives none.
    #[pyo3(get)]
    name: String,
    /// The seconds at which it begins.
    #[pyo3(get)]
    start: f64,
    /// The seconds at which it ends.
    #[pyo3(get)]
    end: f64,
}

impl Clip {
    /// Describes a clip of a model.
    pub fn of(model: &Bound<'_, Model>, index: usize) -> PyResult<Self> {
        let of = &model.get().model;
        let clip = of.clips.get(index).ok_or_else(|| usage(model.py(), format!("no clip {index}")))?;
        let period = of.period_of(clip);
        Ok(Self {
            model: model.clone().unbind(),
            index,
            name: clip.name.clone(),
            start: period.start,
            end: period.end,
        })
    }

    /// Returns its model.
    pub fn of_model(&self) -> &Arc<sinew_model::Model> {
        &self.model.get().model
    }
}

#[pymethods]
impl Clip {
    /// The times of its frames at so many a second, from its start to its end.
    #[pyo3(signature = (fps = None))]
    fn times(&self, py: Python<'_>, fps: Option<f64>) -> PyResult<Vec<f64>> {
        let fps = rate(py, fps)?.unwrap_or_else(|| self.model.get().model.frame_rate());
        let last = ((self.end - self.start) * fps + 1e-6).floor();
        if last > MAX_FRAMES {
            return Err(usage(py, format!("fps: {fps} makes more than {MAX_FRAMES} frames")));
        }
        Ok((0..=last as u64).map(|frame| self.start + frame as f64 / fps).collect())
    }

    /// The positions of all drawn vertices in every frame: an array (frames, vertices, 3) of float32.
    #[pyo3(signature = (mode = "lbs", *, fps = None, progress = None))]
    fn skin<'py>(
        &self,
        py: Python<'py>,
        mode: &str,
        fps: Option<f64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        let mode = mode_of(py, mode)?;
        begin_work()?;
        let times = self.times(py, fps)?;
        let model = self.model.get();
        let vertices = count_vertices(&model.model);
        let numbers = usize::try_from(vertices).ok().and_then(|count| count.checked_mul(3));
        let numbers = numbers.and_then(|numbers| numbers.checked_mul(times.len()));
        let mut all: Vec<f32> = Vec::new();
        if numbers.is_none_or(|numbers| all.try_reserve_exact(numbers).is_err()) {
            let text = format!("{} frames of {vertices} vertices do not fit in memory", times.len());
            return Err(PyMemoryError::new_err(text));
        }
        let progress = Progress::new(progress.as_ref());
        let settings = Settings { threads: Threads::Pool, ..Settings::default() };
        py.detach(|| -> PyResult<()> {
            let mut pose = sinew_skinning::pose::Pose::default();
            for (frame, time) in (0_u32..).zip(&times) {
                pose.set(&model.model, &PoseChoice::clip(self.index, *time));
                let skinned = model.with_layout(|layout| {
                    layout.skin_each(&model.model, mode, &pose, &settings, |primitive| {
                        all.extend_from_slice(primitive.positions.as_flattened());
                    })
                });
                skinned.map_err(|error| Python::attach(|py| usage(py, error)))?;
                progress.tell((f64::from(frame) + 1.0) / times.len() as f64)?;
            }
            Ok(())
        })?;
        array(py, all, &[times.len(), vertices as usize, 3])
    }

    fn __repr__(&self) -> String {
        format!("<sinew.Clip {}: {:?}, {:.3} s to {:.3} s>", self.index, self.name, self.start, self.end)
    }
}

/// The largest number of frames of one call.
const MAX_FRAMES: f64 = 10_000_000.0;
