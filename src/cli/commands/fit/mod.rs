//! `sinew fit`: adds joints so that linear blending follows another mode, writes the model, and measures the distances.

mod print;

use std::convert::Infallible;

use crate::analysis::keys::Keys;
use crate::analysis::measure::{
    Figures, Files, Frames, MAX_FRAMES, Plan, Summary, compare_files, compare_prepared, times_of,
};
use crate::export::rigged::{Wanted as Limits, rigged};
use crate::fit::{Fitted, Goal, MAX_HELPERS, Wanted, fit_model};
use crate::model::{Limits as Influences, MAX_INFLUENCES, Model};
use crate::output::{self, Inputs};
use crate::pairing::{Pairing, clip_name, find_clip};
use crate::skinning::pose::{ClipMix, PoseChoice};
use crate::skinning::surfaces::Surfaces;
use crate::skinning::{Drawn, SkinningMode, diagonal};

use crate::cli::args::FitArgs;
use crate::cli::commands::rigged::{begin_at_zero, file};
use crate::cli::subject::needs;
use crate::cli::subject::open;
use crate::cli::subject::pose::no_clip;
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::{print, say};
use crate::cli::terminal::progress::bar;

/// The number of joints to add without a flag.
const HELPERS: usize = 8;

/// Times this near to a pose of the fit are that pose.
const SAME_SECS: f64 = 1e-6;

/// Adds joints, writes the model, reads it back, and prints the distances.
pub fn run(args: &FitArgs, mut inputs: Inputs) -> Result<(), Failure> {
    let given = open::shown(&args.model);
    let kind = file::Kind::of(&args.output, "'sinew fit'")?;
    let mut original = open::model(&args.model, &args.load, &mut inputs)?;
    open::check_kept(&original, &args.model)?;
    begin_at_zero(&mut original);
    let inputs = inputs.close();
    let out = inputs.output(&args.output)?;
    let json = args.json.as_ref().map(|path| inputs.output(path)).transpose()?;
    if let Some(json) = &json {
        output::are_apart(out.path(), json.path())?;
    }
    let fault = |cause: String| Failure::Input { file: given.clone(), cause };
    let mode = args.mode.of(&original);
    if mode == SkinningMode::Linear {
        return Err(Failure::Usage(
            "linear blending follows lbs already; --mode names another mode".to_owned(),
        ));
    }
    let clips = clips(args, &original).map_err(fault)?;
    needs::prepare(&original, [mode], &inputs);
    let drawn = Drawn::new(&original);
    let diagonal_m = diagonal(&original, &drawn);
    let goal = match args.within {
        Some(limit) => Goal::Within(limit.metres(diagonal_m)),
        None => Goal::Helpers(args.helpers.map_or(HELPERS, usize::from)),
    };
    let max_influences = usize::from(args.max_influences);
    let fitted =
        fitted(&original, &Wanted { mode, goal, max_influences, clips, rate: args.fps }).map_err(fault)?;
    let limits = Limits { influences: Influences { most: MAX_INFLUENCES, least: 0.0 }, max_joints: None };
    let made = rigged(&fitted.model, &limits).map_err(|error| fault(error.to_string()))?;
    let file = kind.file(&made.model, &out, args.mode).map_err(fault)?;
    file.write(&out, &inputs)?;
    for loss in &file.losses {
        say(&format!("warning: {}: {} cannot hold {loss}", out.path().display(), kind.format()));
    }
    let file::File { read, landings, .. } = file;
    let pairing = made.pairing(&fitted.model, &landings);
    let job = Job {
        given,
        out: args.output.display().to_string(),
        mode,
        original: &original,
        drawn,
        diagonal_m,
        read: &read,
        pairing,
        fitted: &fitted,
    };
    let rows = job.measure();
    if let Some(place) = &json {
        let written = output::write(place, |stream| print::json(&job, &rows, stream));
        written.map_err(|cause| Failure::output(place.path(), cause))?;
    }
    if args.json.as_deref() != Some("-".as_ref()) {
        print(|stream| print::table(&job, &rows, stream))?;
    }
    if let (Some(limit), Goal::Within(metres)) = (args.within, goal)
        && rows.iter().any(|row| row.after.max_m > metres)
    {
        let count = fitted.helpers.len();
        let most = if count == MAX_HELPERS { ", the most" } else { "" };
        say(&format!("note: some frames are further than {limit} from {mode} with {count} joints{most}"));
    }
    Ok(())
}

