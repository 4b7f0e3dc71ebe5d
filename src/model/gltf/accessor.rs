//! Accessors as vectors of numbers, every byte range checked before it is read and all memory
//! counted before it is taken. It must not know what the numbers mean to a mesh or a clip.

use super::budget::Budget;
use super::buffer::{self, Buffers};
use super::component::Component;
use super::error::LoadError;
use super::json::{Accessor, Document, Sparse};
use super::report::quoted;

/// Some of an accessor's elements, each with its number, in their order.
pub type Numbered<const N: usize> = Vec<(u32, [f32; N])>;

/// Reads the accessors of one file and counts the memory they take.
#[derive(Debug)]
pub struct Accessors<'a> {
    document: &'a Document,
    buffers: &'a Buffers<'a>,
    budget: Budget,
}

/// An accessor whose bytes are known to be there.
#[derive(Clone, Copy, Debug)]
struct Elements<'a> {
    index: usize,
    component: Component,
    normalized: bool,
    count: usize,
    width: usize,
    /// `None` stands for zeros.
    base: Option<Run<'a>>,
    sparse: Option<Replacements<'a>>,
}

/// Bytes of elements that follow each other, from the first to the last.
#[derive(Clone, Copy, Debug)]
struct Run<'a> {
    bytes: &'a [u8],
    stride: usize,
}

/// Elements that replace those of the base.
#[derive(Clone, Copy, Debug)]
struct Replacements<'a> {
    count: usize,
    component: Component,
    indices: Run<'a>,
    values: Run<'a>,
}

/// Where a file says that elements lie.
#[derive(Clone, Copy, Debug)]
struct Place {
    view: usize,
    offset: Option<usize>,
    count: usize,
    element_bytes: usize,
}

impl Elements<'_> {
    /// How many elements have no bytes in the file.
    fn unstored(&self) -> usize {
        let replaced = self.sparse.map_or(0, |sparse| sparse.count);
        self.base.map_or(self.count.saturating_sub(replaced), |_| 0)
    }

    /// Elements must have the number of components that is needed.
    fn check_width(&self, needed: usize, from: &str) -> Result<(), LoadError> {
        if self.width == needed {
            return Ok(());
        }
        let (found, needed) = (type_name(self.width), type_name(needed));
        let message = format!("accessor {} is {found}, but must be {needed}", self.index);
        Err(LoadError::broken(format_code(from), from, message))
    }

    /// How the stored numbers become floats.
    fn float_conversion(&self, from: &str) -> Result<impl Fn(f64) -> f32 + use<>, LoadError> {
        let (component, normalized) = (self.component, self.normalized);
        match component {
            Component::F32 | Component::I8 | Component::U8 | Component::I16 | Component::U16 => {}
            Component::U32 => return Err(wrong_component(self, from)),
        }
        Ok(move |value| (if normalized { component.fraction(value) } else { value }) as f32)
    }
}

impl Replacements<'_> {
    /// Hands over each replacement's number and bytes; `path` is the accessor's.
    fn each(&self, elements: usize, path: &str, mut take: impl FnMut(u32, &[u8])) -> Result<(), LoadError> {
        let indices = self.indices.bytes.chunks(self.indices.stride);
        let values = self.values.bytes.chunks(self.values.stride);
        for (at, (index, value)) in indices.zip(values).take(self.count).enumerate() {
            // At most 32 bits, which is what components of indices have.
            let index = self.component.read(index).unwrap_or_default() as u32;
            if index as usize >= elements {
                let message = format!("index {index} at {at}, but there are {elements} elements");
                return Err(LoadError::broken(
                    "ACCESSOR_SPARSE_INDEX_OOB",
                    format!("{path}.sparse.indices"),
                    message,
                ));
            }
            take(index, value);
        }
        Ok(())
    }
}

impl<'a> Accessors<'a> {
    /// A reader for those buffers that takes what is left of the budget.
    pub fn new(document: &'a Document, buffers: &'a Buffers<'a>, budget: Budget) -> Self {
        Self { document, buffers, budget }
    }

