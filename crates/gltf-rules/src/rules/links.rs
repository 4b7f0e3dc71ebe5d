//! Checks that each accessor and buffer view has one use, a format that the use allows, and room in its buffer.

use super::notes::{Notes, ViewFacts};
use crate::format::component::Component;
use crate::format::json::Document;
use crate::sink::Sink;

/// Use of an accessor or a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// Vertices.
    Vertices,
    /// Indices of a primitive.
    Indices,
    /// Inverse bind matrices.
    Matrices,
    /// Key times.
    Times,
    /// Values at keys.
    Values,
    /// An image file.
    Image,
    /// Something else that only views are used for.
    Other,
}

impl Use {
    fn name(self) -> &'static str {
        match self {
            Self::Vertices => "vertices",
            Self::Indices => "indices",
            Self::Matrices => "inverse bind matrices",
            Self::Times => "key times",
            Self::Values => "values at keys",
            Self::Image => "an image",
            Self::Other => "other data",
        }
    }

    /// Returns the use of the view of an accessor with this use.
    fn of_view(self) -> Self {
        match self {
            Self::Times | Self::Values => Self::Other,
            same => same,
        }
    }
}

/// Records uses and reports conflicts.
pub struct Links<'a> {
    notes: &'a Notes,
    accessors: Vec<Option<Use>>,
    views: Vec<Option<Use>>,
}

impl<'a> Links<'a> {
    /// Starts with the uses that views declare.
    pub fn new(notes: &'a Notes) -> Self {
        let of_target = |view: &ViewFacts| match view.target {
            Some(34962) => Some(Use::Vertices),
            Some(34963) => Some(Use::Indices),
            _ => None,
        };
        Self {
            notes,
            accessors: vec![None; notes.accessors.len()],
            views: notes.views.iter().map(of_target).collect(),
        }
    }

    /// An accessor and its view are used by what is at `path`.
    pub fn accessor(&mut self, index: usize, used: Use, path: &str, warnings: &mut dyn Sink) {
        if let Some(slot) = self.accessors.get_mut(index) {
            let before = *slot.get_or_insert(used);
            if before != used {
                let message =
                    format!("accessor {index} holds {} elsewhere, but {} here", before.name(), used.name());
                warnings.fault("ACCESSOR_USAGE_OVERRIDE", path, message);
            }
        }
        let Some(facts) = self.notes.accessors.get(index) else { return };
        if let Some(view) = facts.view {
            self.view(view, used.of_view(), path, warnings);
        }
        let stride = facts.view.and_then(|view| self.notes.views.get(view)).and_then(|view| view.stride);
        let code = match used {
            Use::Indices => "MESH_PRIMITIVE_INDICES_ACCESSOR_WITH_BYTESTRIDE",
            Use::Matrices => "SKIN_IBM_ACCESSOR_WITH_BYTESTRIDE",
            Use::Times | Use::Values => "ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE",
            Use::Vertices | Use::Image | Use::Other => return,
        };
        if stride.is_some() {
            warnings.fault(code, path, format!("the view of {} must not have a byteStride", used.name()));
        }
    }

    /// A view is used by what is at `path`.
    pub fn view(&mut self, index: usize, used: Use, path: &str, warnings: &mut dyn Sink) {
        let Some(slot) = self.views.get_mut(index) else { return };
        match *slot {
            None => {
                *slot = Some(used);
                if matches!(used, Use::Vertices | Use::Indices) {
                    let message = format!("buffer view {index} has no target, but holds {}", used.name());
                    warnings.note("BUFFER_VIEW_TARGET_MISSING", path, message);
                }
            }
            Some(before) if before != used => {
                let (before, used) = (before.name(), used.name());
                let message = format!("buffer view {index} is for {before}, but holds {used} here");
                warnings.fault("BUFFER_VIEW_TARGET_OVERRIDE", path, message);
            }
            Some(_) => {}
        }
    }
}

