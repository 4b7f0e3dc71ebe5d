//! Measures a model in all modes, over every frame of every clip, and summarises it as a report.

use sinew_model::Model;
use sinew_skinning::distinct::{Distinct, scales};
use sinew_skinning::pose::{Pose, Shares};
use sinew_skinning::posed::reference_surfaces;
use sinew_skinning::surfaces::Surfaces;
use sinew_skinning::{Drawn, SkinningMode, diagonal, skin_of};

use super::data::{ClipSeries, Counts, Found, ModeSeries, ModeSummary, Report, Worst};
use super::digits::six_digits;
use super::location::{key, location, parts, sections};
use super::motions::{Motion, motions};
use super::ranking::{Candidate, Ranking};
use super::runs::{Subject, measure_all};
use super::verdict::verdict;
use crate::deformation::{Shape, TooLarge};
use crate::measure::Frames;
use crate::metric::Metric;
use crate::metric::{At, Row};

/// The largest distance between equal modes, in diagonals of the model: far below the displayed precision.
const ROUNDING: f64 = 1e-12;

/// The modes, clips and frames of a model to measure.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The modes, in the order of [`SkinningMode::ALL`].
    pub modes: Vec<SkinningMode>,
    /// The modes that are left out, because they equal *dqs*.
    pub equal_to_dqs: Vec<SkinningMode>,
    /// The clips; without any, the rest pose.
    pub clips: Vec<usize>,
    /// The frames of each clip.
    pub frames: Frames,
}

impl Plan {
    /// Plans every frame of every clip, in every mode that differs from the others.
    pub fn all(model: &Model) -> Self {
        Self::of(model, (0..model.clips.len()).collect(), Frames::Every)
    }

    /// Plans frames of clips, in every mode that differs there from the others.
    pub fn of(model: &Model, clips: Vec<usize>, frames: Frames) -> Self {
        let (motions, _) = motions(model, &clips, frames);
        let poses =
            motions.iter().flat_map(|motion| motion.times.seconds.iter().map(|time| motion.pose(*time)));
        let Distinct { modes, equal_to_dqs } = Distinct::new(&Shares::of_model(model), scales(model, poses));
        Self { modes, equal_to_dqs, clips, frames }
    }
}

