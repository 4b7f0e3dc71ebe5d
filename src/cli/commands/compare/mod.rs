//! `sinew compare`: measures the distances between skinning modes or files, and prints where, when and how far.

mod cases;
mod cells;
mod job;
mod json;
mod matched;
mod motions;
mod normals;
mod panels;
mod table;
mod weights;

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::sync::Arc;

use crate::analysis::measure::{Plan, Summary};
use crate::check::Severity;
use crate::length;
use crate::model::Model;
use crate::output::{self, Closed, Inputs};
use crate::pairing::{ClipPairs, Pairing, clip_name};
use crate::skinning::distinct::{Distinct, scales};
use crate::skinning::pose::PoseChoice;
use crate::skinning::surfaces::Surfaces;
use crate::skinning::{Drawn, SkinningMode, diagonal};
use crate::words::many;

use crate::cli::args::output::Output;
use crate::cli::args::{CompareArgs, Limit, PoseArgs};
use crate::cli::subject::modes::modes;
use crate::cli::subject::needs;
use crate::cli::subject::open;
use crate::cli::subject::pose;
use crate::cli::subject::second::{CacheMotion, CacheOf, Second, second};
use crate::cli::terminal::check::Check;
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::{print, say};
use job::{Job, Other};
use matched::Matched;
use motions::{Motion, There, is_chosen, motions, resting};

/// Measures and prints; exit code 6 if something is further apart than `--fail-above`.
pub fn run(args: &CompareArgs, mut inputs: Inputs) -> Result<(), Failure> {
    let given = open::shown(&args.model);
    let picture = args.output.as_ref().map(|out| panels::where_to(out)).transpose()?;
    let open::Read { model, digests, files: _ } =
        open::model_and_digests(&args.model, &args.load, &mut inputs)?;
    let model = Arc::new(model);
    open::check_kept(&model, &args.model)?;
    let (asked, clip_pairs) = clips(args, &model)?;
    let posed = pose::pose(&asked, &args.model, &model, &mut inputs)?;
    if let (Some(picture), Some(json)) = (&args.output, &args.json) {
        output::are_apart(picture, json)?;
    }
    let drawn = Drawn::new(&model);
    if drawn.count() == 0 {
        let cause = "it draws nothing, so there is nothing to measure".to_owned();
        return Err(Failure::Input { file: given, cause });
    }
    let shares = posed.shares();
    let (motions, other) = match &args.new {
        Some(new) => {
            let (motions, other) = two(new, args, &model, posed, clip_pairs, &mut inputs)?;
            (motions, Some(other))
        }
        None => (motions(args, &model, posed, None), None),
    };
    let inputs = inputs.close();
    if let Some(Output::Still(path) | Output::Animation(path, _)) = &picture {
        inputs.output(path)?;
    }
    let json = args.json.as_ref().map(|path| inputs.output(path)).transpose()?;
    if let Some(other) = other.as_ref().filter(|_| args.weights) {
        return weights::run(args, &given, &model, other, json.as_ref(), &inputs);
    }
    let check = gate(args, &inputs)?;
    check.keep_apart(args.json.as_deref())?;
    check.keep_apart(args.output.as_deref())?;
    let measured = match (&other, args.modes.as_slice()) {
        (Some(Other { cache: None, .. }), []) => {
            let modes = vec![SkinningMode::authored(&model).unwrap_or_default()];
            Distinct { modes, equal_to_dqs: Vec::new() }
        }
        (_, asked) => modes(asked, &shares, || scales(&model, motions.iter().flat_map(Motion::poses))),
    };
    let plan = Plan { modes: measured.modes.clone(), against: args.against(), normals: args.normals };
    for model in [&model].into_iter().chain(other.as_ref().map(|other| &other.model)) {
        needs::prepare(model, plan.modes.iter().copied().chain([plan.against.mode()]), &inputs);
    }
    let diagonal_m = diagonal(&model, &drawn);
    let surfaces = Surfaces::new(&model);
    let job = Job { diagonal_m, plan, measured, motions, given, model: &model, drawn, surfaces, args, other };
    job.run(json.as_ref(), picture.as_ref(), digests, inputs, &check)
}

