//! Fills the binary chunk of a `.glb`, with the buffer views and accessors that describe it.

use serde_json::{Value, json};

use super::align::pad;
use crate::gltf::component::Component;
use crate::gltf::element_type::ElementType;

/// Purpose of a view; the format recommends marking vertex and index data for the GPU.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum BufferTarget {
    /// Vertex attributes.
    Vertices,
    /// Indices.
    Indices,
    /// Anything only the processor reads.
    None,
}

impl BufferTarget {
    fn code(self) -> Option<u32> {
        match self {
            Self::Vertices => Some(34962),
            Self::Indices => Some(34963),
            Self::None => None,
        }
    }
}

/// Bytes, views and accessors.
#[derive(Default)]
pub struct Body {
    /// The binary chunk, always a multiple of four bytes long.
    pub bytes: Vec<u8>,
    /// `bufferViews` of the document.
    pub views: Vec<Value>,
    /// `accessors` of the document.
    pub accessors: Vec<Value>,
}

impl Body {
    /// Appends `content` as a separate view and returns the view's index.
    pub fn view(&mut self, content: &[u8], target: BufferTarget) -> usize {
        let mut view = json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": content.len() });
        if let Some(code) = target.code() {
            view["target"] = code.into();
        }
        self.bytes.extend_from_slice(content);
        pad(&mut self.bytes, 0);
        self.views.push(view);
        self.views.len() - 1
    }

    /// Appends an accessor over `view` and returns its number.
    pub fn accessor(
        &mut self,
        view: usize,
        component: Component,
        element: ElementType,
        count: usize,
    ) -> usize {
        self.accessors.push(json!({
            "bufferView": view, "componentType": component.code(), "type": element.name(), "count": count,
        }));
        self.accessors.len() - 1
    }

    /// Appends rows of floats as a view with one accessor.
    pub fn floats<const N: usize>(
        &mut self,
        rows: &[[f32; N]],
        element: ElementType,
        target: BufferTarget,
    ) -> usize {
        let view = self.view(bytemuck::cast_slice(rows.as_flattened()), target);
        self.accessor(view, Component::F32, element, rows.len())
    }

    /// Appends a morph target's stream of `count` vertices: in whole, or the moved vertices alone if that takes
    /// fewer bytes.
    pub fn moves<const N: usize>(
        &mut self,
        moves: &[(u32, [f32; N])],
        element: ElementType,
        count: usize,
    ) -> usize {
        // A sparse element stores its number, too.
        if moves.len() * (N + 1) < count * N {
            return self.sparse(moves, element, count);
        }
        let mut rows = vec![[0.0; N]; count];
        for (vertex, value) in moves {
            rows[*vertex as usize] = *value;
        }
        let accessor = self.floats(&rows, element, BufferTarget::Vertices);
        self.bound(accessor, &rows);
        accessor
    }

    /// Appends an accessor of `count` elements, all zero except for these, with the range of all.
    pub fn sparse<const N: usize>(
        &mut self,
        elements: &[(u32, [f32; N])],
        element: ElementType,
        count: usize,
    ) -> usize {
        let mut accessor =
            json!({ "componentType": Component::F32.code(), "type": element.name(), "count": count });
        if !elements.is_empty() {
            let (indices, values): (Vec<u32>, Vec<[f32; N]>) = elements.iter().copied().unzip();
            let indices = self.view(bytemuck::cast_slice(&indices), BufferTarget::None);
            let values = self.view(bytemuck::cast_slice(values.as_flattened()), BufferTarget::None);
            accessor["sparse"] = json!({
                "count": elements.len(),
                "indices": { "bufferView": indices, "componentType": Component::U32.code() },
                "values": { "bufferView": values },
            });
        }
        self.accessors.push(accessor);
        let number = self.accessors.len() - 1;
        let zero = (elements.len() < count).then_some([0.0; N]);
        let rows: Vec<[f32; N]> = elements.iter().map(|(_, value)| *value).chain(zero).collect();
        self.bound(number, &rows);
        number
    }

    /// Writes the range of an accessor's values, which the format requires for positions and key times.
    pub fn bound<const N: usize>(&mut self, accessor: usize, rows: &[[f32; N]]) {
        let mut low = [f32::INFINITY; N];
        let mut high = [f32::NEG_INFINITY; N];
        for row in rows {
            for k in 0..N {
                low[k] = low[k].min(row[k]);
                high[k] = high[k].max(row[k]);
            }
        }
        if let Some(accessor) = self.accessors.get_mut(accessor) {
            accessor["min"] = low.to_vec().into();
            accessor["max"] = high.to_vec().into();
        }
    }
}
