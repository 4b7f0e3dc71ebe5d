//! Draco-compressed primitives. Each is decoded, and its attributes and indices become new accessors of the document. If
//! a stream is broken and the file also has the primitive uncompressed, that is used. This module must not depend on the
//! use of attributes.

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use draco_core::{DataType, DecodeLimits, DecoderBuffer, Mesh, MeshDecoder, PointAttribute, PointIndex};

use crate::gltf::buffer::{self, Buffers};
use crate::gltf::component::Component;
use crate::gltf::element_type::ElementType;
use crate::gltf::json::{Accessor, Buffer, BufferExtensions, BufferView, Document, Draco, Primitive};
use crate::reading::budget::Budget;
use crate::reading::error::LoadError;
use crate::reading::message::{one_line, vertex_at};
use crate::reading::warnings::Warnings;

/// The extension's name.
const EXTENSION: &str = "KHR_draco_mesh_compression";

/// Memory that the decoder may take per face, besides the three output indices.
const BYTES_PER_FACE: u64 = 128;

/// Decodes every compressed primitive, and makes it refer to the result.
pub fn decode_primitives(
    document: &mut Document,
    buffers: &mut Buffers<'_>,
    budget: &mut Budget,
    warnings: &mut Warnings,
) -> Result<(), LoadError> {
    let is_required = document.extensions_required.iter().any(|name| name == EXTENSION);
    // The memory of decoding a broken stream is not counted, so one broken stream is the limit.
    let mut found_broken = false;
    let mut meshes = std::mem::take(&mut document.meshes);
    for (mesh, primitives) in meshes.iter_mut().map(|mesh| &mut mesh.primitives).enumerate() {
        for (number, primitive) in primitives.iter_mut().enumerate() {
            let Some(draco) = primitive.extensions.as_mut().and_then(|extensions| extensions.draco.take())
            else {
                continue;
            };
            let has_fallback = !is_required && is_uncompressed(primitive, document);
            if has_fallback && found_broken {
                continue;
            }
            let path = format!("meshes[{mesh}].primitives[{number}].extensions.{EXTENSION}");
            match unpack(primitive, &draco, document, buffers, budget, &path) {
                Ok(unpacked) => unpacked.put_into(primitive, document, buffers),
                Err(LoadError::Invalid { code, path, message }) if has_fallback => {
                    found_broken = true;
                    let instead = "the uncompressed data is used instead, here and wherever it exists";
                    warnings.add(code, &path, format!("{message}; {instead}"));
                }
                Err(error) => return Err(error),
            }
        }
    }
    document.meshes = meshes;
    Ok(())
}

/// Returns true if a primitive is complete for readers that cannot decompress.
fn is_uncompressed(primitive: &Primitive, document: &Document) -> bool {
    let has_view = |accessor: &usize| {
        document.accessors.get(*accessor).is_some_and(|accessor| accessor.buffer_view.is_some())
    };
    primitive.attributes.values().chain(&primitive.indices).all(has_view)
}

/// Content of a stream, as accessors and their bytes.
struct Unpacked<'a> {
    indices: (Accessor, Vec<u8>),
    attributes: Vec<(&'a str, Accessor, Vec<u8>)>,
}

impl Unpacked<'_> {
    fn put_into(self, primitive: &mut Primitive, document: &mut Document, buffers: &mut Buffers<'_>) {
        let (accessor, bytes) = self.indices;
        primitive.indices = Some(add(document, buffers, accessor, bytes));
        // Strips, too, come out as a list.
        primitive.mode = Some(4);
        for (name, accessor, bytes) in self.attributes {
            let number = add(document, buffers, accessor, bytes);
            primitive.attributes.insert(name.to_owned(), number);
        }
    }
}

/// Decodes a primitive, which stays as it is for now.
fn unpack<'a>(
    primitive: &Primitive,
    draco: &'a Draco,
    document: &Document,
    buffers: &Buffers<'_>,
    budget: &mut Budget,
    path: &str,
) -> Result<Unpacked<'a>, LoadError> {
    let view = buffer::view(document, buffers, draco.buffer_view, &format!("{path}.bufferView"))?;
    let decoded = decode(view.bytes, budget).map_err(|fault| LoadError::invalid(path, fault))?;
    let points = decoded.num_points();

    budget.charge(path, decoded.num_faces(), size_of::<[u32; 3]>())?;
    let corners = decoded.faces().iter().flatten().map(|point| point.0);
    let indices: Vec<u8> = corners.flat_map(u32::to_le_bytes).collect();
    let accessor = Accessor {
        buffer_view: None,
        byte_offset: None,
        component_type: Component::U32.code() as usize,
        normalized: false,
        count: decoded.num_faces().saturating_mul(3),
        kind: ElementType::Scalar.name().to_owned(),
        sparse: None,
        is_decoded: true,
    };

    let mut attributes = Vec::with_capacity(draco.attributes.len());
    for (name, id) in &draco.attributes {
        let path = format!("{path}.attributes.{name}");
        let slot = primitive.attributes.get(name).ok_or_else(|| {
            LoadError::invalid(
                &path,
                "the primitive lacks this attribute, which only its compressed data has",
            )
        })?;
        let accessors = &document.accessors;
        let declared = accessors
            .get(*slot)
            .ok_or_else(|| LoadError::no_such(&path, "accessor", *slot, accessors.len()))?;
        let (accessor, bytes) = attribute(&decoded, *id, declared, points, &path, budget)?;
        attributes.push((name.as_str(), accessor, bytes));
    }
    Ok(Unpacked { indices: (accessor, indices), attributes })
}

