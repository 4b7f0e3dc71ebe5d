//! Skinned vertices: of models, and of the caller's own arrays.

use std::slice::Chunks;

use glam::DMat4;
use numpy::{PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use rayon::prelude::*;
use sinew_model::{MAX_INFLUENCES, PrimitiveName};
use sinew_skinning::arrays::{self, Arrays, BadArrays};
use sinew_skinning::cpu::{Out, Settings, Threads};
use sinew_skinning::posed::SkinnedPrimitive;
use sinew_skinning::{SkinningMode, Slot};

use crate::arrays::{Copied, Numbers, empty, floats, rows, shared, wrong_shape};
use crate::error::usage;
use crate::work::begin_work;

/// Skinned vertices of everything that a model draws, primitive after primitive.
#[pyclass(frozen, module = "sinew")]
pub struct Skinned {
    /// The name of each primitive.
    #[pyo3(get)]
    primitives: Vec<String>,
    parts: Vec<Py<Vertices>>,
}

/// Skinned vertices as arrays of float32.
#[pyclass(frozen, module = "sinew")]
pub struct Vertices {
    /// Positions: (vertices, 3).
    #[pyo3(get)]
    positions: Py<PyArrayDyn<f32>>,
    /// Normals of length one: (vertices, 3), or None.
    #[pyo3(get)]
    normals: Option<Py<PyArrayDyn<f32>>>,
    /// Tangents with their handedness: (vertices, 4), or None.
    #[pyo3(get)]
    tangents: Option<Py<PyArrayDyn<f32>>>,
}

/// Finds a mode by its name.
pub fn mode_of(py: Python<'_>, name: &str) -> PyResult<SkinningMode> {
    name.parse().map_err(|error| usage(py, error))
}

impl Skinned {
    /// Makes arrays of skinned primitives.
    pub fn of(
        py: Python<'_>,
        model: &sinew_model::Model,
        skinned: Vec<SkinnedPrimitive<f32>>,
    ) -> PyResult<Self> {
        let name =
            |one: &SkinnedPrimitive<f32>| PrimitiveName::of(model, one.instance, one.primitive).to_string();
        let primitives = skinned.iter().map(name).collect();
        let part = |one: SkinnedPrimitive<f32>| {
            let count = one.positions.len();
            let three =
                |rows: Vec<[f32; 3]>| shared(py, rows.into_flattened(), &[count, 3]).map(Bound::unbind);
            let four =
                |rows: Vec<[f32; 4]>| shared(py, rows.into_flattened(), &[count, 4]).map(Bound::unbind);
            Py::new(
                py,
                Vertices {
                    positions: three(one.positions)?,
                    normals: one.normals.map(three).transpose()?,
                    tangents: one.tangents.map(four).transpose()?,
                },
            )
        };
        Ok(Self { primitives, parts: skinned.into_iter().map(part).collect::<PyResult<_>>()? })
    }
}

#[pymethods]
impl Skinned {
    /// Positions of each primitive.
    #[getter]
    fn positions(&self, py: Python<'_>) -> Vec<Py<PyArrayDyn<f32>>> {
        self.parts.iter().map(|part| part.get().positions.clone_ref(py)).collect()
    }

    /// Normals of each primitive, None where the file has none.
    #[getter]
    fn normals(&self, py: Python<'_>) -> Vec<Option<Py<PyArrayDyn<f32>>>> {
        let of = |part: &Py<Vertices>| part.get().normals.as_ref().map(|array| array.clone_ref(py));
        self.parts.iter().map(of).collect()
    }

    /// Tangents of each primitive, None where the file has none.
    #[getter]
    fn tangents(&self, py: Python<'_>) -> Vec<Option<Py<PyArrayDyn<f32>>>> {
        let of = |part: &Py<Vertices>| part.get().tangents.as_ref().map(|array| array.clone_ref(py));
        self.parts.iter().map(of).collect()
    }

    /// All primitives in one: no copy if there is only one. Normals and tangents are NaN where a primitive has none.
    fn merged(&self, py: Python<'_>) -> PyResult<Py<Vertices>> {
        if let [only] = self.parts.as_slice() {
            return Ok(only.clone_ref(py));
        }
        let numbers = |of: fn(&Vertices) -> Option<&Py<PyArrayDyn<f32>>>, columns: usize| -> PyResult<_> {
            if !self.parts.iter().any(|part| of(part.get()).is_some()) {
                return Ok(None);
            }
            let mut all: Vec<f32> = Vec::new();
            for part in &self.parts {
                match of(part.get()) {
                    Some(array) => all.extend_from_slice(floats(py, array)?.as_slice()?),
                    None => {
                        let count = floats(py, &part.get().positions)?.as_slice()?.len() / 3;
                        all.resize(all.len().saturating_add(count.saturating_mul(columns)), f32::NAN);
                    }
                }
            }
            let count = all.len().checked_div(columns).unwrap_or_default();
            shared(py, all, &[count, columns]).map(|array| Some(array.unbind()))
        };
        let positions = numbers(|part| Some(&part.positions), 3)?;
        let none = || shared(py, Vec::new(), &[0, 3]).map(Bound::unbind);
        Py::new(
            py,
            Vertices {
                positions: positions.map_or_else(none, Ok)?,
                normals: numbers(|part| part.normals.as_ref(), 3)?,
                tangents: numbers(|part| part.tangents.as_ref(), 4)?,
            },
        )
    }

    fn __len__(&self) -> usize {
        self.parts.len()
    }

    fn __getitem__(&self, py: Python<'_>, index: usize) -> PyResult<Py<Vertices>> {
        let part = self.parts.get(index).map(|part| part.clone_ref(py));
        part.ok_or_else(|| pyo3::exceptions::PyIndexError::new_err(format!("no primitive {index}")))
    }

    fn __repr__(&self) -> String {
        format!("<sinew.Skinned: {} primitives>", self.parts.len())
    }
}

#[pymethods]
impl Vertices {
    fn __repr__(&self, py: Python<'_>) -> String {
        let count = self.positions.bind(py).len().unwrap_or_default();
        format!("<sinew.Vertices: {count}>")
    }
}

/// Skins vertices by matrices, without a model: `Mesh(positions, joints, weights, …).skin(matrices, mode)`.
#[pyfunction]
#[pyo3(signature = (positions, joints, weights, matrices, mode = "lbs", *, normals = None, tangents = None, centers = None, shares = None))]
#[expect(clippy::too_many_arguments, reason = "they are keywords of Python")]
pub fn skin(
    py: Python<'_>,
    positions: &Bound<'_, PyAny>,
    joints: &Bound<'_, PyAny>,
    weights: &Bound<'_, PyAny>,
    matrices: &Bound<'_, PyAny>,
    mode: &str,
    normals: Option<&Bound<'_, PyAny>>,
    tangents: Option<&Bound<'_, PyAny>>,
    centers: Option<&Bound<'_, PyAny>>,
    shares: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vertices> {
    Mesh::new(py, positions, joints, weights, normals, tangents, centers, shares)?.skin(py, matrices, mode)
}

/// Makes the exception of arrays that cannot be skinned.
fn refused(py: Python<'_>, error: &BadArrays) -> PyErr {
    match error {
        BadArrays::Memory(_) => PyMemoryError::new_err(error.to_string()),
        error => usage(py, error),
    }
}

/// Vertices with joints and weights, laid out once to be skinned often.
#[pyclass(frozen, module = "sinew")]
pub struct Mesh(arrays::Mesh);

#[pymethods]
impl Mesh {
    /// Takes positions (vertices, 3), and joints and weights (vertices, influences), up to 16, of which weights are divided
    /// by their sum. Normals, tangents, the centres that cor needs and the shares that blend takes are optional.
    #[new]
    #[pyo3(signature = (positions, joints, weights, *, normals = None, tangents = None, centers = None, shares = None))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords of Python")]
    fn new(
        py: Python<'_>,
        positions: &Bound<'_, PyAny>,
        joints: &Bound<'_, PyAny>,
        weights: &Bound<'_, PyAny>,
        normals: Option<&Bound<'_, PyAny>>,
        tangents: Option<&Bound<'_, PyAny>>,
        centers: Option<&Bound<'_, PyAny>>,
        shares: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        begin_work()?;
        let positions = rows::<f32, 3>(positions, "positions")?;
        let normals = normals.map(|value| rows::<f32, 3>(value, "normals")).transpose()?;
        let tangents = tangents.map(|value| rows::<f32, 4>(value, "tangents")).transpose()?;
        let centers = centers.map(|value| rows::<f32, 3>(value, "centers")).transpose()?;
        let shares = shares.map(|value| Copied::<f32>::of(value, "shares", Numbers::Real)).transpose()?;
        let joints = Copied::<i64>::of(joints, "joints", Numbers::Whole)?;
        let weights = Copied::<f32>::of(weights, "weights", Numbers::Real)?;
        let vertices = positions.get().len();
        let influences = match *joints.shape() {
            [rows, influences] if rows == vertices && (1..=MAX_INFLUENCES).contains(&influences) => {
                influences
            }
            ref shape => {
                let wanted = format!("({vertices}, 1 to {MAX_INFLUENCES})");
                return Err(wrong_shape(py, "joints", shape, &wanted));
            }
        };
        if weights.shape() != joints.shape() {
            let wanted = format!("({vertices}, {influences}), as of joints,");
            return Err(wrong_shape(py, "weights", weights.shape(), &wanted));
        }
        if let Some(shares) = shares.as_ref().filter(|shares| shares.shape() != [vertices]) {
            return Err(wrong_shape(py, "shares", shares.shape(), &format!("({vertices},)")));
        }
        // The arrays themselves belong to this thread; their numbers may be read by others.
        let given = Arrays {
            positions: positions.get(),
            normals: normals.as_ref().map(|rows| rows.get()),
            tangents: tangents.as_ref().map(|rows| rows.get()),
            influences,
            joints: joints.numbers(),
            weights: weights.numbers(),
            centers: centers.as_ref().map(|rows| rows.get()),
            shares: shares.as_ref().map(|shares| shares.numbers()),
        };
        let mesh = py.detach(|| arrays::Mesh::new(&given));
        mesh.map(Self).map_err(|error| refused(py, &error))
    }

    /// Skins it by matrices from the bind pose to the world, for column vectors: (joints, 4, 4), or (frames, joints, 4, 4)
    /// for many frames, which the results then have as their first axis.
    #[pyo3(signature = (matrices, mode = "lbs"))]
    fn skin(&self, py: Python<'_>, matrices: &Bound<'_, PyAny>, mode: &str) -> PyResult<Vertices> {
        let mode = mode_of(py, mode)?;
        begin_work()?;
        let matrices = Copied::<f64>::of(matrices, "matrices", Numbers::Real)?;
        let (frames, joints) = match *matrices.shape() {
            [joints, 4, 4] if joints > 0 => (None, joints),
            [frames, joints, 4, 4] if joints > 0 => (Some(frames), joints),
            ref shape => {
                return Err(wrong_shape(py, "matrices", shape, "(joints, 4, 4) or (frames, joints, 4, 4)"));
            }
        };
        let room = |columns: usize| {
            let shape: Vec<usize> = frames.into_iter().chain([self.0.len(), columns]).collect();
            empty(py, &shape)
        };
        let positions = room(3)?;
        let normals = self.0.has_normals().then(|| room(3)).transpose()?;
        let tangents = self.0.has_tangents().then(|| room(4)).transpose()?;
        {
            let mut written = [Some(&positions), normals.as_ref(), tangents.as_ref()]
                .map(|array| array.map(|array| array.readwrite()));
            let [positions, normals, tangents] =
                written.each_mut().map(|array| array.as_mut().and_then(|array| array.as_slice_mut().ok()));
            let results = [positions, normals, tangents].map(Option::unwrap_or_default);
            let palettes = matrices.numbers().as_chunks().0.chunks(joints);
            py.detach(|| self.skin_frames(mode, palettes, results)).map_err(|error| refused(py, &error))?;
        }
        Ok(Vertices {
            positions: positions.unbind(),
            normals: normals.map(Bound::unbind),
            tangents: tangents.map(Bound::unbind),
        })
    }

    fn __repr__(&self) -> String {
        format!("<sinew.Mesh: {} vertices, {} joints>", self.0.len(), self.0.joints())
    }
}

impl Mesh {
    /// Skins a frame for each palette.
    fn skin_frames(
        &self,
        mode: SkinningMode,
        palettes: Chunks<'_, [f64; 16]>,
        [positions, normals, tangents]: [&mut [f32]; 3],
    ) -> Result<(), BadArrays> {
        let threads = if palettes.len() == 1 { Threads::Pool } else { Threads::Caller };
        let settings = Settings { threads, ..Settings::default() };
        // Chunks must not be empty.
        let numbers = |columns: usize| self.0.len().max(1).saturating_mul(columns);
        let mut positions = positions.chunks_mut(numbers(3));
        let mut normals = normals.chunks_mut(numbers(3));
        let mut tangents = tangents.chunks_mut(numbers(4));
        let mut frames = Vec::new();
        frames.try_reserve_exact(palettes.len()).map_err(|_| BadArrays::Memory(self.0.len()))?;
        frames.extend(
            palettes.map(|palette| {
                (palette, positions.next().unwrap_or_default(), normals.next(), tangents.next())
            }),
        );
        frames.into_par_iter().try_for_each_init(
            Default::default,
            |(matrices, slots): &mut (Vec<DMat4>, Vec<Slot>), (palette, positions, normals, tangents)| {
                matrices.clear();
                matrices.extend(palette.iter().map(|numbers| DMat4::from_cols_array(numbers).transpose()));
                let out = Out {
                    positions: Some(positions.as_chunks_mut().0),
                    normals: normals.map(|normals| normals.as_chunks_mut().0),
                    tangents: tangents.map(|tangents| tangents.as_chunks_mut().0),
                };
                self.0.skin(mode, matrices, out, &settings, slots)
            },
        )
    }
}