/// Checks that every view lies within its buffer's declared length, and every accessor within its view.
pub fn check_places(document: &Document, notes: &Notes, warnings: &mut dyn Sink) {
    for (index, view) in notes.views.iter().enumerate() {
        let Some(length) = notes.buffers.get(view.buffer) else { continue };
        if view.offset >= *length || view.offset.saturating_add(view.length) > *length {
            let message = format!(
                "{} bytes from {} on, but buffer {} says {length}",
                view.length, view.offset, view.buffer
            );
            warnings.fault("BUFFER_VIEW_TOO_LONG", &format!("bufferViews[{index}]"), message);
        }
    }
    for (index, facts) in notes.accessors.iter().enumerate() {
        let path = format!("accessors[{index}]");
        let element = facts.element_bytes();
        if let Some(view) = facts.view.and_then(|view| notes.views.get(view)) {
            if view.stride.is_some_and(|stride| stride < element) {
                let message = format!("elements of {element} bytes are wider than the view's byteStride");
                warnings.fault("ACCESSOR_SMALL_BYTESTRIDE", &path, message);
            }
            let stride = view.stride.unwrap_or(element);
            let length = stride.saturating_mul(facts.count.saturating_sub(1)).saturating_add(element);
            let place = Place { offset: facts.offset, length, unit: facts.component_bytes(), view };
            check_place(&place, &path, warnings);
        }
    }
    for (index, accessor) in document.accessors.iter().enumerate() {
        let (Some(sparse), Some(facts)) = (&accessor.sparse, notes.accessors.get(index)) else { continue };
        let path = format!("accessors[{index}].sparse");
        if sparse.count > facts.count {
            let message = format!("{} elements of {} are replaced", sparse.count, facts.count);
            warnings.fault("ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE", &format!("{path}.count"), message);
        }
        let (unit, values) = (facts.component_bytes(), facts.element_bytes());
        let index_unit = Component::from_code(sparse.indices.component_type).map_or(4, Component::size);
        let (indices, value) = (&sparse.indices, &sparse.values);
        for (part, view, offset, unit, element) in [
            ("indices", indices.buffer_view, indices.byte_offset, index_unit, index_unit),
            ("values", value.buffer_view, value.byte_offset, unit, values),
        ] {
            let Some(view) = notes.views.get(view) else { continue };
            let path = format!("{path}.{part}");
            if view.stride.is_some() {
                let message = "the view of sparse elements must not have a byteStride";
                warnings.fault("BUFFER_VIEW_INVALID_BYTE_STRIDE", &format!("{path}.bufferView"), message);
            }
            let length = element.saturating_mul(sparse.count);
            check_place(&Place { offset: offset.unwrap_or(0), length, unit, view }, &path, warnings);
        }
    }
}

/// Bytes that lie in a view.
struct Place<'a> {
    offset: usize,
    length: usize,
    /// Required alignment of offsets.
    unit: usize,
    view: &'a ViewFacts,
}

fn check_place(place: &Place<'_>, path: &str, warnings: &mut dyn Sink) {
    let Place { offset, length, unit, view } = *place;
    let total = view.offset.saturating_add(offset);
    if offset.checked_rem(unit) != Some(0) {
        let message = format!("{offset} is not a multiple of the component's {unit} bytes");
        warnings.fault("ACCESSOR_OFFSET_ALIGNMENT", &format!("{path}.byteOffset"), message);
    } else if total.checked_rem(unit) != Some(0) {
        let message = format!("starts at byte {total} of its buffer, no multiple of {unit}");
        warnings.fault("ACCESSOR_TOTAL_OFFSET_ALIGNMENT", path, message);
    }
    if offset.saturating_add(length) > view.length {
        let message = format!("{length} bytes from {offset} on, but the view says {}", view.length);
        warnings.fault("ACCESSOR_TOO_LONG", path, message);
    }
}
