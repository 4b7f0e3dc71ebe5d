//! The motions that a comparison measures: clips with their times, or one pose.

use crate::analysis::keys::Keys;
use crate::analysis::measure::{Frames, MOST_FRAMES, Times, times_of};
use crate::cli::args::CompareArgs;
use crate::model::Model;
use crate::pairing::{carried, clip_name};
use crate::skinning::pose::{ClipMix, PoseChoice};

/// A motion.
pub struct Motion {
    /// `bind`, `rest`, `clip NAME`, or the clips that play together.
    pub name: String,
    /// The motion, at some time.
    pub choice: PoseChoice,
    /// The times to measure.
    pub times: Times,
    /// The same motion in the other file.
    pub other: Option<PoseChoice>,
}

/// The motion of one file in another one, by the names of its clips; `posed` is what the flags ask of the other.
pub fn in_other(choice: &PoseChoice, models: [&Model; 2], posed: &PoseChoice) -> Result<PoseChoice, String> {
    let mut there = carried(choice, models[0], models[1])?;
    // Its own edits were looked up among its own names.
    if let PoseChoice::Clips(mix) = &mut there {
        (mix.edits, mix.only_joint) = match posed {
            PoseChoice::Clips(mix) => (mix.edits.clone(), mix.only_joint.clone()),
            PoseChoice::Bind | PoseChoice::Rest | PoseChoice::SkinSpace(_) => Default::default(),
        };
    }
    Ok(there)
}

/// The motions that the flags ask for; `posed` is the pose they ask for.
pub fn motions(args: &CompareArgs, model: &Model, posed: PoseChoice) -> Vec<Motion> {
    let frames = args.frames.unwrap_or_default();
    if args.all_clips && !model.clips.is_empty() {
        let edits = match posed {
            PoseChoice::Clips(mix) => mix.edits,
            PoseChoice::Bind | PoseChoice::Rest | PoseChoice::SkinSpace(_) => Default::default(),
        };
        let alone = |clip| ClipMix { clips: vec![clip], edits: edits.clone(), ..ClipMix::default() };
        // A file may have very many long clips.
        let most = (MOST_IN_ALL / model.clips.len()).max(2);
        let keys = Keys::new(model);
        return (0..model.clips.len()).map(|clip| moving(&keys, alone(clip), frames, most)).collect();
    }
    let is_still = args.posed.time.is_some();
    vec![match posed {
        PoseChoice::Clips(mix) if !is_still && mix.all().next().is_some() => {
            moving(&Keys::new(model), mix, frames, MOST_FRAMES)
        }
        posed => still(model, posed),
    }]
}

/// The most frames of all clips together: ten hours.
const MOST_IN_ALL: usize = 10 * MOST_FRAMES;

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

fn name(model: &Model, choice: &PoseChoice) -> String {
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