fn decode(stream: &[u8], budget: &Budget) -> Result<Mesh, String> {
    let limits = DecodeLimits::default()
        .with_max_points(budget.left() / BYTES_PER_FACE)
        .with_max_faces(budget.left() / BYTES_PER_FACE)
        .with_max_decoded_bytes(budget.left());
    let mut mesh = Mesh::new();
    let mut buffer = DecoderBuffer::new(stream).with_limits(limits);
    MeshDecoder::new()
        .decode(&mut buffer, &mut mesh)
        .map_err(|error| format!("cannot be decoded: {}", one_line(&error.to_string())))?;
    Ok(mesh)
}

/// An attribute's accessor and bytes, in the component type that the file declares.
fn attribute(
    mesh: &Mesh,
    id: usize,
    declared: &Accessor,
    points: usize,
    path: &str,
    budget: &mut Budget,
) -> Result<(Accessor, Vec<u8>), LoadError> {
    let invalid = |message: String| LoadError::invalid(path, message);
    let attribute = u32::try_from(id).ok().and_then(|id| mesh.attribute_by_unique_id(id));
    let attribute = attribute.ok_or_else(|| invalid(format!("the stream has no attribute {id}")))?;
    let target = Component::from_code(declared.component_type)
        .ok_or_else(|| invalid(format!("{} is not a component type", declared.component_type)))?;
    let source = match attribute.data_type() {
        DataType::Int8 => Source::Shared(Component::I8),
        DataType::Uint8 | DataType::Bool => Source::Shared(Component::U8),
        DataType::Int16 => Source::Shared(Component::I16),
        DataType::Uint16 => Source::Shared(Component::U16),
        DataType::Uint32 => Source::Shared(Component::U32),
        DataType::Float32 => Source::Shared(Component::F32),
        DataType::Int32 => Source::I32,
        other => return Err(invalid(format!("holds numbers of type {other:?}, which glTF does not have"))),
    };
    let width = usize::from(attribute.num_components());
    let element_type =
        ElementType::vector(width).ok_or_else(|| invalid(format!("has elements of {width} numbers")))?;
    budget.charge(path, points, width.saturating_mul(target.size()))?;
    let mut bytes = Vec::with_capacity(points.saturating_mul(width).saturating_mul(target.size()));
    for point in 0..points {
        let element = element(attribute, point, width.saturating_mul(source.size()))
            .ok_or_else(|| invalid(format!("has no value for vertex {}", vertex_at(path, point))))?;
        for number in element.chunks_exact(source.size()) {
            target.write(source.read(number).unwrap_or_default(), &mut bytes);
        }
    }
    let accessor = Accessor {
        buffer_view: None,
        byte_offset: None,
        component_type: declared.component_type,
        normalized: declared.normalized,
        count: points,
        kind: element_type.name().to_owned(),
        sparse: None,
        is_decoded: true,
    };
    Ok((accessor, bytes))
}

/// The bytes of a vertex.
fn element(attribute: &PointAttribute, point: usize, size: usize) -> Option<&[u8]> {
    let value = attribute.mapped_index(PointIndex(u32::try_from(point).ok()?)).0 as usize;
    let stride = usize::try_from(attribute.byte_stride()).ok()?;
    let start = value.checked_mul(stride)?;
    attribute.buffer().data().get(start..start.checked_add(size)?)
}

/// Kinds of numbers in a stream.
#[derive(Clone, Copy)]
enum Source {
    /// A type that accessors have, too.
    Shared(Component),
    /// And one they do not.
    I32,
}

impl Source {
    fn size(self) -> usize {
        match self {
            Self::Shared(component) => component.size(),
            Self::I32 => 4,
        }
    }

    fn read(self, bytes: &[u8]) -> Option<f64> {
        match self {
            Self::Shared(component) => component.read(bytes),
            Self::I32 => Some(f64::from(i32::from_le_bytes(*bytes.first_chunk()?))),
        }
    }
}

/// Adds an accessor with a separate buffer and returns its index.
fn add(document: &mut Document, buffers: &mut Buffers<'_>, mut accessor: Accessor, bytes: Vec<u8>) -> usize {
    let byte_length = bytes.len();
    document.buffer_views.push(BufferView {
        buffer: buffers.len(),
        byte_offset: None,
        byte_length,
        byte_stride: None,
        extensions: None,
    });
    document.buffers.push(Buffer { uri: None, byte_length, extensions: BufferExtensions::default() });
    buffers.push(Some(Cow::Owned(bytes)));
    accessor.buffer_view = Some(document.buffer_views.len().saturating_sub(1));
    document.accessors.push(accessor);
    document.accessors.len().saturating_sub(1)
}
