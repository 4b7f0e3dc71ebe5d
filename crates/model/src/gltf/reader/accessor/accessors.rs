//! Reads accessors as vectors of numbers and charges the memory they take.

use super::elements::{Elements, READ, wrong_component};
use super::sparse;
use crate::gltf::buffer::Buffers;
use crate::gltf::component::Component;
use crate::gltf::element_type::ElementType;
use crate::gltf::json::Document;
use crate::reading::budget::Budget;
use crate::reading::error::LoadError;
use crate::reading::message::quoted;
use crate::reading::watch::Watch;

/// Some of an accessor's elements, each with its number, in their order.
pub type Numbered<const N: usize> = Vec<(u32, [f32; N])>;

/// Reads the accessors of one file, counts their memory, and reports progress.
#[derive(Debug)]
pub struct Accessors<'a> {
    pub(super) document: &'a Document,
    pub(super) buffers: &'a Buffers<'a>,
    budget: Budget,
    watch: &'a Watch,
    /// Number of elements read so far, and the total. Elements that several meshes share are read for each.
    elements: [usize; 2],
}

/// Storage of an accessor's numbers.
#[derive(Clone, Copy, Debug)]
pub struct NumberFormat {
    /// The type of a component.
    pub component: Component,
    /// True if integers represent fractions.
    pub normalized: bool,
    /// True if a decoder made the numbers of whole ones.
    pub is_decoded: bool,
}

impl<'a> Accessors<'a> {
    /// A reader for those buffers with the rest of the budget.
    pub fn new(document: &'a Document, buffers: &'a Buffers<'a>, budget: Budget, watch: &'a Watch) -> Self {
        let all = document.accessors.iter().fold(0usize, |all, accessor| all.saturating_add(accessor.count));
        Self { document, buffers, budget, watch, elements: [0, all] }
    }

    /// Reports progress before each accessor.
    pub(super) fn tell(&mut self, count: usize) -> Result<(), LoadError> {
        let [read, all] = &mut self.elements;
        self.watch.part(0.0..1.0, *read.min(all), *all)?;
        *read = read.saturating_add(count);
        Ok(())
    }

    /// Returns the budget left.
    pub fn into_budget(self) -> Budget {
        self.budget
    }

    /// Borrows the budget left.
    pub fn budget(&mut self) -> &mut Budget {
        &mut self.budget
    }

    /// Counts memory that is about to be taken for `count` values of `size` bytes.
    pub fn charge(&mut self, path: &str, count: usize, size: usize) -> Result<(), LoadError> {
        self.budget.charge(path, count, size)
    }

    /// Returns the number of components of an element; `from` is the path of the reference to the accessor.
    pub fn width(&self, index: usize, from: &str) -> Result<usize, LoadError> {
        Ok(self.element_type(index, from)?.width())
    }

    /// Returns the type of an element.
    pub(super) fn element_type(&self, index: usize, from: &str) -> Result<ElementType, LoadError> {
        let kind = &self.accessor(index, from)?.kind;
        ElementType::from_name(kind).filter(|element| READ.contains(element)).ok_or_else(|| {
            let message = format!("accessor {index} has elements of type {}", quoted(kind));
            LoadError::broken("VALUE_NOT_IN_LIST", from, message)
        })
    }

    /// Returns the number format of an accessor; `None` for one that is not usable.
    pub fn number_format(&self, index: usize) -> Option<NumberFormat> {
        let accessor = self.document.accessors.get(index)?;
        let component = Component::from_code(accessor.component_type)?;
        Some(NumberFormat { component, normalized: accessor.normalized, is_decoded: accessor.is_decoded })
    }

    /// Returns the number of elements that an accessor declares; `from` is the path of the reference to it.
    pub fn count(&self, index: usize, from: &str) -> Result<usize, LoadError> {
        Ok(self.accessor(index, from)?.count)
    }

    /// Elements of `N` numbers; normalised integers become fractions, others keep their value.
    pub fn floats<const N: usize>(&mut self, index: usize, from: &str) -> Result<Vec<[f32; N]>, LoadError> {
        let elements = self.elements(index, from)?;
        let convert = elements.float_conversion(from)?;
        let stored = || elements.read_tight(Component::F32, f32::from_le_bytes);
        self.decode(&elements, from, stored, convert)
    }

    /// Returns the number of elements of `N` numbers, and the elements that are not all zeros, by index. Zero elements
    /// take no memory: most elements of morph targets tend to be zeros.
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
        let replaced = elements.replaced();
        self.charge(&format!("{path}.count"), stored.saturating_add(replaced), size_of::<(u32, [f32; N])>())?;

        let element = |bytes: &[u8]| -> [f32; N] { elements.component.element(bytes, &convert) };
        let mut out: Numbered<N> = Vec::new();
        if let Some(run) = elements.base {
            let values = run.elements().map(element);
            out.extend((0u32..).zip(values).filter(|(_, value)| *value != [0.0; N]));
        }
        if let Some(sparse) = elements.sparse {
            sparse::each(sparse, elements.count, &path, |index, bytes| out.push((index, element(bytes))))?;
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
            Component::U8 | Component::U16 => {
                let small = || elements.read_tight(Component::U8, |[byte]| u16::from(byte));
                let stored = || small().or_else(|| elements.read_tight(Component::U16, u16::from_le_bytes));
                self.decode(&elements, from, stored, |value| value as u16)
            }
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
        let of_16_bits = |bytes| u32::from(u16::from_le_bytes(bytes));
        let small = || elements.read_tight(Component::U16, of_16_bits);
        let stored = || small().or_else(|| elements.read_tight(Component::U32, u32::from_le_bytes));
        let indices: Vec<[u32; 1]> = self.decode(&elements, from, stored, |value| value as u32)?;
        Ok((indices.into_flattened(), restart))
    }

    /// Turns elements into vectors of `N` numbers: all at once, where `stored` can, or number by number.
    fn decode<T: Copy + Default, const N: usize>(
        &mut self,
        elements: &Elements<'_>,
        from: &str,
        stored: impl FnOnce() -> Option<Vec<[T; N]>>,
        convert: impl Fn(f64) -> T,
    ) -> Result<Vec<[T; N]>, LoadError> {
        elements.check_width(N, from)?;
        let path = format!("accessors[{}]", elements.index);
        let count_path = format!("{path}.count");
        self.budget.charge_unstored(&count_path, elements.unstored(), size_of::<[T; N]>())?;
        self.charge(&count_path, elements.count, size_of::<[T; N]>())?;

        let element = |bytes: &[u8]| -> [T; N] { elements.component.element(bytes, &convert) };
        let mut out: Vec<[T; N]> = match (stored(), elements.base) {
            (Some(out), _) => out,
            (None, Some(run)) => {
                // Collected, it would grow in steps, to up to twice of what was charged.
                let mut out = Vec::with_capacity(elements.count);
                out.extend(run.elements().map(element));
                out
            }
            (None, None) => vec![[T::default(); N]; elements.count],
        };
        if let Some(sparse) = elements.sparse {
            sparse::each(sparse, elements.count, &path, |index, bytes| {
                if let Some(slot) = out.get_mut(index as usize) {
                    *slot = element(bytes);
                }
            })?;
        }
        Ok(out)
    }
}