    /// What is left of the budget.
    pub fn into_budget(self) -> Budget {
        self.budget
    }

    /// Counts memory that is about to be taken for `count` values of `size` bytes.
    pub fn charge(&mut self, path: &str, count: usize, size: usize) -> Result<(), LoadError> {
        self.budget.charge(path, count, size)
    }

    /// How many numbers an element has; `from` is the path of what refers to the accessor.
    pub fn width(&self, index: usize, from: &str) -> Result<usize, LoadError> {
        let kind = &self.accessor(index, from)?.kind;
        [1, 2, 3, 4, 16].into_iter().find(|width| type_name(*width) == kind).ok_or_else(|| {
            let message = format!("accessor {index} has elements of type {}", quoted(kind));
            LoadError::broken("VALUE_NOT_IN_LIST", from, message)
        })
    }

    /// How many elements an accessor claims to have; `from` is the path of what refers to it.
    pub fn count(&self, index: usize, from: &str) -> Result<usize, LoadError> {
        Ok(self.accessor(index, from)?.count)
    }

    /// Elements of `N` numbers; normalised integers become fractions, others keep their value.
    pub fn floats<const N: usize>(&mut self, index: usize, from: &str) -> Result<Vec<[f32; N]>, LoadError> {
        let elements = self.elements(index, from)?;
        let convert = elements.float_conversion(from)?;
        self.decode(&elements, from, convert)
    }

    /// How many elements of `N` numbers there are, and those that are not all zeros, by their number. Takes
    /// no room for the others: of what morph targets store most tends to be zeros.
    pub fn nonzero<const N: usize>(
        &mut self,
        index: usize,
        from: &str,
    ) -> Result<(usize, Numbered<N>), LoadError> {
        let elements = self.elements(index, from)?;
        elements.check_width(N, from)?;
        let convert = elements.float_conversion(from)?;
        let path = format!("accessors[{index}]");
        let stored = elements.base.map_or(0, |_| elements.count);
        let replaced = elements.sparse.map_or(0, |sparse| sparse.count);
        self.charge(&format!("{path}.count"), stored.saturating_add(replaced), size_of::<(u32, [f32; N])>())?;

        let element = |bytes: &[u8]| -> [f32; N] { elements.component.element(bytes, &convert) };
        let mut out: Numbered<N> = Vec::new();
        if let Some(run) = elements.base {
            let values = run.bytes.chunks(run.stride).take(elements.count).map(element);
            out.extend((0u32..).zip(values).filter(|(_, value)| *value != [0.0; N]));
        }
        if let Some(sparse) = elements.sparse {
            sparse.each(elements.count, &path, |index, bytes| out.push((index, element(bytes))))?;
            // Of elements with the same number the last one counts: sorting keeps their order.
            out.sort_by_key(|(index, _)| *index);
            out.dedup_by(|later, kept| {
                let again = later.0 == kept.0;
                if again {
                    *kept = *later;
                }
                again
            });
            out.retain(|(_, value)| *value != [0.0; N]);
        }
        Ok((elements.count, out))
    }

    /// Four joint numbers an element.
    pub fn joints(&mut self, index: usize, from: &str) -> Result<Vec<[u16; 4]>, LoadError> {
        let elements = self.elements(index, from)?;
        match elements.component {
            Component::U8 | Component::U16 => self.decode(&elements, from, |value| value as u16),
            Component::I8 | Component::I16 | Component::U32 | Component::F32 => {
                Err(wrong_component(&elements, from))
            }
        }
    }

    /// Vertex numbers, and the number that would mean "restart" if it were allowed.
    pub fn indices(&mut self, index: usize, from: &str) -> Result<(Vec<u32>, u32), LoadError> {
        let elements = self.elements(index, from)?;
        let restart = match elements.component {
            Component::U8 => u32::from(u8::MAX),
            Component::U16 => u32::from(u16::MAX),
            Component::U32 => u32::MAX,
            Component::I8 | Component::I16 | Component::F32 => return Err(wrong_component(&elements, from)),
        };
        let indices: Vec<[u32; 1]> = self.decode(&elements, from, |value| value as u32)?;
        Ok((indices.into_flattened(), restart))
    }

