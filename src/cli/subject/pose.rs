//! Finds the clips, joints and morph targets that flags and pose files name in a model.

#![allow(clippy::disallowed_methods, reason = "adds each file that it reads to the inputs")]

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::analysis::inspect::frame_at;
use crate::model::{Model, Period};
use crate::output::{Inputs, Role};
use crate::pairing::{self, find_clip};
use crate::pose_file;
use crate::scene::{Behind, GhostPose};
use crate::skinning::pose::{Blend, ClipMix, JointShare, NameError, Names, PoseChoice, parts};
use crate::words::fixed;
use glam::DQuat;

use crate::cli::args::{BlendClip, GhostFlag, PoseArgs, PoseSource, ShareFlag};
use crate::cli::subject::names::{only_joint, taught};
use crate::cli::subject::nearby;
use crate::cli::subject::open::shown;
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::{say, seconds};

/// The pose of the flags; by default the first clip, or rest.
pub fn pose(
    args: &PoseArgs,
    given: &OsStr,
    model: &Model,
    inputs: &mut Inputs,
) -> Result<PoseChoice, Failure> {
    let mut mix = match &args.pose {
        Some(PoseSource::Bind) => return Ok(PoseChoice::Bind),
        Some(PoseSource::File(path)) => of_file(path, model, inputs, "--pose")?,
        Some(PoseSource::Rest) | None => ClipMix::default(),
    };
    let is_timed = !mix.clips.is_empty();
    let fault = |cause: String| Failure::Input { file: shown(given), cause };
    let find = |asked: &str| find_clip(model, asked).ok_or_else(|| fault(no_clip(model, asked)));
    let blend = |asked: &BlendClip| Ok(Blend { clip: find(&asked.clip)?, weight: asked.weight });
    if !args.clip.is_empty() {
        mix.clips = args.clip.iter().map(|asked| find(asked)).collect::<Result<_, Failure>>()?;
        mix.blends.clear();
    }
    if !args.blend_clip.is_empty() {
        mix.blends = args.blend_clip.iter().map(blend).collect::<Result<_, Failure>>()?;
    }
    if let Some(time) = args.time_secs(model) {
        mix.time_secs = time;
    }
    if mix.clips.is_empty() {
        match &args.pose {
            None if !model.clips.is_empty() => mix.clips.push(0),
            Some(PoseSource::File(path)) if args.has_time() || !mix.blends.is_empty() => {
                let flag = match (mix.blends.is_empty(), args.frame) {
                    (false, _) => "--blend-clip",
                    (true, Some(_)) => "--frame",
                    (true, None) => "--time",
                };
                let path = path.display();
                return Err(Failure::Usage(format!(
                    "{flag} needs a clip, but {path} lies over the rest pose; add --clip"
                )));
            }
            _ => mix = ClipMix { edits: mix.edits, ..ClipMix::default() },
        }
    }
    // The time of a pose file's clips stays.
    if !is_timed && !args.has_time() {
        mix.time_secs = model.period_of_all(mix.all()).start;
    }
    edit(args, model, &mut mix).map_err(fault)?;
    if let Some(asked) = &args.only_joint {
        mix.only_joint = Some(
            only_joint(asked, model).map_err(|error| fault(format!("--only-joint: {}", taught(&error))))?,
        );
    }
    match mix.clips.is_empty() && mix.edits.is_empty() && mix.only_joint.is_none() {
        true => Ok(PoseChoice::Rest),
        false => Ok(PoseChoice::Clips(mix)),
    }
}

/// The pose of `--ghost`: a fixed one, another time of the shown one's clips, or a file's.
pub fn ghost(
    asked: &GhostFlag,
    shown_pose: &PoseChoice,
    model: &Model,
    inputs: &mut Inputs,
) -> Result<GhostPose, Failure> {
    let (given, pose) = match (asked, shown_pose) {
        (GhostFlag::Pose(PoseSource::Bind), _) => ("bind".to_owned(), Behind::Pose(PoseChoice::Bind)),
        (GhostFlag::Pose(PoseSource::Rest), _) => ("rest".to_owned(), Behind::Pose(PoseChoice::Rest)),
        (GhostFlag::Time(time_secs), PoseChoice::Clips(mix)) if !mix.clips.is_empty() => {
            (format!("time={time_secs}"), Behind::Time(*time_secs))
        }
        (GhostFlag::Time(_), _) => {
            return Err(Failure::Usage("--ghost time=… needs a clip, and no clip plays here".to_owned()));
        }
        (GhostFlag::Pose(PoseSource::File(path)), _) => {
            let mix = of_file(path, model, inputs, "--ghost")?;
            (shown(path.as_os_str()), Behind::Pose(PoseChoice::Clips(mix)))
        }
    };
    Ok(GhostPose { given, pose })
}

/// Reads a pose file that a flag names.
fn of_file(path: &Path, model: &Model, inputs: &mut Inputs, flag: &str) -> Result<ClipMix, Failure> {
    inputs.add(path, Role::Pose)?;
    pose_file::load(path, model).map_err(|error| {
        let hint = match error.is_missing() {
            true => format!("{} ({flag} takes bind, rest or a pose file)", nearby::hint(path, &["json"])),
            false => String::new(),
        };
        Failure::Input { file: shown(path.as_os_str()), cause: format!("{error}{hint}") }
    })
}

