//! `sinew convert` and `sinew export --rigged`: write a model with its joints, as it is or for programs with limits, and
//! measure the change.

pub mod file;
mod print;

use std::ffi::OsStr;
use std::path::Path;

use crate::analysis::keys::Keys;
use crate::analysis::measure::{Files, Frames, MAX_FRAMES, Place, Summary, compare_files, place, times_of};
use crate::export::rigged::{Rigged, Wanted, rigged};
use crate::model::{Limits, MAX_INFLUENCES, Model};
use crate::output::{self, Inputs};
use crate::pairing::{Pairing, clip_name};
use crate::skinning::pose::{ClipMix, PoseChoice};
use crate::skinning::surfaces::Surfaces;
use crate::skinning::{Drawn, SkinningMode, diagonal};
use indicatif::ProgressBar;

use crate::cli::args::{AskedMode, ConvertArgs, ExportArgs, LoadArgs};
use crate::cli::subject::needs;
use crate::cli::subject::open;
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::{print, say};
use crate::cli::terminal::progress::bar;

use self::file::Kind;

/// A model to convert, and its output.
struct Errand<'a> {
    model: &'a OsStr,
    load: &'a LoadArgs,
    mode: AskedMode,
    output: &'a Path,
    kind: Kind,
    wanted: Wanted,
    /// The file for the figures as JSON, if any.
    json: Option<&'a Path>,
}

/// Writes the model with its joints, within limits.
pub fn run(args: &ExportArgs, inputs: Inputs) -> Result<(), Failure> {
    let errand = Errand {
        model: &args.subject.model,
        load: &args.subject.load,
        mode: args.subject.mode,
        output: &args.output,
        kind: Kind::of(&args.output, "--rigged")?,
        wanted: wanted(args),
        json: args.rigged.json.as_deref(),
    };
    write(&errand, inputs)
}

/// Writes the model as it is.
pub fn convert(args: &ConvertArgs, inputs: Inputs) -> Result<(), Failure> {
    let errand = Errand {
        model: &args.model,
        load: &args.load,
        mode: args.mode,
        output: &args.output,
        kind: Kind::of(&args.output, "'sinew convert'")?,
        wanted: Wanted { influences: Limits { most: MAX_INFLUENCES, least: 0.0 }, max_joints: None },
        json: args.json.as_deref(),
    };
    write(&errand, inputs)
}

/// Moves clips that begin before 0 to begin at 0, because glTF has no earlier times, and prints a note for each.
pub fn begin_at_zero(model: &mut Model) {
    for number in 0..model.clips.len() {
        let name = clip_name(model, number);
        let Some(clip) = model.clips.get_mut(number) else { continue };
        let first = clip.first_secs();
        if first < 0.0 {
            clip.begin_at_zero();
            say(&format!(
                "note: clip {name} begins {:.3} s before 0; glTF has no time before 0, so it begins at 0 there",
                -first
            ));
        }
    }
}

/// Writes the model, reads it back, measures it, and prints the changes.
fn write(errand: &Errand<'_>, mut inputs: Inputs) -> Result<(), Failure> {
    let given = open::shown(errand.model);
    let mut original = open::model(errand.model, errand.load, &mut inputs)?;
    open::check_kept(&original, errand.model)?;
    if errand.kind == Kind::Glb {
        begin_at_zero(&mut original);
    }
    let inputs = inputs.close();
    let out = inputs.output(errand.output)?;
    let json = errand.json.map(|path| inputs.output(path)).transpose()?;
    if let Some(json) = &json {
        output::are_apart(out.path(), json.path())?;
    }
    let fault = |cause: String| Failure::Input { file: given.clone(), cause };
    let made = rigged(&original, &errand.wanted).map_err(|error| fault(error.to_string()))?;
    let file = errand.kind.file(&made.model, &out, errand.mode).map_err(fault)?;
    file.write(&out, &inputs)?;
    for loss in &file.losses {
        say(&format!("warning: {}: {} cannot hold {loss}", out.path().display(), errand.kind.format()));
    }
    let file::File { read, landings, .. } = file;
    let mode = errand.mode.of(&original);
    for model in [&original, &read] {
        needs::prepare(model, [mode], &inputs);
    }
    let drawn = Drawn::new(&original);
    let job = Job {
        given,
        out: errand.output.display().to_string(),
        mode,
        original: &original,
        read: &read,
        pairing: made.pairing(&original, &landings),
        made: &made,
    };
    let found =
        Found { diagonal_m: diagonal(&original, &drawn), vertices: drawn.count(), motions: job.measure() };
    if let Some(place) = &json {
        let written = output::write(place, |stream| print::json(&job, &found, stream));
        written.map_err(|cause| Failure::output(place.path(), cause))?;
    }
    match errand.json.is_some_and(|path| path.as_os_str() == "-") {
        true => Ok(()),
        false => print(|stream| print::table(&job, &found, stream)),
    }
}

