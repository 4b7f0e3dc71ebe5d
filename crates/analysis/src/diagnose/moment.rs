//! Finds the clip and the time of given vertices.

use std::collections::BTreeMap;

use glam::DVec3;
use rayon::prelude::*;
use sinew_model::Model;
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::PoseChoice;

use super::deviation::Deviation;
use super::engine::{Posed, Scratch};
use super::placement::Placement;
use super::recipe::Recipe;
use super::subject::Subject;

/// A pose with the placement in which it comes nearest.
#[derive(Clone, Debug)]
pub(super) struct Moment {
    pub(super) choice: PoseChoice,
    pub(super) placement: Placement,
    /// The median distance of the sample, in metres.
    pub(super) apart: f64,
}

/// Pairs that tell poses apart: our vertex, and their position.
pub(super) type Sample = [(u32, DVec3)];

/// The number of pairs in a sample for moments.
const SAMPLE: usize = 160;

/// The most poses of a search; longer clips are searched in larger steps.
const MAX_POSES: f64 = 20_000.0;

/// The weight of a vertex's heaviest joint, our vertex, and their position.
type Weighted = (f32, u32, DVec3);

/// Picks pairs for the search of moments: of each joint the vertices that follow it most. These move alike in all modes.
pub(super) fn sample(subject: &Subject, pairs: &[(u32, DVec3)]) -> Vec<(u32, DVec3)> {
    let mut by_joint: BTreeMap<(usize, i32), Vec<Weighted>> = BTreeMap::new();
    for &(ours, theirs) in pairs.iter().filter(|(_, theirs)| theirs.is_finite()) {
        let Some((_, part, at)) = subject.part_of(ours as usize) else { continue };
        let (joint, weight) = part.influences(at).first().copied().unwrap_or((0, 1.0));
        by_joint.entry((part.number, joint)).or_default().push((weight, ours, theirs));
    }
    let each = (SAMPLE / by_joint.len().max(1)).max(1);
    let mut picked = Vec::new();
    for vertices in by_joint.values_mut() {
        vertices.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        // Vertices of equal weight may lie together: take them from all of these.
        let most = vertices.first().map_or(0.0, |vertex| vertex.0) - 1e-3;
        let heavy =
            vertices.iter().take_while(|vertex| vertex.0 >= most).count().max(each).min(vertices.len());
        let step = (heavy / each).max(1);
        picked.extend(vertices.iter().take(heavy).step_by(step).take(each).map(|&(_, ours, at)| (ours, at)));
    }
    let step = picked.len().div_ceil(2 * SAMPLE).max(1);
    picked.into_iter().step_by(step).collect()
}

/// Returns the recipes that move even vertices of one joint elsewhere.
pub(super) fn coarse_recipes() -> Vec<Recipe> {
    let right = Recipe::of(SkinningMode::Linear);
    let faults = Deviation::faults();
    let more = [Deviation::NodeScaleIgnored, Deviation::ScaleDropped, Deviation::InMeshSpace];
    let faulty = faults.chain(more).filter_map(|one| right.with(one));
    std::iter::once(right.clone()).chain(faulty).collect()
}

/// Measures a pose as a recipe makes it, in the nearest of these placements; any placement, if none is given.
pub(super) fn measure(
    subject: &Subject,
    recipe: &Recipe,
    choice: &PoseChoice,
    sample: &Sample,
    size: f64,
    placements: &[Placement],
) -> Moment {
    let posed = Posed::new(subject, recipe, choice);
    let mut scratch = Scratch::default();
    let pairs: Vec<(DVec3, DVec3)> = sample
        .iter()
        .map(|&(ours, theirs)| (posed.position(ours as usize, &mut scratch), theirs))
        .filter(|(ours, _)| ours.is_finite())
        .collect();
    let found = if placements.is_empty() { Placement::candidates(&pairs, size) } else { placements.to_vec() };
    let found = found.into_iter().map(|placement| (placement, placement.median(&pairs)));
    // A round placement counts as the better of two that are nearly as near.
    let better = |best: Option<(Placement, f64)>, next: (Placement, f64)| match best {
        Some(best) if best.1 <= next.1 * ROUND + 1e-7 * size => Some(best),
        _ => Some(next),
    };
    let (placement, apart) = found.fold(None, better).unwrap_or((Placement::SAME, f64::INFINITY));
    Moment { choice: choice.clone(), placement, apart }
}

