//! Loads bytes as a USD file: binary layers are broken behind their compression, too.

#![no_main]

#[path = "../../tests/hostile/breaking.rs"]
mod breaking;
#[path = "../../crates/model/tests/usd/crates.rs"]
mod crates;
#[path = "../../crates/model/tests/common/sound.rs"]
mod sound;

mod loaded;

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use sinew_model::Options;
use sinew_model::usd::load_bytes;

use breaking::Random;
use crates::Parts;

fuzz_target!(|bytes: &[u8]| loaded::check(load_bytes(bytes, None, &Options::default())));

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let random = &mut Random::new(u64::from(seed));
    let parts = (random.below(4) > 0).then(|| Parts::of(&data[..size])).flatten();
    let broken = parts.map(|parts| {
        let minor = 4 + random.below(20) as u8;
        let older = if minor < 7 { parts.clone().older(minor) } else { None };
        let mut parts = older.unwrap_or(parts);
        (0..=random.below(3)).for_each(|_| parts.damage(random));
        parts.file()
    });
    match broken.filter(|bytes| bytes.len() <= max_size) {
        Some(bytes) => {
            data[..bytes.len()].copy_from_slice(&bytes);
            bytes.len()
        }
        None => fuzzer_mutate(data, size, max_size),
    }
});
