//! Answers about a model: the skinning that made vertices, the numbers behind a vertex, faults in weights. Each is the JSON
//! that the program prints with `--json`, read by Python.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyList;
use serde::Serialize;
use sinew_analysis::diagnose::{Asked, Question, ask};
use sinew_analysis::vertices::{Given, Part, Stored};
use sinew_model::{VertexIndex, VertexName};

use crate::arrays::rows;
use crate::error::{Kind, failure, usage};
use crate::model::Model;
use crate::pose::{Pose, model_of};
use crate::work::{aside, begin_work};

/// Returns an answer as objects of Python.
fn objects<T: Serialize>(py: Python<'_>, answer: &T) -> PyResult<Py<PyAny>> {
    let text = serde_json::to_string(answer).map_err(|error| usage(py, error))?;
    py.import("sinew._answers")?.call_method1("parse", (text,)).map(Bound::unbind)
}

/// Names the skinning that made vertices; `pose` is searched if it is None.
///
/// `vertices` is (vertices, 3), or a list of such arrays, one a primitive; `normals` likewise.
pub fn diagnose(
    model: &Bound<'_, Model>,
    vertices: &Bound<'_, PyAny>,
    normals: Option<&Bound<'_, PyAny>>,
    pose: Option<&Bound<'_, Pose>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Py<PyAny>> {
    let py = model.py();
    begin_work()?;
    let given = given(vertices, normals)?;
    let of = Arc::clone(&model.get().model);
    pose.map_or(Ok(()), |pose| check_own(model, pose))?;
    let choice = pose.map(|pose| pose.get().choice.clone());
    let answer = aside(py, progress.as_ref(), move |watch| {
        let asked = choice.as_ref().map_or(Asked::Search(None), Asked::At);
        ask(&Question { model: &of, given: &given, bind: None, asked, expected: None, watch })
    })?;
    let name = &model.get().name;
    objects(py, &answer.map_err(|error| failure(py, Kind::Input, error, Some(name)))?)
}

/// Reads vertices: one array, or a list with one for each primitive.
fn given(vertices: &Bound<'_, PyAny>, normals: Option<&Bound<'_, PyAny>>) -> PyResult<Given> {
    let py = vertices.py();
    let list = |value: &Bound<'_, PyAny>| -> PyResult<Vec<Py<PyAny>>> {
        match value.cast::<PyList>() {
            Ok(list) if list.iter().all(|item| item.hasattr("dtype").unwrap_or_default()) => {
                Ok(list.iter().map(Bound::unbind).collect())
            }
            _ => Ok(vec![value.clone().unbind()]),
        }
    };
    let positions = list(vertices)?;
    let normals = normals.map(list).transpose()?;
    if normals.as_ref().is_some_and(|normals| normals.len() != positions.len()) {
        return Err(usage(py, "normals: there must be as many arrays as of vertices"));
    }
    let mut stored = Stored::F64;
    let mut parts = Vec::new();
    for (number, array) in positions.iter().enumerate() {
        let array = array.bind(py);
        let positions = rows::<f64, 3>(array, "vertices")?.to_vec()?;
        let kind: Option<String> =
            array.getattr("dtype").and_then(|dtype| dtype.getattr("str")?.extract()).ok();
        stored = match (kind.as_deref().and_then(|kind| kind.get(1..)), stored) {
            (Some("f2"), _) | (_, Stored::F16) => Stored::F16,
            (Some("f4"), _) | (_, Stored::F32) => Stored::F32,
            (_, other) => other,
        };
        let normals = match normals.as_ref().and_then(|normals| normals.get(number)) {
            Some(array) => Some(rows::<f64, 3>(array.bind(py), "normals")?.to_vec()?),
            None => None,
        };
        if normals.as_ref().is_some_and(|normals| normals.len() != positions.len()) {
            return Err(usage(py, format!("normals: not as many as the {} vertices", positions.len())));
        }
        parts.push(Part { positions, normals, ..Part::default() });
    }
    if parts.iter().all(|part| part.positions.is_empty()) {
        return Err(usage(py, "vertices: there are none"));
    }
    Ok(Given { parts, stored })
}

/// Checks that a pose is one of this model.
pub fn check_own(model: &Bound<'_, Model>, pose: &Bound<'_, Pose>) -> PyResult<()> {
    match Arc::ptr_eq(&model_of(pose.get()), &model.get().model) {
        true => Ok(()),
        false => Err(usage(model.py(), "pose: it is a pose of another model")),
    }
}

/// Explains a vertex: its number among all drawn vertices, or its name, such as `node5:1:280`.
pub fn explain(pose: &Bound<'_, Pose>, vertex: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    let py = pose.py();
    begin_work()?;
    let pose = pose.get();
    let model = model_of(pose);
    let index = match vertex.extract::<usize>() {
        Ok(number) => numbered(&model, number).ok_or_else(|| usage(py, format!("no vertex {number}")))?,
        Err(_) => {
            let name: VertexName =
                vertex.extract::<String>()?.parse().map_err(|error| usage(py, format!("vertex: {error}")))?;
            name.find(&model).map_err(|error| usage(py, format!("vertex: {error}")))?
        }
    };
    let explained = py.detach(|| sinew_analysis::explain::explain(&model, pose.posed(), index));
    objects(py, &explained.map_err(|error| usage(py, error))?)
}

/// Returns the vertex with this number among all that the model draws.
fn numbered(model: &sinew_model::Model, mut number: usize) -> Option<VertexIndex> {
    for (instance, drawn) in model.instances.iter().enumerate() {
        let mesh = model.meshes.get(drawn.mesh)?;
        for (primitive, of) in mesh.primitives.iter().enumerate() {
            match number.checked_sub(of.positions.len()) {
                None => return Some(VertexIndex { instance, primitive, vertex: number }),
                Some(rest) => number = rest,
            }
        }
    }
    None
}

/// Reports on a model's weights.
pub fn weights(model: &Bound<'_, Model>, volume: bool) -> PyResult<Py<PyAny>> {
    let py = model.py();
    begin_work()?;
    let of = Arc::clone(&model.get().model);
    let report = aside(py, None, move |_| sinew_analysis::weights::report(&of, volume))?;
    objects(py, &report)
}
