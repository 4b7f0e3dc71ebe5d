//! The frames of a motion: their times, and their vertices in one mode.

use sinew_model::Model;
use sinew_skinning::cpu::Error;
use sinew_skinning::pose::{ClipMix, Pose, PoseChoice};
use sinew_skinning::posed::{AS_TWIN, PreparedModel, SkinnedPrimitive};
use sinew_skinning::{MeshNormals, Normals, SkinningMode};

/// The maximum number of frames of a motion: an hour at 30 per second.
pub const MAX_FRAMES: usize = 108_000;

/// Times this close to the end, in seconds, count as the end.
const SAME: f64 = 1e-5;

/// The reason why a motion has no frames to bake.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum NoFrames {
    /// No clip moves the pose.
    #[error("a pose without a clip has no frames")]
    NoClip,
    /// The time of the pose is after the clip's end.
    #[error("the clip has ended at --time {start}; use an earlier --time")]
    Ended {
        /// The time of the pose, in seconds.
        start: f64,
    },
    /// The frames exceed [`MAX_FRAMES`].
    #[error("at --fps {fps} the clip's {secs} s make more than {MAX_FRAMES} frames; lower --fps")]
    TooMany {
        /// Frames per second.
        fps: f64,
        /// The time from the first to the last.
        secs: f64,
    },
}

/// Returns the times of a motion's frames in seconds, from the time of the pose to the end of the longest clip, both
/// included. The last step may be shorter than the others. Each is a single-precision number, as files store it.
pub fn times(model: &Model, motion: &PoseChoice, fps: f64) -> Result<Vec<f64>, NoFrames> {
    let PoseChoice::Clips(mix) = motion else { return Err(NoFrames::NoClip) };
    if mix.all().next().is_none() {
        return Err(NoFrames::NoClip);
    }
    let start = rounded(mix.time_secs);
    let end = model.period_of_all(mix.all()).end;
    let secs = end - start;
    if secs < 0.0 {
        return Err(NoFrames::Ended { start: mix.time_secs });
    }
    let steps = secs * fps;
    if steps.is_nan() || steps >= MAX_FRAMES as f64 {
        return Err(NoFrames::TooMany { fps, secs });
    }
    let steps = (0u32..).map(|step| rounded(start + f64::from(step) / fps));
    let mut times: Vec<f64> = steps.take_while(|time| *time < end - SAME).collect();
    times.push(end);
    // Single precision may not distinguish very late frames.
    times.dedup();
    Ok(times)
}

fn rounded(time: f64) -> f64 {
    f64::from(time as f32)
}

/// Skins frames by the CPU, with the bits of `sinew export --on cpu`.
pub struct Frames<'a> {
    model: &'a Model,
    mode: SkinningMode,
    mix: ClipMix,
    prepared: PreparedModel,
    normals: Option<MeshNormals>,
    pose: Pose,
}

impl<'a> Frames<'a> {
    /// Lays out the model.
    ///
    /// # Errors
    /// If a primitive cannot be laid out.
    pub fn new(
        model: &'a Model,
        (mode, normals): (SkinningMode, Normals),
        motion: &PoseChoice,
    ) -> Result<Self, Error> {
        let mix = match motion {
            PoseChoice::Clips(mix) => mix.clone(),
            PoseChoice::Bind | PoseChoice::Rest | PoseChoice::SkinSpace(_) => ClipMix::default(),
        };
        let (prepared, normals) = (PreparedModel::new(model)?, normals.prepare(model));
        Ok(Self { model, mode, mix, prepared, normals, pose: Pose::default() })
    }

    /// Returns the motion at a time.
    pub fn at(&self, time_secs: f64) -> PoseChoice {
        PoseChoice::Clips(ClipMix { time_secs, ..self.mix.clone() })
    }

    /// Returns the vertices at a time.
    ///
    /// # Errors
    /// If the processor lacks the instructions of the layout.
    pub fn skin(&mut self, time_secs: f64) -> Result<Vec<SkinnedPrimitive<f32>>, Error> {
        self.mix.time_secs = time_secs;
        self.pose.set(self.model, &PoseChoice::Clips(self.mix.clone()));
        let mut skinned = self.prepared.skin(self.model, self.mode, &self.pose, &AS_TWIN)?;
        if let Some(normals) = &self.normals {
            normals.apply(self.model, &self.pose, &mut skinned);
        }
        Ok(skinned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_model::Clip;

    fn at(duration_secs: f32, start: f64, fps: f64) -> Result<Vec<f64>, NoFrames> {
        let clip = Clip { duration_secs, ..Clip::default() };
        times(&Model { clips: vec![clip], ..Model::default() }, &PoseChoice::clip(0, start), fps)
    }

    #[test]
    fn frames_have_both_ends_of_the_clip() {
        assert_eq!(at(1.0, 0.0, 4.0).unwrap(), [0.0, 0.25, 0.5, 0.75, 1.0]);
        assert_eq!(at(0.6, 0.0, 4.0).unwrap(), [0.0, 0.25, 0.5, f64::from(0.6_f32)], "a short last step");
        assert_eq!(at(1.0, 0.75, 8.0).unwrap(), [0.75, 0.875, 1.0]);
        assert_eq!(at(1.0, -0.5, 1.0).unwrap(), [-0.5, 0.5, 1.0]);
        assert_eq!(at(0.0, 0.0, 30.0).unwrap(), [0.0]);
        let thirty = at(31.0 / 30.0, 0.0, 30.0).unwrap();
        assert_eq!(thirty.len(), 32, "the end is a frame, and none lies just before it");
        assert!(thirty.iter().all(|time| rounded(*time) == *time));
    }

    #[test]
    fn too_many_frames_and_none_are_refused() {
        assert_eq!(at(1.0, 1.5, 4.0), Err(NoFrames::Ended { start: 1.5 }));
        for (secs, fps) in [(1e6, 30.0), (f32::MAX, 1e-3), (1.0, 1e6), (f32::NAN, 30.0)] {
            let found = at(secs, 0.0, fps);
            assert!(matches!(found, Err(NoFrames::TooMany { .. })) || secs.is_nan(), "{secs}: {found:?}");
        }
        for still in [PoseChoice::Bind, PoseChoice::Rest, PoseChoice::Clips(ClipMix::default())] {
            assert_eq!(times(&Model::default(), &still, 30.0), Err(NoFrames::NoClip));
        }
    }
}
