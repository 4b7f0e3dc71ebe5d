//! JSON text and binary data, divided by the first zero byte and put into a GLB around them, so that
//! mutations reach what lies behind the container; half of them edit the JSON as such.
//! It must not know what the loader makes of it.

#![no_main]

#[path = "../../tests/hostile/breaking.rs"]
mod breaking;
#[path = "../../tests/loader/sound.rs"]
mod sound;

mod check;

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};

use breaking::{Random, break_json, flip_bytes};

/// The text and the data of an input.
fn divide(input: &[u8]) -> (&[u8], &[u8]) {
    let end = input.iter().position(|byte| *byte == 0).unwrap_or(input.len());
    (&input[..end], input.get(end + 1..).unwrap_or_default())
}

fuzz_target!(|input: &[u8]| {
    let (text, binary) = divide(input);
    let mut glb = b"glTF\x02\0\0\0".to_vec();
    glb.extend(((28 + text.len() + binary.len()) as u32).to_le_bytes());
    for (kind, data) in [(b"JSON", text), (b"BIN\0", binary)] {
        glb.extend((data.len() as u32).to_le_bytes());
        glb.extend(kind);
        glb.extend(data);
    }
    check::load(&glb);
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let random = &mut Random::new(u64::from(seed));
    if random.below(2) == 0 {
        return fuzzer_mutate(data, size, max_size);
    }
    let (text, binary) = divide(&data[..size]);
    let Ok(mut json) = serde_json::from_slice(text) else {
        return fuzzer_mutate(data, size, max_size);
    };
    let mut binary = binary.to_vec();
    match random.below(4) {
        0 => flip_bytes(&mut binary, random),
        edits => (0..edits).for_each(|_| break_json(&mut json, random)),
    }
    let mut edited = serde_json::to_vec(&json).unwrap_or_default();
    edited.push(0);
    edited.extend(binary);
    match data.get_mut(..edited.len()) {
        Some(room) if edited.len() <= max_size => {
            room.copy_from_slice(&edited);
            edited.len()
        }
        _ => fuzzer_mutate(data, size, max_size),
    }
});
