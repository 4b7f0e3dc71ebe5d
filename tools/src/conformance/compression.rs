//! Writes meshes as EXT_meshopt_compression and KHR_draco_mesh_compression, in the simplest streams that the formats allow.

use serde_json::{Value, json};

use super::gltf::{F32, Gltf, U8, U16};

/// Compresses every view of a file, and leaves their bytes to a second buffer that does not exist.
pub fn meshopt(file: &mut Gltf) {
    const NAME: &str = "EXT_meshopt_compression";
    let plain = std::mem::take(&mut file.bytes);
    let indices = file.primitive()["indices"].as_u64();
    let accessors = file.json["accessors"].as_array().cloned().unwrap_or_default();
    let mut views = file.json["bufferViews"].take();
    for (number, view) in views.as_array_mut().into_iter().flatten().enumerate() {
        let of = |accessor: &&Value| accessor["bufferView"].as_u64() == Some(number as u64);
        let accessor = accessors.iter().find(of).expect("every view has an accessor");
        let number = |value: &Value| value.as_u64().expect("views and accessors have these numbers") as usize;
        let [at, length] = ["byteOffset", "byteLength"].map(|key| number(&view[key]));
        let (bytes, count) = (&plain[at..at + length], number(&accessor["count"]));
        let is_indices = indices.is_some_and(|indices| accessor == &accessors[indices as usize]);
        let stream = if is_indices { index_stream(bytes) } else { attribute_stream(bytes, length / count) };
        let start = file.store(&stream);
        view["buffer"] = json!(1);
        view["extensions"][NAME] = json!({
            "buffer": 0, "byteOffset": start, "byteLength": stream.len(), "byteStride": length / count, "count": count,
            "mode": if is_indices { "INDICES" } else { "ATTRIBUTES" },
        });
    }
    file.json["bufferViews"] = views;
    file.push("buffers", json!({"byteLength": plain.len(), "extensions": {NAME: {"fallback": true}}}));
    file.extension(NAME, true);
}

/// A stream of version 0: for each byte of an element, its differences in groups of sixteen that are all zero or stored whole.
fn attribute_stream(bytes: &[u8], stride: usize) -> Vec<u8> {
    let mut stream = vec![0xa0];
    let mut before = bytes[..stride].to_vec();
    for block in bytes.chunks(stride * ((8192 / stride) & !15).min(256)) {
        let elements: Vec<&[u8]> = block.chunks_exact(stride).collect();
        for place in 0..stride {
            let last = std::iter::once(before[place]).chain(elements.iter().map(|element| element[place]));
            let mut deltas: Vec<u8> = elements
                .iter()
                .zip(last)
                .map(|(element, last)| zigzag(element[place].wrapping_sub(last)))
                .collect();
            deltas.resize(deltas.len().next_multiple_of(16), 0);
            let groups: Vec<&[u8]> = deltas.chunks_exact(16).collect();
            let is_stored = |group: &&[u8]| group.iter().any(|delta| *delta != 0);
            let bits: Vec<u8> = groups.iter().map(|group| if is_stored(group) { 3 } else { 0 }).collect();
            stream
                .extend(bits.chunks(4).map(|four| four.iter().rev().fold(0, |byte, bits| byte << 2 | bits)));
            stream.extend(groups.into_iter().filter(is_stored).flatten());
        }
        before = elements.last().map_or(before, |element| element.to_vec());
    }
    stream.resize(stream.len() + 32_usize.saturating_sub(stride), 0);
    stream.extend(&bytes[..stride]);
    stream
}

fn zigzag(delta: u8) -> u8 {
    if delta & 0x80 != 0 { !(delta << 1) } else { delta << 1 }
}

/// A stream of 16-bit indices as differences from the one before.
fn index_stream(bytes: &[u8]) -> Vec<u8> {
    let mut stream = vec![0xd1];
    let mut last = 0_i32;
    for pair in bytes.as_chunks::<2>().0 {
        let index = i32::from(u16::from_le_bytes(*pair));
        let delta = index - last;
        // The lowest bit selects one of two baselines; this uses the first alone.
        put(&mut stream, (((delta << 1) ^ (delta >> 31)) as u32) << 1);
        last = index;
    }
    stream.extend([0; 4]);
    stream
}

/// Adds a number in groups of seven bits, lowest first.
fn put(stream: &mut Vec<u8>, mut number: u32) {
    while number > 0x7f {
        stream.push(number as u8 | 0x80);
        number >>= 7;
    }
    stream.push(number as u8);
}

/// Compresses the first primitive, with every attribute as it is.
pub fn draco(file: &mut Gltf) {
    const NAME: &str = "KHR_draco_mesh_compression";
    let primitive = file.primitive().clone();
    let attributes = primitive["attributes"].as_object().cloned().unwrap_or_default();
    let indices = take(file, &primitive["indices"]);
    let corners: Vec<u8> = indices.chunks_exact(2).map(|index| index[0]).collect();
    let first = attributes["POSITION"].as_u64().unwrap_or(0) as usize;
    let points = file.json["accessors"][first]["count"].as_u64().unwrap_or(0) as u32;

    // Version 2.2, a mesh, sequential, without metadata; then connectivity as it is, and one decoder of attributes.
    let mut stream = [&b"DRACO"[..], &[2, 2, 1, 0, 0, 0]].concat();
    put(&mut stream, (corners.len() / 3) as u32);
    put(&mut stream, points);
    stream.push(1);
    stream.extend(&corners);
    stream.push(1);
    put(&mut stream, attributes.len() as u32);
    for (id, (name, accessor)) in attributes.iter().enumerate() {
        let accessor = &file.json["accessors"][accessor.as_u64().unwrap_or(0) as usize];
        let kind = match name.as_str() {
            "POSITION" => 0,
            "NORMAL" => 1,
            "TEXCOORD_0" => 3,
            _ => 4,
        };
        let number_type = match accessor["componentType"].as_u64().unwrap_or(0) as u32 {
            F32 => 9,
            U16 => 4,
            U8 => 2,
            other => unreachable!("no rig has components of type {other}"),
        };
        let width = accessor["type"].as_str().and_then(|kind| kind.strip_prefix("VEC"));
        let width = width.and_then(|width| width.parse().ok()).unwrap_or(1);
        stream.extend([kind, number_type, width, 0]);
        put(&mut stream, id as u32);
    }
    // Values of all attributes as they are.
    stream.extend(std::iter::repeat_n(0, attributes.len()));
    for accessor in attributes.values() {
        stream.extend(take(file, accessor));
    }
    let view = file.view(&stream);
    let ids: serde_json::Map<String, Value> =
        attributes.keys().enumerate().map(|(id, name)| (name.clone(), json!(id))).collect();
    file.primitive()["extensions"][NAME] = json!({"bufferView": view, "attributes": ids});
    file.extension(NAME, true);
    file.drop_unused_views();
}

/// The bytes of an accessor, which loses its view.
fn take(file: &mut Gltf, accessor: &Value) -> Vec<u8> {
    let accessor = &mut file.json["accessors"][accessor.as_u64().unwrap_or(0) as usize];
    let view = accessor["bufferView"].as_u64().unwrap_or(0) as usize;
    if let Some(accessor) = accessor.as_object_mut() {
        accessor.remove("bufferView");
    }
    let view = &file.json["bufferViews"][view];
    let [at, length] = ["byteOffset", "byteLength"].map(|key| view[key].as_u64().unwrap_or(0) as usize);
    file.bytes[at..at + length].to_vec()
}
