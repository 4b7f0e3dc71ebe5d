//! Arrays of NumPy, in and out. Arrays that a caller passes are copied by NumPy first, so that no other thread can change
//! them while they are read.

use numpy::{
    Element, IntoPyArray, PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;

use crate::error::usage;

/// A copy of a caller's array, in C order.
pub struct Copied<'py, T: Element> {
    array: PyReadonlyArrayDyn<'py, T>,
}

/// The largest number of elements of an array. A broadcast view may claim more than memory holds.
const MAX_NUMBERS: usize = 1 << 29;

/// The largest number of rows of an array with a row per vertex: as many vertices as the program keeps in memory.
const MAX_ROWS: usize = 1 << 25;

/// The numbers that an array may hold before it is copied.
#[derive(Clone, Copy)]
pub enum Numbers {
    /// Integers alone.
    Whole,
    /// Integers and floating-point numbers.
    Real,
}

impl<'py, T: Element> Copied<'py, T> {
    /// Copies an array, or anything that NumPy makes one of.
    pub fn of(value: &Bound<'py, PyAny>, what: &str, numbers: Numbers) -> PyResult<Self> {
        let py = value.py();
        let numpy = numpy(py)?;
        let given = numpy.call_method1("asarray", (value,)).map_err(|error| {
            let is_of_value =
                error.is_instance_of::<PyTypeError>(py) || error.is_instance_of::<PyValueError>(py);
            if is_of_value {
                usage(py, format!("{what}: NumPy makes no array of it ({})", error.value(py)))
            } else {
                error
            }
        })?;
        let kind: String = given.getattr("dtype")?.getattr("kind")?.extract()?;
        let (is_right, wanted) = match numbers {
            Numbers::Whole => (matches!(kind.as_str(), "i" | "u"), "integers"),
            Numbers::Real => (matches!(kind.as_str(), "i" | "u" | "f"), "numbers"),
        };
        // An empty list has no numbers, and no kind that counts.
        let size: usize = given.getattr("size")?.extract()?;
        if !is_right && size > 0 {
            let dtype = given.getattr("dtype")?;
            return Err(usage(py, format!("{what}: dtype {dtype}, but {wanted} are expected")));
        }
        if size > MAX_NUMBERS {
            return Err(PyMemoryError::new_err(format!(
                "{what}: {size} numbers, but at most {MAX_NUMBERS} are read"
            )));
        }
        let options = PyDict::new(py);
        options.set_item("dtype", T::get_dtype(py))?;
        options.set_item("order", "C")?;
        options.set_item("copy", true)?;
        let copy = numpy.call_method("array", (given,), Some(&options))?;
        let array = copy.cast_into::<PyArrayDyn<T>>()?;
        Ok(Self { array: array.readonly() })
    }

    /// Returns the lengths of the axes.
    pub fn shape(&self) -> &[usize] {
        self.array.shape()
    }

    /// Returns all numbers, the last axis fastest.
    pub fn numbers(&self) -> &[T] {
        self.array.as_slice().expect("it was copied in C order")
    }
}

/// Copies rows of `N` numbers each.
pub fn rows<'py, T: Element, const N: usize>(
    value: &Bound<'py, PyAny>,
    what: &str,
) -> PyResult<Rows<'py, T, N>> {
    let copied = Copied::of(value, what, Numbers::Real)?;
    match *copied.shape() {
        [rows, _] if rows > MAX_ROWS => {
            Err(usage(value.py(), format!("{what}: {rows} rows, but at most {MAX_ROWS} are read")))
        }
        [_, columns] if columns == N => Ok(Rows { copied }),
        ref shape => Err(wrong_shape(value.py(), what, shape, &format!("(vertices, {N})"))),
    }
}

/// Rows of an array with two axes.
pub struct Rows<'py, T: Element, const N: usize> {
    copied: Copied<'py, T>,
}

impl<T: Element + Copy, const N: usize> Rows<'_, T, N> {
    /// Returns the rows.
    pub fn get(&self) -> &[[T; N]] {
        self.copied.numbers().as_chunks().0
    }

    /// Copies the rows once more, for work that outlives the array.
    pub fn to_vec(&self) -> PyResult<Vec<[T; N]>> {
        let mut rows = Vec::new();
        let room = rows.try_reserve_exact(self.get().len());
        room.map_err(|_| PyMemoryError::new_err("the rows do not fit in memory"))?;
        rows.extend_from_slice(self.get());
        Ok(rows)
    }
}

/// Makes the exception of an array with other axes than wanted.
pub fn wrong_shape(py: Python<'_>, what: &str, shape: &[usize], wanted: &str) -> PyErr {
    let axes: Vec<String> = shape.iter().map(ToString::to_string).collect();
    let comma = if axes.len() == 1 { "," } else { "" };
    usage(py, format!("{what}: shape ({}{comma}), but {wanted} is expected", axes.join(", ")))
}

/// Returns an array that the caller has, too. Its type may have changed in place.
pub fn floats<'py>(py: Python<'py>, array: &Py<PyArrayDyn<f32>>) -> PyResult<PyReadonlyArrayDyn<'py, f32>> {
    let array = array.bind(py).as_any().cast::<PyArrayDyn<f32>>();
    Ok(array.map_err(|_| usage(py, "the dtype of an array was changed in place"))?.readonly())
}

/// Makes an array of numbers that it takes over, with these axes.
pub fn array<'py, T: Element>(
    py: Python<'py>,
    numbers: Vec<T>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let flat: Bound<'py, PyArray1<T>> = numbers.into_pyarray(py);
    flat.reshape(shape.to_vec())
}

/// Makes an array whose numbers are to be written. NumPy raises MemoryError if there is too little of it.
pub fn empty<'py>(py: Python<'py>, shape: &[usize]) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
    Ok(numpy(py)?.call_method1("empty", (shape.to_vec(), f32::get_dtype(py)))?.cast_into()?)
}

/// Makes an array that cannot be written to, because several objects share it.
pub fn shared<'py, T: Element>(
    py: Python<'py>,
    numbers: Vec<T>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let array = array(py, numbers, shape)?;
    let options = PyDict::new(py);
    options.set_item("write", false)?;
    array.call_method("setflags", (), Some(&options))?;
    Ok(array)
}

/// Returns the module `numpy`.
pub fn numpy(py: Python<'_>) -> PyResult<&Bound<'_, PyModule>> {
    static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    MODULE.get_or_try_init(py, || py.import("numpy").map(Bound::unbind)).map(|module| module.bind(py))
}
