//! Loads files around a Draco stream: the first byte of an input says how the file describes it, the others are the
//! stream.

#![no_main]

#[path = "../../crates/model/tests/common/file.rs"]
mod file;
#[path = "../../crates/model/tests/common/sound.rs"]
mod sound;

mod check;

use libfuzzer_sys::fuzz_target;

/// The file that the seeds' streams are for, or one that describes them otherwise.
fn document(kind: u8, length: usize) -> String {
    let joints = [5121, 5123, 5126, 5125][usize::from(kind) % 4];
    let positions = [5126, 5122][usize::from(kind >> 2) % 2];
    let required =
        if kind & 8 == 0 { "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]," } else { "" };
    let names = [
        "\"POSITION\":0,\"NORMAL\":1,\"JOINTS_0\":2,\"WEIGHTS_0\":3",
        "\"POSITION\":0",
        "\"POSITION\":1,\"NORMAL\":0,\"JOINTS_0\":2,\"WEIGHTS_0\":3",
        "\"POSITION\":0,\"NORMAL\":1,\"JOINTS_0\":3,\"WEIGHTS_0\":2",
    ][usize::from(kind >> 4) % 4];
    let mode = if kind & 64 == 0 { 4 } else { 5 };
    format!(
        "{{\"asset\":{{\"version\":\"2.0\"}},{required}\
         \"extensionsUsed\":[\"KHR_draco_mesh_compression\",\"KHR_mesh_quantization\"],\
         \"nodes\":[{{\"mesh\":0,\"skin\":0}},{{}}],\"skins\":[{{\"joints\":[0,1]}}],\
         \"meshes\":[{{\"primitives\":[{{\"mode\":{mode},\
         \"attributes\":{{\"POSITION\":0,\"NORMAL\":1,\"JOINTS_0\":2,\"WEIGHTS_0\":3}},\"indices\":4,\
         \"extensions\":{{\"KHR_draco_mesh_compression\":{{\"bufferView\":0,\"attributes\":{{{names}}}}}}}}}]}}],\
         \"accessors\":[{{\"componentType\":{positions},\"type\":\"VEC3\",\"count\":30}},\
         {{\"componentType\":5126,\"type\":\"VEC3\",\"count\":30}},\
         {{\"componentType\":{joints},\"type\":\"VEC4\",\"count\":30}},\
         {{\"componentType\":5126,\"type\":\"VEC4\",\"count\":30}},\
         {{\"componentType\":5123,\"type\":\"SCALAR\",\"count\":120}}],\
         \"bufferViews\":[{{\"buffer\":0,\"byteLength\":{length}}}],\"buffers\":[{{\"byteLength\":{length}}}]}}"
    )
}

fuzz_target!(|input: &[u8]| {
    if let Some((kind, stream)) = input.split_first() {
        check::load(&file::glb(document(*kind, stream.len()).as_bytes(), stream));
    }
});
