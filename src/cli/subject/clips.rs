//! Clips from other files: reads them, matches their joints with the model's, and adds the clips to its own.

#![allow(clippy::disallowed_methods, reason = "adds each file that it reads to the inputs")]

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::analysis::borrowed::{Report, report};
use crate::joint_map::{self, MAX_BYTES, Matches};
use crate::model::gltf;
use crate::model::{Clip, Loaded, Model, Options, load_bytes_and_digest};
use crate::output::{self, Inputs, Late, Output, Role};
use crate::skinning::retarget::{Borrowed, By, JointMap, MapError, Match};
use crate::words::many;

use crate::cli::args::LoadArgs;
use crate::cli::subject::file::{self, shown};
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::say;

/// Adds the clips of all files that the flags name; returns a digest of these files.
pub fn add(
    given: &OsStr,
    model: &mut Model,
    load: &LoadArgs,
    inputs: &mut Inputs,
) -> Result<Option<String>, Failure> {
    let mut lenders = Lenders::new(load, inputs)?;
    let (mut names, mut clips, mut rate) = (Names::new(model), Vec::new(), model.frames_per_second);
    for lender in &load.clip_from {
        let source = lenders.read(lender, inputs)?;
        let matched = lenders.matched(lender, model, &source)?;
        judge(given, lender, &source, &matched)?;
        tell_guesses(given, lender, &matched);
        rate = rate.or(source.frames_per_second);
        let named = |found: Borrowed| names.named(found, lender).0.clip;
        clips.extend(matched.clips().into_iter().map(named));
    }
    lenders.check_map()?;
    model.clips.extend::<Vec<Clip>>(clips);
    model.frames_per_second = rate;
    Ok(lenders.digest())
}

/// Reports on each file that the flags name.
pub fn reports(
    given: &OsStr,
    model: &Model,
    load: &LoadArgs,
    inputs: &mut Inputs,
) -> Result<Vec<Report>, Failure> {
    let mut lenders = Lenders::new(load, inputs)?;
    let (mut names, mut reports) = (Names::new(model), Vec::new());
    for lender in &load.clip_from {
        let source = lenders.read(lender, inputs)?;
        let matched = lenders.matched(lender, model, &source)?;
        tell_guesses(given, lender, &matched);
        let clips: Vec<_> = matched.clips().into_iter().map(|found| names.named(found, lender)).collect();
        reports.push(report(shown(lender), (model, &source), &matched, &clips));
    }
    lenders.check_map()?;
    Ok(reports)
}

/// Notes the files that will be read later.
pub fn note(load: &LoadArgs, inputs: &mut Inputs) -> Result<(), Late> {
    for path in load.clip_from.iter().filter_map(|lender| file::path(lender)) {
        inputs.add(path, Role::Clips)?;
    }
    files(load).iter().try_for_each(|(path, role)| inputs.add(path, *role))
}

/// All files that the flags and these files name.
pub fn files(load: &LoadArgs) -> Vec<(PathBuf, Role)> {
    let mut found = Vec::new();
    for lender in load.clip_from.iter().filter(|lender| file::is_file(lender)) {
        found.push((PathBuf::from(lender), Role::Clips));
        found.extend(file::files(lender, load).into_iter().map(|file| (file.path, Role::Clips)));
    }
    found.extend(load.joint_map.iter().map(|map| (map.clone(), Role::JointMap)));
    found
}

/// Reads one file of clips after the other.
struct Lenders<'a> {
    load: &'a LoadArgs,
    map: JointMap,
    /// Entries of the map that no file so far has.
    unknown: Option<Vec<(String, MapError)>>,
    /// Names and digests.
    read: Vec<String>,
}

impl<'a> Lenders<'a> {
    fn new(load: &'a LoadArgs, inputs: &mut Inputs) -> Result<Self, Failure> {
        let mut lenders = Self { load, map: JointMap::default(), unknown: None, read: Vec::new() };
        if let Some(path) = &load.joint_map {
            if load.clip_from.is_empty() {
                let cause = "--joint-map needs --clip-from, whose joints it names".to_owned();
                return Err(Failure::Usage(cause));
            }
            inputs.add(path, Role::JointMap)?;
            let fault = |cause: String| Failure::Input { file: path.display().to_string(), cause };
            let text = text(path).map_err(fault)?;
            lenders.note(path.as_os_str(), text.as_bytes());
            lenders.map = joint_map::parse(&text).map_err(|error| fault(error.to_string()))?;
        }
        Ok(lenders)
    }

