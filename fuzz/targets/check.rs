//! The rules for every file: a one-line error, or a sound model whose poses are numbers.

use sinew_model::gltf::load_bytes;
use sinew_skinning::pose::{Pose, PoseChoice};

use crate::sound::assert_sound;

/// Loads a file and aborts if it breaks the rules.
pub fn load(bytes: &[u8]) {
    let model = match load_bytes(bytes, None) {
        Ok(model) => model,
        Err(error) => {
            let text = error.to_string();
            assert!(!text.is_empty() && !text.contains('\n') && text.len() < 4000, "{text:?}");
            return;
        }
    };
    assert_sound(&model);
    let mut pose = Pose::default();
    for (clip, data) in model.clips.iter().enumerate().take(2) {
        let time_secs = 0.3 * f64::from(data.duration_secs);
        pose.set(&model, &PoseChoice::clip(clip, time_secs));
        assert!(pose.locals.iter().all(|local| local.parent_from_node().is_finite()));
        assert!(pose.weights.iter().all(|weight| weight.is_finite()));
    }
}
