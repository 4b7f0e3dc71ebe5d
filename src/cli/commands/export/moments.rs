//! The frames of a clip that `sinew export` writes: their times and their files.

use std::path::{Path, PathBuf};

use crate::export::Format;
use crate::model::Model;
use crate::scene::Scene;
use crate::skinning::pose::PoseChoice;

use crate::cli::args::output::{Numbered, OutputArgs, numbered};
use crate::cli::args::{ExportArgs, FrameChoice};
use crate::cli::subject::sequence::Sequence;
use crate::cli::terminal::failure::Failure;

/// The meaning of a file name.
#[derive(Debug)]
pub enum Place {
    /// One moment in one file.
    One,
    /// All moments in one file, a list.
    List,
    /// A file for each.
    Each(Numbered),
}

impl Place {
    /// The place that the flags ask for.
    pub fn of(args: &ExportArgs, format: Format) -> Result<Self, Failure> {
        let path = &args.output;
        let wrong = |cause: &str| Failure::Usage(format!("{}: {cause}", path.display()));
        let names = path.to_str().map_or(Ok(None), numbered).map_err(|cause| wrong(&cause))?;
        let is_outside = |name: &std::ffi::OsStr| !name.to_string_lossy().contains("{frame");
        if names.is_some() && path.file_name().is_none_or(is_outside) {
            return Err(wrong("{frame} must be in the file's name, not in a folder's"));
        }
        match (names, args.frames.is_some() || args.fps.is_some(), format) {
            (Some(names), _, _) => Ok(Self::Each(names)),
            (None, false, _) => Ok(Self::One),
            (None, true, Format::Json | Format::Npy | Format::Npz) => Ok(Self::List),
            (None, true, Format::Ply | Format::Obj | Format::Glb) => Err(wrong(
                "it holds one moment; for several, use a name with {frame}, such as run-{frame}.obj, or one that ends in \
                 .json, .npy or .npz",
            )),
        }
    }

    /// The path of each of `moments`.
    pub fn paths(&self, path: &Path, moments: &[Moment]) -> Vec<PathBuf> {
        match self {
            Self::One | Self::List => vec![path.to_owned()],
            Self::Each(names) => {
                let of = moments.last().map_or(0, |last| last.number.saturating_add(1));
                moments.iter().map(|moment| names.path(moment.number, of)).collect()
            }
        }
    }
}

/// A pose with its number.
#[derive(Debug)]
pub struct Moment {
    /// The number that replaces `{frame}`.
    pub number: u32,
    /// The pose.
    pub pose: PoseChoice,
}

/// All moments to write of a pose.
pub fn moments(
    args: &ExportArgs,
    place: &Place,
    pose: PoseChoice,
    given: &str,
    model: &Model,
) -> Result<Vec<Moment>, Failure> {
    if matches!(place, Place::One) {
        return Ok(vec![Moment { number: 0, pose }]);
    }
    if !matches!(&pose, PoseChoice::Clips(mix) if !mix.clips.is_empty()) {
        let cause = match model.clips.is_empty() {
            true => "it has no clips, so it has only one frame; omit --frames, --fps and {frame}",
            false => "this pose plays no clip; name one with --clip, or omit --frames, --fps and {frame}",
        };
        return Err(Failure::Usage(format!("{given}: {cause}")));
    }
    let scene = Scene { pose, ..Scene::new(given) };
    let asked = |frames, fps| {
        let output = OutputArgs { frames, fps, ..OutputArgs::default() };
        Sequence::new(&output, &scene, model)
    };
    let (sequence, numbers) = match args.frames {
        None => {
            let all = asked(None, args.fps)?;
            let count = all.count;
            (all, 0..=count.saturating_sub(1))
        }
        Some(FrameChoice::Count(count)) => (asked(Some(count), args.fps)?, 0..=count.saturating_sub(1)),
        Some(FrameChoice::Between { first, last }) => {
            let all = asked(None, args.fps)?;
            // The frame at the end of the clip may be one of them.
            if last > all.count {
                return Err(Failure::Usage(format!(
                    "--frames {first}..{last}: from --time on, the clip has frames 0 to {} at --fps {}",
                    all.count, all.per_second
                )));
            }
            (all, first..=last)
        }
    };
    Ok(numbers.map(|number| Moment { number, pose: sequence.scene(number, &scene).pose }).collect())
}
