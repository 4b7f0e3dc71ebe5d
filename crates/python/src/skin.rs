//! Skinned vertices: of models, and of the caller's own arrays.

use std::num::NonZero;

use glam::DMat4;
use numpy::{PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use rayon::prelude::*;
use sinew_model::{MAX_INFLUENCES, PrimitiveName, RawSet, prepare_influences};
use sinew_skinning::cpu::{Error, Out, Prepared, Settings, Source, Threads};
use sinew_skinning::posed::SkinnedPrimitive;
use sinew_skinning::{SkinningMode, Slot};

use crate::arrays::{Copied, Numbers, array, rows, shared, wrong_shape};
use crate::error::usage;

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
                let part = part.get();
                let count = part.positions.bind(py).readonly().as_array().len() / 3;
                match of(part) {
                    Some(array) => all.extend_from_slice(array.bind(py).readonly().as_slice()?),
                    None => all.resize(all.len().saturating_add(count.saturating_mul(columns)), f32::NAN),
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

/// Vertices with joints and weights, laid out once to be skinned often.
#[pyclass(frozen, module = "sinew")]
pub struct Mesh {
    prepared: Prepared,
    vertices: usize,
    /// One more than the largest joint with weight.
    joints: usize,
    has_normals: bool,
    has_tangents: bool,
}

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
        let positions = rows::<3>(positions, "positions")?;
        let normals = normals.map(|value| rows::<3>(value, "normals")).transpose()?;
        let tangents = tangents.map(|value| rows::<4>(value, "tangents")).transpose()?;
        let centers = centers.map(|value| rows::<3>(value, "centers")).transpose()?;
        let shares = shares.map(|value| Copied::<f32>::of(value, "shares", Numbers::Real)).transpose()?;
        // The arrays themselves belong to this thread; their numbers may be read by others.
        let positions = positions.get();
        let normals = normals.as_ref().map(|rows| rows.get());
        let tangents = tangents.as_ref().map(|rows| rows.get());
        let centers = centers.as_ref().map(|rows| rows.get());
        let shares = shares.as_ref().map(|shares| shares.numbers());
        let lengths = [
            ("normals", normals.map(<[_]>::len)),
            ("tangents", tangents.map(<[_]>::len)),
            ("centers", centers.map(<[_]>::len)),
            ("shares", shares.map(<[_]>::len)),
        ];
        let vertices = positions.len();
        for (what, len) in lengths {
            if let Some(len) = len.filter(|len| *len != vertices) {
                return Err(usage(py, format!("{what}: {len} rows for {vertices} positions")));
            }
        }
        let (sets, joints) = sets(joints, weights, vertices)?;
        let prepared = py.detach(|| -> Result<_, Error> {
            let influences =
                prepare_influences(&sets, joints).expect("no joint is beyond their number").influences;
            let joints: Vec<&[[i32; 4]]> =
                influences.spans.iter().map(|span| span.joints.as_slice()).collect();
            let weights: Vec<&[[f32; 4]]> =
                influences.spans.iter().map(|span| span.weights.as_slice()).collect();
            let source = Source { positions, normals, tangents, joints: &joints, weights: &weights };
            let mut prepared = Prepared::new(&source)?;
            prepared.set_centers(centers)?;
            prepared.set_shares(shares)?;
            Ok(prepared)
        });
        let prepared = prepared.map_err(|error| usage(py, error))?;
        let has_tangents = normals.is_some() && tangents.is_some();
        Ok(Self { prepared, vertices, joints, has_normals: normals.is_some(), has_tangents })
    }

    /// Skins it by matrices from the bind pose to the world, for column vectors: (joints, 4, 4), or (frames, joints, 4, 4)
    /// for many frames, which the results then have as their first axis.
    #[pyo3(signature = (matrices, mode = "lbs"))]
    fn skin(&self, py: Python<'_>, matrices: &Bound<'_, PyAny>, mode: &str) -> PyResult<Vertices> {
        let mode = mode_of(py, mode)?;
        if mode.facts().needs_centers && !self.prepared.has_centers() {
            return Err(usage(py, format!("{mode} needs centers; those of a model are found by its poses")));
        }
        let matrices = Copied::<f64>::of(matrices, "matrices", Numbers::Real)?;
        let palettes = Palettes::of(py, &matrices)?;
        if palettes.joints < self.joints {
            let (last, count) = (self.joints.saturating_sub(1), palettes.joints);
            return Err(usage(py, format!("matrices: {count}, but a vertex has joint {last}")));
        }
        let frames = palettes.frames.unwrap_or(1);
        let room = |columns: usize| {
            let numbers = self.vertices.checked_mul(columns)?.checked_mul(frames)?;
            let mut room = Vec::new();
            room.try_reserve_exact(numbers).ok()?;
            room.resize(numbers, 0.0_f32);
            Some(room)
        };
        let none = || Some(Vec::new());
        let normals = if self.has_normals { room(3) } else { none() };
        let tangents = if self.has_tangents { room(4) } else { none() };
        let (Some(mut positions), Some(mut normals), Some(mut tangents)) = (room(3), normals, tangents)
        else {
            let text = format!("{frames} frames of {} vertices do not fit in memory", self.vertices);
            return Err(PyMemoryError::new_err(text));
        };
        let threads = if frames == 1 { Threads::Pool } else { Threads::Caller };
        let settings = Settings { threads, ..Settings::default() };
        py.detach(|| {
            self.skin_frames(mode, &palettes, &settings, [&mut positions, &mut normals, &mut tangents])
        })
        .map_err(|error| usage(py, error))?;
        let array = |numbers: Vec<f32>, columns: usize| -> PyResult<_> {
            let shape: Vec<usize> = palettes.frames.into_iter().chain([self.vertices, columns]).collect();
            array(py, numbers, &shape).map(Bound::unbind)
        };
        Ok(Vertices {
            positions: array(positions, 3)?,
            normals: self.has_normals.then(|| array(normals, 3)).transpose()?,
            tangents: self.has_tangents.then(|| array(tangents, 4)).transpose()?,
        })
    }

    fn __repr__(&self) -> String {
        format!("<sinew.Mesh: {} vertices, {} joints>", self.vertices, self.joints)
    }
}

