//! Checks that the bytes are there which an accessor claims.

use rayon::prelude::*;

use crate::gltf::component::Component;
use crate::gltf::element_type::ElementType;
use crate::gltf::run::Run;
use crate::gltf::sparse::Replacements;
use crate::reading::error::LoadError;

/// The types of elements that models use, each with a different width.
pub const READ: [ElementType; 5] =
    [ElementType::Scalar, ElementType::Vec2, ElementType::Vec3, ElementType::Vec4, ElementType::Mat4];

/// Elements that one thread reads at a time.
const AT_ONCE: usize = 1 << 16;

/// An accessor whose bytes are known to exist.
#[derive(Clone, Copy, Debug)]
pub struct Elements<'a> {
    pub index: usize,
    pub component: Component,
    pub normalized: bool,
    pub count: usize,
    pub element_type: ElementType,
    /// The stored elements; `None` means zeros.
    pub base: Option<Run<'a>>,
    pub sparse: Option<Replacements<'a>>,
}

impl Elements<'_> {
    /// Reads all elements of the base at once, if these are tightly packed numbers of that type, of `S` bytes. Large
    /// accessors are read on all cores.
    pub fn read_tight<T: Copy + Default + Send, const S: usize, const N: usize>(
        &self,
        component: Component,
        read: impl Fn([u8; S]) -> T + Sync,
    ) -> Option<Vec<[T; N]>> {
        let element_bytes = component.size().checked_mul(N).filter(|bytes| *bytes > 0)?;
        // Columns of small matrices have gaps of their own.
        let is_plain = self.component == component && self.element_type.bytes(component) == element_bytes;
        let bytes = self.base.filter(|_| is_plain)?.tight()?;
        let mut out = vec![[T::default(); N]; self.count];
        let some = out.par_chunks_mut(AT_ONCE).zip(bytes.par_chunks(element_bytes.saturating_mul(AT_ONCE)));
        some.for_each(|(out, bytes)| {
            let (numbers, _) = bytes.as_chunks::<S>();
            out.as_flattened_mut().iter_mut().zip(numbers).for_each(|(out, bytes)| *out = read(*bytes));
        });
        Some(out)
    }

    /// Returns the number of elements without bytes in the file.
    pub fn unstored(&self) -> usize {
        let replaced = self.replaced();
        self.base.map_or(self.count.saturating_sub(replaced), |_| 0)
    }

    /// Returns the number of replacements.
    pub fn replaced(&self) -> usize {
        self.sparse.map_or(0, |sparse| sparse.values.count())
    }

    /// Elements must have the number of components that is needed.
    pub fn check_width(&self, needed: usize, from: &str) -> Result<(), LoadError> {
        if self.element_type.width() == needed {
            return Ok(());
        }
        let needed = READ.into_iter().find(|element| element.width() == needed);
        let (found, needed) = (self.element_type.name(), needed.map_or("of another type", ElementType::name));
        let message = format!("accessor {} is {found}, but must be {needed}", self.index);
        Err(LoadError::broken(format_code(from), from, message))
    }

    /// Returns the conversion of stored numbers to floats.
    pub fn float_conversion(&self, from: &str) -> Result<impl Fn(f64) -> f32 + use<>, LoadError> {
        let (component, normalized) = (self.component, self.normalized);
        match component {
            Component::F32 | Component::I8 | Component::U8 | Component::I16 | Component::U16 => {}
            Component::U32 => return Err(wrong_component(self, from)),
        }
        Ok(move |value| (if normalized { component.fraction(value) } else { value }) as f32)
    }
}

/// Returns the component type of a code; `path` is the code's owner.
pub fn component(code: usize, path: &str) -> Result<Component, LoadError> {
    Component::from_code(code).ok_or_else(|| {
        let message = format!("{code} is not a component type");
        LoadError::broken("VALUE_NOT_IN_LIST", format!("{path}.componentType"), message)
    })
}

/// The error for numbers of a kind that has no place there.
pub fn wrong_component(elements: &Elements<'_>, from: &str) -> LoadError {
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