/// Measures a model. `given` is the user's name for it; `progress` receives the number of finished frames, and of all
/// frames.
///
/// # Errors
/// If the model draws more than can be measured.
pub fn collect(
    model: &Model,
    given: &str,
    plan: &Plan,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Report, TooLarge> {
    let shape = Shape::new(model)?;
    let drawn = Drawn::new(model);
    let modes = &plan.modes;
    let surfaces = Surfaces::new(model);
    let subject = Subject { model, shape: &shape, drawn: &drawn, surfaces: &surfaces, modes };
    let (motions, skipped_clips) = motions(model, &plan.clips, plan.frames);
    let mut report = Report {
        program: concat!("sinew ", env!("CARGO_PKG_VERSION")).to_owned(),
        model: given.to_owned(),
        diagonal_m: six_digits(diagonal(model, &drawn)).unwrap_or_default(),
        counts: counts(&subject, &motions, skipped_clips),
        modes: modes.iter().map(|mode| mode.name().to_owned()).collect(),
        equal_to_dqs: plan.equal_to_dqs.iter().map(|mode| mode.name().to_owned()).collect(),
        sections: sections(model, &shape),
        parts: parts(model, &shape),
        clips: motions.iter().map(|motion| empty(motion, modes)).collect(),
        ..Report::default()
    };
    let ranking = fill(&mut report, &subject, &motions, progress);
    let found = |candidate: &Candidate| found(&subject, &motions, candidate);
    let same_as: Vec<Option<usize>> = (0..modes.len()).map(|mode| same_as(&report, mode)).collect();
    let summary = |(number, mode): (usize, &SkinningMode)| {
        let worst = |metric: Metric| Some((metric, found(ranking.worst(number, metric)?)));
        let worst = Metric::ALL.into_iter().filter_map(worst).collect();
        let same = same_as.get(number).copied().flatten().and_then(|same| modes.get(same));
        ModeSummary {
            mode: mode.name().to_owned(),
            same_as: same.map(|same| same.name().to_owned()),
            problems: ranking.problems(number),
            worst,
        }
    };
    report.summary = modes.iter().enumerate().map(summary).collect();
    let worst = |candidate: Candidate| Worst {
        mode: report.modes.get(candidate.mode).cloned().unwrap_or_default(),
        metric: candidate.metric,
        found: found(&candidate),
        pictures: Vec::new(),
        command: String::new(),
    };
    let own: Vec<usize> = (0..modes.len()).filter(|mode| same_as.get(*mode) == Some(&None)).collect();
    report.worst = ranking.list(&own).into_iter().map(worst).collect();
    report.verdict = verdict(&report);
    Ok(report)
}

fn counts(subject: &Subject, motions: &[Motion], skipped_clips: usize) -> Counts {
    let counts = subject.shape.counts();
    Counts {
        vertices: counts.vertices,
        skinned_vertices: skinned_vertices(subject.model),
        triangles: counts.triangles,
        edges: counts.edges,
        skipped_sections: counts.skipped_sections,
        frames: motions.iter().map(|motion| motion.times.seconds.len()).sum(),
        skipped_clips,
    }
}

/// Returns the number of skinned vertices.
fn skinned_vertices(model: &Model) -> u64 {
    let of_instance = |instance| {
        let instance: &sinew_model::Instance = instance;
        let primitives = model.meshes.get(instance.mesh).map_or(&[][..], |mesh| &mesh.primitives);
        let moved =
            primitives.iter().filter(|found| skin_of(model, instance, found.influences.is_some()).is_some());
        moved.map(|primitive| primitive.positions.len() as u64).sum::<u64>()
    };
    model.instances.iter().map(of_instance).sum()
}

/// Returns the first earlier mode with the same numbers in every frame. Linear blending has no distance from itself; it
/// counts as 0, as rounding does.
fn same_as(report: &Report, mode: usize) -> Option<usize> {
    let rounding_m = report.diagonal_m * ROUNDING;
    let is_same = |clip: &ClipSeries, other: usize| {
        let (Some(a), Some(b)) = (clip.modes.get(other), clip.modes.get(mode)) else { return false };
        let number = |metric: Metric, value: &Option<f64>| match metric {
            Metric::Distance => value.filter(|value| *value > rounding_m),
            _ => *value,
        };
        Metric::ALL.into_iter().all(|metric| {
            let numbers = |mode: &ModeSeries| {
                let series = mode.series.get(&metric).map_or(&[][..], Vec::as_slice);
                series.iter().map(|value| number(metric, value)).collect::<Vec<_>>()
            };
            numbers(a) == numbers(b)
        })
    };
    (0..mode).find(|other| report.clips.iter().all(|clip| is_same(clip, *other)))
}

/// Makes a clip without frames.
fn empty(motion: &Motion, modes: &[SkinningMode]) -> ClipSeries {
    let series = |mode: &SkinningMode| ModeSeries {
        mode: mode.name().to_owned(),
        series: Metric::ALL.into_iter().map(|metric| (metric, Vec::new())).collect(),
    };
    ClipSeries {
        clip: motion.clip,
        name: motion.name.clone(),
        seconds: motion.seconds,
        of_frames: motion.times.of,
        times: Vec::with_capacity(motion.times.seconds.len()),
        modes: modes.iter().map(series).collect(),
    }
}

/// Measures all frames, fills the series with them and finds the worst.
fn fill(
    report: &mut Report,
    subject: &Subject,
    motions: &[Motion],
    progress: &mut dyn FnMut(u64, u64),
) -> Ranking {
    let scale = report.scale();
    // Without a skin all modes are the same, and the report measures clips and morph targets alone.
    let is_skinned = report.counts.skinned_vertices > 0;
    let of = report.counts.frames as u64;
    let mut ranking = Ranking::default();
    let (mut done, mut last_clip) = (0, 0);
    measure_all(subject, motions, |clip, time, rows: Vec<Row>| {
        if clip != last_clip {
            ranking.end_clip();
            last_clip = clip;
        }
        let Some(series) = report.clips.get_mut(clip) else { return };
        series.times.push(time);
        for (mode, (row, series)) in rows.iter().zip(&mut series.modes).enumerate() {
            for (&metric, series) in &mut series.series {
                let found = row.value(metric).and_then(|(value, at)| Some((six_digits(value)?, at)));
                series.push(found.map(|(value, _)| value));
                let Some((value, at)) = found else { continue };
                let score = metric.score(value, &scale).filter(|_| is_skinned).and_then(six_digits);
                let found = Candidate { mode, metric, value, score, clip, time, at };
                ranking.add(found, |at| key(subject.model, subject.shape, at));
            }
        }
        done += 1;
        progress(done, of);
    });
    ranking.end_clip();
    ranking
}

fn found(subject: &Subject, motions: &[Motion], candidate: &Candidate) -> Found {
    let motion = motions.get(candidate.clip);
    Found {
        value: candidate.value,
        score: candidate.score,
        clip: motion.and_then(|motion| motion.clip),
        name: motion.map_or_else(String::new, |motion| motion.name.clone()),
        time: candidate.time,
        at: location(subject.model, subject.shape, place(subject, motion, candidate)),
    }
}

/// Returns the place of a value. For the volume of a part, that is the point of its largest loss or gain.
fn place(subject: &Subject, motion: Option<&Motion>, candidate: &Candidate) -> At {
    let (At::Part(part), Some(motion)) = (candidate.at, motion) else { return candidate.at };
    let mode = subject.modes.get(candidate.mode).copied().unwrap_or_default();
    let (mut pose, mut skinned) = (Pose::default(), Vec::new());
    pose.set(subject.model, &motion.pose(candidate.time));
    reference_surfaces(subject.model, mode, &pose, &mut skinned);
    let grows = candidate.metric == Metric::VolumeLargest;
    let changes = subject.shape.where_volume_changes(subject.model, &pose, &skinned, (part, grows));
    changes.map_or(candidate.at, |place| At::Volume(part, place.into()))
}