impl Mesh {
    fn skin_frames(
        &self,
        mode: SkinningMode,
        palettes: &Palettes<'_>,
        settings: &Settings,
        [positions, normals, tangents]: [&mut Vec<f32>; 3],
    ) -> Result<(), Error> {
        // Chunks must not be empty; without vertices there is nothing to do.
        let Some(size) = NonZero::new(self.vertices) else { return Ok(()) };
        let numbers = |columns: usize| size.get().saturating_mul(columns);
        let mut normals = normals.chunks_mut(numbers(3));
        let mut tangents = tangents.chunks_mut(numbers(4));
        let frames: Vec<_> = positions
            .chunks_mut(numbers(3))
            .zip(palettes.each())
            .map(|(positions, palette)| (positions, normals.next(), tangents.next(), palette))
            .collect();
        frames.into_par_iter().try_for_each_init(
            Default::default,
            |(matrices, slots): &mut Scratch, frame| {
                let (positions, normals, tangents, palette) = frame;
                matrices.clear();
                matrices.extend(palette.iter().map(|numbers| DMat4::from_cols_array(numbers).transpose()));
                mode.slots_into(matrices, slots);
                let out = Out {
                    positions: Some(positions.as_chunks_mut().0),
                    normals: normals.map(|normals| normals.as_chunks_mut().0),
                    tangents: tangents.map(|tangents| tangents.as_chunks_mut().0),
                };
                self.prepared.skin(mode, slots, out, settings)
            },
        )
    }
}

