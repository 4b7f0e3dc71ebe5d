//! Loads files around a compressed buffer view: the first six bytes of an input say how it is compressed, the others are
//! the stream.

#![no_main]

#[path = "../../crates/model/tests/common/file.rs"]
mod file;
#[path = "../../crates/model/tests/common/sound.rs"]
mod sound;

mod check;

use libfuzzer_sys::fuzz_target;

const MODES: [&str; 4] = ["ATTRIBUTES", "TRIANGLES", "INDICES", "POINTS"];
const FILTERS: [&str; 6] = ["NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", "COLOR", "SEPIA"];
const NAMES: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];

/// An attribute with elements of that many bytes, and its accessor's type and component.
fn attribute(stride: u16, filter: &str) -> (&'static str, &'static str, u32, bool) {
    match (stride, filter) {
        (4, "OCTAHEDRAL") => ("NORMAL", "VEC3", 5120, true),
        (8, "OCTAHEDRAL") => ("NORMAL", "VEC3", 5122, true),
        (4, _) => ("COLOR_0", "VEC4", 5121, true),
        (8, "QUATERNION" | "COLOR") => ("TANGENT", "VEC4", 5122, true),
        (8, _) => ("TEXCOORD_0", "VEC2", 5126, false),
        (16, _) => ("TANGENT", "VEC4", 5126, false),
        _ => ("NORMAL", "VEC3", 5126, false),
    }
}

fn document(head: &[u8; 6], stream: &[u8]) -> String {
    let [mode, filter, count_low, count_high, stride, more] = *head;
    let mode = MODES[usize::from(mode) % 4];
    let filter = FILTERS[usize::from(filter) % 6];
    let count = u16::from_le_bytes([count_low, count_high]) % 2048;
    // Of all strides, and one more than there may be.
    let stride = u16::from(stride) + u16::from(more % 2) * 256;
    let name = NAMES[usize::from(more >> 1) % 2];
    let decoded = u32::from(count) * u32::from(stride);
    let (attribute, kind, component, normalized) = attribute(stride, filter);
    let is_index = mode != "ATTRIBUTES";
    let (used, kind, component, normalized) = match is_index {
        true => (",\"indices\":1".to_owned(), "SCALAR", if stride == 2 { 5123 } else { 5125 }, false),
        false => (String::new(), kind, component, normalized),
    };
    let attribute = if is_index { String::new() } else { format!(",\"{attribute}\":1") };
    // Indices may name up to 500 vertices.
    let vertices = if is_index { 500 } else { count };
    format!(
        "{{\"asset\":{{\"version\":\"2.0\"}},\"extensionsRequired\":[\"{name}\"],\
         \"extensionsUsed\":[\"{name}\",\"KHR_mesh_quantization\"],\"nodes\":[{{\"mesh\":0}}],\
         \"meshes\":[{{\"primitives\":[{{\"attributes\":{{\"POSITION\":0{attribute}}}{used}}}]}}],\
         \"accessors\":[{{\"componentType\":5126,\"type\":\"VEC3\",\"count\":{vertices}}},\
         {{\"bufferView\":0,\"componentType\":{component},\"type\":\"{kind}\",\"normalized\":{normalized},\
         \"count\":{count}}}],\
         \"bufferViews\":[{{\"buffer\":1,\"byteLength\":{decoded},\"extensions\":{{\"{name}\":{{\"buffer\":0,\
         \"byteLength\":{length},\"byteStride\":{stride},\"count\":{count},\"mode\":\"{mode}\",\
         \"filter\":\"{filter}\"}}}}}}],\
         \"buffers\":[{{\"byteLength\":{length}}},{{\"byteLength\":{decoded},\
         \"extensions\":{{\"{name}\":{{\"fallback\":true}}}}}}]}}",
        length = stream.len(),
    )
}

fuzz_target!(|input: &[u8]| {
    if let Some((head, stream)) = input.split_first_chunk() {
        check::load(&file::glb(document(head, stream).as_bytes(), stream));
    }
});