/// Reads the pose files of a folder, in the order of their names.
pub fn of_folder(folder: &Path, model: &Model, inputs: &mut Inputs) -> Result<Vec<PoseChoice>, Failure> {
    let fault = |file: &Path, cause: String| Failure::Input { file: shown(file.as_os_str()), cause };
    let entries = std::fs::read_dir(folder).map_err(|error| fault(folder, error.to_string()))?;
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json")));
    files.sort();
    if files.is_empty() {
        return Err(fault(folder, "it has no pose files, which end in .json".to_owned()));
    }
    let read = |file: &PathBuf| {
        inputs.add(file, Role::Pose)?;
        let mix = pose_file::load(file, model).map_err(|error| fault(file, error.to_string()))?;
        Ok(PoseChoice::Clips(mix))
    };
    files.iter().map(read).collect()
}

/// Prints notes if the time of a picture, or of its ghost, is outside the shown clips.
pub fn note_times(args: &PoseArgs, ghost: Option<&GhostFlag>, pose: &PoseChoice, model: &Model) {
    let PoseChoice::Clips(mix) = pose else { return };
    if mix.clips.is_empty() {
        return;
    }
    let period = model.period_of_all(mix.all());
    if let Some(time) = args.time_secs(model) {
        let (asked, rate) = match args.frame {
            Some(frame) => (format!("--frame {frame}"), Some(model.frame_rate())),
            None => (format!("--time {}", seconds(time)), None),
        };
        note_time(&asked, time, period, rate);
    }
    if let Some(GhostFlag::Time(time)) = ghost {
        note_time(&format!("--ghost time={}", seconds(*time)), *time, period, None);
    }
}

/// Prints a note if a time is outside of a period, which a note on a frame gives in frames at this rate.
fn note_time(asked: &str, time: f64, Period { start, end }: Period, rate: Option<f64>) {
    let key = match (time < start - 0.001, time > end + 0.001) {
        (true, _) => "before the start of the clip; its first key holds",
        (_, true) => "after the end of the clip; its last key holds",
        _ => return,
    };
    let lasts = match (rate, start != 0.0) {
        (Some(rate), _) => {
            let [start, end] = [start, end].map(|time| frame_at(time, rate));
            format!("it goes from frame {start} to {end}")
        }
        (None, true) => format!("it goes from {} s to {} s", fixed(start, 3), fixed(end, 3)),
        (None, false) => format!("it takes {end:.3} s"),
    };
    say(&format!("note: {asked} is {key} ({lasts})"));
}

/// Applies the flags of joints, morph targets and shares on top of the edits so far.
fn edit(args: &PoseArgs, model: &Model, mix: &mut ClipMix) -> Result<(), String> {
    let PoseArgs { joint, turn, joint_move, joint_scale, morph, blend, .. } = args;
    let joints = joint.is_empty() && turn.is_empty() && joint_move.is_empty() && joint_scale.is_empty();
    if joints && morph.is_empty() && blend.is_empty() {
        return Ok(());
    }
    let names = Names::new(model);
    let find =
        |flag: &str, asked: &str| names.node(asked).map_err(|error| format!("--{flag}: {}", taught(&error)));
    for flag in joint {
        mix.edits.set_rotation(model, find("joint", &flag.node)?, flag.rotation);
    }
    for flag in turn {
        let node = find("turn", &flag.node)?;
        let rest = model.rig.rest.get(node).map_or(DQuat::IDENTITY, |rest| parts(rest).1);
        mix.edits.set_rotation(model, node, (rest * flag.rotation).normalize());
    }
    for flag in joint_move {
        mix.edits.set_translation(model, find("joint-move", &flag.node)?, flag.vector);
    }
    for flag in joint_scale {
        mix.edits.set_scale(model, find("joint-scale", &flag.node)?, flag.vector);
    }
    for flag in morph {
        let found = names.morphs(&flag.target).map_err(|error: NameError| format!("--morph: {error}"))?;
        mix.edits.set_weights(&names, &found, flag.weight);
    }
    for ShareFlag { joint, share } in blend {
        let shares = &mut mix.edits.shares;
        shares.note(model);
        match joint {
            None => {
                shares.set_all(*share);
            }
            Some(joint) => {
                let node = names.node(joint).map_err(|error| format!("--blend: {}", taught(&error)))?;
                shares.put(node, JointShare { name: names.node_name(node), share: *share });
            }
        }
    }
    Ok(())
}

/// Splits off the second file's names in `--clip OLD=NEW`: returns the flags without them, and the clips with those names.
pub fn of_two(args: &PoseArgs, model: &Model) -> (PoseArgs, Vec<(usize, String)>) {
    let mut pairs = Vec::new();
    let mut own = |asked: &String| {
        if find_clip(model, asked).is_some() {
            return asked.clone();
        }
        // Either name may have the sign in it.
        let split = |(at, _)| Some((asked.get(..at)?, asked.get(at..)?.strip_prefix('=')?));
        let mut splits = asked.match_indices('=').filter_map(split);
        match splits.find_map(|(old, new)| Some((old, find_clip(model, old)?, new))) {
            Some((old, clip, new)) => {
                pairs.push((clip, new.to_owned()));
                old.to_owned()
            }
            None => asked.clone(),
        }
    };
    let clip = args.clip.iter().map(&mut own).collect();
    (PoseArgs { clip, ..args.clone() }, pairs)
}

pub fn no_clip(model: &Model, asked: &str) -> String {
    let unknown = pairing::no_clip(model, asked);
    match model.clips.is_empty() && !model.skins.is_empty() {
        true => format!("{unknown}; --clip-from FILE plays those of another file"),
        false => unknown,
    }
}
