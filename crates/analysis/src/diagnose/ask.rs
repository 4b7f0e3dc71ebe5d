//! The examination: correspondence, moment, recipe.

use glam::DVec3;
use sinew_skinning::pose::PoseChoice;
use sinew_skinning::{Fault, SkinningMode};

use super::answer::{Answer, Asked, Question};
use super::deviation::Deviation;
use super::engine::{Posed, Scratch};
use super::found::{Found, bench, positions};
use super::matching::{self, Matching, NoMatch, Theirs};
use super::moment::{self, Moment};
use super::placement::Placement;
use super::recipe::Recipe;
use super::search::{self, Ranked};
use super::subject::Subject;
use super::summary::answer;

/// Examines vertices.
///
/// # Errors
/// If their number fits no part of the model.
pub fn ask(question: &Question) -> Result<Answer, NoMatch> {
    let subject = Subject::new(question.model);
    let size = subject.size();
    let theirs = Theirs::of(question.given);
    let bind = question.bind.map(Theirs::of);
    let mut matchings = match matching::candidates(&subject, &theirs, bind.as_ref()) {
        Ok(found) => found,
        Err(none) => vec![by_pose(question, &subject, &theirs, size).ok_or(none)?],
    };
    // Of many equal primitives, the first few.
    matchings.truncate(8);
    let count = matchings.len() as f64;
    let mut best: Option<Found> = None;
    for (number, matching) in matchings.into_iter().enumerate() {
        let watch = |share: f64| (question.watch)((number as f64 + share) / count);
        let found = examine(question, &subject, &theirs, matching, size, &watch);
        let found = by_node(question, &subject, &theirs, found, size);
        let is_better = best.as_ref().is_none_or(|best| nearer(&found, best));
        best = if is_better { Some(found) } else { best };
    }
    let mut best = best.ok_or_else(|| NoMatch::none(theirs.positions.len(), subject.len))?;
    let is_far = |found: &Found| found.ranked.first().is_none_or(|one| one.distances.rms_r > REORDERED);
    if question.bind.is_none() && is_far(&best) {
        // As many vertices may be in another order.
        let by_texcoords = matching::by_texcoords(&subject, &theirs);
        let others = by_texcoords.into_iter().chain(by_pose(question, &subject, &theirs, size));
        let by = best.matching.by;
        let others = others.filter(|other| other.by != by);
        let mut others =
            others.map(|other| examine(question, &subject, &theirs, other, size, question.watch));
        let found = others.find(|other| agrees(question, &subject, &theirs, other, size));
        best = found.unwrap_or(best);
    }
    Ok(answer(question, &subject, &theirs, best, size))
}

/// The distance, as a share of the size, beyond which vertices may be in another order.
const REORDERED: f64 = 0.01;

/// Returns true if the best recipe explains a sample of the vertices.
fn agrees(question: &Question, subject: &Subject, theirs: &Theirs, found: &Found, size: f64) -> bool {
    let pairs = positions(&found.matching, &theirs.positions);
    let many = search::sample(subject, &pairs);
    let bench = bench(question, subject, &found.moment, &many, size);
    found.ranked.first().is_some_and(|one| one.distances.max_r <= bench.tolerance)
}

/// Looks for a recipe that explains vertices in the model's own axes. It is the answer if it is a mode as defined, if the
/// other axes are not those of any program, or if it applies the transform of the mesh's node twice. Otherwise it is another
/// name.
fn by_node(question: &Question, subject: &Subject, theirs: &Theirs, mut found: Found, size: f64) -> Found {
    if found.moment.placement.is_same() {
        return found;
    }
    let pairs = positions(&found.matching, &theirs.positions);
    let many = search::sample(subject, &pairs);
    let moment = Moment { placement: Placement::SAME, ..found.moment.clone() };
    let bench = bench(question, subject, &moment, &many, size);
    let mut ranked = bench.search(&SkinningMode::ALL, &|_| {});
    let axes = found.moment.placement.words().axes;
    let is_axes = found.moment.placement.is_round();
    let Some(fault) = ranked.first_mut().filter(|fault| fault.distances.max_r <= bench.tolerance) else {
        return found;
    };
    let is_twice = fault.recipe.has(Deviation::Fault(Fault::DoubleMeshNode));
    let is_plain = fault.recipe.deviations.is_empty();
    match found.ranked.first_mut() {
        Some(placed) if is_axes && !is_twice && !is_plain => {
            placed.same.push(fault.recipe.to_string());
            placed.same.append(&mut fault.same);
            found
        }
        placed => {
            fault.same.extend(placed.map(|placed| format!("{} in axes {axes}", placed.recipe)));
            Found { moment, ranked, ..found }
        }
    }
}

