//! The methods of a model in Python.

use std::path::PathBuf;
use std::sync::Arc;

use numpy::PyArrayDyn;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use sinew_model::gltf::write_glb;
use sinew_scene::pose_file;
use sinew_skinning::pairing::{find_clip, no_clip};
use sinew_skinning::pose::{Blend, ClipMix, PoseChoice};
use sinew_skinning::posed::count_vertices;

use crate::arrays::array;
use crate::clip::Clip;
use crate::error::{Kind, failure, usage};
use crate::judge;
use crate::model::Model;
use crate::pose::Pose;

#[pymethods]
impl Model {
    /// The clips, in the file's order.
    #[getter]
    fn clips(slf: &Bound<'_, Self>) -> PyResult<Vec<Clip>> {
        (0..slf.get().model.clips.len()).map(|index| Clip::of(slf, index)).collect()
    }

    /// A clip by its name or number.
    fn clip(slf: &Bound<'_, Self>, name: &Bound<'_, PyAny>) -> PyResult<Clip> {
        let index = slf.get().find(name)?;
        Clip::of(slf, index)
    }

    /// The names of the joints of each skin, in the palette's order.
    #[getter]
    fn joints(&self) -> Vec<Vec<String>> {
        let name = |node: &usize| self.model.rig.names.get(*node).cloned().unwrap_or_default();
        self.model.skins.iter().map(|skin| skin.joints.iter().map(name).collect()).collect()
    }

    /// The names of the meshes, in the file's order.
    #[getter]
    fn meshes(&self) -> Vec<String> {
        self.model.meshes.iter().map(|mesh| mesh.name.clone()).collect()
    }

    /// The triangles of each drawn primitive: (triangles, 3) of uint32, indices of its vertices.
    #[getter]
    fn triangles<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyArrayDyn<u32>>>> {
        let meshes = self.model.instances.iter().filter_map(|instance| self.model.meshes.get(instance.mesh));
        let triangles = |primitive: &sinew_model::Primitive| {
            let is_surface = primitive.topology == sinew_model::Topology::Triangles;
            let indices = if is_surface { primitive.indices.as_chunks::<3>().0 } else { &[] };
            array(py, indices.as_flattened().to_vec(), &[indices.len(), 3])
        };
        meshes.flat_map(|mesh| &mesh.primitives).map(triangles).collect()
    }