/// The factor by which a placement that is not round must be nearer.
const ROUND: f64 = 3.0;

/// The distance, as a share of the size, within which a pose counts as found.
const FOUND: f64 = 2e-3;

/// Lists the poses of a model: bind, rest, and every frame of every clip, or of one.
fn poses(model: &Model, only: Option<usize>) -> Vec<PoseChoice> {
    let rate = model.frame_rate();
    let lengths = model.clips.iter().map(|clip| model.period_of(clip).length());
    let frames = lengths.sum::<f64>() * rate;
    let step = (frames / MAX_POSES).max(1.0) / rate;
    let mut all = vec![PoseChoice::Bind, PoseChoice::Rest, PoseChoice::SkinSpace(None)];
    let clips = model.clips.iter().enumerate().filter(|(number, _)| only.is_none_or(|only| only == *number));
    for (number, clip) in clips {
        let period = model.period_of(clip);
        let count = (period.length() / step).floor().clamp(0.0, MAX_POSES) as u32;
        let times = (0..=count).map(|frame| period.start + f64::from(frame) * step).chain([period.end]);
        all.extend(times.map(|time| PoseChoice::clip(number, time)));
    }
    all
}

/// Searches all poses: in the model's own axes, then in others, then with faults of poses and palettes.
pub(super) fn search(
    subject: &Subject,
    clip: Option<usize>,
    sample: &Sample,
    size: f64,
    watch: &(dyn Fn(f64) + Sync),
) -> Option<Moment> {
    let all = poses(subject.model, clip);
    let mut recipes = coarse_recipes();
    let faulty = recipes.split_off(1);
    let mut best: Option<Moment> = None;
    let is_found = |best: &Option<Moment>| best.as_ref().is_some_and(|best| best.apart <= FOUND * size);
    let keep = |found: Option<Moment>, best: &mut Option<Moment>| {
        if let Some(found) =
            found.filter(|found| best.as_ref().is_none_or(|best| found.apart < best.apart * 0.5))
        {
            *best = Some(found);
        }
    };
    for recipe in &recipes {
        keep(search_in(subject, recipe, &all, sample, size, Placement::SAME), &mut best);
        watch(0.1);
        if is_found(&best) {
            return best;
        }
        for placement in placements(subject, recipe, &all, sample, size) {
            keep(search_in(subject, recipe, &all, sample, size, placement), &mut best);
            if is_found(&best) {
                return best;
            }
        }
    }
    let count = faulty.len() as f64;
    for (number, recipe) in faulty.iter().enumerate() {
        watch(0.4 + 0.6 * number as f64 / count);
        keep(search_in(subject, recipe, &all, sample, size, Placement::SAME), &mut best);
        if is_found(&best) {
            break;
        }
    }
    best
}

/// Searches all poses in one placement.
fn search_in(
    subject: &Subject,
    recipe: &Recipe,
    all: &[PoseChoice],
    sample: &Sample,
    size: f64,
    placement: Placement,
) -> Option<Moment> {
    let measured = measured(subject, recipe, all, sample, size, &[placement]);
    let refined = minima(measured).into_iter().map(|found| refine(subject, recipe, found, sample, size));
    refined.min_by(|a, b| a.apart.total_cmp(&b.apart))
}

fn measured(
    subject: &Subject,
    recipe: &Recipe,
    all: &[PoseChoice],
    sample: &Sample,
    size: f64,
    placements: &[Placement],
) -> Vec<Moment> {
    let measure = |choice| measure(subject, recipe, choice, sample, size, placements);
    all.par_iter().map(measure).collect()
}