    /// Turns elements into vectors of `N` numbers.
    fn decode<T: Copy + Default, const N: usize>(
        &mut self,
        elements: &Elements<'_>,
        from: &str,
        convert: impl Fn(f64) -> T,
    ) -> Result<Vec<[T; N]>, LoadError> {
        elements.check_width(N, from)?;
        let path = format!("accessors[{}]", elements.index);
        let count_path = format!("{path}.count");
        self.budget.charge_unstored(&count_path, elements.unstored(), size_of::<[T; N]>())?;
        self.charge(&count_path, elements.count, size_of::<[T; N]>())?;

        let element = |bytes: &[u8]| -> [T; N] { elements.component.element(bytes, &convert) };
        let mut out: Vec<[T; N]> = match elements.base {
            Some(run) => run.bytes.chunks(run.stride).take(elements.count).map(element).collect(),
            None => vec![[T::default(); N]; elements.count],
        };
        if let Some(sparse) = elements.sparse {
            sparse.each(elements.count, &path, |index, bytes| {
                if let Some(slot) = out.get_mut(index as usize) {
                    *slot = element(bytes);
                }
            })?;
        }
        Ok(out)
    }

    fn accessor(&self, index: usize, from: &str) -> Result<&'a Accessor, LoadError> {
        let accessors = &self.document.accessors;
        accessors.get(index).ok_or_else(|| LoadError::no_such(from, "accessor", index, accessors.len()))
    }

    /// Finds an accessor's elements and makes sure that all their bytes are there.
    fn elements(&self, index: usize, from: &str) -> Result<Elements<'a>, LoadError> {
        let accessor = self.accessor(index, from)?;
        let path = format!("accessors[{index}]");
        let component = component(accessor.component_type, &path)?;
        let width = self.width(index, from)?;
        let element_bytes = component.size().saturating_mul(width);
        let base = match accessor.buffer_view {
            Some(view) => {
                let offset = accessor.byte_offset;
                Some(self.run(Place { view, offset, count: accessor.count, element_bytes }, &path)?)
            }
            None => None,
        };
        let sparse = match &accessor.sparse {
            // Each element is replaced once at most. More would take time that the count does not show.
            Some(sparse) if sparse.count > accessor.count => {
                let message = format!("{} replacements for {} elements", sparse.count, accessor.count);
                return Err(LoadError::broken(
                    "ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE",
                    format!("{path}.sparse.count"),
                    message,
                ));
            }
            Some(sparse) => Some(self.replacements(sparse, element_bytes, &format!("{path}.sparse"))?),
            None => None,
        };
        let (normalized, count) = (accessor.normalized, accessor.count);
        Ok(Elements { index, component, normalized, count, width, base, sparse })
    }

    fn replacements(
        &self,
        sparse: &Sparse,
        element_bytes: usize,
        path: &str,
    ) -> Result<Replacements<'a>, LoadError> {
        let Sparse { count, indices, values } = sparse;
        let count = *count;
        let component = component(indices.component_type, &format!("{path}.indices"))?;
        match component {
            Component::U8 | Component::U16 | Component::U32 => {}
            Component::I8 | Component::I16 | Component::F32 => {
                let message = format!("indices cannot be {}", component.name());
                return Err(LoadError::broken(
                    "VALUE_NOT_IN_LIST",
                    format!("{path}.indices.componentType"),
                    message,
                ));
            }
        }
        let (view, offset, index_bytes) = (indices.buffer_view, indices.byte_offset, component.size());
        let place = Place { view, offset, count, element_bytes: index_bytes };
        let indices = self.run(place, &format!("{path}.indices"))?;
        let (view, offset) = (values.buffer_view, values.byte_offset);
        let place = Place { view, offset, count, element_bytes };
        let values = self.run(place, &format!("{path}.values"))?;
        Ok(Replacements { count, component, indices, values })
    }

    /// The bytes of elements that lie in a view.
    fn run(&self, place: Place, path: &str) -> Result<Run<'a>, LoadError> {
        let Place { view: index, offset, count, element_bytes } = place;
        let view = buffer::view(self.document, self.buffers, index, &format!("{path}.bufferView"))?;
        let offset = offset.unwrap_or(0);
        let stride = view.stride.unwrap_or(element_bytes);
        if stride < element_bytes {
            let message = format!("a stride of {stride} bytes, but {path} has elements of {element_bytes}");
            let path = format!("bufferViews[{index}].byteStride");
            return Err(LoadError::broken("ACCESSOR_SMALL_BYTESTRIDE", path, message));
        }
        let Some(last) = count.checked_sub(1) else {
            return Ok(Run { bytes: &[], stride });
        };
        // The last element needs no gap behind it.
        let end = last
            .checked_mul(stride)
            .and_then(|bytes| bytes.checked_add(element_bytes))
            .and_then(|bytes| bytes.checked_add(offset));
        match end.and_then(|end| view.bytes.get(offset..end)) {
            Some(bytes) => Ok(Run { bytes, stride }),
            None => {
                let held = view.bytes.len();
                let message = format!(
                    "{count} elements of {element_bytes} bytes, {stride} apart, from byte {offset} on, \
                     but buffer view {index} holds {held} bytes"
                );
                Err(LoadError::broken("ACCESSOR_TOO_LONG", path, message))
            }
        }
    }
}

