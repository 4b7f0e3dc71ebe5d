//! Checks accessors before the `gltf` crate reads them: its readers panic on some broken ones and misread others.

use ::gltf::Accessor;
use ::gltf::accessor::{DataType, Dimensions};
use ::gltf::buffer::{self, Buffer};

use crate::gltf::buffer::View;
use crate::gltf::component::Component;
use crate::gltf::run::{Place, Run};
use crate::gltf::sparse::Indices;
use crate::reading::budget::Budget;
use crate::reading::error::LoadError;

/// Formats that a use allows for an accessor.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// Types of elements.
    pub elements: &'static [Dimensions],
    /// Types of their components.
    pub components: &'static [DataType],
}

/// Floats only.
pub const FLOAT: &[DataType] = &[DataType::F32];
/// Floats, and whole numbers that stand for fractions without a sign.
pub const FRACTION: &[DataType] = &[DataType::U8, DataType::U16, DataType::F32];
/// Floats, and whole numbers that stand for fractions.
pub const SIGNED: &[DataType] = &[DataType::I8, DataType::U8, DataType::I16, DataType::U16, DataType::F32];

impl Format {
    /// Describes one type of elements.
    pub const fn new(elements: &'static [Dimensions], components: &'static [DataType]) -> Self {
        Self { elements, components }
    }
}

/// The bytes of a document's buffers, and the memory that may be taken for what is in them.
pub struct Numbers<'s> {
    buffers: &'s [&'s [u8]],
    /// The memory budget left.
    pub budget: Budget,
}

