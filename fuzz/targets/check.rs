//! What every file must keep to: one line of error, or a sound model whose poses are numbers.
//! It must not know how the file came about.

use sinew::model::gltf::load_bytes;
use sinew::skinning::pose::{Pose, PoseChoice};

use crate::sound::assert_sound;

/// Loads a file and aborts where it does not keep to the rules.
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