/// A thread's matrices and slots, reused from frame to frame.
type Scratch = (Vec<DMat4>, Vec<Slot>);

/// The matrices of one frame, or of several.
struct Palettes<'a> {
    numbers: &'a [[f64; 16]],
    joints: usize,
    /// The number of frames, if there is an axis for them.
    frames: Option<usize>,
}

impl<'a> Palettes<'a> {
    /// Takes matrices whose last row is 0, 0, 0, 1.
    fn of(py: Python<'_>, matrices: &'a Copied<'_, f64>) -> PyResult<Self> {
        let (frames, joints) = match *matrices.shape() {
            [joints, 4, 4] if joints > 0 => (None, joints),
            [frames, joints, 4, 4] if joints > 0 => (Some(frames), joints),
            ref shape => {
                return Err(wrong_shape(py, "matrices", shape, "(joints, 4, 4) or (frames, joints, 4, 4)"));
            }
        };
        let numbers: &[[f64; 16]] = matrices.numbers().as_chunks().0;
        match numbers.iter().position(|[.., x, y, z, w]| [*x, *y, *z, *w] != [0.0, 0.0, 0.0, 1.0]) {
            Some(at) => {
                let joint = at.checked_rem(joints).unwrap_or_default();
                Err(usage(py, format!("matrices: the last row of joint {joint} is not 0, 0, 0, 1")))
            }
            None => Ok(Self { numbers, joints, frames }),
        }
    }

    /// Returns the matrices of each frame.
    fn each(&self) -> impl Iterator<Item = &[[f64; 16]]> {
        self.numbers.chunks(self.joints)
    }
}

/// Reads joints and weights into sets of four, and returns one more than the largest joint with weight.
fn sets(
    joints: &Bound<'_, PyAny>,
    weights: &Bound<'_, PyAny>,
    vertices: usize,
) -> PyResult<(Vec<RawSet>, usize)> {
    let py = joints.py();
    let joints = Copied::<i64>::of(joints, "joints", Numbers::Whole)?;
    let weights = Copied::<f32>::of(weights, "weights", Numbers::Real)?;
    let influences = match *joints.shape() {
        [rows, influences] if rows == vertices && (1..=MAX_INFLUENCES).contains(&influences) => influences,
        ref shape => {
            let wanted = format!("({vertices}, 1 to {MAX_INFLUENCES})");
            return Err(wrong_shape(py, "joints", shape, &wanted));
        }
    };
    if weights.shape() != joints.shape() {
        let wanted = format!("({vertices}, {influences}), as of joints,");
        return Err(wrong_shape(py, "weights", weights.shape(), &wanted));
    }
    let none = RawSet { joints: vec![[0; 4]; vertices], weights: vec![[0.0; 4]; vertices] };
    let mut sets = vec![none; influences.div_ceil(4)];
    let mut count = 0;
    let rows = joints.numbers().chunks(influences).zip(weights.numbers().chunks(influences));
    for (vertex, (joints, weights)) in rows.enumerate() {
        let slots = joints.chunks(4).zip(weights.chunks(4));
        for (set, (joints, weights)) in sets.iter_mut().zip(slots) {
            let (Some(of_set), Some(weights_of_set)) =
                (set.joints.get_mut(vertex), set.weights.get_mut(vertex))
            else {
                continue;
            };
            let slots = of_set.iter_mut().zip(weights_of_set).zip(joints.iter().zip(weights));
            for ((to_joint, to_weight), (joint, weight)) in slots {
                // A slot without weight may have any joint.
                if *weight == 0.0 {
                    continue;
                }
                let known = u16::try_from(*joint);
                let known =
                    known.map_err(|_| usage(py, format!("joints: vertex {vertex} has joint {joint}")))?;
                (*to_joint, *to_weight) = (known, *weight);
                count = count.max(usize::from(known).saturating_add(1));
            }
        }
    }
    Ok((sets, count))
}