impl<'s> Numbers<'s> {
    /// Nothing is taken yet.
    pub fn new(buffers: &'s [&'s [u8]]) -> Self {
        let mut budget = Budget::default();
        buffers.iter().for_each(|bytes| budget.add(bytes.len()));
        Self { buffers, budget }
    }

    /// Returns the buffer lookup for the crate's readers.
    pub fn source<'a>(&self) -> impl Clone + Fn(Buffer<'a>) -> Option<&'s [u8]> + use<'a, 's> {
        let buffers = self.buffers;
        move |buffer| buffers.get(buffer.index()).copied()
    }

    /// Checks that an accessor has a format allowed at `from`, and lies within its buffer. It counts the memory of
    /// elements that become `size` bytes each.
    pub fn check(
        &mut self,
        accessor: &Accessor<'_>,
        format: Format,
        from: &str,
        size: usize,
    ) -> Result<(), LoadError> {
        let (element, component) = (accessor.dimensions(), accessor.data_type());
        if !(format.elements.contains(&element) && format.components.contains(&component)) {
            let index = accessor.index();
            let message = format!("accessor {index} is {element:?} of {component:?}, which is not read here");
            return Err(LoadError::invalid(from, message));
        }
        let path = format!("accessors[{}]", accessor.index());
        let count = accessor.count();
        if count == 0 {
            return Err(LoadError::broken("VALUE_NOT_IN_RANGE", format!("{path}.count"), "must not be 0"));
        }
        let place = Place { offset: accessor.offset(), count, element_bytes: accessor.size() };
        if let Some(view) = accessor.view() {
            self.run(&view, place, &path)?;
        }
        let replaced = self.check_sparse(accessor, &path)?;
        let count_path = format!("{path}.count");
        if accessor.view().is_none() {
            if accessor.sparse().is_none() {
                return Err(LoadError::invalid(&path, "has no bytes, which the `gltf` crate does not read"));
            }
            self.budget.charge_unstored(&count_path, count.saturating_sub(replaced), size)?;
        }
        self.budget.charge(&count_path, count, size)
    }

    /// Checks that replacements exist and are in ascending order, and returns their number.
    fn check_sparse(&self, accessor: &Accessor<'_>, path: &str) -> Result<usize, LoadError> {
        let Some(sparse) = accessor.sparse() else { return Ok(0) };
        let (path, count) = (format!("{path}.sparse"), sparse.count());
        if count == 0 || count > accessor.count() {
            let message = format!("{count} replacements for {} elements", accessor.count());
            let path = format!("{path}.count");
            return Err(LoadError::broken("ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE", path, message));
        }
        let (indices, values) = (sparse.indices(), sparse.values());
        let place = Place { offset: values.offset(), count, element_bytes: accessor.size() };
        self.run(&values.view(), place, &format!("{path}.values"))?;
        let component = match indices.index_type() {
            ::gltf::accessor::sparse::IndexType::U8 => Component::U8,
            ::gltf::accessor::sparse::IndexType::U16 => Component::U16,
            ::gltf::accessor::sparse::IndexType::U32 => Component::U32,
        };
        let path = format!("{path}.indices");
        let place = Place { offset: indices.offset(), count, element_bytes: component.size() };
        let run = self.run(&indices.view(), place, &path)?;
        let mut before = None;
        for index in (Indices { component, run }).numbers() {
            if index as usize >= accessor.count() {
                let message = format!("index {index}, but there are {} elements", accessor.count());
                return Err(LoadError::broken("ACCESSOR_SPARSE_INDEX_OOB", path, message));
            }
            // The crate's reader stops replacing there.
            if before.is_some_and(|before| index <= before) {
                let message = format!("index {index} is not above the one before");
                return Err(LoadError::broken("ACCESSOR_SPARSE_INDICES_NON_INCREASING", path, message));
            }
            before = Some(index);
        }
        Ok(count)
    }

    /// Elements in a view, all of which must be there.
    fn run(&self, view: &buffer::View<'_>, place: Place, path: &str) -> Result<Run<'s>, LoadError> {
        let view_path = format!("bufferViews[{}]", view.index());
        let (buffer, length) = (view.buffer().index(), view.length());
        let bytes = self.buffers.get(buffer).copied().ok_or_else(|| {
            let message = format!("buffer {buffer} is not among the {} given", self.buffers.len());
            LoadError::invalid(&view_path, message)
        })?;
        let start = view.offset();
        let bytes = start.checked_add(length).and_then(|end| bytes.get(start..end)).ok_or_else(|| {
            let message =
                format!("{length} bytes from {start} on, but buffer {buffer} holds {}", bytes.len());
            LoadError::broken("BUFFER_VIEW_TOO_LONG", &view_path, message)
        })?;
        let run = Run::new(&View { bytes, stride: view.stride() }, place);
        let Place { offset, count, element_bytes } = place;
        let stride = run.stride();
        if stride < element_bytes {
            let message = format!("a stride of {stride} bytes, but {path} has elements of {element_bytes}");
            let path = format!("{view_path}.byteStride");
            return Err(LoadError::broken("ACCESSOR_SMALL_BYTESTRIDE", path, message));
        }
        if !run.is_whole() {
            let message = format!(
                "{count} elements of {element_bytes} bytes, {stride} apart, from byte {offset} on, \
                 but buffer view {} holds {length} bytes",
                view.index()
            );
            return Err(LoadError::broken("ACCESSOR_TOO_LONG", path, message));
        }
        Ok(run)
    }
}

/// Collects elements from a reader of the crate; `path` is that of the reference to the accessor.
pub fn collect<T>(elements: Option<impl Iterator<Item = T>>, path: &str) -> Result<Vec<T>, LoadError> {
    // Not reached while `Numbers::check` asks for all that the crate's readers ask for.
    let elements = elements.ok_or_else(|| LoadError::invalid(path, "the `gltf` crate does not read it"))?;
    Ok(elements.collect())
}

/// Whole numbers or floats as floats: fractions where they are normalised. The crate's own conversion multiplies by a
/// rounded reciprocal and is off by the last bit.
pub fn floats<T: Into<f64> + Copy, const N: usize>(
    elements: impl Iterator<Item = [T; N]>,
    component: Component,
    normalized: bool,
) -> Vec<[f32; N]> {
    let number = |number: T| {
        let number = number.into();
        (if normalized { component.fraction(number) } else { number }) as f32
    };
    elements.map(|element| element.map(number)).collect()
}
