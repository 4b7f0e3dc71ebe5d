//! Loads bytes as a USD file: binary layers are broken behind their compression, too.

#![no_main]

#[path = "../../tests/hostile/breaking.rs"]
mod breaking;
#[path = "../../crates/model/tests/usd/crates.rs"]
mod crates;
#[path = "../../crates/model/tests/common/sound.rs"]
mod sound;

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use sinew_model::Options;
use sinew_model::usd::load_bytes;
use sinew_skinning::pose::{Pose, PoseChoice};

use breaking::Random;
use crates::Parts;

fuzz_target!(|bytes: &[u8]| {
    let model = match load_bytes(bytes, None, &Options::default()) {
        Ok(model) => model,
        Err(error) => {
            let text = error.to_string();
            assert!(!text.is_empty() && !text.contains('\n') && text.len() < 4000, "{text:?}");
            assert!(!text.contains("the library cannot go on"), "{text:?}");
            return;
        }
    };
    sound::assert_sound_types(&model);
    let mut pose = Pose::default();
    for (clip, data) in model.clips.iter().enumerate().take(2) {
        pose.set(&model, &PoseChoice::clip(clip, 0.3 * f64::from(data.duration_secs)));
        assert!(pose.locals.iter().all(|local| local.parent_from_node().is_finite()));
        assert!(pose.weights.iter().all(|weight| weight.is_finite()));
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let random = &mut Random::new(u64::from(seed));
    let parts = (random.below(4) > 0).then(|| Parts::of(&data[..size])).flatten();
    let broken = parts.map(|mut parts| {
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
