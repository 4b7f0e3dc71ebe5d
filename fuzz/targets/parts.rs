//! Inputs of JSON text and binary data, divided by the first zero byte: makes GLBs of them, and mutates them,
//! half of the time as JSON.

use libfuzzer_sys::fuzzer_mutate;

use crate::breaking::{Random, break_json, flip_bytes};

/// The text and the data of an input.
fn divide(input: &[u8]) -> (&[u8], &[u8]) {
    let end = input.iter().position(|byte| *byte == 0).unwrap_or(input.len());
    (&input[..end], input.get(end + 1..).unwrap_or_default())
}

/// A GLB of both.
pub fn to_glb(input: &[u8]) -> Vec<u8> {
    let (text, binary) = divide(input);
    let mut glb = b"glTF\x02\0\0\0".to_vec();
    glb.extend(((28 + text.len() + binary.len()) as u32).to_le_bytes());
    for (kind, data) in [(b"JSON", text), (b"BIN\0", binary)] {
        glb.extend((data.len() as u32).to_le_bytes());
        glb.extend(kind);
        glb.extend(data);
    }
    glb
}

/// Mutates the first `size` bytes in place and returns their new number.
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    edit(data, size, max_size, &mut Random::new(u64::from(seed)))
        .unwrap_or_else(|| fuzzer_mutate(data, size, max_size))
}

/// Edits the JSON or the data; `None` if there is no room or no JSON, and in half of all other cases.
fn edit(data: &mut [u8], size: usize, max_size: usize, random: &mut Random) -> Option<usize> {
    if random.below(2) == 0 {
        return None;
    }
    let (text, binary) = divide(&data[..size]);
    let mut json = serde_json::from_slice(text).ok()?;
    let mut binary = binary.to_vec();
    match random.below(4) {
        0 => flip_bytes(&mut binary, random),
        edits => (0..edits).for_each(|_| break_json(&mut json, random)),
    }
    let mut edited = serde_json::to_vec(&json).ok()?;
    edited.push(0);
    edited.extend(binary);
    if edited.len() > max_size {
        return None;
    }
    data.get_mut(..edited.len())?.copy_from_slice(&edited);
    Some(edited.len())
}
