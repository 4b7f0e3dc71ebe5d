//! Takes GLBs apart into chunks, breaks some of these, and puts them together again with the right lengths, so that
//! mutations get past the container.

use libfuzzer_sys::fuzzer_mutate;

use crate::breaking::{Random, break_bytes, break_json, flip_bytes};

/// A chunk: what it is, and its bytes.
type Chunk = ([u8; 4], Vec<u8>);

/// The chunks of a file whose lengths are right.
fn chunks_of(bytes: &[u8]) -> Option<Vec<Chunk>> {
    let mut rest = bytes.strip_prefix(b"glTF")?.get(8..)?;
    let mut chunks = Vec::new();
    while let Some((length, after)) = rest.split_first_chunk() {
        let (kind, after) = after.split_first_chunk()?;
        let (data, after) = after.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        chunks.push((*kind, data.to_vec()));
        rest = after;
    }
    Some(chunks)
}

/// A file of these chunks.
fn file_of(chunks: &[Chunk]) -> Vec<u8> {
    let mut bytes = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
    for (kind, data) in chunks {
        let padded = data.len().next_multiple_of(4);
        bytes.extend((padded as u32).to_le_bytes());
        bytes.extend(kind);
        bytes.extend(data);
        bytes.resize(bytes.len() + padded - data.len(), if kind == b"JSON" { b' ' } else { 0 });
    }
    let length = (bytes.len() as u32).to_le_bytes();
    bytes[8..12].copy_from_slice(&length);
    bytes
}

/// Mutates the first `size` bytes in place and returns their new number: half of the time by chunks.
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let random = &mut Random::new(u64::from(seed));
    let chunks = (random.below(2) == 0).then(|| chunks_of(&data[..size])).flatten();
    let broken = chunks.map(|mut chunks| {
        (0..=random.below(3)).for_each(|_| break_chunks(&mut chunks, random));
        file_of(&chunks)
    });
    match broken.filter(|bytes| bytes.len() <= max_size) {
        Some(bytes) => {
            data[..bytes.len()].copy_from_slice(&bytes);
            bytes.len()
        }
        None => fuzzer_mutate(data, size, max_size),
    }
}

fn break_chunks(chunks: &mut Vec<Chunk>, random: &mut Random) {
    if chunks.is_empty() {
        return chunks.push((*b"JSON", b"{\"asset\":{\"version\":\"2.0\"}}".to_vec()));
    }
    let (at, other) = (random.below(chunks.len()), random.below(chunks.len()));
    match random.below(16) {
        0 => drop(chunks.remove(at)),
        1 => chunks.insert(other, chunks[at].clone()),
        2 => chunks.swap(at, other),
        3 => chunks[at].0 = *random.one(&[*b"JSON", *b"BIN\0", *b"XTRA", [0; 4]]),
        4 => {
            let end = random.below(chunks[at].1.len());
            chunks[at].1.truncate(end);
        }
        5 => break_bytes_of(&mut chunks[at].1, random),
        _ => match &mut chunks[at] {
            (kind, data) if kind == b"JSON" => match serde_json::from_slice(data) {
                Ok(mut json) => {
                    break_json(&mut json, random);
                    *data = serde_json::to_vec(&json).unwrap_or_default();
                }
                Err(_) => break_bytes_of(data, random),
            },
            (_, data) if !data.is_empty() => flip_bytes(data, random),
            (_, data) => data.push(0),
        },
    }
}

fn break_bytes_of(data: &mut Vec<u8>, random: &mut Random) {
    match data.is_empty() {
        true => data.push(random.next() as u8),
        false => break_bytes(data, random),
    }
}