fn wanted(args: &ExportArgs) -> Wanted {
    let most = args.rigged.max_influences.map_or(MAX_INFLUENCES, usize::from);
    Wanted {
        influences: Limits { most, least: args.rigged.prune.unwrap_or(0.0) },
        max_joints: args.rigged.max_joints.map(usize::from),
    }
}

/// A model, and the one that was made from it.
struct Job<'a> {
    given: String,
    out: String,
    mode: SkinningMode,
    original: &'a Model,
    /// The file, read back.
    read: &'a Model,
    pairing: Pairing,
    made: &'a Rigged,
}

/// The differences between the file and the original.
struct Found {
    diagonal_m: f64,
    vertices: usize,
    motions: Vec<Motion>,
}

impl Found {
    /// The motion with the largest distance.
    fn worst(&self) -> Option<&Motion> {
        self.motions.iter().max_by(|a, b| a.max_m.total_cmp(&b.max_m))
    }
}

/// The largest distance in a clip.
struct Motion {
    /// The number of the clip; `None` for the rest pose of a model without clips.
    clip: Option<usize>,
    name: String,
    frames: usize,
    max_m: f64,
    /// The time and the place, if anything differs.
    worst: Option<(f64, Place)>,
}

/// The maximum number of frames of all clips together, as in `sinew compare`.
const MAX_IN_ALL: usize = 10 * MAX_FRAMES;

impl Job<'_> {
    /// Measures every clip by itself, at the times of `sinew compare`.
    fn measure(&self) -> Vec<Motion> {
        let keys = Keys::new(self.original);
        let count = self.original.clips.len();
        let most = (MAX_IN_ALL / count.max(1)).max(2);
        let mut clips: Vec<_> = (0..count)
            .map(|clip| {
                let mix = ClipMix { clips: vec![clip], ..ClipMix::default() };
                let seconds = times_of(&keys, &mix, Frames::Every, most).seconds;
                (Some(clip), PoseChoice::Clips(mix), seconds)
            })
            .collect();
        if clips.is_empty() {
            clips.push((None, PoseChoice::Rest, vec![0.0]));
        }
        let bar = bar(clips.iter().map(|(_, _, seconds)| seconds.len() as u64).sum(), "frames");
        let surfaces = [self.original, self.read].map(Surfaces::new);
        let paired = (&self.pairing, surfaces.each_ref());
        let motions =
            clips.iter().map(|(clip, choice, seconds)| self.motion(*clip, choice, seconds, paired, &bar));
        let motions = motions.collect();
        bar.finish_and_clear();
        motions
    }

    fn motion(
        &self,
        clip: Option<usize>,
        choice: &PoseChoice,
        seconds: &[f64],
        (pairing, surfaces): (&Pairing, [&Surfaces; 2]),
        bar: &ProgressBar,
    ) -> Motion {
        let mut summary = Summary::default();
        summary.start(&[self.mode]);
        let files = Files {
            models: [self.original, self.read],
            surfaces,
            motions: [choice; 2],
            pairing,
            new_mode: None,
        };
        let measured = compare_files(files, &[self.mode], seconds, |frame| {
            summary.add(self.original, &frame);
            bar.inc(1);
            Ok::<(), std::convert::Infallible>(())
        });
        let Ok(()) = measured;
        let figures = summary.motions.first().and_then(|figures| figures.first()).copied();
        let worst = figures.and_then(|figures| figures.worst);
        Motion {
            clip,
            name: clip
                .map_or("rest pose".to_owned(), |clip| format!("clip {}", clip_name(self.original, clip))),
            frames: seconds.len(),
            max_m: figures.map_or(0.0, |figures| figures.max_m),
            worst: worst.and_then(|(time, vertex)| Some((time, place(self.original, vertex)?))),
        }
    }
}
