//! Rigs about how accessors store a skinned mesh.

use serde_json::json;

use super::compression::{draco, meshopt};
use super::gltf::{F32, Gltf, I8, U8, U16, bounds, bytes_of, shorts_of};
use super::tube::{Binds, Tube, texcoords};
use super::{CASE, EXTENSION, File, Recipe};

const SPARSE: (&str, &str) = (
    "On top of that, a sparse accessor includes a sparse JSON object describing the elements that are different from their \
     initialization values.",
    "glTF 2.0, 3.6.2.3",
);
const ZEROS: (&str, &str) = (
    "When accessor.bufferView is undefined, the sparse accessor is initialized as an array of zeros of size (size of the \
     accessor element) * (accessor.count) bytes.",
    "glTF 2.0, 3.6.2.3",
);
const STRIDE: (&str, &str) = (
    "When a buffer view is used for vertex attribute data, it MAY have a byteStride property.",
    "glTF 2.0, 3.6.1.1",
);
const QUANTIZED: (&str, &str) = (
    "For skinned meshes, the node hierarchy does not affect the transform of the mesh directly - however, dequantization \
     transform can be encoded into inverseBindMatrices for the skin used for the mesh.",
    "KHR_mesh_quantization, Decoding Quantized Data",
);
const MESHOPT: (&str, &str) = (
    "Each bufferView is compressed in isolation which allows the loaders to maximally efficiently decompress the data directly \
     into GPU storage.",
    "EXT_meshopt_compression, Overview",
);
const DRACO: (&str, &str) = (
    "attributes defines the attributes stored in the decompressed geometry.",
    "KHR_draco_mesh_compression, attributes",
);

pub fn all() -> Vec<Recipe> {
    [core(), extensions()].into_iter().flatten().collect()
}

/// Accessors of glTF itself.
fn core() -> Vec<Recipe> {
    vec![
        Recipe {
            name: "sparse-positions",
            tests: "positions of which some are replaced by a sparse accessor",
            why: "Bounds and skinning need the replaced values.",
            source: SPARSE,
            file: File::Glb(sparse_positions),
            ..CASE
        },
        Recipe {
            name: "sparse-joints",
            tests: "joint numbers that are zero but for those in a sparse accessor without a view",
            why: "An accessor may have no bytes but the sparse ones.",
            source: ZEROS,
            file: File::Glb(sparse_joints),
            ..CASE
        },
        Recipe {
            name: "interleaved",
            tests: "all attributes of a vertex side by side, with a stride",
            why: "Elements are not packed, and joints and weights begin in the middle of a view.",
            source: STRIDE,
            file: File::Glb(interleaved),
            ..CASE
        },
    ]
}

/// Accessors of extensions.
fn extensions() -> Vec<Recipe> {
    let case = Recipe { modes: EXTENSION, ..CASE };
    vec![
        Recipe {
            name: "quantized",
            tests: "positions in 16 bits, which inverse bind matrices scale, and normals in 8 bits",
            why: "The scale back is in the inverse bind matrices alone, as tools that compress write it.",
            source: QUANTIZED,
            made_for: &[("lbs", &["skip-inverse-bind"])],
            file: File::Glb(quantized),
            ..case
        },
        Recipe {
            name: "meshopt",
            tests: "all data by EXT_meshopt_compression",
            why: "Attributes, indices, matrices and keys come out of streams, without loss.",
            source: MESHOPT,
            file: File::Glb(|| {
                let mut file = Tube::new(3, 2).file();
                meshopt(&mut file);
                file
            }),
            ..case
        },
        Recipe {
            name: "draco",
            tests: "a mesh by KHR_draco_mesh_compression",
            why: "Joints and weights are generic attributes there. The stream is sequential and without loss.",
            source: DRACO,
            file: File::Glb(|| {
                let mut file = Tube::new(3, 2).file();
                draco(&mut file);
                file
            }),
            ..case
        },
    ]
}

/// The number of the accessor of an attribute.
fn accessor_of(file: &mut Gltf, attribute: &str) -> usize {
    file.primitive()["attributes"][attribute].as_u64().unwrap_or(0) as usize
}

/// Makes the values at these vertices sparse ones.
fn add_sparse(file: &mut Gltf, accessor: usize, vertices: &[u16], values: &[u8]) {
    let (indices, values) = (file.view(&shorts_of(vertices)), file.view(values));
    let indices = json!({"bufferView": indices, "componentType": U16});
    let sparse = json!({"count": vertices.len(), "indices": indices, "values": {"bufferView": values}});
    file.json["accessors"][accessor]["sparse"] = sparse;
}

fn sparse_positions() -> Gltf {
    let right = Tube::new(3, 2);
    let mut wrong = right.clone();
    let vertices = [1, 6, 13, 14, 27];
    for vertex in vertices {
        wrong.positions[usize::from(vertex)] = [0.0, 9.0, 0.0];
    }
    let mut file = wrong.file();
    let accessor = accessor_of(&mut file, "POSITION");
    let values: Vec<f32> = vertices.iter().flat_map(|vertex| right.positions[usize::from(*vertex)]).collect();
    add_sparse(&mut file, accessor, &vertices, &bytes_of(&values));
    let (least, most) = bounds(right.positions.as_flattened(), 3);
    file.json["accessors"][accessor]["min"] = json!(least);
    file.json["accessors"][accessor]["max"] = json!(most);
    file
}

