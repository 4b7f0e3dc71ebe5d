//! Files that are cut off or damaged: each loads, or is refused in one line.

use sinew_model::{Options, load_bytes};

use crate::things::skinned;
use crate::usd_seeds::binary;

/// Returns true if a file loads.
fn survives(bytes: &[u8], what: &str) -> bool {
    match load_bytes(bytes, None, &Options::default()) {
        Ok(_) => true,
        Err(error) => {
            let text = error.to_string();
            assert!(!text.contains('\n') && text.len() < 400, "{what}: {text}");
            assert!(!text.contains("the library cannot go on"), "{what}: the library has panicked");
            false
        }
    }
}

/// The same numbers each time.
fn numbers(mut state: u64) -> impl FnMut(usize) -> usize {
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    }
}

#[test]
fn cut_files_are_refused_in_one_line() {
    let text = skinned("");
    let layer = binary(&text);
    assert!(survives(text.as_bytes(), "text") && survives(&layer, "binary"));
    for length in (0..layer.len()).step_by(7) {
        assert!(!survives(&layer[..length], &format!("binary cut at {length}")));
    }
    for length in (0..text.len()).step_by(7) {
        survives(&text.as_bytes()[..length], &format!("text cut at {length}"));
    }
}

#[test]
fn damaged_text_ends_no_program() {
    let text = skinned("");
    let mut next = numbers(1);
    for round in 0..1000 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..1 + next(3) {
            let at = next(bytes.len());
            bytes[at] = b" \"'(){}[]<>@/=,.:#-09azZ\n"[next(25)];
        }
        survives(&bytes, &format!("text {round}"));
    }
}

#[test]
fn damaged_binary_layers_end_no_program() {
    let layer = binary(&skinned(""));
    let mut next = numbers(2);
    for round in 0..3000 {
        let mut bytes = layer.clone();
        for _ in 0..1 + next(3) {
            // The first eight bytes choose the reader.
            let at = 8 + next(bytes.len() - 8);
            bytes[at] = [0, 1, 0x7f, 0x80, 0xff, next(256) as u8][next(6)];
        }
        survives(&bytes, &format!("binary {round}"));
    }
}
