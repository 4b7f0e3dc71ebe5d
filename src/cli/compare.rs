//! `sinew compare`: measures how far skinning modes are apart, and prints where, when and by how much.

mod job;
mod json;
mod motions;
mod panels;
mod table;

use std::io::ErrorKind;
use std::sync::Arc;

use crate::analysis::measure::{Plan, Summary};
use crate::output::{self, Inputs, Output};
use crate::skinning::{Drawn, SkinningMode, diagonal};

use super::args::{CompareArgs, Limit};
use super::failure::Failure;
use super::print::{print, say};
use super::{open, pose};
use job::Job;
use motions::motions;

/// Measures and prints; exit code 6 if something is further apart than `--fail-above`.
pub fn run(args: &CompareArgs, mut inputs: Inputs) -> Result<(), Failure> {
    let given = open::shown(&args.model);
    let picture = args.output.as_ref().map(|out| panels::where_to(out)).transpose()?;
    let open::Read { model, digests, files: _ } =
        open::model_and_digests(&args.model, &args.load, &mut inputs)?;
    let model = Arc::new(model);
    open::check_size(&model, &args.model, open::MOST_KEPT)?;
    let posed = pose::pose(&args.posed, &args.model, &model, &mut inputs)?;
    let json = args.json.as_ref().map(|path| inputs.output(path)).transpose()?;
    let drawn = Drawn::new(&model);
    if drawn.count() == 0 {
        let cause = "it draws nothing, so there is nothing to measure".to_owned();
        return Err(Failure::Input { file: given, cause });
    }
    let job = Job {
        diagonal_m: diagonal(&model, &drawn),
        plan: Plan { modes: modes(&args.modes), against: args.against },
        motions: motions(args, &model, posed),
        given,
        model: &model,
        drawn,
        args,
    };
    let to_stdout = args.json.as_ref().is_some_and(|path| path.as_os_str() == "-");
    let summary = job.measure(json.as_ref())?;
    job.warn(&summary);
    if !to_stdout {
        print(|out| table::write(&job, &summary, out))?;
    }
    if let Some(output) = &picture {
        panels::draw(&job, &summary, output, digests, inputs)?;
    }
    match args.fail_above {
        Some(limit) => job.judge(limit, &summary),
        None => Ok(()),
    }
}

/// The modes asked for, each once; all without any.
fn modes(asked: &[SkinningMode]) -> Vec<SkinningMode> {
    let is_asked = |mode: &SkinningMode| asked.is_empty() || asked.contains(mode);
    SkinningMode::ALL.into_iter().filter(is_asked).collect()
}

impl Job<'_> {
    /// Measures every frame, and writes each to the JSON as it comes.
    fn measure(&self, json: Option<&Output>) -> Result<Summary, Failure> {
        let Some(place) = json else {
            let measured = self.frames(&mut |_, _| Ok(()));
            return Ok(measured.expect("only writing can fail, and nothing is written"));
        };
        let mut summary = Summary::default();
        let written = output::write(place, |out| {
            let mut document = json::Patient::new(out);
            json::begin(self, &mut document)?;
            summary = self.frames(&mut |step, summary| json::step(self, step, summary, &mut document))?;
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
                    "warning: {}: {}: left out up to {lost} vertices of a frame whose positions are not finite",
                    self.given, motion.name
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
        let found = table::metres_and_percent(worst.distance_m, self.diagonal_m);
        Err(Failure::Check(format!(
            "{}: {} is {found} from {} {place}; the limit is {limit}",
            self.given, worst.mode, self.plan.against
        )))
    }
}