/// The number of placements that are tried, and of poses that are refined.
const TRIED: usize = 6;

/// Returns the placements in which the nearest poses lie, without those that differ by rounding.
fn placements(
    subject: &Subject,
    recipe: &Recipe,
    all: &[PoseChoice],
    sample: &Sample,
    size: f64,
) -> Vec<Placement> {
    let few: Vec<(u32, DVec3)> = sample.iter().copied().step_by(2).collect();
    let mut measured = measured(subject, recipe, all, &few, size, &[]);
    measured.sort_by(|a, b| a.apart.total_cmp(&b.apart));
    let mut kept: Vec<Placement> = Vec::new();
    let nearest = measured.into_iter().take(TRIED * TRIED).map(|moment| moment.placement);
    let (round, others): (Vec<_>, Vec<_>) =
        nearest.map(|found| (found.rounds(size).collect::<Vec<_>>(), found)).unzip();
    for placement in round.into_iter().flatten().chain(others) {
        let is_like = |other: &Placement| {
            (other.scale / placement.scale - 1.0).abs() < 0.02
                && (other.axes - placement.axes).to_cols_array().iter().all(|x| x.abs() < 0.05)
                && other.shift.distance(placement.shift) < 0.02 * size * placement.scale
        };
        if !placement.is_same() && !kept.iter().any(is_like) && kept.len() < TRIED {
            kept.push(placement);
        }
    }
    kept
}

/// Returns the nearest poses: still ones, and those nearer than the frames before and after.
fn minima(all: Vec<Moment>) -> Vec<Moment> {
    let is_after = |at: usize, other: usize| match (all.get(at), all.get(other)) {
        (Some(a), Some(b)) if a.choice.is_same_motion(&b.choice) => a.apart > b.apart,
        _ => false,
    };
    let is_least =
        |at: usize| !is_after(at, at + 1) && !at.checked_sub(1).is_some_and(|before| is_after(at, before));
    let mut least: Vec<Moment> =
        all.iter().enumerate().filter(|(at, _)| is_least(*at)).map(|(_, moment)| moment.clone()).collect();
    least.sort_by(|a, b| a.apart.total_cmp(&b.apart));
    least.truncate(TRIED);
    least
}

/// Finds the time between frames at which a clip comes nearest, by golden sections.
pub(super) fn refine(
    subject: &Subject,
    recipe: &Recipe,
    found: Moment,
    sample: &Sample,
    size: f64,
) -> Moment {
    let PoseChoice::Clips(mix) = &found.choice else { return found };
    let at = |time_secs: f64| {
        let choice = PoseChoice::Clips(sinew_skinning::pose::ClipMix { time_secs, ..mix.clone() });
        measure(subject, recipe, &choice, sample, size, &[found.placement])
    };
    let frame = 1.0 / subject.model.frame_rate();
    let (mut low, mut high) = ((mix.time_secs - frame).max(0.0), mix.time_secs + frame);
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    let (mut a, mut b) = (high - golden * (high - low), low + golden * (high - low));
    let (mut of_a, mut of_b) = (at(a), at(b));
    for _ in 0..44 {
        if of_a.apart < of_b.apart {
            (high, b, of_b) = (b, a, of_a);
            a = high - golden * (high - low);
            of_a = at(a);
        } else {
            (low, a, of_a) = (a, b, of_b);
            b = low + golden * (high - low);
            of_b = at(b);
        }
    }
    let between = if of_a.apart < of_b.apart { of_a } else { of_b };
    // Times of frames and thousandths are likelier than others.
    let time = between.choice.time_secs();
    let round = [(time / frame).round() * frame, (time * 1e3).round() / 1e3, (time * 1e5).round() / 1e5];
    let round = round.into_iter().map(at).chain([found.clone()]);
    round.into_iter().find(|round| round.apart <= between.apart * 1.5 + 2e-8 * size).unwrap_or(between)
}
