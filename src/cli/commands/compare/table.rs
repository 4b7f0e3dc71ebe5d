//! Prints a comparison as a table: figures for each motion and mode, the worst places, and the commands that show
//! them.

use std::io::{self, Write};

use crate::analysis::measure::{Figures, Summary, Worst, at, place};
use crate::cli::subject::closeup;
use crate::cli::terminal::print::plain;
use crate::length::{Unit, digits, shown};
use crate::model::VertexName;
use crate::scene::Scene;
use crate::skinning::pose::PoseChoice;
use crate::table::{Align, Table};
use crate::view::View;
use crate::words::many;

use super::cells::{span, worst_of};
use super::job::{Job, MAX_WORST};
use super::matched;
use super::motions::{Motion, is_chosen};
use super::normals;

/// Prints the figures.
pub fn write(job: &Job, summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    heading(job, out)?;
    let table = match job.other {
        Some(_) => lines_of_clips(job, summary),
        None => tables_of_modes(job, summary),
    };
    table.write(out)?;
    normals::write(job, summary, out)?;
    if is_first_of_many(job) {
        writeln!(
            out,
            "\nThis is one of {}; --all-clips measures them all.",
            many(job.model.clips.len(), "clip")
        )?;
    }
    worst(job, summary, out)
}

/// The columns: subject of the row, distances, normals, place.
const COLUMNS: [Align; 6] =
    [Align::Left, Align::Right, Align::Right, Align::Right, Align::Right, Align::Left];

/// A table for each motion, with a line for each mode.
fn tables_of_modes(job: &Job, summary: &Summary) -> Table<'static> {
    let is_measured = |figures: &&Figures| job.plan.against != figures.mode;
    let units = Units::of(summary.motions.iter().flatten().filter(is_measured));
    let mut table = Table::new(&COLUMNS);
    for (motion, figures) in job.motions.iter().zip(&summary.motions) {
        table.text("");
        table.text(&format!("{}{}", motion.name, span(motion)));
        table.row(headings("mode"));
        let measured = figures.iter().filter(is_measured);
        measured.for_each(|figures| table.row(units.cells(job, figures, figures.mode.name())));
    }
    table
}

/// One table with a line for each motion and mode, the worst first.
fn lines_of_clips(job: &Job, summary: &Summary) -> Table<'static> {
    let motions = job.motions.iter().zip(&summary.motions);
    let mut lines: Vec<(&Motion, &Figures)> =
        motions.flat_map(|(motion, figures)| figures.iter().map(move |figures| (motion, figures))).collect();
    lines.sort_by(|(_, a), (_, b)| b.max_m.total_cmp(&a.max_m));
    let units = Units::of(lines.iter().map(|(_, figures)| *figures));
    let mut table = Table::new(&COLUMNS);
    table.text("");
    table.row(headings(""));
    for (motion, figures) in &lines {
        table.row(units.cells(job, figures, &title(job, motion, figures)));
    }
    let is_cache = job.other.as_ref().is_some_and(|other| other.cache.is_some());
    if let ([_, .., (_, least)], true) = (lines.as_slice(), is_cache) {
        let Figures { mode, max_m, .. } = least;
        table.text(&format!("  nearest is {mode}: at most {} apart", shown(*max_m)));
    }
    table
}

/// The title of a line of two files: the motion, its name in the other file, and the mode if there are several.
fn title(job: &Job, motion: &Motion, figures: &Figures) -> String {
    let there = job.name_there(motion).map_or_else(String::new, |there| format!(" = {there}"));
    let mode = if job.plan.modes.len() > 1 { format!(", {}", figures.mode) } else { String::new() };
    format!("{}{there}{mode}", motion.name)
}

/// Tells whether the flags leave open which of the model's clips to measure.
fn is_first_of_many(job: &Job) -> bool {
    let is_chosen = is_chosen(job.args) || job.args.posed.has_time();
    let is_decided = job.other.as_ref().is_some_and(|other| other.lacks.is_some() || other.cache.is_some());
    !is_chosen && !is_decided && !job.args.all_clips && job.model.clips.len() > 1
}

fn heading(job: &Job, out: &mut dyn Write) -> io::Result<()> {
    let (given, diagonal) = (plain(&job.given), shown(job.diagonal_m));
    let Some(other) = &job.other else {
        let (against, vertices) = (job.plan.against, many(job.drawn.count(), "vertex"));
        writeln!(
            out,
            "{given}: modes against {against}, over {vertices}; the bind pose's diagonal is {diagonal}"
        )?;
        return job.measured.sentence().map_or(Ok(()), |sentence| writeln!(out, "{sentence}"));
    };
    let vertices = many(other.pairing.count(), "vertex");
    let mode = match job.plan.modes.as_slice() {
        [mode] => format!(" in {mode}"),
        _ => String::new(),
    };
    let new = plain(&other.given);
    writeln!(out, "{given} against {new}{mode}: {vertices}; the bind pose's diagonal is {diagonal}")?;
    matched::write(&other.given, &other.pairing, &other.matched, out)?;
    if let Some(sentence) = job.measured.sentence().filter(|_| other.cache.is_some()) {
        writeln!(out, "  {sentence}")?;
    }
    let [old_clips, new_clips] = other.clips_alone.each_ref().map(|names| quoted(names));
    let lists = [("clips missing in the new file", old_clips), ("clips only in the new file", new_clips)];
    for (heading, names) in lists.into_iter().filter(|(_, names)| !names.is_empty()) {
        writeln!(out, "  {heading}: {}", names.join(" "))?;
    }
    if other.lacks.is_some() {
        writeln!(out, "  the files share no clip to measure, so the rest pose is measured")?;
    }
    Ok(())
}