    /// The joints and weights of each drawn primitive, for `Mesh`: (vertices, influences) of uint16 and of float32, or None
    /// if no skin moves it. Joints are rows of the palette.
    #[getter]
    fn influences<'py>(&self, py: Python<'py>) -> PyResult<Vec<Option<Influences<'py>>>> {
        let mut found = Vec::new();
        for instance in &self.model.instances {
            let mesh = self.model.meshes.get(instance.mesh);
            for primitive in mesh.into_iter().flat_map(|mesh| &mesh.primitives) {
                let of = primitive.influences.as_ref().filter(|_| instance.skin.is_some());
                found.push(of.map(|of| influences(py, of, primitive.positions.len())).transpose()?);
            }
        }
        Ok(found)
    }

    /// The faults that loading repaired, one line each.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        let line = |warning: &sinew_model::Warning| {
            format!("{}: {} [{}]", warning.path, warning.message, warning.code)
        };
        self.model.warnings.iter().map(line).collect()
    }

    /// The number of vertices that are drawn.
    #[getter]
    fn vertices(&self) -> u64 {
        count_vertices(&self.model)
    }

    /// The mode that the file's author chose, if the file names one.
    #[getter]
    fn mode(&self) -> Option<&'static str> {
        sinew_skinning::SkinningMode::authored(&self.model).map(sinew_skinning::SkinningMode::name)
    }

    /// A pose: of a clip at a time in seconds or at a frame, of the file's own transforms ("rest"), without skinning
    /// ("bind"), or of a pose file or its content as a dict (`over`).
    ///
    /// `joints` and `morphs` are edits over it, as in pose files: {"head": {"rotation": [x, y, z, w]}}.
    #[pyo3(signature = (clip = None, *, time = None, frame = None, over = None, blends = None, joints = None, morphs = None))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords of Python")]
    fn pose(
        slf: &Bound<'_, Self>,
        clip: Option<&Bound<'_, PyAny>>,
        time: Option<f64>,
        frame: Option<f64>,
        over: Option<&Bound<'_, PyAny>>,
        blends: Option<&Bound<'_, PyDict>>,
        joints: Option<&Bound<'_, PyDict>>,
        morphs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Pose> {
        let py = slf.py();
        let model = &slf.get().model;
        let mut mix = match over {
            Some(over) => slf.get().posed(over)?,
            None => ClipMix::default(),
        };
        let word = clip.and_then(|clip| clip.extract::<String>().ok());
        let is_clip = |name: &str| find_clip(model, name).is_some();
        match word.as_deref() {
            Some("bind") if !is_clip("bind") => {
                let has_edits = joints.is_some() || morphs.is_some() || over.is_some() || blends.is_some();
                if has_edits || time.is_some() || frame.is_some() {
                    return Err(usage(py, "the bind pose takes no time, clips or edits"));
                }
                return Ok(Pose::new(slf, PoseChoice::Bind));
            }
            Some("rest") if !is_clip("rest") => mix.clips.clear(),
            _ => {
                if let Some(clip) = clip {
                    mix.clips = vec![slf.get().find(clip)?];
                }
            }
        }
        // A copy, as reading a weight may run the caller's code, which may change the dict.
        let blends: Vec<_> = blends.into_iter().flatten().collect();
        for (name, weight) in blends {
            let weight: f64 = weight.extract()?;
            if !(0.0..=1.0).contains(&weight) {
                return Err(usage(py, format!("blends: {weight} is not a weight from 0 to 1")));
            }
            mix.blends.push(Blend { clip: slf.get().find(&name)?, weight });
        }
        let at = match (time, frame) {
            (Some(_), Some(_)) => return Err(usage(py, "give time or frame, not both")),
            (Some(time), None) => Some(time),
            (None, Some(frame)) => Some(frame / model.frame_rate()),
            (None, None) => None,
        };
        match at {
            Some(at) if !at.is_finite() => return Err(usage(py, "the time is not a finite number")),
            Some(_) if mix.clips.is_empty() => return Err(usage(py, "a time needs a clip")),
            Some(at) => mix.time_secs = at,
            None if over.is_none() => mix.time_secs = model.period_of_all(mix.all()).start,
            None => {}
        }
        let edits = slf.get().edits(joints, morphs)?;
        for (node, edit) in edits.joints() {
            mix.edits.put_joint(node, edit.clone());
        }
        for (node, target, edit) in edits.weights() {
            mix.edits.put_weight(node, target, edit.clone());
        }
        let is_rest = mix.clips.is_empty() && mix.blends.is_empty() && mix.edits.is_empty();
        Ok(Pose::new(slf, if is_rest { PoseChoice::Rest } else { PoseChoice::Clips(mix) }))
    }

    /// Writes the model as glTF (.glb) to a path, whole or not at all. Other files are not overwritten unless asked to.
    #[pyo3(signature = (path, *, overwrite = false))]
    fn save(&self, py: Python<'_>, path: PathBuf, overwrite: bool) -> PyResult<()> {
        let bytes = py.detach(|| write_glb(&self.model));
        let bytes = bytes.map_err(|error| failure(py, Kind::Input, error, Some(&self.name)))?;
        crate::write::whole(py, &path, &bytes, overwrite)
    }

    /// Names the skinning that made vertices, as `sinew diagnose` does. Without a pose, all clips are searched.
    ///
    /// `vertices` is (vertices, 3), or a list of such arrays, one a primitive; `normals` likewise.
    #[pyo3(signature = (vertices, *, normals = None, pose = None, progress = None))]
    fn diagnose(
        slf: &Bound<'_, Self>,
        vertices: &Bound<'_, PyAny>,
        normals: Option<&Bound<'_, PyAny>>,
        pose: Option<&Bound<'_, Pose>>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        judge::diagnose(slf, vertices, normals, pose, progress)
    }

    /// Reports on the weights, as `sinew inspect --weights` does; `volume` takes longer than all the rest.
    #[pyo3(signature = (*, volume = false))]
    fn weights(slf: &Bound<'_, Self>, volume: bool) -> PyResult<Py<PyAny>> {
        judge::weights(slf, volume)
    }

    /// The numbers behind a vertex in a pose of a clip at a time, or in a pose of `pose()`.
    ///
    /// A vertex is its number among all that are drawn, or a name such as "node5:1:280".
    #[pyo3(signature = (vertex, clip = None, time = None, *, pose = None))]
    fn explain(
        slf: &Bound<'_, Self>,
        vertex: &Bound<'_, PyAny>,
        clip: Option<&Bound<'_, PyAny>>,
        time: Option<f64>,
        pose: Option<&Bound<'_, Pose>>,
    ) -> PyResult<Py<PyAny>> {
        match pose {
            Some(_) if clip.is_some() || time.is_some() => {
                Err(usage(slf.py(), "give a pose, or a clip and a time"))
            }
            Some(pose) => {
                judge::check_own(slf, pose)?;
                judge::explain(pose, vertex)
            }
            None => {
                let pose = Self::pose(slf, clip, time, None, None, None, None, None)?;
                judge::explain(&Bound::new(slf.py(), pose)?, vertex)
            }
        }
    }

    /// Draws a picture: an array (height, width, 4) of uint8 that a notebook shows.
    ///
    /// Keywords are the program's flags: mode="dqs", clip="Run", time=0.35, size=(640, 480), view="weights"; `pose` takes
    /// a pose of `pose()` too.
    #[pyo3(signature = (**flags))]
    fn draw(slf: &Bound<'_, Self>, flags: Option<&Bound<'_, PyDict>>) -> PyResult<Py<PyAny>> {
        program(slf, "draw", (slf,), flags)
    }

    /// Measures what the modes do to volume, edges and cross-sections, as `sinew report` does: the content of report.json.
    ///
    /// `output` keeps the folder with its page and pictures.
    #[pyo3(signature = (output = None, **flags))]
    fn report(
        slf: &Bound<'_, Self>,
        output: Option<PathBuf>,
        flags: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Py<PyAny>> {
        program(slf, "report", (slf, output), flags)
    }

    /// Writes a clip's skinned vertices as morph targets (.glb) or as a point cache, as `sinew bake` does.
    #[pyo3(signature = (path, **flags))]
    fn bake(slf: &Bound<'_, Self>, path: PathBuf, flags: Option<&Bound<'_, PyDict>>) -> PyResult<Py<PyAny>> {
        program(slf, "bake", (slf, path), flags)
    }

    /// The bytes that it was loaded from, if that was not a path.
    #[getter(_bytes)]
    fn bytes<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.bytes.as_ref().map(|bytes| PyBytes::new(py, bytes))
    }

    /// The options that it was loaded with, as flags of the program.
    #[getter(_flags)]
    fn flags(&self) -> Vec<String> {
        self.flags.clone()
    }

    /// The path that it was loaded from.
    #[getter(_path)]
    fn path(&self) -> Option<PathBuf> {
        self.path.clone()
    }

    fn __repr__(&self) -> String {
        let Self { model, name, .. } = self;
        format!(
            "<sinew.Model {name:?}: {} vertices, {} joints, {} clips>",
            count_vertices(model),
            model.skins.iter().map(|skin| skin.joints.len()).sum::<usize>(),
            model.clips.len()
        )
    }
}