fn sparse_joints() -> Gltf {
    let tube = Tube::new(3, 2);
    let mut file = tube.file();
    let accessor = accessor_of(&mut file, "JOINTS_0");
    let joints = tube.joints_of(0);
    let moved = joints.chunks_exact(4).enumerate().filter(|(_, four)| four.iter().any(|joint| *joint != 0));
    let (vertices, values): (Vec<u16>, Vec<&[u8]>) =
        moved.map(|(vertex, four)| (vertex as u16, four)).unzip();
    if let Some(accessor) = file.json["accessors"][accessor].as_object_mut() {
        accessor.remove("bufferView");
    }
    add_sparse(&mut file, accessor, &vertices, &values.concat());
    file.drop_unused_views();
    file
}

/// Adds a view of vertices with a stride.
fn strided(file: &mut Gltf, bytes: &[u8], stride: usize) -> usize {
    let view = file.view(bytes);
    file.json["bufferViews"][view]["byteStride"] = json!(stride);
    view
}

fn interleaved() -> Gltf {
    let tube = Tube { weight_type: U8, ..Tube::new(3, 2) };
    let mut file = tube.file();
    let count = tube.positions.len();
    let texcoords = texcoords(0, count, count);
    let normals = tube.normals.clone().unwrap_or_default();
    let parts = [
        ("TEXCOORD_0", bytes_of(texcoords.as_flattened())),
        ("JOINTS_0", tube.joints_of(0)),
        ("POSITION", bytes_of(tube.positions.as_flattened())),
        ("WEIGHTS_0", tube.weights_of(0)),
        ("NORMAL", bytes_of(normals.as_flattened())),
    ];
    let vertex = |number: usize| {
        parts
            .iter()
            .flat_map(move |(_, bytes)| bytes.chunks_exact(bytes.len() / count).nth(number).unwrap_or(&[]))
    };
    let bytes: Vec<u8> = (0..count).flat_map(vertex).copied().collect();
    let view = strided(&mut file, &bytes, bytes.len() / count);
    let mut at = 0;
    for (name, bytes) in &parts {
        let accessor = accessor_of(&mut file, name);
        file.json["accessors"][accessor]["bufferView"] = json!(view);
        file.json["accessors"][accessor]["byteOffset"] = json!(at);
        at += bytes.len() / count;
    }
    file.drop_unused_views();
    file
}

/// Positions on a grid of 1.5 m in 65535ths, from a corner.
fn quantized() -> Gltf {
    let corner = [-0.5_f32, 0.0, -0.5];
    let size = 1.5_f32;
    let mut tube = Tube::new(3, 2);
    let matrices = (0..3).flat_map(|joint| {
        let [x, y, z] = [0, 1, 2].map(|axis| corner[axis] - tube.place(joint)[axis]);
        [size, 0.0, 0.0, 0.0, 0.0, size, 0.0, 0.0, 0.0, 0.0, size, 0.0, x, y, z, 1.0]
    });
    tube.binds = Binds::Given(matrices.collect());
    let mut file = tube.file();
    let on_grid = |value: f32, axis: usize| ((value - corner[axis]) / size * 65535.0).round() as u16;
    let stored: Vec<[u16; 4]> =
        tube.positions.iter().map(|[x, y, z]| [on_grid(*x, 0), on_grid(*y, 1), on_grid(*z, 2), 0]).collect();
    let normals = tube.normals.iter().flatten();
    let normals: Vec<u8> = normals
        .flat_map(|normal| normal.map(|value| (value * 127.0).round() as i8).into_iter().chain([0]))
        .map(|value| value as u8)
        .collect();
    let positions = strided(&mut file, &shorts_of(stored.as_flattened()), 8);
    let normals = strided(&mut file, &normals, 4);
    for (name, view, component) in [("POSITION", positions, U16), ("NORMAL", normals, I8)] {
        let accessor = accessor_of(&mut file, name);
        let accessor = &mut file.json["accessors"][accessor];
        debug_assert_eq!(accessor["componentType"], json!(F32));
        accessor["bufferView"] = json!(view);
        accessor["componentType"] = json!(component);
        accessor["normalized"] = json!(true);
    }
    let accessor = accessor_of(&mut file, "POSITION");
    let of = |pick: fn(u16, u16) -> u16| {
        [0, 1, 2].map(|axis| stored.iter().map(|values| values[axis]).reduce(pick).unwrap_or(0))
    };
    file.json["accessors"][accessor]["min"] = json!(of(u16::min));
    file.json["accessors"][accessor]["max"] = json!(of(u16::max));
    file.extension("KHR_mesh_quantization", true);
    file.drop_unused_views();
    file
}