/// Names of clips, which may have spaces in them.
fn quoted(names: &[String]) -> Vec<String> {
    names.iter().map(|name| plain(&format!("'{name}'"))).collect()
}

/// The headings of the columns.
fn headings(first: &str) -> [&str; 6] {
    [first, "max", "mean", "p99", "normals", "worst"]
}

/// The units of the columns of distances.
struct Units {
    max: Unit,
    mean: Unit,
    p99: Unit,
}

impl Units {
    fn of<'a>(all: impl Iterator<Item = &'a Figures> + Clone) -> Self {
        Self {
            max: Unit::of(all.clone().map(|figures| figures.max_m)),
            mean: Unit::of(all.clone().map(|figures| figures.mean_m)),
            p99: Unit::of(all.map(|figures| figures.p99_m)),
        }
    }

    /// A row.
    fn cells(&self, job: &Job, figures: &Figures, title: &str) -> [String; 6] {
        let length = |unit: Unit, metres: f64| unit.shown_with_share(metres, job.diagonal_m);
        let worst = worst_of(job, figures.worst);
        [
            title.to_owned(),
            length(self.max, figures.max_m),
            length(self.mean, figures.mean_m),
            length(self.p99, figures.p99_m),
            if job.has_normals() { format!("{:.2}°", figures.normal_max_deg) } else { "–".to_owned() },
            worst,
        ]
    }
}

/// The share of the diagonal up to which a distance is rounding. Files with equal floats differ by less, and one step of
/// an `f32` is more.
const ROUNDING: f64 = 1e-9;

fn worst(job: &Job, summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    let mut worst = summary.worst(MAX_WORST);
    let is_exact = worst.is_empty();
    worst.retain(|worst| worst.distance_m > ROUNDING * job.diagonal_m);
    if worst.is_empty() {
        let but = if is_exact { "" } else { " by more than rounding, a billionth of the diagonal" };
        return writeln!(out, "\nNothing is apart{but}.");
    }
    writeln!(out, "\nWorst places, at most one for each clip, mode and joint:")?;
    let unit = Unit::of(worst.iter().map(|worst| worst.distance_m));
    let mut table = Table::new(&[Align::Left, Align::Right, Align::Left]);
    for worst in &worst {
        let length = unit.shown_with_share(worst.distance_m, job.diagonal_m);
        table.row([worst.mode.name(), &length, &place_and_time(job, worst)]);
        if let Some(reason) =
            job.motion_apart(worst).and_then(|apart| matched::reason(&apart, worst.distance_m))
        {
            table.text(&format!("         {reason}"));
        }
        table.text(&format!("         {}", command(job, worst)));
    }
    table.write(out)
}

/// Describes a worst place and its time in words.
pub fn place_and_time(job: &Job, worst: &Worst) -> String {
    let motion = job.motions.get(worst.motion);
    let name = motion.map_or("", |motion| motion.name.as_str());
    let time = match motion.map(|motion| &motion.choice) {
        Some(PoseChoice::Clips(mix)) if mix.all().next().is_some() => format!(" at {} s", digits(worst.time)),
        _ => String::new(),
    };
    let joint = place(job.model, worst.vertex).and_then(|place| place.joint);
    let joint = joint.map_or_else(String::new, |joint| format!(", joint {joint}"));
    format!("at {}{joint}, in {name}{time}", VertexName::of(job.model, worst.vertex))
}

/// The command that shows a worst place: the difference as colours, with the vertex in the middle.
pub fn command(job: &Job, worst: &Worst) -> String {
    let pose =
        job.motions.get(worst.motion).map_or(PoseChoice::Rest, |motion| at(&motion.choice, worst.time));
    let scene = Scene {
        mode: worst.mode,
        mush: job.mush(),
        camera: closeup::at_vertex(
            job.model,
            worst.mode,
            &pose,
            Some(worst.vertex),
            job.diagonal_m,
            0.1..=1.0,
        ),
        pose,
        clip_pairs: job.clip_pairs(),
        view: View::Difference(match job.other {
            Some(_) => job.difference(worst.distance_m),
            None => job.plan.against.into(),
        }),
        ..Scene::new(job.given_files())
    };
    format!("{scene} --vertex {}", VertexName::of(job.model, worst.vertex))
}