impl Model {
    /// Finds a clip by name or number.
    fn find(&self, asked: &Bound<'_, PyAny>) -> PyResult<usize> {
        let py = asked.py();
        if let Ok(index) = asked.extract::<usize>() {
            let count = self.model.clips.len();
            return match index < count {
                true => Ok(index),
                false => Err(usage(py, format!("no clip {index}; the model has {count}"))),
            };
        }
        if let Ok(clip) = asked.cast::<Clip>() {
            return match Arc::ptr_eq(clip.get().of_model(), &self.model) {
                true => Ok(clip.get().index),
                false => Err(usage(py, "clip: it is a clip of another model")),
            };
        }
        let name: String = asked.extract().map_err(|_| usage(py, "a clip is a name or a number"))?;
        find_clip(&self.model, &name)
            .ok_or_else(|| failure(py, Kind::Input, no_clip(&self.model, &name), Some(&self.name)))
    }

    /// Reads a pose file, or a dict with the content of one.
    fn posed(&self, over: &Bound<'_, PyAny>) -> PyResult<ClipMix> {
        let py = over.py();
        let (mix, name) = if over.is_instance_of::<PyDict>() {
            (pose_file::parse(json(over)?.as_bytes(), &self.model), "over".to_owned())
        } else {
            let path: PathBuf = over.extract()?;
            (pose_file::load(&path, &self.model), path.display().to_string())
        };
        mix.map_err(|error| failure(py, Kind::Input, error, Some(&name)))
    }