fn clips(args: &FitArgs, model: &Model) -> Result<Vec<usize>, String> {
    if args.clip.is_empty() {
        return Ok((0..model.clips.len()).collect());
    }
    args.clip.iter().map(|asked| find_clip(model, asked).ok_or_else(|| no_clip(model, asked))).collect()
}

/// Fits helpers, with a bar.
fn fitted(model: &Model, wanted: &Wanted) -> Result<Fitted, String> {
    let count = match wanted.goal {
        Goal::Helpers(count) => count,
        Goal::Within(_) => MAX_HELPERS,
    };
    let bar = bar(count as u64, "joints");
    let fitted = fit_model(model, wanted, |helpers| {
        bar.set_position(helpers as u64);
        true
    });
    bar.finish_and_clear();
    fitted.map_err(|error| error.to_string())
}

/// A model, and the one with more joints.
struct Job<'a> {
    given: String,
    out: String,
    mode: SkinningMode,
    original: &'a Model,
    drawn: Drawn,
    diagonal_m: f64,
    /// The file, read back.
    read: &'a Model,
    pairing: Pairing,
    fitted: &'a Fitted,
}

/// The distances of linear blending from the mode in some frames.
struct Row {
    /// The clip; `None` for the frames of all clips that the fit did not see.
    clip: Option<usize>,
    name: String,
    frames: usize,
    before: Figures,
    after: Figures,
}

impl Job<'_> {
    /// Measures every clip at the times of `sinew compare`, and then the frames that the fit did not see.
    fn measure(&self) -> Vec<Row> {
        let keys = Keys::new(self.original);
        let mut rows = Vec::new();
        let (mut unseen, mut count) = ([Summary::default(), Summary::default()], 0);
        for summary in &mut unseen {
            summary.start(&[self.mode]);
        }
        let times = |clip: usize| {
            let mix = ClipMix { clips: vec![clip], ..ClipMix::default() };
            times_of(&keys, &mix, Frames::Every, MAX_FRAMES).seconds
        };
        let motions: Vec<(usize, Vec<f64>)> =
            (0..self.original.clips.len()).map(|clip| (clip, times(clip))).collect();
        let bar = bar(motions.iter().map(|(_, times)| times.len() as u64).sum(), "frames");
        let surfaces = [self.original, self.read].map(Surfaces::new);
        for (clip, times) in motions {
            let is_seen = |time: &f64| {
                self.fitted.poses.iter().any(|(of, at)| *of == clip && (at - time).abs() < SAME_SECS)
            };
            let (seen, not): (Vec<f64>, Vec<f64>) = times.iter().partition(|time| is_seen(time));
            count += not.len();
            let mut found = [Summary::default(), Summary::default()];
            for summary in &mut found {
                summary.start(&[self.mode]);
            }
            let choice = PoseChoice::clip(clip, 0.0);
            for (times, is_unseen) in [(seen, false), (not, true)] {
                self.frames(&choice, &times, &surfaces, |side, frame| {
                    found[side].add(self.original, &frame);
                    if is_unseen {
                        unseen[side].add(self.original, &frame);
                    }
                });
                bar.inc(times.len() as u64);
            }
            let name = format!("clip {}", clip_name(self.original, clip));
            rows.extend(row(Some(clip), name, times.len(), &found));
        }
        bar.finish_and_clear();
        rows.extend(row(None, "frames beside the fit".to_owned(), count, &unseen).filter(|_| count > 0));
        rows
    }

    /// Measures frames before (0) and after (1) the fit.
    fn frames(
        &self,
        choice: &PoseChoice,
        times: &[f64],
        surfaces: &[Surfaces; 2],
        mut each: impl FnMut(usize, crate::analysis::measure::Frame),
    ) {
        let plan = Plan::new(vec![SkinningMode::Linear], self.mode);
        let subject = (self.original, &surfaces[0]);
        let before = |frame| {
            each(0, frame);
            Ok::<(), Infallible>(())
        };
        let Ok(()) = compare_prepared(subject, &self.drawn, &plan, choice, times, before);
        let files = Files {
            models: [self.original, self.read],
            surfaces: surfaces.each_ref(),
            motions: [choice; 2],
            pairing: &self.pairing,
            new_mode: Some(SkinningMode::Linear),
        };
        let after = |frame| {
            each(1, frame);
            Ok::<(), Infallible>(())
        };
        let Ok(()) = compare_files(files, &[self.mode], times, after);
    }
}

fn row(clip: Option<usize>, name: String, frames: usize, found: &[Summary; 2]) -> Option<Row> {
    let figures = |summary: &Summary| summary.motions.first()?.first().copied();
    let [before, after] = found.each_ref().map(figures);
    Some(Row { clip, name, frames, before: before?, after: after? })
}