fn nearer(a: &Found, b: &Found) -> bool {
    let of = |found: &Found| found.ranked.first().map_or(f64::INFINITY, |one| one.distances.rms_r);
    of(a) < of(b)
}

/// Matches by place in the pose: possible only where the pose is known.
fn by_pose(question: &Question, subject: &Subject, theirs: &Theirs, size: f64) -> Option<Matching> {
    let Asked::At(choice) = question.asked else { return None };
    let mut found = None;
    for mode in [SkinningMode::Linear, SkinningMode::DualQuat] {
        let posed = Posed::new(subject, &Recipe::of(mode), choice);
        let mut scratch = Scratch::default();
        let ours: Vec<DVec3> = (0..subject.len).map(|vertex| posed.position(vertex, &mut scratch)).collect();
        let placement = matching::by_boxes(&ours, &theirs.positions);
        let matching = matching::by_pose(&ours, theirs, &placement, size * 0.05);
        let pairs = matching
            .pairs
            .iter()
            .filter_map(|(a, b)| Some((*ours.get(*a as usize)?, *theirs.positions.get(*b as usize)?)));
        let pairs: Vec<(DVec3, DVec3)> = pairs.collect();
        let apart = placement.median(&pairs);
        let is_whole = 2 * pairs.len() > subject.len && apart < 0.01 * size;
        if is_whole && found.as_ref().is_none_or(|(least, _)| apart < *least) {
            found = Some((apart, matching));
        }
    }
    found.map(|(_, matching)| matching)
}

/// Finds moment and recipe for a matching.
fn examine(
    question: &Question,
    subject: &Subject,
    theirs: &Theirs,
    matching: Matching,
    size: f64,
    watch: &(dyn Fn(f64) + Sync),
) -> Found {
    let pairs = positions(&matching, &theirs.positions);
    let few = moment::sample(subject, &pairs);
    let many = search::sample(subject, &pairs);
    let rank = |moment: &Moment, watch: &dyn Fn(f64)| {
        let bench = bench(question, subject, moment, &many, size);
        bench.search(&SkinningMode::ALL, watch)
    };
    let of = |moment: Moment, ranked: Vec<Ranked>| Found { matching: matching.clone(), moment, ranked };
    let agrees = |found: &Found| agrees(question, subject, theirs, found, size);
    let asked = match question.asked {
        Asked::At(choice) => {
            let moment = placed(subject, choice, &few, size);
            let ranked = rank(&moment, &|share| watch(share / 2.0));
            let mut found = of(moment, ranked);
            if !agrees(&found) && !found.moment.placement.is_same() {
                // A fault may have passed for other axes.
                let moment = Moment { placement: Placement::SAME, ..found.moment.clone() };
                let ranked = rank(&moment, &|_| {});
                let same = of(moment, ranked);
                found = if nearer(&same, &found) { same } else { found };
            }
            if agrees(&found) {
                return found;
            }
            Some(found)
        }
        Asked::Search(_) => None,
    };
    let clip = if let Asked::Search(clip) = question.asked { clip } else { None };
    let searched = moment::search(subject, clip, &few, size, &|share| watch(0.5 + share / 4.0));
    let Some(moment) = searched else {
        return asked.unwrap_or_else(|| {
            of(
                Moment { choice: PoseChoice::Rest, placement: Placement::SAME, apart: f64::INFINITY },
                Vec::new(),
            )
        });
    };
    let ranked = rank(&moment, &|share| watch(0.75 + share / 4.0));
    let other = of(moment, ranked);
    match asked {
        // Another pose must be far nearer than the asked one to be the answer.
        Some(asked) => {
            let rms = |found: &Found| found.ranked.first().map_or(f64::INFINITY, |one| one.distances.rms_r);
            if rms(&other) < rms(&asked) * 0.3 { other } else { asked }
        }
        None => other,
    }
}

/// Finds the placement in a known pose: the same unless another is far nearer.
fn placed(subject: &Subject, choice: &PoseChoice, few: &moment::Sample, size: f64) -> Moment {
    let mut best: Option<Moment> = None;
    for recipe in moment::coarse_recipes() {
        for placements in [&[Placement::SAME][..], &[]] {
            let found = moment::measure(subject, &recipe, choice, few, size, placements);
            if best.as_ref().is_none_or(|best| found.apart < best.apart * 0.2) {
                best = Some(found);
            }
        }
        if best.as_ref().is_some_and(|best| best.apart < 1e-3 * size) {
            break;
        }
    }
    best.unwrap_or(Moment { choice: choice.clone(), placement: Placement::SAME, apart: f64::INFINITY })
}