    /// Reads edits, as a pose file has them.
    fn edits(
        &self,
        joints: Option<&Bound<'_, PyDict>>,
        morphs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<sinew_skinning::pose::Edits> {
        let Some(py) = joints.or(morphs).map(|dict| dict.py()) else { return Ok(Default::default()) };
        let document = PyDict::new(py);
        document.set_item("sinew-pose", pose_file::VERSION)?;
        for (key, dict) in [("joints", joints), ("morphs", morphs)] {
            if let Some(dict) = dict {
                document.set_item(key, dict)?;
            }
        }
        let mix = pose_file::parse(json(document.as_any())?.as_bytes(), &self.model);
        Ok(mix.map_err(|error| usage(py, error))?.edits)
    }
}

/// Joints and weights as arrays.
type Influences<'py> = (Bound<'py, PyArrayDyn<u16>>, Bound<'py, PyArrayDyn<f32>>);

/// Returns joints and weights, vertex by vertex. "No joint" becomes a joint without weight.
fn influences<'py>(
    py: Python<'py>,
    of: &sinew_model::Influences,
    vertices: usize,
) -> PyResult<Influences<'py>> {
    let spans = of.spans.len().max(1);
    let rows = (0..vertices).flat_map(|vertex| (0..spans).map(move |span| of.of_vertex(span, vertex)));
    let slots = rows.flat_map(|(joints, weights)| joints.into_iter().zip(weights));
    let (joints, weights) = slots
        .map(|(joint, weight)| u16::try_from(joint).map_or((0, 0.0), |joint| (joint, weight)))
        .unzip::<_, _, Vec<_>, Vec<_>>();
    let shape = [vertices, spans.saturating_mul(4)];
    Ok((array(py, joints, &shape)?, array(py, weights, &shape)?))
}

/// Calls a function of `sinew/_program.py`, which runs the program.
fn program<'py>(
    model: &Bound<'py, Model>,
    name: &str,
    arguments: impl pyo3::call::PyCallArgs<'py>,
    flags: Option<&Bound<'py, PyDict>>,
) -> PyResult<Py<PyAny>> {
    model.py().import("sinew._program")?.getattr(name)?.call(arguments, flags).map(Bound::unbind)
}

/// Returns the JSON of an object, as the module `json` writes it; arrays of NumPy become lists.
fn json(value: &Bound<'_, PyAny>) -> PyResult<String> {
    let py = value.py();
    let options = PyDict::new(py);
    options.set_item("default", py.import("sinew._errors")?.getattr("plain")?)?;
    let text = py.import("json")?.call_method("dumps", (value,), Some(&options));
    text.map_err(|error| usage(py, error.value(py).to_string()))?.extract()
}
