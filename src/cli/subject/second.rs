//! Opens the second of two files: a model, or a point cache of the first one's vertices.

#![allow(clippy::disallowed_methods, reason = "adds each file that it reads to the inputs")]

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::analysis::point_cache::{CacheFacts, Cached, PointCache};
use crate::cli::args::LoadArgs;
use crate::cli::subject::nearby;
use crate::cli::subject::open::{self, Digests, Read, shown};
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::say;
use crate::length;
use crate::model::{Model, gltf};
use crate::output::{Inputs, Role};
use crate::pairing::clip_name;
use crate::skinning::pose::{ClipMix, PoseChoice};
use crate::words::many;

/// The second of two files.
pub struct Second {
    /// The file; a point cache as a model.
    pub read: Read,
    /// Facts about a point cache; `None` for a model.
    pub cache: Option<CacheOf>,
}

/// A point cache beside its model.
pub struct CacheOf {
    /// The fit of the frames.
    pub facts: CacheFacts,
    /// The time of each frame in the model's clip.
    pub times: Vec<f64>,
    /// The first model's motion in these frames.
    pub motion: PoseChoice,
}

/// The first model's motion in the frames of a point cache.
#[derive(Clone, Copy)]
pub enum CacheMotion<'a> {
    /// The motion that the user chose or sees.
    Given(&'a PoseChoice),
    /// The clip that fits best, in place of that of this pose.
    Best(&'a PoseChoice),
}

/// Reads the second file.
pub fn second(
    given: &OsStr,
    (model, motion): (&Model, CacheMotion),
    load: &LoadArgs,
    inputs: &mut Inputs,
) -> Result<Second, Failure> {
    let sequence = Sequence::of(given);
    let ending = ending(Path::new(given));
    if sequence.is_none() && !PointCache::ENDINGS.contains(&ending.as_str()) {
        let read = open::model_and_digests(given, load, inputs)?;
        open::check_kept(&read.model, given)?;
        return Ok(Second { read, cache: None });
    }
    let fault = |cause: String| Failure::Input { file: shown(given), cause };
    let (cache, digest) = match sequence {
        Some(sequence) => sequence.read(inputs, &fault)?,
        None => {
            let bytes = read(Path::new(given), inputs, &fault)?;
            let digest = gltf::sha256(&bytes);
            (PointCache::new(bytes, &ending).map_err(|error| fault(error.to_string()))?, digest)
        }
    };
    let motion = match motion {
        CacheMotion::Given(motion) => motion.clone(),
        CacheMotion::Best(posed) => {
            let clip = cache.clip_of(model).map_err(|error| fault(error.to_string()))?;
            with_clip(posed, clip)
        }
    };
    let Cached { model: made, times, facts } =
        cache.fitted(model, &motion).map_err(|error| fault(error.to_string()))?;
    note(&shown(given), model, &motion, &facts, &times);
    let digests = Digests { authored: None, model: digest, files: None, clips: None };
    let read = Read { model: made, digests, files: Vec::new() };
    Ok(Second { read, cache: Some(CacheOf { facts, times, motion }) })
}

/// Returns a pose with another clip in place of its only one.
fn with_clip(posed: &PoseChoice, clip: usize) -> PoseChoice {
    match posed {
        PoseChoice::Clips(mix) if mix.clips.len() == 1 => {
            PoseChoice::Clips(ClipMix { clips: vec![clip], ..mix.clone() })
        }
        other => other.clone(),
    }
}

/// Returns the ending of a name, in lower case.
fn ending(path: &Path) -> String {
    path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default()
}

fn read(path: &Path, inputs: &mut Inputs, fault: &dyn Fn(String) -> Failure) -> Result<Vec<u8>, Failure> {
    inputs.add(path, Role::Vertices)?;
    gltf::read_file(path).map_err(|error| match error.is_no_file() {
        true => fault(format!("{error}{}", nearby::hint(path, &PointCache::ENDINGS))),
        false => fault(error.to_string()),
    })
}

/// Prints the fit of a cache.
fn note(given: &str, model: &Model, motion: &PoseChoice, facts: &CacheFacts, times: &[f64]) {
    let mut words = match facts.frames {
        1 => "one frame".to_owned(),
        frames => many(frames, "frame"),
    };
    if let PoseChoice::Clips(mix) = motion
        && let Some(clip) = mix.clips.first()
    {
        words += &format!(" of clip {}", clip_name(model, *clip));
    }
    if let Some(rate) = facts.frames_per_second {
        words += &format!(" at {} a second, the rate that fits it best", length::digits(rate));
    }
    let placement = &facts.placement;
    let axes = if placement.axes == "x y z" { String::new() } else { format!(", axes {}", placement.axes) };
    let unit = if placement.unit == "m" { String::new() } else { format!(", in {}", placement.unit) };
    let beyond = beyond(model, motion, times);
    let beyond = if beyond == 0 { String::new() } else { format!("; {beyond} beyond the clip's end") };
    let (by, of) = (facts.matched.words(), &facts.of);
    say(&format!("note: {given}: {words}; {of}, matched {by}{axes}{unit}{beyond}"));
}

/// Counts the frames after the end of a clip.
fn beyond(model: &Model, motion: &PoseChoice, times: &[f64]) -> usize {
    let PoseChoice::Clips(mix) = motion else { return 0 };
    if mix.clips.is_empty() || times.len() < 2 {
        return 0;
    }
    let end = model.period_of_all(mix.all()).end;
    times.iter().filter(|time| **time > end + ROUNDING_SECS).count()
}

/// The tolerance for times: those of frames are sums.
pub const ROUNDING_SECS: f64 = 1e-4;

/// A file for each frame: the name's parts before and after the frame's number.
struct Sequence {
    folder: PathBuf,
    before: String,
    after: String,
}

impl Sequence {
    /// Splits a name at `{frame}` or `*`; `None` for a name without, or of a file that exists.
    fn of(given: &OsStr) -> Option<Self> {
        let path = Path::new(given);
        if path.exists() {
            return None;
        }
        let name = path.file_name()?.to_str()?;
        let (before, after) = name.split_once("{frame}").or_else(|| name.split_once('*'))?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        Some(Self {
            folder: folder.unwrap_or(Path::new(".")).to_owned(),
            before: before.to_owned(),
            after: after.to_owned(),
        })
    }

    /// Returns the number of a file's frame.
    fn number(&self, name: &str) -> Option<u64> {
        let digits = name.strip_prefix(&self.before)?.strip_suffix(&self.after)?;
        digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
    }

    /// Reads all files, and returns their digest.
    fn read(
        &self,
        inputs: &mut Inputs,
        fault: &dyn Fn(String) -> Failure,
    ) -> Result<(PointCache, String), Failure> {
        let entries = std::fs::read_dir(&self.folder).map_err(|error| match error.kind() {
            ErrorKind::NotFound => fault(format!("there is no folder '{}'", self.folder.display())),
            _ => fault(error.to_string()),
        })?;
        let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
        let mut found: Vec<(u64, String)> =
            names.filter_map(|name| Some((self.number(&name)?, name))).collect();
        found.sort();
        if found.is_empty() {
            let Self { before, after, .. } = self;
            return Err(fault(format!("no file has such a name; expected numbers, as in {before}12{after}")));
        }
        if found.len() > PointCache::MAX_FRAMES {
            let (count, limit) = (found.len(), PointCache::MAX_FRAMES);
            return Err(fault(format!("{count} files have such a name; the limit is {limit}")));
        }
        if let Some([(number, first), (_, second)]) =
            found.array_windows().find(|[first, second]| first.0 == second.0)
        {
            return Err(fault(format!("'{first}' and '{second}' are both frame {number}")));
        }
        let mut files = Vec::new();
        for (number, name) in &found {
            files.push((*number, read(&self.folder.join(name), inputs, fault)?));
        }
        let digests: Vec<String> = files.iter().map(|(_, bytes)| gltf::sha256(bytes)).collect();
        let cache = PointCache::of_files(files, &ending(Path::new(&self.after)));
        Ok((cache, gltf::sha256(digests.concat().as_bytes())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_where_the_name_says() {
        let sequence = Sequence::of(OsStr::new("folder/run-{frame}.obj")).unwrap();
        assert_eq!(sequence.folder, Path::new("folder"));
        for (name, number) in [
            ("run-7.obj", Some(7)),
            ("run-0012.obj", Some(12)),
            ("run-.obj", None),
            ("run--1.obj", None),
            ("run-7.obj.bak", None),
            ("run-99999999999999999999.obj", None),
        ] {
            assert_eq!(sequence.number(name), number, "{name}");
        }
        assert_eq!(Sequence::of(OsStr::new("*.npy")).unwrap().number("3.npy"), Some(3));
        assert!(Sequence::of(OsStr::new("run.obj")).is_none());
    }
}