    fn note(&mut self, given: &OsStr, bytes: &[u8]) {
        self.read.push(format!("{}  {}\n", gltf::sha256(bytes), shown(given)));
    }

    /// Reads a file; a mesh is not needed.
    fn read(&mut self, given: &OsStr, inputs: &mut Inputs) -> Result<Model, Failure> {
        // The scene and the variants are the model's.
        let options = Options { scene: None, variants: Vec::new(), ..self.load.options() };
        let Loaded { model, files, digest: others } =
            file::read(given, Role::Clips, options, inputs, |bytes, base, options| {
                self.note(given, bytes);
                load_bytes_and_digest(bytes, base, options)
            })?;
        self.read.extend(others.map(|digest| format!("{digest}  files of {}\n", shown(given))));
        file::note_files(&files, inputs)?;
        file::heed(given, &model, self.load)?;
        file::warn(given, &model);
        Ok(model)
    }

    fn matched<'m>(
        &mut self,
        given: &OsStr,
        model: &'m Model,
        source: &'m Model,
    ) -> Result<Match<'m>, Failure> {
        let pair = if self.load.no_guess { Match::without_guesses } else { Match::new };
        let matched = pair(model, source, &self.map).map_err(|error| self.fault(error.to_string()))?;
        let named = |error: &MapError| (shown(given), error.clone());
        let key = |error: &MapError| match error {
            MapError::From { key, .. } | MapError::To { key, .. } | MapError::Twice { key, .. } => {
                key.clone()
            }
        };
        match &mut self.unknown {
            None => self.unknown = Some(matched.unknown.iter().map(named).collect()),
            Some(unknown) => {
                let here: HashSet<String> = matched.unknown.iter().map(key).collect();
                unknown.retain(|(_, error)| here.contains(&key(error)));
            }
        }
        Ok(matched)
    }

    /// Every name of the map must be in some file.
    fn check_map(&self) -> Result<(), Failure> {
        match self.unknown.as_ref().and_then(|unknown| unknown.first()) {
            Some((file, MapError::From { key, error })) => {
                Err(self.fault(format!("\"{key}\": {file}: {error}")))
            }
            Some((_, error)) => Err(self.fault(error.to_string())),
            None => Ok(()),
        }
    }

    fn fault(&self, cause: String) -> Failure {
        let map = self.load.joint_map.as_deref().unwrap_or(Path::new(""));
        Failure::Input { file: map.display().to_string(), cause }
    }

    fn digest(&self) -> Option<String> {
        (!self.read.is_empty()).then(|| gltf::sha256(self.read.concat().as_bytes()))
    }
}

/// The text of a map.
fn text(path: &Path) -> Result<String, String> {
    let metadata = std::fs::metadata(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => "no such file".to_owned(),
        _ => error.to_string(),
    })?;
    if !metadata.is_file() || metadata.len() > MAX_BYTES {
        return Err(format!("expected a file of at most {MAX_BYTES} bytes"));
    }
    // It may claim to be smaller than it is.
    let bytes = gltf::read_file_of(path, MAX_BYTES).map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|error| error.to_string())
}

/// Refuses a file that has nothing for the model, and warns of one that has little.
fn judge(given: &OsStr, lender: &OsStr, source: &Model, matched: &Match) -> Result<(), Failure> {
    let fault = |cause: String| Err(Failure::Input { file: shown(lender), cause });
    if source.clips.is_empty() {
        return fault("it has no clips to play".to_owned());
    }
    let (moving, found) = matched.animated;
    let model = shown(given);
    let look = format!("'sinew inspect {model} --clip-from {}' lists both sides", shown(lender));
    if found == 0 {
        let moving = many(moving, "moving joint");
        return fault(format!(
            "none of its {moving} matches one of {model}; {look}, --joint-map matches more"
        ));
    }
    if found < moving.saturating_sub(found) {
        let moving = many(moving, "moving joint");
        say(&format!("warning: {}: {found} of its {moving} match those of {model}; {look}", shown(lender)));
    }
    Ok(())
}

