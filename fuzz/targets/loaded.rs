//! Checks of a file that was loaded.

use sinew_model::{LoadError, Model};
use sinew_skinning::pose::{Pose, PoseChoice};

use crate::sound::assert_sound_types;

/// Checks that a model is sound, at rest and in motion, and that an error is one line.
pub fn check(result: Result<Model, LoadError>) {
    let model = match result {
        Ok(model) => model,
        Err(error) => {
            let text = error.to_string();
            assert!(!text.is_empty() && !text.contains('\n') && text.len() < 4000, "{text:?}");
            assert!(!text.contains("the library cannot go on"), "{text:?}");
            return;
        }
    };
    assert_sound_types(&model);
    let mut pose = Pose::default();
    for (clip, data) in model.clips.iter().enumerate().take(2) {
        pose.set(&model, &PoseChoice::clip(clip, 0.3 * f64::from(data.duration_secs)));
        assert!(pose.locals.iter().all(|local| local.parent_from_node().is_finite()));
        assert!(pose.weights.iter().all(|weight| weight.is_finite()));
    }
}