/// The name of the element type with that many numbers.
fn type_name(width: usize) -> &'static str {
    match width {
        1 => "SCALAR",
        2 => "VEC2",
        3 => "VEC3",
        4 => "VEC4",
        16 => "MAT4",
        _ => "another type",
    }
}

fn component(code: usize, path: &str) -> Result<Component, LoadError> {
    Component::from_code(code).ok_or_else(|| {
        let message = format!("{code} is no component type");
        LoadError::broken("VALUE_NOT_IN_LIST", format!("{path}.componentType"), message)
    })
}

fn wrong_component(elements: &Elements<'_>, from: &str) -> LoadError {
    let (index, name) = (elements.index, elements.component.name());
    let message = format!("accessor {index} holds {name} numbers, which cannot be used here");
    LoadError::broken(format_code(from), from, message)
}

/// The rule that an accessor in the wrong format breaks, by the end of the path that refers to it.
fn format_code(from: &str) -> &'static str {
    match from.rsplit('.').next() {
        Some("indices") => "MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT",
        Some("inverseBindMatrices") => "SKIN_IBM_INVALID_FORMAT",
        Some("input") => "ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT",
        Some("output") => "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT",
        _ => "MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT",
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;
    use crate::model::gltf::json;

    /// Runs `check` on a reader for one buffer and the given views and accessors.
    fn with<R>(bytes: &[u8], views: &str, accessors: &str, check: impl FnOnce(&mut Accessors<'_>) -> R) -> R {
        let text = format!(
            r#"{{"asset": {{"version": "2.0"}}, "buffers": [{{"byteLength": {}}}],
                "bufferViews": [{views}], "accessors": [{accessors}]}}"#,
            bytes.len()
        );
        let document = json::parse(text.as_bytes()).unwrap();
        let buffers = vec![Some(Cow::Borrowed(bytes))];
        check(&mut Accessors::new(&document, &buffers, Budget::default()))
    }

    const ALL: &str = r#"{"buffer": 0, "byteLength": 8}"#;
    const BYTES: [u8; 8] = [0, 1, 2, 3, 127, 128, 254, 255];

    fn message<T: std::fmt::Debug>(result: Result<T, LoadError>) -> String {
        result.unwrap_err().to_string()
    }

    #[test]
    fn normalised_and_plain_integers() {
        let one = |code, normalized| {
            let accessor = format!(
                r#"{{"bufferView": 0, "byteOffset": 4, "componentType": {code},
                    "normalized": {normalized}, "count": 1, "type": "VEC4"}}"#
            );
            with(&BYTES, ALL, &accessor, |a| a.floats::<4>(0, "x").unwrap()[0])
        };
        assert_eq!(one(5121, false), [127.0, 128.0, 254.0, 255.0]);
        assert_eq!(one(5121, true), [127.0 / 255.0, 128.0 / 255.0, 254.0 / 255.0, 1.0]);
        assert_eq!(one(5120, false), [127.0, -128.0, -2.0, -1.0]);
        assert_eq!(one(5120, true), [1.0, -1.0, -2.0 / 127.0, -1.0 / 127.0]);
    }

    #[test]
    fn strides_and_offsets() {
        let view = r#"{"buffer": 0, "byteOffset": 1, "byteLength": 7, "byteStride": 4}"#;
        let accessor =
            r#"{"bufferView": 0, "byteOffset": 1, "componentType": 5121, "count": 2, "type": "VEC2"}"#;
        let read = with(&BYTES, view, accessor, |a| a.floats::<2>(0, "x").unwrap());
        assert_eq!(read, [[2.0, 3.0], [254.0, 255.0]]);
        let one_more = accessor.replace("\"count\": 2", "\"count\": 3");
        let text = message(with(&BYTES, view, &one_more, |a| a.floats::<2>(0, "x")));
        assert!(text.starts_with("accessors[0]: 3 elements of 2 bytes, 4 apart"), "{text}");
    }

    #[test]
    fn joints_and_indices() {
        let accessor = r#"{"bufferView": 0, "componentType": 5123, "count": 1, "type": "VEC4"}"#;
        assert_eq!(
            with(&BYTES, ALL, accessor, |a| a.joints(0, "x").unwrap()),
            [[0x0100, 0x0302, 0x807f, 0xfffe]]
        );
        for (code, count, last, restart) in
            [(5121, 8, 255, 255), (5123, 4, 0xfffe, 0xffff), (5125, 2, 0xfffe_807f, u32::MAX)]
        {
            let accessor = format!(
                r#"{{"bufferView": 0, "componentType": {code}, "count": {count}, "type": "SCALAR"}}"#
            );
            let (indices, found) = with(&BYTES, ALL, &accessor, |a| a.indices(0, "x").unwrap());
            assert_eq!((indices.len(), indices[indices.len() - 1], found), (count, last, restart));
        }
    }

    #[test]
    fn no_view_is_zeros_and_sparse_replaces_them() {
        let accessor = r#"{"componentType": 5126, "count": 3, "type": "VEC3"}"#;
        assert_eq!(with(&[], "", accessor, |a| a.floats::<3>(0, "x").unwrap()), [[0.0; 3]; 3]);

        let sparse = r#"{"componentType": 5121, "count": 3, "type": "SCALAR", "sparse": {"count": 2,
            "indices": {"bufferView": 0, "byteOffset": 1, "componentType": 5121},
            "values": {"bufferView": 0, "byteOffset": 6}}}"#;
        let read = with(&BYTES, ALL, sparse, |a| a.floats::<1>(0, "x").unwrap());
        assert_eq!(read, [[0.0], [254.0], [255.0]]);

        let on_base = sparse.replace("\"count\": 3", "\"bufferView\": 0, \"byteOffset\": 3, \"count\": 3");
        let read = with(&BYTES, ALL, &on_base, |a| a.floats::<1>(0, "x").unwrap());
        assert_eq!(read, [[3.0], [254.0], [255.0]]);

        let many = sparse.replace("\"count\": 2", "\"count\": 4");
        let text = message(with(&BYTES, ALL, &many, |a| a.floats::<1>(0, "x")));
        assert_eq!(text, "accessors[0].sparse.count: 4 replacements for 3 elements");

        let outside = sparse.replace("\"byteOffset\": 1", "\"byteOffset\": 2");
        let text = message(with(&BYTES, ALL, &outside, |a| a.floats::<1>(0, "x")));
        assert_eq!(text, "accessors[0].sparse.indices: index 3 at 1, but there are 3 elements");
    }

    #[test]
    fn claims_are_checked_before_memory_is_taken() {
        for count in ["9223372036854775808", "18446744073709551615", "4294967295"] {
            let zeros = format!(r#"{{"componentType": 5126, "count": {count}, "type": "MAT4"}}"#);
            let result = with(&[], "", &zeros, |a| a.floats::<16>(0, "x"));
            assert!(matches!(result, Err(LoadError::NotStored { .. })));
            let view =
                format!(r#"{{"bufferView": 0, "componentType": 5126, "count": {count}, "type": "MAT4"}}"#);
            let result = with(&BYTES, ALL, &view, |a| a.floats::<16>(0, "x"));
            assert!(matches!(result, Err(LoadError::Invalid { .. })));
        }
        let accessor = r#"{"componentType": 5126, "count": 250000, "type": "SCALAR"}"#;
        with(&[], "", accessor, |a| {
            for _ in 0..4 {
                a.floats::<1>(0, "x").unwrap();
            }
            assert!(a.floats::<1>(0, "x").is_err(), "the budget is for all accessors together");
        });
        // Of a sparse accessor without a base only what is replaced is stored.
        let sparse = r#"{"componentType": 5121, "count": 5000000, "type": "SCALAR", "sparse": {"count": 2,
            "indices": {"bufferView": 0, "componentType": 5121}, "values": {"bufferView": 0}}}"#;
        let text = message(with(&BYTES, ALL, sparse, |a| a.floats::<1>(0, "x")));
        assert!(
            text.starts_with("accessors[0].count: 4999998 elements that the file does not store"),
            "{text}"
        );
    }

    #[test]
    fn broken_references_are_errors() {
        let scalar = |rest: &str| format!(r#"{{"componentType": 5121, "count": 1, "type": "SCALAR"{rest}}}"#);
        let floats =
            |views: &str, accessor: &str| message(with(&BYTES, views, accessor, |a| a.floats::<1>(0, "x")));
        assert_eq!(floats(ALL, ""), "x: there is no accessor 0 (the file has 0)");
        assert!(
            floats(ALL, &scalar(", \"bufferView\": 7"))
                .starts_with("accessors[0].bufferView: there is no buffer view 7")
        );
        let outside = r#"{"buffer": 0, "byteOffset": 1, "byteLength": 8}"#;
        assert!(
            floats(outside, &scalar(", \"bufferView\": 0")).starts_with("bufferViews[0]: 8 bytes from 1 on")
        );
        let huge = r#"{"buffer": 0, "byteOffset": 18446744073709551615, "byteLength": 1}"#;
        assert!(floats(huge, &scalar(", \"bufferView\": 0")).starts_with("bufferViews[0]: "));
        let buffer = r#"{"buffer": 3, "byteLength": 8}"#;
        assert!(floats(buffer, &scalar(", \"bufferView\": 0")).starts_with("bufferViews[0].buffer: "));
        let narrow = r#"{"buffer": 0, "byteLength": 8, "byteStride": 1}"#;
        let vec4 = r#"{"bufferView": 0, "componentType": 5121, "count": 1, "type": "VEC4"}"#;
        let text = message(with(&BYTES, narrow, vec4, |a| a.floats::<4>(0, "x")));
        assert!(text.starts_with("bufferViews[0].byteStride: "), "{text}");
    }

    #[test]
    fn wrong_types_are_errors_not_reinterpreted() {
        let vec4 = r#"{"componentType": 5125, "count": 1, "type": "VEC4"}"#;
        with(&[], "", vec4, |a| {
            assert!(message(a.floats::<4>(0, "x")).contains("32-bit numbers"));
            assert!(message(a.joints(0, "x")).contains("32-bit numbers"));
            assert_eq!(message(a.indices(0, "x")), "x: accessor 0 is VEC4, but must be SCALAR");
        });
        let mat3 = r#"{"componentType": 5126, "count": 1, "type": "MAT3"}"#;
        assert!(message(with(&[], "", mat3, |a| a.floats::<3>(0, "x"))).contains("'MAT3'"));
        let code = r#"{"componentType": 5124, "count": 1, "type": "SCALAR"}"#;
        assert!(
            message(with(&[], "", code, |a| a.floats::<1>(0, "x"))).contains("5124 is no component type")
        );
    }
}
