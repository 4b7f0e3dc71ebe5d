//! The motions that a comparison measures: clips with their times, or one pose.

use crate::analysis::keys::Keys;
use crate::analysis::measure::{Frames, MAX_FRAMES, Times, at, times_of};
use crate::cli::args::{CompareArgs, PoseArgs};
use crate::cli::subject::second::ROUNDING_SECS;
use crate::model::Model;
use crate::pairing::{ClipPairs, clip_name};
use crate::skinning::pose::{ClipMix, PoseChoice};

/// A motion.
pub struct Motion {
    /// `bind`, `rest`, `clip NAME`, or the clips that play together.
    pub name: String,
    /// The motion, at some time.
    pub choice: PoseChoice,
    /// The times to measure.
    pub times: Times,
    /// This motion in the other file.
    pub other: Option<PoseChoice>,
}

impl Motion {
    /// Returns the pose at each of its times.
    pub fn poses(&self) -> impl Iterator<Item = PoseChoice> {
        self.times.seconds.iter().map(|time| at(&self.choice, *time))
    }

    /// Measures at the times of a point cache's frames, as far as the clip goes; a single frame is at the motion's own time.
    pub fn keep_to(&mut self, frames: &[f64], model: &Model) {
        let PoseChoice::Clips(mix) = &self.choice else { return };
        match (frames, self.times.seconds.as_slice()) {
            (_, [_]) => {}
            ([_], _) => self.times = Times { seconds: vec![mix.time_secs], of: 1 },
            _ => {
                let end = model.period_of_all(mix.all()).end + ROUNDING_SECS;
                let seconds: Vec<f64> = frames.iter().copied().filter(|time| *time <= end).collect();
                self.times = Times { of: seconds.len(), seconds };
            }
        }
    }
}

/// The second of two files, and the flags of its pose.
pub struct There<'a> {
    pub model: &'a Model,
    pub clips: &'a ClipPairs,
    pub posed: PoseChoice,
}

impl There<'_> {
    /// A motion of the first file in this one.
    pub fn carried(&self, choice: &PoseChoice, old: &Model) -> Result<PoseChoice, String> {
        let mut there = self.clips.carried(choice, old, self.model)?;
        // Its own edits were looked up among its own names.
        if let PoseChoice::Clips(mix) = &mut there {
            (mix.edits, mix.only_joint) = match &self.posed {
                PoseChoice::Clips(mix) => (mix.edits.clone(), mix.only_joint.clone()),
                PoseChoice::Bind | PoseChoice::Rest | PoseChoice::SkinSpace(_) => Default::default(),
            };
        }
        Ok(there)
    }

    /// Names of clips that only one of the files has: of those that these motions play, or of all.
    pub fn alone(&self, old: &Model, motions: &[Motion], all: bool) -> [Vec<String>; 2] {
        let mut missing: Vec<usize> = self.clips.only_in_first().collect();
        if !all {
            missing.retain(|clip| motions.iter().any(|motion| plays(&motion.choice, *clip)));
        }
        let only: &[usize] = if all { &self.clips.only_in_second } else { &[] };
        let names =
            |model: &Model, clips: &[usize]| clips.iter().map(|clip| clip_name(model, *clip)).collect();
        [names(old, &missing), names(self.model, only)]
    }
}

fn plays(choice: &PoseChoice, clip: usize) -> bool {
    matches!(choice, PoseChoice::Clips(mix) if mix.all().any(|played| played == clip))
}

/// The motions that the flags ask for; `posed` is the pose they ask for. Of two files it is the first clip that both have,
/// if the flags name none.
pub fn motions(
    args: &CompareArgs,
    model: &Model,
    mut posed: PoseChoice,
    pairs: Option<&ClipPairs>,
) -> Vec<Motion> {
    if let (PoseChoice::Clips(mix), Some(pairs), false) = (&mut posed, pairs, is_chosen(args))
        && let ([clip], Some(common)) =
            (mix.clips.as_mut_slice(), pairs.of_first.iter().position(Option::is_some))
    {
        *clip = common;
    }
    let frames = args.frames.unwrap_or_default();
    if args.all_clips && !model.clips.is_empty() {
        let edits = match posed {
            PoseChoice::Clips(mix) => mix.edits,
            PoseChoice::Bind | PoseChoice::Rest | PoseChoice::SkinSpace(_) => Default::default(),
        };
        let alone = |clip| ClipMix { clips: vec![clip], edits: edits.clone(), ..ClipMix::default() };
        // A file may have very many long clips.
        let most = (MAX_IN_ALL / model.clips.len()).max(2);
        let keys = Keys::new(model);
        return (0..model.clips.len()).map(|clip| moving(&keys, alone(clip), frames, most)).collect();
    }
    let is_still = args.posed.has_time();
    vec![match posed {
        PoseChoice::Clips(mix) if !is_still && mix.all().next().is_some() => {
            moving(&Keys::new(model), mix, frames, MAX_FRAMES)
        }
        posed => still(model, posed),
    }]
}

/// The pose that stands in for motions whose clips the other file lacks: at rest, with their edits.
pub fn resting(model: &Model, motions: &[Motion]) -> Motion {
    let choice = match motions.first().map(|motion| &motion.choice) {
        Some(PoseChoice::Clips(mix)) if mix.edits != Default::default() => {
            PoseChoice::Clips(ClipMix { edits: mix.edits.clone(), ..ClipMix::default() })
        }
        _ => PoseChoice::Rest,
    };
    Motion { other: Some(choice.clone()), ..still(model, choice) }
}

/// Tells whether flags name the clips or the pose to measure.
pub fn is_chosen(args: &CompareArgs) -> bool {
    let PoseArgs { pose, clip, blend_clip, .. } = &args.posed;
    pose.is_some() || !clip.is_empty() || !blend_clip.is_empty()
}

/// The maximum number of frames of all clips together: ten hours.
const MAX_IN_ALL: usize = 10 * MAX_FRAMES;

fn moving(keys: &Keys, mix: ClipMix, frames: Frames, most: usize) -> Motion {
    let times = times_of(keys, &mix, frames, most);
    let choice = PoseChoice::Clips(mix);
    Motion { name: name(keys.model, &choice), choice, times, other: None }
}

fn still(model: &Model, choice: PoseChoice) -> Motion {
    let time = match &choice {
        PoseChoice::Clips(mix) => mix.time_secs,
        PoseChoice::Bind | PoseChoice::Rest | PoseChoice::SkinSpace(_) => 0.0,
    };
    Motion { name: name(model, &choice), choice, times: Times { seconds: vec![time], of: 1 }, other: None }
}

/// A motion in words.
pub fn name(model: &Model, choice: &PoseChoice) -> String {
    match choice {
        PoseChoice::Bind => "bind pose".to_owned(),
        PoseChoice::Rest => "rest pose".to_owned(),
        PoseChoice::SkinSpace(_) => "skin space".to_owned(),
        PoseChoice::Clips(mix) => {
            let names: Vec<String> = mix.all().map(|clip| clip_name(model, clip)).collect();
            match names.is_empty() {
                true => "rest pose with edits".to_owned(),
                false => format!("clip {}", names.join(" + ")),
            }
        }
    }
}
