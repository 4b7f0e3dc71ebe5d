//! The picture of a comparison: for each mode the surface, and the difference as colours beside it.

use std::path::Path;
use std::sync::Arc;

use super::job::{Job, Other};
use crate::analysis::measure::{Summary, at};
use crate::cli::args::output::{Output, OutputArgs, output as destination};
use crate::cli::args::split::caption;
use crate::cli::commands::picture::{self, Ready};
use crate::cli::machine::vulkan;
use crate::cli::subject::open::{self, Digests};
use crate::cli::subject::sequence::Sequence;
use crate::cli::terminal::failure::Failure;
use crate::output::Closed;
use crate::scene::{Arrangement, Change, Scene, names_of_two};
use crate::skinning::SkinningMode;
use crate::skinning::pose::PoseChoice;
use crate::view::{Difference, OTHER, View};

/// Width and height of a panel.
const PANEL: u32 = 480;

/// The output, or the reason that the picture cannot be written there.
pub fn where_to(out: &Path) -> Result<Output, Failure> {
    let named = |cause: &str| Failure::Usage(format!("-o {}: {cause}", out.display()));
    match destination(out).map_err(|cause| named(&cause))? {
        Output::Numbered(_) => Err(named("the output is one file, a picture or an animation; omit {frame}")),
        Output::Still(path) if path == Path::new("-") => {
            Err(named("standard output has the figures; name a file for the picture"))
        }
        output => Ok(output),
    }
}

/// Draws the panels of the worst frame, or of its whole clip.
pub fn draw(
    job: &Job,
    summary: &Summary,
    output: &Output,
    digests: Digests,
    inputs: Closed,
) -> Result<(), Failure> {
    let scene = scene(job, summary, matches!(output, Output::Animation(..)))?;
    let sequence = match output {
        Output::Animation(_, format) => {
            let whole = OutputArgs::default();
            let sequence = Sequence::new(&whole, &scene, job.model)?;
            sequence.check(*format, &scene)?;
            Some(sequence)
        }
        Output::Still(_) | Output::Numbered(_) => None,
    };
    let ready = Ready {
        model: Arc::clone(job.model),
        other: job.other.as_ref().map(second),
        digests,
        inputs,
        scene,
        sequence,
        lossy: None,
    };
    ready.check(output)?;
    vulkan::with_renderer(&job.args.vulkan, |renderer| ready.draw(renderer, output))
}

fn scene(job: &Job, summary: &Summary, whole_clip: bool) -> Result<Scene, Failure> {
    let worst = summary.worst(1).into_iter().next();
    let motion = job.motions.get(worst.map_or(0, |worst| worst.motion));
    let time = worst.filter(|_| !whole_clip).map(|worst| worst.time);
    let start = motion.and_then(|motion| motion.times.seconds.first().copied()).unwrap_or_default();
    let pose = motion.map_or(PoseChoice::Rest, |motion| at(&motion.choice, time.unwrap_or(start)));
    let modes = &job.plan.modes;
    let difference = job.difference(worst.map_or(0.0, |worst| worst.distance_m));
    // They share one scale, so the first legend is that of all.
    let first = modes.first().copied();
    let pane = |mode: SkinningMode| {
        let shown = [Some(shaded(mode)), job.other.as_ref().map(|_| of_other(mode))].into_iter().flatten();
        shown.chain([colored(mode, difference, Some(mode) == first)]).map(|change| job.captioned(change))
    };
    let panes: Vec<Change> = modes.iter().flat_map(|&mode| pane(mode)).collect();
    let columns = if job.other.is_some() { 3 } else { 2 };
    let args = job.args;
    Ok(Scene {
        mode: job.plan.against.mode(),
        mush: job.mush(),
        camera: open::viewpoint(&args.camera, &args.model, job.model, &pose)?,
        pose,
        size: args.size.unwrap_or([columns * PANEL, PANEL * modes.len().max(1) as u32]),
        arrangement: Arrangement::Storyboard(panes),
        clip_pairs: job.clip_pairs(),
        ..Scene::new(job.given_files())
    })
}

/// The second file as pictures take it.
fn second(other: &Other) -> picture::Other {
    picture::Other { model: Arc::clone(&other.model), digests: other.digests.clone() }
}

fn shaded(mode: SkinningMode) -> Change {
    Change { flags: format!("mode={mode}"), caption: mode.to_string(), mode: Some(mode), ..Change::default() }
}

/// The other file in a mode.
fn of_other(mode: SkinningMode) -> Change {
    Change { flags: format!("mode={mode} {OTHER}"), other: true, ..shaded(mode) }
}

impl Job<'_> {
    /// Captions name the file of a pane if there are two.
    fn captioned(&self, change: Change) -> Change {
        let Some(Other { given, cache, .. }) = &self.other else { return change };
        let [first, other] = names_of_two(&self.given, given);
        let file = if change.other { other } else { first };
        if change.other && cache.is_some() {
            // No mode moves its vertices.
            return Change { caption: file, ..change };
        }
        Change { caption: format!("{file} {}", change.caption), ..change }
    }
}

fn colored(mode: SkinningMode, difference: Difference, legend: bool) -> Change {
    let view = View::Difference(difference);
    Change {
        flags: format!("mode={mode} view={view}{}", if legend { "" } else { " no-legend" }),
        caption: caption([("mode", mode.name()), ("view", &view.to_string())]),
        mode: Some(mode),
        view: Some(view),
        legend: (!legend).then_some(false),
        ..Change::default()
    }
}