/// Says how many joints were matched by guesses, and how to correct them.
fn tell_guesses(given: &OsStr, lender: &OsStr, matched: &Match) {
    let count = |by: By| matched.pairs.iter().filter(|pair| pair.by == by).count();
    let guesses: Vec<(usize, By)> =
        [By::Words, By::Humanoid, By::Shape].map(|by| (count(by), by)).into_iter().collect();
    let total = guesses.iter().map(|(count, _)| count).sum::<usize>();
    if total == 0 {
        return;
    }
    let kinds = guesses.iter().filter(|(count, _)| *count > 0);
    let kinds: Vec<String> = kinds.map(|(count, by)| format!("{count} by {}", by.name())).collect();
    let (lender, joints) = (shown(lender), many(total, "joint"));
    say(&format!(
        "note: {lender}: {joints} matched by guesses ({}); 'sinew inspect {} --clip-from {lender} \
         --write-joint-map MAP.toml' writes them down to correct",
        kinds.join(", "),
        shown(given)
    ));
}

/// Writes the matches as a map.
pub fn write_map(given: &OsStr, reports: &[Report], output: &Output) -> Result<(), Failure> {
    let matches = reports.iter().map(|report| Matches {
        file: report.file.clone(),
        pairs: report.pairs.iter().map(|pair| (pair.follows.clone(), pair.joint.clone(), pair.by)).collect(),
        strays: report.unmatched_in_file.iter().map(|stray| stray.name.clone()).collect(),
        unmatched: report.unmatched.clone(),
    });
    let text = joint_map::text(&shown(given), &matches.collect::<Vec<_>>());
    let fault = |cause: String| Failure::output(output.path(), cause);
    if text.len() as u64 > MAX_BYTES {
        return Err(fault(format!(
            "the map would have more than {MAX_BYTES} bytes, which --joint-map refuses"
        )));
    }
    output::write(output, |out| out.write_all(text.as_bytes()))
        .map_err(|error: std::io::Error| fault(error.to_string()))
}

/// The names of clips, each unique.
struct Names {
    taken: HashSet<String>,
    /// The last number behind each name that had to have one.
    numbers: HashMap<String, u64>,
}

impl Names {
    fn new(model: &Model) -> Self {
        let taken = model.clips.iter().map(|clip| clip.name.clone()).collect();
        Self { taken, numbers: HashMap::new() }
    }

    /// Gives a clip a unique name: its own name if that is free, else one that includes its file's name.
    fn named(&mut self, mut found: Borrowed, lender: &OsStr) -> (Borrowed, String) {
        let file = shown(Path::new(lender).file_name().unwrap_or(lender));
        let own = found.clip.name.as_str();
        let with_file = if own.is_empty() { file } else { format!("{own} ({file})") };
        let mut name = if own.is_empty() { with_file.clone() } else { own.to_owned() };
        if self.taken.contains(&name) {
            name.clone_from(&with_file);
        }
        while self.taken.contains(&name) {
            let number = self.numbers.entry(with_file.clone()).or_insert(1);
            *number = number.saturating_add(1);
            name = format!("{with_file} {number}");
        }
        self.taken.insert(name.clone());
        found.clip.name.clone_from(&name);
        (found, name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_clip_has_a_name_of_its_own() {
        let clip = |name: &str| Clip { name: name.to_owned(), ..Clip::default() };
        let model = Model { clips: vec![clip("Walk"), clip("Run (b.glb)")], ..Model::default() };
        let mut names = Names::new(&model);
        let mut named = |name: &str| {
            let found = Borrowed { clip: clip(name), carried: Vec::new() };
            names.named(found, OsStr::new("a/b.glb")).1
        };
        assert_eq!(named("Idle"), "Idle");
        assert_eq!(named("Walk"), "Walk (b.glb)");
        assert_eq!(["Walk"; 2].map(&mut named), ["Walk (b.glb) 2", "Walk (b.glb) 3"]);
        assert_eq!(["Run"; 2].map(&mut named), ["Run", "Run (b.glb) 2"]);
        assert_eq!([""; 2].map(&mut named), ["b.glb", "b.glb 2"]);
    }
}
