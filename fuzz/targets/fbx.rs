//! Loads bytes as an FBX or OBJ file: binary ones are mutated as trees, too.

#![no_main]

#[path = "../../tests/hostile/breaking.rs"]
mod breaking;
#[path = "../../crates/model/tests/fbx/document/mod.rs"]
mod document;
#[path = "../../crates/model/tests/common/sound.rs"]
mod sound;

mod fbx_nodes;

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use sinew_model::Options;
use sinew_model::fbx::load_bytes;
use sinew_skinning::pose::{Pose, PoseChoice};

fuzz_target!(|bytes: &[u8]| {
    let model = match load_bytes(bytes, None, &Options::default()) {
        Ok(model) => model,
        Err(error) => {
            let text = error.to_string();
            assert!(!text.is_empty() && !text.contains('\n') && text.len() < 4000, "{text:?}");
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
    fbx_nodes::mutate(data, size, max_size, seed)
});
