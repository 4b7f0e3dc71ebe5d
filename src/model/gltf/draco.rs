//! Draco-compressed primitives: each is decoded, and its attributes and indices become accessors that the
//! document did not have. It must not know what the attributes are used for.

use std::borrow::Cow;

use draco_core::{DataType, DecodeLimits, DecoderBuffer, Mesh, MeshDecoder, PointAttribute, PointIndex};

use super::budget::Budget;
use super::buffer::{self, Buffers};
use super::component::Component;
use super::error::LoadError;
use super::json::{Accessor, Buffer, BufferExtensions, BufferView, Document};
use super::report::one_line;

/// What the decoder may take for a face, besides the three indices that come out.
const BYTES_PER_FACE: u64 = 128;

/// Decodes every compressed primitive and lets it refer to what came out.
pub fn decode_primitives(
    document: &mut Document,
    buffers: &mut Buffers<'_>,
    budget: &mut Budget,
) -> Result<(), LoadError> {
    let mut meshes = std::mem::take(&mut document.meshes);
    for (mesh, primitives) in meshes.iter_mut().map(|mesh| &mut mesh.primitives).enumerate() {
        for (number, primitive) in primitives.iter_mut().enumerate() {
            let Some(draco) = primitive.extensions.take().and_then(|extensions| extensions.draco) else {
                continue;
            };
            let path = format!("meshes[{mesh}].primitives[{number}].extensions.KHR_draco_mesh_compression");
            let view = buffer::view(document, buffers, draco.buffer_view, &format!("{path}.bufferView"))?;
            let decoded = decode(view.bytes, budget).map_err(|fault| LoadError::invalid(&path, fault))?;
            let points = decoded.num_points();

            budget.charge(&path, decoded.num_faces(), size_of::<[u32; 3]>())?;
            let corners = decoded.faces().iter().flatten().map(|point| point.0);
            let indices: Vec<u8> = corners.flat_map(u32::to_le_bytes).collect();
            let count = decoded.num_faces().saturating_mul(3);
            let accessor = Accessor {
                buffer_view: None,
                byte_offset: None,
                component_type: Component::U32.code(),
                normalized: false,
                count,
                kind: "SCALAR".to_owned(),
                sparse: None,
            };
            primitive.indices = Some(add(document, buffers, accessor, indices));
            // Strips, too, come out as a list.
            primitive.mode = Some(4);

            for (name, id) in &draco.attributes {
                let path = format!("{path}.attributes.{name}");
                let Some(slot) = primitive.attributes.get_mut(name) else {
                    let message = "the primitive has no such attribute besides the compressed one";
                    return Err(LoadError::invalid(path, message));
                };
                let accessors = &document.accessors;
                let declared = accessors
                    .get(*slot)
                    .ok_or_else(|| LoadError::no_such(&path, "accessor", *slot, accessors.len()))?;
                let (accessor, bytes) = attribute(&decoded, *id, declared, points, &path, budget)?;
                *slot = add(document, buffers, accessor, bytes);
            }
        }
    }
    document.meshes = meshes;
    Ok(())
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
    let attribute = attribute.ok_or_else(|| invalid(format!("nothing in the stream has the number {id}")))?;
    let target = Component::from_code(declared.component_type)
        .ok_or_else(|| invalid(format!("{} is no component type", declared.component_type)))?;
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
    let kind = match attribute.num_components() {
        1 => "SCALAR",
        2 => "VEC2",
        3 => "VEC3",
        4 => "VEC4",
        other => return Err(invalid(format!("has elements of {other} numbers"))),
    };
    let width = usize::from(attribute.num_components());
    budget.charge(path, points, width.saturating_mul(target.size()))?;
    let mut bytes = Vec::with_capacity(points.saturating_mul(width).saturating_mul(target.size()));
    for point in 0..points {
        let element = element(attribute, point, width.saturating_mul(source.size()))
            .ok_or_else(|| invalid(format!("has no value for vertex {point}")))?;
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
        kind: kind.to_owned(),
        sparse: None,
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

/// What kinds of numbers a stream may hold.
#[derive(Clone, Copy)]
enum Source {
    /// Those that accessors hold, too.
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

/// Adds an accessor to bytes of its own and says where.
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

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use serde_json::{Value, json};

    use crate::model::Model;
    use crate::model::gltf::load_bytes;

    /// Streams made by `tests/data/draco.mjs`: the same sheet of 6 by 5 vertices, in several ways.
    fn streams() -> Vec<(String, Vec<u8>)> {
        let cases: Vec<Value> = serde_json::from_str(include_str!("../../../tests/data/draco.json")).unwrap();
        let text = |case: &Value, field: &str| case[field].as_str().unwrap().to_owned();
        let stream = |case: &Value| STANDARD.decode(text(case, "stream")).unwrap();
        cases.iter().map(|case| (text(case, "name"), stream(case))).collect()
    }

    /// A file around a stream.
    fn file(stream: &[u8]) -> Value {
        json!({
            "asset": {"version": "2.0"},
            "extensionsRequired": ["KHR_draco_mesh_compression"],
            "nodes": [{"mesh": 0, "skin": 0}, {}],
            "skins": [{"joints": [0, 1]}],
            "meshes": [{"primitives": [{
                "attributes": {"POSITION": 0, "NORMAL": 1, "JOINTS_0": 2, "WEIGHTS_0": 3},
                "indices": 4,
                "extensions": {"KHR_draco_mesh_compression": {"bufferView": 0,
                    "attributes": {"POSITION": 0, "NORMAL": 1, "JOINTS_0": 2, "WEIGHTS_0": 3}}},
            }]}],
            "accessors": [
                {"componentType": 5126, "type": "VEC3", "count": 30},
                {"componentType": 5126, "type": "VEC3", "count": 30},
                {"componentType": 5121, "type": "VEC4", "count": 30},
                {"componentType": 5126, "type": "VEC4", "count": 30},
                {"componentType": 5123, "type": "SCALAR", "count": 120},
            ],
            "bufferViews": [{"buffer": 0, "byteLength": stream.len()}],
            "buffers": [{"byteLength": stream.len(),
                "uri": format!("data:;base64,{}", STANDARD.encode(stream))}],
        })
    }

    fn load(file: &Value) -> Result<Model, String> {
        load_bytes(file.to_string().as_bytes(), None).map_err(|error| error.to_string())
    }

    /// Every triangle's corners as (column, row) of the sheet, in an order that does not matter.
    fn triangles(model: &Model) -> Vec<[[i32; 2]; 3]> {
        let primitive = &model.meshes[0].primitives[0];
        let corner = |index: &u32| {
            let [x, y, _] = primitive.positions[*index as usize];
            [(x * 4.0).round() as i32, (y * 4.0).round() as i32]
        };
        let mut triangles: Vec<[[i32; 2]; 3]> = Vec::new();
        for [a, b, c] in primitive.indices.as_chunks::<3>().0 {
            let mut corners = [corner(a), corner(b), corner(c)];
            // Which corner is first does not matter, the way round does.
            let first = (0..3).min_by_key(|k| corners[*k]).unwrap();
            corners.rotate_left(first);
            triangles.push(corners);
        }
        triangles.sort_unstable();
        triangles
    }

    #[test]
    fn every_kind_of_stream_is_the_same_sheet() {
        let streams = streams();
        assert!(streams.len() >= 4);
        let mut expected = Vec::new();
        for (x, y) in (0..5).flat_map(|x| (0..4).map(move |y| (x, y))) {
            let (a, b, c, d) = ([x, y], [x + 1, y], [x, y + 1], [x + 1, y + 1]);
            expected.extend([[a, b, c], [c, b, d]].map(|mut corners: [[i32; 2]; 3]| {
                let first = (0..3).min_by_key(|k| corners[*k]).unwrap();
                corners.rotate_left(first);
                corners
            }));
        }
        expected.sort_unstable();
        for (name, stream) in &streams {
            let model = load(&file(stream)).unwrap_or_else(|error| panic!("{name}: {error}"));
            let primitive = &model.meshes[0].primitives[0];
            assert_eq!(primitive.positions.len(), 30, "{name}");
            assert_eq!(triangles(&model), expected, "{name}");
            let influences = primitive.influences.as_ref().unwrap();
            for (vertex, [x, y, z]) in primitive.positions.iter().enumerate() {
                // As the script makes them: z = (x² + y²) / 8, and the joint is the row's parity.
                assert!((z - (x * x + y * y) / 8.0).abs() < 2e-3, "{name}: {x} {y} {z}");
                let row = (y * 4.0).round() as i32;
                assert_eq!(influences.spans[0].joints[vertex][0], row % 2, "{name}");
                assert_eq!(influences.spans[0].weights[vertex], [1.0, 0.0, 0.0, 0.0], "{name}");
                let [nx, ny, nz] = primitive.normals.as_ref().unwrap()[vertex];
                let length = (x * x + y * y + 16.0).sqrt();
                let off = (nx + x / length).abs().max((ny + y / length).abs()).max((nz - 4.0 / length).abs());
                assert!(off < 0.02, "{name}: the normal at {x} {y} is off by {off}");
            }
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let (_, stream) = streams().remove(0);
        let error = |change: &dyn Fn(&mut Value)| {
            let mut file = file(&stream);
            change(&mut file);
            load(&file).unwrap_err()
        };
        let path = "meshes[0].primitives[0].extensions.KHR_draco_mesh_compression";
        fn draco(file: &mut Value) -> &mut Value {
            &mut file["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"]
        }
        let text = error(&|file| draco(file)["bufferView"] = 9.into());
        assert_eq!(text, format!("{path}.bufferView: there is no buffer view 9 (the file has 1)"));
        let text = error(&|file| draco(file)["attributes"]["POSITION"] = 77.into());
        assert_eq!(text, format!("{path}.attributes.POSITION: nothing in the stream has the number 77"));
        let text = error(&|file| draco(file)["attributes"]["TANGENT"] = 1.into());
        assert!(text.starts_with(&format!("{path}.attributes.TANGENT: the primitive has no such")), "{text}");
        let text = error(&|file| file["bufferViews"][0]["byteLength"] = 20.into());
        assert!(text.starts_with(&format!("{path}: cannot be decoded: ")), "{text}");
    }

    /// Every stream cut short and with bytes changed: an error or another mesh, nothing else.
    #[test]
    fn broken_streams_do_no_harm() {
        let (mut wrong, mut tried) = (0, 0);
        for (_, stream) in streams() {
            for at in 0..stream.len() {
                for change in [1, 0x80, 0xff] {
                    let mut stream = stream.clone();
                    stream[at] ^= change;
                    tried += 1;
                    wrong += i32::from(load(&file(&stream)).is_err());
                }
                tried += 1;
                wrong += i32::from(load(&file(&stream[..at])).is_err());
            }
        }
        assert!(wrong > tried / 4, "only {wrong} of {tried} were found broken");
    }
}
