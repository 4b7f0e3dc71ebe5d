//! What is asked of messages, and mutations of texts that stay JSON.

#![allow(dead_code, reason = "each target uses a part")]

use libfuzzer_sys::fuzzer_mutate;
use serde_json::Value;

use crate::breaking::Random;

/// Fails on an error that is not one short line.
pub fn assert_one(message: &str) {
    assert!(!message.is_empty() && !message.contains('\n') && message.len() < 6000, "{message:?}");
}

/// Mutates the first `size` bytes in place and returns their new number: half of the time as JSON, if they are that.
pub fn mutate_json(
    data: &mut [u8],
    size: usize,
    max_size: usize,
    seed: u32,
    change: impl Fn(&mut Value, &mut Random),
) -> usize {
    let random = &mut Random::new(u64::from(seed));
    let json = (random.below(2) == 0).then(|| serde_json::from_slice(&data[..size]).ok()).flatten();
    let broken = json.and_then(|mut json| {
        (0..=random.below(2)).for_each(|_| change(&mut json, random));
        serde_json::to_vec(&json).ok()
    });
    match broken.filter(|bytes| bytes.len() <= max_size) {
        Some(bytes) => {
            data[..bytes.len()].copy_from_slice(&bytes);
            bytes.len()
        }
        None => fuzzer_mutate(data, size, max_size),
    }
}