/// The pose that the flags ask of the first file, and clips that have another name in the second.
fn clips(args: &CompareArgs, model: &Model) -> Result<(PoseArgs, Vec<(usize, String)>), Failure> {
    let (asked, pairs) = match args.new {
        Some(_) => pose::of_two(&args.posed, model),
        None => (args.posed.clone(), Vec::new()),
    };
    if args.all_clips && asked.clip.len() > pairs.len() {
        let cause = "--all-clips measures every clip; with it, --clip takes OLD=NEW, for two files";
        return Err(Failure::Usage(cause.to_owned()));
    }
    Ok((asked, pairs))
}

/// Reads the flags of the check. With a limit, errors fail it.
fn gate(args: &CompareArgs, inputs: &Closed) -> Result<Check, Failure> {
    if args.fail_above.is_none() && args.check.fail_on.iter().any(|kind| kind == cases::DISTANCE) {
        return Err(Failure::Usage("--fail-on distance needs a limit: --fail-above".to_owned()));
    }
    Check::new(&args.check, &cases::KINDS, args.fail_above.and(Some(Severity::Error)), inputs)
}

/// Reads the second file, and finds the motions and primitives of the first in it.
fn two(
    new: &OsStr,
    args: &CompareArgs,
    old: &Model,
    mut posed: PoseChoice,
    clip_pairs: Vec<(usize, String)>,
    inputs: &mut Inputs,
) -> Result<(Vec<Motion>, Other), Failure> {
    let given = open::shown(new);
    let motion = if is_chosen(args) { CacheMotion::Given(&posed) } else { CacheMotion::Best(&posed) };
    let Second { read: open::Read { model, digests, files: _ }, cache } =
        second(new, (old, motion), &args.load, inputs)?;
    if let Some(CacheOf { motion, .. }) = &cache {
        fits_cache(args)?;
        posed = motion.clone();
    }
    let fault = |cause: String| Failure::Input { file: given.clone(), cause };
    let clips = ClipPairs::new(old, &model, &clip_pairs).map_err(fault)?;
    let posed_there = match &cache {
        // Edits of joints have moved its vertices already.
        Some(_) => PoseChoice::Rest,
        None => posed_alike(args, new, &model, inputs)?,
    };
    let there = There { model: &model, clips: &clips, posed: posed_there };
    let mut motions = motions(args, old, posed, Some(&clips));
    if let Some(CacheOf { times, .. }) = &cache {
        motions.iter_mut().for_each(|motion| motion.keep_to(times, old));
    }
    let clips_alone = match cache {
        Some(_) => Default::default(),
        None => there.alone(old, &motions, !is_chosen(args) || args.all_clips),
    };
    let at_rest = resting(old, &motions);
    let mut lacks = None;
    motions.retain_mut(|motion| match there.carried(&motion.choice, old) {
        Ok(carried) => {
            motion.other = Some(carried);
            true
        }
        Err(cause) => {
            lacks.get_or_insert(cause);
            false
        }
    });
    let lacks = lacks.filter(|_| motions.is_empty());
    motions.extend(lacks.is_some().then_some(at_rest));
    let mut pairing = Pairing::new(old, &model);
    let mut matched = Matched::new(&pairing, old, &model);
    if cache.is_some() {
        pairing.keep_to_order();
        matched.forget_rest();
    }
    if pairing.count() == 0 {
        return Err(fault(format!("nothing in it corresponds to {}", open::shown(&args.model))));
    }
    let unpaired = clips.only_in_second.iter().map(|clip| clip_name(&model, *clip)).collect();
    let model = Arc::new(model);
    let surfaces = Surfaces::new(&model);
    Ok((
        motions,
        Other {
            given,
            model,
            digests,
            cache,
            pairing,
            surfaces,
            matched,
            clip_pairs,
            clips_alone,
            unpaired,
            lacks,
        },
    ))
}

/// The pose of the flags in the second file, without clips, which are found by those of the first.
fn posed_alike(
    args: &CompareArgs,
    new: &OsStr,
    model: &Model,
    inputs: &mut Inputs,
) -> Result<PoseChoice, Failure> {
    let asked =
        PoseArgs { clip: Vec::new(), blend_clip: Vec::new(), time: None, frame: None, ..args.posed.clone() };
    pose::pose(&asked, new, model, inputs)
}

