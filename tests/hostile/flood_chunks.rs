//! Millions of chunks in a GLB, each of which breaks a rule.

use sinew::model::gltf::load_bytes;

use crate::file::glb;
use crate::judge::{judge_within, words};

/// A small GLB with these bytes this many times behind its chunks.
fn with_chunks(chunk: &[u8], count: usize) -> Vec<u8> {
    let mut file = glb(br#"{"asset":{"version":"2.0"}}"#, &[]);
    file.extend(chunk.repeat(count));
    let bytes = file.len() as u32;
    file[8..12].copy_from_slice(&bytes.to_le_bytes());
    file
}

#[test]
fn millions_of_chunks_too_many() {
    for chunk in [&b"\0\0\0\0JSON"[..], b"\0\0\0\0BIN\0", b"\x01\0\0\0JSON ", b"\0\0\0\0ODD\0"] {
        let file = with_chunks(chunk, 4_000_000);
        // The messages about all of them are no longer than those about two.
        let model = judge_within(16 << 20, || load_bytes(&file, None));
        assert_eq!(words(&model), "loads");
        let faults = model.unwrap().faults;
        assert!(faults.len() <= 2, "{faults:?}");
        assert!(faults.iter().all(|fault| fault.message.ends_with("more)")), "{faults:?}");
    }
}