/// Refuses flags that do not go with a point cache.
fn fits_cache(args: &CompareArgs) -> Result<(), Failure> {
    let without =
        [("--all-clips", args.all_clips), ("--weights", args.weights), ("--frames", args.frames.is_some())];
    match without.into_iter().find(|(_, is_given)| *is_given) {
        Some((flag, _)) => Err(Failure::Usage(format!(
            "{flag} cannot be used with a point cache, which has the vertices of one clip's frames"
        ))),
        None => Ok(()),
    }
}

impl Job<'_> {
    /// Measures, prints, draws, and judges.
    fn run(
        &self,
        json: Option<&output::Output>,
        picture: Option<&Output>,
        digests: open::Digests,
        inputs: Closed,
        check: &Check,
    ) -> Result<(), Failure> {
        let summary = self.measure(json)?;
        self.warn(&summary);
        if self.args.json.as_ref().is_none_or(|path| path.as_os_str() != "-") {
            print(|out| table::write(self, &summary, out))?;
        }
        let cases = cases::of(self, &summary);
        check.write(&format!("compare {}", self.checked()), &cases)?;
        if let Some(output) = picture {
            panels::draw(self, &summary, output, digests, inputs)?;
        }
        if let Some(limit) = self.args.fail_above {
            self.judge(limit, &summary)?;
        }
        check.judge(self.checked(), &cases)
    }

    /// Measures every frame, and writes each to the JSON as it comes.
    fn measure(&self, json: Option<&output::Output>) -> Result<Summary, Failure> {
        let Some(place) = json else {
            let measured = self.frames(&mut |_| Ok(()));
            return Ok(measured.expect("only writing can fail, and nothing is written"));
        };
        let mut summary = Summary::default();
        let written = output::write(place, |out| {
            let mut document = json::Patient::new(out);
            json::begin(self, &mut document)?;
            summary = self.frames(&mut |step| json::step(self, step, &mut document))?;
            json::end(self, &summary, &mut document)
        });
        match written {
            // The document went through `Patient`, but the last flush did not.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(summary),
            Err(error) => Err(Failure::output(place.path(), error)),
            Ok(()) => Ok(summary),
        }
    }

    fn warn(&self, summary: &Summary) {
        if let Some(Other { given, lacks: Some(cause), .. }) = &self.other {
            say(&format!("warning: {given}: the rest pose is measured, because {cause}"));
        }
        for (motion, figures) in self.motions.iter().zip(&summary.motions) {
            let measured = motion.times.seconds.len();
            if measured < motion.times.of {
                let of = motion.times.of;
                say(&format!(
                    "warning: {}: {}: too long for every frame; measured {measured} of {of}, evenly spaced",
                    self.given, motion.name
                ));
            }
            if let Some(lost) = figures.iter().map(|figures| figures.lost).max().filter(|lost| *lost > 0) {
                say(&format!(
                    "warning: {}: {}: left out up to {} of a frame, whose positions are not finite",
                    self.given,
                    motion.name,
                    many(lost, "vertex")
                ));
            }
        }
    }

    fn judge(&self, limit: Limit, summary: &Summary) -> Result<(), Failure> {
        let metres = limit.metres(self.diagonal_m);
        let Some(worst) = summary.worst(1).into_iter().next().filter(|worst| worst.distance_m > metres)
        else {
            return Ok(());
        };
        let place = table::place_and_time(self, &worst);
        let found = length::shown_finely(worst.distance_m);
        let Self { given, plan, .. } = self;
        let mode = worst.mode;
        Err(Failure::Check(match &self.other {
            None => format!("{given}: {mode} is {found} from {} {place}; the limit is {limit}", plan.against),
            Some(new) => {
                let mode = if plan.modes.len() > 1 { format!("in {mode} ") } else { String::new() };
                format!("{}: {mode}{found} from {given} {place}; the limit is {limit}", new.given)
            }
        }))
    }
}
